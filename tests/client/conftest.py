"""A real server in a process of its own, shared by the tests of the client and the command line."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from meadow_client import Client
from meadow_client.cli.local_server import LocalServer


@pytest.fixture(scope="session", name="address")
def _address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """HOST:PORT of a server with a temporary journal."""
    with LocalServer(tmp_path_factory.mktemp("server") / "journal.db") as server:
        yield server.address


@pytest.fixture(name="client")
def _client(address: str) -> Iterator[Client]:
    """A client of that server."""
    with Client(address) as client:
        yield client


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test reads or writes the saved games of whoever runs it, or depends on their terminal."""
    monkeypatch.setenv("MEADOW_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("COLUMNS", "140")
    for name in ("MEADOW_ADDRESS", "MEADOW_TOKEN", "FORCE_COLOR", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
