"""What the server holds in memory, for whom, and that it lets go of it. Figures are printed for docs/operations.md."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from meadow_api.v1 import game_service_pb2 as pb

from tests.server.harness import RESERVED, AsyncStub, Table, new_table
from tests.server.processes import ServerProcess, spawn

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(sys.platform != "linux", reason="reads the memory of another process from /proc"),
]
KIB, MIB = 1 << 10, 1 << 20
WATCHERS, WATCHERS_MIB = 1000, 60
CANCELLED, CANCELLED_MIB = 10_000, 4
GAMES, CHOICES = 100, 40
MANY_STREAMS = ("--watchers-per-game", "100000", "--games-per-address", "100000")


def resident(server: ServerProcess) -> int:
    """Bytes of memory that a server holds now."""
    status = Path(f"/proc/{server.process.pid}/status").read_text()
    (line,) = (line for line in status.splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1]) * KIB


@asynccontextmanager
async def running(folder: Path) -> AsyncIterator[tuple[ServerProcess, AsyncStub]]:
    """A server process that has done everything once."""
    server = await spawn(folder / "journal.db", *MANY_STREAMS)
    channel, stub = server.connect()
    table = await new_table(stub)
    stream = stub.WatchGame(pb.WatchGameRequest(name=table.name, include_view=True))
    await stream.read()
    await table.play_to_end()
    stream.cancel()
    yield server, stub
    await channel.close()
    assert await server.terminate() == 0


async def test_idle_watchers_are_small(tmp_path: Path) -> None:
    """A thousand watchers of games in which nothing happens hold less than 60 MiB."""
    async with running(tmp_path) as (server, stub):
        tables = [await new_table(stub) for _ in range(10)]
        before = resident(server)
        streams = [
            stub.WatchGame(pb.WatchGameRequest(name=tables[number % 10].name, include_view=True))
            for number in range(WATCHERS)
        ]
        await asyncio.gather(*(stream.read() for stream in streams))
        grown = resident(server) - before
        print(f"\n{WATCHERS} idle watchers: {grown / MIB:.1f} MiB, {grown / WATCHERS / KIB:.1f} KiB each")
        assert grown < WATCHERS_MIB * MIB
        for stream in streams:
            stream.cancel()


async def test_cancelled_streams_leave_no_memory_behind(tmp_path: Path) -> None:
    """Streams that are opened and cancelled by the thousand leave the server as large as it was."""

    async def soak(stub: AsyncStub, table: Table, count: int) -> None:
        for number in range(count // 50):
            streams: list[Any] = [
                stub.WatchGame(pb.WatchGameRequest(name=table.name, after_version=place % 2)) for place in range(50)
            ]
            if number % 2:
                await asyncio.gather(*(stream.read() for stream in streams[::2]))
            for stream in streams:
                stream.cancel()
            await table.game()

    async with running(tmp_path) as (server, stub):
        table = await new_table(stub)
        await soak(stub, table, CANCELLED)
        half = resident(server)
        await soak(stub, table, CANCELLED)
        grown = resident(server) - half
        print(f"\n{CANCELLED} more cancelled streams: {grown / KIB:.0f} KiB")
        assert grown < CANCELLED_MIB * MIB


@pytest.mark.parametrize(("variant", "seats"), [("spring_meadow", 4), ("meadow", 4), ("meadow", 2)])
async def test_what_a_game_holds(variant: str, seats: int, tmp_path: Path) -> None:
    """A game in memory, in the middle, is a few hundred KiB at the most."""
    async with running(tmp_path) as (server, stub):
        before = resident(server)
        for number in range(GAMES):
            table = await new_table(stub, *[RESERVED] * seats, variant=variant, seed=number.to_bytes(32, "big"))
            await table.play(CHOICES)
        grown = (resident(server) - before) / GAMES
        print(f"\n{variant} for {seats} after {CHOICES} choices: {grown / KIB:.0f} KiB a game held in memory")
        assert grown < 500 * KIB
