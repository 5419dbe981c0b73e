"""How good a mountain board of Spring Meadow looks to the greedy bot.

A board is worth the little things a player looks at: spaces still to be covered, the lower rows counting most; gaps
that will be hard to fill; open holes that the next hole can join; cleared burrows; rows that are not full yet. Worths
are whole numbers in units of `POINT`; only their differences mean anything. `worths` weighs up to 256 boards at a time.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from meadow_engine.bots import lanes
from meadow_engine.spring_meadow.catalogue import CELLS, COLUMNS, FULL, MAX_ROCK, ROW, ROWS
from meadow_engine.spring_meadow.solo import SOLO_TURNS
from meadow_engine.spring_meadow.view import MountainView, SpringView

POINT = 160
"""Units in a point."""
EIGHTHS = 8
"""The work a plain gap makes, in eighths of a gap; what makes it harder to fill comes on top."""
_POINTS_A_ROW = COLUMNS
_GROUP_REACH = MAX_ROCK
"""Steps from a new hole within which its group is counted: enough for the largest rock."""
_ABOVE_ZERO = 1 << 28
"""Added to every worth, so that none is negative."""
_LAST_ROW = lanes.in_lanes(ROW << CELLS - COLUMNS, lanes.LANES)


@dataclass(frozen=True, slots=True)
class Weights:
    """What the bot believes. A *gap* is a space a row still lacks, open holes included: neither covered nor a burrow.

    Found by a cross-entropy search over solo games and settled by matches; `docs/bots.md` tells how.
    """

    # work on top of a gap's own, in eighths of a gap
    alone: int = 9
    """A gap without a gap beside it: only the smallest rock or an exact tile fills it."""
    dead_end: int = 4
    """A gap with at most one gap beside it."""
    narrow: int = 3
    """A gap with covered spaces, burrows or the border to its left and right."""
    roofed: int = 2
    """A gap with no gap behind it, further from the start edge: nothing can reach in from there."""
    pocket: int = 3
    """A gap cut off from the last row: the snow around it is small."""

    # how gaps turn into points
    pace: float = 5.8
    """Spaces covered a turn: work divided by it is turns, and a turn's delay costs each row above one solo point."""
    curve: float = 0.09
    """How much more than in proportion a gap counts for each row that has to wait for it."""
    beyond: float = 0.1
    """Rows a gap counts for that lies above what can still be finished."""

    # points
    unfinished: float = 1.4
    """Cost of a row that is not full, or not yet in order."""
    cleared: float = 0.55
    """A cleared burrow: a point when points are counted, and a place for a marmot."""
    open_hole: float = 0.2
    """An open hole with room beside it for another hole."""
    hole_pair: float = 0.3
    """An open hole beside an open hole: the next one there earns a bigger rock."""
    rock_space: float = 0.85
    """A space of a rock that a placement earns, before it is known where the rock goes."""
    running_point: float = 0.5
    """A point a scoring phase would count now, whenever it comes (several seats)."""


WEIGHTS = Weights()


class Board(NamedTuple):
    """The changing part of a mountain board, as sets of spaces."""

    covered: int
    holes: int
    marmots: int

    @classmethod
    def of(cls, mountain: MountainView) -> Board:
        """The board of a view."""
        return cls(mountain.covered, mountain.holes, mountain.marmots)


def full_rows(counted: int) -> int:
    """Complete rows from the start edge on; `counted` are the covered spaces and the burrows."""
    gaps = FULL & ~counted
    return ((gaps & -gaps).bit_length() - 1) // COLUMNS if gaps else ROWS


