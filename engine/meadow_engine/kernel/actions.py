"""The action space: a bijection between the ids 0 .. size-1 and typed actions.

An action is a frozen dataclass, one type per kind of decision. The space of a game family is an ordered tuple of
blocks; each block numbers all actions of one type, so ids never depend on the position, the options or the seats.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import compress
from typing import Any, Generic, TypeVar

from meadow_engine.kernel.errors import IllegalAction

A = TypeVar("A")

UNKNOWN_ACTION = "UNKNOWN_ACTION"
_NUMBERS = list(range(1 << 12))
"""Numbers made once: making them anew for every legal list took more than half of its time."""
_ZERO_ONE = bytes.maketrans(b"01", b"\x00\x01")


@dataclass(frozen=True, slots=True)
class Block(Generic[A]):
    """The actions of one type.

    Attributes:
        action_type: the dataclass.
        size: how many actions there are.
        number: the place of an action within the block; ValueError if it has none.
        action: the action at a place within the block.
    """

    action_type: type[A]
    size: int
    number: Callable[[A], int]
    action: Callable[[int], A]


class ActionSpace:
    """Ids and typed actions of one family and pack."""

    def __init__(self, blocks: Sequence[Block[Any]]) -> None:
        self._blocks = tuple(blocks)
        self._starts: dict[type, int] = {}
        self.size = 0
        for block in self._blocks:
            self._starts[block.action_type] = self.size
            self.size += block.size

    def start(self, action_type: type) -> int:
        """The first id of a type of action."""
        return self._starts[action_type]

    def action(self, action_id: int) -> Any:
        """The action of an id.

        Raises:
            IllegalAction: the id lies outside the space.
        """
        self.check_id(action_id)
        block = next(block for block in reversed(self._blocks) if action_id >= self._starts[block.action_type])
        return block.action(action_id - self._starts[block.action_type])

    def check_id(self, action_id: int) -> None:
        """IllegalAction if the id lies outside the space."""
        if not 0 <= action_id < self.size:
            raise IllegalAction(UNKNOWN_ACTION, f"action ids run from 0 to {self.size - 1}", action_id=action_id)

    def action_id(self, action: object) -> int:
        """The id of an action.

        Raises:
            IllegalAction: the action names something that does not exist, such as a space off the map.
        """
        for block in self._blocks:
            if isinstance(action, block.action_type):
                try:
                    return self._starts[block.action_type] + block.number(action)
                except ValueError as error:
                    raise IllegalAction(UNKNOWN_ACTION, str(error)) from None
        raise IllegalAction(UNKNOWN_ACTION, f"{type(action).__name__} is no action of this game")


def ids_of(mask: int, start: int) -> list[int]:
    """``start`` + the places of the set bits, ascending. The cost hardly depends on how many bits are set."""
    flags = bin(mask)[:1:-1].encode().translate(_ZERO_ONE)
    end = start + len(flags)
    if end > len(_NUMBERS):
        _NUMBERS.extend(range(len(_NUMBERS), end))
    return list(compress(_NUMBERS[start:end], flags))


def packed_mask(ids: Sequence[int], size: int) -> bytes:
    """A bit per id, lowest bit of the first byte first; ``(size + 7) // 8`` bytes."""
    mask = 0
    for action_id in ids:
        mask |= 1 << action_id
    return mask.to_bytes((size + 7) // 8, "little")
