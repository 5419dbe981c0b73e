"""The extra actions of Wild Rapids alone (rulebook: Types of Extra Actions (Wild Rapids))."""

from __future__ import annotations

from meadow_engine.meadow.actions import TAKE_CARD, TAKE_TOKEN, USE_SPACE
from meadow_engine.meadow.catalogue import Deck
from meadow_engine.meadow.downstream.extra_action import ExtraAction
from meadow_engine.meadow.downstream.state import river_of
from meadow_engine.meadow.downstream.taking import face_up_spots
from meadow_engine.meadow.downstream.tokens import take_pier, take_tent, token_choices
from meadow_engine.meadow.looking import LookAt
from meadow_engine.meadow.main_board import take_card
from meadow_engine.meadow.roads import take_roads
from meadow_engine.meadow.state import MeadowState

LOOKED_AT_N = 2


class LookAtN(ExtraAction):
    """Look at the top two cards of the N deck and keep one."""

    def choices(self, state: MeadowState, seat: int) -> list[int]:
        return [USE_SPACE] if state.decks[Deck.N] else []

    def act(self, state: MeadowState, seat: int, action_id: int) -> None:
        state.push(LookAt(seat, Deck.N, LOOKED_AT_N))


class RoadAndFaceUp(ExtraAction):
    """Take a road token and a face-up card; the road alone where no card lies."""

    def choices(self, state: MeadowState, seat: int) -> list[int]:
        cards = [TAKE_CARD + spot for spot in face_up_spots(state)]
        return cards or ([USE_SPACE] if state.road_supply else [])

    def act(self, state: MeadowState, seat: int, action_id: int) -> None:
        take_roads(state, seat, 1)
        if action_id != USE_SPACE:
            take_card(state, seat, action_id - TAKE_CARD)


class TakePier(ExtraAction):
    """Take a token from the pier area."""

    def choices(self, state: MeadowState, seat: int) -> list[int]:
        return token_choices(river_of(state).piers)

    def act(self, state: MeadowState, seat: int, action_id: int) -> None:
        take_pier(state, seat, action_id - TAKE_TOKEN)


class TakeTent(ExtraAction):
    """Take a token from the tent area."""

    def choices(self, state: MeadowState, seat: int) -> list[int]:
        return token_choices(river_of(state).tents)

    def act(self, state: MeadowState, seat: int, action_id: int) -> None:
        take_tent(state, seat, action_id - TAKE_TOKEN)
