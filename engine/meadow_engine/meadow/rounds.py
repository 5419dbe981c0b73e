"""Rounds and turns (rulebook: The Course of the Game, End of Round, End of Game)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import ClassVar

from meadow_engine.kernel.actions import ids_of
from meadow_engine.kernel.errors import IllegalAction
from meadow_engine.kernel.stack import Decision, Step
from meadow_engine.meadow.actions import PLACE_TOKEN, TAKE_CARD
from meadow_engine.meadow.events import GameEnded, RoundStarted, TokenPlaced
from meadow_engine.meadow.parts import ALL_PLACES, Part, first_answer
from meadow_engine.meadow.places import EMPTY, NUMBERED_TOKENS, PLACES, QUESTION, bits, token_piece
from meadow_engine.meadow.state import MeadowState

NUMBERED = (1 << NUMBERED_TOKENS) - 1


class PathTokens(Part):
    """The path tokens of the base game: the ? token stays in the box with four players."""

    def tokens(self, state: MeadowState) -> int:
        return NUMBERED if state.seats == 4 else NUMBERED | 1 << QUESTION


def tokens_of(state: MeadowState) -> int:
    """The tokens each seat has in a round."""
    return reduce(or_, (tokens(state) for tokens in state.parts.tokens))


def places_of(state: MeadowState) -> int:
    """The places in use with this number of players."""
    return reduce(or_, (places(state) for places in state.parts.places))


def places_for(state: MeadowState, token: int) -> int:
    """The places where a token may lie at all."""
    allowed = ALL_PLACES
    for places in state.parts.places_for:
        allowed &= places(token)
    return allowed


@dataclass(frozen=True, slots=True)
class StartRound(Step[MeadowState]):
    """Give the seats their path tokens back and begin with the first seat."""

    def run(self, state: MeadowState) -> None:
        state.round += 1
        state.places = [EMPTY] * PLACES
        state.free = places_of(state)
        for player in state.players:
            player.tokens = tokens_of(state)
        for round_begins in state.parts.round_begins:
            round_begins(state)
        state.out.emit(RoundStarted(state.round, state.first_seat))
        state.push(NextTurn(state.first_seat))


@dataclass(frozen=True, slots=True)
class NextTurn(Step[MeadowState]):
    """A seat's turn, or the end of the round when it has no path token left."""

    seat: int

    def run(self, state: MeadowState) -> None:
        if not state.players[self.seat].tokens:
            state.push(EndRound())
            return
        state.push(PlacingToken(self.seat))
        for turn_begins in state.parts.turn_begins:
            turn_begins(state, self.seat)


@dataclass(frozen=True, slots=True)
class PlacingToken(Decision[MeadowState]):
    """Place one of the unused path tokens on a free notch or bench."""

    kind: ClassVar[str] = "place_token"
    seat: int

    def places(self, state: MeadowState, token: int) -> int:
        """The places where a token may go."""
        return state.free & places_for(state, token)

    def legal_ids(self, state: MeadowState) -> list[int]:
        pairs = 0
        for token in bits(state.players[self.seat].tokens):
            pairs |= self.places(state, token) << token * PLACES
        return ids_of(pairs, PLACE_TOKEN)

    def check(self, state: MeadowState, action_id: int) -> int:
        if not PLACE_TOKEN <= action_id < TAKE_CARD:
            raise IllegalAction("WRONG_DECISION", "a path token has to be placed", expected=self.kind)
        token, place = divmod(action_id - PLACE_TOKEN, PLACES)
        if not state.players[self.seat].tokens >> token & 1:
            raise IllegalAction("TOKEN_USED", "this path token was placed already, or is not in this game")
        if not self.places(state, token) >> place & 1:
            raise IllegalAction(self._refusal(state, place), "the token cannot be placed there", place=place)
        return action_id

    @staticmethod
    def _refusal(state: MeadowState, place: int) -> str:
        if not places_of(state) >> place & 1:
            return "NOT_IN_THIS_GAME"
        return "WRONG_BOARD" if state.is_free(place) else "OCCUPIED"

    def take(self, state: MeadowState, action_id: int) -> None:
        token, place = divmod(action_id - PLACE_TOKEN, PLACES)
        state.players[self.seat].tokens &= ~(1 << token)
        state.occupy(place, token_piece(self.seat, token))
        state.out.emit(TokenPlaced(self.seat, token, place))
        state.push(NextTurn((self.seat + 1) % state.seats))
        first_answer(state.parts.use_place, state, self.seat, token, place)


@dataclass(frozen=True, slots=True)
class EndRound(Step[MeadowState]):
    """Pass the first player token on and move the round marker; after the last round the game ends."""

    def run(self, state: MeadowState) -> None:
        for round_ends in state.parts.round_ends:
            round_ends(state)
        if state.round == state.rounds:
            state.out.emit(GameEnded())
            return
        state.first_seat = (state.first_seat + 1) % state.seats
        for marker_passes in state.parts.marker_passes:
            marker_passes(state)
        state.push(StartRound())
