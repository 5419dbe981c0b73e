"""Several server processes on one port of one machine: started, watched, started again, and ended together.

The processes share a PostgreSQL journal and know nothing of each other. The system spreads connections over them. Each
is a program of its own (nothing is forked after gRPC has been loaded), tells by a pipe that it is well, and ends when
this process is gone.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import pickle
import shutil
import signal
import socket
import sys
import tempfile
import time
from asyncio.subprocess import PIPE, Process
from collections.abc import Coroutine, Iterator, Mapping
from dataclasses import replace
from typing import Any

import structlog
from prometheus_client import CollectorRegistry, ProcessCollector, multiprocess

from meadow_server.config import Config
from meadow_server.probes import Probes
from meadow_server.serving import AddressInUse, addresses, split_address
from meadow_server.watched import BadFile

log = structlog.get_logger()
BEAT_SECONDS = 1.0
"""How often a worker says that it is well."""
SILENT_SECONDS = 30.0
"""A worker that has said nothing for so long is stuck, and ended."""
START_SECONDS = 120.0
SHORT_LIFE_SECONDS = 10.0
"""A worker that ends sooner is started again after a pause."""
PAUSE_SECONDS = 1.0
GRACE_SECONDS = 1.5
"""How much longer than the drain's limit a worker may take to end."""


def reserve(listen: str) -> tuple[str, list[socket.socket]]:
    """Take an address for this process and those it shares it with; answers it with the true port.

    Raises:
        AddressInUse: it cannot be had.
    """
    host, port = split_address(listen)
    held = []
    for address in addresses(host):
        bare = address.strip("[]")
        holder = socket.socket(socket.AF_INET6 if ":" in bare else socket.AF_INET, socket.SOCK_STREAM)
        held.append(holder)
        try:
            # bound while it is not shared: that fails if anybody else has the address, whether it is shared or not
            holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            holder.bind((bare, port))
            holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        except OSError:
            for each in held:
                each.close()
            raise AddressInUse(listen) from None
        port = holder.getsockname()[1]
    return f"{host}:{port}", held


