"""The journal of many servers: a PostgreSQL database, durable at each commit.

A change is one statement, which is its own transaction: the game moves from the expected version to the next, or the
statement does nothing. So any number of servers may write to one journal.

Whoever is connected through a pooler that hands a connection on after each transaction has to say so: then nothing is
used that lives longer, which is LISTEN, prepared statements and settings of the session.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections.abc import AsyncGenerator, AsyncIterator, Collection, Mapping, Sequence
from typing import Any

import psycopg
import structlog
from psycopg import AsyncConnection
from psycopg_pool import AsyncConnectionPool

from meadow_server.store import postgres_statements as sql
from meadow_server.store.address import PostgresUrl
from meadow_server.store.base import (
    LEASE_SECONDS,
    PATIENCE,
    Age,
    Append,
    JournalFormat,
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
from meadow_server.store.postgres_appends import Appends, Journal, record_columns
from meadow_server.store.postgres_connections import (
    CONNECT_SECONDS,
    STATEMENT_SECONDS,
    TROUBLE,
    new_pool,
    one_line,
    settings,
    unavailable,
    warn_of_losses,
)
from meadow_server.store.postgres_schema import prepare
from meadow_server.tokens import KEY_BYTES

log = structlog.get_logger()
HOLDER_BYTES = 16
PARTING_SECONDS = 1.0
"""How long a database that is away may keep a server from ending."""
QUIET_SECONDS = 10.0
"""After how much silence the listening connection is tried, as a broken one may be silent too."""
CHANNEL = "meadow"
NEWS_AT_ONCE = 100
"""Games in one notification, which may have 8,000 bytes."""
MICROSECONDS = 1_000_000
_ENDED = ["FINISHED", "ABORTED"]


class PostgresStore:
    """A journal in a database; open it with `open_store`.

    Attributes:
        shared: other servers write to it too.
    """

    shared = True

    def __init__(self, url: PostgresUrl, pool: AsyncConnectionPool[AsyncConnection], *, listens: bool) -> None:
        self._url = url
        self._pool = pool
        self._listens = listens
        self._holder = secrets.token_bytes(HOLDER_BYTES)
        self._packs_kept: set[bytes] = set()
        self._appends = Appends(Journal(self._rows, self.find_request, self._lease))

    async def server_key(self) -> bytes:
        """See `Store`."""
        await self._rows(sql.KEEP_KEY, {"key": secrets.token_bytes(KEY_BYTES)})
        ((key,),) = await self._rows(sql.KEY, {})
        return bytes(key)

    async def create(self, game: NewGame, request: StoredRequest | None, creator_limit: int) -> bool:
        """See `Store`."""
        created = False
        async with self._connection() as connection, connection.transaction():
            await _note_request(connection, request)
            # one after another, or two that come together would both be below the limit
            await connection.execute(sql.LOCK_CREATOR, {"creator": game.creator})
            count = await connection.execute(sql.COUNT, {"creator": game.creator, "ended": _ENDED})
            if (await count.fetchone() or (0,))[0] >= creator_limit:
                raise psycopg.Rollback
            if game.pack[0] not in self._packs_kept:
                await connection.execute(sql.KEEP_PACK, dict(zip(("hash", "content"), game.pack, strict=True)))
            holder, leased = self._lease(game.summary.due, game.time)
            row = {
                "game": game.game_id,
                "version": len(game.records),
                "state": game.summary.state,
                "due": game.summary.due,
                "holder": holder,
                "leased": leased,
                "variant": game.variant,
                "rules": game.rules_revision,
                "public": game.public,
                "join_hash": game.join_hash,
                "creator": game.creator,
                "time": game.time,
                "header": game.header,
            }
            await connection.execute(sql.CREATE, row | record_columns([(game.game_id, 0, game.records)]))
            created = True
        if created:
            self._packs_kept.add(game.pack[0])
        return created

    def append(self, append: Append) -> Write:
        """See `Store`."""
        return self._appends.write(append)

    async def delete(self, game_id: bytes, version: int, request: StoredRequest | None) -> None:
        """See `Store`."""
        async with self._connection() as connection, connection.transaction():
            await _note_request(connection, request)
            gone = await connection.execute(sql.DELETE, {"game": game_id, "version": version})
            if gone.rowcount != 1:
                raise VersionTaken
            await connection.execute(sql.DELETE_RECORDS, {"game": game_id})

    async def forget(self, game_id: bytes, version: int) -> None:
        """See `Store`."""
        async with self._connection() as connection, connection.transaction():
            gone = await connection.execute(sql.DELETE, {"game": game_id, "version": version})
            if gone.rowcount != 1:
                raise VersionTaken
            for statement in (sql.DELETE_RECORDS, sql.DELETE_REQUESTS):
                await connection.execute(statement, {"game": game_id})

    async def ages(self, after: bytes, limit: int) -> list[Age]:
        """See `Store`."""
        return [Age(*row) for row in await self._rows(sql.AGES, {"after": after, "limit": limit})]

    async def load(self, game_id: bytes, after_version: int = 0) -> StoredGame | None:
        """See `Store`."""
        rows = await self._rows(sql.LOAD, {"game": game_id, "after": after_version})
        if not rows:
            return None
        header, state, version, payloads, times, lobbies, ids, prints, bases, versions = rows[0]
        records = [StoredRecord(*record) for record in zip(payloads, times, lobbies, strict=True)]
        requests = [
            StoredRequest(request_id, fingerprint, game_id, base, after)
            for request_id, fingerprint, base, after in zip(ids, prints, bases, versions, strict=True)
        ]
        return StoredGame(game_id, header, state, version, records, requests)

    async def versions(self, game_ids: Collection[bytes]) -> dict[bytes, int]:
        """See `Store`."""
        return dict(await self._rows(sql.VERSIONS, {"games": list(game_ids)}))

    async def find_request(self, request_id: bytes) -> StoredRequest | None:
        """See `Store`."""
        rows = await self._rows(sql.REQUEST, {"request": request_id})
        return StoredRequest(*rows[0]) if rows else None

    async def find_join(self, join_hash: bytes) -> bytes | None:
        """See `Store`."""
        rows = await self._rows(sql.JOIN, {"join_hash": join_hash})
        return rows[0][0] if rows else None

    async def list_games(
        self, state: str | None, variant: str | None, before: tuple[int, bytes] | None, limit: int, *, private: bool
    ) -> list[ListedGame]:
        """See `Store`."""
        if "\0" in f"{state}{variant}":
            # which the database cannot even ask for
            return []
        created, game_id = before or (None, None)
        values = {"state": state, "variant": variant, "created": created, "game": game_id, "limit": limit}
        values["private"] = private
        rows = await self._rows(sql.LIST, values)
        return [_listed(*row) for row in rows]

    async def claim_due(self, now: int, limit: int, playable: Collection[Rules]) -> list[bytes]:
        """See `Store`."""
        values = {
            "now": now,
            "limit": limit,
            "holder": self._holder,
            "until": now + LEASE_SECONDS * MICROSECONDS,
            "variants": [rules.variant for rules in playable],
            "revisions": [rules.revision for rules in playable],
        }
        return [game_id for (game_id,) in await self._rows(sql.CLAIM, values)]

    async def correct_due(self, game_id: bytes, version: int, due: int | None) -> None:
        """See `Store`."""
        await self._rows(sql.CORRECT, {"game": game_id, "version": version, "due": due})

    async def rules_in_use(self) -> dict[Rules, int]:
        """See `Store`."""
        return {Rules(variant, revision): games for variant, revision, games in await self._rows(sql.RULES, {})}

    async def count(self, states: Sequence[str]) -> dict[str, int]:
        """See `Store`."""
        return dict(await self._rows(sql.STATES, {"states": list(states)}))

    async def beat(self, now: int, *, starting: bool) -> Sequence[Pause]:
        """See `Store`."""
        async with self._connection() as connection, connection.transaction():
            await connection.execute(sql.KEEP_PULSE, {"pulse": Pulse(now).to_bytes()})
            found = await connection.execute(sql.PULSE, {})
            pulse = Pulse.from_bytes((await found.fetchone() or (Pulse(now).to_bytes(),))[0]).beat(now, PATIENCE)
            await connection.execute(sql.SET_PULSE, {"pulse": pulse.to_bytes()})
            return pulse.pauses

    async def pack(self, pack_hash: bytes) -> bytes | None:
        """See `Store`."""
        rows = await self._rows(sql.PACK, {"hash": pack_hash})
        return rows[0][0] if rows else None

    async def tell(self, news: Mapping[bytes, int]) -> None:
        """See `Store`."""
        if not self._listens:
            return
        told = [f"{game_id.hex()}:{version}" for game_id, version in news.items()]
        for start in range(0, len(told), NEWS_AT_ONCE):
            payload = ",".join(told[start : start + NEWS_AT_ONCE])
            await self._rows(sql.NOTIFY, {"channel": CHANNEL, "payload": payload})

    async def news(self) -> AsyncGenerator[Mapping[bytes, int], None]:
        """See `Store`."""
        if not self._listens:
            return
        try:
            async with await AsyncConnection.connect(self._url.secret, **settings()) as connection:
                await connection.execute(f"LISTEN {CHANNEL}")
                yield {}
                while True:
                    async for notice in connection.notifies(timeout=QUIET_SECONDS):
                        yield _read_news(notice.payload)
                    async with asyncio.timeout(STATEMENT_SECONDS):
                        await connection.execute("SELECT")
        except (*TROUBLE, TimeoutError) as error:
            raise unavailable(error) from error

    async def close(self) -> None:
        """See `Store`; another server need not wait until this one's leases run out."""
        with contextlib.suppress(StoreUnavailable, TimeoutError):
            async with asyncio.timeout(PARTING_SECONDS):
                await self._rows(sql.RELEASE, {"holder": self._holder})
        await self._pool.close(PARTING_SECONDS)

    def _lease(self, due: int | None, now: int) -> tuple[bytes | None, int]:
        """Who does a game's work from now on, and how long nobody else may."""
        if due is None or due > now:
            return None, 0
        return self._holder, now + LEASE_SECONDS * MICROSECONDS

    @contextlib.asynccontextmanager
    async def _connection(self) -> AsyncIterator[AsyncConnection]:
        """A connection for a moment.

        Raises:
            StoreUnavailable: there is none, or it broke.
        """
        try:
            async with asyncio.timeout(CONNECT_SECONDS + STATEMENT_SECONDS), self._pool.connection() as connection:
                yield connection
        except (*TROUBLE, TimeoutError) as error:
            raise unavailable(error) from error

    async def _rows(self, statement: str, values: Mapping[str, Any]) -> list[Any]:
        """Run one statement, a transaction of its own, and answer its rows."""
        async with self._connection() as connection:
            cursor = await connection.execute(statement, values, binary=True)
            return await cursor.fetchall() if cursor.description else []


