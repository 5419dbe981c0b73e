"""The benchmarks still run. What they measure is not asserted: no test measures time."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

from tests.support.source_tree import ROOT

pytestmark = pytest.mark.source


def bench(*arguments: str) -> dict[str, Any]:
    """The JSON report of a run."""
    command = [sys.executable, "-m", "bench", *arguments, "--json", "-"]
    answer = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert answer.returncode == 0, answer.stderr
    report: dict[str, Any] = json.loads(answer.stdout)
    return report


def test_the_engine_is_measured() -> None:
    """Turns and decisions of each seat count with their shape, single calls, and the targets made of them."""
    report = bench("--sections", "engine,peers", "--seconds", "0.001")
    figures = {figure["name"]: figure for figure in report["figures"]}
    for seats in (2, 3, 4):
        assert figures[f"spring_meadow {seats} seats: turns"]["value"] > 0
        assert "legal list mean" in figures[f"spring_meadow {seats} seats: decisions"]["about"]
    for variant in ("spring_meadow", "meadow"):
        assert {f"{variant}: {call}" for call in ("clone", "view", "encode", "state_hash")} <= figures.keys()
    assert {"met", "wanted", "value"} <= report["targets"][0].keys()
    peers = [name for name in figures if name.startswith("meadow / ")]
    assert peers or any("not installed" in note for note in report["notes"])


@pytest.mark.long
def test_the_service_is_measured_against_its_floor() -> None:
    """One round of calls to both servers gives rates, latencies and ratios, on either journal."""
    report = bench("--sections", "service,postgres", "--rounds", "1")
    figures = {figure["name"]: figure["value"] for figure in report["figures"]}
    for flight in (1, 16):
        assert figures[f"submit, {flight} in flight, floor: calls"] > 0
        assert figures[f"submit with view and legal list, {flight} in flight, service: p99"] > 0
        assert figures[f"submit / floor, {flight} in flight: calls"] > 0
        assert figures[f"submit over a Play stream / floor, {flight} in flight: p50"] > 0
    assert figures["watch: messages"] > 0
    assert "submit on PostgreSQL / floor, 16 in flight: calls" in figures or "PostgreSQL" in report["notes"][0]
    assert len(report["targets"]) >= 6


def test_an_unknown_section_is_refused() -> None:
    """A misspelt section is said so, not skipped."""
    answer = subprocess.run(
        [sys.executable, "-m", "bench", "--sections", "motor"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert answer.returncode == 2
    assert "motor" in answer.stderr


def test_what_measures_the_balance_runs() -> None:
    """The script behind the figures of Downstream plays and reports, alone and at a table."""
    for variant, seats in (("downstream_lazy_river_solo", "1"), ("downstream_wild_rapids", "2")):
        answer = subprocess.run(
            [sys.executable, "-m", "bench.downstream", variant, seats, "2", "1", "random"],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )
        assert answer.returncode == 0, answer.stderr
        assert f"2 games of {seats}: points" in answer.stdout
        assert "last number" in answer.stdout
