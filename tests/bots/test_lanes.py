"""Boards side by side in one integer: each lane is worked on as if it were alone."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st
from meadow_engine.bots import lanes
from meadow_engine.spring_meadow.catalogue import COLUMNS, FULL, ROW, ROWS
from meadow_engine.spring_meadow.rocks import neighbours

boards = st.lists(st.integers(0, FULL), min_size=1, max_size=lanes.LANES)
"""Sets of spaces; their own neighbours on either side must not show."""


def packed(cells: list[int]) -> int:
    """These sets in lanes."""
    return lanes.pack([lanes.to_lane(some) for some in cells])


def lane(packed_cells: int, number: int) -> int:
    """All bits of a lane."""
    return packed_cells >> number * lanes.LANE_BITS & (1 << lanes.LANE_BITS) - 1


def agrees(many: Callable[[int], int], one: Callable[[int], int], cells: list[int]) -> bool:
    """Whether an operation on lanes does to each what the other does to one set."""
    result = many(packed(cells))
    return [lane(result, number) for number in range(len(cells))] == [one(some) for some in cells]


@given(boards)
def test_neighbours_stay_on_their_board(cells: list[int]) -> None:
    """The spaces beside a set are those that the rules of groups know, whatever lies on the next lanes."""
    assert agrees(lanes.beside, neighbours, cells)


@given(boards)
def test_moves_drop_what_leaves_the_board(cells: list[int]) -> None:
    """A set moved by a column or a row loses what went over the edge and nothing else."""
    last_column = sum(1 << row * COLUMNS + COLUMNS - 1 for row in range(ROWS))
    first_column = last_column >> COLUMNS - 1
    assert agrees(lanes.to_right, lambda some: (some & ~last_column) << 1, cells)
    assert agrees(lanes.to_left, lambda some: (some & ~first_column) >> 1, cells)
    assert agrees(lanes.to_next_row, lambda some: some << COLUMNS & FULL, cells)
    assert agrees(lanes.to_row_before, lambda some: some >> COLUMNS, cells)


@given(boards)
def test_spaces_are_counted_by_row_and_in_all(cells: list[int]) -> None:
    """The fields hold the spaces of each row, and their total those of the board."""
    counts = lanes.row_counts(packed(cells))
    for row in range(ROWS):
        fields = lanes.unpack(lanes.row_field(counts, row), len(cells))
        assert list(fields) == [(some >> row * COLUMNS & ROW).bit_count() for some in cells]
    assert list(lanes.unpack(lanes.total(counts), len(cells))) == [some.bit_count() for some in cells]


@given(st.lists(st.tuples(st.integers(0, FULL), st.integers(0, ROWS)), min_size=1, max_size=20))
def test_a_row_is_unfinished_from_the_first_gap_on(boards_and_rows: list[tuple[int, int]]) -> None:
    """Rows below the first gap are finished; it and all above are not."""
    gaps = [cells >> row * COLUMNS << row * COLUMNS for cells, row in boards_and_rows]
    unfinished = lanes.total(lanes.unfinished_rows(lanes.row_counts(packed(gaps))))
    first = [((cells & -cells).bit_length() - 1) // COLUMNS if cells else ROWS for cells in gaps]
    assert list(lanes.unpack(unfinished, len(gaps))) == [ROWS - row for row in first]


@given(st.integers(0, FULL), st.integers(1, lanes.LANES))
def test_one_set_fills_many_lanes(cells: int, count: int) -> None:
    """`in_lanes` repeats a set as often as asked, and no lane more."""
    assert lanes.in_lanes(cells, count) == packed([cells] * count)
