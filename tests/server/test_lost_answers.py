"""Whatever is lost on the way, and whenever: the same request again has exactly one effect."""

from __future__ import annotations

import asyncio
import contextlib
import math
import random
from collections.abc import Iterable
from pathlib import Path

import grpc
import pytest
from meadow_api.v1 import game_service_pb2 as pb
from meadow_server.rpc import Deadlines
from meadow_server.store.address import PostgresUrl

from tests.server.harness import Host, hosted, lasting, stub_of
from tests.server.mutations import MUTATIONS, Attempt, cut

POINTS = 3
"""Places to cut the connection at in each direction; the long test cuts at every byte."""
TICKS = range(0, 36, 4)
"""Turns of the event loop after which calls are cancelled: the server's are among them. The long test takes each."""
_SERVICE = pb.DESCRIPTOR.services_by_name["GameService"]


def test_every_mutation_is_tried() -> None:
    """A mutation is a call with a request id; the choices of a Play stream have one too."""
    carried = {method.name for method in _SERVICE.methods if "request_id" in method.input_type.fields_by_name}
    assert carried | {"Play"} == set(MUTATIONS)


async def again(host: Host, attempt: Attempt) -> None:
    """Send a request again, twice: it succeeds, answers the same both times, and has had one effect."""
    answer = await attempt.send(host.stub)
    await attempt.done_once(host.stub)
    assert lasting(await attempt.send(host.stub)) == lasting(answer)
    await attempt.done_once(host.stub)


async def lengths(host: Host, name: str) -> list[int]:
    """How many bytes an attempt that is not cut takes to and from the server."""
    attempt = await MUTATIONS[name](host.stub)
    async with cut(host.server.address) as (channel, cutter):
        await attempt.send(stub_of(channel))
        passed = list(cutter.passed)
    await attempt.done_once(host.stub)
    return passed


async def cut_at(host: Host, name: str, way: int, after: int) -> None:
    """Let the connection break after so many bytes in the middle of an attempt, then repeat it."""
    attempt = await MUTATIONS[name](host.stub)
    async with cut(host.server.address, after=after, way=way) as (channel, _):
        with contextlib.suppress(grpc.RpcError):
            await attempt.send(stub_of(channel))
    await again(host, attempt)


@pytest.mark.parametrize("name", MUTATIONS)
async def test_a_connection_that_breaks(host: Host, name: str) -> None:
    """Cut somewhere on the way to the server or back, each mutation is done once when it is repeated."""
    chance = random.Random(name)
    for way, length in enumerate(await lengths(host, name)):
        for after in [chance.randrange(length) for _ in range(POINTS - 2)] + [length - 1, length * 3 // 4]:
            await cut_at(host, name, way, after)


@pytest.mark.long
@pytest.mark.parametrize("name", MUTATIONS)
async def test_a_connection_that_breaks_at_every_byte(tmp_path: Path, name: str) -> None:
    """The same at each byte in both directions."""
    cuts = 0
    async with hosted(tmp_path, games_per_address=1_000_000) as host:
        for way, length in enumerate(await lengths(host, name)):
            for after in range(length + 1):
                await cut_at(host, name, way, after)
                cuts += 1
    print(f"\n{name}: {cuts} cuts, one effect each")


@pytest.mark.parametrize("name", MUTATIONS)
async def test_a_call_that_is_cancelled(host: Host, name: str) -> None:
    """Cancelled after any number of turns of the event loop, at whatever it waits for, each mutation is done once."""
    await cancelled(host, name, TICKS)


@pytest.mark.long
@pytest.mark.parametrize("name", MUTATIONS)
async def test_a_call_that_is_cancelled_at_every_turn(tmp_path: Path, name: str) -> None:
    """The same after each number of turns, many times over."""
    async with hosted(tmp_path, games_per_address=1_000_000) as host:
        for _ in range(5):
            await cancelled(host, name, range(120))


async def cancelled(host: Host, name: str, after: Iterable[int]) -> None:
    """Cancel attempts after some turns of the event loop, then repeat them."""
    for ticks in after:
        attempt = await MUTATIONS[name](host.stub)
        call = asyncio.ensure_future(attempt.send(host.stub))
        for _ in range(ticks):
            await asyncio.sleep(0)
        call.cancel()
        await asyncio.wait([call])
        await again(host, attempt)


@pytest.mark.parametrize("name", MUTATIONS)
async def test_a_call_that_the_server_gives_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Given up by the server's own deadline at any turn, each mutation is done once when it is repeated."""
    made: list[Deadlines] = []
    begin = Deadlines.__init__

    def begun(deadlines: Deadlines, seconds: float) -> None:
        made.append(deadlines)
        begin(deadlines, seconds)

    monkeypatch.setattr(Deadlines, "__init__", begun)
    given_up = 0
    async with hosted(tmp_path) as host:
        # how soon a call comes, and how long it takes, depends on the machine
        for ticks in range(8, 2000, 4):
            if given_up > 5:
                break
            attempt = await MUTATIONS[name](host.stub)
            call = asyncio.ensure_future(attempt.send(host.stub))
            for _ in range(ticks):
                await asyncio.sleep(0)
            made[0].look(math.inf)
            await asyncio.wait([call])
            given_up += call.exception() is not None
            await again(host, attempt)
    assert given_up


@pytest.mark.parametrize("name", MUTATIONS)
async def test_a_server_that_ends_before_it_can_answer(host: Host, name: str) -> None:
    """After a restart a mutation that was done is answered as it was, and one that was not is done."""
    attempt = await MUTATIONS[name](host.stub)
    call = asyncio.ensure_future(attempt.send(host.stub))
    await asyncio.sleep(0.002)
    call.cancel()
    await asyncio.wait([call])
    await host.restart()
    await again(host, attempt)


@pytest.mark.parametrize("name", MUTATIONS)
async def test_a_repeat_at_another_server(database: PostgresUrl, name: str) -> None:
    """A mutation that is repeated at another server, perhaps while the first is still at it, has one effect."""
    async with hosted(database) as one, hosted(database) as two:
        for ticks in (0, 12, 40):
            attempt = await MUTATIONS[name](one.stub)
            call = asyncio.ensure_future(attempt.send(one.stub))
            for _ in range(ticks):
                await asyncio.sleep(0)
            at_two = asyncio.ensure_future(attempt.send(two.stub))
            call.cancel()
            await asyncio.wait([call, at_two])
            await again(two, attempt)
            await again(one, attempt)
            assert at_two.exception() is None
