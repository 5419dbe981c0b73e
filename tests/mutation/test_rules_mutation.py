"""Breaks the functions of the rules index one by one: the tests that are said to prove them must fail."""

from __future__ import annotations

import sys
from types import FunctionType

import pytest

from tests.mutation.mutants import Mutant, disabled, small_changes
from tests.mutation.trial import all_tests, notices, rule_test
from tests.support.rules_index import PACKAGES, function_of, headings_and_rules
from tests.support.source_tree import ROOT

pytestmark = [pytest.mark.long, pytest.mark.source]

READERS = "content_"
"""How modules that read packs are named, in any package: what they refuse has tests of its own, in tests/content."""
EQUIVALENT = {
    # a tenth row has no spaces, so it is never full
    ("Spring Meadow", "scoring:full_rows", "rows < ROWS: other comparison"),
    # the first ids are those of taking tiles: the difference to 0 is the sum
    ("Spring Meadow", "turn:ChoosingTile.take", "action_id - TAKE_TILE: other operator"),
    # these only spare work
    ("Spring Meadow", "placement:fits", "forms = tuple(forms): left out"),
    ("Spring Meadow", "placement:fits", "mountain.cleared > 0: other comparison"),
    # the seat after the last one is the first again, which a tie has preferred already
    ("Spring Meadow", "scoring:pin_winner", "1: other value (2)"),
    # the first ids are those of choosing rows
    ("Meadow", "setup:ChoosingRow.take", "action_id - CHOOSE_ROW: other operator"),
    # what is appended is overwritten at once
    ("Meadow", "playing:lay_ground", "0: other value"),
    # hooks for expansions: no part of the base game listens
    ("Meadow", "playing:play", "card_played(state, seat, card.number): left out"),
    ("Meadow", "rounds:EndRound.run", "round_ends(state): left out"),
    # main board and campfire share all places: who comes second is never asked for the first one's
    ("Meadow", "main_board:MainBoard.use_place", "True: other value"),
    ("Meadow", "campfire:Campfire.use_place", "True: other value"),
    # nor is anybody asked after the river
    ("Downstream", "downstream.river_board:RiverBoard.use_place", "True: other value"),
}
"""Changes that no test can notice, with the reason."""

RULES = [rule for rule in headings_and_rules()[1] if rule.is_carried_out]


def unchanged(function: FunctionType) -> Mutant:
    """The function as it is: what every test must pass."""
    return Mutant("unchanged", 0, function.__code__)


def report(capsys: pytest.CaptureFixture[str], lines: list[str]) -> None:
    """Print lines past pytest's capture."""
    with capsys.disabled():
        sys.stdout.write("\n" + "\n".join(lines) + "\n")


def test_every_rule_s_test_fails_without_its_function(capsys: pytest.CaptureFixture[str]) -> None:
    """Disable the function of a row, and the row's own test, which passes otherwise, notices."""
    table, unnoticed = [], []
    for rule in RULES:
        test, function = rule_test(PACKAGES[rule.game], rule.test), function_of(rule)
        assert not notices(test, function, unchanged(function)), f"{rule.test} fails without any mutant"
        for mutant in disabled(function):
            noticed = notices(test, function, mutant)
            table.append(
                f"{rule.place:<28} {rule.function:<34} {mutant.change:<16} {'noticed' if noticed else 'MISSED'}"
            )
            unnoticed += [] if noticed else [table[-1]]
    report(capsys, table)

    assert unnoticed == []


@pytest.mark.parametrize("game", PACKAGES)
def test_small_changes_of_a_rule_fail_some_test(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Change one operator, number, condition or statement of a rule's function, and the tests of the rules notice."""
    folder = ROOT / "tests" / PACKAGES[game]
    rules = [rule for rule in RULES if rule.game == game and READERS not in rule.function.partition(":")[0]]
    functions = {rule.function: function_of(rule) for rule in rules}
    every = [test for file in sorted(folder.glob("test_rules_*.py")) for test in all_tests(folder.name, file.name)]
    mutants, survivors = 0, []
    for name, function in functions.items():
        own = [test for rule in rules if rule.function == name for test in rule_test(folder.name, rule.test)]
        for mutant in small_changes(function):
            mutants += 1
            if (game, name, mutant.change) not in EQUIVALENT and not notices(own + every, function, mutant):
                survivors.append(f"{name:<34} line {mutant.line}: {mutant.change}")
    report(capsys, [f"{mutants} mutants of {len(functions)} functions, {len(survivors)} missed", *survivors])

    assert not survivors
