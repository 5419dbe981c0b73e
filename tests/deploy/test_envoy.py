"""The Envoy configuration of `deploy/`, run in front of real servers: balancing, gRPC-Web, CORS, long streams."""

from __future__ import annotations

import asyncio
import base64
import http.client
import time
from collections.abc import Iterator
from contextlib import AsyncExitStack, closing
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import grpc
import pytest
from google.protobuf.message import Message
from google.rpc import error_details_pb2, status_pb2  # type: ignore[import-untyped]
from meadow_api.v1 import common_pb2
from meadow_api.v1 import game_service_pb2 as pb
from meadow_server.addresses import read_network
from meadow_server.config import Config

from tests.deploy.envoy import Proxy, cluster, configuration, envoy
from tests.server.harness import Host, hosted, new_table, stub_of

pytestmark = pytest.mark.source

SERVICE = "/meadow_api.v1.GameService/"
ORIGIN = "https://games.example.org"
HELD_SECONDS = 3.5
HELD_LONG_SECONDS = 75.0
TRAILERS = 0x80


class Frame(NamedTuple):
    """A frame of gRPC-Web: a message, or the trailers."""

    kind: int
    body: bytes


def open_call(
    proxy: Proxy, method: str, request: Message, source: str = "127.0.0.1", claimed: str = ""
) -> http.client.HTTPResponse:
    """Make a call as a browser does: HTTP/1.1, gRPC-Web, from a page; from an address that it claims to be another."""
    body = request.SerializeToString()
    connection = http.client.HTTPConnection(proxy.host, proxy.port, timeout=30, source_address=(source, 0))
    sent = {"content-type": "application/grpc-web+proto", "x-grpc-web": "1", "origin": ORIGIN, "connection": "close"}
    sent |= {"x-forwarded-for": claimed} if claimed else {}
    connection.request("POST", SERVICE + method, b"\0" + len(body).to_bytes(4, "big") + body, sent)
    return connection.getresponse()


def frames(response: http.client.HTTPResponse) -> Iterator[Frame]:
    """The frames of an answer, as they come."""
    with closing(response):
        while head := response.read(5):
            yield Frame(head[0], response.read(int.from_bytes(head[1:], "big")))


def trailers_of(response: http.client.HTTPResponse) -> dict[str, str]:
    """What an answer ends with: a last frame, or its headers when there is nothing else."""
    ends = {name: value for name, value in response.getheaders() if name.startswith("grpc-")}
    for kind, body in frames(response):
        if kind == TRAILERS:
            lines = (line.partition(":") for line in body.decode().splitlines())
            ends |= {name.strip(): value.strip() for name, _, value in lines}
    return ends


async def test_browsers_are_served_by_grpc_web(tmp_path: Path) -> None:
    """A browser's call is translated, and its page may read the answer."""
    async with hosted(tmp_path) as host, envoy(tmp_path, [host.server.address]) as proxy:
        response = await asyncio.to_thread(open_call, proxy, "GetServerInfo", pb.GetServerInfoRequest())
        assert response.status == 200
        assert response.headers["access-control-allow-origin"] == ORIGIN
        message, end = list(frames(response))
        assert pb.GetServerInfoResponse.FromString(message.body).build
        assert (end.kind, b"grpc-status:0" in end.body) == (TRAILERS, True)


async def test_a_browser_reads_why_it_is_refused(tmp_path: Path) -> None:
    """The ErrorInfo of a refusal comes through gRPC-Web whole, and CORS lets the page see it."""
    async with hosted(tmp_path) as host, envoy(tmp_path, [host.server.address]) as proxy:
        request = pb.GetGameRequest(name="games/" + "0" * 32)
        response = await asyncio.to_thread(open_call, proxy, "GetGame", request)
        exposed = (response.headers["access-control-expose-headers"] or "").split(",")
        ends = trailers_of(response)
        assert int(ends["grpc-status"]) == grpc.StatusCode.NOT_FOUND.value[0]
        assert set(ends) <= set(exposed)
        packed = ends["grpc-status-details-bin"]
        status = status_pb2.Status.FromString(base64.b64decode(packed + "=" * (-len(packed) % 4)))
        info = error_details_pb2.ErrorInfo()
        assert status.details[0].Unpack(info)
        assert (info.reason, info.domain) == ("GAME_NOT_FOUND", "meadow_api")


async def test_only_the_pages_named_may_call(tmp_path: Path) -> None:
    """A browser asks first; a page of the origin in the list is told yes, with what it may send, another nothing."""
    asked = {
        "access-control-request-method": "POST",
        "access-control-request-headers": "authorization,content-type,x-grpc-web",
    }

    def ask(proxy: Proxy, origin: str) -> http.client.HTTPResponse:
        with closing(http.client.HTTPConnection(proxy.host, proxy.port, timeout=30)) as connection:
            connection.request("OPTIONS", SERVICE + "GetGame", headers={"origin": origin, **asked})
            with connection.getresponse() as answer:
                return answer

    async with hosted(tmp_path) as host, envoy(tmp_path, [host.server.address]) as proxy:
        allowed = await asyncio.to_thread(ask, proxy, ORIGIN)
        assert allowed.headers["access-control-allow-origin"] == ORIGIN
        assert allowed.headers["access-control-allow-methods"] == "POST"
        assert set(asked["access-control-request-headers"].split(",")) <= set(
            allowed.headers["access-control-allow-headers"].split(",")
        )
        other = await asyncio.to_thread(ask, proxy, "https://elsewhere.example.org")
        assert "access-control-allow-origin" not in other.headers


