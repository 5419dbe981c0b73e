"""A journal that cannot grow: calls are refused by name, nothing is half done, and with room again all goes on."""

from __future__ import annotations

import asyncio
import random
import resource
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from meadow_api.v1 import game_service_pb2 as pb

from tests.server.harness import (
    GREEDY_BOT,
    OPEN,
    RESERVED,
    AsyncStub,
    Host,
    Metadata,
    Table,
    lasting,
    new_table,
    refused,
    request_id,
)
from tests.server.processes import ServerProcess, spawn
from tests.server.writers import Writer

Repeatable = Callable[[], Awaitable[Any]]


@contextmanager
def no_room(server: ServerProcess, journal: Path) -> Iterator[None]:
    """Let no file of the server grow beyond what the journal's log is now, as on a full disk."""
    log = journal.with_name(journal.name + "-wal")
    pid, free = server.process.pid, resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (log.stat().st_size, free[1]))
    try:
        yield
    finally:
        resource.prlimit(pid, resource.RLIMIT_FSIZE, free)


async def mutations(stub: AsyncStub, table: Table, waiting: Table) -> list[Repeatable]:
    """One call of each kind that writes, which can be made again and again."""

    def call(method: Any, request: Any, metadata: Metadata | None = None) -> Repeatable:
        request.request_id = request_id()
        return lambda: method(request, metadata=metadata)

    seat, version = await table.pending()
    ids = (await table.legal(seat, format=pb.LEGAL_ACTION_FORMAT_IDS)).action_ids
    join, name = waiting.created.join_code, waiting.name
    return [
        call(stub.SubmitAction, table.submission(version, action_id=ids[0]), table.seat(seat)),
        call(stub.CreateGame, pb.CreateGameRequest(variant="spring_meadow", seats=[RESERVED, OPEN])),
        call(stub.ClaimSeat, pb.ClaimSeatRequest(join_code=join, seat=1)),
        call(stub.SetSeatBot, pb.SetSeatBotRequest(name=name, seat=2, bot="random"), waiting.host),
        call(stub.ReleaseSeat, pb.ReleaseSeatRequest(name=name, seat=0), waiting.host),
    ]


@pytest.mark.skipif(sys.platform != "linux", reason="the limit of another process can only be set on Linux")
async def test_a_full_disk_refuses_by_name_and_loses_nothing(tmp_path: Path) -> None:
    """With no room each writing call is STORAGE_UNAVAILABLE and changes nothing; with room the same calls succeed."""
    journal = tmp_path / "journal.db"
    server = await spawn(journal)
    channel, stub = server.connect()
    table, waiting = await new_table(stub), await new_table(stub, RESERVED, OPEN, OPEN, OPEN)
    await table.play(4)
    calls = await mutations(stub, table, waiting)
    before = [lasting(await each.game()) for each in (table, waiting)]
    with no_room(server, journal):
        for call in calls * 2:
            with refused("STORAGE_UNAVAILABLE"):
                await call()
        assert [lasting(await each.game()) for each in (table, waiting)] == before
    answers = [await call() for call in calls]
    assert [lasting(await call()) for call in calls] == [lasting(answer) for answer in answers]
    await channel.close()
    await server.kill()

    again = await spawn(journal)
    channel, stub = again.connect()
    games = [await Table(stub, each.created).game() for each in (table, waiting)]
    assert [game.version for game in games] == [before[0].version + 1, before[1].version + 3]
    listed = (await stub.ListGames(pb.ListGamesRequest())).games
    assert len(listed) == 3
    await channel.close()
    assert await again.terminate() == 0


@pytest.mark.skipif(sys.platform != "linux", reason="the limit of another process can only be set on Linux")
async def test_a_disk_that_fills_under_load(tmp_path: Path) -> None:
    """Players and bots who are cut off by a full disk go on when there is room; every acknowledged action is there."""
    journal = tmp_path / "journal.db"
    server = await spawn(journal)
    channel, stub = server.connect()
    writers = [Writer(await new_table(stub), random.Random(number)) for number in range(4)]
    bots = await new_table(stub, GREEDY_BOT, GREEDY_BOT, GREEDY_BOT)
    with no_room(server, journal):
        await asyncio.gather(*(writer.play(stub) for writer in writers))
        assert all(writer.pending and not writer.over for writer in writers)
    await asyncio.gather(*(writer.play(stub) for writer in writers))
    assert all(writer.over for writer in writers)
    async for message in stub.WatchGame(pb.WatchGameRequest(name=bots.name)):
        last = message
    assert last.terminal.end == pb.WATCH_END_FINISHED
    for writer in writers:
        await writer.check(stub)
    await channel.close()
    assert await server.terminate() == 0


@pytest.mark.sqlite
async def test_a_database_that_may_not_grow(host: Host) -> None:
    """SQLite's own word for a full disk is understood too."""

    async def pages(most: int | None) -> None:
        def job(connection: Any) -> None:
            (now,) = connection.execute("PRAGMA page_count").fetchone()
            connection.execute(f"PRAGMA max_page_count = {most or now}")

        await host.server.app.store._writer.run(job)  # type: ignore[attr-defined]

    table = await new_table(host.stub)
    await pages(None)
    with refused("STORAGE_UNAVAILABLE"):
        for _ in range(200):
            await new_table(host.stub)
    before = lasting(await table.game())
    made = len((await host.stub.ListGames(pb.ListGamesRequest())).games)
    await pages(1_000_000)
    await new_table(host.stub)
    assert lasting(await table.game()) == before
    assert len((await host.stub.ListGames(pb.ListGamesRequest())).games) == made + 1
