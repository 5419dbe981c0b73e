"""The campfire board: special actions, goals in between, benches (rulebook: Campfire Board Actions)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from meadow_engine.kernel.errors import IllegalAction
from meadow_engine.kernel.stack import Decision, Step
from meadow_engine.meadow.actions import (
    CHOOSE_SPECIAL,
    CLAIM_GOAL,
    KEEP_CARD,
    LOOK_AT_DECK,
    PASS,
    SPECIALS,
    TAKE_CARD,
    TAKE_ROADS,
    play_starts,
)
from meadow_engine.meadow.decks import decks_on_board
from meadow_engine.meadow.events import Passed
from meadow_engine.meadow.goals import claim, claimable
from meadow_engine.meadow.looking import LookAt
from meadow_engine.meadow.main_board import take_card
from meadow_engine.meadow.parts import Part
from meadow_engine.meadow.places import BENCH, BENCH_MASK, CAMPFIRE, CAMPFIRE_MASK, QUESTION
from meadow_engine.meadow.playing import PlayingCard, check_play, play_ids, start_play
from meadow_engine.meadow.roads import take_roads
from meadow_engine.meadow.state import NO_CARD, MeadowState

FACE_UP_CARD, ROADS, LOOK, PLAYS = 1, 2, 3, 4
"""The special actions, by the token that has them."""
ANY_SPECIAL = 5
"""The ? token: one of the four, still to be chosen."""
DONE = 0
ROADS_A_TURN = 2
PLAYS_A_TURN = 2


class Campfire(Part):
    """Notches whose tokens take a special action and may claim a goal; benches for a play."""

    def set_up(self, state: MeadowState) -> None:
        board = state.catalogue.campfires[state.seats]
        state.rounds = board.rounds

    def places(self, state: MeadowState) -> int:
        """The notches without a block token, and the benches."""
        board = state.catalogue.campfires[state.seats]
        return ((1 << board.open_notches) - 1) << CAMPFIRE | ((1 << len(board.benches)) - 1) << BENCH

    def use_place(self, state: MeadowState, seat: int, token: int, place: int) -> bool | None:
        if not (CAMPFIRE_MASK | BENCH_MASK) >> place & 1:
            return None
        if place >= BENCH:
            state.push(PlayingCard(seat))
        else:
            special = ANY_SPECIAL if token == QUESTION else token + 1
            state.push(CampfireTurn(seat, special, PLAYS_A_TURN if special == PLAYS else 0, may_claim=True))
        return True


@dataclass(frozen=True, slots=True)
class CampfireTurn(Step[MeadowState]):
    """Go on with a turn at the campfire as long as anything is left to be done.

    Attributes:
        special: the special action still to be taken, ANY_SPECIAL or DONE.
        plays: plays left of special action 4.
        may_claim: whether no goal was claimed this turn.
    """

    seat: int
    special: int
    plays: int
    may_claim: bool

    def run(self, state: MeadowState) -> None:
        special = DONE if self.special == PLAYS and not self.plays else self.special
        if special != DONE or (self.may_claim and claimable(state, self.seat)):
            state.push(AtCampfire(self.seat, special, self.plays, self.may_claim))


@dataclass(frozen=True, slots=True)
class AtCampfire(Decision[MeadowState]):
    """Take the special action, or a part of it, or claim a goal before, during or after it."""

    kind: ClassVar[str] = "campfire"
    seat: int
    special: int
    plays: int
    may_claim: bool

    def legal_ids(self, state: MeadowState) -> list[int]:
        ids = [CLAIM_GOAL + pair for pair in claimable(state, self.seat)] if self.may_claim else []
        special = self._special_ids(state)
        if self.special in (DONE, PLAYS) or not special:
            # optional, or an action with nothing to do
            ids.append(PASS)
        return sorted(ids + special)

    def _special_ids(self, state: MeadowState) -> list[int]:
        match self.special:
            case 1:
                return [TAKE_CARD + spot for spot, card in enumerate(state.board) if card != NO_CARD]
            case 2:
                return [TAKE_ROADS]
            case 3:
                return [LOOK_AT_DECK + deck for deck in decks_on_board(state) if state.decks[deck]]
            case 4:
                return play_ids(state, self.seat)
            case 5:
                return list(range(CHOOSE_SPECIAL, CHOOSE_SPECIAL + SPECIALS))
        return []

    def check(self, state: MeadowState, action_id: int) -> int:
        if self.special == PLAYS and action_id >= play_starts(state.catalogue)[0]:
            return check_play(state, self.seat, action_id)
        if action_id not in self.legal_ids(state):
            raise self._refusal(state, action_id)
        return action_id

    def _refusal(self, state: MeadowState, action_id: int) -> IllegalAction:
        if CLAIM_GOAL <= action_id < PASS:
            if not self.may_claim:
                return IllegalAction("ONE_GOAL_A_TURN", "a goal was claimed this turn already")
            return IllegalAction("GOAL_NOT_MET", "the pair is taken, or its symbols are not both visible")
        if action_id >= play_starts(state.catalogue)[0]:
            return IllegalAction("NO_PLAY_THIS_TURN", "this special action allows no play", special=self.special)
        return IllegalAction("WRONG_DECISION", "this is not what the turn at the campfire asks for", expected=self.kind)

    def take(self, state: MeadowState, action_id: int) -> None:
        if action_id == PASS:
            state.out.emit(Passed(self.seat))
        elif CLAIM_GOAL <= action_id < PASS:
            state.push(CampfireTurn(self.seat, self.special, self.plays, may_claim=False))
            claim(state, self.seat, action_id - CLAIM_GOAL)
        elif CHOOSE_SPECIAL <= action_id < KEEP_CARD:
            special = action_id - CHOOSE_SPECIAL + 1
            plays = PLAYS_A_TURN if special == PLAYS else 0
            state.push(CampfireTurn(self.seat, special, plays, self.may_claim))
        else:
            special, plays = (PLAYS, self.plays - 1) if self.special == PLAYS else (DONE, 0)
            state.push(CampfireTurn(self.seat, special, plays, self.may_claim))
            self._act(state, action_id)

    def _act(self, state: MeadowState, action_id: int) -> None:
        if self.special == PLAYS:
            start_play(state, self.seat, action_id)
        elif self.special == FACE_UP_CARD:
            take_card(state, self.seat, action_id - TAKE_CARD)
        elif self.special == ROADS:
            take_roads(state, self.seat, ROADS_A_TURN)
        else:
            state.push(LookAt(self.seat, action_id - LOOK_AT_DECK))
