"""Looking at the top cards of a deck, keeping one (rulebook: Performing Special Actions, token 3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from meadow_engine.kernel.errors import IllegalAction
from meadow_engine.kernel.stack import Decision, Step
from meadow_engine.meadow.actions import CLAIM_GOAL, KEEP_CARD, LOOKED_AT, PUT_UNDER
from meadow_engine.meadow.events import CardKept, CardPutUnder, CardsLookedAt
from meadow_engine.meadow.state import MeadowState


@dataclass(frozen=True, slots=True)
class LookAt(Step[MeadowState]):
    """Show a seat the top cards of a deck that has any; they stay on it until the seat has chosen."""

    seat: int
    deck: int
    count: int = LOOKED_AT

    def run(self, state: MeadowState) -> None:
        cards = tuple(state.out.look(state.decks[self.deck], self.seat, self.count))
        state.out.emit(CardsLookedAt(self.seat, self.deck, len(cards), cards))
        state.push(KeepingCard(self.seat, self.deck, len(cards)))


@dataclass(frozen=True, slots=True)
class KeepingCard(Decision[MeadowState]):
    """Choose which of the cards looked at to keep.

    Attributes:
        count: how many there are: 3, or fewer if the deck was short.
    """

    kind: ClassVar[str] = "keep_card"
    seat: int
    deck: int
    count: int

    def legal_ids(self, state: MeadowState) -> list[int]:
        return list(range(KEEP_CARD, KEEP_CARD + self.count))

    def check(self, state: MeadowState, action_id: int) -> int:
        if not KEEP_CARD <= action_id < KEEP_CARD + self.count:
            raise IllegalAction("WRONG_DECISION", "one of the cards looked at has to be kept", expected=self.kind)
        return action_id

    def take(self, state: MeadowState, action_id: int) -> None:
        card, seen = state.decks[self.deck].take_from_top(action_id - KEEP_CARD)
        state.players[self.seat].gain(card, seen)
        state.out.emit(CardKept(self.seat, self.deck, card, seen))
        if self.count > 1:
            state.push(PuttingUnder(self.seat, self.deck, self.count - 1))


@dataclass(frozen=True, slots=True)
class PuttingUnder(Decision[MeadowState]):
    """Choose which of the remaining cards goes under the deck first.

    Attributes:
        count: cards still to be put under.
    """

    kind: ClassVar[str] = "put_under"
    seat: int
    deck: int
    count: int

    def legal_ids(self, state: MeadowState) -> list[int]:
        return list(range(PUT_UNDER, PUT_UNDER + self.count))

    def check(self, state: MeadowState, action_id: int) -> int:
        if not PUT_UNDER <= action_id < PUT_UNDER + self.count <= CLAIM_GOAL:
            raise IllegalAction("WRONG_DECISION", "one of the cards looked at goes under the deck", expected=self.kind)
        return action_id

    def take(self, state: MeadowState, action_id: int) -> None:
        put_under(state, self.seat, self.deck, action_id - PUT_UNDER)
        if self.count > 1:
            # the last one has no choice left
            put_under(state, self.seat, self.deck, 0)


def put_under(state: MeadowState, seat: int, deck: int, index: int) -> None:
    """Put one of the cards looked at, 0 the topmost, under its deck; those who know it know where it lies."""
    pile = state.decks[deck]
    card, seen = pile.take_from_top(index)
    pile.put_under([card], seen)
    state.out.emit(CardPutUnder(seat, deck, card, seen))
