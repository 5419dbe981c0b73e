"""The benchmarks: engine, peers, wire form, service. Nothing here is a test, and no test measures time."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from bench import peers, playouts
from bench.report import Report

SECTIONS = ("engine", "peers", "wire", "service", "postgres")


def main(argv: Sequence[str]) -> int:
    """Measure, print, and write JSON if asked."""
    parser = argparse.ArgumentParser(prog="bench", description=__doc__)
    parser.add_argument("--sections", default=",".join(SECTIONS), help="which to run, separated by commas: %(default)s")
    parser.add_argument("--seconds", type=float, default=2.0, help="how long each kind of game is played: %(default)s")
    parser.add_argument("--rounds", type=int, default=3, help="rounds of calls to floor and service: %(default)s")
    parser.add_argument("--seed", type=int, default=1, help="of the games: %(default)s")
    parser.add_argument("--folder", type=Path, help="where the server's journal lies while it is measured: a fresh one")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the report as JSON too; - prints it instead")
    given = parser.parse_args(argv)
    sections = given.sections.split(",")
    if unknown := set(sections) - set(SECTIONS):
        parser.error(f"no section {', '.join(sorted(unknown))}")
    report = Report(given.seed)
    if "engine" in sections:
        playouts.measure(report, given.seconds)
    if "peers" in sections:
        peers.measure(report, given.seconds)
    if "wire" in sections:
        _wire(report, min(given.seconds, 0.3))
    if "service" in sections:
        _service(report, given.rounds, given.folder)
    if "postgres" in sections:
        _postgres(report, given.rounds, given.folder)
    if given.json and str(given.json) != "-":
        given.json.write_text(report.as_json() + "\n", encoding="utf-8")
    sys.stdout.write((report.as_json() if str(given.json) == "-" else report.as_table()) + "\n")
    return 0


def _wire(report: Report, seconds: float) -> None:
    try:
        from bench import wire  # noqa: PLC0415 (the engine alone can be measured without gRPC)
    except ImportError as missing:
        report.notes.append(f"wire: {missing.name or missing} is not installed")
        return
    wire.measure(report, seconds)


def _service(report: Report, rounds: int, folder: Path | None) -> None:
    _start_processes_lightly()
    try:
        from bench import service  # noqa: PLC0415 (the engine alone can be measured without gRPC)
    except ImportError as missing:
        report.notes.append(f"service: {missing.name or missing} is not installed")
        return
    service.measure(report, rounds, folder)


def _postgres(report: Report, rounds: int, folder: Path | None) -> None:
    _start_processes_lightly()
    try:
        from bench import database  # noqa: PLC0415 (the engine alone can be measured without gRPC)
    except ImportError as missing:
        report.notes.append(f"postgres: {missing.name or missing} is not installed")
        return
    database.measure(report, rounds, folder)


def _start_processes_lightly() -> None:
    # servers are started while a channel is open, and need nothing of gRPC in between; read when gRPC is imported
    os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "0")
