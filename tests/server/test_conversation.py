"""Play: a seat over one stream."""

from __future__ import annotations

import asyncio
from typing import Any

import grpc
import pytest
from google.rpc import error_details_pb2, status_pb2  # type: ignore[import-untyped]
from meadow_api.v1 import common_pb2
from meadow_api.v1 import game_service_pb2 as pb
from meadow_server.store.address import PostgresUrl

from tests.server.harness import (
    OPEN,
    RANDOM_BOT,
    RESERVED,
    AsyncStub,
    Host,
    Table,
    hosted,
    lasting,
    new_table,
    refused,
    request_id,
)

IDS = pb.LEGAL_ACTION_FORMAT_IDS
WAIT = pb.PlayRequest(wait=pb.PlayWait())
PATH = "/meadow_api.v1.GameService/Play"


def converse(table: Table, seat: int) -> Any:
    """An open stream."""
    return table.stub.Play(metadata=table.seat(seat))


async def ask(stream: Any, request: pb.PlayRequest) -> pb.PlayResponse:
    """One request and its answer."""
    await stream.write(request)
    answer: pb.PlayResponse = await stream.read()
    return answer


def choice(table: Table, version: int, action_id: int, **more: Any) -> pb.PlayRequest:
    """A submission as a request of the stream."""
    return pb.PlayRequest(submit=table.submission(version, action_id=action_id, **more))


def reason_of(refusal: pb.PlayRefusal) -> str:
    """The reason of a refusal, which its number, its code and its details must agree on."""
    status, info = status_pb2.Status.FromString(refusal.status), error_details_pb2.ErrorInfo()
    assert any(detail.Unpack(info) for detail in status.details)
    assert (status.code, status.message, info.domain) == (refusal.code, refusal.message, "meadow_api")
    assert common_pb2.ErrorReason.Name(refusal.reason) == f"ERROR_REASON_{info.reason}"
    reason: str = info.reason
    return reason


async def test_a_whole_game_is_played_over_streams(table: Table) -> None:
    """Two seats that wait and choose over a stream each come to the end, and both are told of it."""

    async def play(seat: int) -> pb.PlayTurn:
        stream, number = converse(table, seat), seat
        while True:
            turn = (await ask(stream, WAIT)).turn
            if turn.state != common_pb2.GAME_STATE_RUNNING:
                await stream.done_writing()
                assert await stream.read() is grpc.aio.EOF
                assert await stream.code() is grpc.StatusCode.OK
                return turn
            number += 7
            ids = [action.action_id for action in turn.legal_actions.actions]
            answer = await ask(stream, choice(table, turn.version, ids[number % len(ids)]))
            assert answer.submitted.version == turn.version + 1

    for turn in await asyncio.gather(play(0), play(1)):
        assert turn.state == common_pb2.GAME_STATE_FINISHED
        assert turn.view.HasField("outcome")
        assert not turn.HasField("legal_actions")


async def test_it_answers_what_the_unary_calls_answer(table: Table) -> None:
    """A wait has the view and legal list of the unary calls, a choice the answer of SubmitAction, repeated too."""
    seat, _ = await table.pending()
    stream = converse(table, seat)
    turn = (await ask(stream, WAIT)).turn
    assert lasting(turn.view) == lasting(await table.view(seat))
    assert turn.legal_actions == await table.legal(seat)

    lean = (await ask(stream, pb.PlayRequest(wait=pb.PlayWait(omit_view=True, legal_action_format=IDS)))).turn
    assert not lean.HasField("view")
    assert list(lean.legal_actions.action_ids) == [action.action_id for action in turn.legal_actions.actions]

    request = choice(table, turn.version, lean.legal_actions.action_ids[0], include_view=True)
    request.submit.include_legal_actions = True
    done = (await ask(stream, request)).submitted
    assert lasting(await table.stub.SubmitAction(request.submit, metadata=table.seat(seat))) == lasting(done)
    assert lasting((await ask(stream, request)).submitted) == lasting(done)
    assert (await table.game()).version == done.version
    stream.cancel()


async def test_requests_are_answered_in_order(table: Table) -> None:
    """Requests sent in one go, refused ones among them, are answered one by one in their order."""
    seat, version = await table.pending()
    ids = (await table.legal(seat, format=IDS)).action_ids
    requests = [
        WAIT,
        choice(table, version + 5, ids[0]),
        choice(table, version, ids[0]),
        choice(table, version, ids[0]),
    ]
    stream = converse(table, seat)
    for request in requests:
        await stream.write(request)
    await stream.done_writing()
    answers = [answer async for answer in stream]
    assert [answer.WhichOneof("message") for answer in answers] == ["turn", "refusal", "submitted", "refusal"]
    assert [reason_of(answers[n].refusal) for n in (1, 3)] == ["STALE_VERSION", "STALE_VERSION"]


