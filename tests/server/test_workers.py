"""Several server processes on one port."""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import urllib.request
from collections.abc import Callable
from pathlib import Path

import grpc
import pytest
from meadow_api.v1 import game_service_pb2 as pb
from meadow_server.serving import AddressInUse
from meadow_server.store.address import PostgresUrl
from meadow_server.workers import reserve

from tests.server.harness import AsyncStub, new_table, stub_of
from tests.server.processes import ServerProcess, refused_start, spawn
from tests.server.writers import Writer

WORKERS = 2


async def started(database: PostgresUrl) -> ServerProcess:
    """A server of several workers."""
    return await spawn(database, "--workers", str(WORKERS), "--metrics-listen", "127.0.0.1:0")


def workers_of(server: ServerProcess) -> set[int]:
    """The processes that serve for a server."""
    found = set()
    for status in Path("/proc").glob("[0-9]*/status"):
        try:
            lines = dict(line.split(":\t", 1) for line in status.read_text().splitlines() if ":\t" in line)
            command = status.with_name("cmdline").read_bytes()
        except (FileNotFoundError, ProcessLookupError):
            continue
        if int(lines["PPid"]) == server.process.pid and b"meadow_server.worker" in command:
            found.add(int(lines["Pid"]))
    return found


def connections(server: ServerProcess, number: int) -> list[tuple[grpc.aio.Channel, AsyncStub]]:
    """Channels that have a connection each, which the system spreads over the workers."""
    options = [("grpc.use_local_subchannel_pool", 1)]
    channels = [grpc.aio.insecure_channel(server.address, options=options) for _ in range(number)]
    return [(channel, stub_of(channel)) for channel in channels]


def metrics_of(server: ServerProcess) -> dict[str, float]:
    """What the server's metrics say."""
    said = json.loads(next(line for line in server.log if '"serving"' in line))
    with urllib.request.urlopen(f"http://{said['metrics']}/metrics") as answer:
        lines = answer.read().decode().splitlines()
    return {name: float(value) for name, value in (line.rsplit(" ", 1) for line in lines if not line.startswith("#"))}


async def test_workers_are_one_server(database: PostgresUrl) -> None:
    """Whichever worker a connection leads to plays any game; metrics, address and the end are theirs together."""
    server = await started(database)
    pairs = connections(server, 16)
    table = await new_table(pairs[0][1])
    for _, stub in pairs:
        table.stub = stub
        await table.play_one()
    assert (await table.view()).version == 17
    counted = await asyncio.to_thread(metrics_of, server)
    assert counted['meadow_calls_total{code="OK",method="SubmitAction"}'] == 16, counted

    code, said = await refused_start("--listen", server.address, "--workers", "2", MEADOW_JOURNAL=database.secret)
    assert (code, said.count("\n"), server.address in said) == (1, 1, True), said

    streams = [stub.WatchGame(pb.WatchGameRequest(name=table.name)) for _, stub in pairs]
    for stream in streams:
        await stream.read()
    assert await server.terminate() == 0
    for stream in streams:
        last = None
        while isinstance(message := await stream.read(), pb.WatchGameResponse):
            last = message
        assert last is not None
        assert last.HasField("draining")
    for channel, _ in pairs:
        await channel.close()
    assert sum('"drained"' in line for line in server.log) == 1 + WORKERS


async def test_a_worker_that_dies_is_replaced(database: PostgresUrl) -> None:
    """Its clients go on at another and nothing acknowledged is lost; when the parent dies the workers end too."""
    server = await started(database)
    before = workers_of(server)
    assert len(before) == WORKERS
    pairs = connections(server, 6)
    writers = [Writer(await new_table(stub), random.Random(number)) for number, (_, stub) in enumerate(pairs)]
    playing = [asyncio.create_task(writer.play(stub)) for writer, (_, stub) in zip(writers, pairs, strict=True)]
    await asyncio.sleep(0.2)
    killed = before.pop()
    os.kill(killed, signal.SIGKILL)
    await until(lambda: killed not in workers_of(server) and len(workers_of(server)) == WORKERS)
    assert before < workers_of(server)
    for task in playing:
        task.cancel()
    await asyncio.gather(*playing, return_exceptions=True)
    for writer, (channel, stub) in zip(writers, pairs, strict=True):
        await writer.check(stub)
        assert writer.acknowledged
        await channel.close()

    await server.kill()
    await until(lambda: is_free(server.address))


@pytest.mark.long
async def test_a_worker_that_stands_still_is_replaced(database: PostgresUrl) -> None:
    """A worker that no longer runs, though it is there, is ended after a while, and another takes its place."""
    server = await started(database)
    stuck = workers_of(server).pop()
    os.kill(stuck, signal.SIGSTOP)
    await until(lambda: stuck not in workers_of(server) and len(workers_of(server)) == WORKERS)
    assert await server.terminate() == 0
    assert any('"worker is stuck"' in line for line in server.log)


async def until(condition: Callable[[], bool]) -> None:
    """Wait until something is so."""
    while not condition():  # noqa: ASYNC110 (it is about other processes)
        await asyncio.sleep(0.1)


def is_free(address: str) -> bool:
    """Whether a server could have an address."""
    try:
        _, held = reserve(address)
    except AddressInUse:
        return False
    for holder in held:
        holder.close()
    return True


async def test_a_file_is_for_one_server(tmp_path: Path) -> None:
    """Several workers on a SQLite journal are refused with what they take."""
    code, said = await refused_start("--journal", str(tmp_path / "journal.db"), "--workers", "2")
    assert code == 2
    assert "several workers take a PostgreSQL journal" in said


async def test_what_keeps_workers_from_starting_is_said_once() -> None:
    """A database that is not there is named in one line, without its password."""
    nowhere = "postgresql://user:secret@127.0.0.1:1/nothing"
    code, said = await refused_start("--listen", "127.0.0.1:0", "--workers", "2", MEADOW_JOURNAL=nowhere)
    assert (code, said.count("\n"), "127.0.0.1:1/nothing" in said) == (1, 1, True), said
    assert "secret" not in said
