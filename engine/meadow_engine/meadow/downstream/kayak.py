"""The kayaks on the river track (rulebook: River Deck, Shortcut)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from meadow_engine.kernel.errors import IllegalAction
from meadow_engine.kernel.stack import Decision, Step
from meadow_engine.meadow.actions import CHOOSE_WAY
from meadow_engine.meadow.downstream.catalogue import MAX_WAYS, Space
from meadow_engine.meadow.downstream.events import KayakMoved
from meadow_engine.meadow.downstream.extras import offer
from meadow_engine.meadow.downstream.state import river_of
from meadow_engine.meadow.state import MeadowState
from meadow_engine.meadow.symbols import NATURE_MONUMENT


@dataclass(frozen=True, slots=True)
class MoveKayak(Step[MeadowState]):
    """Move a kayak forward; what each space offers comes before the next step (ruling D1).

    Attributes:
        spaces: how far; what is left at the end of the track is lost (ruling D8).
    """

    seat: int
    spaces: int

    def run(self, state: MeadowState) -> None:
        ways = open_ways(state, self.seat)
        if len(ways) > 1:
            state.push(ChoosingWay(self.seat, self.spaces))
        elif ways:
            enter(state, self.seat, ways[0], self.spaces - 1)


@dataclass(frozen=True, slots=True)
class ChoosingWay(Decision[MeadowState]):
    """At a fork: choose the way to go.

    Attributes:
        spaces: how far the kayak still moves.
    """

    kind: ClassVar[str] = "choose_way"
    seat: int
    spaces: int

    def legal_ids(self, state: MeadowState) -> list[int]:
        return [CHOOSE_WAY + way for way in open_ways(state, self.seat)]

    def check(self, state: MeadowState, action_id: int) -> int:
        if not CHOOSE_WAY <= action_id < CHOOSE_WAY + MAX_WAYS:
            raise IllegalAction("WRONG_DECISION", "a way has to be chosen at the fork", expected=self.kind)
        if action_id - CHOOSE_WAY >= len(space_of(state, self.seat).ways):
            raise IllegalAction("NO_SUCH_WAY", "the space has no such way")
        if action_id not in self.legal_ids(state):
            raise IllegalAction("NO_TRIANGLE", "the shortcut needs a nature monument visible in the meadow")
        return action_id

    def take(self, state: MeadowState, action_id: int) -> None:
        enter(state, self.seat, action_id - CHOOSE_WAY, self.spaces - 1)


def space_of(state: MeadowState, seat: int) -> Space:
    """The space that a seat's kayak is on."""
    assert state.catalogue.downstream is not None
    return state.catalogue.downstream.sides[river_of(state).side].spaces[river_of(state).kayaks[seat]]


def open_ways(state: MeadowState, seat: int) -> list[int]:
    """The ways that a seat's kayak may go now: the shortcut needs a triangle visible in the meadow (ruling D10)."""
    triangle = state.players[seat].visible[NATURE_MONUMENT]
    return [number for number, way in enumerate(space_of(state, seat).ways) if triangle or not way.shortcut]


def enter(state: MeadowState, seat: int, way: int, left: int) -> None:
    """Move a kayak to the next space along a way, with so many further spaces to go after what it offers there."""
    river = river_of(state)
    river.kayaks[seat] = space_of(state, seat).ways[way].space
    space = space_of(state, seat)
    river.points[seat] = max(river.points[seat], space.points)
    state.out.emit(KayakMoved(seat, space.number, river.points[seat]))
    if left:
        state.push(MoveKayak(seat, left))
    offer(state, seat, space.extra)
