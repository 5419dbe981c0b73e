"""The service against the floor: how much of what the transport can do is left when games are played on it."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path
from time import perf_counter
from typing import Any

import uvloop
from meadow_api.v1 import game_service_pb2 as pb

from bench.load import Match, Stub, converses, create
from bench.pairs import ALONE, MANY, Pair, both
from bench.processes import seconds_to_serving
from bench.report import Report, Target
from bench.timing import median, percentile

SECTION = "service"
WATCHERS = 50
LATE_MS = 50
"""Milliseconds in which 99 of 100 watchers should hear of an action."""
STARTS = 3
BARE, FULL, STREAM = "submit", "submit with view and legal list", "submit over a Play stream"


def measure(report: Report, rounds: int, folder: Path | None) -> None:
    """Start the servers, call them in turns, and note figures and targets."""
    with tempfile.TemporaryDirectory(dir=folder) as journal:
        uvloop.run(_measure(report, rounds, Path(journal)))


def _pairs() -> dict[tuple[str, int], Pair]:
    pairs = [
        pair
        # many first: after that the journal's log is as long as it gets, and a commit as fast as on any other day
        for flight in (MANY, ALONE)
        for pair in (
            Pair(BARE, flight),
            Pair("submit with view", flight, asked={"view": True}),
            Pair(FULL, flight, asked={"view": True, "legal": True}),
            Pair(STREAM, flight, caller=converses),
        )
    ]
    return {(pair.name, pair.flight): pair for pair in pairs}


async def _measure(report: Report, rounds: int, folder: Path) -> None:
    pairs, delivery = _pairs(), Delivery()
    async with both(subfolder(folder, "load")) as (floor, service):
        for number in range(rounds):
            seed = report.seed + MANY * number
            for pair in pairs.values():
                await pair.measure(floor, service, seed)
            await delivery.measure(service.stub, await create(service.stub, seed))
    for pair in pairs.values():
        pair.add_to(report, SECTION)
    delivery.add_to(report)
    starts = [await seconds_to_serving(subfolder(folder, f"start {number}")) for number in range(STARTS)]
    report.add(SECTION, "start to first answer", median(starts), "s", f"the middle of {STARTS}")
    report.targets += [
        pairs[BARE, MANY].rate_target(0.55),
        pairs[FULL, MANY].rate_target(0.35),
        pairs[STREAM, MANY].rate_target(0.6),
        pairs[BARE, ALONE].latency_target(1.8),
        pairs[BARE, MANY].latency_target(1.8),
        Target(f"p99 to {WATCHERS} watchers", 1000 * percentile(delivery.latencies, 0.99), LATE_MS, "ms", at_most=True),
        Target("start to first answer", median(starts), 1.5, "s", at_most=True),
    ]


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
