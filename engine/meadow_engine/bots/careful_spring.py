"""The careful bot for Spring Meadow: it looks some of its own turns ahead, keeping the few best boards of each.

Other seats' choices are left out: the tiles that lie on a path now are taken to lie there later.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from heapq import nlargest

from meadow_engine.bots.bot import BOT_STREAM, Bot
from meadow_engine.bots.spring_prospect import prospect
from meadow_engine.kernel.rng import Streams
from meadow_engine.spring_meadow.actions import PLACE_MARMOT, PLACE_ROCK, PLACE_TILE, TAKE_TILE, rock_forms
from meadow_engine.spring_meadow.burrows import cover, cover_with_marmots
from meadow_engine.spring_meadow.catalogue import CELLS, COLUMNS, Catalogue, Form
from meadow_engine.spring_meadow.placement import legal_anchors
from meadow_engine.spring_meadow.rocks import Rock, forms_allowed, groups_of, neighbours, rock_size
from meadow_engine.spring_meadow.scoring import full_rows
from meadow_engine.spring_meadow.state import NONE, Mountain
from meadow_engine.spring_meadow.view import SpringView

TURNS_AHEAD = 2
"""How many own turns it plans, the current one included."""
BREADTH = 8
"""How many boards it keeps after each turn."""
PLACES = 12
"""How many ways to lay a tile it follows from each board, before rocks are placed."""
ROCK_SPACE = 1.6
"""Points' worth of a rock's space before it is placed."""
LONG_RUN = 13.0
"""Points' worth of a row completed at once where no path tells its value."""
REACH = 4
"""Rows above the first incomplete one in which it tries pieces."""


@dataclass(frozen=True, slots=True)
class Situation:
    """A board and what may come: all that a plan depends on.

    Attributes:
        burrows, covered, holes, marmots: of the own board, as in `Mountain`.
        meadow_map: tile kind on each space of the hiking map, -1 for none.
        paths: the signpost paths of the own turns planned, the current one first.
        row_worth: points of a row completed this turn.
        tile: the kind already taken, -1 if it is still to be chosen.
        start_rock: size of the rock due this turn.
        points: gathered in the turns planned so far.
    """

    burrows: int
    covered: int
    holes: int
    marmots: int
    meadow_map: tuple[int, ...]
    paths: tuple[tuple[int, ...], ...]
    row_worth: float
    tile: int
    start_rock: int
    points: float = 0.0

    @classmethod
    def of(cls, view: SpringView, catalogue: Catalogue) -> Situation:
        """The situation of the seat that has to choose."""
        waiting = view.pending
        assert waiting is not None
        board, paths = view.mountains[waiting.seat], catalogue.map_for(view.seats).paths
        turns = [view.path + view.seats * ahead for ahead in range(TURNS_AHEAD)]
        if view.solo:
            turns = [path for path in turns if path < len(paths)]
        return cls(
            burrows=board.burrows,
            covered=board.covered,
            holes=board.holes,
            marmots=board.marmots,
            meadow_map=view.meadow_map,
            paths=tuple(paths[path % len(paths)] for path in turns),
            row_worth=view.solo.path_value if view.solo else LONG_RUN,
            tile=waiting.tile,
            start_rock=board.start_rock,
        )

    def mountain(self) -> Mountain:
        """The board to try pieces on."""
        return Mountain(0, self.burrows, self.covered, self.holes, self.marmots)

    def after(self, mountain: Mountain, space: int) -> Situation:
        """The situation at the next own turn, with the tile from this space on the board."""
        rows = full_rows(mountain) - full_rows(self.mountain())
        left = list(self.meadow_map)
        left[space] = NONE
        return replace(
            self,
            covered=mountain.covered,
            holes=mountain.holes,
            marmots=mountain.marmots,
            meadow_map=tuple(left),
            paths=self.paths[1:],
            row_worth=self.row_worth - 1,
            tile=NONE,
            start_rock=0,
            points=self.points + rows * self.row_worth,
        )

    def worth(self) -> float:
        """Points gathered and expected."""
        return self.points + prospect(self.mountain(), self.row_worth)


