"""Many mountain boards side by side in one integer.

A set of spaces is an integer of 90 bits (see `meadow_engine.spring_meadow.catalogue`). Here each such set has a *lane*
of 96 bits in one long integer, so that a single shift or intersection works on up to 256 boards at once. That makes
weighing a placement some twenty times cheaper than one board at a time, and with whole numbers only it gives the same
on every platform.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence

from meadow_engine.spring_meadow.catalogue import COLUMNS, FULL, ROW, ROWS

LANES = 256
"""The most boards in one integer."""
LANE_BYTES = 12
LANE_BITS = 8 * LANE_BYTES

_ONES = sum(1 << lane * LANE_BITS for lane in range(LANES))


def _each_row(bits: int) -> int:
    return _ONES * sum(bits << row * COLUMNS for row in range(ROWS))


_NOT_FIRST_COLUMN = _each_row(ROW & ~1)
_NOT_LAST_COLUMN = _each_row(ROW >> 1)
_NOT_FIRST_ROW = _ONES * (FULL & ~ROW)
_NOT_LAST_ROW = _ONES * (FULL >> COLUMNS)
_ABOVE = tuple((rows, _ONES * (FULL >> rows * COLUMNS << rows * COLUMNS)) for rows in (1, 2, 4, 1))
_FIRST_FIELD = _ONES * ROW
_LOWEST_BITS = _each_row(1)
_ODD_BITS = _each_row(0b0101010101)
_LOW_PAIRS = _each_row(0b0000110011)
_LOW_FOURS = _each_row(0b0000001111)
_LOW_TWO = _each_row(0b0000000011)


def in_lanes(cells: int, count: int) -> int:
    """The same set of spaces in each of the first `count` lanes."""
    return cells * (_ONES >> LANE_BITS * (LANES - count))


def to_lane(cells: int) -> bytes:
    """One set of spaces as `pack` takes it."""
    return cells.to_bytes(LANE_BYTES, "little")


def pack(lanes: Sequence[bytes]) -> int:
    """Put up to `LANES` sets of spaces side by side."""
    return int.from_bytes(b"".join(lanes), "little")


def unpack(numbers: int, count: int) -> tuple[int, ...]:
    """The numbers below 2**32 at the foot of the first `count` lanes."""
    return struct.unpack(f"<{3 * count}I", numbers.to_bytes(LANE_BYTES * count, "little"))[::3]


def to_right(cells: int) -> int:
    """Each set moved one column to the right: the spaces whose left neighbour is in it."""
    return cells << 1 & _NOT_FIRST_COLUMN


def to_left(cells: int) -> int:
    """Each set moved one column to the left."""
    return cells >> 1 & _NOT_LAST_COLUMN


def to_next_row(cells: int) -> int:
    """Each set moved one row away from the start edge."""
    return cells << COLUMNS & _NOT_FIRST_ROW


def to_row_before(cells: int) -> int:
    """Each set moved one row towards the start edge."""
    return cells >> COLUMNS & _NOT_LAST_ROW


def beside(cells: int) -> int:
    """The spaces horizontally or vertically beside each set's."""
    return to_right(cells) | to_left(cells) | to_next_row(cells) | to_row_before(cells)


def row_counts(cells: int) -> int:
    """How many spaces of each row are in each set: nine fields of ten bits in each lane."""
    pairs = cells - (cells >> 1 & _ODD_BITS)
    fours = (pairs & _LOW_PAIRS) + (pairs >> 2 & _LOW_PAIRS)
    return (fours & _LOW_FOURS) + (fours >> 4 & _LOW_FOURS) + (pairs >> 8 & _LOW_TWO)


def row_field(fields: int, row: int) -> int:
    """The field of one row, moved to the foot of each lane."""
    return fields >> row * COLUMNS & _FIRST_FIELD


def total(fields: int) -> int:
    """The sum of the nine fields, at the foot of each lane."""
    # rows 5 to 8 onto rows 0 to 3, then 2 and 3 onto 0 and 1; what runs in from the next lane stays above those
    four = fields + (fields >> 5 * COLUMNS)
    two = four + (four >> 2 * COLUMNS)
    return (two & _FIRST_FIELD) + (two >> COLUMNS & _FIRST_FIELD) + (fields >> 4 * COLUMNS & _FIRST_FIELD)


def unfinished_rows(gap_counts: int) -> int:
    """A bit at the foot of each row's field that is not full, or lies above one that is not.

    Args:
        gap_counts: `row_counts` of the spaces that keep a row from being full.
    """
    found = (gap_counts | gap_counts >> 1 | gap_counts >> 2 | gap_counts >> 3) & _LOWEST_BITS
    for rows, above in _ABOVE:
        found |= found << rows * COLUMNS & above
    return found
