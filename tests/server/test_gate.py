"""How often one may call, how many streams one may open, and whom a call is counted for."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.rpc import error_details_pb2  # type: ignore[import-untyped]
from meadow_api.v1 import common_pb2
from meadow_api.v1 import game_service_pb2 as pb
from meadow_client import AsyncClient
from meadow_client.retry import RetryPolicy
from meadow_server.addresses import Addresses, read_network
from meadow_server.config import Config
from meadow_server.gate import BURST_SECONDS, MOST_AUTHORIZATION, MOST_KEYS, Gate, Rates
from meadow_server.limits import Limits

from tests.server.harness import AsyncStub, Host, Metadata, bearer, hosted, new_table, refusal_of, refused

INFO = pb.GetServerInfoRequest()
PROXIED = replace(Config(), trusted_proxies=(read_network("127.0.0.0/8"), read_network("10.0.0.0/8")))


async def burst(stub: AsyncStub, calls: int, metadata: Metadata = ()) -> list[grpc.RpcError]:
    """Make calls at once; the refusals."""
    made = (stub.GetServerInfo(INFO, metadata=metadata) for _ in range(calls))
    answers = await asyncio.gather(*made, return_exceptions=True)
    return [answer for answer in answers if isinstance(answer, grpc.RpcError)]


def check_refusal(error: grpc.RpcError, limit: str, value: int) -> None:
    """Too many calls are RATE_LIMITED, with the limit and the time after which the next one is let in."""
    refusal = refusal_of(error)
    assert (refusal.code, refusal.reason) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "RATE_LIMITED")
    assert refusal.detail(common_pb2.LimitDetail) == common_pb2.LimitDetail(limit=limit, value=value)
    delay = refusal.detail(error_details_pb2.RetryInfo).retry_delay.ToTimedelta().total_seconds()
    assert 0 < delay <= 1 / value + 0.001


async def test_calls_of_an_address_are_limited(tmp_path: Path) -> None:
    """Beyond twice the limit at once calls are refused, whatever token they bring, and say when to come again."""
    async with hosted(tmp_path, requests_per_address=5) as host:
        tokens = [bearer(str(number)) for number in range(60)]
        made = (host.stub.GetServerInfo(INFO, metadata=token) for token in tokens)
        answers = await asyncio.gather(*made, return_exceptions=True)
        refusals = [answer for answer in answers if isinstance(answer, grpc.RpcError)]
        assert 0 < len(refusals) <= 50
        check_refusal(refusals[0], "requests_per_address", 5)


async def test_calls_with_a_token_are_limited(tmp_path: Path) -> None:
    """A token that is used too often is refused, and leaves others of the same address alone."""
    async with hosted(tmp_path, requests_per_token=5) as host:
        refusals = await burst(host.stub, 60, bearer("one"))
        assert refusals
        check_refusal(refusals[0], "requests_per_token", 5)
        assert not await burst(host.stub, 10, bearer("two"))
        assert not await burst(host.stub, 20)


async def test_the_client_waits_as_it_is_told(tmp_path: Path) -> None:
    """A client that is too fast gets all its answers, later."""
    async with hosted(tmp_path, requests_per_address=20) as host:
        policy = RetryPolicy(attempts=30, first_delay=1000, longest_delay=1000)
        async with AsyncClient(host.server.address, retry=policy) as client:
            answers = await asyncio.gather(*(client.get_server_info() for _ in range(45)))
        assert len(answers) == 45


async def test_streams_are_limited_by_token_and_by_address(tmp_path: Path) -> None:
    """One token, and one address, may hold so many streams; one that has ended makes room."""
    async with hosted(tmp_path, watchers_per_token=1, watchers_per_address=2) as host:
        table = await new_table(host.stub)
        request = pb.WatchGameRequest(name=table.name)
        first = host.stub.WatchGame(request, metadata=table.seat(0))
        await first.read()
        with refused("QUOTA_EXCEEDED") as refusal:
            await host.stub.WatchGame(request, metadata=table.seat(0)).read()
        assert refusal.metadata["limit"] == "watchers_per_token"
        second = host.stub.WatchGame(request)
        await second.read()
        with refused("QUOTA_EXCEEDED") as refusal:
            await host.stub.WatchGame(request, metadata=table.seat(1)).read()
        assert refusal.metadata["limit"] == "watchers_per_address"
        first.cancel()
        await _until_released(host)
        again = host.stub.WatchGame(request, metadata=table.seat(0))
        assert await again.read()


async def test_requests_of_a_stream_wait_instead_of_being_refused(tmp_path: Path) -> None:
    """A bot that is too fast on its stream gets all its answers, later; each of its requests counts."""
    async with hosted(tmp_path, requests_per_token=5) as host:
        table = await new_table(host.stub)
        seat, _ = await table.pending()
        stream = host.stub.Play(metadata=table.seat(seat))
        for _ in range(15):
            await stream.write(pb.PlayRequest(wait=pb.PlayWait()))
            answer = await stream.read()
            assert isinstance(answer, pb.PlayResponse)
            assert answer.HasField("turn")
        refusals = await burst(host.stub, 60, table.seat(seat))
        check_refusal(refusals[0], "requests_per_token", 5)
        stream.cancel()


async def _until_released(host: Host) -> None:
    while host.server.app.games.all()[0].watching.total() > 1:  # noqa: ASYNC110 (nobody is told)
        await asyncio.sleep(0.01)


async def test_a_trusted_proxy_says_where_calls_come_from(tmp_path: Path) -> None:
    """Behind a listed proxy each address has a limit of its own; without the list the header is anybody's."""
    for settings, alone in ((PROXIED, True), (Config(), False)):
        folder = tmp_path / str(alone)
        async with hosted(folder, settings, requests_per_address=5) as host:
            assert await burst(host.stub, 60, (("x-forwarded-for", "192.0.2.1"),))
            others = await burst(host.stub, 8, (("x-forwarded-for", "192.0.2.2"),))
            assert (not others) == alone


