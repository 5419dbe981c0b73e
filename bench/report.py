"""What a run of the benchmarks measured: figures, and targets made of them; as a table and as JSON."""

from __future__ import annotations

import json
import os
import platform
from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass(frozen=True)
class Figure:
    """One measured number.

    Attributes:
        section: engine, peers or service.
        name: what was measured.
        value: the number.
        unit: of the number.
        about: how to read it: the shape of the decisions, how many were measured.
    """

    section: str
    name: str
    value: float
    unit: str
    about: str = ""


@dataclass(frozen=True)
class Target:
    """A figure, mostly a ratio, with what it should be.

    Attributes:
        value: what it is.
        wanted: what it should reach, or not exceed.
        at_most: whether smaller is better.
    """

    name: str
    value: float
    wanted: float
    unit: str
    at_most: bool = False

    @property
    def met(self) -> bool:
        """Whether it is as it should be."""
        return self.value <= self.wanted if self.at_most else self.value >= self.wanted


@dataclass
class Report:
    """All figures of a run, in order.

    Attributes:
        notes: what could not be measured, and why.
    """

    seed: int
    figures: list[Figure] = field(default_factory=list)
    targets: list[Target] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def add(self, section: str, name: str, value: float, unit: str, about: str = "") -> None:
        """Note a figure."""
        self.figures.append(Figure(section, name, value, unit, about))

    def value(self, section: str, name: str) -> float | None:
        """A figure noted before; None if it was not measured."""
        return next((f.value for f in self.figures if (f.section, f.name) == (section, name)), None)

    def as_json(self) -> str:
        """The report for programs."""
        plain: dict[str, Any] = {"machine": machine(), "seed": self.seed}
        plain["figures"] = [asdict(figure) for figure in self.figures]
        plain["targets"] = [asdict(target) | {"met": target.met} for target in self.targets]
        plain["notes"] = self.notes
        return json.dumps(plain, indent=2)

    def as_table(self) -> str:
        """The report for people."""
        lines = [" ".join(f"{name} {value}" for name, value in machine().items())]
        section = ""
        for figure in self.figures:
            if figure.section != section:
                section = figure.section
                lines += ["", section]
            lines.append(f"  {figure.name:<58} {_number(figure.value):>12} {figure.unit:<12} {figure.about}".rstrip())
        if self.targets:
            lines += ["", "targets"]
        for target in self.targets:
            relation = "<=" if target.at_most else ">="
            wanted = f"{relation} {_number(target.wanted)} {target.unit}".rstrip()
            verdict = "met" if target.met else "MISSED"
            lines.append(f"  {target.name:<58} {_number(target.value):>12} {wanted:<20} {verdict}")
        if self.notes:
            lines += ["", "not measured"]
        return "\n".join([*lines, *(f"  {note}" for note in self.notes)])


def machine() -> dict[str, str]:
    """What the numbers belong to."""
    return {
        "python": platform.python_version(),
        "system": f"{platform.system()}-{platform.machine()}",
        "cores": str(os.cpu_count()),
        "load": f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "?",
    }


def _number(value: float) -> str:
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.3g}" if value < 10 else f"{value:.1f}"
