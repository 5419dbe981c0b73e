"""Starting and ending a server."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import os
import signal
import sys
import time
from collections.abc import Coroutine
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import Any, TypeVar

# the bots' processes are started by fork and exec, and need nothing of gRPC in between; read when gRPC is imported
os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "0")
# its own log lines (of broken handshakes, say) are no JSON and nobody's fault
os.environ.setdefault("GRPC_VERBOSITY", "NONE")

import grpc
import structlog
from grpc_health.v1 import health_pb2  # type: ignore[import-untyped]
from grpc_health.v1._async import HealthServicer  # type: ignore[import-untyped]
from meadow_engine.api import ContentError

from meadow_server.addresses import Addresses
from meadow_server.app import App
from meadow_server.auth import Keyring
from meadow_server.bots import Bots, Thinkers
from meadow_server.changes import Changes
from meadow_server.clocks import Pauses
from meadow_server.config import Config
from meadow_server.duty import Duty, report_rules
from meadow_server.games import Games
from meadow_server.gate import Gate
from meadow_server.live import LiveGame
from meadow_server.logs import configure_logs
from meadow_server.metrics import Metrics
from meadow_server.operators import Operators
from meadow_server.packs import Shelf
from meadow_server.probes import Probes
from meadow_server.replicas import Replica
from meadow_server.retention import Retention
from meadow_server.rpc import Transport
from meadow_server.service import SERVICE
from meadow_server.serving import AddressInUse, bind, grpc_server, split_address
from meadow_server.store.base import JournalFormat, JournalInUse, Store, StoreUnavailable
from meadow_server.store.opening import open_journal
from meadow_server.timekeeper import Heartbeat, TimeKeeper
from meadow_server.tokens import Mint
from meadow_server.watched import BadFile
from meadow_server.workers import supervise

log = structlog.get_logger()
T = TypeVar("T")
STREAMS_END_SECONDS = 2.0
STUCK_SECONDS = 10.0
"""An event loop that has not run for so long is taken for stuck."""
GC_THRESHOLDS = (20_000, 20, 20)


REFUSALS = (JournalInUse, JournalFormat, AddressInUse, ContentError, BadFile)
"""Why a server does not start; each says so in a line."""


def serve(config: Config) -> int:
    """Serve until SIGTERM or SIGINT, then drain.

    Returns:
        The exit code: 0 after a drain, 1 when the server could not start; standard error says why.
    """
    configure_logs(config.log_format, config.log_level)
    try:
        return run(serve_forever(config) if config.workers == 1 else supervise(config))
    except REFUSALS as refusal:
        sys.stderr.write(f"meadow: {refusal}\n")
        return 1


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine on uvloop where there is one."""
    if sys.platform == "win32":
        return asyncio.run(work)
    import uvloop  # noqa: PLC0415 (not on every platform)

    return uvloop.run(work)


async def serve_forever(config: Config) -> int:
    """Serve on the running loop until a signal comes; answers the exit code."""
    stop = told_to_stop()
    server = await start(config)
    told = {"metrics": server.probes.address} if server.probes else {}
    log.info("serving", address=server.address, journal=str(config.journal), **told)
    spare_the_collector()
    await stop.wait()
    await server.drain()
    return 0


def told_to_stop() -> asyncio.Event:
    """What a signal to end sets; asked before the server starts, so that one that comes meanwhile ends it well too."""
    loop, stop = asyncio.get_running_loop(), asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    return stop


