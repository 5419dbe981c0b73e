"""Health, reflection, the log of faults, storage that is away."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf.duration_pb2 import Duration
from grpc_health.v1 import health_pb2, health_pb2_grpc  # type: ignore[import-untyped]
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc  # type: ignore[import-untyped]
from meadow_api.v1 import game_service_pb2 as pb
from meadow_server.config import Config
from meadow_server.logs import configure_logs
from meadow_server.main import start
from meadow_server.service import SERVICE

from tests.server.harness import Host, Table, hosted, lasting, new_table, refused, request_id


@pytest.mark.parametrize("service", ["", SERVICE])
async def test_health_follows_the_life_of_the_server(host: Host, service: str) -> None:
    """The server is SERVING until it drains, and a health watcher hears of the change first."""
    stub = health_pb2_grpc.HealthStub(host.channel)
    request = health_pb2.HealthCheckRequest(service=service)
    assert (await stub.Check(request)).status == health_pb2.HealthCheckResponse.SERVING

    watch = stub.Watch(request)
    assert (await watch.read()).status == health_pb2.HealthCheckResponse.SERVING
    draining = asyncio.create_task(host.server.drain())
    assert (await watch.read()).status == health_pb2.HealthCheckResponse.NOT_SERVING
    watch.cancel()
    await draining
    await host.channel.close()
    await host.open()


async def test_a_draining_server_takes_no_new_calls(host: Host, table: Table) -> None:
    """While the server ends, new calls are told to go elsewhere; what is under way is finished."""
    waiting = pb.GetGameViewRequest(name=table.name, wait_for_turn=Duration(seconds=20))
    seat, _ = await table.pending()
    under_way = asyncio.ensure_future(host.stub.GetGameView(waiting, metadata=table.seat(1 - seat)))
    await asyncio.sleep(0.05)
    host.server.app.draining.set()
    with refused("SERVER_DRAINING") as refusal:
        await host.stub.GetServerInfo(pb.GetServerInfoRequest())
    assert refusal.code is grpc.StatusCode.UNAVAILABLE
    with refused("SERVER_DRAINING"):
        await host.stub.WatchGame(pb.WatchGameRequest(name=table.name)).read()
    host.server.app.games.all()[0].announce()
    assert (await under_way).view.pending.seat == seat


async def test_health_of_an_unknown_service(host: Host) -> None:
    """A service that is not here is not found."""
    with pytest.raises(grpc.RpcError) as caught:
        await health_pb2_grpc.HealthStub(host.channel).Check(health_pb2.HealthCheckRequest(service="cats"))
    assert caught.value.code() is grpc.StatusCode.NOT_FOUND


async def reflected(channel: grpc.aio.Channel, request: Any) -> Any:
    """The answer to one question about the schema."""
    call = reflection_pb2_grpc.ServerReflectionStub(channel).ServerReflectionInfo()
    await call.write(request)
    await call.done_writing()
    return await call.read()


async def test_the_schema_can_be_asked_for(host: Host) -> None:
    """Reflection names the services and gives the file of the game service."""
    listed = await reflected(host.channel, reflection_pb2.ServerReflectionRequest(list_services=""))
    names = {service.name for service in listed.list_services_response.service}
    assert {SERVICE, "grpc.health.v1.Health"} <= names
    request = reflection_pb2.ServerReflectionRequest(file_containing_symbol=SERVICE)
    found = await reflected(host.channel, request)
    assert b"GameService" in found.file_descriptor_response.file_descriptor_proto[0]


async def test_reflection_can_be_switched_off(tmp_path: Path) -> None:
    """Without reflection the schema is not told."""
    server = await start(Config(listen="127.0.0.1:0", journal=tmp_path / "journal.db", reflection=False))
    async with grpc.aio.insecure_channel(server.address) as channel:
        with pytest.raises(grpc.RpcError) as caught:
            await reflected(channel, reflection_pb2.ServerReflectionRequest(list_services=""))
        assert caught.value.code() is grpc.StatusCode.UNIMPLEMENTED
    await server.drain()


async def test_the_unforeseen_leaves_as_a_fixed_text(
    host: Host, table: Table, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A fault of the server tells the client a number that is in the log, and nothing of what happened."""

    def fail(*_: object) -> None:
        raise ValueError("the secret order of the box")

    configure_logs("json", "error")
    monkeypatch.setattr("meadow_server.play.score_sheet_to_message", fail)
    with refused("INTERNAL_FAULT") as refusal:
        await host.stub.GetScoreSheet(pb.GetScoreSheetRequest(name=table.name))
    assert refusal.code is grpc.StatusCode.INTERNAL
    assert "secret" not in str(refusal.status)
    log = capsys.readouterr().err
    assert refusal.metadata["fault"] in log
    assert "GetScoreSheet" in log