async def open_store(url: PostgresUrl, *, connections: int, listens: bool) -> PostgresStore:
    """Connect to a journal, making its tables when missing.

    Args:
        url: where it is.
        connections: most connections to use at a time, beside the one that listens.
        listens: whether a connection stays the same from one transaction to the next.

    Raises:
        JournalFormat: it cannot be reached or made, or is none of this format.
    """
    try:
        async with await AsyncConnection.connect(url.secret, **settings()) as connection:
            await prepare(connection, str(url))
            await warn_of_losses(connection, str(url))
    except psycopg.Error as error:
        raise JournalFormat(f"the journal {url} cannot be opened: {one_line(error)}") from None

    pool = new_pool(url, connections=connections, listens=listens)
    await pool.open()
    return PostgresStore(url, pool, listens=listens)


async def _note_request(connection: AsyncConnection, request: StoredRequest | None) -> None:
    if request is None:
        return
    noted = await connection.execute(sql.NOTE_REQUEST, request._asdict())
    if noted.rowcount == 0:
        known = await (await connection.execute(sql.REQUEST, {"request": request.request_id}, binary=True)).fetchone()
        if known is not None:
            raise RequestTaken(StoredRequest(*known))


def _listed(
    game_id: bytes,
    header: bytes,
    state: str,
    version: int,
    created: int,
    updated: int,
    payloads: Sequence[bytes],
    times: Sequence[int],
) -> ListedGame:
    lobby = [StoredRecord(payload, time, lobby=True) for payload, time in zip(payloads, times, strict=True)]
    return ListedGame(game_id, header, state, version, created, updated, lobby)


def _read_news(payload: str) -> dict[bytes, int]:
    """What another server told; nothing if somebody else wrote it."""
    with contextlib.suppress(ValueError):
        pairs = (entry.split(":") for entry in payload.split(","))
        return {bytes.fromhex(game): int(version) for game, version in pairs}
    return {}
