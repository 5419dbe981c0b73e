"""Every call of the service, found in its descriptor: how to send it as bytes, and what a sensible request looks like.

Tests that must hold for every call go over `METHODS`. A new call has no entry in `REQUESTS` yet, and a test in
`test_privacy.py` fails until it gets one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import grpc
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import DecodeError, Message
from google.protobuf.message_factory import GetMessageClass
from meadow_api.v1 import common_pb2, game_pb2
from meadow_api.v1 import game_service_pb2 as pb
from meadow_server.wire.families import FAMILIES

from tests.server.harness import Metadata, request_id

SERVICE = pb.DESCRIPTOR.services_by_name["GameService"]
MISSING = "games/" + "0" * 32
"""A game that does not exist."""
SECONDS = 60.0
"""A call that takes longer hangs."""
WRITTEN_INTO_THE_VOID = "Internal error from Core"
"""What gRPC says on the client's side of a write into a stream that is over."""
PATIENCE = 0.02
"""How long a request is given that may wait for others for ever."""


@dataclass(frozen=True)
class Method:
    """A call of the service.

    Attributes:
        name: as published.
        request: class of its request.
        asks, answers: whether requests and answers are streams.
    """

    name: str
    request: type[Message]
    response: type[Message]
    asks: bool
    answers: bool

    @property
    def path(self) -> str:
        """Where HTTP/2 finds it."""
        return f"/{SERVICE.full_name}/{self.name}"

    @property
    def of_a_game(self) -> bool:
        """Whether its request names a game."""
        return "name" in self.request.DESCRIPTOR.fields_by_name

    def open(
        self,
        channel: grpc.aio.Channel,
        bodies: Sequence[bytes],
        metadata: Metadata | None = None,
        *,
        seconds: float | None = None,
    ) -> Any:
        """Begin a call of bytes that is answered with a stream."""
        calls: Any = channel
        return calls.unary_stream(self.path)(bodies[0], metadata=metadata, timeout=seconds)

    async def converse(
        self, channel: grpc.aio.Channel, bodies: Sequence[bytes], metadata: Metadata | None = None
    ) -> list[bytes]:
        """The answers to a stream of requests, each sent when the one before is answered, up to one that waits."""
        while True:
            try:
                return await self._conversation(channel, bodies, metadata)
            except grpc.RpcError as error:
                # a write into a stream that is just being refused hides why; another try tells
                if error.details() != WRITTEN_INTO_THE_VOID:
                    raise

    async def _conversation(
        self, channel: grpc.aio.Channel, bodies: Sequence[bytes], metadata: Metadata | None
    ) -> list[bytes]:
        calls: Any = channel
        stream = calls.stream_stream(self.path)(metadata=metadata, timeout=SECONDS)
        answers = []
        await stream.wait_for_connection()
        for body in bodies:
            await stream.write(body)
            answer = asyncio.create_task(stream.read())
            await asyncio.wait([answer], timeout=PATIENCE if _waits(body) else None)
            if not answer.done():
                break
            answers.append(bytes(answer.result()))
        stream.cancel()
        return answers

    async def first(self, channel: grpc.aio.Channel, body: bytes, metadata: Metadata | None = None) -> bytes:
        """The answer to bytes, or the first of a stream; empty if the stream ends without any."""
        if not self.answers:
            calls: Any = channel
            answer: bytes = await calls.unary_unary(self.path)(body, metadata=metadata, timeout=SECONDS)
            return answer
        if self.asks:
            return (await self.converse(channel, [body], metadata))[0]
        stream = self.open(channel, [body], metadata, seconds=SECONDS)
        found = await stream.read()
        stream.cancel()
        return b"" if found is grpc.aio.EOF else bytes(found)


def _waits(body: bytes) -> bool:
    """Whether a request of a Play stream waits for the seat's turn."""
    try:
        return pb.PlayRequest.FromString(body).HasField("wait")
    except DecodeError:
        return False


METHODS: dict[str, Method] = {
    method.name: Method(
        method.name,
        GetMessageClass(method.input_type),
        GetMessageClass(method.output_type),
        method.client_streaming,
        method.server_streaming,
    )
    for method in SERVICE.methods
}


class Aim(NamedTuple):
    """What requests are about.

    Attributes:
        name: of a game.
        version: of that game.
        seat: the caller's, if it has one.
        legal: ids of legal actions to choose from.
        join_code: of the game.
        variant, family: of the game.
    """

    name: str
    version: int = 1
    seat: int | None = None
    legal: Sequence[int] = (0,)
    join_code: str = "AAAA-AAAA-AAAA"
    variant: str = "spring_meadow"
    family: str = "spring_meadow"


def _extras() -> dict[str, Any]:
    return {"include_view": True, "include_legal_actions": True}


