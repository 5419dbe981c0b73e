"""The service against the floor: how much of what the transport can do is left when games are played on it."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path
from time import perf_counter
from typing import Any

import grpc
import uvloop
from meadow_api.v1 import game_service_pb2 as pb
from meadow_api.v1.game_service_pb2_grpc import GameServiceStub

from bench.load import Call, Match, Stub, create, pretend
from bench.pairs import Pair, Side
from bench.processes import floor_server, meadow_server, seconds_to_serving
from bench.report import Report, Target
from bench.timing import median, percentile

SECTION = "service"
ALONE, MANY = 1, 16
"""Calls in flight."""
WATCHERS = 16
STARTS = 3
BARE, FULL = "submit", "submit with view and legal list"
KINDS: dict[str, dict[str, bool]] = {
    BARE: {},
    "submit with view": {"view": True},
    FULL: {"view": True, "legal": True},
}


def measure(report: Report, rounds: int, folder: Path | None) -> None:
    """Start the servers, call them in turns, and note figures and targets."""
    with tempfile.TemporaryDirectory(dir=folder) as journal:
        uvloop.run(_measure(report, rounds, Path(journal)))


async def _measure(report: Report, rounds: int, folder: Path) -> None:
    pairs = {(kind, flight): Pair(kind, flight, asked) for flight in (ALONE, MANY) for kind, asked in KINDS.items()}
    delivery = Delivery()
    async with (
        floor_server() as floor,
        meadow_server(subfolder(folder, "load")) as server,
        grpc.aio.insecure_channel(floor.address) as floor_channel,
        grpc.aio.insecure_channel(server.address) as channel,
    ):
        await asyncio.gather(floor_channel.channel_ready(), channel.channel_ready())
        floor_stub, stub = GameServiceStub(floor_channel), GameServiceStub(channel)
        for number in range(rounds):
            first = report.seed + MANY * number
            for (_, flight), pair in pairs.items():
                # one match has few moves: more of them, one after the other
                for seeds in [[first], [first + 1], [first + 2]] if flight == ALONE else [range(first, first + MANY)]:
                    await pair.measure(
                        Side(floor, submits(floor_stub), [pretend(seed) for seed in seeds]),
                        Side(server, submits(stub), [await create(stub, seed) for seed in seeds]),
                    )
            await delivery.measure(stub, await create(stub, report.seed + number))
    for pair in pairs.values():
        pair.add_to(report, SECTION)
    delivery.add_to(report)
    starts = [await seconds_to_serving(subfolder(folder, f"start {number}")) for number in range(STARTS)]
    report.add(SECTION, "start to first answer", median(starts), "s", f"the middle of {STARTS}")
    report.targets += [
        Target(f"{BARE} / floor, calls, {MANY} in flight", median(pairs[BARE, MANY].rates), 0.55, "times"),
        Target(f"{FULL} / floor, calls, {MANY} in flight", median(pairs[FULL, MANY].rates), 0.35, "times"),
        *(
            Target(
                f"{BARE} / floor, p50, {flight} in flight", median(pairs[BARE, flight].latencies), 1.8, "times", True
            )
            for flight in (ALONE, MANY)
        ),
        Target("start to first answer", median(starts), 1.5, "s", at_most=True),
    ]


def submits(stub: Stub) -> Call:
    """Sends moves by SubmitAction."""

    async def call(match: Match, request: pb.SubmitActionRequest) -> None:
        await stub.SubmitAction(request, metadata=match.tokens[match.seat])

    return call


def subfolder(folder: Path, name: str) -> Path:
    """A new folder in a folder, for a journal of its own."""
    (new := folder / name).mkdir()
    return new


class Delivery:
    """How long an action takes from its submission to all who watch the match."""

    def __init__(self) -> None:
        self.latencies: list[float] = []
        self.messages: list[float] = []

    async def measure(self, stub: Stub, match: Match) -> None:
        """Play a match before some watchers."""
        submitted: dict[int, float] = {}
        watches = [stub.WatchGame(pb.WatchGameRequest(name=match.name)) for _ in range(WATCHERS)]
        ready = asyncio.Semaphore(0)
        followers = [asyncio.create_task(self._follow(watch, submitted, ready)) for watch in watches]
        for _ in followers:
            await ready.acquire()
        begin = perf_counter()
        for number, (seat, action_id) in enumerate(match.moves):
            submitted[match.start + number + 1] = perf_counter()
            request = pb.SubmitActionRequest(
                name=match.name, expected_version=match.start + number, action_id=action_id
            )
            await stub.SubmitAction(request, metadata=match.tokens[seat])
        await asyncio.gather(*followers)
        self.messages.append(WATCHERS * len(match.moves) / (perf_counter() - begin))

    async def _follow(self, watch: AsyncIterator[Any], submitted: dict[int, float], ready: asyncio.Semaphore) -> None:
        waiting = True
        async for message in watch:
            if waiting:
                ready.release()
                waiting = False
            if message.WhichOneof("message") == "update":
                self.latencies.append(perf_counter() - submitted[message.update.record.version])

    def add_to(self, report: Report) -> None:
        """Note the figures."""
        about = f"{WATCHERS} watchers of one game, {len(self.latencies)} messages"
        report.add(SECTION, "watch: messages", median(self.messages), "/s", about)
        for share in (0.5, 0.99):
            name = f"watch: p{share * 100:.0f} from submission to watcher"
            report.add(SECTION, name, 1000 * percentile(self.latencies, share), "ms")
