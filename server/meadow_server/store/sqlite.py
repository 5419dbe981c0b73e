"""The embedded journal: one SQLite file, durable at each commit, one server at a time."""

from __future__ import annotations

import asyncio
import fcntl
import os
import secrets
import sqlite3
from collections.abc import AsyncGenerator, Callable, Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from functools import cache
from itertools import chain
from pathlib import Path
from typing import TypeVar

from meadow_server.store.base import (
    PATIENCE,
    Age,
    Append,
    JournalFormat,
    JournalInUse,
    ListedGame,
    NewGame,
    Pause,
    Pulse,
    RequestTaken,
    Rules,
    StoredGame,
    StoredRecord,
    StoredRequest,
    StoreUnavailable,
    VersionTaken,
    Write,
)
from meadow_server.store.sqlite_schema import prepare
from meadow_server.store.writer import GroupWriter
from meadow_server.tokens import KEY_BYTES

T = TypeVar("T")
LOCK_SUFFIX = ".lock"
_ENDED = ("FINISHED", "ABORTED")
_LIST = """
SELECT game_id, header, state, version, created FROM games WHERE %s ORDER BY created DESC, game_id DESC LIMIT ?
"""

_AGES = """
SELECT games.game_id, games.version, state, coalesce(time, created) FROM games
LEFT JOIN records ON records.game_id = games.game_id AND records.version = games.version
WHERE games.game_id > ? ORDER BY games.game_id LIMIT ?
"""


