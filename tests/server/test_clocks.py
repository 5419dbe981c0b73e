"""Clocks: what views show, and what happens when one runs out."""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf.duration_pb2 import Duration
from meadow_api.v1 import common_pb2, game_pb2
from meadow_api.v1 import game_service_pb2 as pb
from meadow_client import Client
from meadow_client.cli.local_server import LocalServer
from meadow_client.cli.verify import verify
from meadow_client.requests import clocks
from meadow_engine import api
from meadow_server.config import Config
from meadow_server.main import start
from meadow_server.store import sqlite as sqlite_store
from meadow_server.store.address import PostgresUrl
from meadow_server.store.base import Pulse

from tests.server.harness import (
    OPEN,
    RANDOM_BOT,
    RESERVED,
    AsyncStub,
    Host,
    Table,
    new_table,
    refused,
    stub_of,
)

HOUR = 3_600_000_000
LONG = clocks(decision=60, bank=600)


async def told(table: Table, after_version: int = 0) -> list[pb.WatchGameResponse]:
    """Everything that a spectator is told to the end of the game."""
    request = pb.WatchGameRequest(name=table.name, after_version=after_version)
    return [message async for message in table.stub.WatchGame(request)]


def kinds(messages: list[pb.WatchGameResponse]) -> list[str]:
    """What each update records."""
    return [m.update.record.WhichOneof("record") or "" for m in messages if m.HasField("update")]


async def checks_of(table: Table) -> None:
    """The game's replay holds without a clock."""
    replay = (await table.stub.GetReplay(pb.GetReplayRequest(name=table.name))).replay
    checks = verify(replay, api.builtin_pack())
    assert all(check.passed for check in checks), checks


def bank(game: game_pb2.Game | game_pb2.GameView, seat: int) -> int:
    """What a seat has in its bank, in nanoseconds."""
    return game.seats[seat].clock.bank_left.ToNanoseconds()


async def test_views_show_the_clocks(stub: AsyncStub) -> None:
    """Every seat's time stands in games and views, for everybody; only that of the seat to choose goes on."""
    table = await new_table(stub, RESERVED, RESERVED, RANDOM_BOT, clock_rules=LONG)
    seat, _ = await table.pending()
    rules = (await table.game()).clock_rules
    assert (rules.policy, rules.bot) == (common_pb2.CLOCK_POLICY_BOT, "greedy")
    assert (rules.decision_time.seconds, rules.bank.seconds) == (60, 600)
    for shown in (await table.game(), await table.view(), await table.view(1 - seat)):
        running, still = shown.seats[seat].clock, shown.seats[1 - seat].clock
        assert running.running
        assert 0 < running.decision_left.ToNanoseconds() < 60e9
        assert running.bank_left == still.bank_left == Duration(seconds=600)
        assert still == common_pb2.SeatClock(decision_left=Duration(seconds=60), bank_left=Duration(seconds=600))
        assert not shown.seats[2].HasField("clock")
    await stub.AbortGame(pb.AbortGameRequest(name=table.name), metadata=table.host)
    assert not any(seat.HasField("clock") for seat in (await table.game()).seats)
    assert not (await (await new_table(stub)).game()).HasField("clock_rules")


async def test_a_slow_choice_goes_off_the_bank(host: Host) -> None:
    """What a decision takes beyond its time is taken from its seat's bank alone, and stays so after a restart."""
    table = await new_table(host.stub, clock_rules=clocks(decision=0.01, bank=600))
    seat, _ = await table.pending()
    await asyncio.sleep(0.1)
    while (await table.pending())[0] == seat:
        await table.play_one()
    used, untouched = bank(await table.game(), seat), 600 * 10**9
    assert used < untouched - 80 * 10**6
    await host.restart()
    table.stub = host.stub
    assert bank(await table.game(), seat) == used


