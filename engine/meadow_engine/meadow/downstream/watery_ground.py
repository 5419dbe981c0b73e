"""The watery starting ground card (rulebook: New Starting Ground Cards; ruling D7)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from meadow_engine.kernel.errors import IllegalAction
from meadow_engine.kernel.stack import Decision
from meadow_engine.meadow.actions import CHOOSE_WATERY_GROUND, CHOOSE_WAY, ENDS
from meadow_engine.meadow.downstream.events import WateryGroundChosen
from meadow_engine.meadow.downstream.state import river_of
from meadow_engine.meadow.playing import lay_ground
from meadow_engine.meadow.state import MeadowState


@dataclass(frozen=True, slots=True)
class ChoosingWateryGround(Decision[MeadowState]):
    """Choose a side of the watery starting ground card, and on which side of the other one it lies."""

    kind: ClassVar[str] = "choose_watery_ground"
    seat: int

    def legal_ids(self, state: MeadowState) -> list[int]:
        return list(range(CHOOSE_WATERY_GROUND, CHOOSE_WAY))

    def check(self, state: MeadowState, action_id: int) -> int:
        if not CHOOSE_WATERY_GROUND <= action_id < CHOOSE_WAY:
            message = "a side and a place of the watery ground card have to be chosen"
            raise IllegalAction("WRONG_DECISION", message, expected=self.kind)
        return action_id

    def take(self, state: MeadowState, action_id: int) -> None:
        assert state.catalogue.downstream is not None
        side, end = divmod(action_id - CHOOSE_WATERY_GROUND, ENDS)
        number = state.catalogue.downstream.start_cards[river_of(state).starts[self.seat]][side]
        lay_ground(state.players[self.seat], state.catalogue.cards[number], end)
        state.out.emit(WateryGroundChosen(self.seat, number, end))