async def test_a_slow_handler_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the client sets no deadline the server's own one ends the call."""

    async def forever(*_: object) -> None:
        await asyncio.sleep(60)

    async with hosted(tmp_path, deadline_seconds=0) as host:
        table = await new_table(host.stub)
        monkeypatch.setattr(type(host.server.app.games), "get", forever)
        with refused("SERVER_DEADLINE") as refusal:
            await host.stub.GetGame(pb.GetGameRequest(name=table.name))
        assert refusal.code is grpc.StatusCode.DEADLINE_EXCEEDED
        monkeypatch.undo()
        # a call that is given up leaves nothing behind, and a client that goes is not taken for one
        call = host.stub.GetGame(pb.GetGameRequest(name=table.name))
        call.cancel()
        assert (await table.game()).version == 1


@pytest.mark.sqlite
async def test_storage_that_is_away_comes_back(host: Host, table: Table) -> None:
    """While the journal cannot be written submissions are unavailable and change nothing; then they go on."""
    seat, version = await table.pending()
    action_id = (await table.legal(seat)).actions[0].action_id
    before = lasting(await table.game())
    request = table.submission(version, action_id=action_id)
    writer = host.server.app.store._writer  # type: ignore[attr-defined]

    async def pages(connection_pages: int) -> None:
        await writer.run(lambda connection: connection.execute(f"PRAGMA max_page_count = {connection_pages}"))

    connection = sqlite3.connect(str(host.config.journal))
    (used,) = connection.execute("PRAGMA page_count").fetchone()
    connection.close()
    await pages(used)
    refusals = 0
    for _ in range(400):
        try:
            answer = await host.stub.SubmitAction(request, metadata=table.seat(seat))
        except grpc.RpcError as error:
            assert error.code() is grpc.StatusCode.UNAVAILABLE  # noqa: PT017 (either may come)
            refusals += 1
            break
        # there was room for this one: the next needs a page sooner or later
        version = answer.version
        taken = pb.UndoActionRequest(name=table.name, request_id=request_id(), expected_version=version)
        try:
            version = (await host.stub.UndoAction(taken, metadata=table.seat(seat))).version
        except grpc.RpcError as error:
            assert error.code() is grpc.StatusCode.UNAVAILABLE  # noqa: PT017
            refusals += 1
            break
        before = lasting(await table.game())
        request = table.submission(version, action_id=action_id)
    assert refusals

    await pages(1_000_000)
    assert (await table.game()).version in {before.version, before.version + 1}
    await table.play(3)


@pytest.mark.sqlite
async def test_a_game_of_other_rules_stays_readable(host: Host) -> None:
    """A game of a rules revision that the server does not have is shown, not played, and can be deleted."""
    table = await new_table(host.stub)
    await table.play(2)
    await host.server.drain()
    await host.channel.close()
    connection = sqlite3.connect(str(host.config.journal))
    (header,) = connection.execute("SELECT header FROM games").fetchone()
    connection.execute("UPDATE games SET header = ?", (header.replace(b'"rules_revision": 1', b'"rules_revision": 0'),))
    connection.commit()
    connection.close()
    await host.open()
    table.stub = host.stub

    game = await table.game()
    assert not game.playable
    assert game.version == 3
    seat = 0
    for call in (
        host.stub.GetGameView(pb.GetGameViewRequest(name=table.name)),
        host.stub.ListLegalActions(pb.ListLegalActionsRequest(name=table.name), metadata=table.seat(seat)),
        host.stub.SubmitAction(table.submission(3, action_id=0), metadata=table.seat(seat)),
        host.stub.WatchGame(pb.WatchGameRequest(name=table.name)).read(),
        host.stub.GetScoreSheet(pb.GetScoreSheetRequest(name=table.name)),
        host.stub.AbortGame(pb.AbortGameRequest(name=table.name), metadata=table.host),
    ):
        with refused("RULES_REVISION_UNSUPPORTED") as refusal:
            await call
        assert refusal.code is grpc.StatusCode.FAILED_PRECONDITION
    replay = (await host.stub.GetReplay(pb.GetReplayRequest(name=table.name))).replay
    assert [record.version for record in replay.records] == [1, 2, 3]
    assert [g.name for g in (await host.stub.ListGames(pb.ListGamesRequest())).games] == [table.name]
    await host.stub.DeleteGame(pb.DeleteGameRequest(name=table.name), metadata=table.host)
