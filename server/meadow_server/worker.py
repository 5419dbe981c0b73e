"""One of several server processes, see `workers`: its configuration comes by a pipe, and its beats go by another."""

from __future__ import annotations

import asyncio
import contextlib
import os
import pickle
import sys
from typing import BinaryIO

import structlog

from meadow_server.config import Config
from meadow_server.logs import configure_logs
from meadow_server.main import REFUSALS, run, spare_the_collector, start, told_to_stop
from meadow_server.workers import BEAT_SECONDS

log = structlog.get_logger()


def main(source: BinaryIO, sink: int) -> int:
    """Serve until told to stop, or until the other end of the pipes is gone; answers the exit code."""
    config: Config = pickle.load(source)  # nosec B301 # noqa: S301 (from our own parent)
    configure_logs(config.log_format, config.log_level)
    try:
        run(_work(config, source, sink))
    except REFUSALS as refusal:
        sys.stderr.write(f"meadow: {refusal}\n")
        return 1
    return 0


async def _work(config: Config, source: BinaryIO, sink: int) -> None:
    stop = told_to_stop()
    # nothing more comes, so the pipe can be read when its other end is closed
    asyncio.get_running_loop().add_reader(source.fileno(), stop.set)
    server = await start(config)
    spare_the_collector()
    log.info("worker serves", pid=os.getpid())
    beating = asyncio.create_task(_beat(sink))
    await stop.wait()
    asyncio.get_running_loop().remove_reader(source.fileno())
    await server.drain()
    beating.cancel()


async def _beat(sink: int) -> None:
    """Say again and again that the loop runs; whether anybody hears is for `source` to tell."""
    with contextlib.suppress(OSError):
        while True:
            os.write(sink, b".")
            await asyncio.sleep(BEAT_SECONDS)


if __name__ == "__main__":
    sys.exit(main(sys.stdin.buffer, sys.stdout.fileno()))
