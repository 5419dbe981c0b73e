"""Who may see what: private games, other games' tokens, forged and void tokens, roles."""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from pathlib import Path

import grpc
import pytest
from meadow_api.v1 import common_pb2
from meadow_api.v1 import game_service_pb2 as pb
from meadow_server.tokens import _BODY, KEY_BYTES, Mint

from tests.server.every_call import METHODS, MISSING, REQUESTS, one_request
from tests.server.harness import RESERVED, AsyncStub, Host, Metadata, Table, hosted, new_table, refusal_of, refused

OF_A_GAME = [name for name, method in METHODS.items() if method.of_a_game]
"""The calls about a game. ClaimSeat among them takes a join code, and looks at no token."""


def test_every_call_has_requests() -> None:
    """A call without requests would escape the tests of privacy, secrecy and fuzzing."""
    assert set(REQUESTS) == set(METHODS)


async def said(host: Host, method: str, name: str, caller: Metadata | None) -> tuple[grpc.StatusCode, str, str, bytes]:
    """Everything that a call tells a caller who may not make it."""
    with pytest.raises(grpc.RpcError) as caught:
        await METHODS[method].first(host.channel, one_request(method, name), caller)
    refusal = refusal_of(caught.value)
    return refusal.code, refusal.reason, refusal.message, refusal.status.SerializeToString()


async def private_table(host: Host) -> Table:
    """A running private game."""
    return await new_table(host.stub, visibility=common_pb2.VISIBILITY_PRIVATE)


@pytest.mark.parametrize("method", OF_A_GAME)
async def test_a_private_game_looks_like_a_missing_one(host: Host, method: str) -> None:
    """Without a token a private game and a missing one are answered byte for byte alike, by every call."""
    private = await private_table(host)
    answers = {await said(host, method, name, None) for name in (private.name, MISSING)}
    ((code, *_),) = answers
    if code is grpc.StatusCode.UNAUTHENTICATED:
        public = await new_table(host.stub)
        assert await said(host, method, public.name, None) in answers
    else:
        assert code is grpc.StatusCode.NOT_FOUND


@pytest.mark.parametrize("method", OF_A_GAME)
async def test_a_token_of_another_game_finds_none(host: Host, method: str) -> None:
    """With the token of another game every game looks like a missing one: public, private or not there."""
    own, public, private = await new_table(host.stub), await new_table(host.stub), await private_table(host)
    for caller in (own.seat(0), own.host):
        answers = {await said(host, method, name, caller) for name in (public.name, private.name, MISSING)}
        assert [code for code, *_ in answers] == [grpc.StatusCode.NOT_FOUND]


@pytest.mark.parametrize("method", [method for method in OF_A_GAME if method != "ClaimSeat"])
async def test_a_token_that_is_not_genuine_is_refused_before_any_look_at_the_game(host: Host, method: str) -> None:
    """Forged, cut and altered tokens are refused alike, whether or not there is such a game."""
    table, private = await new_table(host.stub), await private_table(host)
    genuine = table.tokens[0]
    forged = ["", "x", genuine[:-1], genuine + "A", "A" * len(genuine), "!" * len(genuine), altered(genuine)]
    answers = {
        await said(host, method, name, (("authorization", f"Bearer {token}"),))
        for token in forged
        for name in (table.name, private.name, MISSING)
    }
    assert [reason for _, reason, *_ in answers] == ["TOKEN_UNKNOWN"]


@pytest.mark.parametrize("method", OF_A_GAME)
async def test_a_released_seats_token_opens_nothing(host: Host, method: str) -> None:
    """When a seat has been released no call takes its old token, also when the seat has a new holder."""
    table = await new_table(host.stub, RESERVED, RESERVED)
    await host.stub.ReleaseSeat(pb.ReleaseSeatRequest(name=table.name), metadata=table.seat(1))
    before = await said(host, method, table.name, table.seat(1))
    code = table.created.join_code
    await host.stub.ClaimSeat(pb.ClaimSeatRequest(name=table.name, join_code=code, seat=1))
    assert await said(host, method, table.name, table.seat(1)) == before
    assert before[1] in {"TOKEN_UNKNOWN", "ROLE_NOT_ALLOWED", "JOIN_CODE_UNKNOWN"}


