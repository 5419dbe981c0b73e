"""docs/rules-index.md and docs/rulings.md are complete and point at what exists."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.support.rules_index import INDEX, Rule, file_of, function_of, headings_and_rules, rulings

pytestmark = pytest.mark.source

SENTENCES = {
    "Table of Contents": 0,
    "Components": 11,
    "Aim of the Game": 3,
    "Game Overview": 9,
    "Set-up": 17,
    "The Placement Rules": 11,
    "Burrows": 10,
    "The Player Turn": 6,
    "1) Signpost": 4,
    "2) Signpost Path": 9,
    "3) Rock Tiles": 21,
    "4) Move On": 1,
    "Scoring": 24,
    "Refill": 2,
    "Game End": 2,
    "Expert Variant": 6,
    "Solo Rules": 4,
    "Set-up (Solo Game)": 5,
    "Game Flow (Solo Game)": 5,
    "Points (Solo Game)": 8,
    "Game End (Solo Game)": 1,
    "Point Objective": 2,
    "Campaign": 3,
    "Credits": 9,
}
"""Headings of the book in order, and its sentences under each, counted in the book as the index says."""
REASONS = (
    "advice",
    "component",
    "drawing only",
    "flavour",
    "opens a list",
    "print notice",
    "refers",
    "summary",
    "table only",
)
"""What a row without a function may say first, a dash before it."""
HEADINGS, RULES = headings_and_rules()


@cache
def claims_in(file: Path) -> dict[str, str]:
    """Names and docstrings of the tests in a file."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    functions = (node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"))
    return {node.name: ast.get_docstring(node) or "" for node in functions}


def missing_tests(names: Iterator[str]) -> list[str]:
    """Of tests named `file::function`, those that do not exist or do not say their claim."""
    return [
        name
        for name in names
        if not file_of("Spring Meadow", name).is_file()
        or not claims_in(file_of("Spring Meadow", name)).get(name.partition("::")[2])
    ]


def carried_out() -> Iterator[Rule]:
    """The rows with a function."""
    return (rule for rule in RULES if rule.is_carried_out)


def test_every_heading_of_the_book_is_there_in_order() -> None:
    """The headings of the page are those of the book."""
    assert list(SENTENCES) == HEADINGS


def test_every_sentence_of_the_book_has_its_row() -> None:
    """Under each heading the ordinals run from 1 to the number of sentences, none missing and none twice."""
    counted: dict[str, list[int]] = {heading: [] for heading in HEADINGS}
    for rule in RULES:
        counted[rule.heading] += range(rule.first, rule.last + 1)

    assert counted == {heading: list(range(1, 1 + count)) for heading, count in SENTENCES.items()}


def test_every_line_of_a_table_is_understood() -> None:
    """No row escapes the reader of this page by its form."""
    lines = [line for line in INDEX.read_text(encoding="utf-8").splitlines() if re.match(r"\| *\d", line)]

    assert len(lines) == len(RULES)


def test_every_row_has_function_and_test_or_says_why_not() -> None:
    """Both are named, or a reason of a known kind stands in their place."""
    for rule in RULES:
        if rule.is_carried_out:
            assert "::" in rule.test, rule.place
        else:
            assert rule.function.startswith(tuple(f"— {reason}" for reason in REASONS)), rule.place
            assert rule.test == "—", rule.place


def test_every_function_exists() -> None:
    """Each name leads to a function of the game's package, defined in the module it is named in."""
    for rule in carried_out():
        assert function_of(rule).__module__.endswith(rule.function.partition(":")[0]), rule.place


def test_every_test_exists_and_says_its_claim() -> None:
    """Each name leads to a test with a docstring."""
    assert missing_tests(rule.test for rule in carried_out()) == []


def test_every_ruling_is_complete() -> None:
    """Rulings are numbered without gaps and give heading, reason and a test that exists."""
    numbers = [number for number, _ in rulings()]

    assert numbers == [f"S{number}" for number in range(1, 1 + len(numbers))]
    for number, text in rulings():
        for part in ("*Heading:*", "*Reason:*", "*Test:*"):
            assert part in text, f"{number} has no {part}"
    assert missing_tests(name for _, text in rulings() for name in re.findall(r"`(test_\w+\.py::\w+)`", text)) == []


def test_every_ruling_is_cited_where_it_applies_and_exists() -> None:
    """Rows cite rulings that exist, and every ruling but the stalemate's, of which the book is silent, is cited."""
    known = {number for number, _ in rulings()}
    cited = set(re.findall(r"\bS\d+\b", " ".join(f"{rule.words} {rule.function}" for rule in RULES)))

    assert cited <= known
    assert known - cited == {"S11"}
