"""How good a board looks to the greedy bot."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from meadow_engine.bots import lanes
from meadow_engine.bots.spring_moves import weigh
from meadow_engine.bots.spring_worth import POINT, Board, Outlook, full_rows, group_sizes
from meadow_engine.spring_meadow.catalogue import COLUMNS, FULL, ROW, ROWS
from meadow_engine.spring_meadow.rocks import groups_of
from meadow_engine.spring_meadow.solo import SOLO_TURNS

BURROWS = 1 << 2 * COLUMNS + 4 | 1 << 7 * COLUMNS
OUTLOOKS = [Outlook.on(BURROWS, 0, SOLO_TURNS, several=several) for several in (False, True)]

spaces = st.integers(0, FULL)


def worth(outlook: Outlook, covered: int, holes: int = 0) -> int:
    """What one board is worth."""
    return weigh([Board(covered, holes, 0)], outlook)[0]


@pytest.mark.parametrize("outlook", OUTLOOKS, ids=["alone", "several"])
@given(st.lists(st.tuples(spaces, spaces), min_size=1, max_size=40))
def test_a_board_is_worth_the_same_in_any_company(outlook: Outlook, parts: list[tuple[int, int]]) -> None:
    """Weighing many boards at once gives each what it gets alone."""
    boards = [Board(covered & ~BURROWS, holes & ~covered, 0) for covered, holes in parts]
    assert weigh(boards, outlook) == [worth(outlook, board.covered, board.holes) for board in boards]


def test_more_boards_than_lanes_are_weighed_in_turns() -> None:
    """A list longer than the lanes keeps its order."""
    random = Random(5)
    boards = [Board(random.getrandbits(90) & ~BURROWS, 0, 0) for _ in range(2 * lanes.LANES + 3)]
    assert weigh(boards, OUTLOOKS[0]) == [worth(OUTLOOKS[0], board.covered) for board in boards]


@pytest.mark.parametrize("outlook", OUTLOOKS, ids=["alone", "several"])
def test_lower_rows_come_first(outlook: Outlook) -> None:
    """The same spaces covered are worth more in a lower row; on a board without burrows, which would be in the way."""
    outlook = replace(outlook, burrows=0, burrow_lanes=0)
    by_row = [worth(outlook, 0b1111 << row * COLUMNS) for row in range(ROWS - 1)]
    assert by_row == sorted(by_row, reverse=True)


@pytest.mark.parametrize("outlook", OUTLOOKS, ids=["alone", "several"])
def test_a_full_row_is_worth_more_than_its_spaces(outlook: Outlook) -> None:
    """The tenth space of a row adds more than the ninth did, and more than a point."""
    spaces_of_row = [worth(outlook, ROW >> missing) for missing in (2, 1, 0)]
    assert spaces_of_row[2] - spaces_of_row[1] > max(spaces_of_row[1] - spaces_of_row[0], POINT)


@pytest.mark.parametrize("outlook", OUTLOOKS, ids=["alone", "several"])
def test_gaps_apart_are_worse_than_gaps_together(outlook: Outlook) -> None:
    """With as many spaces covered, lone gaps in a row cost more than a wide one."""
    above = ROW << COLUMNS
    assert worth(outlook, 0b1111100111 | above) > worth(outlook, 0b1110110111 | above)


def test_a_closed_roof_is_worse_than_an_open_one() -> None:
    """A gap that can be reached from the row behind it costs less than one that cannot."""
    open_roof, closed_roof = 0b1111111100 | 0b1111110000 << COLUMNS, 0b1111111100 | 0b1111001111 << COLUMNS
    assert worth(OUTLOOKS[0], open_roof) > worth(OUTLOOKS[0], closed_roof)


def test_holes_that_can_grow_are_worth_something() -> None:
    """A pair of open holes is worth more than two apart; a cleared burrow more than a hole over snow."""
    covered, row = 0b1111111111, 3 * COLUMNS
    assert (
        worth(OUTLOOKS[0], covered, 0b11 << row)
        > worth(OUTLOOKS[0], covered, 0b101 << row)
        > worth(OUTLOOKS[0], covered)
    )
    cleared, snow = 1 << 2 * COLUMNS + 4, 1 << 2 * COLUMNS + 6
    assert worth(OUTLOOKS[0], covered, cleared) > worth(OUTLOOKS[0], covered, snow)


@given(spaces)
def test_full_rows_are_counted_from_the_start_edge(cells: int) -> None:
    """Rows count up to the first gap; full rows behind it do not."""
    rows = [cells >> row * COLUMNS & ROW == ROW for row in range(ROWS)]
    assert full_rows(cells) == (rows.index(False) if False in rows else ROWS)


@given(spaces, st.integers(0, 89))
def test_groups_are_counted_up_to_the_largest_rock(holes: int, new: int) -> None:
    """Within the reach that matters for a rock, a group's size is what the rules say."""
    holes |= 1 << new
    size = next(groups_of(holes, 1 << new)).bit_count()
    counted = group_sizes(holes, 1 << new, 1)[0]
    assert min(counted, 5) == min(size, 5)