@dataclass(frozen=True, slots=True)
class Outlook:
    """What weighing needs to know besides the board: burrows, the point of time, and the weights in whole units.

    Attributes:
        burrows: the burrows of the board's face.
        burrow_lanes: the same in every lane.
        first_row: the first row that is not full; no gap lies below it.
        row_units: units for an eighth of a gap, by row.
        row_cost: units for each row not finished.
        running_point: units for a point that would count now.
        cleared, open_hole, hole_pair: units for each, see `Weights`.
        rock: units for a rock, by the spaces it has; the largest one's from there on.
        weights: the weights of gaps.
    """

    burrows: int
    burrow_lanes: int = field(repr=False)
    first_row: int
    row_units: tuple[int, ...]
    row_cost: int
    running_point: int
    cleared: int
    open_hole: int
    hole_pair: int
    rock: tuple[int, ...]
    weights: Weights

    @classmethod
    def of(cls, view: SpringView, seat: int, turns_later: int = 0, weights: Weights = WEIGHTS) -> Outlook:
        """The outlook of a seat, now or after some more of its turns."""
        mountain = view.mountains[seat]
        turns = SOLO_TURNS if view.solo is None else SOLO_TURNS - view.solo.turn - turns_later
        return cls.on(mountain.burrows, mountain.full_rows, turns, several=view.solo is None, weights=weights)

    @classmethod
    def on(cls, burrows: int, first_row: int, turns: int, *, several: bool, weights: Weights = WEIGHTS) -> Outlook:
        """The outlook with so many turns to come; `several`: there are scoring phases."""
        reach = min(float(ROWS), first_row + turns * weights.pace / (COLUMNS - 1))
        running_point = _units(weights.running_point) if several else 0
        return cls(
            burrows,
            lanes.in_lanes(burrows, lanes.LANES),
            first_row,
            tuple(_row_units(reach - row, weights) for row in range(ROWS)),
            _units(weights.unfinished) + _POINTS_A_ROW * running_point,
            running_point,
            _units(weights.cleared),
            _units(weights.open_hole),
            _units(weights.hole_pair),
            tuple(_units(weights.rock_space) * min(size, MAX_ROCK) for size in range(CELLS)),
            weights,
        )


def _units(points: float) -> int:
    return round(points * POINT)


def _row_units(rows_waiting: float, weights: Weights) -> int:
    waiting = max(weights.beyond, rows_waiting)
    return round(waiting * (1 + weights.curve * waiting) / weights.pace * POINT / EIGHTHS)


def worths(covered: int, holes: int, count: int, outlook: Outlook) -> tuple[int, ...]:
    """The worth of each of the `count` boards whose covered spaces and open holes lie in the lanes of two integers."""
    burrows = outlook.burrow_lanes
    free = lanes.in_lanes(FULL, count) & ~covered
    gaps = free & ~burrows
    lacking = lanes.row_counts(gaps)
    unfinished = lanes.unfinished_rows(lacking)
    worth = lanes.in_lanes(_ABOVE_ZERO, count) - _burden(gaps, lacking, outlook)
    worth -= lanes.total(unfinished) * outlook.row_cost
    if outlook.running_point:
        first = unfinished & ~lanes.to_next_row(unfinished)
        worth -= lanes.total(first * ROW & lacking) * outlook.running_point
    for cells, units in (
        (holes & burrows, outlook.cleared),
        (holes & lanes.beside(free & ~holes), outlook.open_hole),
        (holes & lanes.beside(holes), outlook.hole_pair),
    ):
        worth += lanes.total(lanes.row_counts(cells)) * units
    return lanes.unpack(worth, count)


def _burden(gaps: int, lacking: int, outlook: Outlook) -> int:
    """The units that the gaps cost, at the foot of each lane."""
    weights = outlook.weights
    left, right = lanes.to_right(gaps), lanes.to_left(gaps)
    before, behind = lanes.to_next_row(gaps), lanes.to_row_before(gaps)
    across, along = left | right, before | behind
    two_or_more = (left & right) | (before & behind) | (across & along)
    work = lacking * EIGHTHS
    for cells, eighths in (
        (gaps & ~(across | along), weights.alone),
        (gaps & ~two_or_more, weights.dead_end),
        (gaps & ~across, weights.narrow),
        (gaps & ~behind, weights.roofed),
        (gaps & ~_reaching_the_last_row(gaps), weights.pocket),
    ):
        work += lanes.row_counts(cells) * eighths
    burden = 0
    for row in range(outlook.first_row, ROWS):
        burden += lanes.row_field(work, row) * outlook.row_units[row]
    return burden


def _reaching_the_last_row(gaps: int) -> int:
    reached = gaps & _LAST_ROW
    for _ in range(ROWS):
        reached |= gaps & lanes.beside(reached)
    return reached


def group_sizes(holes: int, new_holes: int, count: int) -> tuple[int, ...]:
    """How many open holes hang together with the new ones of each board, these included."""
    group = new_holes
    for _ in range(_GROUP_REACH):
        group |= holes & lanes.beside(group)
    return lanes.unpack(lanes.total(lanes.row_counts(group)), count)
