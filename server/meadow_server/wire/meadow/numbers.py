"""How the API numbers what the engine numbers otherwise.

The enums of the API number everything from 1, as zero means "not given"; the engine counts from 0 and writes -1 for
none.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from meadow_api.v1 import common_pb2

NONE = -1
DECK_OFFSET = 1
KIND_OFFSET = 1
SYMBOL_OFFSET = 1


def known(number: int) -> int | None:
    """A card, spot or place; None for none or a hidden one."""
    return number if number >= 0 else None


def symbols(numbers: Iterable[int]) -> list[Any]:
    """Symbols as the API numbers them."""
    return [number + SYMBOL_OFFSET for number in numbers]


def decks(numbers: Iterable[int]) -> list[Any]:
    """Decks as the API numbers them."""
    return [number + DECK_OFFSET for number in numbers]


def point(at: tuple[float, float]) -> common_pb2.Point:
    """A place on a board."""
    return common_pb2.Point(x=at[0], y=at[1])


def points(places: Iterable[tuple[float, float]]) -> list[common_pb2.Point]:
    """Places on a board."""
    return [point(at) for at in places]
