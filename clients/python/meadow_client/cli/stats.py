"""Means and shares with their 95 % confidence intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

Z_95 = 1.96
"""Standard deviations on either side of a mean that hold 95 % of a normal distribution."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value and the ends of its 95 % confidence interval."""

    value: float
    low: float
    high: float

    def as_json(self) -> dict[str, float]:
        """The three numbers, rounded to what they are good for."""
        return {"value": round(self.value, 4), "low": round(self.low, 4), "high": round(self.high, 4)}


def share(successes: float, trials: int) -> Estimate:
    """A share of trials, with Wilson's interval; a shared win counts as a part of one."""
    if not trials:
        return Estimate(0.0, 0.0, 0.0)
    observed, z2 = successes / trials, Z_95 * Z_95
    scale = 1 + z2 / trials
    centre = (observed + z2 / (2 * trials)) / scale
    half = Z_95 * sqrt(observed * (1 - observed) / trials + z2 / (4 * trials * trials)) / scale
    return Estimate(observed, max(0.0, centre - half), min(1.0, centre + half))


def mean(values: Sequence[float]) -> Estimate:
    """A mean, with the interval of a normal distribution."""
    if not values:
        return Estimate(0.0, 0.0, 0.0)
    centre = sum(values) / len(values)
    if len(values) == 1:
        return Estimate(centre, centre, centre)
    variance = sum((value - centre) ** 2 for value in values) / (len(values) - 1)
    half = Z_95 * sqrt(variance / len(values))
    return Estimate(centre, centre - half, centre + half)