async def test_a_refused_choice_is_an_answer(table: Table) -> None:
    """Whatever SubmitAction would be refused for is answered as a refusal, and the stream goes on."""
    seat, version = await table.pending()
    other = await new_table(table.stub)
    stream, idle = converse(table, seat), converse(table, 1 - seat)
    without_version = pb.SubmitActionRequest(name=table.name, action_id=0)
    elsewhere = pb.SubmitActionRequest(name=other.name, expected_version=1, action_id=0)
    nowhere = pb.SubmitActionRequest(expected_version=1, action_id=0)
    wrong_id = pb.SubmitActionRequest(name=table.name, expected_version=1, action_id=0, request_id="x")
    for where, request, reason in (
        (stream, choice(table, version, 99_999), "ILLEGAL_ACTION"),
        (stream, choice(table, version + 1, 0), "STALE_VERSION"),
        (idle, choice(table, version, 0), "NOT_YOUR_TURN"),
        (stream, pb.PlayRequest(submit=without_version), "BAD_FIELD"),
        (stream, pb.PlayRequest(submit=elsewhere), "GAME_NOT_FOUND"),
        (stream, pb.PlayRequest(submit=nowhere), "BAD_FIELD"),
        (stream, pb.PlayRequest(submit=wrong_id), "BAD_FIELD"),
        (stream, pb.PlayRequest(wait=pb.PlayWait(legal_action_format=77)), "BAD_FIELD"),  # type: ignore[arg-type]
    ):
        assert reason_of((await ask(where, request)).refusal) == reason
    assert (await ask(stream, WAIT)).turn.version == version
    stream.cancel()
    idle.cancel()


@pytest.mark.parametrize(
    ("raw", "reason"), [(b"\xff\xff\xff", "MALFORMED_REQUEST"), (b"", "BAD_FIELD"), (b"\x0a" * (1 << 21), "")]
)
async def test_a_broken_message_ends_the_stream(host: Host, raw: bytes, reason: str) -> None:
    """Bytes that are no request, too many bytes and a request for nothing end the stream with a status."""
    table = await new_table(host.stub)
    call: Any = host.channel.stream_stream(PATH)(metadata=table.seat(0))
    await call.write(WAIT.SerializeToString())
    assert pb.PlayResponse.FromString(await call.read()).HasField("turn")
    await call.write(raw)
    with refused(reason or "MESSAGE_TOO_LARGE"):
        await call.read()
    assert await call.code() in {grpc.StatusCode.INVALID_ARGUMENT, grpc.StatusCode.RESOURCE_EXHAUSTED}


async def test_who_may_not_open_one(stub: AsyncStub) -> None:
    """A stream needs a seat's token that still counts; it may be opened before the start and after the end."""
    table = await new_table(stub)
    for metadata, reason in (
        (None, "TOKEN_MISSING"),
        (table.host, "ROLE_NOT_ALLOWED"),
        ((("authorization", "Bearer x"),), "TOKEN_UNKNOWN"),
    ):
        with refused(reason):
            await stub.Play(metadata=metadata).read()
    await stub.ReleaseSeat(pb.ReleaseSeatRequest(name=table.name), metadata=table.seat(0))
    with refused("TOKEN_UNKNOWN"):
        await converse(table, 0).read()


async def test_a_wait_begins_before_the_start(stub: AsyncStub) -> None:
    """A seat may wait while others still have to come, and is told when it has to choose."""
    table = await new_table(stub, RESERVED, OPEN)
    stream = converse(table, 0)
    await stream.write(WAIT)
    await asyncio.sleep(0.05)
    claimed = await stub.ClaimSeat(pb.ClaimSeatRequest(join_code=table.created.join_code))
    table.tokens[1] = claimed.seat_token.token
    while (await table.pending())[0] != 0:
        await table.play_one()
    assert (await stream.read()).turn.legal_actions.actions
    stream.cancel()


@pytest.mark.parametrize("ended", ["aborted", "resigned"])
async def test_a_wait_ends_with_the_game(stub: AsyncStub, ended: str) -> None:
    """Who waits when the game is ended by others is told so."""
    rules = common_pb2.ResignRules(policy=common_pb2.RESIGN_POLICY_END)
    table = await new_table(stub, resign_rules=rules)
    seat, _ = await table.pending()
    stream = converse(table, 1 - seat)
    await stream.write(WAIT)
    await asyncio.sleep(0.05)
    if ended == "aborted":
        await stub.AbortGame(pb.AbortGameRequest(name=table.name), metadata=table.host)
    else:
        await stub.ResignSeat(pb.ResignSeatRequest(name=table.name), metadata=table.seat(seat))
    turn = (await stream.read()).turn
    assert turn.state == (common_pb2.GAME_STATE_ABORTED if ended == "aborted" else common_pb2.GAME_STATE_FINISHED)
    refusal = (await ask(stream, choice(table, turn.version, 0))).refusal
    assert reason_of(refusal) == ("GAME_NOT_RUNNING" if ended == "aborted" else "GAME_OVER")

    await stub.DeleteGame(pb.DeleteGameRequest(name=table.name), metadata=table.host)
    with refused("GAME_NOT_FOUND"):
        await ask(stream, WAIT)


