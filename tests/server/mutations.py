"""Every mutation of the service as something that can be tried, cut off, and tried again."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import grpc
from meadow_api.v1 import common_pb2, game_pb2
from meadow_api.v1 import game_service_pb2 as pb

from tests.server.harness import OPEN, RESERVED, AsyncStub, Table, new_table, refused, request_id

END = common_pb2.ResignRules(policy=common_pb2.RESIGN_POLICY_END)


@dataclass
class Attempt:
    """One mutation, ready to be sent with one request id as often as wanted.

    Attributes:
        send: makes the call through a stub and answers its response.
        done_once: fails unless it has had exactly one effect.
    """

    send: Callable[[AsyncStub], Awaitable[Any]]
    done_once: Callable[[AsyncStub], Awaitable[None]]


Preparation = Callable[[AsyncStub], Awaitable[Attempt]]


async def create_game(stub: AsyncStub) -> Attempt:
    """CreateGame: one more public game of its name."""
    name = request_id()
    request = pb.CreateGameRequest(
        variant="spring_meadow", request_id=request_id(), seats=[RESERVED, OPEN], display_name=name
    )

    async def done_once(stub: AsyncStub) -> None:
        games = (await stub.ListGames(pb.ListGamesRequest(page_size=1000))).games
        assert [game.display_name for game in games].count(name) == 1

    return Attempt(lambda stub: stub.CreateGame(request, timeout=5), done_once)


async def start_game(stub: AsyncStub) -> Attempt:
    """StartGame: the game runs, and its open seat is a bot's."""
    table = await new_table(stub, RESERVED, OPEN)
    request = pb.StartGameRequest(name=table.name, request_id=request_id(), fill_bot="random")

    async def done_once(stub: AsyncStub) -> None:
        # whatever the bot has done since
        assert (await records(stub, table, 2)) == ["seat_bot", "started"]

    return Attempt(lambda stub: stub.StartGame(request, metadata=table.host, timeout=5), done_once)


async def abort_game(stub: AsyncStub) -> Attempt:
    """AbortGame: one record, and the end."""
    table = await new_table(stub)
    request = pb.AbortGameRequest(name=table.name, request_id=request_id(), explanation="enough")
    return Attempt(
        lambda stub: stub.AbortGame(request, metadata=table.host, timeout=5), exactly(table, "started", "aborted")
    )


async def delete_game(stub: AsyncStub) -> Attempt:
    """DeleteGame: the game is gone."""
    table = await new_table(stub)
    await stub.AbortGame(pb.AbortGameRequest(name=table.name), metadata=table.host)
    request = pb.DeleteGameRequest(name=table.name, request_id=request_id())

    async def done_once(stub: AsyncStub) -> None:
        with refused("GAME_NOT_FOUND"):
            await stub.GetGame(pb.GetGameRequest(name=table.name), metadata=table.host)

    return Attempt(lambda stub: stub.DeleteGame(request, metadata=table.host, timeout=5), done_once)


async def replace_host_token(stub: AsyncStub) -> Attempt:
    """ReplaceHostToken: one new token, and the void one may still repeat the call."""
    table = await new_table(stub)
    request = pb.ReplaceHostTokenRequest(name=table.name, request_id=request_id())
    return Attempt(
        lambda stub: stub.ReplaceHostToken(request, metadata=table.host, timeout=5),
        exactly(table, "started", "host_token_replaced"),
    )


async def claim_seat(stub: AsyncStub) -> Attempt:
    """ClaimSeat: one of the open seats is held, though each would do."""
    table = await new_table(stub, RESERVED, OPEN, OPEN, OPEN)
    request = pb.ClaimSeatRequest(join_code=table.created.join_code, request_id=request_id(), display_name="Ada")

    async def done_once(stub: AsyncStub) -> None:
        await exactly(table, "seat_claimed")(stub)
        game = (await stub.GetGame(pb.GetGameRequest(name=table.name))).game
        assert [seat.occupied for seat in game.seats] == [True, True, False, False]

    return Attempt(lambda stub: stub.ClaimSeat(request, timeout=5), done_once)


async def release_seat(stub: AsyncStub) -> Attempt:
    """ReleaseSeat: the seat is open, and its token may still repeat the call."""
    table = await new_table(stub)
    request = pb.ReleaseSeatRequest(name=table.name, request_id=request_id())
    return Attempt(
        lambda stub: stub.ReleaseSeat(request, metadata=table.seat(1), timeout=5),
        exactly(table, "started", "seat_released"),
    )


async def set_seat_bot(stub: AsyncStub) -> Attempt:
    """SetSeatBot: the seat is a bot's."""
    table = await new_table(stub, OPEN, OPEN)
    request = pb.SetSeatBotRequest(name=table.name, request_id=request_id(), seat=1, bot="random")
    return Attempt(lambda stub: stub.SetSeatBot(request, metadata=table.host, timeout=5), exactly(table, "seat_bot"))


async def resign_seat(stub: AsyncStub) -> Attempt:
    """ResignSeat: the game has ended by it."""
    table = await new_table(stub, resign_rules=END)
    request = pb.ResignSeatRequest(name=table.name, request_id=request_id())
    return Attempt(
        lambda stub: stub.ResignSeat(request, metadata=table.seat(1), timeout=5),
        exactly(table, "started", "seat_resigned", "ended"),
    )


async def submit_action(stub: AsyncStub) -> Attempt:
    """SubmitAction: one choice more."""
    table, seat, request = await _choice(stub)
    return Attempt(
        lambda stub: stub.SubmitAction(request, metadata=table.seat(seat), timeout=5),
        exactly(table, "started", "action"),
    )


