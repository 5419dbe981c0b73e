"""GetReplay and GetScoreSheet."""

from __future__ import annotations

import asyncio
from typing import Any

import grpc
import pytest
from meadow_api.v1 import common_pb2, game_pb2
from meadow_api.v1 import game_service_pb2 as pb
from meadow_api.v1 import spring_meadow_pb2 as spring
from meadow_engine import api
from meadow_server import changes, replays

from tests.server.harness import (
    GREEDY_BOT,
    RANDOM_BOT,
    RESERVED,
    AsyncStub,
    Host,
    Table,
    new_table,
    refused,
)


async def replay_of(table: Table, **more: object) -> pb.GetReplayResponse:
    """The replay as a spectator gets it."""
    request = pb.GetReplayRequest(name=table.name, **more)  # type: ignore[arg-type]
    return await table.stub.GetReplay(request, metadata=table.host)


async def test_anybody_can_play_the_game_again(stub: AsyncStub) -> None:
    """At the end seed, options and records give every position again, as the state hashes prove."""
    table = await new_table(stub, RANDOM_BOT, GREEDY_BOT, RANDOM_BOT, seed=b"")
    async for _ in stub.WatchGame(pb.WatchGameRequest(name=table.name)):
        pass
    replay = (await replay_of(table)).replay
    assert replay.complete

    game = api.new_game("spring_meadow", seats=3, seed=replay.fairness.seed)
    for record in replay.records:
        if record.HasField("action"):
            assert game.decision is not None
            assert game.decision.seat == record.action.seat
            game.apply(record.action.action_id)
        assert record.state_hash == game.state_hash()
    assert game.is_over
    assert [result.points for result in replay.game.outcome.results] == list(game.returns())


async def test_a_live_replay_keeps_its_secrets(table: Table) -> None:
    """While the game runs the replay has the records so far, without seed, nonce and hashes."""
    await table.play(5)
    replay = (await replay_of(table)).replay
    assert [record.version for record in replay.records] == [1, 2, 3, 4, 5, 6]
    assert not replay.complete
    assert not replay.fairness.seed
    assert not replay.fairness.nonce
    assert replay.fairness.commitment == table.created.game.commitment
    assert not any(record.state_hash for record in replay.records)


@pytest.mark.parametrize("running", [True, False])
async def test_pages_of_a_replay(table: Table, running: bool) -> None:
    """Pages join to the whole."""
    await table.play(6)
    if not running:
        await table.stub.AbortGame(pb.AbortGameRequest(name=table.name), metadata=table.host)
    whole = (await replay_of(table)).replay.records
    found, token = list[game_pb2.GameRecord](), ""
    while True:
        page = await replay_of(table, page_size=3, page_token=token)
        found += page.replay.records
        token = page.next_page_token
        if not token:
            break
    assert found == list(whole)


async def test_bad_replays(table: Table) -> None:
    """Negative sizes and page tokens of another game are refused."""
    await table.play(3)
    other = await new_table(table.stub)
    token = (await replay_of(table, page_size=1)).next_page_token
    with refused("BAD_FIELD") as refusal:
        await replay_of(table, page_size=-1)
    assert refusal.code is grpc.StatusCode.INVALID_ARGUMENT
    for wrong in ("AA", token[:-1] + ("A" if token[-1] != "A" else "B")):
        with refused("BAD_PAGE_TOKEN"):
            await replay_of(table, page_token=wrong)
    with refused("BAD_PAGE_TOKEN"):
        await replay_of(other, page_token=token)


