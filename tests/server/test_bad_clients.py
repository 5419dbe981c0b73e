"""Clients that begin and do not end, never read, or flood: everybody else is served."""

from __future__ import annotations

import asyncio
import gzip
import json
import random
from pathlib import Path

import grpc
import pytest
from google.protobuf.duration_pb2 import Duration
from meadow_api.v1 import game_service_pb2 as pb

from tests.server.every_call import METHODS
from tests.server.harness import Host, Table, hosted, new_table
from tests.server.processes import spawn
from tests.server.raw_http2 import frame, raw_client
from tests.server.writers import Writer

ONE_REQUEST = [
    *(method.path for method in METHODS.values() if not method.asks),
    "/grpc.health.v1.Health/Check",
    "/grpc.health.v1.Health/Watch",
]
"""The calls that take one request."""


async def served(host: Host) -> None:
    """Everybody else is: a game is made and played on."""
    table = await new_table(host.stub)
    await table.play(2)


async def test_requests_that_never_end_are_given_up(tmp_path: Path) -> None:
    """A call whose one request does not come in the server's time limit is ended by the server, with the reason."""
    async with hosted(tmp_path, deadline_seconds=1) as host, raw_client(host.server.address) as bad:
        stalled = set()
        for path in ONE_REQUEST:
            headers_only, begun = bad.begin(path), bad.begin(path)
            await bad.send(begun, frame(b"x" * 100, length=1000))
            stalled |= {headers_only, begun}
        await served(host)
        await bad.until_ended(stalled)
        said = {bad.trailers[stream]["grpc-status"] for stream in stalled}
        assert said == {str(grpc.StatusCode.DEADLINE_EXCEEDED.value[0])}


async def test_a_call_that_ends_without_a_request(host: Host) -> None:
    """A client that ends its side without a word hears that a request was missing."""
    async with raw_client(host.server.address) as bad:
        streams = set()
        for path in ONE_REQUEST:
            stream = bad.begin(path)
            bad.h2.end_stream(stream)
            streams.add(stream)
        await bad.flush()
        await bad.until_ended(streams)
        said = {bad.trailers[stream]["grpc-status"] for stream in streams}
        assert said == {str(grpc.StatusCode.INVALID_ARGUMENT.value[0])}


async def test_a_message_that_inflates_beyond_the_limit(host: Host) -> None:
    """A small message that would be large when unpacked is refused, and not unpacked."""
    bomb = gzip.compress(bytes(50 << 20))
    async with raw_client(host.server.address) as bad:
        stream = bad.begin(METHODS["GetGame"].path, grpc_encoding="gzip")
        await bad.send(stream, frame(bomb, compressed=True), end=True)
        await bad.until_ended({stream})
        assert bad.trailers[stream]["grpc-status"] == str(grpc.StatusCode.RESOURCE_EXHAUSTED.value[0])
    await served(host)


async def test_watchers_that_never_read(host: Host, table: Table) -> None:
    """Streams whose client takes nothing in hold up neither the game nor the other watchers."""
    async with raw_client(host.server.address) as bad:
        request = pb.WatchGameRequest(name=table.name, include_view=True).SerializeToString()
        for _ in range(20):
            stream = bad.begin(METHODS["WatchGame"].path)
            await bad.send(stream, frame(request), end=True)
        good = table.stub.WatchGame(pb.WatchGameRequest(name=table.name, after_version=0))
        await table.play_to_end()
        messages = [message async for message in good]
        assert messages[-1].HasField("terminal")


async def ended_among_bad_clients(folder: Path, *arguments: str) -> tuple[int, float]:
    """End a server while players play and bad clients hold on to it; answers its exit code and the seconds it took.

    What was acknowledged to the players must be in the journal.
    """
    server = await spawn(folder / "journal.db", *arguments)
    channel, stub = server.connect()
    writers = [Writer(await new_table(stub), random.Random(number)) for number in range(4)]
    table = await new_table(stub)
    seat, _ = await table.pending()
    waits = pb.GetGameViewRequest(name=table.name, wait_for_turn=Duration(seconds=25))
    async with raw_client(server.address) as bad, raw_client(server.address):
        for method in METHODS.values():
            await bad.send(bad.begin(method.path), frame(b"x", length=1000))
        watch = pb.WatchGameRequest(name=writers[0].table.name, include_view=True).SerializeToString()
        for _ in range(20):
            await bad.send(bad.begin(METHODS["WatchGame"].path), frame(watch), end=True)
        waiting = stub.GetGameView(waits, metadata=table.seat(1 - seat))
        playing = [asyncio.create_task(writer.play(stub)) for writer in writers]
        await asyncio.sleep(0.3)
        code = await server.terminate()
        await asyncio.gather(*playing)
        assert (await waiting).view.version == 1
    await channel.close()
    again = await spawn(folder / "journal.db")
    channel, stub = again.connect()
    for writer in writers:
        await writer.check(stub)
    await channel.close()
    await again.terminate()
    return code, float(json.loads(server.log[-1])["seconds"])


async def test_a_server_ends_well_among_bad_clients(tmp_path: Path) -> None:
    """On SIGTERM no client can keep it: those who wait are answered, the others are let go."""
    code, _ = await ended_among_bad_clients(tmp_path, "--drain-seconds", "1")
    assert code == 0


@pytest.mark.long
async def test_a_server_ends_in_ten_seconds(tmp_path: Path) -> None:
    """The same with the limits as they are."""
    code, seconds = await ended_among_bad_clients(tmp_path)
    print(f"\nSIGTERM among players and bad clients: gone after {seconds:.1f} s")
    assert (code, seconds < 10) == (0, True)


async def test_floods_of_small_frames(host: Host) -> None:
    """Settings, pings and calls reset as soon as begun: the server may end the connection, and serves the others."""
    for flood in ("settings", "ping", "reset"):
        async with raw_client(host.server.address) as bad:
            for number in range(2000):
                if flood == "settings":
                    bad.h2.update_settings({4: 65535 + number % 2})
                elif flood == "ping":
                    bad.h2.ping(number.to_bytes(8, "big"))
                else:
                    bad.h2.reset_stream(bad.begin(METHODS["GetServerInfo"].path), error_code=8)
                if number % 500 == 499:
                    await bad.flush()
            await served(host)
    assert not host.server.app.streams


@pytest.mark.parametrize("garbage", [b"GET / HTTP/1.1\r\n\r\n", b"\x16\x03\x01\x02\x00\x01\x00", bytes(500), b""])
async def test_connections_that_speak_something_else(host: Host, garbage: bytes) -> None:
    """Other protocols, and silence, are no reason to falter."""
    name, _, port = host.server.address.rpartition(":")
    connections = [await asyncio.open_connection(name, int(port)) for _ in range(50)]
    for _, writer in connections:
        writer.write(garbage)
        await writer.drain()
    await served(host)
    for _, writer in connections:
        writer.close()
