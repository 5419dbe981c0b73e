"""Plays the engine and the brute-force reference of Meadow side by side and compares everything at each decision."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from pathlib import Path
from random import Random
from typing import Any

from meadow_engine.api import Event, meadow_events
from meadow_engine.kernel import stack
from meadow_engine.meadow import notation
from meadow_engine.meadow.actions import action_space
from meadow_engine.meadow.assembly import MeadowFamily
from meadow_engine.meadow.downstream.state import SOLO_STREAM
from meadow_engine.meadow.state import MeadowState
from meadow_engine.meadow.symbols import SYMBOLS
from meadow_engine.meadow.view import MeadowView

from tests.reference.downstream_lockstep import compare_river, compare_river_choice, note_river
from tests.reference.downstream_pack import RIVER
from tests.reference.meadow_pack import DECKS, Box, read_box
from tests.reference.meadow_playing import Ask, Play
from tests.reference.meadow_shuffles import Shuffles
from tests.reference.meadow_table import Table

FAMILY = MeadowFamily()
TOKENS = "1234?R"

NOT_COUNTED = -1
"""Rover's points where nobody has to reach them."""

Policy = Callable[[Ask, Table, Random], str]


@cache
def box() -> Box:
    """The built-in pack as the reference reads it."""
    return read_box(Path(str(files("meadow_engine.content").joinpath("original"))))


def piece(number: int) -> str:
    """A token of a seat or colour, such as `0:?`."""
    return f"{number // len(TOKENS)}:{TOKENS[number % len(TOKENS)]}"


def token_name(stream: str, number: int) -> str | None:
    """A token of Rover's pile, or a card of the solo game, as it came out of a shuffle."""
    return f"solo card {number}" if stream == SOLO_STREAM else piece(number)


