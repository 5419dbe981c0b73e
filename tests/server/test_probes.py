"""Metrics and health over HTTP, read as a scraper and an orchestrator read them."""

from __future__ import annotations

import asyncio
import http.client
import socket
import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import grpc
import pytest
from meadow_api.v1 import game_service_pb2 as pb
from meadow_engine import api
from meadow_server.bot_worker import Question
from meadow_server.bots import Thinker
from meadow_server.config import Config
from meadow_server.main import start
from meadow_server.serving import AddressInUse
from prometheus_client.parser import text_string_to_metric_families

from tests.server.harness import OPEN, RANDOM_BOT, Host, bearer, hosted, new_table, refused
from tests.server.processes import refused_start, spawn

SETTINGS = replace(Config(), metrics_listen="127.0.0.1:0")
Sample = tuple[str, tuple[tuple[str, str], ...]]


def fetch(address: str, path: str, method: str = "GET") -> tuple[int, str]:
    """Status and body of a request."""
    with closing(http.client.HTTPConnection(address, timeout=10)) as connection:
        connection.request(method, path)
        answer = connection.getresponse()
        return answer.status, answer.read().decode()


async def get(host: Host, path: str, method: str = "GET") -> tuple[int, str]:
    """The same of a server's probes, while it serves."""
    assert host.server.probes is not None
    return await asyncio.to_thread(fetch, host.server.probes.address, path, method)


async def samples(host: Host) -> dict[Sample, float]:
    """All samples of a server, by name and labels."""
    status, text = await get(host, "/metrics")
    assert status == 200
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


async def until(host: Host, name: str, value: float, **labels: str) -> None:
    """Wait until a sample has a value; the server looks at itself now and then."""
    key = (name, tuple(sorted(labels.items())))
    async with asyncio.timeout(60):
        while (await samples(host)).get(key) != value:  # noqa: ASYNC110 (it is asked over the network)
            await asyncio.sleep(0.05)


def calls(found: dict[Sample, float], method: str, code: str) -> float:
    """How many calls of a method ended with a code."""
    return found.get(("meadow_calls_total", (("code", code), ("method", method))), 0)


async def test_calls_are_counted_by_method_and_status(tmp_path: Path) -> None:
    """Each call is counted under what it ended with, and timed; streams when they end."""
    async with hosted(tmp_path, SETTINGS) as host:
        table = await new_table(host.stub)
        await table.play(3)
        for _ in range(2):
            with refused("GAME_NOT_FOUND"):
                await host.stub.GetGame(pb.GetGameRequest(name="games/" + "0" * 32))
        with refused("TOKEN_UNKNOWN"):
            await host.stub.GetGame(pb.GetGameRequest(name=table.name), metadata=bearer("wrong"))
        watch = host.stub.WatchGame(pb.WatchGameRequest(name=table.name))
        await watch.read()
        await until(host, "meadow_watchers", 1)
        watch.cancel()
        await until(host, "meadow_watchers", 0)
        stream = host.stub.Play(metadata=table.seat(0))
        for _ in range(4):
            await stream.write(pb.PlayRequest(submit=table.submission(99, action_id=0)))
            assert isinstance(await stream.read(), pb.PlayResponse)
        await stream.done_writing()
        assert await stream.read() is grpc.aio.EOF
        found = await samples(host)
        assert found["meadow_stream_requests_total", (("method", "Play"),)] == 4
        assert calls(found, "Play", "OK") == 1
        assert calls(found, "SubmitAction", "OK") == 3
        assert calls(found, "CreateGame", "OK") == 1
        assert calls(found, "GetGame", "NOT_FOUND") == 2
        assert calls(found, "GetGame", "UNAUTHENTICATED") == 1
        assert calls(found, "WatchGame", "CANCELLED") == 1
        assert found["meadow_call_seconds_count", (("method", "SubmitAction"),)] == 3
        assert found["meadow_append_seconds_count", ()] == 3


async def test_games_are_counted(tmp_path: Path) -> None:
    """Open and running games of the journal, and games in memory; those that have ended are in neither count."""
    async with hosted(tmp_path, SETTINGS) as host:
        tables = [await new_table(host.stub) for _ in range(3)]
        await new_table(host.stub, OPEN, OPEN)
        await host.stub.AbortGame(pb.AbortGameRequest(name=tables[0].name), metadata=tables[0].host)
        await host.restart()
        await until(host, "meadow_games", 2, state="running")
        await until(host, "meadow_games", 1, state="open")
        await until(host, "meadow_games_in_memory", 0)
        await host.stub.GetGame(pb.GetGameRequest(name=tables[1].name))
        await until(host, "meadow_games_in_memory", 1)


