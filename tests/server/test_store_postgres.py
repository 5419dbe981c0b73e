"""What only the PostgreSQL journal promises: many servers at once."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator

import psycopg
import pytest
from meadow_server.store.address import PostgresUrl
from meadow_server.store.base import (
    AT_ONCE,
    LEASE_SECONDS,
    JournalFormat,
    RequestTaken,
    StoreUnavailable,
    Summary,
    VersionTaken,
)
from meadow_server.store.postgres import PostgresStore, open_store
from meadow_server.store.postgres_schema import STEPS

from tests.server.test_store import RULES, append, game_id, new_game, request
from tests.support.postgres import Cluster

LEASE = LEASE_SECONDS * 1_000_000
WAITING = Summary("RUNNING", AT_ONCE)


@contextlib.asynccontextmanager
async def opened(url: PostgresUrl, *, listens: bool = True) -> AsyncIterator[PostgresStore]:
    """A store on a database."""
    store = await open_store(url, connections=4, listens=listens)
    try:
        yield store
    finally:
        await store.close()


async def test_servers_that_start_together_make_one_journal(database: PostgresUrl) -> None:
    """Several servers may find the database empty at once: one makes the tables, and all share one key."""
    async with contextlib.AsyncExitStack() as stack:
        opening = [stack.enter_async_context(opened(database)) for _ in range(5)]
        stores = await asyncio.gather(*opening)
        keys = await asyncio.gather(*[store.server_key() for store in stores])
    assert len(set(keys)) == 1


async def test_a_version_is_written_once_by_whichever_server(database: PostgresUrl) -> None:
    """Of two servers that append at one version one is refused, and reads what the other wrote."""
    async with opened(database) as one, opened(database) as two:
        await one.create(new_game(1), None, 10)
        work = [store.append(append(1, 0, name)) for store, name in ((one, b"one"), (two, b"two"))]
        outcomes = await asyncio.gather(*work, return_exceptions=True)
        assert sum(isinstance(outcome, VersionTaken) for outcome in outcomes) == 1
        stored = [await store.load(game_id(1)) for store in (one, two)]
        assert stored[0] == stored[1]


async def test_of_many_appends_of_two_servers_each_is_decided_alone(database: PostgresUrl) -> None:
    """Two servers that write many games at once, in opposite order and with the same request ids, win each once."""
    games = range(24)
    async with opened(database) as one, opened(database) as two:
        for number in games:
            await one.create(new_game(number), None, 100)
        for base in range(6):
            works = [
                store.append(append(number, base, by=request(100 * base + number, number, base + 1)))
                for store, order in ((one, games), (two, reversed(games)))
                for number in order
            ]
            outcomes = await asyncio.gather(*works, return_exceptions=True)
            for at_one, at_two in zip(outcomes[: len(games)], reversed(outcomes[len(games) :]), strict=True):
                lost = at_one or at_two
                assert (at_one is None) != (at_two is None)
                assert isinstance(lost, VersionTaken | RequestTaken), lost
        assert set((await two.versions([game_id(number) for number in games])).values()) == {6}


async def test_a_request_id_that_another_server_uses_meanwhile_fails_no_other(database: PostgresUrl) -> None:
    """Appends that share a statement with one whose request id turns out to be taken are written all the same."""
    async with opened(database) as store, await psycopg.AsyncConnection.connect(database.secret) as other:
        for number in (1, 2, 3):
            await store.create(new_game(number), None, 100)
        taken = request(1, 3, 1)
        noted = "INSERT INTO meadow.requests VALUES (%s, %s, %s, %s, %s)"
        await other.execute(noted, tuple(taken))
        works = [store.append(append(1, 0, by=taken._replace(game_id=game_id(1)))), store.append(append(2, 0))]
        appending = asyncio.gather(*works, return_exceptions=True)
        await until_somebody_waits(other)
        await other.commit()
        refused, written = await appending
        assert isinstance(refused, RequestTaken)
        assert refused.request == taken
        assert written is None
        assert await store.versions([game_id(1), game_id(2)]) == {game_id(1): 0, game_id(2): 1}


async def test_a_deadlock_is_undone_and_written_again(database: PostgresUrl) -> None:
    """When somebody else locks the same games in another order, appends wait for each other and none fails."""
    async with opened(database) as store, await psycopg.AsyncConnection.connect(database.secret) as other:
        for number in (1, 2):
            await store.create(new_game(number), None, 100)
        lock = "SELECT FROM meadow.games WHERE game_id = %s FOR UPDATE"
        await other.execute(lock, (game_id(2),))
        appending = asyncio.gather(*[store.append(append(number, 0)) for number in (1, 2)])
        await until_somebody_waits(other)
        with contextlib.suppress(psycopg.errors.DeadlockDetected):
            await other.execute(lock, (game_id(1),))
        await other.rollback()
        await appending
        assert await store.versions([game_id(1), game_id(2)]) == {game_id(1): 1, game_id(2): 1}


async def until_somebody_waits(connection: psycopg.AsyncConnection) -> None:
    """Wait until the database has somebody wait for a lock."""
    while await (await connection.execute("SELECT 1 FROM pg_locks WHERE NOT granted")).fetchone() is None:  # noqa: ASYNC110
        await asyncio.sleep(0.01)


async def test_a_creators_games_are_counted_by_all_servers_together(database: PostgresUrl) -> None:
    """Creations that come at once at two servers never make more games than the limit allows."""
    async with opened(database) as one, opened(database) as two:
        work = [(one, two)[number % 2].create(new_game(number), None, 3) for number in range(8)]
        assert sum(await asyncio.gather(*work)) == 3


async def test_work_is_one_servers_to_do(database: PostgresUrl) -> None:
    """Whoever makes work due has the lease; a server that asks again keeps it; one that is silent loses it."""
    async with opened(database) as one, opened(database) as two:
        await one.create(new_game(1, summary=WAITING), None, 10)
        await two.create(new_game(2), None, 10)
        await two.append(append(2, 0)._replace(summary=WAITING))  # at time 7
        assert await one.claim_due(10, 9, [RULES]) == [game_id(1)]
        assert await two.claim_due(10, 9, [RULES]) == [game_id(2)]
        assert await one.claim_due(LEASE, 9, [RULES]) == [game_id(1)]

        # now two is silent
        late = 12 + LEASE
        assert await one.claim_due(late, 9, [RULES]) == [game_id(1), game_id(2)]
        assert await two.claim_due(late, 9, [RULES]) == []

        # a change moves the lease to whoever makes it, or ends it
        await two.append(append(1, 0)._replace(summary=WAITING))
        await two.append(append(2, 1))
        assert await one.claim_due(20, 9, [RULES]) == []
        assert await two.claim_due(20, 9, [RULES]) == [game_id(1)]


async def test_a_server_that_ends_gives_its_leases_up(database: PostgresUrl) -> None:
    """What a server had the lease of is another's to take on as soon as it has closed its journal."""
    async with opened(database) as two:
        async with opened(database) as one:
            await one.create(new_game(1, summary=WAITING), None, 10)
            assert await two.claim_due(10, 9, [RULES]) == []
        assert await two.claim_due(10, 9, [RULES]) == [game_id(1)]


