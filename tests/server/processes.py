"""Servers as processes of their own, for the tests that kill them."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from dataclasses import dataclass
from pathlib import Path

import grpc
from meadow_server.store.address import JournalAddress

from tests.server.harness import AsyncStub, stub_of

STARTED: list[asyncio.subprocess.Process] = []
"""What tests started; whatever becomes of a test, nothing of it is left running (see conftest)."""


@dataclass
class ServerProcess:
    """A server process that is ready.

    Attributes:
        log: what it has written to standard error so far, but for the lines that are still to be read.
    """

    process: asyncio.subprocess.Process
    address: str
    log: list[str]

    def connect(self) -> tuple[grpc.aio.Channel, AsyncStub]:
        """A channel to it, and its stub."""
        channel = grpc.aio.insecure_channel(self.address)
        return channel, stub_of(channel)

    async def kill(self) -> None:
        """End it at once, as kill -9 does."""
        self.process.kill()
        await self._gone()

    async def terminate(self) -> int:
        """Ask it to drain, and wait; answers its exit code."""
        self.process.send_signal(signal.SIGTERM)
        return await self._gone()

    async def _gone(self) -> int:
        assert self.process.stderr is not None
        rest = await self.process.stderr.read()
        self.log += rest.decode().splitlines()
        return await self.process.wait()


def command(*arguments: str) -> list[str]:
    """The command that starts a server."""
    return [sys.executable, "-m", "meadow_server", "--log-format", "json", *arguments]


async def spawn(journal: JournalAddress, *arguments: str, listen: str = "127.0.0.1:0") -> ServerProcess:
    """Start a server process on a journal and wait until it serves."""
    where = str(journal) if isinstance(journal, Path) else journal.secret
    process = await asyncio.create_subprocess_exec(
        *command("--listen", listen, *arguments),
        stderr=asyncio.subprocess.PIPE,
        env={**os.environ, "MEADOW_JOURNAL": where},
    )
    STARTED.append(process)
    assert process.stderr is not None
    log: list[str] = []
    while line := await process.stderr.readline():
        log.append(line.decode().rstrip())
        if '"serving"' in log[-1]:
            return ServerProcess(process, json.loads(log[-1])["address"], log)
    raise AssertionError("the server did not start: " + "\n".join(log))


async def refused_start(*arguments: str, **environment: str) -> tuple[int, str]:
    """Start a server that is expected not to; answers its exit code and what it said."""
    process = await asyncio.create_subprocess_exec(
        *command(*arguments), stderr=asyncio.subprocess.PIPE, env={**os.environ, **environment}
    )
    _, said = await process.communicate()
    assert process.returncode is not None
    return process.returncode, said.decode()
