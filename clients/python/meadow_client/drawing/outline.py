"""The outline of a set of squares: traced, drawn in a little, its corners rounded."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from meadow_client.drawing.svg import Point, number

Square = tuple[int, int]
"""Column and row of a square; y grows downwards."""
_TURN_RIGHT = {(1, 0): (0, 1), (0, 1): (-1, 0), (-1, 0): (0, -1), (0, -1): (1, 0)}


def outline(squares: Collection[Square], unit: float, inset: float, radius: float) -> str:
    """Path data of the outline of some squares.

    Args:
        squares: which squares belong to the shape; squares that only touch at a corner stay apart.
        unit: side of a square.
        inset: how far the outline keeps from the edges of the squares.
        radius: of the corners.
    """
    return "".join(_rounded(_drawn_in(loop, unit, inset), radius) for loop in _loops(frozenset(squares)))


def _loops(squares: frozenset[Square]) -> Iterator[list[Square]]:
    """The corners of each closed edge, with the shape on the right hand side."""
    starts = set(_edges(squares))
    while starts:
        first = min(starts)
        loop, (corner, way) = [], first
        while (corner, way) in starts:
            starts.discard((corner, way))
            corner = (corner[0] + way[0], corner[1] + way[1])
            turned = next(turn for turn in _turns(way) if (corner, turn) in starts or (corner, turn) == first)
            if turned != way:
                loop.append(corner)
            way = turned
        yield loop


def _edges(squares: frozenset[Square]) -> Iterator[tuple[Square, Square]]:
    for x, y in squares:
        if (x, y - 1) not in squares:
            yield (x, y), (1, 0)
        if (x + 1, y) not in squares:
            yield (x + 1, y), (0, 1)
        if (x, y + 1) not in squares:
            yield (x + 1, y + 1), (-1, 0)
        if (x - 1, y) not in squares:
            yield (x, y + 1), (0, -1)


def _turns(way: Square) -> tuple[Square, Square, Square]:
    """Ways on from a corner: right first, so that squares that touch at it only stay apart."""
    right = _TURN_RIGHT[way]
    return right, way, (-right[0], -right[1])


def _drawn_in(loop: list[Square], unit: float, inset: float) -> list[Point]:
    points = []
    for place, (x, y) in enumerate(loop):
        before, after = loop[place - 1], loop[(place + 1) % len(loop)]
        dx = _sign(after[0] - x) - _sign(x - before[0])
        dy = _sign(after[1] - y) - _sign(y - before[1])
        # At a right turn the way into the shape is along the change of direction, at a left turn against it.
        crossing = _sign(x - before[0]) * _sign(after[1] - y) - _sign(y - before[1]) * _sign(after[0] - x)
        points.append((x * unit + crossing * dx * inset, y * unit + crossing * dy * inset))
    return points


def _rounded(points: list[Point], radius: float) -> str:
    steps: list[str] = []
    for place, (x, y) in enumerate(points):
        begin = _towards((x, y), points[place - 1], radius)
        end = _towards((x, y), points[(place + 1) % len(points)], radius)
        start = f"{number(begin[0])} {number(begin[1])}"
        steps.append(f"{'L' if steps else 'M'}{start}Q{number(x)} {number(y)} {number(end[0])} {number(end[1])}")
    return "".join(steps) + "Z"


def _towards(start: Point, goal: Point, distance: float) -> Point:
    dx, dy = goal[0] - start[0], goal[1] - start[1]
    length = abs(dx) + abs(dy)
    share = min(distance / length, 0.5) if length else 0.0
    return start[0] + dx * share, start[1] + dy * share


def _sign(value: int) -> int:
    return (value > 0) - (value < 0)
