"""The extra actions of Lazy River alone (rulebook: Types of Extra Actions (Lazy River))."""

from __future__ import annotations

from meadow_engine.meadow.actions import DISCARD, TAKE_ROADS, USE_SPACE
from meadow_engine.meadow.downstream.events import ExtraBonusPlaced
from meadow_engine.meadow.downstream.extra_action import ExtraAction, take_top
from meadow_engine.meadow.downstream.state import river_of
from meadow_engine.meadow.downstream.taking import tradable, trade
from meadow_engine.meadow.roads import take_roads
from meadow_engine.meadow.state import MeadowState
from meadow_engine.meadow.symbols import NATURE_MONUMENT


class RoadOrTwoCards(ExtraAction):
    """Take a road token, or discard a hand card for the top two cards of a deck."""

    def choices(self, state: MeadowState, seat: int) -> list[int]:
        return ([TAKE_ROADS] if state.road_supply else []) + tradable(state, seat)

    def act(self, state: MeadowState, seat: int, action_id: int) -> None:
        if action_id == TAKE_ROADS:
            take_roads(state, seat, 1)
        else:
            trade(state, seat, action_id - DISCARD)


class TakeBeaverDam(ExtraAction):
    """Take the top beaver dam card."""

    def choices(self, state: MeadowState, seat: int) -> list[int]:
        return [USE_SPACE] if river_of(state).beaver_dams else []

    def act(self, state: MeadowState, seat: int, action_id: int) -> None:
        take_top(state, seat, river_of(state).beaver_dams)


class PlaceExtraBonus(ExtraAction):
    """Goal space: with the triangle and one of the two goals visible, place the additional bonus token (D17)."""

    def choices(self, state: MeadowState, seat: int) -> list[int]:
        river, visible = river_of(state), state.players[seat].visible
        if river.bonuses >> seat & 1 or not visible[NATURE_MONUMENT]:
            return []
        return [USE_SPACE] if any(visible[goal] for goal in river.goals) else []

    def act(self, state: MeadowState, seat: int, action_id: int) -> None:
        river_of(state).bonuses |= 1 << seat
        state.out.emit(ExtraBonusPlaced(seat))