async def test_the_server_chooses_when_time_is_over(stub: AsyncStub) -> None:
    """By the policy ACT the legal action with the lowest id is taken, each time anew; so a whole game passes."""
    table = await new_table(stub, clock_rules=clocks(decision=0.005, then="act"))
    messages = await told(table)
    game = api.new_game("spring_meadow", seats=2, seed=bytes(range(32)))
    records = [message.update.record for message in messages if message.HasField("update")]
    assert kinds(messages) == ["started", *["clock_expired", "action"] * ((len(records) - 1) // 2)]
    for expired, acted in zip(records[1::2], records[2::2], strict=True):
        assert game.decision is not None
        assert expired.clock_expired.seat == acted.action.seat == game.decision.seat
        assert acted.action.action_id == game.legal_ids()[0]
        game.apply(acted.action.action_id)
    assert messages[-1].terminal.game.outcome.ending == common_pb2.GAME_ENDING_PLAYED
    await checks_of(table)


async def test_a_bot_plays_on_when_time_is_over(stub: AsyncStub) -> None:
    """By the policy BOT the seat is a bot's from then on, and its token is void."""
    table = await new_table(stub, RESERVED, RANDOM_BOT, clock_rules=clocks(bank=0.05, then="random"))
    messages = await told(table)
    told_of = kinds(messages)
    assert told_of[told_of.index("clock_expired") + 1] == "seat_bot"
    assert told_of.count("clock_expired") == 1
    with refused("TOKEN_UNKNOWN"):
        await table.view(0)
    assert messages[-1].terminal.game.seats[0].bot.bot == "random"
    await checks_of(table)


@pytest.mark.parametrize(
    ("variant", "seats", "then"), [("meadow", 3, "end"), ("spring_meadow_solo", 1, "greedy"), ("meadow_solo", 1, "end")]
)
async def test_the_game_ends_when_time_is_over(stub: AsyncStub, variant: str, seats: int, then: str) -> None:
    """By the policy END, and always for one who plays alone, the game ends and the seat is last."""
    table = await new_table(stub, *[RESERVED] * seats, variant=variant, clock_rules=clocks(bank=0.05, then=then))
    messages = await told(table)
    assert kinds(messages)[-2:] == ["clock_expired", "ended"]
    seat = messages[-3].update.record.clock_expired.seat
    outcome = messages[-1].terminal.game.outcome
    assert (outcome.ending, outcome.ending_seat) == (common_pb2.GAME_ENDING_TIMED_OUT, seat)
    assert outcome.results[seat].rank == seats
    await checks_of(table)


async def test_the_clock_of_an_empty_seat_runs_too(stub: AsyncStub) -> None:
    """A seat that was given up and that nobody claims does not hold the game up for ever."""
    table = await new_table(stub, RESERVED, RESERVED, clock_rules=clocks(bank=1.5, then="end"))
    seat, _ = await table.pending()
    await stub.ReleaseSeat(pb.ReleaseSeatRequest(name=table.name), metadata=table.seat(seat))
    assert kinds(await told(table))[-3:] == ["seat_released", "clock_expired", "ended"]


async def test_no_clock_runs_before_the_start(stub: AsyncStub) -> None:
    """While seats are open nobody's time goes by."""
    table = await new_table(stub, RESERVED, OPEN, clock_rules=LONG)
    assert [seat.clock.running for seat in (await table.game()).seats] == [False, False]
    claimed = await stub.ClaimSeat(pb.ClaimSeatRequest(join_code=table.created.join_code))
    assert sum(seat.clock.running for seat in claimed.game.seats) == 1


async def test_a_clock_runs_out_while_its_game_is_in_nobodys_memory(host: Host) -> None:
    """A game that left memory meanwhile ends as well, and whoever watches it by then is told."""
    table = await new_table(host.stub, clock_rules=clocks(bank=0.4, then="end"))
    games = host.server.app.games
    games._idle_seconds = -1
    games.sweep()
    assert len(games) == 0
    assert kinds(await told(table))[-2:] == ["clock_expired", "ended"]
    assert (await table.game()).state == common_pb2.GAME_STATE_FINISHED


def as_if_an_hour_had_passed(journal: Path, *, up: bool) -> None:
    """Put all that a journal holds an hour back; `up` lets a server have been there all that time."""
    with closing(sqlite3.connect(journal)) as connection, connection:
        connection.execute("UPDATE records SET time = time - ?", (HOUR,))
        connection.execute("UPDATE games SET due = due - ?", (HOUR,))
        (kept,) = connection.execute("SELECT value FROM meta WHERE key = 'pulse'").fetchone()
        pulse = Pulse.from_bytes(kept)
        pauses = tuple((start - HOUR, end - HOUR) for start, end in pulse.pauses)
        moved = Pulse(pulse.last if up else pulse.last - HOUR, pauses)  # type: ignore[arg-type]
        connection.execute("UPDATE meta SET value = ? WHERE key = 'pulse'", (moved.to_bytes(),))


@pytest.mark.sqlite
async def test_time_without_a_server_does_not_count(host: Host, tmp_path: Path) -> None:
    """An hour without any server takes nothing from the seat whose clock runs, nor from any later count."""
    table = await new_table(host.stub, clock_rules=clocks(bank=600, then="end"))
    seat, _ = await table.pending()
    await host.stop()
    as_if_an_hour_had_passed(tmp_path / "journal.db", up=False)
    await host.open()
    table.stub = host.stub
    assert bank(await table.game(), seat) > 500 * 10**9
    assert (await table.game()).seats[seat].clock.running
    while (await table.pending())[0] == seat:
        await table.play_one()
    used = bank(await table.game(), seat)
    assert 500 * 10**9 < used < 600 * 10**9
    await host.restart()
    table.stub = host.stub
    assert bank(await table.game(), seat) == used


@pytest.mark.sqlite
async def test_time_while_the_server_slept_does_not_count(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that was silent for too long, as when its machine slept, lets no clock run out over it."""
    # as if any silence between two beats were too long
    monkeypatch.setattr(sqlite_store, "PATIENCE", 20_000)
    table = await new_table(host.stub, clock_rules=clocks(bank=0.2, then="end"))
    await asyncio.sleep(0.5)
    game = await table.game()
    assert game.state == common_pb2.GAME_STATE_RUNNING
    seat, _ = await table.pending()
    monkeypatch.undo()
    ended = await told(table)
    assert kinds(ended)[-2:] == ["clock_expired", "ended"]
    await host.restart()
    table.stub = host.stub
    assert (await table.game()).outcome.ending_seat == seat


def test_time_after_a_crash_does_not_count(tmp_path: Path) -> None:
    """After kill -9 and an hour without a server the seat has what it had, but for what it used before."""
    journal = tmp_path / "journal.db"
    with LocalServer(journal) as server, Client(server.address) as client:
        made = client.create_game("spring_meadow", ["me", "me"], clock_rules=clocks(bank=600, then="end"))
        os.kill(server.process_id, signal.SIGKILL)
    as_if_an_hour_had_passed(journal, up=False)
    with LocalServer(journal) as server, Client(server.address) as client:
        view = client.get_game_view(made.game.name).view
        assert bank(view, view.pending.seat) > 500 * 10**9
        assert view.seats[view.pending.seat].clock.running


@pytest.mark.sqlite
async def test_time_with_a_server_counts_though_nobody_asked(host: Host, tmp_path: Path) -> None:
    """A clock that ran out while the game was in nobody's memory ends it as soon as a server looks."""
    table = await new_table(host.stub, clock_rules=clocks(bank=600, then="end"))
    await host.stop()
    as_if_an_hour_had_passed(tmp_path / "journal.db", up=True)
    await host.open()
    table.stub = host.stub
    assert kinds(await told(table))[-2:] == ["clock_expired", "ended"]


async def test_another_server_lets_the_clock_run_out(database: PostgresUrl) -> None:
    """Of many servers on one journal any lets a clock run out, when the one that set its timer is gone."""
    config = Config(listen="127.0.0.1:0", journal=database)
    one, two = await start(config), await start(config)
    channels = [grpc.aio.insecure_channel(server.address) for server in (one, two)]
    table = await new_table(stub_of(channels[0]), clock_rules=clocks(bank=0.5, then="end"))
    # gone without a word
    await one._keeper.close()
    for task in one._background:
        task.cancel()
    table.stub = stub_of(channels[1])
    assert kinds(await told(table))[-2:] == ["clock_expired", "ended"]
    for server, channel in zip((one, two), channels, strict=True):
        await server.drain()
        await channel.close()


@pytest.mark.parametrize(
    ("rules", "field"),
    [
        ({}, "clock_rules"),
        ({"policy": 9, "bank": Duration(seconds=1)}, "clock_rules.policy"),
        ({"bank": Duration(seconds=-1)}, "clock_rules.bank"),
        ({"decision_time": Duration(nanos=-1)}, "clock_rules.decision_time"),
        ({"decision_time": Duration(seconds=10**9)}, "clock_rules.decision_time"),
        ({"bank": Duration(seconds=1), "policy": common_pb2.CLOCK_POLICY_ACT, "bot": "greedy"}, "clock_rules.bot"),
        ({"bank": Duration(nanos=999)}, "clock_rules"),
    ],
)
async def test_rules_that_cannot_be(stub: AsyncStub, rules: dict[str, Any], field: str) -> None:
    """No time at all, a time below zero or above the limit, and an unknown policy are refused by name."""
    with refused("BAD_FIELD") as refusal:
        await new_table(stub, clock_rules=common_pb2.ClockRules(**rules))
    assert refusal.field == field


async def test_a_bot_that_is_not_there(stub: AsyncStub) -> None:
    """Clocks that would hand seats to a bot that nobody knows are refused."""
    with refused("BOT_NOT_FOUND"):
        await new_table(stub, clock_rules=clocks(bank=1, then="nobody"))
