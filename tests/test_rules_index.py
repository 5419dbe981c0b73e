"""docs/rules-index*.md and docs/rulings.md are complete and point at what exists."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.support.rules_index import Rule, file_of, function_of, headings_and_rules, index_lines, rulings

pytestmark = pytest.mark.source

SENTENCES = {
    "Spring Meadow": {
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
    },
    "Meadow": {
        "Table of Contents": 0,
        "Components": 15,
        "Game Setup (for 2, 3 or 4 players)": 25,
        "Component and round count by player count": 4,
        "Player Preparation": 8,
        "Player area": 5,
        "The Course of the Game": 2,
        "Player Turn": 6,
        "End of the Round": 3,
        "End of the Game": 2,
        "Main Board Actions": 0,
        "Drawing and Playing Cards": 9,
        "Rules for Playing Cards": 3,
        "Ground Cards": 8,
        "Observation Cards": 5,
        "Playing Observation Cards": 12,
        "Choice of a Requirement": 3,
        "Required Adjacent Columns": 6,
        "Replacing a Missing Symbol": 3,
        "Landscape Cards": 14,
        "Discovery Cards": 14,
        "Campfire Board Actions": 0,
        "Performing Special Actions and Optional Goal Fulfillment": 13,
        '"?" Path Token': 3,
        "Placing a Path Token on the Bench": 4,
        "Goals": 8,
        "End of Round": 5,
        "Halfway Point": 5,
        "End of Game and Scoring": 9,
        "Envelopes": 19,
        "Solo Variant": 1,
        "Changes to the Setup": 14,
        "Changes to Gameplay": 18,
        "End of Game and Scoring (Solo)": 9,
    },
    "Downstream": {
        "Table of Contents": 0,
        "Components": 16,
        "Introduction": 9,
        "Common Components": 0,
        "River Board": 12,
        "River Trail Tokens": 5,
        '"?" Path Token': 4,
        "New Starting Ground Cards": 6,
        "River Deck": 17,
        "Additional Cards for the Base Game Decks": 5,
        "New Card Symbols": 8,
        "Waterfall Tokens": 6,
        "The Course of the Game": 7,
        "River Board Actions": 11,
        "Special Actions of Base Game Tokens": 10,
        "End of Round": 7,
        "Lazy River": 2,
        "Game Setup": 12,
        "Rules of the Lazy River Variant": 5,
        "Types of Extra Actions (Lazy River)": 17,
        "End of Game and Scoring (Lazy River)": 13,
        "Wild Rapids": 2,
        "Game Setup (Wild Rapids)": 16,
        "Rules of the Wild Rapids Variant": 5,
        "Types of Extra Actions (Wild Rapids)": 15,
        "Pier Token Actions": 9,
        "Tent Tokens": 12,
        "End of Game and Scoring (Wild Rapids)": 14,
        "Envelope Z": 6,
        "Solo Variant": 2,
        "Changes to the Setup": 22,
        "Changes to Gameplay": 17,
        "End of Game and Scoring (Solo)": 8,
    },
}
"""By game: headings of its book in order, and the sentences under each, counted in the book as the index says."""
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


def missing_tests(game: str, names: Iterable[str]) -> list[str]:
    """Of a game's tests named `file::function`, those that do not exist or do not say their claim."""
    return [
        name
        for name in names
        if not file_of(game, name).is_file() or not claims_in(file_of(game, name)).get(name.partition("::")[2])
    ]


def carried_out() -> Iterator[Rule]:
    """The rows with a function."""
    return (rule for rule in RULES if rule.is_carried_out)


def test_every_heading_of_the_books_is_there_in_order() -> None:
    """The headings of the page are those of the books."""
    assert [(game, heading) for game, headings in SENTENCES.items() for heading in headings] == HEADINGS


def test_every_sentence_of_the_books_has_its_row() -> None:
    """Under each heading the ordinals run from 1 to the number of sentences, none missing and none twice."""
    counted: dict[tuple[str, str], list[int]] = {heading: [] for heading in HEADINGS}
    for rule in RULES:
        counted[rule.game, rule.heading] += range(rule.first, rule.last + 1)

    assert {place: len(ordinals) for place, ordinals in counted.items()} == {
        (game, heading): count for game, headings in SENTENCES.items() for heading, count in headings.items()
    }
    assert all(ordinals == list(range(1, 1 + len(ordinals))) for ordinals in counted.values())


def test_every_line_of_a_table_is_understood() -> None:
    """No row escapes the reader of this page by its form."""
    lines = [line for line in index_lines() if re.match(r"\| *\d", line)]

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
    for game in SENTENCES:
        assert missing_tests(game, (rule.test for rule in carried_out() if rule.game == game)) == []


def test_every_ruling_is_complete() -> None:
    """A game's rulings are numbered without gaps and give heading, reason and a test that exists."""
    for game in {game for game, _, _ in rulings()}:
        own = [(number, text) for where, number, text in rulings() if where == game]
        letter = own[0][0][0]
        assert [number for number, _ in own] == [f"{letter}{number}" for number in range(1, 1 + len(own))]
        for number, text in own:
            assert [part for part in ("*Heading:*", "*Reason:*", "*Test:*") if part not in text] == [], number
            tests = re.findall(r"`(test_\w+\.py::\w+)`", text)
            assert tests, number
            assert missing_tests(game, tests) == []


def test_every_ruling_is_cited_where_it_applies() -> None:
    """Rows cite rulings that exist; all rulings are cited but that on stalemates, which the book leaves out."""
    known = {number for game, number, _ in rulings() if game in SENTENCES}
    cited = set(re.findall(r"\b[A-Z]\d+\b", " ".join(f"{rule.words} {rule.function}" for rule in RULES)))

    assert cited <= known
    assert known - cited == {"S11"}
