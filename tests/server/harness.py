"""A real server and a table of players around it, for the tests of the service."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Awaitable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar
from uuid import uuid4

import grpc
from google.rpc import error_details_pb2, status_pb2  # type: ignore[import-untyped]
from meadow_api.v1 import common_pb2, game_pb2
from meadow_api.v1 import game_service_pb2 as pb
from meadow_api.v1.game_service_pb2_grpc import GameServiceStub
from meadow_server.config import Config
from meadow_server.limits import Limits
from meadow_server.main import Server, start
from meadow_server.store.address import PostgresUrl

if TYPE_CHECKING:
    # only the types know two kinds of stubs; at run time there is one class
    from meadow_api.v1.game_service_pb2_grpc import GameServiceAsyncStub

    AsyncStub = GameServiceAsyncStub
else:
    AsyncStub = GameServiceStub

SEED = bytes(range(32))
DETAILS_KEY = "grpc-status-details-bin"
Metadata = tuple[tuple[str, str], ...]

RESERVED = pb.SeatSpec(kind=common_pb2.SEAT_KIND_RESERVED)
OPEN = pb.SeatSpec(kind=common_pb2.SEAT_KIND_OPEN)
RANDOM_BOT = pb.SeatSpec(kind=common_pb2.SEAT_KIND_BOT, bot="random")
GREEDY_BOT = pb.SeatSpec(kind=common_pb2.SEAT_KIND_BOT, bot="greedy")


def request_id() -> str:
    """A fresh request id."""
    return str(uuid4())


def bearer(token: str) -> Metadata:
    """Metadata that carries a token."""
    return (("authorization", f"Bearer {token}"),)


@dataclass
class Refusal:
    """What a refused call said."""

    code: grpc.StatusCode
    message: str
    reason: str
    domain: str
    metadata: dict[str, str]
    status: status_pb2.Status

    def detail(self, kind: Any) -> Any:
        """The typed detail of a kind; fails if there is none."""
        for packed in self.status.details:
            found = kind()
            if packed.Unpack(found):
                return found
        raise AssertionError(f"no {kind.DESCRIPTOR.name} among the details")

    @property
    def field(self) -> str:
        """The one field that a BadRequest names."""
        (violation,) = self.detail(error_details_pb2.BadRequest).field_violations
        name: str = violation.field
        return name


def refusal_of(error: grpc.RpcError) -> Refusal:
    """Read an error's status and details."""
    status, info = status_pb2.Status(), error_details_pb2.ErrorInfo()
    trailers: Any = error.trailing_metadata() or ()
    for key, value in trailers:
        if key == DETAILS_KEY:
            status.ParseFromString(value)
    for packed in status.details:
        packed.Unpack(info)
    return Refusal(error.code(), error.details() or "", info.reason, info.domain, dict(info.metadata), status)


@contextlib.contextmanager
def refused(reason: str) -> Iterator[Refusal]:
    """Expect a call to be refused for a reason; the refusal is filled in when the block has ended."""
    refusal = Refusal(grpc.StatusCode.OK, "", "", "", {}, status_pb2.Status())
    try:
        yield refusal
    except grpc.RpcError as error:
        refusal.__dict__.update(refusal_of(error).__dict__)
    assert refusal.reason == reason, f"{refusal.code} {refusal.reason}: {refusal.message}"
    assert refusal.domain == "meadow_api"
    assert refusal.message