async def hold(tmp_path: Path, seconds: float) -> int:
    """Hold a browser's watch open over an otherwise silent game, then abort it; the messages that came."""

    def watch(proxy: Proxy, name: str) -> list[Frame]:
        return list(frames(open_call(proxy, "WatchGame", pb.WatchGameRequest(name=name))))

    async with hosted(tmp_path, heartbeat_seconds=1) as host, envoy(tmp_path, [host.server.address]) as proxy:
        table = await new_table(host.stub)
        began = time.monotonic()
        watching = asyncio.create_task(asyncio.to_thread(watch, proxy, table.name))
        await asyncio.sleep(seconds)
        assert not watching.done()
        await host.stub.AbortGame(pb.AbortGameRequest(name=table.name), metadata=table.host)
        *messages, end = await watching
        assert time.monotonic() - began >= seconds
    assert (end.kind, b"grpc-status:0" in end.body) == (TRAILERS, True)
    heard = [pb.WatchGameResponse.FromString(frame.body).WhichOneof("message") for frame in messages]
    assert heard[0] == "snapshot"
    assert heard[-1] == "terminal"
    assert heard.count("heartbeat") >= int(seconds) - 1
    return len(heard)


async def test_a_watch_is_held_open(tmp_path: Path) -> None:
    """A browser's watch gets each message when it is sent, and the end of the game."""
    await hold(tmp_path, HELD_SECONDS)


@pytest.mark.long
async def test_a_watch_is_held_open_for_long(tmp_path: Path) -> None:
    """Nothing cuts a watch off: not the 15 seconds that Envoy gives a route unless told otherwise, nor a minute."""
    messages = await hold(tmp_path, HELD_LONG_SECONDS)
    print(f"\na watch through Envoy by gRPC-Web, held for {HELD_LONG_SECONDS:.0f} s: {messages} messages")


def test_the_configuration_leaves_streams_their_time() -> None:
    """No route has a timeout, a silent stream outlasts many heartbeats, and there may be as many as it takes."""
    settings = configuration()
    (listener,) = settings["static_resources"]["listeners"]
    manager = listener["filter_chains"][0]["filters"][0]["typed_config"]
    (virtual_host,) = manager["route_config"]["virtual_hosts"]
    assert [route["route"]["timeout"] for route in virtual_host["routes"]] == ["0s"]
    assert int(manager["stream_idle_timeout"].rstrip("s")) >= 10 * Config().limits.heartbeat_seconds
    assert manager["use_remote_address"] is True
    (thresholds,) = cluster(settings)["circuit_breakers"]["thresholds"]
    assert thresholds["max_requests"] >= 100_000


async def test_calls_go_to_all_servers_that_serve(tmp_path: Path) -> None:
    """Calls of one connection are balanced over the servers; one that drains gets no more of them."""
    async with AsyncExitStack() as stack:
        hosts = [await stack.enter_async_context(hosted(tmp_path / str(number))) for number in range(2)]
        proxy = await stack.enter_async_context(envoy(tmp_path, [host.server.address for host in hosts]))
        async with grpc.aio.insecure_channel(proxy.address) as channel:
            stub = stub_of(channel)
            await _until_both_serve(hosts, channel)
            await hosts[0].server._health.enter_graceful_shutdown()
            for _ in range(100):
                before = _calls(hosts[0])
                for _ in range(10):
                    await stub.GetServerInfo(pb.GetServerInfoRequest())
                if _calls(hosts[0]) == before:
                    break
                await asyncio.sleep(0.1)
            else:
                pytest.fail("the server that drains is still called")
    assert not [line for line in proxy.log if "ENVOY_SIGTERM" not in line]


async def _until_both_serve(hosts: list[Host], channel: grpc.aio.Channel) -> None:
    for _ in range(200):
        await stub_of(channel).GetServerInfo(pb.GetServerInfoRequest())
        if all(map(_calls, hosts)):
            return
        await asyncio.sleep(0.02)
    pytest.fail("one of the servers is never called")


def _calls(host: Host) -> float:
    registry = host.server.app.metrics.registry
    return registry.get_sample_value("meadow_calls_total", {"method": "GetServerInfo", "code": "OK"}) or 0


async def test_limits_are_those_of_the_caller_behind_envoy(tmp_path: Path) -> None:
    """Envoy says whom it speaks for: what a caller claims does not free it from its own limits."""
    trusting = replace(Config(), trusted_proxies=(read_network("127.0.0.1/32"),))
    seat = pb.SeatSpec(kind=common_pb2.SEAT_KIND_RESERVED)
    creation = pb.CreateGameRequest(variant="spring_meadow", seats=[seat, seat])

    def create(proxy: Proxy, source: str, claimed: str) -> int:
        return int(trailers_of(open_call(proxy, "CreateGame", creation, source, claimed))["grpc-status"])

    async with hosted(tmp_path, trusting, games_per_address=1) as host, envoy(tmp_path, [host.server.address]) as proxy:
        codes = [
            await asyncio.to_thread(create, proxy, *origin)
            for origin in (("127.0.0.2", "192.0.2.1"), ("127.0.0.2", "192.0.2.2"), ("127.0.0.3", "192.0.2.1"))
        ]
        assert codes == [0, grpc.StatusCode.RESOURCE_EXHAUSTED.value[0], 0]