class SqliteStore:
    """A journal in one file; open it with `open_store`.

    Attributes:
        shared: no other server writes to it.
    """

    shared = False

    def __init__(self, writer: GroupWriter[Append], reader: sqlite3.Connection, lock: int) -> None:
        self._writer = writer
        self._reader = reader
        self._lock = lock
        self._readers = ThreadPoolExecutor(1, thread_name_prefix="journal-reader")

    async def server_key(self) -> bytes:
        """See `Store`."""

        def job(connection: sqlite3.Connection) -> bytes:
            connection.execute("INSERT OR IGNORE INTO meta VALUES ('server_key', ?)", (secrets.token_bytes(KEY_BYTES),))
            key: bytes = connection.execute("SELECT value FROM meta WHERE key = 'server_key'").fetchone()[0]
            return key

        return await self._writer.run(job)

    async def create(self, game: NewGame, request: StoredRequest | None, creator_limit: int) -> bool:
        """See `Store`."""

        def job(connection: sqlite3.Connection) -> bool:
            _note_request(connection, request)
            ask = "SELECT count(*) FROM games WHERE creator = ? AND state NOT IN (?, ?)"
            if connection.execute(ask, (game.creator, *_ENDED)).fetchone()[0] >= creator_limit:
                _forget_request(connection, request)
                return False
            if connection.execute("SELECT 1 FROM packs WHERE hash = ?", game.pack[:1]).fetchone() is None:
                connection.execute("INSERT INTO packs VALUES (?, ?)", game.pack)
            row = (
                game.game_id,
                len(game.records),
                game.summary.state,
                game.summary.due,
                game.variant,
                game.rules_revision,
                game.public,
                game.join_hash,
                game.creator,
                game.time,
                game.header,
            )
            connection.execute("INSERT INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", row)
            _write_records(connection, game.game_id, 0, game.records)
            return True

        return await self._writer.run(job)

    def append(self, append: Append) -> Write:
        """See `Store`."""
        return self._writer.write(append)

    async def delete(self, game_id: bytes, version: int, request: StoredRequest | None) -> None:
        """See `Store`."""

        def job(connection: sqlite3.Connection) -> None:
            _note_request(connection, request)
            _delete(connection, game_id, version)

        await self._writer.run(job)

    async def forget(self, game_id: bytes, version: int) -> None:
        """See `Store`."""

        def job(connection: sqlite3.Connection) -> None:
            _delete(connection, game_id, version)
            connection.execute("DELETE FROM requests WHERE game_id = ?", (game_id,))

        await self._writer.run(job)

    async def ages(self, after: bytes, limit: int) -> list[Age]:
        """See `Store`."""
        rows = await self._read(lambda connection: connection.execute(_AGES, (after, limit)).fetchall())
        return [Age(*row) for row in rows]

    async def load(self, game_id: bytes, after_version: int = 0) -> StoredGame | None:
        """See `Store`."""

        def read(connection: sqlite3.Connection) -> StoredGame | None:
            ask = "SELECT header, state, version FROM games WHERE game_id = ?"
            row = connection.execute(ask, (game_id,)).fetchone()
            if row is None:
                return None
            key = (game_id, after_version)
            ask = "SELECT payload, time, lobby FROM records WHERE game_id = ? AND version > ? ORDER BY version"
            records = [_record(row) for row in connection.execute(ask, key)]
            ask = "SELECT * FROM requests WHERE game_id = ? AND version > ?"
            requests = [StoredRequest(*found) for found in connection.execute(ask, key)]
            header, state, version = row
            return StoredGame(game_id, header, state, version, records, requests)

        return await self._read(read)

    async def versions(self, game_ids: Collection[bytes]) -> dict[bytes, int]:
        """See `Store`."""
        ask = "SELECT game_id, version FROM games WHERE game_id = ?"
        return await self._read(lambda connection: dict(chain(*(connection.execute(ask, (g,)) for g in game_ids))))

    async def find_request(self, request_id: bytes) -> StoredRequest | None:
        """See `Store`."""
        return await self._read(lambda connection: _find_request(connection, request_id))

    async def find_join(self, join_hash: bytes) -> bytes | None:
        """See `Store`."""
        return await self._find("SELECT game_id FROM games WHERE join_hash = ?", join_hash)

    async def list_games(
        self, state: str | None, variant: str | None, before: tuple[int, bytes] | None, limit: int, *, private: bool
    ) -> list[ListedGame]:
        """See `Store`."""
        conditions, values = ["TRUE" if private else "public = 1"], list[object]()
        if state is not None:
            conditions.append("state = ?")
            values.append(state)
        if variant is not None:
            conditions.append("variant = ?")
            values.append(variant)
        if before is not None:
            conditions.append("(created, game_id) < (?, ?)")
            values += before
        ask = _LIST % " AND ".join(conditions)

        def read(connection: sqlite3.Connection) -> list[ListedGame]:
            return [_listed(connection, row) for row in connection.execute(ask, (*values, limit)).fetchall()]

        return await self._read(read)

    async def claim_due(self, now: int, limit: int, playable: Collection[Rules]) -> list[bytes]:
        """See `Store`; whoever has the file has the lease of all its games."""
        pairs = ", ".join(["(?, ?)"] * len(playable))
        ask = f"SELECT game_id FROM games WHERE due <= ? AND (variant, rules_revision) IN (VALUES {pairs}) ORDER BY due"  # nosec B608 # noqa: S608 (question marks)
        values = (now, *chain.from_iterable(playable))
        return await self._read(lambda connection: [row[0] for row in connection.execute(ask, values)])

    async def correct_due(self, game_id: bytes, version: int, due: int | None) -> None:
        """See `Store`."""
        command = "UPDATE games SET due = ? WHERE game_id = ? AND version = ?"

        def job(connection: sqlite3.Connection) -> None:
            connection.execute(command, (due, game_id, version))

        await self._writer.run(job)

    async def rules_in_use(self) -> dict[Rules, int]:
        """See `Store`."""
        ask = "SELECT variant, rules_revision, count(*) FROM games GROUP BY variant, rules_revision"
        return await self._read(lambda connection: {Rules(v, r): count for v, r, count in connection.execute(ask)})

    async def count(self, states: Sequence[str]) -> dict[str, int]:
        """See `Store`."""
        ask = "SELECT count(*) FROM games WHERE state = ?"
        return await self._read(
            lambda connection: {state: connection.execute(ask, (state,)).fetchone()[0] for state in states}
        )

    async def beat(self, now: int, *, starting: bool) -> Sequence[Pause]:
        """See `Store`."""

        def job(connection: sqlite3.Connection) -> Sequence[Pause]:
            kept = connection.execute("SELECT value FROM meta WHERE key = 'pulse'").fetchone()
            pulse = Pulse(now) if kept is None else Pulse.from_bytes(kept[0]).beat(now, 0 if starting else PATIENCE)
            connection.execute("INSERT OR REPLACE INTO meta VALUES ('pulse', ?)", (pulse.to_bytes(),))
            return pulse.pauses

        return await self._writer.run(job)

    async def pack(self, pack_hash: bytes) -> bytes | None:
        """See `Store`."""
        return await self._find("SELECT content FROM packs WHERE hash = ?", pack_hash)

    async def tell(self, news: Mapping[bytes, int]) -> None:
        """See `Store`; there is nobody to tell."""

    async def news(self) -> AsyncGenerator[Mapping[bytes, int], None]:
        """See `Store`; there is nobody to hear."""
        nothing: Sequence[Mapping[bytes, int]] = ()
        for news in nothing:
            yield news

    async def close(self) -> None:
        """See `Store`."""
        await self._writer.close()
        await asyncio.get_running_loop().run_in_executor(self._readers, self._reader.close)
        self._readers.shutdown()
        os.close(self._lock)

    async def _find(self, ask: str, key: bytes) -> bytes | None:
        row = await self._read(lambda connection: connection.execute(ask, (key,)).fetchone())
        return None if row is None else bytes(row[0])

    async def _read(self, job: Callable[[sqlite3.Connection], T]) -> T:
        def guarded() -> T:
            # one transaction, so that a game and its records are read as of the same moment
            self._reader.execute("BEGIN")
            try:
                return job(self._reader)
            finally:
                self._reader.execute("ROLLBACK")

        try:
            return await asyncio.get_running_loop().run_in_executor(self._readers, guarded)
        except sqlite3.Error as error:
            raise StoreUnavailable(f"the journal cannot be read: {error}") from error


