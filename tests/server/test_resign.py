"""ResignSeat: a bot plays on, or the game ends."""

from __future__ import annotations

import asyncio

import grpc
import pytest
from meadow_api.v1 import common_pb2, game_pb2
from meadow_api.v1 import game_service_pb2 as pb
from meadow_client.cli.verify import verify
from meadow_engine import api

from tests.server.harness import OPEN, RESERVED, AsyncStub, Host, Table, lasting, new_table, refused, request_id

END = common_pb2.ResignRules(policy=common_pb2.RESIGN_POLICY_END)


def resignation(table: Table) -> pb.ResignSeatRequest:
    """A request to resign."""
    return pb.ResignSeatRequest(name=table.name, request_id=request_id())


async def resign(table: Table, seat: int) -> game_pb2.Game:
    """Resign a seat."""
    return (await table.stub.ResignSeat(resignation(table), metadata=table.seat(seat))).game


async def read_all(
    stream: grpc.aio.UnaryStreamCall[pb.WatchGameRequest, pb.WatchGameResponse],
) -> list[pb.WatchGameResponse]:
    """Everything a stream sends until it ends."""
    return [message async for message in stream]


def record_kinds(messages: list[pb.WatchGameResponse]) -> list[str]:
    """What each update records."""
    return [m.update.record.WhichOneof("record") or "" for m in messages if m.HasField("update")]


@pytest.mark.parametrize("variant", ["spring_meadow", "meadow"])
async def test_the_game_ends_with_an_outcome(stub: AsyncStub, variant: str) -> None:
    """By the policy END the game is finished at once: who resigned is last, the others are ranked by their points."""
    table = await new_table(stub, *[RESERVED] * 4, variant=variant, resign_rules=END)
    await table.play(30)
    points = list((await table.view()).points)
    game = await resign(table, 2)

    assert game.state == common_pb2.GAME_STATE_FINISHED
    outcome = game.outcome
    assert (outcome.ending, outcome.ending_seat) == (common_pb2.GAME_ENDING_RESIGNED, 2)
    assert not outcome.HasField("objective")
    assert outcome.results[2].rank == 4
    measured = [result.points for result in outcome.results]
    others = [seat for seat in range(4) if seat != 2]
    for seat in others:
        assert outcome.results[seat].rank == 1 + sum(measured[other] > measured[seat] for other in others)
    view = await table.view(0)
    assert view.outcome == outcome
    assert not view.HasField("pending")
    sheet = (await stub.GetScoreSheet(pb.GetScoreSheetRequest(name=table.name))).score_sheet
    assert sheet.outcome == outcome
    assert list(sheet.points) == points


async def test_everybody_is_told(stub: AsyncStub) -> None:
    """Each viewer's stream has the resignation and the end as records, and then the terminal message."""
    table = await new_table(stub, RESERVED, RESERVED, resign_rules=END)
    streams = [
        stub.WatchGame(pb.WatchGameRequest(name=table.name, after_version=1), metadata=metadata)
        for metadata in (None, table.host, table.seat(0), table.seat(1))
    ]
    await asyncio.sleep(0.05)
    await resign(table, 0)
    for stream in streams:
        messages = await read_all(stream)
        assert record_kinds(messages) == ["seat_resigned", "ended"]
        assert messages[0].update.record.seat_resigned.seat == 0
        terminal = messages[-1].terminal
        assert terminal.end == pb.WATCH_END_FINISHED
        assert terminal.game.outcome.ending == common_pb2.GAME_ENDING_RESIGNED
        assert terminal.score_sheet.outcome == terminal.game.outcome


async def test_a_bot_plays_on(host: Host) -> None:
    """By the policy BOT, which is the default, the seat is a bot's, its token is void, and the game goes on."""
    table = await new_table(host.stub)
    assert (await table.game()).resign_rules == common_pb2.ResignRules(
        policy=common_pb2.RESIGN_POLICY_BOT, bot="greedy"
    )
    stream = host.stub.WatchGame(pb.WatchGameRequest(name=table.name, after_version=1))
    request = resignation(table)
    first = await host.stub.ResignSeat(request, metadata=table.seat(1))
    seat = first.game.seats[1]
    assert (seat.kind, seat.bot.bot) == (common_pb2.SEAT_KIND_BOT, "greedy")
    assert first.game.state == common_pb2.GAME_STATE_RUNNING
    with refused("TOKEN_UNKNOWN"):
        await table.view(1)
    assert lasting(await host.stub.ResignSeat(request, metadata=table.seat(1))) == lasting(first)
    with refused("TOKEN_UNKNOWN"):
        await host.stub.ResignSeat(resignation(table), metadata=table.seat(1))

    while (await table.view()).state == common_pb2.GAME_STATE_RUNNING:
        view = await table.view(0)
        if view.HasField("pending") and view.pending.seat == 0:
            await table.play_one(3)
        else:
            await asyncio.sleep(0.005)
    messages = await read_all(stream)
    assert record_kinds(messages)[:2] == ["seat_resigned", "seat_bot"]
    outcome = messages[-1].terminal.game.outcome
    assert outcome.ending == common_pb2.GAME_ENDING_PLAYED
    assert not outcome.HasField("ending_seat")


