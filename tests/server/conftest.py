"""Every test of the service gets a real server on a real SQLite file, over a real channel."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from meadow_server.logs import configure_logs

from tests.server.harness import AsyncStub, Host, Table, hosted, new_table


@pytest.fixture(autouse=True)
def _quiet_logs() -> None:
    configure_logs("json", "error")


@pytest.fixture(name="host")
async def _host(tmp_path: Path) -> AsyncIterator[Host]:
    async with hosted(tmp_path) as host:
        yield host


@pytest.fixture(name="stub")
def _stub(host: Host) -> AsyncStub:
    return host.stub


@pytest.fixture(name="table")
async def _table(host: Host) -> Table:
    return await new_table(host.stub)
