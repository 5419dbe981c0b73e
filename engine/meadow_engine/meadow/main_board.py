"""The main board: decks, cards on offer, and path tokens at its edge (rulebook: Main Board Actions, Halfway Point)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from meadow_engine.kernel.errors import IllegalAction
from meadow_engine.kernel.stack import Decision
from meadow_engine.kernel.zones import EVERYBODY, NOBODY, HiddenPile
from meadow_engine.meadow.actions import TAKE_CARD, TAKE_ROADS
from meadow_engine.meadow.catalogue import BOARD_SIDE, BOARD_SPOTS, Deck
from meadow_engine.meadow.decks import DECK_STREAMS, pile_in_place
from meadow_engine.meadow.events import BoardRefilled, CardTaken, HalfwayReached
from meadow_engine.meadow.parts import Part, first_answer
from meadow_engine.meadow.places import MAIN_MASK, MAIN_NOTCHES, QUESTION
from meadow_engine.meadow.playing import PlayingCard
from meadow_engine.meadow.state import NO_CARD, MeadowState

SWEEP_STREAM = "sweep"
DECKS = (Deck.W, Deck.S, Deck.E, Deck.N)
"""The decks of the base game."""


class MainBoard(Part):
    """Four rows of cards from three decks; path tokens take one of them and then allow a play."""

    def __init__(self, sets: tuple[str, ...]) -> None:
        """With the cards of these sets in the decks."""
        self._sets = sets

    def set_up(self, state: MeadowState) -> None:
        catalogue = state.catalogue
        for deck in DECKS:
            cards = [card for name in self._sets for card in catalogue.decks[name][deck]]
            state.streams.shuffle(DECK_STREAMS[deck], cards)
            state.decks.append(HiddenPile(cards))
        state.board = [NO_CARD] * BOARD_SPOTS
        refill(state, range(BOARD_SPOTS))

    def places(self, state: MeadowState) -> int:
        return MAIN_MASK

    def decks_on_board(self, state: MeadowState) -> tuple[Deck, ...]:
        return Deck.W, Deck.N if state.halfway else Deck.S, Deck.E

    def spot_deck(self, state: MeadowState, spot: int) -> Deck | None:
        """After the halfway point N takes the place of S."""
        if spot >= BOARD_SPOTS:
            return None
        deck = state.catalogue.main_board.columns[spot % BOARD_SIDE]
        return Deck.N if deck is Deck.S and state.halfway else deck

    def use_place(self, state: MeadowState, seat: int, token: int, place: int) -> bool | None:
        if place >= MAIN_NOTCHES:
            return None
        spots = state.catalogue.main_board.notches[place].spots
        state.push(PlayingCard(seat))
        if token == QUESTION:
            state.push(ChoosingSpot(seat, spots))
        else:
            take_card(state, seat, spots[token])
        return True

    def marker_passes(self, state: MeadowState) -> None:
        if state.round == state.catalogue.campfires[state.seats].hourglass:
            reach_halfway(state)


def refill(state: MeadowState, emptied: Iterable[int]) -> None:
    """Lay a card on each spot just emptied, in this order, as far as its deck has any.

    A spot that could not be refilled stays empty, whatever comes into its deck later (ruling M34).
    """
    spots, cards = [], []
    for spot in emptied:
        deck = first_answer(state.parts.spot_deck, state, spot)
        assert deck is not None
        pile = pile_in_place(state, deck)
        if pile:
            state.board[spot] = state.out.draw(pile)
            spots.append(spot)
            cards.append(state.board[spot])
    if spots:
        state.out.emit(BoardRefilled(tuple(spots), tuple(cards)))


def take_card(state: MeadowState, seat: int, spot: int) -> None:
    """Take the card on a spot, if there is one, and refill the spot."""
    card = state.board[spot]
    state.out.emit(CardTaken(seat, spot, card))
    if card != NO_CARD:
        state.board[spot] = NO_CARD
        state.players[seat].gain(card, EVERYBODY)
        refill(state, (spot,))


def reach_halfway(state: MeadowState) -> None:
    """Clear the board under the decks in random order, put the N deck in the place of the S deck, refill."""
    spots = range(BOARD_SPOTS)
    swept = [state.board[spot] for spot in spots if state.board[spot] != NO_CARD]
    for deck in DECKS:
        cards = [card for card in swept if state.catalogue.cards[card].deck == deck]
        state.streams.shuffle(SWEEP_STREAM, cards)
        state.decks[deck].put_under(cards, NOBODY)
    for spot in spots:
        state.board[spot] = NO_CARD
    state.halfway = True
    state.out.emit(HalfwayReached(tuple(swept)))
    refill(state, spots)


@dataclass(frozen=True, slots=True)
class ChoosingSpot(Decision[MeadowState]):
    """Choose how far a ? token reaches: one of the four spots it points along, an empty one too."""

    kind: ClassVar[str] = "choose_spot"
    seat: int
    spots: tuple[int, ...]

    def legal_ids(self, state: MeadowState) -> list[int]:
        return sorted(TAKE_CARD + spot for spot in self.spots)

    def check(self, state: MeadowState, action_id: int) -> int:
        if not TAKE_CARD <= action_id < TAKE_ROADS:
            raise IllegalAction("WRONG_DECISION", "a card has to be chosen", expected=self.kind)
        if action_id - TAKE_CARD not in self.spots:
            raise IllegalAction("OUT_OF_REACH", "the token does not point at this spot", spot=action_id - TAKE_CARD)
        return action_id

    def take(self, state: MeadowState, action_id: int) -> None:
        take_card(state, self.seat, action_id - TAKE_CARD)
