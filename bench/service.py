"""The service against the floor: how much of what the transport can do is left when games are played on it."""

from __future__ import annotations

import asyncio
import contextlib
import tempfile
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Any

import grpc
import uvloop
from meadow_api.v1 import game_service_pb2 as pb
from meadow_api.v1.game_service_pb2_grpc import GameServiceStub

from bench.load import Calls, Play, Stub, create, play, pretend
from bench.processes import Served, floor_server, meadow_server, seconds_to_serving
from bench.report import Report, Target
from bench.timing import median, percentile

SECTION = "service"
ALONE, MANY = 1, 16
"""Calls in flight."""
GAMES_ALONE = 3
"""Games one after the other when one call is in flight."""
WATCHERS = 16
STARTS = 3
KINDS: dict[str, dict[str, bool]] = {
    "bare": {},
    "with view": {"view": True},
    "with view and legal list": {"view": True, "legal": True},
}


@dataclass
class Pair:
    """A kind of call and the floor, measured right before it in every round: the load of the machine drifts."""

    floor: Calls = field(default_factory=Calls)
    service: Calls = field(default_factory=Calls)

    @property
    def rate(self) -> float:
        """How much of the floor's rate is left: the middle one of the rounds."""
        return median([mine / floor for mine, floor in zip(self.service.rates, self.floor.rates, strict=True)])

    @property
    def latency(self) -> float:
        """How many times the floor's p50 it takes: the middle one of the rounds."""
        return median([mine / floor for mine, floor in zip(self.service.medians, self.floor.medians, strict=True)])


def measure(report: Report, rounds: int, folder: Path | None) -> None:
    """Start the servers, call them in turns, and note figures and targets."""
    with tempfile.TemporaryDirectory(dir=folder) as journal:
        uvloop.run(_measure(report, rounds, Path(journal)))


async def _measure(report: Report, rounds: int, folder: Path) -> None:
    pairs = {(kind, flight): Pair() for flight in (ALONE, MANY) for kind in KINDS}
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
            for (kind, flight), pair in pairs.items():
                seeds = [report.seed + MANY * number + game for game in range(GAMES_ALONE if flight == ALONE else MANY)]
                games = [await create(stub, seed) for seed in seeds]
                with processor_time(floor, pair.floor):
                    await play(floor_stub, [pretend(seed) for seed in seeds], flight, pair.floor)
                with processor_time(server, pair.service):
                    await play(stub, games, flight, pair.service, **KINDS[kind])
            await delivery.measure(stub, await create(stub, report.seed + number))
    _figures(report, pairs)
    delivery.add_to(report)
    starts = [await seconds_to_serving(subfolder(folder, f"start {number}")) for number in range(STARTS)]
    report.add(SECTION, "start to first answer", median(starts), "s", f"the middle of {STARTS}")
    report.targets.append(Target("start to first answer", median(starts), 1.5, "s", at_most=True))


def subfolder(folder: Path, name: str) -> Path:
    """A new folder in a folder, for a journal of its own."""
    (new := folder / name).mkdir()
    return new


@contextlib.contextmanager
def processor_time(server: Served, calls: Calls) -> Iterator[None]:
    """Note the processor time that a server uses meanwhile. It depends little on what else the machine does."""
    before = server.processor_seconds()
    yield
    calls.processor.append(server.processor_seconds() - before)


def _figures(report: Report, pairs: dict[tuple[str, int], Pair]) -> None:
    for flight in (ALONE, MANY):
        floor = Calls()
        for kind in KINDS:
            floor.latencies += pairs[kind, flight].floor.latencies
            floor.rates += pairs[kind, flight].floor.rates
            floor.processor += pairs[kind, flight].floor.processor
        kinds = {"floor": floor} | {f"submit {kind}": pairs[kind, flight].service for kind in KINDS}
        for kind, calls in kinds.items():
            name, about = f"{kind}, {flight} in flight", f"{calls.count} calls in {len(calls.rates)} rounds"
            report.add(SECTION, f"{name}: calls", median(calls.rates), "/s", about)
            report.add(SECTION, f"{name}: p50", calls.milliseconds(0.5), "ms")
            report.add(SECTION, f"{name}: p99", calls.milliseconds(0.99), "ms")
            if calls.processor_microseconds:
                report.add(SECTION, f"{name}: server's processor", calls.processor_microseconds, "us a call")
    bare, full = pairs["bare", MANY], pairs["with view and legal list", MANY]
    report.targets += [
        Target(f"bare / floor, calls, {MANY} in flight", bare.rate, 0.5, "times"),
        Target(f"bare / floor, p50, {MANY} in flight", bare.latency, 2, "times", at_most=True),
        Target(f"bare / floor, p50, {ALONE} in flight", pairs["bare", ALONE].latency, 2, "times", at_most=True),
        Target(f"view and legal list / floor, calls, {MANY} in flight", full.rate, 0.3, "times"),
    ]


class Delivery:
    """How long an action takes from its submission to all who watch the game."""

    def __init__(self) -> None:
        self.latencies: list[float] = []
        self.messages: list[float] = []

    async def measure(self, stub: Stub, game: Play) -> None:
        """Play a game before some watchers."""
        submitted: dict[int, float] = {}
        watches = [stub.WatchGame(pb.WatchGameRequest(name=game.name)) for _ in range(WATCHERS)]
        ready = asyncio.Semaphore(0)
        followers = [asyncio.create_task(self._follow(watch, submitted, ready)) for watch in watches]
        for _ in followers:
            await ready.acquire()
        begin = perf_counter()
        for number, (seat, action_id) in enumerate(game.moves):
            submitted[game.version + number + 1] = perf_counter()
            request = pb.SubmitActionRequest(
                name=game.name, expected_version=game.version + number, action_id=action_id
            )
            await stub.SubmitAction(request, metadata=game.tokens[seat])
        await asyncio.gather(*followers)
        self.messages.append(WATCHERS * len(game.moves) / (perf_counter() - begin))

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
