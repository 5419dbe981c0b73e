"""The two servers as processes of their own, so that each has its own interpreter, as in production."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import sys
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import grpc
from meadow_api.v1 import game_service_pb2 as pb
from meadow_api.v1.game_service_pb2_grpc import GameServiceStub

FLOOR = Path(__file__).with_name("floor.py")
WAIT = 0.002


@dataclass(frozen=True)
class Served:
    """A running server."""

    address: str
    pid: int

    def processor_seconds(self) -> float:
        """Processor time it has used with all its threads, where the system tells; else 0."""
        if sys.platform != "linux":
            return 0.0
        # the clock of a process, as clock_getcpuclockid(3) makes it of the process id
        return time.clock_gettime((~self.pid << 3) | 2)


@contextlib.asynccontextmanager
async def floor_server() -> AsyncIterator[Served]:
    """The empty handler."""
    process = await asyncio.create_subprocess_exec(sys.executable, str(FLOOR), stdout=asyncio.subprocess.PIPE)
    assert process.stdout is not None
    try:
        yield Served((await process.stdout.readline()).decode().strip(), process.pid)
    finally:
        process.kill()
        await process.wait()


@contextlib.asynccontextmanager
async def meadow_server(folder: Path, journal: str | None = None) -> AsyncIterator[Served]:
    """The real server with its journal in a folder, or in a database of this URL.

    Its log goes to a file, as a container's would: a pipe would have to be read by the one who measures.
    """
    log = folder / "log.json"
    command = [sys.executable, "-m", "meadow_server", "--listen", "127.0.0.1:0", "--log-format", "json"]
    environment = _compiled_once(folder.parent) | {"MEADOW_JOURNAL": journal or str(folder / "meadow.db")}
    with log.open("wb") as sink:
        process = await asyncio.create_subprocess_exec(*command, stderr=sink, env=environment)
    try:
        yield Served(await _address(process, log), process.pid)
    finally:
        if process.returncode is None:
            process.terminate()
            await process.wait()


def _compiled_once(folder: Path) -> dict[str, str]:
    """The environment in which modules are compiled at the first start only, as where a package is installed."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return kept | {"PYTHONPYCACHEPREFIX": str(folder / "compiled")}


async def _address(process: asyncio.subprocess.Process, log: Path) -> str:
    while process.returncode is None:
        for line in _complete_lines(log):
            if '"serving"' in line:
                return str(json.loads(line)["address"])
        await asyncio.sleep(WAIT)
    raise RuntimeError("\n".join(["the server did not start:", *_complete_lines(log)]))


def _complete_lines(log: Path) -> list[str]:
    """The lines written so far, without the one being written."""
    return log.read_text(encoding="utf-8").split("\n")[:-1]


async def seconds_to_serving(folder: Path) -> float:
    """From the start of a server's process to its first answer."""
    begin = time.perf_counter()
    async with meadow_server(folder) as server, grpc.aio.insecure_channel(server.address) as channel:
        await GameServiceStub(channel).GetServerInfo(pb.GetServerInfoRequest())
        return time.perf_counter() - begin