class Supervisor:
    """Keeps the workers of a configuration running until it is told to stop.

    Args:
        config: of them all.
        address: what they share, with its true port.
        metrics_folder: where they note their metrics, if anybody asks for them.
    """

    def __init__(self, config: Config, address: str, metrics_folder: str | None) -> None:
        self._config = replace(config, listen=address, metrics_listen="")
        self._metrics_folder = metrics_folder
        self._stop = asyncio.Event()
        self._one_serves = asyncio.Event()
        self._all_serve = asyncio.Event()
        self._serving: set[Process] = set()
        self._killed = False

    def ready(self) -> bool:
        """Whether there are workers that serve."""
        return bool(self._serving) and not self._stop.is_set()

    async def run(self, told: Mapping[str, object]) -> int:
        """Run until a signal comes; answers the exit code. Logs what it is told once it serves."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self._stop.set)
        # one goes first: what keeps it from starting would keep them all
        keepers = [asyncio.create_task(self._keep())]
        await _first(self._one_serves.wait(), asyncio.wait(keepers))
        if not self._one_serves.is_set():
            await asyncio.gather(*keepers)
            return 0 if self._stop.is_set() else 1
        keepers += [asyncio.create_task(self._keep()) for _ in range(self._config.workers - 1)]
        await _first(self._all_serve.wait(), self._stop.wait())
        log.info("serving", address=self._config.listen, journal=str(self._config.journal), **told)
        await self._stop.wait()
        log.info("draining")
        began = time.monotonic()
        await asyncio.gather(*keepers)
        log.info("drained", seconds=round(time.monotonic() - began, 3))
        return 1 if self._killed else 0

    async def _keep(self) -> None:
        """Keep one worker running until the end; give up if the first one does not get to serve."""
        while not self._stop.is_set():
            began = time.monotonic()
            process = await self._start()
            code = await self._live(process)
            if self._metrics_folder is not None:
                multiprocess.mark_process_dead(process.pid, self._metrics_folder)  # type: ignore[no-untyped-call]
            if self._stop.is_set() or not self._one_serves.is_set():
                return
            log.error("worker ended", pid=process.pid, code=code)
            if time.monotonic() - began < SHORT_LIFE_SECONDS:
                await self._stops_within(PAUSE_SECONDS)

    async def _start(self) -> Process:
        folder = self._metrics_folder
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "meadow_server.worker"),
            stdin=PIPE,
            stdout=PIPE,
            env={**os.environ, **({} if folder is None else {"PROMETHEUS_MULTIPROC_DIR": folder})},
        )
        if process.stdin is not None:
            # by the pipe, as arguments and environment can be read by others
            process.stdin.write(pickle.dumps(self._config))
        return process

    async def _live(self, process: Process) -> int:
        """Follow a worker's life until it has ended; answers its exit code."""
        await _first(self._watch(process), self._stop.wait())
        if self._stop.is_set():
            await self._end(process)
        self._serving.discard(process)
        return await process.wait()

    async def _watch(self, process: Process) -> None:
        """Wait until a worker's pipe is closed, which is when it ends; kill it if it falls silent."""
        patience = START_SECONDS
        while True:
            try:
                async with asyncio.timeout(patience):
                    beat = await process.stdout.read(64) if process.stdout is not None else b""
            except TimeoutError:
                log.warning("worker is stuck", pid=process.pid)
                process.kill()
                return
            if not beat:
                return
            if process not in self._serving:
                patience = SILENT_SECONDS
                self._serves(process)

    def _serves(self, process: Process) -> None:
        self._serving.add(process)
        self._one_serves.set()
        if len(self._serving) == self._config.workers:
            self._all_serve.set()

    async def _end(self, process: Process) -> None:
        """Ask a worker to drain, and end it if it takes too long."""
        if process.returncode is None:
            process.terminate()
        try:
            async with asyncio.timeout(self._config.limits.drain_seconds + GRACE_SECONDS):
                await process.wait()
        except TimeoutError:
            log.warning("worker did not drain", pid=process.pid)
            self._killed = True
            process.kill()

    async def _stops_within(self, seconds: float) -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._stop.wait()


async def _first(*works: Coroutine[Any, Any, Any]) -> None:
    """Wait until one of some works is done, and give the others up."""
    tasks = [asyncio.create_task(work) for work in works]
    await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    for task in tasks:
        task.cancel()


async def supervise(config: Config) -> int:
    """Serve with several workers until SIGTERM or SIGINT; answers the exit code.

    Raises:
        AddressInUse, BadFile: the address, or a folder for the workers' metrics, cannot be had.
    """
    with contextlib.ExitStack() as undo:
        address, held = reserve(config.listen)
        for holder in held:
            undo.enter_context(holder)
        folder = undo.enter_context(_temporary_folder()) if config.metrics_listen else None
        supervisor = Supervisor(config, address, folder)
        if folder is None:
            return await supervisor.run({"workers": config.workers})
        probes = _probes(config.metrics_listen, supervisor, folder)
        try:
            return await supervisor.run({"workers": config.workers, "metrics": probes.address})
        finally:
            await asyncio.to_thread(probes.close)


@contextlib.contextmanager
def _temporary_folder() -> Iterator[str]:
    try:
        folder = tempfile.mkdtemp(prefix="meadow-metrics-")
    except OSError as error:
        raise BadFile(f"the metrics of several workers need a folder for temporary files: {error}") from None
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _probes(listen: str, supervisor: Supervisor, folder: str) -> Probes:
    """The port for metrics and health of all workers together."""
    registry = CollectorRegistry()
    ProcessCollector(registry=registry)
    collector: Any = multiprocess.MultiProcessCollector
    collector(registry, path=folder)
    try:
        return Probes(*split_address(listen), registry, lambda: True, supervisor.ready)
    except OSError:
        raise AddressInUse(listen) from None