async def test_games_are_counted_for_the_address_behind_the_proxy(tmp_path: Path) -> None:
    """The quota of games is that of the creator's own address."""
    async with hosted(tmp_path, PROXIED, games_per_address=1) as host:
        for number in (1, 2):
            await _create(host, f"192.0.2.{number}")
        with refused("QUOTA_EXCEEDED"):
            await _create(host, "192.0.2.1")


async def _create(host: Host, address: str) -> None:
    seat = pb.SeatSpec(kind=common_pb2.SEAT_KIND_RESERVED)
    request = pb.CreateGameRequest(variant="spring_meadow", seats=[seat, seat])
    await host.stub.CreateGame(request, metadata=(("x-forwarded-for", address),))


async def test_streams_of_one_connection_are_limited(tmp_path: Path) -> None:
    """Calls beyond the limit of a connection wait for one under way to end; none is lost."""
    async with hosted(tmp_path, streams_per_connection=2) as host:
        table = await new_table(host.stub)
        watches = [host.stub.WatchGame(pb.WatchGameRequest(name=table.name)) for _ in range(2)]
        for watch in watches:
            await watch.read()
        third = asyncio.ensure_future(host.stub.GetServerInfo(INFO))
        done, _ = await asyncio.wait([third], timeout=0.3)
        assert not done
        watches[0].cancel()
        assert (await third).build
        watches[1].cancel()


# ---- who it was ------------------------------------------------------------------------------------------------------

TRUSTED = ["10.0.0.0/8", "2001:db8:ffff::/48"]