async def test_the_score_sheet_adds_up(table: Table) -> None:
    """Every line of the running score is the sum of its sources, and the points are the lines' totals."""
    view = await table.play_to_end()
    sheet = (await table.stub.GetScoreSheet(pb.GetScoreSheetRequest(name=table.name))).score_sheet
    assert sheet.version == view.version
    assert sheet.outcome == view.outcome
    assert list(sheet.points) == list(view.points) == [line.total for line in sheet.spring_meadow.running]
    lines = [*sheet.spring_meadow.running, *[line for s in sheet.spring_meadow.scorings for line in s.lines]]
    for line in lines:
        parts = line.row_points + line.partial_points + line.burrow_points + line.picnic_points
        assert line.total == parts
        assert line.row_points == 10 * line.rows
    winners = [scoring.winner for scoring in sheet.spring_meadow.scorings]
    assert list(sheet.spring_meadow.pins) == [winners.count(seat) for seat in range(2)]
    assert [result.points for result in sheet.outcome.results] == list(sheet.spring_meadow.pins)


@pytest.mark.parametrize("variant", ["spring_meadow_solo", "spring_meadow_campaign"])
async def test_solo_games_end_with_an_objective(stub: AsyncStub, variant: str) -> None:
    """A solo game says which objective was reached, with points by source that add up."""
    table = await new_table(stub, GREEDY_BOT, variant=variant)
    async for _ in stub.WatchGame(pb.WatchGameRequest(name=table.name)):
        pass
    sheet = (await stub.GetScoreSheet(pb.GetScoreSheetRequest(name=table.name))).score_sheet
    view = await table.view()

    assert view.state == common_pb2.GAME_STATE_FINISHED
    assert sheet.spring_meadow.objective == sheet.outcome.spring_meadow != spring.SPRING_MEADOW_OBJECTIVE_UNSPECIFIED
    assert [(r.seat, r.rank, r.points) for r in sheet.outcome.results] == [(0, 1, sheet.points[0])]
    assert list(view.points) == list(sheet.points)
    solo = sheet.spring_meadow.solo
    assert solo.points == sum(row.points for row in solo.row_scores) + solo.burrow_points
    if variant.endswith("campaign"):
        results = sheet.spring_meadow.campaign.results
        assert len(results) == 4
        assert sum(game.points for game in results) == sheet.points[0] == sheet.spring_meadow.campaign.points
        assert view.spring_meadow.campaign == sheet.spring_meadow.campaign


async def test_a_game_that_has_not_started_has_no_scores(stub: AsyncStub) -> None:
    """Before the start the sheet is empty."""
    table = await new_table(stub, RESERVED, RESERVED, wait_for_start=True)
    sheet = (await stub.GetScoreSheet(pb.GetScoreSheetRequest(name=table.name))).score_sheet
    assert (sheet.version, list(sheet.points), sheet.HasField("spring_meadow")) == (0, [], False)


async def test_a_game_is_played_again_once_however_many_ask(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    """Replays of an ended game asked for all at once, some of them given up, cost the work of one."""
    table = await new_table(host.stub)
    await table.play_to_end()
    played, again = 0, replays._hashes

    def counted(*arguments: Any) -> list[bytes]:
        nonlocal played
        played += 1
        return again(*arguments)

    monkeypatch.setattr(replays, "_hashes", counted)
    asked = [asyncio.ensure_future(replay_of(table)) for _ in range(30)]
    await asyncio.sleep(0.01)
    for given_up in asked[::3]:
        given_up.cancel()
    answers = await asyncio.gather(*asked, return_exceptions=True)
    whole = [answer for answer in answers if isinstance(answer, pb.GetReplayResponse)]
    assert len(whole) >= 20
    assert all(answer.replay.records[-1].state_hash for answer in whole)
    assert played == 1


async def test_times_never_fall_though_the_clock_does(stub: AsyncStub, monkeypatch: pytest.MonkeyPatch) -> None:
    """When the server's clock is set back, the next records bear the time of the last, not one before it."""
    table = await new_table(stub)
    await table.play(2)
    monkeypatch.setattr(changes, "now", lambda: 1_000_000)
    await table.play(2)
    records = (await replay_of(table)).replay.records
    times = [record.create_time.ToNanoseconds() for record in records]
    assert times == sorted(times)
    assert times[-1] > 10**18
