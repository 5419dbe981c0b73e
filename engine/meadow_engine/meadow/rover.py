"""The solo game's dummy player (rulebook: Solo Variant; rulings M11, M33)."""

from __future__ import annotations

from meadow_engine.kernel.zones import HiddenPile
from meadow_engine.meadow.catalogue import Deck
from meadow_engine.meadow.events import RoverDealt, RoverMoved
from meadow_engine.meadow.main_board import refill
from meadow_engine.meadow.parts import Part
from meadow_engine.meadow.places import (
    CAMPFIRE_MASK,
    EMPTY,
    MAIN_NOTCHES,
    PATH_TOKENS,
    QUESTION,
    bits,
    piece_parts,
    token_piece,
)
from meadow_engine.meadow.setup import spots_of_row, take_row
from meadow_engine.meadow.state import NO_CARD, MeadowState, Rover

ROVER_STREAM = "rover"
MARKER_STREAM = "rover's markers"
COLOURS = (1, 2, 3)
"""The colours that the player does not have."""
SOLO_BANDS = (40, 50, 60)
"""From so many points on, the second, third and fourth line of the solo table (ruling M10 on its gap)."""


class RoverPart(Part):
    """Rover moves first and before each of the player's turns; he takes cards and never plays any."""

    def set_up(self, state: MeadowState) -> None:
        markers = list(range(len(state.catalogue.solo_token.places)))
        state.streams.shuffle(MARKER_STREAM, markers)
        state.rover = Rover(HiddenPile(), tuple(markers))

    def cards_taken(self, state: MeadowState) -> None:
        """He takes the refilled top row and a card from the N deck."""
        rover = _rover(state)
        cards = take_row(state, 0)
        if state.decks[Deck.N]:
            cards += (state.out.draw(state.decks[Deck.N]),)
        rover.cards += cards
        state.out.emit(RoverDealt(cards))
        refill(state, spots_of_row(0))

    def round_begins(self, state: MeadowState) -> None:
        """Shuffle all his tokens, used and unused, into a new pile."""
        tokens = [token_piece(colour, token) for colour in COLOURS for token in range(PATH_TOKENS)]
        state.streams.shuffle(ROVER_STREAM, tokens)
        _rover(state).pile = HiddenPile(tokens)

    def turn_begins(self, state: MeadowState, seat: int) -> None:
        piece = state.out.draw(_rover(state).pile)
        colour, token = piece_parts(piece)
        if token == QUESTION:
            place = next(bits(state.free & CAMPFIRE_MASK), EMPTY)
            spot = EMPTY
        else:
            place = _notch(state, colour, token)
            spot = state.catalogue.main_board.notches[place].spots[token]
        if place != EMPTY:
            state.occupy(place, piece)
        card = state.board[spot] if spot != EMPTY else NO_CARD
        state.out.emit(RoverMoved(colour, token, place, spot, card))
        if card != NO_CARD:
            _rover(state).cards.append(card)
            state.board[spot] = NO_CARD
            refill(state, (spot,))
        for rover_moved in state.parts.rover_moved:
            rover_moved(state, token)


class RoversDeck(Part):
    """What Rover took counts: the player has to reach its points."""

    def rover_points(self, state: MeadowState) -> int | None:
        return sum(state.catalogue.cards[card].points for card in _rover(state).cards)

    def solo_band(self, state: MeadowState, points: int) -> int | None:
        """Band 0 is a loss against Rover, 1 to 4 are the lines of the solo table."""
        rover = self.rover_points(state)
        assert rover is not None
        return 0 if points < rover else 1 + sum(points >= limit for limit in SOLO_BANDS)


def _notch(state: MeadowState, colour: int, token: int) -> int:
    """The notch that the solo token and the colour's marker name, or the next free one clockwise."""
    marker = _rover(state).markers[colour - 1]
    first = state.catalogue.solo_token.places[marker][token]
    clockwise = ((first + step) % MAIN_NOTCHES for step in range(MAIN_NOTCHES))
    return next(notch for notch in clockwise if state.is_free(notch))


def _rover(state: MeadowState) -> Rover:
    assert state.rover is not None
    return state.rover