@dataclass(frozen=True, slots=True)
class Laid:
    """A tile tried on the board, its rocks still to come."""

    worth: float
    space: int
    place: int
    mountain: Mountain
    rocks: tuple[Rock, ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """What to do first: the space of the tile, its place (form * 90 + anchor); and where the plan ends."""

    space: int
    place: int
    end: Situation
    worth: float


@lru_cache(maxsize=256)
def best_plan(situation: Situation, catalogue: Catalogue) -> Plan:
    """The plan with the best end; there must be a tile that fits."""
    plans = _keep(Plan(laid.space, laid.place, end, worth) for laid, end, worth in _turns(situation, catalogue))
    for _ in situation.paths[1:]:
        plans = _keep(further for plan in plans for further in _further(plan, catalogue))
    return plans[0]


def _keep(plans: Iterator[Plan]) -> list[Plan]:
    return nlargest(BREADTH, plans, key=lambda plan: plan.worth)


def _further(plan: Plan, catalogue: Catalogue) -> Iterator[Plan]:
    found = False
    for _, end, worth in _turns(plan.end, catalogue):
        found = True
        yield Plan(plan.space, plan.place, end, worth)
    if not found:
        end = replace(plan.end, paths=plan.end.paths[1:], row_worth=plan.end.row_worth - 1)
        yield Plan(plan.space, plan.place, end, end.worth())


def _turns(situation: Situation, catalogue: Catalogue) -> Iterator[tuple[Laid, Situation, float]]:
    """The most promising ways to play one turn, each with the situation it leads to and its worth."""
    for laid in nlargest(PLACES, _tiles_laid(situation, catalogue), key=lambda laid: laid.worth):
        mountain = laid.mountain
        for rock in laid.rocks:
            mountain = _with_rock(mountain, rock, situation.row_worth - 1, catalogue)
        end = situation.after(mountain, laid.space)
        yield laid, end, end.worth()


def _tiles_laid(situation: Situation, catalogue: Catalogue) -> Iterator[Laid]:
    before = situation.mountain()
    start = (Rock(situation.start_rock, start=True),) if situation.start_rock else ()
    tried: set[int] = set()
    for space in situation.paths[0]:
        kind = situation.meadow_map[space]
        if kind == NONE or kind in tried or situation.tile not in (NONE, kind):
            continue
        tried.add(kind)
        for form in catalogue.tiles[kind].forms:
            for anchor in _anchors(form, before):
                mountain = before.clone()
                new_holes = form.hole_mask << anchor & ~mountain.holes
                _cover(mountain, form.covered_mask << anchor)
                mountain.holes |= new_holes
                sizes = [rock_size(group.bit_count()) for group in groups_of(mountain.holes, new_holes)]
                rocks = start + tuple(Rock(size) for size in sorted(sizes, reverse=True) if size)
                worth = situation.after(mountain, space).worth() + ROCK_SPACE * sum(rock.size for rock in rocks)
                yield Laid(worth, space, form.index * CELLS + anchor, mountain, rocks)


def _anchors(form: Form, mountain: Mountain) -> Iterator[int]:
    """The anchors within reach, or all if none is."""
    legal = legal_anchors(form, mountain)
    anchors = legal & ((1 << (full_rows(mountain) + REACH) * COLUMNS) - 1) or legal
    while anchors:
        anchor = anchors & -anchors
        anchors ^= anchor
        yield anchor.bit_length() - 1


def _cover(mountain: Mountain, covers: int) -> None:
    """Cover spaces and pay for burrows with the least useful cleared ones."""
    count, places = cover(mountain, covers)
    for _ in range(count):
        cell = min(_cells(places), key=lambda cell: _use_of_hole(mountain, cell))
        cover_with_marmots(mountain, 1 << cell)
        places &= ~(1 << cell)


def _cells(mask: int) -> list[int]:
    return [cell for cell in range(CELLS) if mask >> cell & 1]


def _use_of_hole(mountain: Mountain, cell: int) -> int:
    """How much a hole is worth for later groups: its free neighbours and, more so, the holes beside it."""
    around = neighbours(1 << cell)
    return (around & mountain.free).bit_count() + 3 * (around & mountain.holes).bit_count()


def _with_rock(mountain: Mountain, rock: Rock, row_worth: float, catalogue: Catalogue) -> Mountain:
    """The board after the best way to lay a rock; unchanged if it fits nowhere."""
    best, most = mountain, float("-inf")
    for form in forms_allowed(catalogue, rock).values():
        for anchor in _anchors(form, mountain):
            tried = mountain.clone()
            _cover(tried, form.covered_mask << anchor)
            worth = _worth_now(mountain, tried, row_worth)
            if worth > most:
                best, most = tried, worth
    return best


def _worth_now(before: Mountain, after: Mountain, row_worth: float) -> float:
    return (full_rows(after) - full_rows(before)) * (row_worth + 1) + prospect(after, row_worth)


def choose_carefully(
    view: SpringView,
    legal_ids: Sequence[int],
    catalogue: Catalogue,
    streams: Streams,
) -> int:
    """The first step of the best plan; the lowest id among equals. Any board is as good as another."""
    waiting = view.pending
    assert waiting is not None
    if waiting.kind == "choose_board":
        return legal_ids[streams.below(BOT_STREAM, len(legal_ids))]
    if len(legal_ids) == 1 or waiting.kind == "choose_rock":
        return legal_ids[-1]
    situation = Situation.of(view, catalogue)
    if waiting.kind == "choose_tile":
        return TAKE_TILE + best_plan(situation, catalogue).space
    if waiting.kind == "place_tile":
        return PLACE_TILE + _place_of_tile(situation, catalogue)
    mountain = situation.mountain()
    if waiting.kind == "place_marmot":
        return min(legal_ids, key=lambda action_id: _use_of_hole(mountain, action_id - PLACE_MARMOT))

    def worth(action_id: int) -> float:
        place, anchor = divmod(action_id - PLACE_ROCK, CELLS)
        tried = mountain.clone()
        _cover(tried, rock_forms(catalogue)[place][1].covered_mask << anchor)
        return _worth_now(mountain, tried, situation.row_worth - 1)

    return max(legal_ids, key=worth)


def _place_of_tile(situation: Situation, catalogue: Catalogue) -> int:
    """Where to lay the tile taken: as planned when it was chosen, if it was."""
    planned = best_plan(replace(situation, tile=NONE), catalogue)
    if situation.meadow_map[planned.space] == situation.tile:
        return planned.place
    return best_plan(situation, catalogue).place


CAREFUL_SPRING = Bot(
    "careful",
    1,
    "Plans two own turns ahead, following the eight best boards; some tenths of a second a turn.",
    choose_carefully,
)
