"""Reads docs/rules-index*.md and docs/rulings.md for the tests that keep them true."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import reduce
from importlib import import_module
from pathlib import Path
from types import FunctionType

from tests.support.source_tree import ROOT

INDEXES = [ROOT / "docs" / name for name in ("rules-index.md", "rules-index-meadow.md", "rules-index-downstream.md")]
RULINGS = ROOT / "docs" / "rulings.md"
PACKAGES = {"Spring Meadow": "spring_meadow", "Meadow": "meadow", "Downstream": "meadow"}
"""For each game of the index, the package of its rules, which is also the folder of its tests."""
ROW = re.compile(r"\| (?P<first>\d+)(?:-(?P<last>\d+))? \| (?P<words>.+?) \| (?P<function>.+?) \| (?P<test>.+?) \|")
NAMED = re.compile(r"`([^`]+)`")


@dataclass(frozen=True)
class Rule:
    """A row of the index: sentences of the book, what carries them out and what proves them.

    Attributes:
        first, last: ordinals of the sentences under their heading.
        function: `module:name` inside the game's package, or the reason why there is none.
        test: `file::function` inside the game's folder of tests, or a dash.
    """

    game: str
    heading: str
    first: int
    last: int
    words: str
    function: str
    test: str

    @property
    def place(self) -> str:
        """Such as `Scoring 4`."""
        return f"{self.heading} {self.first}"

    @property
    def is_carried_out(self) -> bool:
        """Whether the row names a function; otherwise it says why not."""
        return ":" in self.function and not self.function.startswith("—")


def index_lines() -> list[str]:
    """The lines of all pages of the index."""
    return [line for page in INDEXES for line in page.read_text(encoding="utf-8").splitlines()]


def headings_and_rules() -> tuple[list[tuple[str, str]], list[Rule]]:
    """Game and heading of all sections in order, and all rows."""
    game, headings, rules = "", [], []
    for line in index_lines():
        if line.startswith("## "):
            game = line[3:]
        elif line.startswith("### "):
            headings.append((game, line[4:]))
        elif row := ROW.fullmatch(line):
            first = int(row["first"])
            function, test = (
                NAMED.sub(r"\1", row[cell]) if row[cell][0] == "`" else row[cell] for cell in ("function", "test")
            )
            rules.append(Rule(game, headings[-1][1], first, int(row["last"] or first), row["words"], function, test))
    return headings, rules


def function_of(rule: Rule) -> FunctionType:
    """The function a row names: plain, a method, the getter of a property, or what a cache wraps."""
    module, _, name = rule.function.partition(":")
    owner = import_module(f"meadow_engine.{PACKAGES[rule.game]}.{module}")
    found: object = reduce(getattr, name.split("."), owner)
    found = getattr(found, "fget", found)
    found = getattr(found, "__wrapped__", found)
    assert isinstance(found, FunctionType), f"{rule.place}: {rule.function} is no function"
    return found


def file_of(game: str, name: str) -> Path:
    """Where a test named `file::function` lies."""
    return ROOT / "tests" / PACKAGES[game] / name.partition("::")[0]


def rulings() -> list[tuple[str, str, str]]:
    """Game, number and text of each ruling."""
    games = re.split(r"^## ", RULINGS.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    return [
        (game.partition("\n")[0], part.split()[0], part)
        for game in games
        for part in re.split(r"^### (?=[A-Z]\d+ )", game, flags=re.MULTILINE)[1:]
    ]