async def test_the_games_of_a_dead_server_are_shared(database: PostgresUrl) -> None:
    """Servers that claim at the same time never get the same game, and no more than they ask for."""
    async with opened(database) as dead, opened(database) as one, opened(database) as two:
        for number in range(20):
            await dead.create(new_game(number, summary=WAITING), None, 99)
        claims = await asyncio.gather(*[store.claim_due(LEASE + 1, 7, [RULES]) for store in (one, two)])
        assert [len(claim) for claim in claims] == [7, 7]
        assert not set(claims[0]) & set(claims[1])


async def test_servers_hear_from_each_other(database: PostgresUrl) -> None:
    """What one server tells all of them hear, however many games it is about."""
    async with opened(database) as one, opened(database) as two, contextlib.aclosing(two.news()) as news:
        assert await anext(news) == {}
        told = {game_id(number): number for number in range(250)}
        await one.tell(told)
        heard = dict(await anext(news))
        while len(heard) < len(told):
            heard |= await anext(news)
        assert heard == told


async def test_strange_news_is_no_news(database: PostgresUrl) -> None:
    """A notification that somebody else sends on the channel does no harm."""
    async with opened(database) as store, contextlib.aclosing(store.news()) as news:
        await anext(news)
        with psycopg.connect(database.secret, autocommit=True) as other:
            for payload in ("", "hello", "xyz:1", "00:", ":,:", "00:1:2"):
                other.execute("SELECT pg_notify('meadow', %s)", (payload,))
                assert await anext(news) == {}


