"""What could be done without end is limited, so that nobody makes a game's journal grow for ever."""

from __future__ import annotations

from pathlib import Path

from meadow_api.v1 import common_pb2
from meadow_api.v1 import game_service_pb2 as pb

from tests.server.harness import OPEN, RESERVED, bearer, hosted, new_table, refused


async def test_a_seat_takes_back_so_often_and_plays_on(tmp_path: Path) -> None:
    """Taking back and choosing again ends at the seat's limit; the other seat has its own, and the game goes on."""
    async with hosted(tmp_path, undos_per_seat=2) as host:
        table = await new_table(host.stub)

        async def take_back() -> None:
            seat, _ = await table.pending()
            version = (await table.play_one()).version
            undo = pb.UndoActionRequest(name=table.name, expected_version=version)
            await host.stub.UndoAction(undo, metadata=table.seat(seat))

        first, _ = await table.pending()
        for _ in range(2):
            await take_back()
        with refused("QUOTA_EXCEEDED") as refusal:
            await take_back()
        assert refusal.detail(common_pb2.LimitDetail).limit == "undos_per_seat"
        while (await table.pending())[0] == first:
            await table.play_one()
        await take_back()
        await table.play_to_end()


async def test_seats_change_hands_so_often(tmp_path: Path) -> None:
    """Claiming a seat and leaving it again ends at the limit, and so does putting bots on one."""
    async with hosted(tmp_path, seatings_per_game=3) as host:
        table = await new_table(host.stub, RESERVED, OPEN, OPEN)
        claim = pb.ClaimSeatRequest(join_code=table.created.join_code, seat=1)
        for _ in range(2):
            token = (await host.stub.ClaimSeat(claim)).seat_token.token
            await host.stub.ReleaseSeat(pb.ReleaseSeatRequest(name=table.name), metadata=bearer(token))
        seat_bot = pb.SetSeatBotRequest(name=table.name, seat=2, bot="random")
        await host.stub.SetSeatBot(seat_bot, metadata=table.host)
        for call in (host.stub.ClaimSeat(claim), host.stub.SetSeatBot(seat_bot, metadata=table.host)):
            with refused("QUOTA_EXCEEDED") as refusal:
                await call
            assert refusal.detail(common_pb2.LimitDetail).limit == "seatings_per_game"
