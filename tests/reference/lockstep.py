"""Plays the engine and the brute-force reference side by side and compares everything at each decision."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from pathlib import Path
from random import Random
from typing import Any

from meadow_engine import api
from meadow_engine.api import Event, spring_events

from tests.reference.odd_start import OddStart
from tests.reference.pack_reader import read_contents
from tests.reference.spring_games import Alone, Match
from tests.reference.spring_table import COLUMNS, ROWS, Action, Ask, Cell, Chance, Contents, Play, Table

KINDS = {
    "TakeTile": "take_tile",
    "PlaceTile": "place_tile",
    "PlaceMarmot": "place_marmot",
    "ChooseRock": "choose_rock",
    "PlaceRock": "place_rock",
    "ChooseBoard": "choose_board",
}
"""The engine's actions and what the reference calls them."""

Policy = Callable[[Ask, Table, Random], Action]


@cache
def contents() -> Contents:
    """The built-in pack as the reference reads it."""
    return read_contents(Path(str(files("meadow_engine.content").joinpath("original"))))


def plain(action: Any) -> Action:
    """An action of the engine as the reference writes it."""
    return KINDS[type(action).__name__], tuple(int(getattr(action, name)) for name in action.__match_args__)


def cells_of(mask: int) -> set[Cell]:
    """The spaces of a bit set."""
    return {(row, column) for row in range(ROWS) for column in range(COLUMNS) if mask >> (row * COLUMNS + column) & 1}


def send(questions: Play, answer: Action) -> Ask | None:
    """The next question; None when there is none."""
    try:
        return questions.send(answer)
    except StopIteration:
        return None