@pytest.mark.parametrize("variant", ["spring_meadow_solo", "spring_meadow_campaign", "meadow_solo"])
async def test_alone_the_game_ends(stub: AsyncStub, variant: str) -> None:
    """In a game for one nobody plays on, whatever the policy."""
    table = await new_table(stub, RESERVED, variant=variant)
    await table.play(4)
    game = await resign(table, 0)
    assert game.state == common_pb2.GAME_STATE_FINISHED
    assert game.outcome.ending == common_pb2.GAME_ENDING_RESIGNED
    assert [result.rank for result in game.outcome.results] == [1]
    assert not game.outcome.HasField("objective")


async def test_the_token_of_a_game_that_ended_still_sees(stub: AsyncStub) -> None:
    """After the end by a resignation seats see their game and can do nothing more in it."""
    table = await new_table(stub, RESERVED, RESERVED, resign_rules=END)
    version = (await resign(table, 0)).version
    for seat in range(2):
        assert (await table.view(seat)).viewer_seat == seat
        with refused("GAME_OVER"):
            await table.submit(seat, version, action_id=0)
        with refused("GAME_OVER"):
            await resign(table, seat)


async def test_who_may_not_resign(stub: AsyncStub) -> None:
    """Neither spectators nor the host resign, and nobody before the start, after the end or at another version."""
    table, waiting = await new_table(stub), await new_table(stub, RESERVED, OPEN)
    with refused("TOKEN_MISSING"):
        await stub.ResignSeat(resignation(table))
    with refused("ROLE_NOT_ALLOWED"):
        await stub.ResignSeat(resignation(table), metadata=table.host)
    with refused("GAME_NOT_RUNNING"):
        await resign(waiting, 0)
    stale = pb.ResignSeatRequest(name=table.name, expected_version=0)
    with refused("STALE_VERSION"):
        await stub.ResignSeat(stale, metadata=table.seat(0))
    await stub.AbortGame(pb.AbortGameRequest(name=table.name), metadata=table.host)
    with refused("GAME_NOT_RUNNING"):
        await resign(table, 0)


@pytest.mark.parametrize(
    ("rules", "reason"),
    [
        (common_pb2.ResignRules(policy=9), "BAD_FIELD"),  # type: ignore[arg-type]
        (common_pb2.ResignRules(bot="nobody"), "BOT_NOT_FOUND"),
        (common_pb2.ResignRules(policy=common_pb2.RESIGN_POLICY_END, bot="greedy"), "BAD_FIELD"),
    ],
)
async def test_rules_that_cannot_be(stub: AsyncStub, rules: common_pb2.ResignRules, reason: str) -> None:
    """A policy or a bot that there is not is refused at creation."""
    with refused(reason) as refusal:
        await new_table(stub, resign_rules=rules)
    assert "resign_rules" in refusal.message


@pytest.mark.parametrize("policy", ["END", "BOT"])
async def test_it_is_played_again_from_its_records(host: Host, policy: str) -> None:
    """After a restart the game is as it was, and its replay holds up to the last state hash and the outcome."""
    rules = common_pb2.ResignRules(policy=common_pb2.ResignPolicy.Value(f"RESIGN_POLICY_{policy}"))
    table = await new_table(host.stub, RESERVED, RESERVED, RESERVED, resign_rules=rules)
    await table.play(11)
    await resign(table, 1)
    if policy == "BOT":
        await host.stub.AbortGame(pb.AbortGameRequest(name=table.name), metadata=table.host)
    before = lasting(await table.game())
    await host.restart()
    table.stub = host.stub
    assert lasting(await table.game()) == before

    replay = (await host.stub.GetReplay(pb.GetReplayRequest(name=table.name))).replay
    assert replay.complete
    checks = verify(replay, api.builtin_pack())
    assert all(check.passed for check in checks), checks
