"""Scenes for the tests of Meadow's rules: a position written down, answers given as text, what happened read back.

Cards come from the little box of `tests.meadow.cards`. Positions go through the engine's own notation.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TypeVar

import pytest
from meadow_engine.content.library import builtin_pack
from meadow_engine.kernel import stack
from meadow_engine.kernel.errors import IllegalAction
from meadow_engine.kernel.events import Event
from meadow_engine.kernel.variant import Outcome
from meadow_engine.meadow import content, notation
from meadow_engine.meadow.actions import action_space
from meadow_engine.meadow.assembly import MeadowFamily
from meadow_engine.meadow.events import HiddenCardEvent
from meadow_engine.meadow.scoring import MeadowScoreSheet
from meadow_engine.meadow.state import MeadowState, Player
from meadow_engine.meadow.symbols import SYMBOLS
from meadow_engine.meadow.view import MeadowView

from tests.meadow.cards import box_of, names_in

EMPTY = "-----"
BOARD = """
W1 S1 S2 E1
W2 S3 S4 E2
W3 S5 S6 E3
W4 S7 S8 E4
"""
DECKS = {
    "W": "W13 W12 W11 W10 W9 W8 W7 W6 W5",
    "S": "S14 S13 S12 S11 S10 S9",
    "E": "E13 E12 E11 E10 E9 E8 E7 E6 E5",
    "N": "N9 N8 N7 N6 N5 N4 N3 N2 N1",
}
"""The next card last."""
GOALS = {
    1: "tree, bird, paw",
    2: "tree, bird, paw, house, fence",
    3: "tree, bird, paw, house, fence, flower, berries, mushroom",
    4: "tree, bird, paw, house, fence, flower, berries, mushroom, butterfly, predator, bird of prey",
}

E = TypeVar("E", bound=Event)

FAMILY = MeadowFamily()
VARIANTS = {variant.id: variant for variant in FAMILY.variants}


class Scene:
    """A game in a written position."""

    def __init__(self, state: MeadowState) -> None:
        self.state = state
        self.catalogue = state.catalogue
        self.events: list[Event] = list(state.out.events)

    @property
    def asks(self) -> str:
        """Who has to choose what, such as `0 place_token`; `end` when the game is over."""
        decision = stack.pending(self.state)
        return f"{decision.seat} {decision.kind}" if decision else "end"

    def legal(self, beginning: str = "") -> set[str]:
        """The legal actions as text, those that begin so."""
        decision = stack.pending(self.state)
        assert decision is not None
        space = action_space(self.catalogue)
        texts = {notation.action_text(self.catalogue, space.action(i)) for i in decision.legal_ids(self.state)}
        return {text for text in texts if text.startswith(beginning)}

    def do(self, *actions: str) -> Scene:
        """Take actions one after the other; each must be listed. `events` then holds what all of them made happen."""
        self.events = []
        for text in actions:
            assert text in self.legal(), f"{text} is not among {sorted(self.legal())}"
            self.events += stack.apply(self.state, self._id(text)).events
        return self

    def refuses(self, text: str) -> str:
        """The rule that forbids an action; it must be neither listed nor accepted, and change nothing."""
        before = self.state.clone()
        assert text not in self.legal()
        with pytest.raises(IllegalAction) as refusal:
            stack.apply(self.state, self._id(text))
        assert self.state == before
        return refusal.value.rule

    def happened(self, kind: type[E]) -> list[E]:
        """The events of a kind among `events`."""
        return [event for event in self.events if isinstance(event, kind)]

    def play_on(self, seed: int = 0) -> Scene:
        """Take random actions to the end of the game; `events` then holds everything that happened."""
        rng = Random(seed)
        self.events = []
        while decision := stack.pending(self.state):
            self.events += stack.apply(self.state, rng.choice(decision.legal_ids(self.state))).events
        return self

    def finish_round(self) -> Scene:
        """Place all tokens of this round, doing without what is optional, taking the first of what is not."""
        number = self.state.round
        self.events = []
        while (decision := stack.pending(self.state)) and self.state.round == number:
            choice = self._id("pass") if "pass" in self.legal() else decision.legal_ids(self.state)[0]
            self.events += stack.apply(self.state, choice).events
        return self

    def owes(self) -> int:
        """How many cards the seat still has to discard."""
        pending = self.view(None).pending
        return pending.discards if pending else 0

    def plays(self) -> int:
        """How many plays special action 4 has left."""
        pending = self.view(None).pending
        return pending.plays if pending else 0

    # ---- what lies where, as text

    def board(self) -> list[str]:
        """The cards on the main board by spot."""
        return self.names(self.state.board)

    def deck(self, letter: str) -> list[str]:
        """A deck's cards from the bottom to the top."""
        return self.names(self.state.decks["WSENR".index(letter)].items)

    def player(self, seat: int = 0) -> Player:
        """Everything of a seat."""
        return self.state.players[seat]

    def hand(self, seat: int = 0) -> list[str]:
        """A seat's hand cards."""
        return self.names(self.player(seat).hand)

    def meadow(self, seat: int = 0) -> list[list[str]]:
        """A seat's columns from left to right."""
        return [self.names(self.player(seat).columns[column]) for column in self.player(seat).row]

    def surroundings(self, seat: int = 0) -> list[list[str]]:
        """A seat's landscapes, each with its discovery."""
        pairs = zip(self.player(seat).landscapes, self.player(seat).discoveries, strict=True)
        return [[name for name in self.names(pair) if name != EMPTY] for pair in pairs]

    def visible(self, seat: int = 0) -> dict[str, int]:
        """How often each symbol is visible in a meadow, those that are."""
        return {SYMBOLS[symbol]: count for symbol, count in enumerate(self.player(seat).visible) if count}

    def names(self, cards: Sequence[int]) -> list[str]:
        """Names of cards."""
        return [EMPTY if number < 0 else self.catalogue.cards[number].id for number in cards]

    def tokens(self) -> dict[str, str]:
        """The tokens on all places, such as `L1` -> `0:?`."""
        names = notation.place_names(self.catalogue)
        return {
            names[place]: f"{piece // 6}:{'1234?R'[piece % 6]}"
            for place, piece in enumerate(self.state.places)
            if piece >= 0
        }

    def view(self, viewer: int | None = 0) -> MeadowView:
        """What a seat sees."""
        return FAMILY.view(self.state, viewer)

    def sheet(self) -> MeadowScoreSheet:
        """The points."""
        return FAMILY.score_sheet(self.state)

    def outcome(self) -> Outcome:
        """The result of a game that has ended."""
        return FAMILY.outcome(self.state)

    def points(self, seat: int = 0) -> dict[str, int]:
        """A seat's points by source, those that are not 0."""
        return {source: points for source, points in self.sheet().seats[seat].sources if points}

    def _id(self, text: str) -> int:
        return action_space(self.catalogue).action_id(notation.parse_action(self.catalogue, text))