@dataclass
class Lockstep:
    """One game played on both sides.

    Attributes:
        state: the engine's side, at its first decision.
        table: the reference's side, the same.
        seen: what happened how often: kinds of questions, names of events, and rarities worth counting.
        decisions: how many questions were compared.
    """

    state: MeadowState
    table: Table
    shuffles: Shuffles = field(default_factory=Shuffles)
    seen: Counter[str] = field(default_factory=Counter)
    decisions: int = 0

    def __post_init__(self) -> None:
        self.table.shuffle = self._shuffled

    def play(self, questions: Play, policy: Policy, rng: Random, most: int = 10_000) -> None:
        """Play to the end, or so many decisions, choosing with the policy."""
        self._note(self.state.out.events)
        question = next(questions, None)
        while question is not None and self.decisions < most:
            self._compare(question)
            choice = policy(question, self.table, rng)
            self._count(question, choice)
            with self.shuffles.listen():
                output = stack.apply(self.state, self._id(choice))
            self._note(output.events)
            try:
                question = questions.send(choice)
            except StopIteration:
                question = None
        if question is None:
            self._compare_table()
            self._compare_end()

    # ---- what chance gave

    def _shuffled(self, items: list[str]) -> list[str]:
        """How the engine shuffled cards, or tokens."""
        return self.shuffles.of(items, self._component if items and items[0] in self.table.box.papers else token_name)

    def _component(self, stream: str, number: int) -> str | None:
        """A card's name."""
        cards = self.state.catalogue.cards
        return cards[number].id if 0 <= number < len(cards) and stream != SOLO_STREAM else None

    # ---- counting

    def _note(self, events: list[Event]) -> None:
        for event in events:
            self.seen[type(event).__name__] += 1
            match event:
                case meadow_events.CardTaken(card=-1):
                    self.seen["empty spot"] += 1
                case meadow_events.RoadsTaken(count=0 | 1):
                    self.seen["roads short"] += 1
                case meadow_events.CardsLookedAt(count=1 | 2):
                    self.seen["deck short"] += 1
                case meadow_events.RoverMoved(place=-1):
                    self.seen["Rover's token discarded"] += 1
                case meadow_events.RoverMoved(card=-1, place=place) if 0 <= place < 12:
                    self.seen["nothing for Rover"] += 1

    def _count(self, question: Ask, choice: str) -> None:
        self.seen[question.kind] += 1
        if self.table.river:
            note_river(self.table, question, choice, self.seen)
        word, *rest = choice.split()
        if word == "play":
            paper = self.table.paper(rest[0])
            self.seen[f"{paper.kind} played"] += 1
            for mark, there in (
                ("arrows", any(need.arrows for need in paper.needs)),
                ("slash", any(len(need.symbols) > 1 for need in paper.needs)),
                ("encounter", "big encounter" in paper.shows),
            ):
                self.seen[f"{mark} played"] += there
            self.seen["ignored symbols"] += self.table.ignored(question.seat, rest[0])
        elif word == "goal":
            claims = len(self.table.hands[question.seat].cards)
            self.seen["goal with cards left to play"] += bool(claims and len(question.answers) > 2)

    # ---- comparing

    def _id(self, text: str) -> int:
        catalogue = self.state.catalogue
        return action_space(catalogue).action_id(notation.parse_action(catalogue, text))

    def _names(self, cards: Any) -> list[str]:
        return [self.state.catalogue.cards[card].id for card in cards]

    def _compare(self, question: Ask) -> None:
        """Question, list of answers, and everything on the table."""
        self.decisions += 1
        decision = stack.pending(self.state)
        assert decision is not None
        assert (decision.seat, decision.kind) == (question.seat, question.kind)
        ids = decision.legal_ids(self.state)
        space, catalogue = action_space(self.state.catalogue), self.state.catalogue
        listed = [notation.action_text(catalogue, space.action(number)) for number in ids]
        assert ids == sorted(set(ids))
        assert set(listed) == question.answers
        self._compare_table()
        self._compare_reports(question.seat)
        if self.table.river:
            compare_river_choice(self.state, self.table, question)

    def _compare_reports(self, seat: int) -> None:
        """What a seat is told about its hand cards when it may play: places, price and missing requirements."""
        pending, table = FAMILY.view(self.state, seat).pending, self.table
        for report in pending.hand if pending else ():
            (card,) = self._names([report.card])
            assert list(report.places) == sorted(table.places_for(seat, card))
            assert bool(report.obstacle) == (not report.places)
            unmet = [{n for n, column in enumerate(way) if column is None} for way in table.best_ways(seat, card)]
            assert set(report.missing) in unmet
            if table.paper(card).kind != "ground":
                assert report.discards == 2 * len(report.missing)

    def _compare_table(self) -> None:
        state, table = self.state, self.table
        view = FAMILY.view(state, None)
        assert (view.round, view.first_seat, view.halfway) == (table.round, table.first, table.halfway)
        face_up = [table.card_at(spot) for spot in table.spots()]
        assert [None if card < 0 else self._names([card])[0] for card in view.board] == face_up
        for letter, deck in zip((*DECKS, RIVER) if table.river else DECKS, state.decks, strict=True):
            assert self._names(deck.items) == table.decks[letter], f"deck {letter}"
        names = notation.place_names(state.catalogue)
        assert {names[p]: piece(number) for p, number in enumerate(view.places) if number >= 0} == table.places
        assert {names[place] for place in range(len(names)) if view.free >> place & 1} <= set(table.free_places())
        assert [SYMBOLS[symbol] for symbol in view.goals] == table.goals
        assert {pair: seat for pair, seat in enumerate(view.claims) if seat >= 0} == table.claims
        assert view.road_supply == table.roads
        for seat in range(state.seats):
            self._compare_seat(view, seat)
        if table.river:
            compare_river(state, view.river, table)
        if table.rover:
            assert view.rover is not None
            assert self._names(view.rover.cards) == table.rover.cards
            dealt = sum(table.paper(card).points for card in table.rover.cards)
            assert view.rover.points == (NOT_COUNTED if table.river else dealt)

    def _compare_seat(self, view: MeadowView, seat: int) -> None:
        shown, hand, table = view.players[seat], self.table.hands[seat], self.table
        assert self._names(self.state.players[seat].hand) == hand.cards
        assert [self._names(shown.columns[column]) for column in shown.row] == hand.columns
        assert list(shown.row) == hand.laid
        landscapes = zip(shown.landscapes, shown.discoveries, strict=True)
        assert [self._names(card for card in pair if card >= 0) for pair in landscapes] == hand.landscapes
        assert shown.roads == hand.roads
        assert {TOKENS[token] for token in range(len(TOKENS)) if shown.tokens >> token & 1} == hand.tokens
        assert shown.bonuses == hand.bonuses
        visible = {SYMBOLS[symbol]: count for symbol, count in enumerate(shown.visible) if count}
        assert visible == Counter(table.visible(seat))
        assert dict(shown.score.sources) == table.points(seat)
        assert shown.score.discoveries == table.discoveries(seat)

    def _compare_end(self) -> None:
        assert stack.pending(self.state) is None
        outcome, table = FAMILY.outcome(self.state), self.table
        if table.rover:
            assert outcome.band == table.band()
            self.seen[f"band {outcome.band}"] += 1
        else:
            assert list(outcome.ranks) == table.ranks()
            totals = [sum(table.points(seat).values()) for seat in range(table.seats)]
            self.seen["tie"] += totals.count(max(totals)) > 1
            self.seen["shared victory"] += outcome.ranks.count(1) > 1