@dataclass
class Table:
    """A game and its players' tokens, as a client holds them."""

    stub: AsyncStub
    created: pb.CreateGameResponse
    tokens: dict[int, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The game's resource name."""
        return self.created.game.name

    @property
    def host(self) -> Metadata:
        """The host's metadata."""
        return bearer(self.created.host_token)

    def seat(self, seat: int) -> Metadata:
        """A seat's metadata."""
        return bearer(self.tokens[seat])

    async def view(self, seat: int | None = None) -> game_pb2.GameView:
        """The view of a seat or a spectator."""
        metadata = None if seat is None else self.seat(seat)
        return (await self.stub.GetGameView(pb.GetGameViewRequest(name=self.name), metadata=metadata)).view

    async def legal(self, seat: int, **more: Any) -> game_pb2.LegalActionList:
        """The legal actions of a seat."""
        request = pb.ListLegalActionsRequest(name=self.name, **more)
        return (await self.stub.ListLegalActions(request, metadata=self.seat(seat))).legal_actions

    async def game(self) -> game_pb2.Game:
        """The game as its host sees it."""
        return (await self.stub.GetGame(pb.GetGameRequest(name=self.name), metadata=self.host)).game

    def submission(self, version: int, **choice: Any) -> pb.SubmitActionRequest:
        """A submission at a version."""
        return pb.SubmitActionRequest(name=self.name, request_id=request_id(), expected_version=version, **choice)

    async def submit(self, seat: int, version: int, **choice: Any) -> pb.SubmitActionResponse:
        """Submit a choice."""
        return await self.stub.SubmitAction(self.submission(version, **choice), metadata=self.seat(seat))

    async def pending(self) -> tuple[int, int]:
        """The seat that has to choose and the version."""
        view = await self.view()
        assert view.HasField("pending")
        return view.pending.seat, view.version

    async def play_one(self, choose: int = 0) -> pb.SubmitActionResponse:
        """Take a legal action for whoever has to choose: the n-th, counted round and round."""
        seat, version = await self.pending()
        ids = (await self.legal(seat, format=pb.LEGAL_ACTION_FORMAT_IDS)).action_ids
        return await self.submit(seat, version, action_id=ids[choose % len(ids)])

    async def play(self, actions: int) -> int:
        """Take some legal actions, varied but always the same; answers the version."""
        version = 0
        for number in range(actions):
            version = (await self.play_one(7 * number)).version
        return version

    async def play_to_end(self) -> game_pb2.GameView:
        """Play until the game has ended."""
        number = 0
        while (view := await self.view()).state == common_pb2.GAME_STATE_RUNNING:
            number += 1
            await self.play_one(11 * number)
        return view


async def new_table(stub: AsyncStub, *seats: pb.SeatSpec, **more: Any) -> Table:
    """Create a game; two reserved seats of Spring Meadow from a fixed seed, if nothing else is said."""
    more.setdefault("variant", "spring_meadow")
    more.setdefault("seed", SEED)
    request = pb.CreateGameRequest(request_id=request_id(), seats=seats or (RESERVED, RESERVED), **more)
    created = await stub.CreateGame(request)
    return Table(stub, created, {entry.seat: entry.token for entry in created.seat_tokens})


@dataclass
class Host:
    """A running server with a channel to it, which can be stopped and started on the same journal."""

    config: Config
    server: Server
    channel: grpc.aio.Channel
    stub: AsyncStub

    async def restart(self) -> None:
        """Stop the server in the orderly way and start another on its journal."""
        await self.stop()
        await self.open()

    async def stop(self) -> None:
        """Drain the server, then close the channel."""
        await self.server.drain()
        await self.channel.close()

    async def open(self) -> None:
        """Start a server and connect to it."""
        self.server = await start(self.config)
        self.channel = grpc.aio.insecure_channel(self.server.address)
        self.stub = stub_of(self.channel)


def stub_of(channel: grpc.aio.Channel) -> AsyncStub:
    """The typed stub of a channel; generated code has one class for both kinds of channels."""
    made: Any = GameServiceStub
    stub: AsyncStub = made(channel)
    return stub


@contextlib.asynccontextmanager
async def hosted(place: Path | PostgresUrl, settings: Config | None = None, **limits: int) -> AsyncIterator[Host]:
    """A server on a journal in a folder or a database, with other settings and some limits changed."""
    journal = place / "journal.db" if isinstance(place, Path) else place
    settings = replace(settings or Config(), listen="127.0.0.1:0", journal=journal)
    async with hosted_by(replace(settings, limits=replace(Limits(), **limits))) as host:
        yield host


@contextlib.asynccontextmanager
async def hosted_by(config: Config) -> AsyncIterator[Host]:
    """A server as it is configured."""
    server = await start(config)
    channel = grpc.aio.insecure_channel(server.address)
    host = Host(config, server, channel, stub_of(channel))
    try:
        yield host
    finally:
        await host.stop()


async def unchanged(table: Table, work: Awaitable[Any]) -> Any:
    """Await some work and make sure that it left the game as it was."""
    before = await table.game()
    outcome = await work
    assert lasting(await table.game()) == lasting(before)
    return outcome


M = TypeVar("M", bound=Any)


def lasting(message: M) -> M:
    """The same message without what is always of the present: who is connected or was seen, and what clocks show."""
    kept: M = type(message)()
    kept.CopyFrom(message)
    game = kept.game if "game" in kept.DESCRIPTOR.fields_by_name else kept
    view = game.view if "view" in game.DESCRIPTOR.fields_by_name else game
    for seat in view.seats if "seats" in view.DESCRIPTOR.fields_by_name else ():
        seat.ClearField("connection")
        seat.ClearField("last_seen_time")
        seat.ClearField("clock")
    return kept


def events_of(records: Sequence[game_pb2.GameRecord]) -> list[str]:
    """Names of the events of records, in order."""
    return [event.spring_meadow.WhichOneof("event") or "" for record in records for event in record.events]
