"""One thread that writes a SQLite database, many writes to a commit.

Handing work between threads costs more than the work: each statement gives up the interpreter's lock and has to get it
back. So the jobs of one turn of the loop are handed over together, those that come while a commit is under way share
the next one, and entries are written all in one statement. A job that comes alone never waits for others.

A job that is refused is undone alone, in a savepoint of its own, and never fails the others of its group. Futures are
resolved only after the commit, which with `synchronous=FULL` means after the disk has it.
"""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import Callable, Sequence
from queue import SimpleQueue
from typing import Any, Generic, NamedTuple, TypeVar

from meadow_server.store.base import StoreUnavailable, Write

T = TypeVar("T")
E = TypeVar("E")
MAX_GROUP = 256
PATIENCE_SECONDS = 10.0
"""How long a commit may take before nobody is kept waiting for it any longer."""


class _Job(NamedTuple):
    run: Callable[[sqlite3.Connection], Any]
    future: asyncio.Future[Any]
    entry: Any = None


class GroupWriter(Generic[E]):
    """Runs jobs on one connection in one thread.

    Args:
        connection: used by that thread alone, and closed by it.
        loop: the loop that waits for the jobs.
        write_one: writes an entry, or raises why it is refused.
        write_all: writes entries in one transaction of its own; False, and nothing written, if one is to be refused or
            they are too many.
    """

    def __init__(
        self,
        connection: sqlite3.Connection,
        loop: asyncio.AbstractEventLoop,
        write_one: Callable[[sqlite3.Connection, E], None],
        write_all: Callable[[sqlite3.Connection, Sequence[E]], bool],
    ) -> None:
        self._connection = connection
        self._loop = loop
        self._write_one = write_one
        self._write_all = write_all
        self._waiting: list[_Job] = []
        self._under_way: list[_Job] = []
        self._alarm: asyncio.TimerHandle | None = None
        self._stuck = False
        self._groups: SimpleQueue[list[_Job] | None] = SimpleQueue()
        self._closed = False
        self._thread = threading.Thread(target=self._work, name="journal-writer", daemon=True)
        self._thread.start()

    async def run(self, job: Callable[[sqlite3.Connection], T]) -> T:
        """Run a job inside a transaction and wait until it is on disk; its exceptions are the caller's.

        Raises:
            StoreUnavailable: the database failed; the job may or may not be on disk.
        """
        future: asyncio.Future[T] = self._loop.create_future()
        self._give(_Job(job, future))
        return await future

    def write(self, entry: E) -> Write:
        """Write an entry; done when it is on disk. See `run` for what it raises."""
        write = Write(loop=self._loop)
        self._give(_Job(lambda connection: self._write_one(connection, entry), write, entry))
        return write

    async def close(self) -> None:
        """Finish the jobs given so far and end the thread."""
        self._closed = True
        while self._waiting:
            self._hand_over()
        self._groups.put(None)
        await self._loop.run_in_executor(None, self._thread.join)

    def _give(self, job: _Job) -> None:
        if self._closed:
            raise StoreUnavailable("the journal is closed")
        if self._stuck:
            raise StoreUnavailable("the disk does not answer")
        if not (self._waiting or self._under_way):
            self._loop.call_soon(self._hand_over)
        self._waiting.append(job)

    def _hand_over(self) -> None:
        if self._waiting:
            self._under_way, self._waiting = self._waiting[:MAX_GROUP], self._waiting[MAX_GROUP:]
            self._alarm = self._loop.call_later(PATIENCE_SECONDS, self._lose_patience)
            self._groups.put(self._under_way)

    def _work(self) -> None:
        while (group := self._groups.get()) is not None:
            outcomes = self._commit(group)
            self._loop.call_soon_threadsafe(self._resolve, group, outcomes)
        self._connection.close()

    def _commit(self, group: list[_Job]) -> list[tuple[Any, BaseException | None]]:
        connection = self._connection
        entries = [job.entry for job in group if job.entry is not None]
        try:
            # one statement is its own transaction
            if len(entries) == len(group) and self._write_all(connection, entries):
                return [(None, None)] * len(group)
            connection.execute("BEGIN IMMEDIATE")
            outcomes = [_run(connection, job) for job in group]
            connection.execute("COMMIT")
            return outcomes
        except sqlite3.Error as error:
            if connection.in_transaction:
                _rollback(connection)
            failure = StoreUnavailable(f"the journal cannot be written: {error}")
            return [(None, failure)] * len(group)

    def _resolve(self, group: list[_Job], outcomes: list[tuple[Any, BaseException | None]]) -> None:
        self._stuck, self._under_way = False, []
        if self._alarm is not None:
            self._alarm.cancel()
        self._hand_over()
        for job, (value, error) in zip(group, outcomes, strict=True):
            if job.future.done():
                continue
            if error is None:
                job.future.set_result(value)
            else:
                job.future.set_exception(error)

    def _lose_patience(self) -> None:
        """Tell those who wait that the outcome is not known, and from now on everybody at once."""
        self._stuck = True
        jobs, self._waiting = self._under_way + self._waiting, []
        for job in jobs:
            if not job.future.done():
                job.future.set_exception(StoreUnavailable("the disk does not answer"))


def _run(connection: sqlite3.Connection, job: _Job) -> tuple[Any, BaseException | None]:
    connection.execute("SAVEPOINT job")
    try:
        outcome = job.run(connection)
    except sqlite3.OperationalError:
        # the database itself is in trouble (disk full, I/O): that is the whole group's business
        raise
    except Exception as error:  # noqa: BLE001 (whatever a job raises belongs to whoever gave it)
        connection.execute("ROLLBACK TO job")
        connection.execute("RELEASE job")
        return None, error
    connection.execute("RELEASE job")
    return outcome, None


def _rollback(connection: sqlite3.Connection) -> None:
    try:
        connection.execute("ROLLBACK")
    except sqlite3.Error:
        # SQLite has rolled back on its own, as it does when the disk is full
        return
