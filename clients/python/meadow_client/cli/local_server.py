"""A server of one's own, as a child process, for commands that are given none."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import deque
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from threading import Thread
from types import TracebackType
from typing import IO, Self

from meadow_client.cli.common import IMPATIENT
from meadow_client.cli.extras import needs
from meadow_client.cli.failure import Failure
from meadow_client.client import Client

_KEPT_LINES = 20
_PREFIX = "MEADOW_"
_NEEDED = ("structlog", "grpc_health", "grpc_reflection", "prometheus_client")


class LocalServer:
    """Serves on a free port of this machine until it is closed.

    Args:
        journal: file of its journal, or URL of a database.
        listen: address to serve on; a free port if none is given.
        packs: folders of content packs to offer too.
        operator_key_file: keys of whoever runs it; None for none.

    Attributes:
        address: HOST:PORT.
    """

    def __init__(
        self,
        journal: Path | str,
        *,
        listen: str = "127.0.0.1:0",
        packs: Sequence[Path] = (),
        operator_key_file: Path | None = None,
    ) -> None:
        with needs("server"):
            for module in _NEEDED:
                import_module(module)
        more = [argument for folder in packs for argument in ("--packs", str(folder))]
        self._process = subprocess.Popen(  # noqa: S603 (this Python, with arguments made here)
            [sys.executable, "-m", "meadow_server", *more],
            env=_environment(
                LISTEN=listen,
                # by the environment, as the URL of a database may hold a password
                JOURNAL=str(journal),
                OPERATOR_KEY_FILE=str(operator_key_file or ""),
                LOG_FORMAT="json",
                LOG_LEVEL="info",
            ),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,  # a Ctrl-C at the table is not for the server, which is ended by close()
        )
        self._last: deque[str] = deque(maxlen=_KEPT_LINES)
        self.address = self._wait_until_serving()

    @property
    def process_id(self) -> int:
        """Of the server's process."""
        return self._process.pid

    def connect(self) -> Client:
        """A client for somebody who waits."""
        return Client(self.address, retry=IMPATIENT)

    def close(self) -> None:
        """End the server; its journal keeps the games."""
        self._process.terminate()
        self._process.wait()
        self._reader.join()
        if self._process.stdout:
            self._process.stdout.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _wait_until_serving(self) -> str:
        log = self._process.stdout
        assert log is not None  # noqa: S101 (it was asked for above)
        for line in log:
            self._last.append(line)
            address = _address_in(line)
            if address:
                self._reader = Thread(target=self._read_on, args=(log,), daemon=True)
                self._reader.start()
                return address
        self._process.wait()
        log.close()
        raise Failure("the server of one's own did not start:\n" + "".join(self._last).rstrip())

    def _read_on(self, log: IO[str]) -> None:
        """Keep the pipe empty, else the server would stop at a full one."""
        for line in log:
            self._last.append(line)


def _environment(**options: str) -> dict[str, str]:
    """The environment with a server's options, and none that is set for a server that others use."""
    others = {name: value for name, value in os.environ.items() if not name.startswith(_PREFIX)}
    return others | {_PREFIX + name: value for name, value in options.items()}


def _address_in(line: str) -> str:
    try:
        entry = json.loads(line)
    except json.JSONDecodeError:
        return ""
    return str(entry.get("address", "")) if isinstance(entry, dict) and entry.get("event") == "serving" else ""