@dataclass
class Lockstep:
    """One game played on both sides.

    Attributes:
        game: the engine's side, at its first decision.
        odd: a start that set-up never gives; alone, only tiles may be missing.
        seen: what happened how often: kinds of questions, names of events, and rarities worth counting.
        decisions: how many questions were compared.
    """

    game: api.Game
    odd: OddStart | None = None
    table: Match | Alone = field(init=False)
    seen: Counter[str] = field(default_factory=Counter)
    decisions: int = 0
    _draws: list[spring_events.MapRefilled | spring_events.QueueExtended] = field(default_factory=list)

    def play(self, policy: Policy, rng: Random) -> None:
        """Play to the end, choosing with the policy."""
        self.table = self._reference()
        if self.odd and isinstance(self.table, Match):
            self._note(self.odd.make(self.game.state, self.table, rng))
        elif self.odd:
            self.odd.thin_out(self.game.state, self.table, rng)
        questions = self.table.play()
        ask = next(questions, None)
        while ask is not None:
            listed = self._compare(ask)
            choice = policy(ask, self.table, rng)
            self.seen[ask.kind] += 1
            # the same action in the engine; what chance gave is kept for the reference
            self._note(self.game.apply(listed[choice]).events)
            ask = send(questions, choice)
            assert not self._draws, "the engine drew what the reference did not need"
        self._compare_boards()
        self._compare_end()

    def _reference(self) -> Match | Alone:
        view, game = self.game.view(None), self.game
        chance = Chance(self._refill, self._queue, self._pile)
        if game.variant.id == "spring_meadow":
            faces = [board.face for board in view.mountains]
            queue = view.queue if game.config.options["expert"] else None
            return Match(contents(), faces, view.active, view.meadow_map, queue, chance)
        named = game.config.options["faces"]
        assert isinstance(named, tuple)
        chosen = [contents().faces.index(name) for name in named]
        games = 4 if game.variant.id == "spring_meadow_campaign" else 1
        return Alone(contents(), games, chosen, view.meadow_map, chance)

    def _note(self, events: tuple[Event, ...]) -> None:
        for event in events:
            self.seen[type(event).__name__] += 1
            match event:
                case spring_events.MapRefilled() | spring_events.QueueExtended():
                    self._draws.append(event)
                case spring_events.TileSkipped():
                    self.seen[event.reason.name] += 1
                case spring_events.ScoringTriggered(stalemate=True):
                    self.seen["stalemate"] += 1
                case spring_events.RockEarned():
                    self.seen[f"rock of {event.size}"] += 1
                case spring_events.RowsCompleted() if event.rows > 1:
                    self.seen["rows at once"] += 1

    def _refill(self, gaps: list[int]) -> list[int]:
        if not gaps:
            return []
        event = self._draws.pop(0)
        assert isinstance(event, spring_events.MapRefilled)
        assert list(event.spaces) == gaps
        return list(event.tiles)

    def _queue(self, joining: int) -> list[int]:
        filled = None
        if self._draws and isinstance(self._draws[0], spring_events.MapRefilled):
            filled = self._draws.pop(0)
        tiles = list(self._draws.pop(0).tiles) if joining else []
        if filled is not None:
            assert list(filled.tiles) == [*self.table.queue, *tiles][: len(filled.tiles)], "the queue was not followed"
        return tiles

    def _pile(self) -> list[int]:
        return self._refill(list(range(25)))

    def _compare(self, ask: Ask) -> dict[Action, int]:
        """Question, list of answers, and everything on the table; gives the engine's ids of the answers."""
        self.decisions += 1
        decision = self.game.decision
        assert decision is not None
        assert (decision.seat, decision.kind) == (ask.seat, ask.kind)
        ids = self.game.legal_ids()
        listed = {plain(self.game.action(number)): number for number in ids}
        assert ids == sorted(ids)
        assert listed.keys() == ask.answers
        assert len(listed) == len(ids), "an action is listed twice"
        assert len(set(ask.pieces.values())) == len(ask.pieces), "two placements come to the same"
        self._compare_boards()
        return listed

    def _compare_boards(self) -> None:
        view, table = self.game.view(None), self.table
        assert [None if tile < 0 else tile for tile in view.meadow_map] == table.map
        assert list(view.queue) == table.queue
        assert view.box_count == table.unseen.total()
        for seat, shown in enumerate(view.mountains):
            assert shown.face == table.faces[seat]
            board = table.boards[seat]
            if board is None:
                continue
            assert cells_of(shown.burrows) == board.burrows
            assert cells_of(shown.covered) == board.covered
            assert cells_of(shown.holes) == board.holes
            assert cells_of(shown.marmots) == board.marmots
            assert cells_of(shown.cleared) == board.cleared()
            assert shown.full_rows == board.full_run()
        if isinstance(table, Match):
            self._compare_match(table)
        else:
            self._compare_alone(table)

    def _compare_match(self, table: Match) -> None:
        view = self.game.view(None)
        assert [board.pins for board in view.mountains] == table.pins
        assert view.path == table.path
        lines = [
            (phase.active, tuple((10 * p.rows, p.partial, p.burrows, p.picnic) for p in phase.lines), phase.winner)
            for phase in view.scorings
        ]
        assert lines == table.scorings
        if not self.game.is_over:
            assert view.turn == table.turn + 1
            assert view.active == (table.first + table.turn) % table.seats

    def _compare_alone(self, table: Alone) -> None:
        view = self.game.view(None)
        assert view.path == table.path
        assert [row.value for row in view.solo.rows] == table.row_scores
        assert [row.row for row in view.solo.rows] == list(range(len(table.row_scores)))
        if view.campaign is not None:
            assert [game.points for game in view.campaign] == table.results

    def _compare_end(self) -> None:
        assert self.game.is_over
        assert self.game.decision is None
        assert list(self.game.legal_ids()) == []
        outcome, table = self.game.outcome(), self.table
        if isinstance(table, Match):
            assert list(outcome.ranks) == table.ranks()
            totals = [[sum(line) for line in lines] for _, lines, _ in table.scorings]
            self.seen["tie"] += sum(points.count(max(points)) > 1 for points in totals)
            self.seen[f"{len(totals)} scorings"] += 1
        else:
            points = sum(table.results)
            assert self.game.returns() == (points,)
            objectives = (140, 150) if table.games == 1 else (600,)
            assert outcome.band == sum(points >= objective for objective in objectives)
            self.seen["24 turns" if table.turn == 24 else "5 tiles left"] += 1
