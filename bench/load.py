"""The client that both servers are measured with: whole games, their actions known beforehand, one call an action."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from random import Random
from secrets import token_hex, token_urlsafe
from time import perf_counter
from typing import Any
from uuid import uuid4

from meadow_api.v1 import common_pb2
from meadow_api.v1 import game_service_pb2 as pb
from meadow_engine import api

from bench.timing import median, percentile

VARIANT, SEATS = "spring_meadow", 4
RESERVED = pb.SeatSpec(kind=common_pb2.SEAT_KIND_RESERVED)
GAME_ID_BYTES, TOKEN_BYTES = 16, 45
Metadata = tuple[tuple[str, str], ...]
Stub = Any
"""A GameServiceStub on an asyncio channel."""


@dataclass
class Match:
    """A game that is being played through calls.

    Attributes:
        name: its resource name.
        start: the version it begins at.
        tokens: each seat's metadata.
        moves: seat and action id, to the end of the game.
        made: how many of the moves have been made.
    """

    name: str
    start: int
    tokens: list[Metadata]
    moves: list[tuple[int, int]]
    made: int = 0

    @property
    def over(self) -> bool:
        """Whether all moves have been made."""
        return self.made == len(self.moves)

    @property
    def seat(self) -> int:
        """Who makes the next move."""
        return self.moves[self.made][0]

    def request(self, *, view: bool = False, legal: bool = False) -> pb.SubmitActionRequest:
        """What submits the next move."""
        return pb.SubmitActionRequest(
            name=self.name,
            request_id=str(uuid4()),
            expected_version=self.start + self.made,
            action_id=self.moves[self.made][1],
            include_view=view,
            include_legal_actions=legal,
        )


Call = Callable[[Match, pb.SubmitActionRequest], Awaitable[None]]
"""Sends a match's next move and waits for the answer."""
Caller = Callable[[Stub], AbstractAsyncContextManager[Call]]
"""A way of sending moves."""


@asynccontextmanager
async def submits(stub: Stub) -> AsyncIterator[Call]:
    """Each move is a SubmitAction."""

    async def call(match: Match, request: pb.SubmitActionRequest) -> None:
        await stub.SubmitAction(request, metadata=match.tokens[match.seat])

    yield call


@asynccontextmanager
async def converses(stub: Stub) -> AsyncIterator[Call]:
    """Each seat has a Play stream open and sends its moves over it."""
    streams: dict[Metadata, Any] = {}

    async def call(match: Match, request: pb.SubmitActionRequest) -> None:
        token = match.tokens[match.seat]
        if token not in streams:
            streams[token] = stub.Play(metadata=token)
        await streams[token].write(pb.PlayRequest(submit=request))
        answer = await streams[token].read()
        assert answer.HasField("submitted"), answer

    yield call
    for stream in streams.values():
        stream.cancel()


def moves_of(seed: int) -> list[tuple[int, int]]:
    """A whole random game of a seed, played in this process."""
    game, random, moves = api.new_game(VARIANT, seats=SEATS, seed=seed), Random(seed), []
    while (decision := game.decision) is not None:
        moves.append((decision.seat, random.choice(game.legal_ids())))
        game.apply(moves[-1][1])
    return moves


async def create(stub: Stub, seed: int) -> Match:
    """A game on the server with this seed, ready for its first action."""
    request = pb.CreateGameRequest(
        variant=VARIANT, request_id=str(uuid4()), seats=[RESERVED] * SEATS, seed=seed.to_bytes(32, "big")
    )
    created = await stub.CreateGame(request)
    tokens = [_bearer(seat.token) for seat in created.seat_tokens]
    return Match(created.game.name, created.game.version, tokens, moves_of(seed))


def pretend(seed: int) -> Match:
    """The same game for the floor, which knows no games: its requests have as many bytes, and as many tokens differ."""
    tokens = [_bearer(token_urlsafe(TOKEN_BYTES)) for _ in range(SEATS)]
    return Match("games/" + token_hex(GAME_ID_BYTES), 1, tokens, moves_of(seed))


def _bearer(token: str) -> Metadata:
    return (("authorization", f"Bearer {token}"),)


@dataclass
class Calls:
    """What calls took, one stretch of them after the other.

    Attributes:
        latencies: seconds of each call, by stretch.
        rates: calls per second, by stretch.
        processor: seconds of processor time the server used, by stretch.
    """

    latencies: list[list[float]] = field(default_factory=list)
    rates: list[float] = field(default_factory=list)
    processor: list[float] = field(default_factory=list)

    @property
    def count(self) -> int:
        """How many calls there were."""
        return sum(map(len, self.latencies))

    @property
    def medians(self) -> list[float]:
        """The latency in the middle, by stretch."""
        return [median(latencies) for latencies in self.latencies]

    @property
    def processor_microseconds(self) -> float:
        """Processor time of the server for one call, all stretches together."""
        return sum(self.processor) / self.count * 1e6

    def milliseconds(self, share: float) -> float:
        """The latency below which this share of all calls stayed."""
        return 1000 * percentile([latency for latencies in self.latencies for latency in latencies], share)


async def play(call: Call, matches: Sequence[Match], moves: int, calls: Calls, **asked: bool) -> None:
    """Make so many moves of each match, the matches side by side with one call in flight each; note what it took."""
    latencies: list[float] = []
    begin = perf_counter()
    await asyncio.gather(*(_play_one(call, match, moves, latencies, asked) for match in matches))
    calls.rates.append(len(latencies) / (perf_counter() - begin))
    calls.latencies.append(latencies)


async def _play_one(call: Call, match: Match, moves: int, latencies: list[float], asked: dict[str, bool]) -> None:
    for _ in range(min(moves, len(match.moves) - match.made)):
        request = match.request(**asked)
        begin = perf_counter()
        await call(match, request)
        latencies.append(perf_counter() - begin)
        match.made += 1
