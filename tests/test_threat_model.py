"""docs/threat-model.md: every claim names tests, and they exist."""

from __future__ import annotations

import re
from functools import cache

import pytest

from tests.support.source_tree import ROOT

pytestmark = pytest.mark.source

PAGE = ROOT / "docs" / "threat-model.md"
PROOF = re.compile(r"`(tests/[\w/]+\.py)::(\w+)`( \(long\))?")
SECTIONS = ["Secrecy", "Who may know of a game", "Forging", "Faults", "Abuse"]


def claims() -> dict[str, list[tuple[str, str]]]:
    """Claim and proof of each row, by section."""
    found: dict[str, list[tuple[str, str]]] = {}
    section = ""
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            section = line.removeprefix("## ")
        elif section in SECTIONS and line.startswith("| ") and not line.startswith("| claim"):
            claim, proof = line.strip("| ").split(" | ")
            found.setdefault(section, []).append((claim, proof))
    return found


@cache
def those_in(path: str) -> dict[str, bool]:
    """The tests in a file, and whether each is a long one."""
    text = (ROOT / path).read_text(encoding="utf-8")
    all_long = re.search(r"^pytestmark = (\[\s*)?pytest\.mark\.long", text, re.MULTILINE) is not None
    found = re.finditer(r"((?:^@.*\n(?:^[ )].*\n)*)*)^(?:async )?def (test_\w+)\(", text, re.MULTILINE)
    return {match[2]: all_long or "pytest.mark.long" in match[1] for match in found}


def test_every_section_makes_claims() -> None:
    """The page has its sections, each with several claims."""
    found = claims()
    assert list(found) == SECTIONS
    assert all(len(rows) >= 3 for rows in found.values())


def test_every_claim_is_proved_by_tests_that_exist() -> None:
    """No claim goes without a test, no test named is missing, and the long ones are called long."""
    for rows in claims().values():
        for claim, proof in rows:
            named = PROOF.findall(proof)
            assert named, claim
            assert PROOF.sub("", proof).strip(", ") == "", proof
            for path, name, long in named:
                assert name in those_in(path), f"{path}::{name}"
                assert those_in(path)[name] == bool(long), f"{path}::{name} is {'not ' if long else ''}long"
