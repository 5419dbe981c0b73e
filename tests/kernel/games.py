"""A tiny game for the kernel's own tests: seats take turns to take 1 to 3 from a heap, or to turn up hidden cards.

It has what the kernel is about and nothing else: steps and decisions, refusals, hidden cards, events, an end.
"""

# ruff: noqa: D102 - a frame's methods are described once, in the kernel's Step and Decision

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

from meadow_engine.kernel import codec
from meadow_engine.kernel.actions import ActionSpace, Block
from meadow_engine.kernel.errors import IllegalAction
from meadow_engine.kernel.events import Event
from meadow_engine.kernel.stack import Decision, Frame, Output, Step
from meadow_engine.kernel.zones import HiddenPile

TURN_UP = 3


@dataclass(frozen=True, slots=True)
class Take:
    """Take so many from the heap."""

    count: int


@dataclass(frozen=True, slots=True)
class TurnUp:
    """Turn up a card; a card above 0 is followed by another by itself."""


def _number(action: Take) -> int:
    if not 1 <= action.count <= TURN_UP:
        raise ValueError("take one to three")
    return action.count - 1


SPACE = ActionSpace(
    [Block(Take, TURN_UP, _number, lambda n: Take(n + 1)), Block(TurnUp, 1, lambda _: 0, lambda _: TurnUp())]
)


@dataclass(frozen=True, slots=True)
class Taken(Event):
    """A seat took some."""

    seat: int
    count: int


@dataclass(frozen=True, slots=True)
class Shown(Event):
    """A card came up."""

    card: int


@dataclass(slots=True)
class Heap:
    """The state: a heap of counters and a pile of cards."""

    heap: int
    cards: HiddenPile
    stack: list[Frame[Any]] = field(default_factory=list)
    seen: list[int] = field(default_factory=list)
    note: bytes = b""
    last: Take | None = None
    label: str = field(default="", metadata=codec.UNSAVED, compare=False)
    out: Output = field(default_factory=Output, metadata=codec.UNSAVED, compare=False)

    def clone(self) -> Heap:
        """An independent copy."""
        return Heap(self.heap, self.cards.clone(), self.stack.copy(), self.seen.copy(), self.note, self.last)


@dataclass(frozen=True, slots=True)
class Turn(Step[Heap]):
    """A seat's turn; the game ends with the heap."""

    seat: int

    def run(self, state: Heap) -> None:
        if state.heap:
            state.stack += [Turn(1 - self.seat), Choice(self.seat)]


@dataclass(frozen=True, slots=True)
class ShowCard(Step[Heap]):
    """Turn up a card, and another after each card above 0."""

    def run(self, state: Heap) -> None:
        card = state.out.draw(state.cards)
        state.seen.append(card)
        state.out.emit(Shown(card))
        if card and state.cards:
            state.stack.append(ShowCard())


@dataclass(frozen=True, slots=True)
class Choice(Decision[Heap]):
    """Take one to three, or turn up."""

    kind: ClassVar[str] = "choice"
    seat: int

    def legal_ids(self, state: Heap) -> list[int]:
        return list(range(min(TURN_UP, state.heap))) + ([TURN_UP] if state.cards else [])

    def check(self, state: Heap, action_id: int) -> int:
        if action_id not in self.legal_ids(state):
            raise IllegalAction("NOT_THERE", "there is not as much as that", action_id=action_id)
        return action_id

    def take(self, state: Heap, action_id: int) -> None:
        if action_id == TURN_UP:
            state.stack.append(ShowCard())
            return
        state.last = Take(action_id + 1)
        state.heap -= action_id + 1
        state.out.emit(Taken(self.seat, action_id + 1))


KNOWN = codec.classes(Heap, HiddenPile, Turn, ShowCard, Choice, Take)


def heap(counters: int = 7, *cards: int) -> Heap:
    """A game before its first step."""
    return Heap(counters, HiddenPile(list(cards)), [Turn(0)])
