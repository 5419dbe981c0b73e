"""The client that both servers are measured with: whole games, their actions known beforehand, one call an action."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from time import perf_counter
from typing import Any
from uuid import uuid4

from meadow_api.v1 import common_pb2
from meadow_api.v1 import game_service_pb2 as pb
from meadow_engine import api

from bench.timing import median, percentile

VARIANT, SEATS = "spring_meadow", 4
RESERVED = pb.SeatSpec(kind=common_pb2.SEAT_KIND_RESERVED)
Metadata = tuple[tuple[str, str], ...]
Stub = Any
"""A GameServiceStub on an asyncio channel."""


@dataclass
class Play:
    """A game to be played through calls.

    Attributes:
        name: its resource name.
        version: the one it begins at.
        tokens: each seat's metadata.
        moves: seat and action id, to the end of the game.
    """

    name: str
    version: int
    tokens: list[Metadata]
    moves: list[tuple[int, int]]


def moves_of(seed: int) -> list[tuple[int, int]]:
    """A whole random game of a seed, played in this process."""
    game, random, moves = api.new_game(VARIANT, seats=SEATS, seed=seed), Random(seed), []
    while (decision := game.decision) is not None:
        moves.append((decision.seat, random.choice(game.legal_ids())))
        game.apply(moves[-1][1])
    return moves


async def create(stub: Stub, seed: int) -> Play:
    """A game on the server with this seed, ready for its first action."""
    request = pb.CreateGameRequest(
        variant=VARIANT, request_id=str(uuid4()), seats=[RESERVED] * SEATS, seed=seed.to_bytes(32, "big")
    )
    created = await stub.CreateGame(request)
    tokens: list[Metadata] = [(("authorization", f"Bearer {seat.token}"),) for seat in created.seat_tokens]
    return Play(created.game.name, created.game.version, tokens, moves_of(seed))


def pretend(seed: int) -> Play:
    """The same game for the floor, which knows no games: names and tokens as long as the true ones."""
    tokens: list[Metadata] = [(("authorization", f"Bearer {'x' * 43}"),)] * SEATS
    return Play("games/" + "0" * 26, 3, tokens, moves_of(seed))


@dataclass
class Calls:
    """What rounds of calls took.

    Attributes:
        latencies: seconds of each call, by round.
        rates: calls per second, by round.
        processor: seconds of processor time the server used, by round.
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
        """The latency in the middle, by round."""
        return [median(latencies) for latencies in self.latencies]

    @property
    def processor_microseconds(self) -> float:
        """Processor time of the server for one call, all rounds together."""
        return sum(self.processor) / self.count * 1e6

    def milliseconds(self, share: float) -> float:
        """The latency below which this share of all calls stayed."""
        return 1000 * percentile([latency for latencies in self.latencies for latency in latencies], share)


async def play(stub: Stub, games: Sequence[Play], flight: int, calls: Calls, **asked: bool) -> None:
    """Play games, so many side by side, each with one call in flight, and note what the calls took."""
    latencies: list[float] = []
    begin = perf_counter()
    for start in range(0, len(games), flight):
        side_by_side = games[start : start + flight]
        await asyncio.gather(*(_play_one(stub, game, latencies, asked) for game in side_by_side))
    calls.rates.append(len(latencies) / (perf_counter() - begin))
    calls.latencies.append(latencies)


async def _play_one(stub: Stub, game: Play, latencies: list[float], asked: dict[str, bool]) -> None:
    for number, (seat, action_id) in enumerate(game.moves):
        request = pb.SubmitActionRequest(
            name=game.name,
            request_id=str(uuid4()),
            expected_version=game.version + number,
            action_id=action_id,
            include_view=asked.get("view", False),
            include_legal_actions=asked.get("legal", False),
        )
        begin = perf_counter()
        await stub.SubmitAction(request, metadata=game.tokens[seat])
        latencies.append(perf_counter() - begin)
