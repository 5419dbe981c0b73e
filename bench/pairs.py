"""The service beside the floor: both are called in turns, a short stretch each, so that both meet the same machine.

Other programs slow a machine down from one moment to the next. Neighbouring stretches suffer alike, so what counts is
their ratio, and of many ratios the middle one.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import grpc
from meadow_api.v1.game_service_pb2_grpc import GameServiceStub

from bench.load import Call, Caller, Calls, Match, Stub, create, play, pretend, submits
from bench.processes import Served, floor_server, meadow_server
from bench.report import Report, Target
from bench.timing import median, percentile

ALONE, MANY = 1, 16
"""Calls in flight."""
MATCHES_ALONE = 3
MOVES_A_STRETCH = 8


@dataclass
class Pair:
    """One kind of call to the service, and the floor's.

    Attributes:
        name: what is called.
        flight: calls in flight, each for a match of its own.
        caller: how moves are sent.
        asked: what the submissions ask for.
    """

    name: str
    flight: int
    caller: Caller = submits
    asked: dict[str, bool] = field(default_factory=dict)
    floor: Calls = field(default_factory=Calls)
    service: Calls = field(default_factory=Calls)

    async def measure(self, floor: Side, service: Side, seed: int) -> None:
        """Play matches of seeds from a first one on both sides, in stretches by turns."""
        # one match has few moves: more of them then, one after the other
        for first in range(seed, seed + max(self.flight, MATCHES_ALONE), self.flight):
            seeds = range(first, first + self.flight)
            pretended = [pretend(seed) for seed in seeds]
            matches = [await create(service.stub, seed) for seed in seeds]
            async with self.caller(floor.stub) as floor_call, self.caller(service.stub) as call:
                while not all(match.over for match in matches):
                    await floor.play(floor_call, pretended, self.floor)
                    await service.play(call, matches, self.service, **self.asked)

    @property
    def rates(self) -> list[float]:
        """How much of the floor's rate is left, by stretch."""
        return [mine / floor for mine, floor in zip(self.service.rates, self.floor.rates, strict=True)]

    @property
    def latencies(self) -> list[float]:
        """How many times the floor's p50 it takes, by stretch."""
        return [mine / floor for mine, floor in zip(self.service.medians, self.floor.medians, strict=True)]

    def rate_target(self, wanted: float) -> Target:
        """How much of the floor's rate should be left."""
        return Target(f"{self.name} / floor, calls, {self.flight} in flight", median(self.rates), wanted, "times")

    def latency_target(self, wanted: float) -> Target:
        """How many times the floor's p50 it should take at most."""
        name = f"{self.name} / floor, p50, {self.flight} in flight"
        return Target(name, median(self.latencies), wanted, "times", at_most=True)

    def add_to(self, report: Report, section: str) -> None:
        """Note the figures."""
        for side, calls in (("floor", self.floor), ("service", self.service)):
            name = f"{self.name}, {self.flight} in flight, {side}"
            about = f"{calls.count} calls in {len(calls.rates)} stretches"
            report.add(section, f"{name}: calls", median(calls.rates), "/s", about)
            report.add(section, f"{name}: p50", calls.milliseconds(0.5), "ms")
            report.add(section, f"{name}: p99", calls.milliseconds(0.99), "ms")
            report.add(section, f"{name}: server's processor", calls.processor_microseconds, "us a call")
        name = f"{self.name} / floor, {self.flight} in flight"
        report.add(section, f"{name}: calls", median(self.rates), "times", _middle_half(self.rates))
        report.add(section, f"{name}: p50", median(self.latencies), "times", _middle_half(self.latencies))
        processor = self.service.processor_microseconds / self.floor.processor_microseconds
        report.add(section, f"{name}: server's processor", processor, "times")


@dataclass
class Side:
    """One of the two servers."""

    server: Served
    stub: Stub

    async def play(self, call: Call, matches: Sequence[Match], calls: Calls, **asked: bool) -> None:
        """Play a stretch of each match, and note what it took, processor time of the server included."""
        before = self.server.processor_seconds()
        await play(call, matches, MOVES_A_STRETCH, calls, **asked)
        calls.processor.append(self.server.processor_seconds() - before)


@contextlib.asynccontextmanager
async def both(folder: Path, journal: str | None = None) -> AsyncIterator[tuple[Side, Side]]:
    """The floor and the service, both running, and a channel to each."""
    async with (
        floor_server() as floor,
        meadow_server(folder, journal) as server,
        grpc.aio.insecure_channel(floor.address) as floor_channel,
        grpc.aio.insecure_channel(server.address) as channel,
    ):
        await asyncio.gather(floor_channel.channel_ready(), channel.channel_ready())
        yield Side(floor, GameServiceStub(floor_channel)), Side(server, GameServiceStub(channel))


def _middle_half(ratios: Sequence[float]) -> str:
    low, high = percentile(ratios, 0.25), percentile(ratios, 0.75)
    return f"half of {len(ratios)} stretches between {low:.3g} and {high:.3g}"
