"""Starting and ending a server."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import socket
import sys
import time
from collections.abc import Coroutine
from dataclasses import dataclass
from typing import Any

# the bots' processes are started by fork and exec, and need nothing of gRPC in between; read when gRPC is imported
os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "0")

import grpc
import structlog
from grpc_health.v1 import health_pb2, health_pb2_grpc  # type: ignore[import-untyped]
from grpc_health.v1._async import HealthServicer  # type: ignore[import-untyped]
from meadow_engine.api import ContentError

from meadow_server.app import App
from meadow_server.bots import Bots, Thinkers
from meadow_server.changes import Changes
from meadow_server.config import Config
from meadow_server.duty import Duty, report_rules
from meadow_server.games import Games
from meadow_server.live import LiveGame
from meadow_server.logs import configure_logs
from meadow_server.packs import Shelf
from meadow_server.replicas import Replica
from meadow_server.rpc import SafeService, Transport
from meadow_server.service import SERVICE, handlers
from meadow_server.store.base import JournalFormat, JournalInUse
from meadow_server.store.opening import open_journal
from meadow_server.tokens import Mint

log = structlog.get_logger()
HARD_LIMIT_FACTOR = 4
"""Requests this many times larger than the limit are refused by gRPC itself; smaller ones are refused by name."""
STREAMS_END_SECONDS = 2.0
GC_THRESHOLDS = (20_000, 20, 20)


class AddressInUse(Exception):
    """The address to serve on cannot be had; the message names it."""


def serve(config: Config) -> int:
    """Serve until SIGTERM or SIGINT, then drain.

    Returns:
        The exit code: 0 after a drain, 1 when the server could not start; standard error says why.
    """
    configure_logs(config.log_format, config.log_level)
    try:
        run(serve_forever(config))
    except (JournalInUse, JournalFormat, AddressInUse, ContentError) as refusal:
        sys.stderr.write(f"meadow: {refusal}\n")
        return 1
    return 0


def run(work: Coroutine[Any, Any, None]) -> None:
    """Run a coroutine on uvloop where there is one."""
    if sys.platform == "win32":
        asyncio.run(work)
    else:
        import uvloop  # noqa: PLC0415 (not on every platform)

        uvloop.run(work)


async def serve_forever(config: Config) -> None:
    """Serve on the running loop until a signal comes; one that comes while the server starts ends it well too."""
    loop, stop = asyncio.get_running_loop(), asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    server = await start(config)
    _spare_the_collector()
    await stop.wait()
    await server.drain()


def _spare_the_collector() -> None:
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
    """

    app: App
    address: str
    _grpc: grpc.aio.Server
    _health: HealthServicer
    _bots: Bots
    _background: list[asyncio.Task[None]]

    async def drain(self) -> None:
        """End well: say so to health checks and watchers, finish the calls in flight, let go of the journal."""
        began, limit = time.monotonic(), self.app.limits.drain_seconds
        log.info("draining")
        await self._health.enter_graceful_shutdown()
        self.app.draining.set()
        for live in self.app.games.all():
            live.announce()
        for stream in list(self.app.listening):
            stream.cancel()
        for task in self._background:
            task.cancel()
        await self._bots.close()
        await self._streams_end(min(STREAMS_END_SECONDS, limit))
        await self._grpc.stop(limit)
        await self.app.changes.settle()
        await self.app.store.close()
        log.info("drained", seconds=round(time.monotonic() - began, 3))

    async def _streams_end(self, seconds: float) -> None:
        """Wait until the watchers have been told and are gone, or the time is over: a client may not read."""
        streams = [stream for stream in self.app.streams if stream is not None]
        if streams:
            await asyncio.wait(streams, timeout=seconds)


async def start(config: Config) -> Server:
    """Start a server on the running loop.

    Raises:
        JournalInUse, JournalFormat, AddressInUse, ContentError: it cannot; nothing is left behind.
    """
    store = await open_journal(config)
    try:
        mint = Mint(await store.server_key())
        await report_rules(store)
        shelf = Shelf(config.packs, store)
        games = Games(store, shelf, config.limits.idle_seconds)
        changes = Changes(store, games)
        app = App(config, store, mint, shelf, games, changes)
        bots = Bots(changes, Thinkers(config.bot_processes))
        replica = (
            Replica(store, games.watched, games.overtaken, config.journal_poll_ms / 1000) if store.shared else None
        )

        def changed(live: LiveGame) -> None:
            bots.wake(live)
            if replica is not None:
                replica.changed(live)

        changes.on_change = changed
        duty = Duty(store, games, on_due=bots.wake)
        transport = Transport(mint, config.limits, app.draining)
        server, health = _grpc_server(app, transport)
        address = _bind(server, config.listen)
        await server.start()
    except BaseException:
        await store.close()
        raise
    for service in ("", SERVICE):
        await health.set(service, health_pb2.HealthCheckResponse.SERVING)
    works = [games.sweep_forever(), transport.watch_deadlines(), duty.sweep_forever()]
    if replica is not None:
        works.append(replica.run())
    background = [asyncio.create_task(work) for work in works]
    log.info("serving", address=address, journal=str(config.journal))
    return Server(app, address, server, health, bots, background)


def _grpc_server(app: App, transport: Transport) -> tuple[grpc.aio.Server, HealthServicer]:
    server = grpc.aio.server(
        options=[
            # else a second server on the port would silently take part of the calls
            ("grpc.so_reuseport", 0),
            ("grpc.max_receive_message_length", HARD_LIMIT_FACTOR * app.limits.message_bytes),
            # clients may ping an idle connection every 30 seconds
            ("grpc.http2.min_ping_interval_without_data_ms", 30_000),
            ("grpc.keepalive_permit_without_calls", 1),
        ]
    )
    server.add_generic_rpc_handlers((handlers(app, transport),))
    others, health = SafeService(), HealthServicer()
    health_pb2_grpc.add_HealthServicer_to_server(health, others)
    if app.config.reflection:
        _add_reflection(others)
    others.add_to(server)
    return server, health


def _add_reflection(others: SafeService) -> None:
    from grpc_reflection.v1alpha import (  # type: ignore[import-untyped]  # noqa: PLC0415 (only when it is on)
        _async,
        reflection_pb2_grpc,
    )

    names = (SERVICE, "grpc.health.v1.Health", "grpc.reflection.v1alpha.ServerReflection")
    servicer = _async.ReflectionServicer(names)
    reflection_pb2_grpc.add_ServerReflectionServicer_to_server(servicer, others)


def _bind(server: grpc.aio.Server, listen: str) -> str:
    """Take the address; answers it with the true port.

    A name may stand for several addresses, of which gRPC is content with any one: here all of them must be free, or
    clients of the same name would meet different servers.
    """
    host, _, port_text = listen.rpartition(":")
    port = int(port_text)
    for address in _addresses(host):
        try:
            taken = server.add_insecure_port(f"{address}:{port}")
        except RuntimeError:
            taken = 0
        if taken == 0:
            text = f"the address {listen} cannot be had: another server has it, or it is not of this machine"
            raise AddressInUse(text)
        port = taken
    return f"{host}:{port}"


def _addresses(host: str) -> list[str]:
    """The addresses that a host name stands for; an address stands for itself."""
    if not any(character.isalpha() for character in host) or ":" in host:
        return [host]
    try:
        found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except OSError:
        return [host]
    names = (str(info[4][0]) for info in found)
    return list(dict.fromkeys(f"[{name}]" if ":" in name else name for name in names))
