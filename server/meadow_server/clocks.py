"""The time that seats have: counted from the records and the times they were written, so that it survives a restart.

A clock runs from the record that made the game wait for a seat to the record that ended the wait. Times while no server
was up do not count; the journal keeps them, see `Store.beat`. All times are in microseconds, moments since 1970.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import NamedTuple

from meadow_engine import api

from meadow_server.header import ClockRules, Seats
from meadow_server.store.base import Pause


class Pauses:
    """The times while no server was up, in order and apart from each other."""

    def __init__(self, pauses: Sequence[Pause] = ()) -> None:
        self._pauses = list(pauses)

    def learn(self, pauses: Sequence[Pause]) -> bool:
        """Take over what the journal knows now; answers whether that is anything new."""
        before, self._pauses = self._pauses, list(pauses)
        return self._pauses != before

    def within(self, start: int, end: int) -> int:
        """How much of a time was paused."""
        paused = 0
        for pause in reversed(self._pauses[: bisect_left(self._pauses, (end, end))]):
            if pause.end <= start:
                break
            paused += min(pause.end, end) - max(pause.start, start)
        return paused


NO_PAUSES = Pauses()


class TimeLeft(NamedTuple):
    """What a seat has left.

    Attributes:
        decision: of the time of its decision.
        bank: below zero once the clock has run out.
        running: whether its clock runs.
    """

    decision: int
    bank: int
    running: bool


class Clocks:
    """The clocks of one game, as of its last record.

    Attributes:
        running: the seat whose clock runs; None if none does.
    """

    def __init__(self, rules: ClockRules, seats: int, pauses: Pauses) -> None:
        self.rules = rules
        self.running: int | None = None
        self._pauses = pauses
        self._decision = [rules.decision] * seats
        self._bank = [rules.bank] * seats
        self._retaking = [False] * seats
        self._pending: int | None = None
        self._since = 0

    def anew(self) -> Clocks:
        """The same clocks before the first record."""
        return Clocks(self.rules, len(self._bank), self._pauses)

    def copy(self) -> Clocks:
        """Clocks that go on from here on their own."""
        other = Clocks(self.rules, len(self._bank), self._pauses)
        other.running, other._pending, other._since = self.running, self._pending, self._since
        other._decision[:], other._bank[:], other._retaking[:] = self._decision, self._bank, self._retaking
        return other

    def note(self, applied: api.Applied, when: int, seats: Seats) -> None:
        """Count a record.

        Args:
            applied: what it did.
            when: it was written.
            seats: who sits where after it.
        """
        if self.running is not None:
            left = self.left(self.running, when)
            self._decision[self.running], self._bank[self.running] = left.decision, max(left.bank, 0)
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
        """What a seat has left at a moment that is not before the last record."""
        if seat != self._pending:
            return TimeLeft(self.rules.decision, self._bank[seat], running=False)
        running, spent = seat == self.running, 0
        if running and when > self._since:
            spent = when - self._since - self._pauses.within(self._since, when)
        beyond = max(spent - self._decision[seat], 0)
        return TimeLeft(self._decision[seat] - spent + beyond, self._bank[seat] - beyond, running)

    def due(self, when: int) -> int | None:
        """When the running clock runs out, as far as is known at a moment; None if none runs."""
        if self.running is None:
            return None
        left = self.left(self.running, when)
        return when + left.decision + left.bank

    def _wait_for(self, seat: int | None, *, renewed: bool) -> None:
        self._pending = seat
        if seat is not None and renewed:
            self._decision[seat] = self.rules.decision
            self._retaking[seat] = False
