"""Games of every variant, option and seat count, played on the engine and on the brute-force reference at once."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from meadow_engine import api

from tests.reference.lockstep import Lockstep, contents
from tests.reference.odd_start import OddStart
from tests.reference.policies import POLICIES

SHORT_SEEDS, LONG_SEEDS = 4, 60
FACES = ["1B", "2A", "3B", "4A"]

TABLES: list[tuple[str, int, dict[str, Any]]] = [
    *(("spring_meadow", seats, {"expert": expert}) for seats in (2, 3, 4) for expert in (False, True)),
    ("spring_meadow_solo", 1, {}),
    ("spring_meadow_campaign", 1, {}),
]
"""Variant, seats and options; half the games also name who starts and the faces."""

RARITIES = (
    *("choose_tile", "place_tile", "place_marmot", "choose_rock", "place_rock", "choose_board"),
    *("MarmotsCovered", "QueueExtended", "MapRefilled", "NO_TILE", "NONE_FITS", "stalemate", "tie", "RockDropped"),
    *("rock of 1", "rock of 2", "rock of 3", "rock of 4", "RowsCompleted", "rows at once", "24 turns", "5 tiles left"),
    *("2 scorings", "3 scorings", "4 scorings", "5 scorings"),
)
"""What a long run must have compared at least once."""


def play(variant: str, seats: int, options: dict[str, Any], policy: str, seed: int) -> Lockstep:
    """One game on both sides: odd seeds name faces and start player, even ones begin oddly."""
    if seed % 2:
        options = options | {"faces": FACES[-1:] if variant.endswith("solo") else FACES[: seats if seats > 1 else 4]}
        if seats > 1:
            options |= {"first_seat": seed % seats}
    odd = None
    if seed % 4 == 2:
        odd = OddStart(box=seed % 60, gaps=seed % 7 * 2)
    if seed % 4 == 0:
        odd = OddStart(box=seed % 30, snow=seed % 10 / 20)
    game = Lockstep(api.new_game(variant, seats=seats, seed=seed, options=options), odd)
    game.play(POLICIES[policy], Random(seed))
    return game


def test_the_reference_reads_the_pack_itself() -> None:
    """The reference knows all 100 tiles, five rocks and eight faces without the engine's help."""
    box = contents()

    assert sum(kind.copies for kind in box.kinds) == 100
    assert sorted(len(rock) for rock in box.rocks) == [1, 2, 3, 3, 4]
    assert len(box.faces) == len(set(box.burrows)) == 8


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize(("variant", "seats", "options"), TABLES)
def test_engine_and_reference_agree_at_each_decision(
    variant: str, seats: int, options: dict[str, Any], policy: str
) -> None:
    """Question, legal list, boards, map, points, pins and end are the same on both sides, all game long."""
    for seed in range(1, 1 + SHORT_SEEDS):
        assert play(variant, seats, options, policy, seed).decisions


def long_games() -> Iterator[Lockstep]:
    """The games of the long run."""
    for variant, seats, options in TABLES:
        for policy in POLICIES:
            for seed in range(1000, 1000 + LONG_SEEDS):
                yield play(variant, seats, options, policy, seed)


@pytest.mark.long
def test_engine_and_reference_agree_in_many_games(capsys: pytest.CaptureFixture[str]) -> None:
    """A long run agrees as well, and has met every rarity of the rules at least once."""
    seen: Counter[str] = Counter()
    games = decisions = 0
    for game in long_games():
        seen += game.seen
        games, decisions = games + 1, decisions + game.decisions
    with capsys.disabled():
        sys.stdout.write(
            f"\n{games} games, {decisions} decisions compared with the reference: {sorted(seen.items())}\n"
        )

    assert [rarity for rarity in RARITIES if not seen[rarity]] == []