async def play(stub: AsyncStub) -> Attempt:
    """A choice over a Play stream: one choice more."""
    table, seat, request = await _choice(stub)

    async def send(stub: AsyncStub) -> Any:
        stream: Any = stub.Play(metadata=table.seat(seat), timeout=5)
        await stream.wait_for_connection()
        # a stream that is over already says why to who reads
        with contextlib.suppress(asyncio.InvalidStateError):
            await stream.write(pb.PlayRequest(submit=request))
        answer = await stream.read()
        stream.cancel()
        assert answer.WhichOneof("message") == "submitted", answer
        return answer.submitted

    return Attempt(send, exactly(table, "started", "action"))


async def undo_action(stub: AsyncStub) -> Attempt:
    """UndoAction: one choice is taken back, though two could be."""
    table, seat, request = await _choice(stub)
    await stub.SubmitAction(request, metadata=table.seat(seat))
    await table.play_one()
    undo = pb.UndoActionRequest(name=table.name, request_id=request_id(), expected_version=3, include_view=True)
    return Attempt(
        lambda stub: stub.UndoAction(undo, metadata=table.seat(seat), timeout=5),
        exactly(table, "started", "action", "action", "undo"),
    )


async def _choice(stub: AsyncStub) -> tuple[Table, int, pb.SubmitActionRequest]:
    table = await new_table(stub)
    seat, version = await table.pending()
    listed = await table.legal(seat, format=pb.LEGAL_ACTION_FORMAT_IDS)
    request = table.submission(version, action_id=listed.action_ids[0])
    return table, seat, request


async def records(stub: AsyncStub, table: Table, most: int) -> list[str]:
    """What the first records of a game are."""
    request = pb.ListEventsRequest(name=table.name, page_size=most)
    found: list[game_pb2.GameRecord] = list((await stub.ListEvents(request)).records)
    return [record.WhichOneof("record") or "" for record in found]


def exactly(table: Table, *kinds: str) -> Callable[[AsyncStub], Awaitable[None]]:
    """A check that a game has these records and no other."""

    async def check(stub: AsyncStub) -> None:
        assert await records(stub, table, 1000) == list(kinds)

    return check


MUTATIONS: dict[str, Preparation] = {
    "CreateGame": create_game,
    "StartGame": start_game,
    "AbortGame": abort_game,
    "DeleteGame": delete_game,
    "ReplaceHostToken": replace_host_token,
    "ClaimSeat": claim_seat,
    "ReleaseSeat": release_seat,
    "SetSeatBot": set_seat_bot,
    "ResignSeat": resign_seat,
    "SubmitAction": submit_action,
    "UndoAction": undo_action,
    "Play": play,
}


class Cutter:
    """A way to a server that is cut after so many bytes in one direction; both are counted.

    Attributes:
        address: HOST:PORT of its own.
        passed: bytes that came through, to the server and from it.
        silent: swallows everything from now on, without cutting.
        budget: how many may; None for any number.
    """

    def __init__(self, target: str) -> None:
        self._target = target
        self._server: asyncio.Server | None = None
        self.address = ""
        self.passed = [0, 0]
        self.silent = False
        self._open: set[asyncio.StreamWriter] = set()
        self._ways: set[asyncio.Task[None]] = set()
        self.budget: list[int | None] = [None, None]

    def drop(self) -> None:
        """Cut what is connected now."""
        for writer in self._open:
            writer.transport.abort()

    @contextlib.asynccontextmanager
    async def open(self) -> AsyncIterator[Cutter]:
        """Listen until the block is left."""
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.address = f"127.0.0.1:{self._server.sockets[0].getsockname()[1]}"
        try:
            yield self
        finally:
            self._server.close()
            self.drop()
            await asyncio.gather(*self._ways, return_exceptions=True)

    async def _serve(self, client: asyncio.StreamReader, to_client: asyncio.StreamWriter) -> None:
        way = asyncio.create_task(self._carry(client, to_client))
        self._ways.add(way)
        await way
        self._ways.discard(way)

    async def _carry(self, client: asyncio.StreamReader, to_client: asyncio.StreamWriter) -> None:
        host, _, port = self._target.rpartition(":")
        server, to_server = await asyncio.open_connection(host, int(port))
        self._open |= {to_client, to_server}
        pumps = [
            asyncio.create_task(self._pump(client, to_server, 0)),
            asyncio.create_task(self._pump(server, to_client, 1)),
        ]
        # the first that ends ends both, without a goodbye
        await asyncio.wait(pumps, return_when=asyncio.FIRST_COMPLETED)
        for pump in pumps:
            pump.cancel()
        to_client.transport.abort()
        to_server.transport.abort()
        self._open -= {to_client, to_server}

    async def _pump(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter, way: int) -> None:
        with contextlib.suppress(ConnectionError):
            while data := await source.read(1 << 16):
                if self.silent:
                    continue
                budget = self.budget[way]
                kept = data if budget is None else data[: max(budget - self.passed[way], 0)]
                self.passed[way] += len(kept)
                sink.write(kept)
                await sink.drain()
                if len(kept) < len(data):
                    return


@contextlib.asynccontextmanager
async def cut(target: str, *, after: int | None = None, way: int = 0) -> AsyncIterator[tuple[grpc.aio.Channel, Cutter]]:
    """A channel to a server over a way that is cut after so many bytes to (0) or from (1) the server."""
    cutter = Cutter(target)
    cutter.budget[way] = after
    async with cutter.open():
        channel = grpc.aio.insecure_channel(cutter.address, options=[("grpc.use_local_subchannel_pool", 1)])
        yield channel, cutter
        await channel.close()
