"""Games that nobody touches: they leave memory, are aborted, are deleted, as it is configured."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import grpc
import pytest
from meadow_api.v1 import common_pb2
from meadow_api.v1 import game_service_pb2 as pb
from meadow_server.config import Config
from meadow_server.live import now
from meadow_server.retention import DAY, Retention
from meadow_server.store.address import PostgresUrl

from tests.server.harness import OPEN, Host, Table, hosted, new_table, refused

SETTINGS = replace(Config(), abandoned_days=30, ended_days=90)


async def sweep(host: Host, days: int) -> None:
    """What a server does some days from now."""
    app = host.server.app
    await Retention(app.store, app.games, app.changes, host.config).sweep(now() + days * DAY)


async def state(table: Table) -> common_pb2.GameState.ValueType:
    """Where a game stands."""
    return (await table.game()).state


@pytest.fixture(name="place", params=["sqlite", "postgres"])
def _place(request: pytest.FixtureRequest, tmp_path: Path) -> Path | PostgresUrl:
    """Where the journal is: with either store the truths are the same."""
    if request.param == "sqlite":
        return tmp_path
    url = request.getfixturevalue("database")
    assert isinstance(url, PostgresUrl)
    return url


async def test_abandoned_games_are_aborted_and_then_deleted(place: Path | PostgresUrl) -> None:
    """Open and running games are aborted after their days, watchers are told, and much later the games are gone."""
    async with hosted(place, SETTINGS) as host:
        tables = [await new_table(host.stub), await new_table(host.stub, OPEN, OPEN)]
        watch = host.stub.WatchGame(pb.WatchGameRequest(name=tables[0].name))
        await watch.read()
        await sweep(host, 29)
        assert [await state(table) for table in tables] == [
            common_pb2.GAME_STATE_RUNNING,
            common_pb2.GAME_STATE_OPEN,
        ]
        await sweep(host, 31)
        assert [await state(table) for table in tables] == [common_pb2.GAME_STATE_ABORTED] * 2
        last = None
        while isinstance(message := await watch.read(), pb.WatchGameResponse):
            last = message
        assert last is not None
        assert last.terminal.end == pb.WATCH_END_ABORTED
        await sweep(host, 89)
        assert await state(tables[0]) == common_pb2.GAME_STATE_ABORTED
        await sweep(host, 91)
        for table in tables:
            with refused("GAME_NOT_FOUND") as refusal:
                await table.game()
            assert refusal.code is grpc.StatusCode.NOT_FOUND
        await host.restart()
        assert not (await host.stub.ListGames(pb.ListGamesRequest())).games


async def test_finished_games_are_deleted_after_their_days(place: Path | PostgresUrl) -> None:
    """A game that was played to its end is kept as long as it is said, counted from its last move."""
    async with hosted(place, SETTINGS) as host:
        table = await new_table(host.stub)
        await table.play_to_end()
        await sweep(host, 89)
        assert await state(table) == common_pb2.GAME_STATE_FINISHED
        await sweep(host, 91)
        with refused("GAME_NOT_FOUND"):
            await table.game()


async def test_by_default_games_are_kept_for_ever(tmp_path: Path) -> None:
    """Without being told to, the server ends and deletes nothing."""
    async with hosted(tmp_path) as host:
        running, finished = await new_table(host.stub), await new_table(host.stub)
        await finished.play_to_end()
        await sweep(host, 36_500)
        assert await state(running) == common_pb2.GAME_STATE_RUNNING
        assert await state(finished) == common_pb2.GAME_STATE_FINISHED
        retention = Retention(host.server.app.store, host.server.app.games, host.server.app.changes, host.config)
        await retention.sweep_forever()  # ends at once: there is nothing to do


async def test_a_game_that_is_played_on_is_left_alone(tmp_path: Path) -> None:
    """Whoever moves between the look and the sweep keeps the game."""
    async with hosted(tmp_path, SETTINGS) as host:
        table = await new_table(host.stub)
        app = host.server.app
        retention = Retention(app.store, app.games, app.changes, host.config)
        (age,) = await app.store.ages(b"", 10)
        await table.play_one()
        assert not await retention._end(age)
        assert await state(table) == common_pb2.GAME_STATE_RUNNING
        assert not await retention._delete(age)
        await table.play_one()


async def test_more_games_than_are_looked_at_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The sweep reaches every game, however many there are, while it ends and deletes others."""
    monkeypatch.setattr("meadow_server.retention.AT_ONCE", 2)
    async with hosted(tmp_path, replace(SETTINGS, ended_days=None)) as host:
        tables = [await new_table(host.stub) for _ in range(7)]
        await sweep(host, 31)
        assert {await state(table) for table in tables} == {common_pb2.GAME_STATE_ABORTED}
    async with hosted(tmp_path, SETTINGS) as host:
        await sweep(host, 91)
        assert not (await host.stub.ListGames(pb.ListGamesRequest())).games


async def test_idle_games_leave_memory(tmp_path: Path) -> None:
    """A game that nobody uses is dropped and comes back whole; one that is watched stays."""
    async with hosted(tmp_path, idle_seconds=0) as host:
        games = host.server.app.games
        tables = [await new_table(host.stub) for _ in range(3)]
        for table in tables:
            await table.play(2)
        watch = host.stub.WatchGame(pb.WatchGameRequest(name=tables[0].name))
        await watch.read()
        assert len(games) == 3
        games.sweep()
        assert [live.name for live in games.all()] == [tables[0].name]
        assert (await tables[1].view()).version == 3
        await tables[1].play_one()
        assert len(games) == 2
        watch.cancel()