async def test_nothing_of_a_session_is_used_through_a_pooler(database: PostgresUrl) -> None:
    """A server that does not listen prepares no statement, sets nothing and hears nothing."""
    async with opened(database, listens=False) as store:
        await store.create(new_game(1), None, 10)
        for version in range(8):
            await store.append(append(1, version, by=request(version, 1, version + 1)))
        await store.tell({game_id(1): 8})
        assert [heard async for heard in store.news()] == []
        async with store._connection() as connection:
            for ask in (
                "SELECT count(*) FROM pg_prepared_statements",
                "SELECT count(*) FROM pg_settings WHERE source = 'session' AND name LIKE '%timeout%'",
            ):
                assert await (await connection.execute(ask)).fetchone() == (0,)


async def test_a_database_of_something_else_is_refused(database: PostgresUrl) -> None:
    """A schema of the same name that is no journal, and a journal of a newer format, are refused by name."""
    with psycopg.connect(database.secret, autocommit=True) as connection:
        connection.execute("CREATE SCHEMA meadow CREATE TABLE cats (name text)")
        with pytest.raises(JournalFormat, match="is something else"):
            await open_store(database, connections=1, listens=True)
        connection.execute("DROP TABLE meadow.cats")
        async with opened(database):
            pass
        connection.execute("UPDATE meadow.meta SET value = '99' WHERE key = 'schema_version'")
        with pytest.raises(JournalFormat, match=f"has format 99; this server knows formats up to {len(STEPS)}"):
            await open_store(database, connections=1, listens=True)


@pytest.mark.parametrize("found", range(1, len(STEPS) + 1))
async def test_a_migrated_journal_is_like_a_new_one(cluster: Cluster, found: int) -> None:
    """Whatever format a journal had, it ends with the columns and indexes of a new one."""

    def tables(url: PostgresUrl) -> list[object]:
        asks = (
            (
                "SELECT table_name, column_name, data_type, is_nullable, column_default FROM information_schema.columns"
                " WHERE table_schema = 'meadow' ORDER BY 1, 2"
            ),
            "SELECT indexdef FROM pg_indexes WHERE schemaname = 'meadow' ORDER BY 1",
        )
        with psycopg.connect(url.secret) as connection:
            return [connection.execute(ask.encode()).fetchall() for ask in asks]

    new, old = cluster.database(), cluster.database("meadow_old")
    with psycopg.connect(old.secret) as connection:
        connection.execute("CREATE SCHEMA meadow")
        for step in STEPS[:found]:
            connection.execute(step.encode())
        connection.execute("INSERT INTO meadow.meta VALUES ('schema_version', %s)", (str(found).encode(),))
    for url in (new, old):
        async with opened(url):
            pass
    assert tables(old) == tables(new)


async def test_a_database_that_goes_away_is_unavailable_until_it_is_back(
    cluster: Cluster, database: PostgresUrl
) -> None:
    """While the database is down everything is unavailable; afterwards the same store goes on, and so does the news."""
    async with opened(database) as one:
        await one.create(new_game(1), None, 10)
        cluster.stop()
        try:
            works = (one.load(game_id(1)), one.append(append(1, 0)), one.create(new_game(2), None, 10))
            password = database.secret.split(":")[2].split("@")[0]
            for outcome in await asyncio.gather(*works, return_exceptions=True):
                assert isinstance(outcome, StoreUnavailable)
                assert password not in str(outcome)
            with pytest.raises(StoreUnavailable):
                await anext(one.news())
        finally:
            cluster.start()
        for version in range(100):
            with contextlib.suppress(StoreUnavailable):
                await one.append(append(1, version))
                break
        stored = await one.load(game_id(1))
        assert stored is not None
        assert stored.version == 1


async def test_connections_that_broke_while_nobody_used_them_are_replaced(
    cluster: Cluster, database: PostgresUrl
) -> None:
    """After a restart of the database that nobody noticed every call is served, and none meets a broken connection."""
    async with opened(database) as store:
        await store.create(new_game(1), None, 10)
        await asyncio.gather(*[store.load(game_id(1)) for _ in range(30)])
        assert len(store._pool._pool) > 1
        cluster.stop()
        cluster.start()
        for version in range(8):
            await store.append(append(1, version))
        assert await store.versions([game_id(1)]) == {game_id(1): 8}
