"""What an extra action of the river track is, and those that both sides have (rulebook: Types of Extra Actions)."""

from __future__ import annotations

from meadow_engine.kernel.zones import EVERYBODY
from meadow_engine.meadow.actions import DRAW_FROM, TAKE_CARD, USE_SPACE
from meadow_engine.meadow.catalogue import Deck
from meadow_engine.meadow.decks import deck_in_place, draw
from meadow_engine.meadow.downstream.events import PileCardTaken
from meadow_engine.meadow.downstream.state import river_of
from meadow_engine.meadow.downstream.taking import face_up_spots
from meadow_engine.meadow.main_board import take_card
from meadow_engine.meadow.roads import take_roads
from meadow_engine.meadow.state import MeadowState


class ExtraAction:
    """What a space offers to the seat whose kayak stops on it or passes it."""

    def choices(self, state: MeadowState, seat: int) -> list[int]:
        """Ids of what the seat can choose, beside declining; none if the action would have no effect."""
        raise TypeError(f"{type(self).__name__} does not say what can be chosen")

    def act(self, state: MeadowState, seat: int, action_id: int) -> None:
        """Carry a choice out."""
        raise TypeError(f"{type(self).__name__} does not say what it does")


class TakeRoad(ExtraAction):
    """Take a road token."""

    def choices(self, state: MeadowState, seat: int) -> list[int]:
        return [USE_SPACE] if state.road_supply else []

    def act(self, state: MeadowState, seat: int, action_id: int) -> None:
        take_roads(state, seat, 1)


class TakeSunset(ExtraAction):
    """Take the top sunset card."""

    def choices(self, state: MeadowState, seat: int) -> list[int]:
        return [USE_SPACE] if river_of(state).sunset else []

    def act(self, state: MeadowState, seat: int, action_id: int) -> None:
        take_top(state, seat, river_of(state).sunset)


class DrawFromEither(ExtraAction):
    """Take the top card of one of two decks."""

    def __init__(self, *decks: Deck) -> None:
        self._decks = decks

    def choices(self, state: MeadowState, seat: int) -> list[int]:
        in_place = {deck_in_place(state, deck) for deck in self._decks}
        return sorted(DRAW_FROM + deck for deck in in_place if state.decks[deck])

    def act(self, state: MeadowState, seat: int, action_id: int) -> None:
        draw(state, seat, Deck(action_id - DRAW_FROM))


class TakeFaceUp(ExtraAction):
    """Take a face-up card from the main board or the river card area."""

    def choices(self, state: MeadowState, seat: int) -> list[int]:
        return [TAKE_CARD + spot for spot in face_up_spots(state)]

    def act(self, state: MeadowState, seat: int, action_id: int) -> None:
        take_card(state, seat, action_id - TAKE_CARD)


def take_top(state: MeadowState, seat: int, pile: list[int]) -> None:
    """Take the top card of an open pile into the hand."""
    card = pile.pop()
    state.players[seat].gain(card, EVERYBODY)
    state.out.emit(PileCardTaken(seat, card))
