"""What a board of Spring Meadow promises, judged by how soon each row can be completed.

A gap counts the more the fewer free neighbours it has, since fewer pieces fill it.
"""

from __future__ import annotations

from math import exp

from meadow_engine.spring_meadow.catalogue import COLUMNS, FULL, ROW, ROWS
from meadow_engine.spring_meadow.rocks import groups_of, neighbours
from meadow_engine.spring_meadow.scoring import full_rows
from meadow_engine.spring_meadow.state import Mountain

SPACES_A_TURN = 1.4
"""How many gaps a turn is expected to fill: below the truth, so that it cares for the next rows first."""
ALONE, CORNERED, NARROW = 3.0, 2.0, 0.8
"""What a gap costs on top of 1 with no, one, two free neighbours."""
OPEN_HOLE = 0.5
"""Gaps' worth of a group of holes that a later hole can still join."""
TAIL = 4.0
"""Points below which a row's worth no longer falls evenly, but fades."""

_FIRST_COLUMN = sum(1 << row * COLUMNS for row in range(ROWS))
_NOT_FIRST = FULL & ~_FIRST_COLUMN
_NOT_LAST = FULL & ~(_FIRST_COLUMN << COLUMNS - 1)


def prospect(mountain: Mountain, row_worth: float) -> float:
    """Points expected of a board whose owner is about to begin a turn in which a completed row is worth so much."""
    snow = FULL & ~(mountain.covered | mountain.burrows | mountain.marmots)
    alone, cornered, narrow = crowding(snow)
    free = mountain.free & ~mountain.holes
    gaps = -OPEN_HOLE * sum(1 for group in groups_of(mountain.holes, mountain.holes) if neighbours(group) & free)
    worth = float(mountain.cleared.bit_count())
    for row in range(full_rows(mountain), ROWS):
        line = ROW << row * COLUMNS
        gaps += (snow & line).bit_count()
        gaps += ALONE * (alone & line).bit_count()
        gaps += CORNERED * (cornered & line).bit_count() + NARROW * (narrow & line).bit_count()
        expected = row_worth - max(0.0, gaps) / SPACES_A_TURN
        worth += expected if expected > TAIL else TAIL * exp(expected / TAIL - 1)
    return worth


def crowding(cells: int) -> tuple[int, int, int]:
    """The cells with no, one, two neighbours among themselves: the four neighbours added up bit by bit."""
    left, right = (cells & _NOT_LAST) << 1, (cells & _NOT_FIRST) >> 1
    up, down = cells << COLUMNS & FULL, cells >> COLUMNS
    odd = left ^ right ^ up ^ down
    twos = (left & right) ^ (up & down) ^ ((left ^ right) & (up ^ down))
    return cells & ~(left | right | up | down), cells & odd & ~twos, cells & twos & ~odd
