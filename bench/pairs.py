"""The service beside the floor: both are called in turns, a short stretch each, so that both meet the same machine.

Other programs slow a machine down from one moment to the next. Neighbouring stretches suffer alike, so what counts is
their ratio, and of many ratios the middle one.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from bench.load import Call, Calls, Match, play
from bench.processes import Served
from bench.report import Report
from bench.timing import median, percentile

MOVES_A_STRETCH = 8


@dataclass
class Pair:
    """One kind of call to the service, and the floor's.

    Attributes:
        name: what is called.
        flight: calls in flight.
        asked: what the submissions ask for.
    """

    name: str
    flight: int
    asked: dict[str, bool] = field(default_factory=dict)
    floor: Calls = field(default_factory=Calls)
    service: Calls = field(default_factory=Calls)

    async def measure(self, floor: Side, service: Side) -> None:
        """Play matches on both sides to their end, in stretches by turns."""
        while not all(match.over for match in floor.matches):
            await floor.play(MOVES_A_STRETCH, self.floor)
            await service.play(MOVES_A_STRETCH, self.service, **self.asked)

    @property
    def rates(self) -> list[float]:
        """How much of the floor's rate is left, by stretch."""
        return [mine / floor for mine, floor in zip(self.service.rates, self.floor.rates, strict=True)]

    @property
    def latencies(self) -> list[float]:
        """How many times the floor's p50 it takes, by stretch."""
        return [mine / floor for mine, floor in zip(self.service.medians, self.floor.medians, strict=True)]

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
    """One of the two servers, with the matches that are played on it.

    Attributes:
        server: its process.
        call: how a move is sent to it.
        matches: as many as calls are in flight.
    """

    server: Served
    call: Call
    matches: Sequence[Match]

    async def play(self, moves: int, calls: Calls, **asked: bool) -> None:
        """Make so many moves of each match, and note what they took."""
        with processor_time(self.server, calls):
            await play(self.call, self.matches, moves, calls, **asked)


@contextlib.contextmanager
def processor_time(server: Served, calls: Calls) -> Iterator[None]:
    """Note the processor time that a server uses meanwhile. It depends little on what else the machine does."""
    before = server.processor_seconds()
    yield
    calls.processor.append(server.processor_seconds() - before)


def _middle_half(ratios: Sequence[float]) -> str:
    low, high = percentile(ratios, 0.25), percentile(ratios, 0.75)
    return f"half of {len(ratios)} stretches between {low:.3g} and {high:.3g}"
