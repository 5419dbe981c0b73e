"""Shapes of the balance tables, and the arithmetic behind them."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

Z_95 = 1.96
"""Standard deviations on either side of a mean that hold 95 % of a normal distribution."""


@dataclass(frozen=True, slots=True)
class Section:
    """One table: a title, a sentence on how to read it, and rows of texts and numbers."""

    title: str
    note: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str | int | float, ...], ...]


@dataclass(frozen=True, slots=True)
class TilePlay:
    """How a kind of tile fared in a number of games."""

    seen: int
    """Games in which such a tile could be chosen at least once."""
    played: int
    """Games in which such a tile was placed at least once."""


def share(successes: float, trials: int) -> tuple[float, float, float]:
    """Return a share and its 95 % confidence interval (Wilson's), all between 0 and 1; zeros when nothing was tried."""
    if not trials:
        return 0.0, 0.0, 0.0
    observed, z2 = successes / trials, Z_95 * Z_95
    scale = 1 + z2 / trials
    centre = (observed + z2 / (2 * trials)) / scale
    half = Z_95 * sqrt(observed * (1 - observed) / trials + z2 / (4 * trials * trials)) / scale
    return observed, max(0.0, centre - half), min(1.0, centre + half)