async def test_a_seats_token_is_no_other_seats(host: Host, table: Table) -> None:
    """A seat cannot choose, take back or give up for another seat."""
    seat, version = await table.pending()
    other = table.seat(1 - seat)
    await table.play_one()
    with refused("NOT_YOUR_TURN"):
        await table.submit(1 - seat, version + 1, action_id=0)
    with refused("UNDO_BARRIER"):
        request = pb.UndoActionRequest(name=table.name, expected_version=version + 1)
        await table.stub.UndoAction(request, metadata=other)
    with refused("SEAT_NOT_FOUND"):
        await table.stub.ReleaseSeat(pb.ReleaseSeatRequest(name=table.name, seat=seat), metadata=other)


async def test_a_token_has_one_spelling(tmp_path: Path) -> None:
    """Whoever spells the scheme otherwise is still the same caller, and another spelling of the token is none."""
    async with hosted(tmp_path, watchers_per_token=1) as host:
        table = await new_table(host.stub)
        watch, token = METHODS["WatchGame"], table.tokens[0]
        body = one_request("WatchGame", table.name)
        stream = watch.open(host.channel, [body], table.seat(0))
        await stream.read()
        for spelled in (f"bearer {token}", f"BEARER   {token}", f"Bearer {token} "):
            with refused("QUOTA_EXCEEDED"):
                await watch.first(host.channel, body, (("authorization", spelled),))
    keys = Mint(bytes(KEY_BYTES))
    token = next(t for n in range(100) if "-" in (t := keys.seat_token(bytes(16), n, 0)))
    assert keys.read(token)
    assert keys.read(token.replace("-", "+")) is None


def altered(token: str) -> str:
    """The token with its seat changed: body and seal no longer fit."""
    raw = bytearray(urlsafe_b64decode(token))
    raw[_BODY.size - 5] ^= 1
    return urlsafe_b64encode(bytes(raw)).decode()


async def test_a_private_game_is_open_to_its_tokens(stub: AsyncStub) -> None:
    """Seats and host see their private game, and its join code lets others in."""
    table = await new_table(stub, visibility=common_pb2.VISIBILITY_PRIVATE)
    for metadata in (table.seat(0), table.host):
        assert (await stub.GetGame(pb.GetGameRequest(name=table.name), metadata=metadata)).game.name == table.name

    waiting = await new_table(
        stub,
        pb.SeatSpec(kind=common_pb2.SEAT_KIND_RESERVED),
        pb.SeatSpec(),
        visibility=common_pb2.VISIBILITY_PRIVATE,
    )
    claimed = await stub.ClaimSeat(pb.ClaimSeatRequest(join_code=waiting.created.join_code))
    assert claimed.game.name == waiting.name


async def test_spectators_and_hosts_do_not_play(host: Host, stub: AsyncStub, table: Table) -> None:
    """On a public game a spectator gets no legal list, and the host neither lists nor acts nor undoes."""
    with refused("ROLE_NOT_ALLOWED") as refusal:
        await stub.ListLegalActions(pb.ListLegalActionsRequest(name=table.name))
    assert refusal.code is grpc.StatusCode.PERMISSION_DENIED
    for method in ("ListLegalActions", "SubmitAction", "UndoAction", "Play", "ResignSeat"):
        with refused("ROLE_NOT_ALLOWED") as refusal:
            await METHODS[method].first(host.channel, one_request(method, table.name), table.host)
        assert refusal.code is grpc.StatusCode.PERMISSION_DENIED


async def test_other_seats_get_an_empty_list_that_says_who_is_to_move(table: Table) -> None:
    """A seat that is not to move gets no actions, and learns whose choice is awaited."""
    seat, _ = await table.pending()
    own, other = await table.legal(seat), await table.legal(1 - seat)
    assert own.actions
    assert (list(other.actions), other.total_size, other.pending_seat) == ([], 0, seat)


async def test_every_viewer_sees_the_same_table(stub: AsyncStub, table: Table) -> None:
    """Spring Meadow hides nothing but the box: seats, host and spectators see one table, and no seed."""
    await table.play(8)
    views = [await table.view(seat) for seat in (0, 1, None)]
    assert [view.HasField("viewer_seat") for view in views] == [True, True, False]
    assert views[0].spring_meadow == views[1].spring_meadow == views[2].spring_meadow
    replay = await stub.GetReplay(pb.GetReplayRequest(name=table.name), metadata=table.seat(0))
    assert not replay.replay.fairness.seed
    assert not any(record.state_hash for record in replay.replay.records)
