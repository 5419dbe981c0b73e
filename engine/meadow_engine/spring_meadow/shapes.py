"""Polyominoes with holes: drawing, turning, comparing.

A *shape* is the set of squares a tile consists of: the squares it covers and the squares in which a hole is
punched. Squares are `(row, column)` counted from the lower left corner of the smallest rectangle around both.

There are eight symmetries. Indices 0 to 3 are that many quarter turns clockwise; 4 to 7 first mirror the shape
left to right and then turn it by `index - 4` quarter turns clockwise.
"""

from __future__ import annotations

from typing import NamedTuple

Cell = tuple[int, int]
"""A square: row from the bottom, column from the left, both from 0."""

SYMMETRIES = 8
"""How many ways there are to turn and flip a flat tile."""

COVERED = "#"
HOLE = "o"
NOTHING = "."
ROW_BREAK = "/"


class Shape(NamedTuple):
    """A tile's squares, in ascending order and counted from the lower left corner of its bounding box."""

    cells: tuple[Cell, ...]
    """The covered squares."""
    holes: tuple[Cell, ...]
    """The squares with a hole punched in them."""

    @property
    def height(self) -> int:
        """Rows of the bounding box."""
        return 1 + max(row for row, _ in self.cells + self.holes)

    @property
    def width(self) -> int:
        """Columns of the bounding box."""
        return 1 + max(column for _, column in self.cells + self.holes)


def shape_of(cells: list[Cell], holes: list[Cell]) -> Shape:
    """Return the shape of these squares, moved so that its bounding box starts at row 0 and column 0."""
    squares = cells + holes
    low_row = min(row for row, _ in squares)
    low_column = min(column for _, column in squares)

    def moved(part: list[Cell]) -> tuple[Cell, ...]:
        return tuple(sorted((row - low_row, column - low_column) for row, column in part))

    return Shape(moved(cells), moved(holes))


def transform(shape: Shape, symmetry: int) -> Shape:
    """Return `shape` under one of the eight symmetries (see the module's text)."""

    def turned(cell: Cell) -> Cell:
        row, column = cell
        if symmetry >= 4:
            column = -column
        for _ in range(symmetry % 4):
            row, column = -column, row
        return row, column

    return shape_of([turned(cell) for cell in shape.cells], [turned(cell) for cell in shape.holes])


def orientations(shape: Shape) -> tuple[tuple[tuple[int, Shape], ...], tuple[int, ...]]:
    """Return the distinct orientations of `shape`, and which of them each symmetry index gives.

    The first part lists `(lowest symmetry index, oriented shape)` in ascending order; the second has eight
    entries, positions in the first.
    """
    found: list[tuple[int, Shape]] = []
    position: dict[Shape, int] = {}
    form_of: list[int] = []
    for symmetry in range(SYMMETRIES):
        oriented = transform(shape, symmetry)
        if oriented not in position:
            position[oriented] = len(found)
            found.append((symmetry, oriented))
        form_of.append(position[oriented])
    return tuple(found), tuple(form_of)


def canonical(shape: Shape) -> Shape:
    """Return the same representative for all turned and flipped copies of a shape."""
    return min(transform(shape, symmetry) for symmetry in range(SYMMETRIES))


def is_connected(shape: Shape) -> bool:
    """Tell whether the squares, holes included, hang together edge to edge."""
    squares = set(shape.cells + shape.holes)
    reached = [min(squares)]
    squares.discard(reached[0])
    for row, column in reached:
        for beside in ((row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)):
            if beside in squares:
                squares.discard(beside)
                reached.append(beside)
    return not squares


def parse_drawing(text: str) -> Shape:
    """Read a shape drawn in one line, such as `#o/##.`.

    Rows are separated by `/` and read from the top, as one sees them: `#` is a covered square, `o` a hole, `.`
    nothing. A short row is filled with nothing.

    Raises:
        ValueError: another character stands in the drawing, or no square at all.
    """
    cells: list[Cell] = []
    holes: list[Cell] = []
    for row, line in enumerate(reversed(text.split(ROW_BREAK))):
        for column, mark in enumerate(line):
            if mark == COVERED:
                cells.append((row, column))
            elif mark == HOLE:
                holes.append((row, column))
            elif mark != NOTHING:
                raise ValueError(f"a drawing uses only {COVERED} {HOLE} {NOTHING} and {ROW_BREAK}, not {mark!r}")
    if not cells and not holes:
        raise ValueError("the drawing is empty")
    return shape_of(cells, holes)


def draw(shape: Shape) -> str:
    """Return the one-line drawing of a shape; `parse_drawing` reads it back."""
    marks = dict.fromkeys(shape.cells, COVERED) | dict.fromkeys(shape.holes, HOLE)
    rows = range(shape.height - 1, -1, -1)
    return ROW_BREAK.join("".join(marks.get((row, column), NOTHING) for column in range(shape.width)) for row in rows)