async def test_thinking_bots_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bots are counted while they think and while they wait for a process to think in; then there are none."""
    think, may_think = Thinker.ask, asyncio.Event()

    async def slow(thinker: Thinker, question: Question, pack: api.Pack) -> int:
        await may_think.wait()
        return await think(thinker, question, pack)

    monkeypatch.setattr(Thinker, "ask", slow)
    async with hosted(tmp_path, SETTINGS) as host:
        for _ in range(3):
            await new_table(host.stub, RANDOM_BOT, RANDOM_BOT)
        await until(host, "meadow_bots_thinking", 3)
        may_think.set()
        await until(host, "meadow_bots_thinking", 0)


async def test_metrics_name_no_game_and_nobody(tmp_path: Path) -> None:
    """No label holds a game, a token, an address or anything that a client made up."""
    async with hosted(tmp_path, SETTINGS) as host:
        table = await new_table(host.stub)
        await table.play(2)
        with refused("TOKEN_UNKNOWN"):
            await host.stub.GetGame(pb.GetGameRequest(name=table.name), metadata=bearer("made-up"))
        found = await samples(host)
        methods = set(pb.DESCRIPTOR.services_by_name["GameService"].methods_by_name)
        for name, labels in found:
            for label, value in labels:
                match label:
                    case "method":
                        assert value in methods, name
                    case "code":
                        assert value.isupper(), name
                    case "state":
                        assert value in {"open", "running"}, name
                    case _:
                        assert label == "le", name


async def test_readiness_follows_the_life_of_the_server(tmp_path: Path) -> None:
    """A serving server is alive and ready; while it drains it is alive and no longer ready, and says so in metrics."""
    async with hosted(tmp_path, SETTINGS) as host:
        for path in ("/healthz", "/readyz"):
            assert await get(host, path) == (200, "ok\n")
        assert (await samples(host))["meadow_draining", ()] == 0
        host.server.app.draining.set()
        host.server.app.metrics.drains()
        assert await get(host, "/readyz") == (503, "no\n")
        assert await get(host, "/healthz") == (200, "ok\n")
        assert (await samples(host))["meadow_draining", ()] == 1


async def test_a_stuck_event_loop_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """When the loop does not run any more, the process is reported to be of no use: from a thread, so it gets out."""
    async with hosted(tmp_path, SETTINGS) as host:
        probes = host.server.probes
        assert probes is not None
        monkeypatch.setattr("meadow_server.main.STUCK_SECONDS", 1.0)
        time.sleep(1.1)  # noqa: ASYNC251 (the loop does not run, nor while it is asked about)
        assert fetch(probes.address, "/healthz") == (503, "no\n")
        assert fetch(probes.address, "/readyz") == (503, "no\n")
        assert fetch(probes.address, "/metrics")[0] == 200


async def test_a_journal_that_does_not_answer_is_no_stuck_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While the database is away nobody starts the server again for it: that would help nobody."""

    async def forever(*_: object) -> dict[str, int]:
        await asyncio.Event().wait()
        return {}

    monkeypatch.setattr("meadow_server.store.sqlite.SqliteStore.count", forever)
    async with hosted(tmp_path, SETTINGS) as host:
        ticked = host.server.app.metrics.ticked
        async with asyncio.timeout(60):
            while host.server.app.metrics.ticked < ticked + 1:  # noqa: ASYNC110 (nobody is told)
                await asyncio.sleep(0.05)
        assert await get(host, "/healthz") == (200, "ok\n")


async def test_lag_of_the_event_loop_is_measured(tmp_path: Path) -> None:
    """Work that holds the loop up shows in the histogram of its lag."""
    async with hosted(tmp_path, SETTINGS) as host:
        await until(host, "meadow_watchers", 0)
        time.sleep(0.6)  # noqa: ASYNC251 (this is what is measured)
        async with asyncio.timeout(60):
            while (await samples(host))["meadow_event_loop_lag_seconds_sum", ()] < 0.3:  # noqa: ASYNC110
                await asyncio.sleep(0.05)


async def test_other_requests_are_told_what_is_there(tmp_path: Path) -> None:
    """Other paths are not found, other methods not allowed, and broken requests do no harm."""
    async with hosted(tmp_path, SETTINGS) as host:
        assert (await get(host, "/"))[0] == 404
        assert (await get(host, "/metrics", "POST"))[0] == 405
        assert (await get(host, "/healthz", "DELETE"))[0] == 405
        assert host.server.probes is not None
        name, _, port = host.server.probes.address.rpartition(":")
        with socket.create_connection((name, int(port)), timeout=10) as connection:
            connection.sendall(b"\x00\xff\r\n\r\n")
            await asyncio.to_thread(connection.recv, 4096)
        assert (await get(host, "/healthz"))[0] == 200


async def test_the_port_is_off_unless_asked_for(tmp_path: Path) -> None:
    """By default nothing but the service is served."""
    async with hosted(tmp_path) as host:
        assert host.server.probes is None


async def test_a_taken_port_is_refused_by_name(tmp_path: Path) -> None:
    """A server whose port for metrics is taken does not start, says which, and leaves nothing behind."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        listen = f"127.0.0.1:{taken.getsockname()[1]}"
        config = replace(SETTINGS, metrics_listen=listen, listen="127.0.0.1:0", journal=tmp_path / "journal.db")
        with pytest.raises(AddressInUse, match=listen):
            await start(config)
    server = await start(config)
    await server.drain()


async def test_a_process_serves_them_until_its_end(tmp_path: Path) -> None:
    """The log says where they are; gRPC adds nothing to it, not even when a port is taken."""
    server = await spawn(tmp_path / "one.db", "--metrics-listen", "127.0.0.1:0")
    metrics = next(line for line in server.log if '"serving"' in line)
    address = metrics.partition('"metrics": "')[2].partition('"')[0]
    assert (await asyncio.to_thread(fetch, address, "/readyz"))[0] == 200
    code, said = await refused_start("--listen", server.address, "--journal", str(tmp_path / "two.db"))
    assert (code, said.count("\n")) == (1, 1), said
    assert await server.terminate() == 0
    with pytest.raises(ConnectionRefusedError):
        fetch(address, "/readyz")
