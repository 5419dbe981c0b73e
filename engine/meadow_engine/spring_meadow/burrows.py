"""Marmots on cleared burrows (rulebook: Burrows)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from meadow_engine.kernel.actions import ids_of
from meadow_engine.kernel.errors import IllegalAction
from meadow_engine.kernel.stack import Decision
from meadow_engine.spring_meadow.actions import CHOOSE_ROCK, PLACE_MARMOT
from meadow_engine.spring_meadow.catalogue import COLUMNS
from meadow_engine.spring_meadow.events import MarmotPlaced
from meadow_engine.spring_meadow.placement import marmot_places, marmots_needed
from meadow_engine.spring_meadow.state import Mountain, SpringState


def cover(mountain: Mountain, covers: int) -> tuple[int, int]:
    """Cover spaces of a board.

    Returns:
        How many burrows that covered, and the set of cleared burrows that can take the marmots for them.
    """
    needed, places = marmots_needed(covers, mountain), marmot_places(covers, mountain)
    mountain.covered |= covers
    mountain.holes &= ~covers
    return needed, places


def cover_with_marmots(mountain: Mountain, burrows: int) -> None:
    """Put marmots on these cleared burrows: they are holes no longer."""
    mountain.marmots |= burrows
    mountain.holes &= ~burrows


def owe_marmots(state: SpringState, seat: int, count: int, places: int) -> None:
    """Ask for one marmot for each burrow just covered."""
    if count:
        state.push(PlacingMarmot(seat, count, places))


@dataclass(frozen=True, slots=True)
class PlacingMarmot(Decision[SpringState]):
    """Choose the cleared burrow for a marmot.

    Attributes:
        count: marmots still to be placed, this one included.
        places: cleared burrows to choose from: cleared before the piece that has to be paid for.
    """

    kind: ClassVar[str] = "place_marmot"
    seat: int
    count: int
    places: int

    def legal_ids(self, state: SpringState) -> list[int]:
        return ids_of(self.places, PLACE_MARMOT)

    def check(self, state: SpringState, action_id: int) -> int:
        if not PLACE_MARMOT <= action_id < CHOOSE_ROCK:
            raise IllegalAction("WRONG_DECISION", "a marmot has to be placed", expected=self.kind)
        if not self.places >> (action_id - PLACE_MARMOT) & 1:
            raise IllegalAction("NOT_A_CLEARED_BURROW", "a marmot goes on a burrow that was cleared before")
        return action_id

    def take(self, state: SpringState, action_id: int) -> None:
        cell = action_id - PLACE_MARMOT
        cover_with_marmots(state.mountains[self.seat], 1 << cell)
        state.out.emit(MarmotPlaced(self.seat, *divmod(cell, COLUMNS)))
        owe_marmots(state, self.seat, self.count - 1, self.places & ~(1 << cell))
