"""A game in memory: its records, who waits for it, and what it was at any version."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeVar

from meadow_engine import api

from meadow_server.clocks import NO_PAUSES, Clocks, Pauses
from meadow_server.errors import ApiError
from meadow_server.header import GameHeader, Seats, first_seats, seats_after
from meadow_server.store.base import AT_ONCE, StoredRecord, StoredRequest

R = TypeVar("R", bound=api.Record)
MICROSECONDS = 1_000_000
NAME_PREFIX = "games/"


def game_name(game_id: bytes) -> str:
    """The resource name of a game."""
    return NAME_PREFIX + game_id.hex()


def now() -> int:
    """The clock, in microseconds since 1970."""
    return time.time_ns() // 1000


class Moment(NamedTuple):
    """A game as it was, or is, at one version.

    Attributes:
        version: number of records.
        status: where the game stands.
        game: the position; None before the start, and where the rules are not supported.
        seats: who sits where.
        ending: what ended the game before its rules did; None while it runs, and if it was played to its end.
    """

    version: int
    status: api.Status
    game: api.Game | None
    seats: Seats
    ending: api.Departure | None = None

    @property
    def pending_seat(self) -> int | None:
        """The seat that has to choose; None when nobody has to."""
        if self.status is not api.Status.RUNNING or self.game is None:
            return None
        decision = self.game.decision
        return None if decision is None else decision.seat


class Step(NamedTuple):
    """What a record did, and when it was written, in microseconds since 1970."""

    applied: api.Applied
    time: int


class LiveGame:
    """A game in memory. Positions are never changed in place, so a `Moment` stays true.

    Attributes:
        game_id: 16 bytes.
        header: what never changes.
        history: the engine's side; None where the rules revision or the pack is not supported.
        refusal: why the game cannot be played on, if so.
        steps: every record so far.
        lock: held by whoever changes the game.
        requests: every request that changed it, by id.
        waiters: set whenever the game has changed.
        watching: open streams by seat; the key None is for spectators and the host.
        seen: when a seat's token was last used, microseconds since 1970.
        busy: bots that are thinking about it; such a game stays in memory.
        leased: whether work that is due is this server's to do, as far as it knows.
        behind: whether the journal may hold records that are missing here.
        deleted: whether the game is gone.
        kept_records: the latest records that everybody sees alike, as the wire writes them.
        hashes: of the state after each record, once somebody asked for them at the end.
        host_generation: host tokens of an earlier one are void.
        clocks: the seats' time; None if the game has none or cannot be played on.
    """

    def __init__(
        self,
        game_id: bytes,
        header: GameHeader,
        history: api.History | None,
        refusal: ApiError | None,
        pauses: Pauses = NO_PAUSES,
    ) -> None:
        self.game_id = game_id
        self.name = game_name(game_id)
        self.header = header
        self.history = history
        self.refusal = refusal
        self.steps: list[Step] = []
        self.seats = first_seats(header.seats)
        self.host_generation = 0
        self.status = api.Status.OPEN
        self.lock = asyncio.Lock()
        self.requests: dict[bytes, StoredRequest] = {}
        self.waiters: set[asyncio.Event] = set()
        self.watching: Counter[int | None] = Counter()
        self.seen: dict[int, int] = {}
        self.used = time.monotonic()
        self.busy = 0
        self.leased = False
        self.behind = False
        self.deleted = False
        self.hashes: Sequence[bytes] = ()
        self.kept_records: dict[int, bytes] = {}
        rules = header.clock_rules
        self.clocks = None if rules is None or history is None else Clocks(rules, len(header.seats), pauses)

    @property
    def version(self) -> int:
        """How many records there are."""
        return len(self.steps)

    @property
    def ended(self) -> bool:
        """Whether nothing more can happen."""
        return self.status in {api.Status.FINISHED, api.Status.ABORTED}

    @property
    def family(self) -> str:
        """The family of games that it belongs to."""
        return api.variant(self.header.variant).family

    @property
    def updated(self) -> int:
        """When the last record was written, microseconds since 1970."""
        return self.steps[-1].time if self.steps else self.header.time

    def moment(self) -> Moment:
        """The game as it is."""
        history = self.history
        if history is None:
            return Moment(self.version, self.status, None, self.seats)
        return Moment(self.version, self.status, history.game, self.seats, history.ending)

    def due(self) -> int | None:
        """From when on the server itself has something to do, microseconds since 1970; None for never."""
        return _due(self.moment(), self.clocks, now())

    def due_after(self, change: api.Change, when: int) -> int | None:
        """The same after a prepared change, if it is written at that moment."""
        seats, clocks = self.seats, None if self.clocks is None else self.clocks.copy()
        for applied in change.applied:
            seats = seats_after(seats, applied.record)
            if clocks is not None:
                clocks.note(applied, when, seats)
        version = self.version + len(change.applied)
        return _due(Moment(version, change.status, change.game, seats, change.ending), clocks, when)

    def playable(self) -> api.History:
        """The engine's side.

        Raises:
            ApiError: the rules revision or the pack is not supported.
        """
        if self.history is None:
            raise self.refusal or ApiError("RULES_REVISION_UNSUPPORTED", "this server cannot play the game on")
        return self.history

    def commit(self, change: api.Change, when: int) -> None:
        """Make a prepared change true and tell everybody who waits."""
        self.playable().commit(change)
        for applied in change.applied:
            self._note(applied, when)
        self.status = change.status
        self.announce()

    def replay(self, records: Sequence[StoredRecord]) -> None:
        """Apply records out of the journal. Slow: call it off the event loop, or for a few records."""
        for stored in records:
            record = api.decode_record(stored.payload)
            if self.history is None:
                self._note(api.Applied(record), stored.time)
            else:
                self._note(self.history.apply(record), stored.time)
                self.status = self.history.status

    def count_time(self) -> None:
        """Count the seats' time anew from the records, as pauses have become known that lie in the past."""
        if self.clocks is None:
            return
        clocks, seats = self.clocks.anew(), first_seats(self.header.seats)
        for step in self.steps:
            seats = seats_after(seats, step.applied.record)
            clocks.note(step.applied, step.time, seats)
        self.clocks = clocks

    def remember(self, requests: Sequence[StoredRequest]) -> None:
        """Know what these requests did."""
        self.requests.update((request.request_id, request) for request in requests)

    def records_of(self, *kinds: type[R]) -> Iterator[R]:
        """Its records of these kinds, in order."""
        return (step.applied.record for step in self.steps if isinstance(step.applied.record, kinds))

    def announce(self) -> None:
        """Wake everybody who waits for a change."""
        for waiter in self.waiters:
            waiter.set()

    async def moment_at(self, version: int) -> Moment:
        """The game as it was; replayed in a thread when it is not the present."""
        if version == self.version:
            return self.moment()
        history, steps = self.playable(), self.steps[:version]
        return await asyncio.to_thread(_replayed, history.config, self.header, [step.applied.record for step in steps])

    def _note(self, applied: api.Applied, when: int) -> None:
        self.seats = seats_after(self.seats, applied.record)
        match applied.record:
            case api.HostTokenReplaced(generation):
                self.host_generation = generation
        self.steps.append(Step(applied, when))
        if self.clocks is not None:
            self.clocks.note(applied, when, self.seats)


def _due(moment: Moment, clocks: Clocks | None, when: int) -> int | None:
    seat = moment.pending_seat
    if seat is not None and moment.seats[seat].bot:
        return AT_ONCE
    return None if clocks is None else clocks.due(when)


def _replayed(config: api.GameConfig, header: GameHeader, records: Sequence[api.Record]) -> Moment:
    history, seats = api.History(config), first_seats(header.seats)
    for record in records:
        history.apply(record)
        seats = seats_after(seats, record)
    return Moment(history.version, history.status, history.game, seats, history.ending)
