"""The stack of pending work: the whole control flow of every game.

A `Step` runs now; a `Decision` waits for a seat. Both are small frozen frames that hold ids and counts only, so that a
state is copied by copying a list and saved by writing frames by name. Turns, rounds, nested plays and dummy players
are all frames that push frames.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from meadow_engine.kernel.errors import BadChance, GameOver
from meadow_engine.kernel.events import Event
from meadow_engine.kernel.zones import HiddenPile


@dataclass(slots=True)
class Output:
    """What applying one action gave, beside the new state.

    Attributes:
        action_id: the id under which the action was listed; equivalent forms of an action share one.
        events: what happened, in order.
        chance: the outcomes drawn, in order: component numbers that nobody knew before.
        given: outcomes to use instead of the pile's own order, last one first; None to draw as the piles lie.
        revealed: whether something that was hidden from the acting seat came to light: a peek, if one could try it out.
        shown: whether the acting seat showed the others something that only it knew.
        knowers: the mask of seats that may know which action it was; None for everybody.
    """

    action_id: int = -1
    events: list[Event] = field(default_factory=list)
    chance: list[int] = field(default_factory=list)
    given: list[int] | None = None
    revealed: bool = False
    shown: bool = False
    knowers: int | None = None

    def emit(self, event: Event) -> None:
        """Note an event."""
        self.events.append(event)

    def draw(self, pile: HiddenPile) -> int:
        """Draw the top of a pile: a chance outcome, whoever may see it.

        Raises:
            BadChance: the outcomes given have run out, or name a component that the pile does not hold.
        """
        self._arrange(pile, 0)
        item = pile.pop()
        self._note(item)
        return item

    def look(self, pile: HiddenPile, seat: int, count: int) -> list[int]:
        """Show a seat the top components of a pile, topmost first: chance outcomes, as `draw` has them."""
        count = min(count, len(pile))
        for depth in range(count):
            self._arrange(pile, depth)
        items = pile.look(seat, count)
        for item in items:
            self._note(item)
        return items

    def _arrange(self, pile: HiddenPile, depth: int) -> None:
        if self.given is not None and (not self.given or not pile.hoist(self.given.pop(), depth)):
            raise BadChance("the given outcomes do not fit what the pile holds")

    def _note(self, item: int) -> None:
        self.chance.append(item)
        self.revealed = True


class Stacked(Protocol):
    """What the kernel needs of a game's state."""

    stack: list[Frame[Any]]
    out: Output


S = TypeVar("S", bound=Stacked)


class Frame(Generic[S]):
    """One piece of pending work."""

    __slots__ = ()
    waits: ClassVar[bool]


class Step(Frame[S]):
    """Work that needs no choice."""

    __slots__ = ()
    waits = False

    def run(self, state: S) -> None:
        """Do it: change the state, emit events, push frames."""
        raise TypeError(f"{type(self).__name__} does not say how it runs")


class Decision(Frame[S]):
    """A choice that a seat has to make.

    Attributes:
        kind: stable name of the kind of decision.
        seat: who chooses.
    """

    __slots__ = ()
    waits = True
    kind: ClassVar[str]
    seat: int

    def legal_ids(self, state: S) -> list[int]:
        """The ids of all legal actions, ascending, each once; never empty."""
        raise TypeError(f"{type(self).__name__} does not list its actions")

    def check(self, state: S, action_id: int) -> int:
        """The id under which the action is listed (equivalent forms share one).

        Raises:
            IllegalAction: the action may not be taken; nothing has changed.
        """
        raise TypeError(f"{type(self).__name__} does not check its actions")

    def take(self, state: S, action_id: int) -> None:
        """Carry out a checked action. The frame is off the stack already."""
        raise TypeError(f"{type(self).__name__} does not take its actions")


def run(state: Stacked) -> None:
    """Run steps until a decision is on top or nothing is left: the end of the game."""
    stack = state.stack
    while stack and not stack[-1].waits:
        step = stack.pop()
        step.run(state)  # type: ignore[attr-defined]


def pending(state: Stacked) -> Decision[Any] | None:
    """The decision on top of the stack; None when the game is over."""
    top = state.stack[-1] if state.stack else None
    return top if isinstance(top, Decision) else None


def apply(state: Stacked, action_id: int, given: list[int] | None = None) -> Output:
    """Take an action for the seat that has to choose, then run on to the next decision.

    Args:
        state: changed in place; untouched if the action is refused.
        action_id: any id of the game's action space.
        given: chance outcomes to use instead of the piles' own order.

    Raises:
        GameOver: nothing is left to choose.
        IllegalAction: the action may not be taken now.
        BadChance: the given outcomes are impossible; the state is then no longer usable, so apply to a clone.
    """
    decision = pending(state)
    if decision is None:
        raise GameOver("the game has ended")
    listed = decision.check(state, action_id)
    state.out = out = Output(listed, given=None if given is None else given[::-1])
    state.stack.pop()
    decision.take(state, listed)
    run(state)
    if out.given:
        raise BadChance(f"{len(out.given)} of the given outcomes were not drawn")
    return out
