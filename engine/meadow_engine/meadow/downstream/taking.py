"""Takes that have to be made: a face-up card, a discard for two cards, the deck they come from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from meadow_engine.kernel.errors import IllegalAction
from meadow_engine.kernel.stack import Decision
from meadow_engine.meadow.actions import (
    DISCARD,
    DRAW_FROM,
    TAKE_CARD,
    TAKE_ROADS,
    TAKE_TOKEN,
    play_starts,
)
from meadow_engine.meadow.catalogue import Deck
from meadow_engine.meadow.decks import decks_on_board, draw
from meadow_engine.meadow.main_board import take_card
from meadow_engine.meadow.playing import discard
from meadow_engine.meadow.state import NO_CARD, MeadowState

CARDS_FOR_A_DISCARD = 2


@dataclass(frozen=True, slots=True)
class TakingCard(Decision[MeadowState]):
    """Take one of some face-up cards.

    Attributes:
        spots: where they lie; those that a token points at, from its notch inwards.
    """

    kind: ClassVar[str] = "take_card"
    seat: int
    spots: tuple[int, ...]

    def legal_ids(self, state: MeadowState) -> list[int]:
        return sorted(TAKE_CARD + spot for spot in self.spots)

    def check(self, state: MeadowState, action_id: int) -> int:
        if not TAKE_CARD <= action_id < TAKE_ROADS:
            raise IllegalAction("WRONG_DECISION", "a face-up card has to be taken", expected=self.kind)
        if action_id - TAKE_CARD not in self.spots:
            raise IllegalAction("OUT_OF_REACH", "this card cannot be taken now", spot=action_id - TAKE_CARD)
        return action_id

    def take(self, state: MeadowState, action_id: int) -> None:
        take_card(state, self.seat, action_id - TAKE_CARD)


@dataclass(frozen=True, slots=True)
class Trading(Decision[MeadowState]):
    """Discard a hand card, to take two cards of one deck."""

    kind: ClassVar[str] = "trade"
    seat: int

    def legal_ids(self, state: MeadowState) -> list[int]:
        return tradable(state, self.seat)

    def check(self, state: MeadowState, action_id: int) -> int:
        if not DISCARD <= action_id < play_starts(state.catalogue)[0]:
            raise IllegalAction("WRONG_DECISION", "a card has to be discarded", expected=self.kind)
        if action_id not in self.legal_ids(state):
            raise IllegalAction("NOT_IN_HAND", "the card is not in the hand")
        return action_id

    def take(self, state: MeadowState, action_id: int) -> None:
        trade(state, self.seat, action_id - DISCARD)


@dataclass(frozen=True, slots=True)
class ChoosingDeck(Decision[MeadowState]):
    """Choose the deck whose top two cards are taken."""

    kind: ClassVar[str] = "choose_deck"
    seat: int

    def legal_ids(self, state: MeadowState) -> list[int]:
        return [DRAW_FROM + deck for deck in decks_with_cards(state)]

    def check(self, state: MeadowState, action_id: int) -> int:
        if not DRAW_FROM <= action_id < TAKE_TOKEN:
            raise IllegalAction("WRONG_DECISION", "a deck has to be chosen", expected=self.kind)
        if action_id not in self.legal_ids(state):
            raise IllegalAction("NO_SUCH_DECK", "the deck is empty or not in use", deck=action_id - DRAW_FROM)
        return action_id

    def take(self, state: MeadowState, action_id: int) -> None:
        for _ in range(CARDS_FOR_A_DISCARD):
            draw(state, self.seat, Deck(action_id - DRAW_FROM))


def face_up_spots(state: MeadowState) -> tuple[int, ...]:
    """The spots of the main board and the river card area that have a card."""
    return tuple(spot for spot, card in enumerate(state.board) if card != NO_CARD)


def decks_with_cards(state: MeadowState) -> list[Deck]:
    """The decks in use that are not empty."""
    return [deck for deck in decks_on_board(state) if state.decks[deck]]


def tradable(state: MeadowState, seat: int) -> list[int]:
    """The discards that bring two cards: any hand card, as long as there is a deck to draw from."""
    return sorted(DISCARD + card for card in state.players[seat].hand) if decks_with_cards(state) else []


def trade(state: MeadowState, seat: int, card: int) -> None:
    """Discard a card; the deck is chosen next, unseen (ruling D13)."""
    state.push(ChoosingDeck(seat))
    discard(state, seat, card)
