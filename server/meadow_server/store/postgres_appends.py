"""Appends to the PostgreSQL journal: those that come while others are being written share a statement and its commit.

An append that is refused is refused alone. Where a statement fails as a whole, because another server used a request id
or locked games in another order at the same moment, its appends are written one by one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from psycopg import errors

from meadow_server.store import postgres_statements as sql
from meadow_server.store.base import (
    Append,
    RequestTaken,
    StoredRecord,
    StoredRequest,
    StoreUnavailable,
    VersionTaken,
    Write,
)

AT_A_TIME = 2
"""Statements under way: one travels and is worked out while the other waits for the disk."""
MOST_APPENDS = 128
NULL = "NULL"


class Journal(NamedTuple):
    """What appends need of the store.

    Attributes:
        rows: runs a statement and answers its rows.
        find_request: see `Store`.
        lease: whose work a game's is that is due at some time, and until when.
    """

    rows: Callable[[str, Mapping[str, Any]], Awaitable[list[Any]]]
    find_request: Callable[[bytes], Awaitable[StoredRequest | None]]
    lease: Callable[[int | None, int], tuple[bytes | None, int]]


class _Waiting(NamedTuple):
    append: Append
    done: Write


class Appends:
    """Writes appends."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._waiting: list[_Waiting] = []
        self._under_way: set[asyncio.Task[None]] = set()

    def write(self, append: Append) -> Write:
        """Write an append; see `Store.append`."""
        loop = asyncio.get_running_loop()
        done = Write(loop=loop)
        if not self._waiting:
            # those of the same turn of the loop go together
            loop.call_soon(self._start)
        self._waiting.append(_Waiting(append, done))
        return done

    def _start(self) -> None:
        while self._waiting and len(self._under_way) < AT_A_TIME:
            task = asyncio.create_task(self._write(self._group()))
            self._under_way.add(task)
            task.add_done_callback(self._finished)

    def _finished(self, task: asyncio.Task[None]) -> None:
        self._under_way.discard(task)
        self._start()

    def _group(self) -> list[_Waiting]:
        """Take the appends for one statement: each game and each request once."""
        group: list[_Waiting] = []
        rest: list[_Waiting] = []
        taken: set[bytes] = set()
        for waiting in self._waiting:
            request = waiting.append.request
            keys = {waiting.append.game_id} | ({request.request_id} if request else set())
            if len(group) < MOST_APPENDS and not keys & taken:
                taken |= keys
                group.append(waiting)
            else:
                rest.append(waiting)
        self._waiting = rest
        # whoever locks rows in one order never waits for whoever waits for them
        return sorted(group, key=lambda waiting: waiting.append.game_id)

    async def _write(self, group: Sequence[_Waiting]) -> None:
        try:
            refused = await self._refused([waiting.append for waiting in group])
        except StoreUnavailable as error:
            outcomes: list[Exception | None] = [error] * len(group)
        except Exception as error:  # noqa: BLE001 (whatever it is, it belongs to those who wait)
            outcomes = [error] * len(group)
        else:
            outcomes = refused
        for waiting, outcome in zip(group, outcomes, strict=True):
            if outcome is None:
                waiting.done.set_result(None)
            else:
                waiting.done.set_exception(outcome)

    async def _refused(self, appends: Sequence[Append]) -> list[Exception | None]:
        """Write appends; answers for each why it was refused, if it was."""
        try:
            moved = {game_id for (game_id,) in await self._journal.rows(sql.APPEND, self._values(appends))}
        except errors.UniqueViolation:
            moved = set()
            if len(appends) > 1:
                return [(await self._refused([append]))[0] for append in appends]
        except StoreUnavailable as error:
            if len(appends) == 1 or not isinstance(error.__cause__, errors.DeadlockDetected):
                raise
            return [(await self._refused([append]))[0] for append in appends]
        return [None if append.game_id in moved else await self._why(append) for append in appends]

    async def _why(self, append: Append) -> Exception:
        known = None if append.request is None else await self._journal.find_request(append.request.request_id)
        return VersionTaken() if known is None else RequestTaken(known)

    def _values(self, appends: Sequence[Append]) -> dict[str, str]:
        """Appends as arrays: one item for each append, or for each of their records."""
        summaries = [append.summary for append in appends]
        requests = [append.request for append in appends]
        leases = [self._journal.lease(append.summary.due, append.records[-1].time) for append in appends]
        return record_columns([(append.game_id, append.base_version, append.records) for append in appends]) | {
            "games": array(quoted(append.game_id) for append in appends),
            "bases": array(str(append.base_version) for append in appends),
            "ends": array(str(append.base_version + len(append.records)) for append in appends),
            "updates": array(str(append.records[-1].time) for append in appends),
            "states": array(summary.state for summary in summaries),
            "dues": array(NULL if summary.due is None else str(summary.due) for summary in summaries),
            "holders": array(NULL if holder is None else quoted(holder) for holder, _ in leases),
            "leases": array(str(until) for _, until in leases),
            "requests": array(NULL if request is None else quoted(request.request_id) for request in requests),
            "prints": array(NULL if request is None else quoted(request.fingerprint) for request in requests),
            "afters": array(NULL if request is None else str(request.version) for request in requests),
        }


def record_columns(games: Iterable[tuple[bytes, int, Sequence[StoredRecord]]]) -> dict[str, str]:
    """Records of games, each after a version, as arrays of their columns."""
    rows = [
        (game_id, version, record)
        for game_id, base, records in games
        for version, record in enumerate(records, base + 1)
    ]
    return {
        "record_games": array(quoted(game_id) for game_id, _, _ in rows),
        "record_versions": array(str(version) for _, version, _ in rows),
        "times": array(str(record.time) for _, _, record in rows),
        "lobbies": array(str(record.lobby) for _, _, record in rows),
        "payloads": array(quoted(record.payload) for _, _, record in rows),
    }


def array(items: Iterable[str]) -> str:
    """An array in the database's own notation; psycopg takes long to find out what a list holds."""
    return f"{{{','.join(items)}}}"


def quoted(value: bytes) -> str:
    """Bytes as an item of an array."""
    return f'"\\\\x{value.hex()}"'
