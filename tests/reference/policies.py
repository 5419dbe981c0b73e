"""Ways of playing for the games against the reference: each reaches other corners of the rules."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from tests.reference.lockstep import Policy
from tests.reference.spring_table import COLUMNS, ROWS, Action, Ask, Cell, Cells, Table


def beside(cells: Cells | set[Cell]) -> list[Cell]:
    """The spaces beside these ones, edge to edge, each as often as it is."""
    return [(r + a, c + b) for r, c in cells for a, b in ((1, 0), (-1, 0), (0, 1), (0, -1))]


def anything(ask: Ask, table: Table, rng: Random) -> Action:
    """Any legal answer."""
    return rng.choice(sorted(ask.answers))


def bottom_up(ask: Ask, table: Table, rng: Random) -> Action:
    """Low, snug and large: fills rows from the start edge, as people do."""
    if not ask.pieces:
        return anything(ask, table, rng)
    board = table.board(ask.seat)
    full = board.full_run()

    def worth(answer: Action) -> float:
        cells, _ = ask.pieces[answer]
        low = sum(5 - row + full for row, _ in cells)
        snug = sum(
            cell in board.covered or cell in board.burrows or not (0 <= cell[0] < ROWS and 0 <= cell[1] < COLUMNS)
            for cell in beside(cells)
        )
        return 2 * low + 3 * snug + rng.random()

    return max(sorted(ask.answers), key=worth)


def hole_seeker(ask: Ask, table: Table, rng: Random) -> Action:
    """Joins holes into large groups, clears burrows and hides others: what earns rocks and costs marmots."""
    if ask.kind == "choose_tile":
        return max(sorted(ask.answers), key=lambda answer: len(table.kind_on(answer[1][0]).holes) + rng.random())
    if not ask.pieces:
        return anything(ask, table, rng)
    board = table.board(ask.seat)

    def worth(answer: Action) -> float:
        cells, holes = ask.pieces[answer]
        left = (board.holes - cells) | holes
        groups = sum(len(left.intersection(beside({hole}))) for hole in left)
        return 2 * groups + 2 * len(holes & board.burrows) + len(cells & board.burrows) + 2 * rng.random()

    return max(sorted(ask.answers), key=worth)


POLICIES: Mapping[str, Policy] = {"anything": anything, "bottom up": bottom_up, "hole seeker": hole_seeker}
