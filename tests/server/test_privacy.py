"""Who may see what: private games, other games' tokens, roles."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import grpc
import pytest
from meadow_api.v1 import common_pb2
from meadow_api.v1 import game_service_pb2 as pb

from tests.server.harness import AsyncStub, Table, new_table, refusal_of, refused, request_id

MISSING = "games/" + "0" * 32
Call = Callable[[AsyncStub, str, Any], Any]

READS: dict[str, Call] = {
    "GetGame": lambda s, n, m: s.GetGame(pb.GetGameRequest(name=n), metadata=m),
    "GetGameView": lambda s, n, m: s.GetGameView(pb.GetGameViewRequest(name=n), metadata=m),
    "GetScoreSheet": lambda s, n, m: s.GetScoreSheet(pb.GetScoreSheetRequest(name=n), metadata=m),
    "GetReplay": lambda s, n, m: s.GetReplay(pb.GetReplayRequest(name=n), metadata=m),
    "WatchGame": lambda s, n, m: s.WatchGame(pb.WatchGameRequest(name=n), metadata=m).read(),
    "ListLegalActions": lambda s, n, m: s.ListLegalActions(pb.ListLegalActionsRequest(name=n), metadata=m),
}
MUTATIONS: dict[str, Call] = {
    "SubmitAction": lambda s, n, m: s.SubmitAction(
        pb.SubmitActionRequest(name=n, expected_version=1, action_id=0), metadata=m
    ),
    "UndoAction": lambda s, n, m: s.UndoAction(pb.UndoActionRequest(name=n, expected_version=1), metadata=m),
    "StartGame": lambda s, n, m: s.StartGame(pb.StartGameRequest(name=n), metadata=m),
    "AbortGame": lambda s, n, m: s.AbortGame(pb.AbortGameRequest(name=n), metadata=m),
    "DeleteGame": lambda s, n, m: s.DeleteGame(pb.DeleteGameRequest(name=n, request_id=request_id()), metadata=m),
    "ReleaseSeat": lambda s, n, m: s.ReleaseSeat(pb.ReleaseSeatRequest(name=n), metadata=m),
    "SetSeatBot": lambda s, n, m: s.SetSeatBot(pb.SetSeatBotRequest(name=n, bot="random"), metadata=m),
}


async def said(call: Any) -> tuple[grpc.StatusCode, bytes]:
    """Everything that a refused call tells its caller."""
    with pytest.raises(grpc.RpcError) as caught:
        await call
    refusal = refusal_of(caught.value)
    return refusal.code, refusal.status.SerializeToString()


@pytest.mark.parametrize("method", READS)
async def test_a_private_game_looks_like_a_missing_one(stub: AsyncStub, method: str) -> None:
    """Without a token a private game and a missing one are answered byte for byte alike."""
    private = await new_table(stub, visibility=common_pb2.VISIBILITY_PRIVATE)
    answers = [await said(READS[method](stub, name, None)) for name in (private.name, MISSING)]
    assert answers[0] == answers[1]
    assert answers[0][0] is grpc.StatusCode.NOT_FOUND


@pytest.mark.parametrize("method", READS | MUTATIONS)
async def test_a_token_of_another_game_finds_none(stub: AsyncStub, method: str) -> None:
    """With the token of another game every game looks like a missing one: public, private or not there."""
    own, public = await new_table(stub), await new_table(stub)
    private = await new_table(stub, visibility=common_pb2.VISIBILITY_PRIVATE)
    call = (READS | MUTATIONS)[method]
    for metadata in (own.seat(0), own.host):
        answers = [await said(call(stub, name, metadata)) for name in (public.name, private.name, MISSING)]
        assert answers[0] == answers[1] == answers[2]
        assert answers[0][0] is grpc.StatusCode.NOT_FOUND


@pytest.mark.parametrize("method", MUTATIONS)
async def test_mutations_need_a_token_whatever_the_game(stub: AsyncStub, method: str) -> None:
    """Without a token a mutation is unauthenticated, and says the same of a game that is not there."""
    table = await new_table(stub)
    private = await new_table(stub, visibility=common_pb2.VISIBILITY_PRIVATE)
    answers = [await said(MUTATIONS[method](stub, name, None)) for name in (table.name, private.name, MISSING)]
    assert answers[0] == answers[1] == answers[2]
    assert answers[0][0] is grpc.StatusCode.UNAUTHENTICATED


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


async def test_spectators_and_hosts_do_not_play(stub: AsyncStub, table: Table) -> None:
    """On a public game a spectator gets no legal list, and the host neither lists nor acts nor undoes."""
    with refused("ROLE_NOT_ALLOWED") as refusal:
        await stub.ListLegalActions(pb.ListLegalActionsRequest(name=table.name))
    assert refusal.code is grpc.StatusCode.PERMISSION_DENIED
    for method in ("ListLegalActions", "SubmitAction", "UndoAction"):
        with refused("ROLE_NOT_ALLOWED") as refusal:
            await (READS | MUTATIONS)[method](stub, table.name, table.host)
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