def _submissions(aim: Aim) -> list[pb.SubmitActionRequest]:
    """What can be chosen, tried out and mistaken."""
    at: dict[str, Any] = {"name": aim.name, "expected_version": aim.version}
    ids = [*aim.legal[:6], *aim.legal[-2:]]
    tried = [pb.SubmitActionRequest(**at, **_extras(), action_id=action_id, validate_only=True) for action_id in ids]
    wrong = [pb.SubmitActionRequest(**at, action_id=action_id) for action_id in (2**32 - 1, 10**6)]
    stale = pb.SubmitActionRequest(name=aim.name, expected_version=aim.version + 7, action_id=aim.legal[0])
    batch = pb.SubmitActionRequest(**at, validate_only=True)
    batch.batch.choices.extend(
        game_pb2.ActionChoice(action_id=action_id) for action_id in (aim.legal[0], aim.legal[-1])
    )
    return [*tried, *wrong, stale, batch]


def _legal_lists(aim: Aim) -> list[Message]:
    formats = (pb.LEGAL_ACTION_FORMAT_FULL, pb.LEGAL_ACTION_FORMAT_IDS, pb.LEGAL_ACTION_FORMAT_MASK)
    return [
        *(pb.ListLegalActionsRequest(name=aim.name, format=form) for form in formats),
        pb.ListLegalActionsRequest(name=aim.name, page_size=1),
    ]


def _conversation(aim: Aim) -> list[Message]:
    """Submissions as requests of a stream; a wait is left out, as it may last."""
    return [pb.PlayRequest(submit=submission) for submission in _submissions(aim)]


Requests = Callable[[Aim], Sequence[Message]]
REQUESTS: dict[str, Requests] = {
    "GetServerInfo": lambda _: [pb.GetServerInfoRequest()],
    "ListVariants": lambda _: [pb.ListVariantsRequest(), pb.ListVariantsRequest(page_size=1)],
    "GetVariant": lambda aim: [pb.GetVariantRequest(variant=aim.variant)],
    "GetCatalogue": lambda aim: [pb.GetCatalogueRequest(family=FAMILIES[aim.family].number)],
    "CreateGame": lambda aim: [pb.CreateGameRequest(variant=aim.variant, seats=[pb.SeatSpec(), pb.SeatSpec()])],
    "StartGame": lambda aim: [pb.StartGameRequest(name=aim.name)],
    "AbortGame": lambda aim: [pb.AbortGameRequest(name=aim.name)],
    "GetGame": lambda aim: [pb.GetGameRequest(name=aim.name)],
    "ListGames": lambda aim: [pb.ListGamesRequest(), pb.ListGamesRequest(state=common_pb2.GAME_STATE_RUNNING)],
    "DeleteGame": lambda aim: [pb.DeleteGameRequest(name=aim.name, request_id=request_id())],
    "ReplaceHostToken": lambda aim: [pb.ReplaceHostTokenRequest(name=aim.name)],
    "ClaimSeat": lambda aim: [pb.ClaimSeatRequest(name=aim.name, join_code=aim.join_code)],
    "ReleaseSeat": lambda aim: [pb.ReleaseSeatRequest(name=aim.name)],
    "SetSeatBot": lambda aim: [pb.SetSeatBotRequest(name=aim.name, seat=aim.seat or 0, bot="random")],
    "ResignSeat": lambda aim: [pb.ResignSeatRequest(name=aim.name)],
    "GetGameView": lambda aim: [
        pb.GetGameViewRequest(name=aim.name),
        pb.GetGameViewRequest(name=aim.name, include_legal_actions=True),
        pb.GetGameViewRequest(name=aim.name, min_version=aim.version, wait_for_turn=Duration(nanos=1)),
    ],
    "ListLegalActions": _legal_lists,
    "SubmitAction": _submissions,
    "UndoAction": lambda aim: [
        pb.UndoActionRequest(name=aim.name, expected_version=aim.version, count=100),
    ],
    "Play": _conversation,
    "WatchGame": lambda aim: [
        pb.WatchGameRequest(name=aim.name, **_extras()),
        pb.WatchGameRequest(name=aim.name, after_version=max(aim.version - 1, 0), **_extras()),
    ],
    "ListEvents": lambda aim: [
        pb.ListEventsRequest(name=aim.name),
        pb.ListEventsRequest(name=aim.name, after_version=1, page_size=1),
    ],
    "GetScoreSheet": lambda aim: [pb.GetScoreSheetRequest(name=aim.name)],
    "GetReplay": lambda aim: [pb.GetReplayRequest(name=aim.name), pb.GetReplayRequest(name=aim.name, page_size=1)],
}
"""Requests that make sense for each call; the first is one that the right caller may make of a running game."""
CHANGING = frozenset(
    {
        "CreateGame",
        "StartGame",
        "AbortGame",
        "DeleteGame",
        "ReplaceHostToken",
        "ClaimSeat",
        "ReleaseSeat",
        "SetSeatBot",
        "ResignSeat",
    }
)
"""The calls whose requests here change something, if they are granted."""


def one_request(method: str, name: str) -> bytes:
    """A request that makes sense, but for who sends it."""
    return REQUESTS[method](Aim(name))[0].SerializeToString()
