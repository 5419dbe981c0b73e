"""Doing what a space of the river track offers (rulebook: Rules of the Lazy River, Wild Rapids Variant)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from meadow_engine.kernel.errors import IllegalAction
from meadow_engine.kernel.stack import Decision
from meadow_engine.meadow.actions import PASS
from meadow_engine.meadow.catalogue import Deck
from meadow_engine.meadow.downstream.catalogue import Extra
from meadow_engine.meadow.downstream.extra_action import DrawFromEither, ExtraAction, TakeFaceUp, TakeRoad, TakeSunset
from meadow_engine.meadow.downstream.lazy_extras import PlaceExtraBonus, RoadOrTwoCards, TakeBeaverDam
from meadow_engine.meadow.downstream.wild_extras import LookAtN, RoadAndFaceUp, TakePier, TakeTent
from meadow_engine.meadow.events import Passed
from meadow_engine.meadow.playing import PlayingCard
from meadow_engine.meadow.state import MeadowState

EXTRA_ACTIONS: Mapping[int, ExtraAction] = {
    Extra.ROAD: TakeRoad(),
    Extra.SUNSET: TakeSunset(),
    Extra.RIVER_OR_E: DrawFromEither(Deck.RIVER, Deck.E),
    Extra.ROAD_OR_TWO_CARDS: RoadOrTwoCards(),
    Extra.FACE_UP: TakeFaceUp(),
    Extra.BEAVER_DAM: TakeBeaverDam(),
    Extra.GOAL: PlaceExtraBonus(),
    Extra.S_OR_W: DrawFromEither(Deck.S, Deck.W),
    Extra.LOOK_AT_N: LookAtN(),
    Extra.ROAD_AND_FACE_UP: RoadAndFaceUp(),
    Extra.PIER: TakePier(),
    Extra.TENT: TakeTent(),
}
"""All but the play, which is asked for as anywhere else."""


def offer(state: MeadowState, seat: int, extra: Extra) -> None:
    """Let a seat do what the space offers, or decline it (ruling D2); where nothing can be done nothing is asked."""
    if extra is Extra.PLAY:
        state.push(PlayingCard(seat))
    elif extra is not Extra.NONE and EXTRA_ACTIONS[extra].choices(state, seat):
        state.push(AtExtraAction(seat, int(extra)))


@dataclass(frozen=True, slots=True)
class AtExtraAction(Decision[MeadowState]):
    """Do what the space offers, or decline it.

    Attributes:
        extra: number of the extra action.
    """

    kind: ClassVar[str] = "extra_action"
    seat: int
    extra: int

    def legal_ids(self, state: MeadowState) -> list[int]:
        return sorted([PASS, *EXTRA_ACTIONS[self.extra].choices(state, self.seat)])

    def check(self, state: MeadowState, action_id: int) -> int:
        if action_id not in self.legal_ids(state):
            raise IllegalAction("NOT_OFFERED", "the space does not offer this", extra=Extra(self.extra).name)
        return action_id

    def take(self, state: MeadowState, action_id: int) -> None:
        if action_id == PASS:
            state.out.emit(Passed(self.seat))
        else:
            EXTRA_ACTIONS[self.extra].act(state, self.seat, action_id)
