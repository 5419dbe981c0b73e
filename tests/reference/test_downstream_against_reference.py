"""Games of Downstream on both sides of the river board, played on the engine and on the reference at once."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from tests.reference.downstream_lockstep import river_box
from tests.reference.downstream_pack import OUT_OF_PLAY, RIVER
from tests.reference.downstream_policies import RIVER_POLICIES
from tests.reference.downstream_positions import random_river_position
from tests.reference.downstream_starts import new_river_game
from tests.reference.downstream_table import FACE_DOWN
from tests.reference.meadow_lockstep import Lockstep
from tests.reference.meadow_pack import DECKS

ENVELOPES = "TWXYZ"
SIDES = ("lazy_river", "wild_rapids")
SEATS = (1, 2, 3, 4)
SHORT_GAMES, SHORT_POSITIONS, SHORT_DECISIONS = 2, 8, 50
POSITIONS_A_BOX = 5
LONG_GAMES, LONG_POSITIONS, LONG_DECISIONS = 10, 300, 100

EXTRAS = {
    *("road", "sunset", "river or E", "road or two cards", "face-up card", "beaver dam", "goal"),
    *("S or W", "look at N", "road and face-up card", "pier", "tent"),
}
RARITIES = (
    *(f"{extra}: {what}" for extra in sorted(EXTRAS) for what in ("used", "declined")),
    *(f"{area} {token}" for area in ("pier", "tent") for token in range(FACE_DOWN + 1)),
    *("choose_watery_ground", "take_card", "choose_deck", "trade", "two cards for one", "fork", "shortcut"),
    *("river deck out", "end of the track", "gap on the river", "WaterfallPassed", "RoverOnRiver"),
    *("fish played", "watery ground played", "play during a kayak's move", "ExtraBonusPlaced", "PileCardTaken"),
    *("band 0", "band 1", "band 2", "band 3", "tie", "shared victory"),
)
"""What a long run must have compared at least once."""


def options(seats: int, seed: int) -> dict[str, Any]:
    """Options that differ from seed to seed."""
    chosen: dict[str, Any] = {"envelopes": [letter for bit, letter in enumerate(ENVELOPES) if seed >> bit & 1]}
    chosen["beginners_deal"] = seed % 3 == 0
    return chosen if seats == 1 else chosen | {"first_seat": seed % (seats + 1) - 1}


def play_game(side: str, seats: int, policy: str, seed: int) -> Lockstep:
    """A whole game on both sides."""
    variant = f"downstream_{side}" if seats > 1 else f"downstream_{side}_solo"
    game, questions = new_river_game(variant, seats, seed, options(seats, seed))
    game.play(questions, RIVER_POLICIES[policy], Random(seed))
    return game


def play_position(side: str, seats: int, seed: int, decisions: int) -> Lockstep:
    """So many decisions from a random position, with random cards on a random track."""
    rng = Random(seed)
    policies = list(RIVER_POLICIES.values())
    game, questions = random_river_position(rng, side, seats, seed // POSITIONS_A_BOX)
    game.play(questions, policies[seed % len(policies)], rng, decisions)
    return game


def test_the_reference_reads_the_river_itself() -> None:
    """The reference knows all cards, grounds, piles and the river board without the engine's help."""
    box = river_box()
    papers = [paper for paper in box.box.papers.values() if paper.envelope in ("", "Z")]

    counts = {RIVER: 55 + 6, OUT_OF_PLAY: 8, "": 16} | dict.fromkeys(DECKS, 45 + 3)
    assert Counter(paper.deck for paper in papers) == Counter(counts)
    assert (len(box.starts), len(box.sunset), len(box.dams), len(box.goals)) == (4, 4, 4, 1)
    assert sorted(box.solo_cards) == [f"V{number}" for number in range(1, 7)]


@pytest.mark.parametrize("side", SIDES)
def test_the_notches_of_the_river_run_clockwise(side: str) -> None:
    """The lower row, the upper row, then the columns from right to left: the ring that Rover's tokens follow."""
    notches = river_box().sides[side].notches

    rows = [(4, 5, 6, 7), (0, 1, 2, 3)]
    assert list(notches.values()) == [*rows, *((4 + column, column) for column in (3, 2, 1, 0))]


@pytest.mark.parametrize("seats", SEATS)
@pytest.mark.parametrize("side", SIDES)
def test_engine_and_reference_agree_on_the_river(side: str, seats: int) -> None:
    """Question, legal list, everything on the table, points and end are the same on both sides, all game long."""
    policies = list(RIVER_POLICIES)
    for seed in range(SHORT_GAMES):
        policy = policies[(seats + seed + 3 * SIDES.index(side)) % len(policies)]
        assert play_game(side, seats, policy, 10 * seats + seed).decisions


@pytest.mark.parametrize("seats", SEATS)
@pytest.mark.parametrize("side", SIDES)
def test_engine_and_reference_agree_in_random_positions_on_the_river(side: str, seats: int) -> None:
    """Random tracks, cards and piles give the same questions and the same legal lists on both sides."""
    for seed in range(SHORT_POSITIONS):
        assert play_position(side, seats, 10 * seats + seed, SHORT_DECISIONS).decisions


def long_games() -> Iterator[Lockstep]:
    """The games of the long run."""
    for side in SIDES:
        for seats in SEATS:
            for policy in RIVER_POLICIES:
                for seed in range(1000, 1000 + LONG_GAMES):
                    yield play_game(side, seats, policy, seed)
            for seed in range(1000, 1000 + LONG_POSITIONS):
                yield play_position(side, seats, seed, LONG_DECISIONS)


@pytest.mark.long
def test_engine_and_reference_agree_in_many_games_on_the_river(capsys: pytest.CaptureFixture[str]) -> None:
    """A long run agrees as well, and has met every rarity of the rules at least once."""
    seen: Counter[str] = Counter()
    games = decisions = 0
    for game in long_games():
        seen += game.seen
        games, decisions = games + 1, decisions + game.decisions
    with capsys.disabled():
        sys.stdout.write(
            f"\n{games} games of Downstream, {decisions} decisions compared with the reference: "
            f"{sorted(seen.items())}\n"
        )

    assert [rarity for rarity in RARITIES if not seen[rarity]] == []
