"""One thread that writes a SQLite database, many writes to a commit.

Each job runs in a savepoint of its own: one that is refused is undone alone and never fails the others of its group.
Futures are resolved only after the commit, which with `synchronous=FULL` means after the disk has it.
"""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import Callable
from queue import Empty, SimpleQueue
from typing import Any, NamedTuple, TypeVar

from meadow_server.store.base import StoreUnavailable

T = TypeVar("T")
MAX_GROUP = 256


class _Job(NamedTuple):
    run: Callable[[sqlite3.Connection], Any]
    future: asyncio.Future[Any]


class GroupWriter:
    """Runs jobs on one connection in one thread."""

    def __init__(self, connection: sqlite3.Connection, loop: asyncio.AbstractEventLoop) -> None:
        self._connection = connection
        self._loop = loop
        self._jobs: SimpleQueue[_Job | None] = SimpleQueue()
        self._closed = False
        self._thread = threading.Thread(target=self._work, name="journal-writer", daemon=True)
        self._thread.start()

    async def run(self, job: Callable[[sqlite3.Connection], T]) -> T:
        """Run a job inside a transaction and wait until it is on disk; its exceptions are the caller's.

        Raises:
            StoreUnavailable: the database failed; the job may or may not be on disk.
        """
        if self._closed:
            raise StoreUnavailable("the journal is closed")
        future: asyncio.Future[T] = self._loop.create_future()
        self._jobs.put(_Job(job, future))
        return await future

    async def close(self) -> None:
        """Finish the jobs given so far and end the thread."""
        self._closed = True
        self._jobs.put(None)
        await self._loop.run_in_executor(None, self._thread.join)

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            group = [job]
            last = self._fill(group)
            outcomes = self._commit(group)
            self._loop.call_soon_threadsafe(_resolve, group, outcomes)
            if last:
                break
        self._connection.close()

    def _fill(self, group: list[_Job]) -> bool:
        """Add the jobs that have come in meanwhile; True if the end has come too."""
        try:
            while len(group) < MAX_GROUP:
                job = self._jobs.get_nowait()
                if job is None:
                    return True
                group.append(job)
        except Empty:
            pass
        return False

    def _commit(self, group: list[_Job]) -> list[tuple[Any, BaseException | None]]:
        connection = self._connection
        try:
            connection.execute("BEGIN IMMEDIATE")
            outcomes = [_run(connection, job) for job in group]
            connection.execute("COMMIT")
            return outcomes
        except sqlite3.Error as error:
            if connection.in_transaction:
                _rollback(connection)
            failure = StoreUnavailable(f"the journal cannot be written: {error}")
            return [(None, failure)] * len(group)


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


def _resolve(group: list[_Job], outcomes: list[tuple[Any, BaseException | None]]) -> None:
    for job, (value, error) in zip(group, outcomes, strict=True):
        if job.future.cancelled():
            continue
        if error is None:
            job.future.set_result(value)
        else:
            job.future.set_exception(error)
