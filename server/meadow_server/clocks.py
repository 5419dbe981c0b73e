"""The time that seats have: counted from the records and the times they were written, so that it survives a restart.

A clock runs from the record that made the game wait for a seat to the record that ended the wait. Times while no server
was up do not count; the journal keeps them (`Store.beat`). All times are microseconds since 1970.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from meadow_engine import api

from meadow_server.header import ClockRules, Seats


class Pauses:
    """The times while no server was up, in order and apart from each other."""

    def __init__(self, pauses: Sequence[tuple[int, int]] = ()) -> None:
        self._pauses = list(pauses)

    def learn(self, pauses: Sequence[tuple[int, int]]) -> None:
        """Take over what the journal knows now."""
        self._pauses = list(pauses)

    def within(self, start: int, end: int) -> int:
        """How much of a time was paused."""
        after = bisect_right(self._pauses, (end, end))
        paused = 0
        for begin, stop in reversed(self._pauses[:after]):
            if stop <= start:
                break
            paused += min(stop, end) - max(begin, start)
        return paused


NO_PAUSES = Pauses()


class TimeLeft(NamedTuple):
    """What a seat has left, in microseconds, and whether its clock runs."""

    decision: int
    bank: int
    running: bool


class Clocks:
    """The clocks of one game.

    Attributes:
        running: the seat whose clock runs; None if none does.
    """

    def __init__(self, rules: ClockRules, seats: int, pauses: Pauses) -> None:
        self._rules = rules
        self._pauses = pauses
        self._decision = [rules.decision] * seats
        self._bank = [rules.bank] * seats
        self._retaking = [False] * seats
        self._pending: int | None = None
        self._since = 0
        self.running: int | None = None

    def note(self, applied: api.Applied, when: int, seats: Seats) -> None:
        """Count a record: `seats` is who sits where after it."""
        if self.running is not None:
            left = self.left(self.running, when)
            self._decision[self.running], self._bank[self.running] = max(left.decision, 0), max(left.bank, 0)
        self._since = max(when, self._since)
        match applied.record:
            case api.Started():
                self._wait_for(applied.pending, renewed=True)
            case api.ActionTaken(seat, _):
                # whoever takes a choice back must not win time by choosing again
                again = applied.pending == seat and self._retaking[seat] and not applied.settled
                self._wait_for(applied.pending, renewed=not again)
            case api.ActionsUndone(seat, _):
                self._retaking[seat] = True
                self._pending = seat
            case api.Aborted() | api.GameEnded():
                self._pending = None
        self.running = None if self._pending is None or seats[self._pending].bot else self._pending

    def left(self, seat: int, when: int) -> TimeLeft:
        """What a seat has left at a time not before the last record; the bank is below zero once the clock ran out."""
        decision, bank, running = self._decision[seat], self._bank[seat], seat == self.running
        spent = 0
        if running and when > self._since:
            spent = when - self._since - self._pauses.within(self._since, when)
        beyond = max(spent - decision, 0)
        return TimeLeft(decision - spent + beyond, bank - beyond, running)

    def until_expiry(self, when: int) -> int | None:
        """How long until the running clock runs out; not above zero if it has, None if none runs."""
        if self.running is None:
            return None
        left = self.left(self.running, when)
        return left.decision + left.bank

    def _wait_for(self, seat: int | None, *, renewed: bool) -> None:
        self._pending = seat
        if seat is not None and renewed:
            self._decision[seat] = self._rules.decision
            self._retaking[seat] = False
