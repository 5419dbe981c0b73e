"""Rows, groups of holes and scoring on random boards, reckoned anew with sets of squares; rocks in random games."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

from hypothesis import given
from hypothesis import strategies as st
from meadow_engine import api
from meadow_engine.spring_meadow.catalogue import COLUMNS, MAX_ROCK, ROWS
from meadow_engine.spring_meadow.rocks import groups_of, neighbours, rock_size
from meadow_engine.spring_meadow.scoring import full_rows, pin_winner, score_line
from meadow_engine.spring_meadow.state import Mountain, ScoreLine

from tests.spring_meadow.boards import WHOLE_BOARD, Squares, boards, mask_of, squares

spaces = st.frozensets(st.sampled_from(sorted(WHOLE_BOARD)), max_size=40)


def beside(space: tuple[int, int]) -> Squares:
    """The spaces edge to edge with one, on the board."""
    row, column = space
    return frozenset({(row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)}) & WHOLE_BOARD


def connected(all_holes: Squares) -> list[Squares]:
    """The groups of holes, found by joining neighbours until nothing changes."""
    groups = [frozenset({hole}) for hole in all_holes]
    for hole in all_holes:
        near = beside(hole) | {hole}
        touching = [group for group in groups if group & near]
        groups = [group for group in groups if not group & near] + [frozenset[tuple[int, int]]().union(*touching)]
    return groups


@given(spaces)
def test_neighbours_are_the_spaces_edge_to_edge(some: Squares) -> None:
    """No neighbour wraps around an edge of the board or lies off it."""
    assert squares(neighbours(mask_of(some))) == frozenset().union(*map(beside, some))


@given(spaces, spaces)
def test_groups_are_the_connected_holes_that_were_touched(holes: Squares, touched: Squares) -> None:
    """Each group with a touched hole comes up once and whole; other groups, and touched spaces without hole, do not."""
    found = [squares(group) for group in groups_of(mask_of(holes), mask_of(touched))]
    assert len(set(found)) == len(found)
    assert set(found) == {group for group in connected(holes) if group & touched}


@given(st.integers(1, 90))
def test_a_group_earns_one_less_than_its_holes_up_to_four(holes: int) -> None:
    """Two holes earn 1, three 2, four 3, five and more 4; a lone hole earns nothing."""
    assert rock_size(holes) == sorted([0, holes - 1, MAX_ROCK])[1]


def rows_counted(board: Mountain) -> list[int]:
    """For each row from the start edge, how many of its spaces count as covered."""
    counted = squares(board.covered) | squares(board.burrows)
    return [sum((row, column) in counted for column in range(COLUMNS)) for row in range(ROWS)]


@given(boards, st.integers(0, ROWS), st.sampled_from([0, 2]))
def test_a_board_scores_as_the_book_says(board: Mountain, filled: int, picnic: int) -> None:
    """10 for each full row up to the first gap, 1 for each covered space of the next row and each cleared burrow."""
    board.covered |= (1 << filled * COLUMNS) - 1 & ~board.marmots
    board.holes &= ~board.covered
    rows = rows_counted(board)
    full = next((row for row, count in enumerate(rows) if count < COLUMNS), ROWS)
    line = score_line(board, picnic)
    assert full_rows(board) == line.rows == full >= filled
    assert line.partial == (rows[full] if full < ROWS else 0)
    assert line.burrows == len(squares(board.holes) & squares(board.burrows))
    assert line.total == 10 * line.rows + line.partial + line.burrows + picnic


@given(boards, st.data())
def test_covering_snow_never_costs_points(board: Mountain, data: st.DataObject) -> None:
    """A space of snow more covered leaves the score the same or better."""
    snow = sorted(WHOLE_BOARD - squares(board.covered | board.burrows | board.holes))
    if snow:
        fuller = board.clone()
        fuller.covered |= mask_of(frozenset({data.draw(st.sampled_from(snow))}))
        assert score_line(fuller, 0).total >= score_line(board, 0).total


lines = st.builds(ScoreLine, st.integers(0, 2), st.integers(0, 2), st.integers(0, 2), st.just(0))


@given(st.lists(lines, min_size=2, max_size=4), st.data())
def test_a_tie_goes_to_the_one_furthest_counter_clockwise(scored: list[ScoreLine], data: st.DataObject) -> None:
    """Of the best, the first clockwise after the active seat wins, the active seat last."""
    active = data.draw(st.integers(0, len(scored) - 1))
    winner = pin_winner(tuple(scored), active)
    best = max(line.total for line in scored)

    def far(seat: int) -> int:
        """Steps counter-clockwise from the active seat; none at all is the nearest."""
        return (active - seat) % len(scored)

    tied = [seat for seat, line in enumerate(scored) if line.total == best]
    assert winner == max(tied, key=far)


def names(events: Iterable[api.Event]) -> list[str]:
    """What kinds of events these are."""
    return [type(event).__name__ for event in events]


def test_rocks_never_earn_rocks() -> None:
    """In random games only a tile, or the last marmot paid for it, is followed by earned rocks; never a rock."""
    rocks = earned = 0
    for seed in range(6):
        random, game, for_rock = Random(seed), api.new_game("spring_meadow", seats=2 + seed % 3, seed=seed), False
        while not game.is_over:
            decision = game.decision
            assert decision is not None
            happened = names(game.apply(random.choice(game.legal_ids())).events)
            for_rock = {"place_rock": True, "place_tile": False}.get(decision.kind, for_rock)
            if for_rock and decision.kind in ("place_rock", "place_marmot"):
                rocks += 1
                assert "RockEarned" not in happened
            earned += happened.count("RockEarned")
    assert rocks > earned > 0, "start rocks come on top of those earned"
