"""The ring of signpost paths around the hiking map (rulebook: Signpost Path, Solo Rules; ruling S10)."""

from __future__ import annotations

from typing import NamedTuple

from meadow_engine.spring_meadow.catalogue import MAP_SIDE, MAP_SPACES


class Path(NamedTuple):
    """A line of five spaces, seen from the border of the map."""

    name: str
    """What a pack calls it: the side and the number of the column or row, or the corner."""
    spaces: tuple[int, ...]
    """Its spaces, beginning at the border."""
    signpost: tuple[float, float]
    """Where the signpost stands: x and y from the top left corner, one unit a space."""


def _line(start: int, step: int) -> tuple[int, ...]:
    return tuple(start + step * number for number in range(MAP_SIDE))


def _ring() -> tuple[Path, ...]:
    last, below, outside = MAP_SIDE - 1, MAP_SIDE + 0.5, -0.5
    numbers = range(MAP_SIDE)
    corner_column = MAP_SPACES - MAP_SIDE
    return (
        *(Path(f"top {n + 1}", _line(n, MAP_SIDE), (n + 0.5, outside)) for n in numbers),
        Path("top right corner", _line(last, MAP_SIDE - 1), (below, outside)),
        *(Path(f"right {n + 1}", _line(MAP_SIDE * n + last, -1), (below, n + 0.5)) for n in numbers),
        Path("bottom right corner", _line(MAP_SPACES - 1, -MAP_SIDE - 1), (below, below)),
        *(Path(f"bottom {n + 1}", _line(corner_column + n, -MAP_SIDE), (n + 0.5, below)) for n in reversed(numbers)),
        Path("bottom left corner", _line(corner_column, 1 - MAP_SIDE), (outside, below)),
        *(Path(f"left {n + 1}", _line(MAP_SIDE * n, 1), (outside, n + 0.5)) for n in reversed(numbers)),
        Path("top left corner", _line(0, MAP_SIDE + 1), (outside, outside)),
    )


FULL_RING = _ring()
"""All 24 paths clockwise from the first column, corners included: one and three players."""
SHORT_RING = tuple(path for path in FULL_RING if not path.name.endswith("corner"))
"""The 20 paths without corners: two and four players."""
