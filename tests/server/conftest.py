"""Every test of the service gets a real server on a real journal, over a real channel."""

from __future__ import annotations

import os
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
async def _host(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Host]:
    """A server; with MEADOW_TEST_JOURNAL=postgres on a database, but for tests that look into the SQLite file."""
    on_database = os.environ.get("MEADOW_TEST_JOURNAL") == "postgres" and not request.node.get_closest_marker("sqlite")
    place = request.getfixturevalue("database") if on_database else tmp_path
    async with hosted(place) as host:
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
