"""Lost answers: repeated requests, cancelled calls, restarts."""

from __future__ import annotations

import asyncio
import contextlib
import random

import grpc
import pytest
from meadow_api.v1 import common_pb2
from meadow_api.v1 import game_service_pb2 as pb

from tests.server.harness import RESERVED, Host, Table, lasting, new_table, refused


async def submission(table: Table) -> tuple[int, pb.SubmitActionRequest]:
    """The seat to move, and a submission of its first take with its placement, asking for everything."""
    seat, version = await table.pending()
    composite = pb.ActionFilter()
    composite.spring_meadow.composite = True
    entry = (await table.legal(seat, filter=composite)).actions[0]
    request = table.submission(version, action=entry.action, include_view=True, include_legal_actions=True)
    return seat, request


@pytest.mark.parametrize("restart", [False, True])
async def test_a_repeated_submission_answers_what_it_answered(host: Host, restart: bool) -> None:
    """The same submission again has the first answer, view and list included, though the game has moved on since."""
    table = await new_table(host.stub)
    seat, request = await submission(table)
    first = await host.stub.SubmitAction(request, metadata=table.seat(seat))
    assert lasting(await host.stub.SubmitAction(request, metadata=table.seat(seat))) == lasting(first)
    version = await table.play(5)
    if restart:
        await host.restart()
        table.stub = host.stub

    assert lasting(await host.stub.SubmitAction(request, metadata=table.seat(seat))) == lasting(first)
    assert (await table.game()).version == version


async def test_a_reused_request_id_is_refused(host: Host) -> None:
    """The id of a request that was done serves no other body, caller, call or game."""
    table, other = await new_table(host.stub), await new_table(host.stub)
    seat, request = await submission(table)
    done = await host.stub.SubmitAction(request, metadata=table.seat(seat))

    changed = pb.SubmitActionRequest()
    changed.CopyFrom(request)
    changed.include_view = False
    used = request.request_id
    elsewhere_seat, elsewhere = await submission(other)
    elsewhere.request_id = used
    undo = pb.UndoActionRequest(name=table.name, request_id=used, expected_version=done.version)
    abort = pb.AbortGameRequest(name=table.name, request_id=used)
    create = pb.CreateGameRequest(variant="spring_meadow", request_id=used, seats=[RESERVED, RESERVED])
    for call in (
        host.stub.SubmitAction(changed, metadata=table.seat(seat)),
        host.stub.SubmitAction(request, metadata=table.seat(1 - seat)),
        host.stub.SubmitAction(elsewhere, metadata=other.seat(elsewhere_seat)),
        host.stub.UndoAction(undo, metadata=table.seat(seat)),
        host.stub.AbortGame(abort, metadata=table.host),
        host.stub.CreateGame(create),
    ):
        with refused("REQUEST_ID_REUSED") as refusal:
            await call
        assert refusal.code is grpc.StatusCode.ABORTED
    assert (await table.game()).version == done.version
    assert (await other.game()).version == 1


async def test_a_refused_request_id_can_be_used(table: Table) -> None:
    """Only what was done is remembered: after a refusal the same id may come with a better body."""
    seat, version = await table.pending()
    request = table.submission(version, action_id=99_999)
    with refused("ILLEGAL_ACTION"):
        await table.stub.SubmitAction(request, metadata=table.seat(seat))
    request.action_id = (await table.legal(seat)).actions[0].action_id
    assert (await table.stub.SubmitAction(request, metadata=table.seat(seat))).version == version + 1


async def test_without_request_id_nothing_is_remembered(table: Table) -> None:
    """A mutation without request id is done, and done again when sent again."""
    seat, version = await table.pending()
    request = table.submission(version, action_id=(await table.legal(seat)).actions[0].action_id)
    request.request_id = ""
    assert (await table.stub.SubmitAction(request, metadata=table.seat(seat))).version == version + 1
    with refused("STALE_VERSION"):
        await table.stub.SubmitAction(request, metadata=table.seat(seat))