def told(event: HiddenCardEvent) -> list[bool]:
    """Whether seats 0 and 1 and spectators are told which card an event is about."""
    seen = [event.seen_by(viewer) for viewer in (0, 1, None)]
    return [isinstance(one, HiddenCardEvent) and one.card >= 0 for one in seen]


def scene(
    *players: str,
    board: str = BOARD,
    goals: str = "",
    lines: str = "",
    turn: int = 0,
    first: int = 0,
    round_number: int = 1,
    halfway: bool = False,
    **decks: str,
) -> Scene:
    """A scene.

    Args:
        players: for each seat the lines `tokens ... roads ... bonuses ...`, `hand`, `column` and `landscape` of its
            position, each of which may be left out; without a column there is a lone `sands` (`sands~1` for seat 1).
        board: the main board.
        goals: the ring of goal tokens, else that of `GOALS`.
        lines: further lines of the position: claims, supply, tokens, envelopes, Rover.
        turn: the seat that places a token next.
        first: the seat with the first player token.
        round_number: the round.
        halfway: whether N has replaced S.
        decks: cards of the decks W, S, E and N, the next one last, else those of `DECKS`.
    """
    seats = len(players)
    head = f"meadow seats {seats} first {first} turn {turn} round {round_number}"
    text = [head + (" halfway" if halfway else "")]
    text += [line for line in lines.strip().splitlines() if line.strip().startswith("envelopes")]
    text += [f"board {line}" for line in board.strip().splitlines()]
    text += [f"deck {letter} {cards}" for letter, cards in (DECKS | decks).items()]
    text += [f"goals {goals or GOALS[seats]}"]
    text += [line for line in lines.strip().splitlines() if not line.strip().startswith("envelopes")]
    for seat, player in enumerate(players):
        text += player_lines(seat, player)
    text = [line.strip() for line in text]
    return Scene(FAMILY.parse_position(box_of(names_in(text)), "\n".join(text))[-1])


def player_lines(seat: int, player: str) -> list[str]:
    """The lines of a seat, with what is left out."""
    lines = [line.strip() for line in player.strip().splitlines()]
    head = lines.pop(0) if lines and lines[0].startswith(("tokens", "roads", "bonuses")) else ""
    if "tokens" not in head:
        head = f"tokens 1234 {head}"
    if not any(line.startswith("column") for line in lines):
        lines.append(f"column sands~{seat}" if seat else "column sands")
    return [f"seat {seat} {head}", *lines]


def at_play(hand: str, *columns: str, roads: int = 0, landscapes: Sequence[str] = (), lines: str = "") -> Scene:
    """A seat that may play a card: it has this hand, these columns from left to right, and sits on a bench."""
    player = [f"roads {roads}", f"hand {hand}", *(f"column {column}" for column in columns)]
    player += [f"landscape {landscape}" for landscape in landscapes]
    return scene("\n".join(player), "", lines=lines).do("token 1 S1")


def columns_for(card: str, *columns: str, hand: str = "", lines: str = "") -> set[int]:
    """The columns, counted from the left, on which a hand card may be placed; no others are accepted."""
    game = at_play(f"{card} {hand}", *columns, lines=lines)
    found = {int(text.split()[2]) for text in game.legal(f"play {card} ")}
    for column in set(range(len(columns))) - found:
        assert game.refuses(f"play {card} {column}")
    return found


def why_not(card: str, *columns: str, hand: str = "", lines: str = "") -> str:
    """Why a hand card cannot be played at all."""
    game = at_play(f"{card} {hand}", *columns, lines=lines)
    assert not game.legal(f"play {card} ")
    return game.refuses(f"play {card} 0")


def new_game(seats: int, seed: int = 0, variant: str = "meadow", **options: object) -> Scene:
    """A game with the built-in pack, after its set-up."""
    chosen = VARIANTS[variant]
    catalogue = content.catalogue(builtin_pack())
    state = FAMILY.new_state(chosen, catalogue, seats, chosen.read_options(options), seed.to_bytes(32, "big"))
    return Scene(state)
