"""Which symbols a card asks for, and how many of them a meadow meets (rulings M5, M18 to M20)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

from meadow_engine.meadow.catalogue import Card, Catalogue

Wanted = tuple[tuple[int, int], ...]
"""Symbols with how often each is asked for, ascending."""


@dataclass(frozen=True, slots=True)
class Needs:
    """What a card asks for once every slash has been decided.

    Attributes:
        total: all symbols.
        plain: those without arrows.
        arrows: those with arrows.
    """

    total: Wanted
    plain: Wanted
    arrows: Wanted


@lru_cache(maxsize=64)
def needs_table(catalogue: Catalogue) -> tuple[tuple[Needs, ...], ...]:
    """For each card, its needs for every way to decide its slashes."""
    return tuple(_needs(card) for card in catalogue.cards)


def _needs(card: Card) -> tuple[Needs, ...]:
    ways = product(*(requirement.symbols for requirement in card.requirements))
    return tuple(dict.fromkeys(_decided(card, way) for way in ways))


def _decided(card: Card, way: Sequence[int]) -> Needs:
    chosen = list(zip(card.requirements, way, strict=True))
    return Needs(
        total=_wanted(way),
        plain=_wanted(symbol for requirement, symbol in chosen if not requirement.adjacent),
        arrows=_wanted(symbol for requirement, symbol in chosen if requirement.adjacent),
    )


def _wanted(symbols: Iterable[int]) -> Wanted:
    return tuple(sorted(Counter(symbols).items()))


def met(wanted: Wanted, visible: Sequence[int]) -> int:
    """How many of the wanted symbols are visible; each visible one meets one."""
    return sum(min(count, visible[symbol]) for symbol, count in wanted)


def most_met(ways: Sequence[Needs], visible: Sequence[int]) -> int:
    """How many requirements the best decision of the slashes meets; the others are missing."""
    if len(ways) == 1:
        return met(ways[0].total, visible)
    return max(met(needs.total, visible) for needs in ways)


def symbols_used(wanted: Wanted, visible: Sequence[int]) -> int:
    """The set of symbols that meet at least one of the wanted ones."""
    used = 0
    for symbol, _ in wanted:
        if visible[symbol]:
            used |= 1 << symbol
    return used


def arrows_shown(needs: Needs, visible: Sequence[int], beside: Sequence[int]) -> bool:
    """Whether neighbouring columns show the arrow symbols that are not ignored, at least one of them met (M20).

    Args:
        needs: decided so that as many requirements as possible are met.
        visible: how often each symbol is visible in the whole meadow.
        beside: how often in the columns next to the place.
    """
    arrows, total = dict(needs.arrows), dict(needs.total)
    shown = False
    for symbol, count in arrows.items():
        missing = max(0, total[symbol] - visible[symbol])
        # what is missing of a symbol may be ignored among its arrows first: they need not be beside then
        if beside[symbol] < count - missing:
            return False
        shown = shown or beside[symbol] > 0
    return shown


def missing_requirements(card: Card, ways: Sequence[Needs], visible: Sequence[int]) -> tuple[int, ...]:
    """Numbers of the card's requirements that a best matching leaves unmet; of equal ones the later ones."""
    most = most_met(ways, visible)
    choices = product(*(requirement.symbols for requirement in card.requirements))
    for way in choices:
        if met(_wanted(way), visible) == most:
            left = list(visible)
            unmet = []
            for number, symbol in enumerate(way):
                left[symbol] -= 1
                if left[symbol] < 0:
                    unmet.append(number)
            return tuple(unmet)
    return ()