def open_store(file: Path) -> SqliteStore:
    """Open a journal, making it when missing. Call it on the event loop that will use it.

    Raises:
        JournalInUse: another server has it.
        JournalFormat: the file is no journal of this format, or has several names.
    """
    loop = asyncio.get_running_loop()
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        # by whatever link it is named: one journal, one lock, one write-ahead log
        file = file.resolve()
        if file.exists() and not file.is_file():
            raise JournalFormat(f"{file} is no file that a journal could be kept in")
        if file.exists() and file.stat().st_nlink > 1:
            raise JournalFormat(f"{file} has other names (hard links), under which it could be opened twice")
        lock = _lock(file)
    except OSError as error:
        raise JournalFormat(f"{file} cannot be opened: {error.strerror}") from error
    with ExitStack() as undo:
        undo.callback(os.close, lock)
        try:
            # it holds seeds and the key that tokens are made with
            os.close(os.open(file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
            connection = undo.enter_context(closing(_connect(file)))
            prepare(connection, str(file))
            reader = undo.enter_context(closing(_connect(file)))
        except (sqlite3.Error, OSError) as error:
            raise JournalFormat(f"{file} cannot be opened: {error}") from error
        undo.pop_all()
    return SqliteStore(GroupWriter(connection, loop, _append, _append_all), reader, lock)


def _lock(file: Path) -> int:
    """Lock the file beside the journal; the lock falls with the process, however it ends."""
    path = file.with_name(file.name + LOCK_SUFFIX)
    lock = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        owner = os.pread(lock, 32, 0).decode(errors="replace").strip() or "unknown"
        os.close(lock)
        raise JournalInUse(f"the journal {file} is in use by another server (process {owner})") from None
    os.ftruncate(lock, 0)
    os.pwrite(lock, f"{os.getpid()}\n".encode(), 0)
    return lock


def _connect(file: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(file, isolation_level=None, check_same_thread=False, cached_statements=64)
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA busy_timeout = 2000")
        # a checkpoint copies the log into the file while everybody waits: seldom is better
        connection.execute("PRAGMA wal_autocheckpoint = 4000")
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _delete(connection: sqlite3.Connection, game_id: bytes, version: int) -> None:
    gone = connection.execute("DELETE FROM games WHERE game_id = ? AND version = ?", (game_id, version))
    if gone.rowcount != 1:
        raise VersionTaken
    connection.execute("DELETE FROM records WHERE game_id = ?", (game_id,))


def _append(connection: sqlite3.Connection, append: Append) -> None:
    """Write one append; raises what it is refused for."""
    _note_request(connection, append.request)
    rows = _append_rows([append._replace(request=None)])
    for start in range(0, len(rows), MAX_ROWS):
        if not _insert(connection, rows[start : start + MAX_ROWS]):
            raise VersionTaken


def _append_all(connection: sqlite3.Connection, appends: Sequence[Append]) -> bool:
    """Write many appends in one statement; False, and nothing written, if one is to be refused or they are too many."""
    rows = _append_rows(appends)
    return len(rows) <= MAX_ROWS and _insert(connection, rows)


def _append_rows(appends: Sequence[Append]) -> list[tuple[object, ...]]:
    """A row for each record; an append's request goes with its first."""
    rows: list[tuple[object, ...]] = []
    for game_id, base, records, summary, request in appends:
        asked: tuple[object, ...] = (None, None, None)
        if request is not None:
            asked = (request.request_id, request.fingerprint, request.version)
        for version, (payload, time, lobby) in enumerate(records, base + 1):
            rows.append((game_id, version, time, lobby, payload, summary.state, summary.due, *asked))
            asked = (None, None, None)
    return rows


def _insert(connection: sqlite3.Connection, rows: Sequence[tuple[object, ...]]) -> bool:
    try:
        connection.execute(_append_statement(len(rows)), list(chain.from_iterable(rows)))
    except sqlite3.IntegrityError:
        return False
    return True


_APPEND_COLUMNS = 10
MAX_ROWS = 2000
"""Records for one statement: SQLite binds at most 32,766 values."""


@cache
def _append_statement(rows: int) -> str:
    row = "(" + ",".join("?" * _APPEND_COLUMNS) + ")"
    return " ".join(["INSERT INTO appends VALUES", ",".join([row] * rows)])


def _request_row(request: StoredRequest) -> tuple[object, ...]:
    return request.request_id, request.fingerprint, request.game_id, request.base_version, request.version


def _record(row: tuple[bytes, int, int]) -> StoredRecord:
    payload, time, lobby = row
    return StoredRecord(payload, time, bool(lobby))


def _listed(connection: sqlite3.Connection, row: tuple[bytes, bytes, str, int, int]) -> ListedGame:
    game_id, header, state, version, created = row
    ask = "SELECT payload, time, lobby FROM records WHERE game_id = ? AND lobby = 1 ORDER BY version"
    lobby = [_record(found) for found in connection.execute(ask, (game_id,))]
    last = connection.execute(
        "SELECT time FROM records WHERE game_id = ? AND version = ?", (game_id, version)
    ).fetchone()
    return ListedGame(game_id, header, state, version, created, last[0] if last else created, lobby)


def _find_request(connection: sqlite3.Connection, request_id: bytes) -> StoredRequest | None:
    row = connection.execute("SELECT * FROM requests WHERE request_id = ?", (request_id,)).fetchone()
    return None if row is None else StoredRequest(*row)


def _note_request(connection: sqlite3.Connection, request: StoredRequest | None) -> None:
    if request is None:
        return
    try:
        connection.execute("INSERT INTO requests VALUES (?, ?, ?, ?, ?)", _request_row(request))
    except sqlite3.IntegrityError:
        known = _find_request(connection, request.request_id)
        if known is None:
            raise
        raise RequestTaken(known) from None


def _forget_request(connection: sqlite3.Connection, request: StoredRequest | None) -> None:
    if request is not None:
        connection.execute("DELETE FROM requests WHERE request_id = ?", (request.request_id,))


def _write_records(connection: sqlite3.Connection, game_id: bytes, base: int, records: Sequence[StoredRecord]) -> None:
    for place, record in enumerate(records, base + 1):
        row = (game_id, place, record.time, record.lobby, record.payload)
        connection.execute("INSERT INTO records VALUES (?, ?, ?, ?, ?)", row)
