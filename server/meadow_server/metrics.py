"""What the server measures of itself, for Prometheus. Labels name methods and states, never games, people or places."""

from __future__ import annotations

import asyncio
import contextlib
import time
from functools import cache

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector

from meadow_server.bots import Thinkers
from meadow_server.games import Games
from meadow_server.store.base import Store, StoreUnavailable

TICK_SECONDS = 0.25
"""How often the event loop is looked at."""
COUNT_SECONDS = 15.0
"""How often the journal's games are counted."""
_FAST = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
UNENDED = ("OPEN", "RUNNING")


class Metrics:
    """The instruments. With the environment variable PROMETHEUS_MULTIPROC_DIR they add up over processes.

    Attributes:
        registry: what they are read from, in this process.
        ticked: when the event loop was last seen to run, as `time.monotonic`.
    """

    def __init__(self) -> None:
        self.registry = registry = CollectorRegistry()
        self.ticked = time.monotonic()
        ProcessCollector(registry=registry)
        self._calls = Counter("meadow_calls", "Calls answered", ["method", "code"], registry=registry)
        self._seconds = Histogram(
            "meadow_call_seconds", "Time from a unary call to its answer", ["method"], buckets=_FAST, registry=registry
        )
        self._requests = Counter("meadow_stream_requests", "Requests on open streams", ["method"], registry=registry)
        # each instrument for its labels: to look it up takes longer than to use it
        self._calls_of, self._seconds_of = cache(self._calls.labels), cache(self._seconds.labels)
        self._requests_of = cache(self._requests.labels)
        self._append_seconds = Histogram(
            "meadow_append_seconds", "Time until the journal has kept a change", buckets=_FAST, registry=registry
        )
        self._lag_seconds = Histogram(
            "meadow_event_loop_lag_seconds",
            "How late the event loop gets to its work",
            buckets=_FAST,
            registry=registry,
        )
        self._games = Gauge(
            "meadow_games", "Games in the journal", ["state"], multiprocess_mode="mostrecent", registry=registry
        )
        self._in_memory = self._sum("meadow_games_in_memory", "Games in memory")
        self._watchers = self._sum("meadow_watchers", "Open streams")
        self._thinking = self._sum("meadow_bots_thinking", "Bots that are thinking, or wait for a process to think in")
        self._draining = self._sum("meadow_draining", "Processes that are ending")

    def _sum(self, name: str, about: str) -> Gauge:
        """A gauge that adds up over processes."""
        return Gauge(name, about, multiprocess_mode="livesum", registry=self.registry)

    def answered(self, method: str, code: str, seconds: float | None = None) -> None:
        """A call has ended with a status; for a unary call, so long after it came."""
        self._calls_of(method, code).inc()
        if seconds is not None:
            self._seconds_of(method).observe(seconds)

    def heard(self, method: str) -> None:
        """A request has come on an open stream."""
        self._requests_of(method).inc()

    def appended(self, seconds: float) -> None:
        """The journal has kept a change, so long after it was given to it."""
        self._append_seconds.observe(seconds)

    def drains(self) -> None:
        """The server is ending."""
        self._draining.set(1)

    async def watch(self, games: Games, thinkers: Thinkers) -> None:
        """Look at the server for ever. It waits for nothing else, as whoever asks takes it for stuck when this is."""
        while True:
            before = time.monotonic()
            await asyncio.sleep(TICK_SECONDS)
            self.ticked = time.monotonic()
            self._lag_seconds.observe(max(0.0, self.ticked - before - TICK_SECONDS))
            live = games.all()
            self._in_memory.set(len(live))
            self._watchers.set(sum(game.watching.total() for game in live))
            self._thinking.set(thinkers.asked)

    async def count(self, store: Store) -> None:
        """Count the journal's games for ever, as often as it can be asked."""
        while True:
            with contextlib.suppress(StoreUnavailable):
                numbers = await store.count(UNENDED)
                for state in UNENDED:
                    self._games.labels(state.lower()).set(numbers.get(state, 0))
            await asyncio.sleep(COUNT_SECONDS)