async def test_the_same_request_many_times_at_once_is_done_once(table: Table) -> None:
    """Repeats that overlap all get the one answer."""
    seat, request = await submission(table)
    answers = await asyncio.gather(*[table.stub.SubmitAction(request, metadata=table.seat(seat)) for _ in range(8)])
    assert len({lasting(answer).SerializeToString(deterministic=True) for answer in answers}) == 1
    assert (await table.game()).version == answers[0].version


async def test_a_cancelled_submission_loses_only_its_answer(host: Host) -> None:
    """However early or late a call is cut, repeating it has exactly one effect."""
    chance = random.Random(3)
    table = await new_table(host.stub)
    for _ in range(25):
        game = await table.game()
        if game.state != common_pb2.GAME_STATE_RUNNING:
            break
        seat, version = await table.pending()
        ids = (await table.legal(seat)).actions
        request = table.submission(version, action_id=chance.choice(ids).action_id)
        call = host.stub.SubmitAction(request, metadata=table.seat(seat))
        await asyncio.sleep(chance.random() * 0.004)
        call.cancel()
        answer = await host.stub.SubmitAction(request, metadata=table.seat(seat))
        assert answer.version == version + 1
        assert (await table.game()).version == version + 1


async def test_a_deadline_in_the_middle_has_one_effect(host: Host) -> None:
    """A deadline that falls between journal and answer loses the answer alone."""
    table = await new_table(host.stub)
    for microseconds in (50, 200, 400, 800, 1500, 3000):
        seat, version = await table.pending()
        request = table.submission(version, action_id=(await table.legal(seat)).actions[0].action_id)
        with contextlib.suppress(grpc.RpcError):
            await host.stub.SubmitAction(request, metadata=table.seat(seat), timeout=microseconds / 1e6)
        await host.stub.SubmitAction(request, metadata=table.seat(seat))
        assert (await table.game()).version == version + 1


async def test_a_restarted_server_has_every_game_as_it_was(host: Host) -> None:
    """Games of every state come back with views, seats, tokens and join codes as they were."""
    running = await new_table(host.stub)
    await running.play(9)
    waiting = await new_table(host.stub, RESERVED, pb.SeatSpec())
    finished = await new_table(host.stub)
    await finished.play_to_end()
    aborted = await new_table(host.stub)
    await host.stub.AbortGame(pb.AbortGameRequest(name=aborted.name), metadata=aborted.host)
    tables = (running, waiting, finished, aborted)
    before = [(lasting(await t.game()), lasting(await t.view(0))) for t in tables]

    await host.restart()
    for table in tables:
        table.stub = host.stub
    assert [(lasting(await t.game()), lasting(await t.view(0))) for t in tables] == before
    claimed = await host.stub.ClaimSeat(pb.ClaimSeatRequest(join_code=waiting.created.join_code))
    waiting.tokens[1] = claimed.seat_token.token
    await waiting.play(3)


async def test_a_restarted_server_lets_its_bots_go_on(host: Host) -> None:
    """Games in which a bot was to move finish after a restart, with the choices they would have had without it."""
    bot = pb.SeatSpec(kind=common_pb2.SEAT_KIND_BOT, bot="greedy")
    table = await new_table(host.stub, bot, bot, bot, bot)
    await host.restart()
    table.stub = host.stub
    async for message in host.stub.WatchGame(pb.WatchGameRequest(name=table.name)):
        last = message
    assert last.terminal.end == pb.WATCH_END_FINISHED


async def test_idle_games_leave_memory_and_come_back(host: Host) -> None:
    """A game nobody uses is dropped from memory, and found again in the journal."""
    table = await new_table(host.stub)
    await table.play(4)
    before = lasting(await table.game())
    games = host.server.app.games
    games._idle_seconds = -1
    games.sweep()
    assert len(games) == 0
    assert lasting(await table.game()) == before
    await table.play(2)