def spare_the_collector() -> None:
    """Look for garbage in cycles seldom, and never among what was there at the start: calls leave hardly any."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*GC_THRESHOLDS)


@dataclass(slots=True)
class Server:
    """A running server.

    Attributes:
        app: its parts.
        address: where it serves, with the true port.
        probes: where it tells metrics and health; None if it does not.
    """

    app: App
    address: str
    probes: Probes | None
    _grpc: grpc.aio.Server
    _health: HealthServicer
    _bots: Bots
    _keeper: TimeKeeper
    _heartbeat: Heartbeat
    _background: list[asyncio.Task[None]]

    async def drain(self) -> None:
        """End well: say so to health checks and watchers, finish the calls in flight, let go of the journal."""
        began, limit = time.monotonic(), self.app.limits.drain_seconds
        log.info("draining")
        await self._health.enter_graceful_shutdown()
        self.app.draining.set()
        self.app.metrics.drains()
        for live in self.app.games.all():
            live.announce()
        for stream in list(self.app.listening):
            stream.cancel()
        for task in self._background:
            task.cancel()
        await self._bots.close()
        await self._keeper.close()
        await self._streams_end(min(STREAMS_END_SECONDS, limit))
        # a client that does not read, or does not end its request, keeps its call for as long as it may
        await self._grpc.stop(max(0.0, began + limit - time.monotonic()))
        await self.app.changes.settle()
        with contextlib.suppress(StoreUnavailable):
            await self._heartbeat.beat()
        await self.app.store.close()
        if self.probes:
            await asyncio.to_thread(self.probes.close)
        log.info("drained", seconds=round(time.monotonic() - began, 3))

    async def _streams_end(self, seconds: float) -> None:
        """Wait until the watchers have been told and are gone, or the time is over: a client may not read."""
        streams = [stream for stream in self.app.streams if stream is not None]
        if streams:
            await asyncio.wait(streams, timeout=seconds)


async def start(config: Config) -> Server:
    """Start a server on the running loop.

    Raises:
        JournalInUse, JournalFormat, AddressInUse, ContentError, BadFile: it cannot; nothing is left behind.
    """
    async with AsyncExitStack() as undo:
        operators = Operators(config.operator_key_file)
        store = await open_journal(config)
        undo.push_async_callback(store.close)
        await report_rules(store)
        app = await _app(config, store, operators)
        thinkers = Thinkers(config.bot_processes)
        bots = Bots(app.changes, thinkers)
        heartbeat = Heartbeat(store, app.games, app.pauses)
        await heartbeat.beat(starting=True)
        keeper = TimeKeeper(app.changes, app.games, heartbeat)
        replica = _replica(app) if store.shared else None

        def changed(live: LiveGame) -> None:
            bots.wake(live)
            keeper.wake(live)
            if replica is not None:
                replica.changed(live)

        app.changes.on_change = changed
        duty = Duty(store, app.games, on_due=[bots.wake, keeper.wake])
        gate = Gate(Addresses(config.trusted_proxies, config.forwarded_header), config.limits)
        transport = Transport(Keyring(app.mint, operators), gate, app.metrics, config.limits, app.draining)
        server, health = grpc_server(app, transport)
        address = bind(server, config)
        probes = _probes(app)
        if probes:
            undo.callback(probes.close)
        await server.start()
        undo.pop_all()
    for service in ("", SERVICE):
        await health.set(service, health_pb2.HealthCheckResponse.SERVING)
    works = [
        app.games.sweep_forever(),
        transport.watch_deadlines(),
        duty.sweep_forever(),
        heartbeat.beat_forever(),
        app.metrics.watch(app.games, thinkers),
        app.metrics.count(store),
        Retention(store, app.games, app.changes, config).sweep_forever(),
    ]
    if replica is not None:
        works.append(replica.run())
    background = [asyncio.create_task(work) for work in works]
    return Server(app, address, probes, server, health, bots, keeper, heartbeat, background)


async def _app(config: Config, store: Store, operators: Operators) -> App:
    metrics, mint, shelf = Metrics(), Mint(await store.server_key()), Shelf(config.packs, store)
    pauses = Pauses()
    games = Games(store, shelf, pauses, config.limits.idle_seconds)
    changes = Changes(store, games, metrics.appended)
    return App(config, store, mint, shelf, games, changes, operators, metrics, pauses)


def _replica(app: App) -> Replica:
    """What keeps this server and the others on its journal up to date with each other."""
    return Replica(app.store, app.games.watched, app.games.overtaken, app.config.journal_poll_ms / 1000)


def _probes(app: App) -> Probes | None:
    """The port for metrics and health, if there is to be one.

    Raises:
        AddressInUse: it cannot be had.
    """
    listen = app.config.metrics_listen
    if not listen:
        return None

    def alive() -> bool:
        return time.monotonic() - app.metrics.ticked < STUCK_SECONDS

    def ready() -> bool:
        return alive() and not app.draining.is_set()

    try:
        return Probes(*split_address(listen), app.metrics.registry, alive, ready)
    except OSError:
        raise AddressInUse(listen) from None