@pytest.mark.parametrize(
    ("peer", "header", "value", "found"),
    [
        ("ipv4:192.0.2.1:5000", "x-forwarded-for", "", "192.0.2.1"),
        ("ipv6:%5B2001:db8::1%5D:5000", "x-forwarded-for", "", "2001:db8::/64"),
        ("ipv6:%5B::ffff:192.0.2.1%5D:5000", "x-forwarded-for", "", "192.0.2.1"),
        ("unix:", "x-forwarded-for", "192.0.2.9", "unknown"),
        # a stranger's header is not believed
        ("ipv4:192.0.2.1:5000", "x-forwarded-for", "198.51.100.1", "192.0.2.1"),
        # the nearest that is no proxy of ours; what stands before it, it may have made up
        ("ipv4:10.0.0.1:5000", "x-forwarded-for", "198.51.100.1, 192.0.2.1", "192.0.2.1"),
        ("ipv4:10.0.0.1:5000", "x-forwarded-for", "198.51.100.1, 192.0.2.1, 10.9.9.9", "192.0.2.1"),
        ("ipv4:10.0.0.1:5000", "x-forwarded-for", "10.2.2.2, 10.9.9.9", "10.2.2.2"),
        ("ipv4:10.0.0.1:5000", "x-forwarded-for", "192.0.2.1, nonsense", "10.0.0.1"),
        ("ipv4:10.0.0.1:5000", "x-forwarded-for", "nonsense, 10.9.9.9", "10.9.9.9"),
        ("ipv4:10.0.0.1:5000", "x-forwarded-for", "192.0.2.1:4711", "192.0.2.1"),
        ("ipv4:10.0.0.1:5000", "x-forwarded-for", "[2001:db8::1]:4711", "2001:db8::/64"),
        ("ipv6:%5B2001:db8:ffff::1%5D:5000", "x-forwarded-for", "2001:db8:1:2:3::4", "2001:db8:1:2::/64"),
        ("ipv4:10.0.0.1:5000", "forwarded", "for=192.0.2.1;proto=https;by=10.0.0.1", "192.0.2.1"),
        ("ipv4:10.0.0.1:5000", "forwarded", 'for=198.51.100.1, proto=http; For="[2001:db8::1]:99"', "2001:db8::/64"),
        ("ipv4:10.0.0.1:5000", "forwarded", "for=192.0.2.1, for=_hidden", "10.0.0.1"),
        ("ipv4:10.0.0.1:5000", "forwarded", "proto=https", "10.0.0.1"),
    ],
)
def test_the_address_behind_proxies(peer: str, header: str, value: str, found: str) -> None:
    """The address is the nearest that is no trusted proxy; what cannot be read ends the way back."""
    addresses = Addresses([read_network(text) for text in TRUSTED], header)
    assert addresses.of(peer, ((header, value),)) == found


def test_only_one_header_is_read() -> None:
    """A proxy that writes one header lets the other pass as a stranger sent it."""
    addresses = Addresses([read_network("10.0.0.0/8")], "x-forwarded-for")
    metadata: Any = (("forwarded", "for=198.51.100.1"), ("x-forwarded-for", "192.0.2.1"))
    assert addresses.of("ipv4:10.0.0.1:5000", metadata) == "192.0.2.1"
    metadata = (("x-forwarded-for", "198.51.100.1"), ("x-forwarded-for", "192.0.2.1"))
    assert addresses.of("ipv4:10.0.0.1:5000", metadata) == "192.0.2.1"


# ---- how often -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("per_second", [1, 7, 1000])
def test_no_more_than_the_rate_gets_through(per_second: int) -> None:
    """In any time, a caller gets its rate and the burst, no matter how it calls; and whoever waits as told gets in."""
    rates, now, let_in = Rates(per_second), 0.0, 0
    for _ in range(20 * per_second):
        delay = rates.delay("somebody", now)
        if delay:
            assert not Rates.delay(rates, "somebody else", now)
            now += delay + 1e-9
            assert not rates.delay("somebody", now)
        let_in += 1
    assert let_in == pytest.approx(per_second * (now + BURST_SECONDS), abs=1)


def test_callers_of_the_past_are_forgotten() -> None:
    """Memory is bounded however many callers there have been."""
    rates = Rates(1000)
    for number in range(3 * MOST_KEYS):
        rates.delay(str(number), number / 1_000_000)
    assert len(rates._paid) <= MOST_KEYS + 1


def test_a_stream_is_slowed_down_to_the_rate() -> None:
    """Requests of a stream are never refused; waiting as told, they come at the rate, beyond the burst."""
    rates, now = Rates(10), 0.0
    for _ in range(100):
        now += rates.pace("stream", now)
    assert now == pytest.approx(10 - BURST_SECONDS)


def test_a_caller_is_told_by_what_can_be_a_token() -> None:
    """What is too long to be anybody's, or no bearer's, is nobody's: it is not kept to be counted."""
    gate = Gate(Addresses((), "x-forwarded-for"), Limits())
    sent = {
        "Bearer abc": "abc",
        "bearer   abc ": "abc",
        "Basic abc": "",
        "": "",
        "Bearer " + "x" * (MOST_AUTHORIZATION + 1): "",
    }
    for text, token in sent.items():
        assert gate.origin("ipv4:192.0.2.7:1", [("authorization", text)]).authorization == token
    assert gate.origin("ipv4:192.0.2.7:1", []).authorization is None
