"""Rover on the river, and the solo table (rulebook: Solo Variant; rulings D20, D21)."""

from __future__ import annotations

from meadow_engine.kernel.zones import HiddenPile
from meadow_engine.meadow.catalogue import BOARD_SPOTS
from meadow_engine.meadow.downstream.catalogue import RIVER_NOTCHES, SOLO_CARDS, Downstream, RiverSide
from meadow_engine.meadow.downstream.events import RoverOnRiver
from meadow_engine.meadow.downstream.river_board import put_away_mixed, sweep
from meadow_engine.meadow.downstream.state import SOLO_STREAM, river_of
from meadow_engine.meadow.main_board import refill
from meadow_engine.meadow.parts import Part
from meadow_engine.meadow.places import EMPTY, QUESTION, RIVER, RIVER_TRAIL, piece_parts, token_piece
from meadow_engine.meadow.rover import COLOURS
from meadow_engine.meadow.state import MeadowState

ROVER_SWEEP_STREAM = "rover's sweep"
SOLO_BANDS = (50, 66, 80)
"""From so many points on, the second, third and fourth line of the solo table (ruling M10 on its gap)."""


class RoverOnTheRiver(Part):
    """With a ? token Rover also places a river trail token and sweeps what it points at."""

    def __init__(self, components: Downstream, side: str) -> None:
        """With the notches of this side."""
        self._cards = components.solo_notches
        self._side: RiverSide = components.sides[side]

    def set_up(self, state: MeadowState) -> None:
        _shuffle_cards(state)

    def rover_moved(self, state: MeadowState, token: int) -> None:
        """Even if the ? token itself found no notch at the campfire."""
        if token != QUESTION:
            return
        river = river_of(state)
        if not river.solo:
            _shuffle_cards(state)
        card = state.out.draw(river.solo)
        colour = _colour(state)
        place = _notch(state, self._cards[card])
        state.occupy(place, token_piece(colour, RIVER_TRAIL))
        spots = [BOARD_SPOTS + spot for spot in self._side.notches[place - RIVER].spots]
        swept = sweep(state, spots)
        state.out.emit(RoverOnRiver(colour, card, place, swept))
        refill(state, spots)
        put_away_mixed(state, swept, ROVER_SWEEP_STREAM)

    def solo_band(self, state: MeadowState, points: int) -> int | None:
        """The line of the solo table, 0 the lowest: Rover's points count nothing."""
        return sum(points >= limit for limit in SOLO_BANDS)


def _shuffle_cards(state: MeadowState) -> None:
    cards = list(range(SOLO_CARDS))
    state.streams.shuffle(SOLO_STREAM, cards)
    river_of(state).solo = HiddenPile(cards)


def _colour(state: MeadowState) -> int:
    """The first of Rover's colours whose river trail token has not been placed this round."""
    lying = {piece_parts(piece) for piece in state.places if piece != EMPTY}
    return next(colour for colour in COLOURS if (colour, RIVER_TRAIL) not in lying)


def _notch(state: MeadowState, named: int) -> int:
    """The notch that a card names, or the next free one clockwise."""
    clockwise = (RIVER + (named + step) % RIVER_NOTCHES for step in range(RIVER_NOTCHES))
    return next(place for place in clockwise if state.is_free(place))
