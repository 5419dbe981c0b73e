"""Taking the time of things that run in this process.

The time is that of the processor, not of the clock on the wall: other programs on the machine then count little.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import process_time


def microseconds(call: Callable[[], object], *, seconds: float, rounds: int = 5) -> float:
    """Processor time of one call: the best of some rounds of many calls."""
    calls, spent = 1, 0.0
    while spent < seconds / rounds / 2:
        calls *= 2
        spent = _time(call, calls)
    return min(_time(call, calls) for _ in range(rounds)) / calls * 1e6


def _time(call: Callable[[], object], calls: int) -> float:
    begin = process_time()
    for _ in range(calls):
        call()
    return process_time() - begin


def percentile(values: Sequence[float], share: float) -> float:
    """The value below which this share of the values lies."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def median(values: Sequence[float]) -> float:
    """The value in the middle."""
    return percentile(values, 0.5)