@pytest.mark.parametrize("waiting", [True, False])
async def test_a_released_seat_plays_no_more(table: Table, waiting: bool) -> None:
    """When its seat is released the stream ends with an error: at once if it waits, else with the next request."""
    seat, _ = await table.pending()
    stream = converse(table, 1 - seat)
    if waiting:
        await stream.write(WAIT)
        await asyncio.sleep(0.05)
    await table.stub.ReleaseSeat(pb.ReleaseSeatRequest(name=table.name, seat=1 - seat), metadata=table.host)
    with refused("TOKEN_UNKNOWN"):
        if not waiting:
            await stream.write(choice(table, 2, 0))
        await stream.read()


@pytest.mark.parametrize("waiting", [True, False])
async def test_a_draining_server_ends_it(host: Host, waiting: bool) -> None:
    """A stream ends with SERVER_DRAINING, whether it waits for its turn or its client; the game goes on elsewhere."""
    table = await new_table(host.stub)
    seat, version = await table.pending()
    streams = [converse(table, 1 - seat) for _ in range(3)]
    for stream in streams:
        if waiting:
            await stream.write(WAIT)
        else:
            assert (await ask(stream, choice(table, version, 0))).HasField("refusal")
    await asyncio.sleep(0.05)
    draining = asyncio.create_task(host.server.drain())
    for stream in streams:
        with refused("SERVER_DRAINING"):
            await stream.read()
        assert await stream.code() is grpc.StatusCode.UNAVAILABLE
    await draining
    await host.channel.close()
    await host.open()
    table.stub = host.stub
    assert (await ask(converse(table, seat), WAIT)).turn.version == version


async def test_a_stream_shows_that_its_seat_is_there(host: Host) -> None:
    """While it is open the seat is connected, and streams count to the watchers of the game."""
    table = await new_table(host.stub)
    stream = converse(table, 0)
    await ask(stream, choice(table, 99, 0))
    assert [seat.connection for seat in (await table.game()).seats] == [
        common_pb2.CONNECTION_STATE_CONNECTED,
        common_pb2.CONNECTION_STATE_AWAY,
    ]
    stream.cancel()
    (live,) = host.server.app.games.all()
    for _ in range(200):
        if not live.watching and not live.waiters and not host.server.app.listening:
            break
        await asyncio.sleep(0.01)
    assert (live.watching.total(), len(live.waiters), len(host.server.app.listening)) == (0, 0, 0)


async def test_a_lost_answer_is_asked_for_again(table: Table) -> None:
    """A choice whose stream was cut at any moment is made once, when it is repeated on another stream."""
    for tenths in range(24):
        seat, version = await table.pending()
        ids = (await table.legal(seat, format=IDS)).action_ids
        request = choice(table, version, ids[0])
        stream = converse(table, seat)
        await stream.write(request)
        await asyncio.sleep(tenths / 10_000)
        stream.cancel()
        again = converse(table, seat)
        assert (await ask(again, request)).submitted.version == version + 1
        again.cancel()
        assert (await table.game()).version == version + 1


async def test_bots_of_the_server_are_waited_for(stub: AsyncStub) -> None:
    """Against bots of the server a seat waits until they have chosen."""
    table = await new_table(stub, RESERVED, RANDOM_BOT, RANDOM_BOT)
    stream = converse(table, 0)
    for _ in range(6):
        turn = (await ask(stream, WAIT)).turn
        assert turn.view.pending.seat == 0
        submission = pb.SubmitActionRequest(
            name=table.name,
            request_id=request_id(),
            expected_version=turn.version,
            action_id=turn.legal_actions.actions[0].action_id,
        )
        assert (await ask(stream, pb.PlayRequest(submit=submission))).HasField("submitted")
    stream.cancel()


async def test_seats_play_at_servers_of_their_own(database: PostgresUrl) -> None:
    """Two seats that wait and choose at two servers on one journal hear of each other's choices."""
    async with hosted(database) as one, hosted(database) as two:
        table = await new_table(one.stub)

        async def play(stub: AsyncStub, seat: int) -> int:
            stream: Any = stub.Play(metadata=table.seat(seat))
            for number in range(8):
                turn = (await ask(stream, WAIT)).turn
                ids = [action.action_id for action in turn.legal_actions.actions]
                answer = await ask(stream, choice(table, turn.version, ids[number % len(ids)]))
                assert answer.submitted.version == turn.version + 1
            stream.cancel()
            return answer.submitted.version

        versions = await asyncio.gather(play(one.stub, 0), play(two.stub, 1))
        assert max(versions) >= 17
