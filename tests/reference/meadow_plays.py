"""Where a card may be played, found by trying every way of meeting its requirements: slow, and meant to be obvious."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from tests.reference.meadow_pack import ENCOUNTER, Need, Paper

Meadow = tuple[tuple[Paper, ...], ...]
"""Columns from left to right, each from its ground card up."""
Symbol = tuple[str, int]
"""A visible symbol and the column it is in."""


Way = tuple[int | None, ...]
"""For each requirement the column of the visible symbol that meets it, None where it is ignored."""


def visible_symbols(meadow: Meadow) -> list[Symbol]:
    """Every visible symbol: those of each column's top card, and those of its ground."""
    return [(symbol, place) for place, column in enumerate(meadow) for symbol in (*column[-1].top, *column[0].grounds)]


def ways_to_meet(needs: Sequence[Need], symbols: Sequence[Symbol], ignored: int) -> Iterator[Way]:
    """Every way of giving each requirement a visible symbol of its own, but so many that get none (M18, M19)."""
    if ignored > len(needs):
        return
    if not needs:
        yield ()
        return
    if ignored:
        for rest in ways_to_meet(needs[1:], symbols, ignored - 1):
            yield (None, *rest)
    for symbol, column in sorted({found for found in symbols if found[0] in needs[0].symbols}):
        left = list(symbols)
        left.remove((symbol, column))
        for rest in ways_to_meet(needs[1:], left, ignored):
            yield (column, *rest)


@lru_cache(maxsize=20_000)
def best_ways(needs: tuple[Need, ...], symbols: tuple[Symbol, ...]) -> tuple[Way, ...]:
    """The ways that ignore the fewest: only what is missing may be ignored (M5)."""
    for ignored in range(len(needs) + 1):
        if ways := set(ways_to_meet(needs, symbols, ignored)):
            return tuple(ways)
    raise AssertionError("ignoring everything is always a way")


def may_cover(needs: Sequence[Need], way: Way, column: int) -> bool:
    """Whether a column takes the card when its requirements are met in this way (M7, M20)."""
    used = [(need.arrows, where) for need, where in zip(needs, way, strict=True) if where is not None]
    if any(where == column and not arrows for arrows, where in used):
        return True
    beside = [abs(where - column) == 1 for arrows, where in used if arrows and where is not None]
    return bool(beside) and all(beside)


@lru_cache(maxsize=20_000)
def plays(meadow: Meadow, paper: Paper) -> tuple[tuple[int, ...], int]:
    """Columns (counted from the left) that take an observation, and how many requirements must be ignored."""
    ways = best_ways(paper.needs, tuple(visible_symbols(meadow)))
    ignored = ways[0].count(None)
    columns = (
        column
        for column, cards in enumerate(meadow)
        if ENCOUNTER not in cards[-1].shows and any(may_cover(paper.needs, way, column) for way in ways)
    )
    return tuple(columns), ignored
