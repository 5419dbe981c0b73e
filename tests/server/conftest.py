"""Every test of the service gets a real server on a real journal, over a real channel."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from meadow_server.logs import configure_logs
from meadow_server.store.address import PostgresUrl

from tests.server.harness import AsyncStub, Host, Table, hosted, new_table
from tests.server.processes import STARTED
from tests.support.postgres import Cluster, needed_programs


@pytest.fixture(autouse=True)
def _quiet_logs() -> None:
    configure_logs("json", "error")


@pytest.fixture(autouse=True)
def _no_process_stays() -> Iterator[None]:
    yield
    for process in STARTED:
        if process.returncode is None:
            process.kill()
    STARTED.clear()


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


@pytest.fixture(scope="session", name="cluster")
def _cluster() -> Iterator[Cluster]:
    """A PostgreSQL server."""
    # it writes to disk without waiting, as these tests do not cut the power
    with Cluster(needed_programs(), "fsync=off") as cluster:
        yield cluster


@pytest.fixture(name="database")
def _database(cluster: Cluster) -> PostgresUrl:
    """An empty database."""
    return cluster.database()
