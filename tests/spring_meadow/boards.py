"""Random boards and pieces for the property tests, and the same things as sets of (row, column) to reckon with."""

from __future__ import annotations

from hypothesis import strategies as st
from meadow_engine.spring_meadow.catalogue import CELLS, COLUMNS, ROWS, Form, forms_of
from meadow_engine.spring_meadow.notation import BURROW, CLEARED, COVERED, COVERED_BURROW, HOLE, MARMOT, SNOW
from meadow_engine.spring_meadow.shapes import Shape, shape_of
from meadow_engine.spring_meadow.state import Mountain

Square = tuple[int, int]
Squares = frozenset[Square]

WHOLE_BOARD = frozenset((row, column) for row in range(ROWS) for column in range(COLUMNS))


def squares(mask: int) -> Squares:
    """The spaces of a bit set."""
    return frozenset(divmod(cell, COLUMNS) for cell in range(CELLS) if mask >> cell & 1)


def mask_of(spaces: Squares) -> int:
    """The bit set of spaces."""
    return sum(1 << row * COLUMNS + column for row, column in spaces)


def board_of(symbols: str) -> Mountain:
    """A board from its 90 characters, row 0 first."""

    def where(*marks: str) -> int:
        return sum(1 << cell for cell, mark in enumerate(symbols) if mark in marks)

    return Mountain(
        face=0,
        burrows=where(BURROW, CLEARED, MARMOT, COVERED_BURROW),
        covered=where(COVERED, COVERED_BURROW),
        holes=where(HOLE, CLEARED),
        marmots=where(MARMOT),
    )


def symbols_of(board: Mountain) -> str:
    """The 90 characters of a board, row 0 first, found from its sets one by one."""
    marks = ""
    for cell in range(CELLS):
        burrow, covered, hole, marmot = (
            mask >> cell & 1 for mask in (board.burrows, board.covered, board.holes, board.marmots)
        )
        if marmot:
            marks += MARMOT
        elif burrow:
            marks += COVERED_BURROW if covered else CLEARED if hole else BURROW
        else:
            marks += COVERED if covered else HOLE if hole else SNOW
    return marks


# Mostly snow, so that pieces fit; every kind of space somewhere.
symbols = st.lists(
    st.sampled_from(SNOW * 12 + BURROW * 2 + COVERED * 3 + HOLE * 3 + CLEARED * 2 + MARMOT + COVERED_BURROW),
    min_size=CELLS,
    max_size=CELLS,
).map("".join)
boards = symbols.map(board_of)


@st.composite
def shapes(draw: st.DrawFn) -> Shape:
    """A connected shape of two to seven squares, up to three of them holes, at least one covered."""
    cells = [(0, 0)]
    for _ in range(draw(st.integers(1, 6))):
        row, column = draw(st.sampled_from(cells))
        up, right = draw(st.sampled_from([(1, 0), (-1, 0), (0, 1), (0, -1)]))
        if (row + up, column + right) not in cells:
            cells.append((row + up, column + right))
    holes = draw(st.lists(st.sampled_from(cells), max_size=min(3, len(cells) - 1), unique=True))
    return shape_of([cell for cell in cells if cell not in holes], holes)


pieces = shapes().map(forms_of)
"""The distinct forms of a random piece, and which of them each symmetry index gives."""


def laid(form: Form, anchor: int) -> tuple[Squares, Squares]:
    """Covered squares and holes of a form at an anchor, on the board or off it."""
    row, column = divmod(anchor, COLUMNS)
    covers = frozenset((row + r, column + c) for r, c in form.cells)
    return covers, frozenset((row + r, column + c) for r, c in form.holes)
