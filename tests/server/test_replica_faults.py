"""Servers on one database that are killed, and a database that goes away: with real processes."""

from __future__ import annotations

import asyncio
import random
import signal
import sys
from collections.abc import Iterator, Sequence
from typing import Any

import grpc
import pytest
from meadow_api.v1 import game_service_pb2 as pb
from meadow_server.store.address import PostgresUrl

from tests.server.harness import GREEDY_BOT, AsyncStub, Metadata, new_table, refused
from tests.server.processes import ServerProcess, spawn
from tests.server.writers import Writer
from tests.support.postgres import Cluster, needed_programs

WRITERS = 4


async def kill_often(database: PostgresUrl, kills: int, seed: int) -> tuple[int, int]:
    """Play with several writers, each at one of two servers, one of which is killed again and again.

    Whose server is killed goes on at the other. Answers acknowledged actions and games.
    """
    chance = random.Random(seed)
    servers: list[ServerProcess] = []
    writers: list[Writer] = []
    games = actions = 0
    for _ in range(kills):
        servers += [await spawn(database) for _ in range(2 - len(servers))]
        channels, stubs = connected(servers)
        for writer in writers:
            await writer.check(chance.choice(stubs))
        actions += sum(len(writer.acknowledged) for writer in writers if writer.over)
        writers = [writer for writer in writers if not writer.over]
        while len(writers) < WRITERS:
            table = await new_table(chance.choice(stubs), seed=chance.randbytes(32))
            writers.append(Writer(table, random.Random(chance.random())))
            games += 1
        killed = chance.randrange(2)
        playing = [asyncio.create_task(play_on(writer, stubs[killed], stubs[1 - killed])) for writer in writers]
        await asyncio.sleep(0.05 + 0.3 * chance.random())
        await servers.pop(killed).kill()
        await asyncio.sleep(0.05 + 0.2 * chance.random())
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)
        for channel in channels:
            await channel.close()
    channels, stubs = connected(servers)
    for writer in writers:
        await writer.check(stubs[0])
        actions += len(writer.acknowledged)
    for channel, server in zip(channels, servers, strict=True):
        await channel.close()
        assert await server.terminate() == 0
    return actions, games


def connected(servers: Sequence[ServerProcess]) -> tuple[list[grpc.aio.Channel], list[AsyncStub]]:
    """A channel to each server."""
    pairs = [server.connect() for server in servers]
    return [channel for channel, _ in pairs], [stub for _, stub in pairs]


async def play_on(writer: Writer, first: AsyncStub, then: AsyncStub) -> None:
    """Play at one server until it is gone, then at another, where the submission under way is repeated."""
    await writer.play(first)
    await writer.play(then)


async def test_clients_of_a_killed_server_go_on_at_another(database: PostgresUrl) -> None:
    """Killed in the middle of concurrent writes, a server takes no acknowledged action with it, and none is twice."""
    actions, _ = await kill_often(database, kills=1, seed=1)
    assert actions


@pytest.mark.long
async def test_many_kills_of_servers_on_one_database(cluster: Cluster) -> None:
    """The same, over and over."""
    kills = 60
    actions, games = await kill_often(cluster.database(), kills, seed=2)
    sys.stdout.write(
        f"\n{kills} kills of one of two servers, {games} games, {actions} acknowledged actions: none lost\n"
    )


@pytest.mark.long
async def test_the_bots_of_a_killed_server_go_on_at_another(database: PostgresUrl) -> None:
    """When a server dies its leases run out, and another finishes the games of its bots without being asked."""
    one, two = await spawn(database), await spawn(database)
    channels, (stub, other) = connected([one, two])
    tables = [await new_table(stub, GREEDY_BOT, GREEDY_BOT, GREEDY_BOT) for _ in range(5)]
    await one.kill()
    for table in tables:
        async for message in other.WatchGame(pb.WatchGameRequest(name=table.name)):
            last = message
        assert last.terminal.end == pb.WATCH_END_FINISHED
    for channel in channels:
        await channel.close()
    assert await two.terminate() == 0
    assert any('"games taken on"' in line for line in two.log)


@pytest.fixture(name="own_cluster")
def _own_cluster() -> Iterator[Cluster]:
    """A cluster that may be stopped and crashed, and that writes to disk before it confirms."""
    with Cluster(needed_programs()) as own:
        yield own


async def test_a_database_that_is_stopped_and_started(cluster: Cluster, database: PostgresUrl) -> None:
    """Meanwhile every call is UNAVAILABLE by name; afterwards players and watchers go on with no server restarted."""
    one, two = await spawn(database), await spawn(database)
    channels, (stub, other) = connected([one, two])
    table = await new_table(stub)
    seat, version = await table.pending()
    action_id = (await table.legal(seat)).actions[0].action_id
    request = table.submission(version, action_id=action_id)
    stream = other.WatchGame(pb.WatchGameRequest(name=table.name))
    assert (await read(stream)).snapshot.view.version == version
    cluster.stop()
    try:
        with refused("STORAGE_UNAVAILABLE") as refusal:
            await stub.SubmitAction(request, metadata=table.seat(seat))
        assert refusal.code is grpc.StatusCode.UNAVAILABLE
        with refused("STORAGE_UNAVAILABLE"):
            await table.view()
        with refused("STORAGE_UNAVAILABLE"):
            await new_table(other)
        await stub.GetServerInfo(pb.GetServerInfoRequest())
    finally:
        cluster.start()
    answer = await submitted(stub, request, table.seat(seat))
    assert answer.version == version + 1
    assert (await read(stream)).update.record.version == version + 1
    for channel in channels:
        await channel.close()
    for server in (one, two):
        assert await server.terminate() == 0
        log = "\n".join(server.log)
        assert '"error"' in log
        assert password(database) not in log


async def read(stream: Any) -> pb.WatchGameResponse:
    """The next message of a stream."""
    message: pb.WatchGameResponse = await stream.read()
    return message


async def submitted(stub: AsyncStub, request: pb.SubmitActionRequest, metadata: Metadata) -> pb.SubmitActionResponse:
    """The answer to a submission, repeated until the journal is back."""
    while True:
        try:
            return await stub.SubmitAction(request, metadata=metadata)
        except grpc.aio.AioRpcError as error:
            if error.code() is not grpc.StatusCode.UNAVAILABLE:
                raise
            await asyncio.sleep(0.1)


def password(url: PostgresUrl) -> str:
    """The password in a URL of the tests."""
    return url.secret.split("@")[0].split(":")[2]


@pytest.mark.long
async def test_a_database_that_crashes_loses_nothing(own_cluster: Cluster) -> None:
    """Whatever was acknowledged before a crash of the database is there after it, and nothing is there twice."""
    database = own_cluster.database()
    server = await spawn(database)
    channel, stub = server.connect()
    chance = random.Random(3)
    writers = [Writer(await new_table(stub, seed=chance.randbytes(32)), chance) for _ in range(WRITERS)]
    for _ in range(10):
        playing = [asyncio.create_task(writer.play(stub)) for writer in writers]
        await asyncio.sleep(0.1 + chance.random())
        own_cluster.stop(signal.SIGQUIT)
        await asyncio.gather(*playing)
        own_cluster.start()
        for writer in writers:
            if writer.pending is not None:
                seat, request = writer.pending
                answer = await submitted(stub, request, writer.table.seat(seat))
                writer.acknowledged[answer.version], writer.pending = request.action_id, None
            await writer.check(stub)
        writers = [
            Writer(await new_table(stub, seed=chance.randbytes(32)), chance) if writer.over else writer
            for writer in writers
        ]
    await channel.close()
    assert await server.terminate() == 0
