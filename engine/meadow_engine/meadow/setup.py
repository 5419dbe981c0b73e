"""Set-up and the starting cards (rulebook: Game Setup, Player Preparation)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from meadow_engine.kernel.errors import IllegalAction
from meadow_engine.kernel.stack import Decision, Frame, Step
from meadow_engine.kernel.zones import EVERYBODY
from meadow_engine.meadow.actions import CHOOSE_GROUND, CHOOSE_ROW, SIDES
from meadow_engine.meadow.catalogue import BOARD_SIDE, Deck
from meadow_engine.meadow.decks import draw
from meadow_engine.meadow.events import GroundChosen, RowTaken
from meadow_engine.meadow.main_board import refill
from meadow_engine.meadow.parts import Part
from meadow_engine.meadow.playability import RIGHT
from meadow_engine.meadow.playing import lay_ground
from meadow_engine.meadow.rounds import StartRound
from meadow_engine.meadow.state import NO_CARD, MeadowState, Player

START_STREAM = "starting grounds"
BEGINNERS_DEAL = (Deck.W, Deck.S, Deck.S, Deck.E, Deck.N)


@dataclass(frozen=True, slots=True)
class SetUp(Step[MeadowState]):
    """Lay everything out; then the seats take their starting cards and choose a ground."""

    def run(self, state: MeadowState) -> None:
        state.players = [Player(roads=1) for _ in range(state.seats)]
        state.road_supply = state.catalogue.road_tokens - state.seats
        starts = list(range(len(state.catalogue.start_cards)))
        state.streams.shuffle(START_STREAM, starts)
        state.starts = starts[: state.seats]
        for set_up in state.parts.set_up:
            set_up(state)
        state.push(StartRound())
        for order in reversed(range(state.seats)):
            seat = (state.first_seat + order) % state.seats
            for choice in reversed([c for choices in state.parts.starting_choices for c in choices(state, seat)]):
                state.push(choice)
        state.push(CardsTaken())
        # the seat to the right of the first one begins, counter-clockwise, so that the first one comes last
        for order in range(state.seats):
            seat = (state.first_seat + order) % state.seats
            state.push(DealBeginner(seat) if state.beginners else ChoosingRow(seat))


class StartingGrounds(Part):
    """The starting ground cards: every seat chooses a side, from the first player on (ruling M2)."""

    def starting_choices(self, state: MeadowState, seat: int) -> tuple[Frame[MeadowState], ...]:
        return (ChoosingGround(seat),)


@dataclass(frozen=True, slots=True)
class CardsTaken(Step[MeadowState]):
    """All seats have their starting cards."""

    def run(self, state: MeadowState) -> None:
        for cards_taken in state.parts.cards_taken:
            cards_taken(state)


@dataclass(frozen=True, slots=True)
class ChoosingRow(Decision[MeadowState]):
    """Take the cards of a row of the main board, and one card from the N deck."""

    kind: ClassVar[str] = "choose_row"
    seat: int

    def legal_ids(self, state: MeadowState) -> list[int]:
        return list(range(CHOOSE_ROW, CHOOSE_ROW + BOARD_SIDE))

    def check(self, state: MeadowState, action_id: int) -> int:
        if not CHOOSE_ROW <= action_id < CHOOSE_GROUND:
            raise IllegalAction("WRONG_DECISION", "a row of cards has to be chosen", expected=self.kind)
        return action_id

    def take(self, state: MeadowState, action_id: int) -> None:
        row = action_id - CHOOSE_ROW
        cards = take_row(state, row)
        for card in cards:
            state.players[self.seat].gain(card, EVERYBODY)
        state.out.emit(RowTaken(self.seat, row, cards))
        draw(state, self.seat, Deck.N)
        refill(state, spots_of_row(row))


@dataclass(frozen=True, slots=True)
class DealBeginner(Step[MeadowState]):
    """The random deal for a first game: one W, two S, one E and one N card."""

    seat: int

    def run(self, state: MeadowState) -> None:
        for deck in BEGINNERS_DEAL:
            draw(state, self.seat, deck)


@dataclass(frozen=True, slots=True)
class ChoosingGround(Decision[MeadowState]):
    """Choose a side of the starting ground card; it is the first column of the meadow."""

    kind: ClassVar[str] = "choose_ground"
    seat: int

    def legal_ids(self, state: MeadowState) -> list[int]:
        return [CHOOSE_GROUND, CHOOSE_GROUND + 1]

    def check(self, state: MeadowState, action_id: int) -> int:
        if not CHOOSE_GROUND <= action_id < CHOOSE_GROUND + SIDES:
            raise IllegalAction(
                "WRONG_DECISION", "a side of the starting ground card has to be chosen", expected=self.kind
            )
        return action_id

    def take(self, state: MeadowState, action_id: int) -> None:
        card = state.catalogue.start_cards[state.starts[self.seat]][action_id - CHOOSE_GROUND]
        lay_ground(state.players[self.seat], state.catalogue.cards[card], RIGHT)
        state.out.emit(GroundChosen(self.seat, card))


def spots_of_row(row: int) -> range:
    """The spots of a row of the main board."""
    return range(row * BOARD_SIDE, (row + 1) * BOARD_SIDE)


def take_row(state: MeadowState, row: int) -> tuple[int, ...]:
    """Take the cards of a row off the main board; the spots stay empty."""
    spots = spots_of_row(row)
    cards = tuple(state.board[spot] for spot in spots if state.board[spot] != NO_CARD)
    for spot in spots:
        state.board[spot] = NO_CARD
    return cards
