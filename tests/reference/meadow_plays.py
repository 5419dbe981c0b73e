"""Where a card may be played, found by trying every way of meeting its requirements: slow, and meant to be obvious."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from tests.reference.meadow_pack import ENCOUNTER, FISH, WATERY, Need, Paper

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


def may_cover(paper: Paper, way: Way, column: int) -> bool:
    """Whether a column takes the card when its requirements are met in this way (M7, M20).

    A fish may be in any column that has its place, whatever it covers there: only arrows bind it further (D15).
    """
    fish = FISH in paper.shows
    used = [(need.arrows, where) for need, where in zip(paper.needs, way, strict=True) if where is not None]
    if any((fish or where == column) and not arrows for arrows, where in used):
        return True
    beside = [abs(where - column) == 1 for arrows, where in used if arrows and where is not None]
    return bool(beside) and all(beside)


def has_its_place(paper: Paper, column: tuple[Paper, ...]) -> bool:
    """Nothing goes on a big encounter, and a fish only where there is water (M24, D15)."""
    return ENCOUNTER not in column[-1].shows and (FISH not in paper.shows or WATERY in column[0].grounds)


@lru_cache(maxsize=20_000)
def plays(meadow: Meadow, paper: Paper) -> tuple[tuple[int, ...], int]:
    """Columns (counted from the left) that take an observation, and how many requirements must be ignored."""
    ways = best_ways(paper.needs, tuple(visible_symbols(meadow)))
    ignored = ways[0].count(None)
    columns = (
        column
        for column, cards in enumerate(meadow)
        if has_its_place(paper, cards) and any(may_cover(paper, way, column) for way in ways)
    )
    return tuple(columns), ignored
