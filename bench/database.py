"""The service on a PostgreSQL journal against the floor; the database is one of its own, durable as by default."""

from __future__ import annotations

import tempfile
from pathlib import Path

import uvloop

from bench.pairs import ALONE, MANY, Pair, both
from bench.report import Report
from tests.support.postgres import HOW_TO_GET_ONE, Cluster, programs

SECTION = "postgres"


def measure(report: Report, rounds: int, folder: Path | None) -> None:
    """Start database and servers, call in turns, and note figures and targets."""
    found = programs()
    if found is None:
        report.notes.append(f"postgres: {HOW_TO_GET_ONE}")
        return
    with Cluster(found) as cluster, tempfile.TemporaryDirectory(dir=folder) as logs:
        uvloop.run(_measure(report, rounds, Path(logs), cluster.database().secret))


async def _measure(report: Report, rounds: int, folder: Path, url: str) -> None:
    alone, many = Pair("submit on PostgreSQL", ALONE), Pair("submit on PostgreSQL", MANY)
    (logs := folder / "load").mkdir()
    async with both(logs, url) as (floor, service):
        for number in range(rounds):
            for pair in (many, alone):
                await pair.measure(floor, service, report.seed + MANY * number)
    many.add_to(report, SECTION)
    alone.add_to(report, SECTION)
    report.targets.append(many.rate_target(0.3))
