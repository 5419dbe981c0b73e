"""Games of Meadow of every variant, option and seat count, played on the engine and on the reference at once."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from tests.reference.meadow_lockstep import Lockstep, box
from tests.reference.meadow_pack import DECKS
from tests.reference.meadow_policies import POLICIES
from tests.reference.meadow_positions import random_position
from tests.reference.meadow_starts import new_game

ENVELOPES = "TUWXY"
SEATS = (1, 2, 3, 4)
SHORT_GAMES, SHORT_POSITIONS, SHORT_DECISIONS = 2, 16, 40
POSITIONS_A_BOX = 5
LONG_GAMES, LONG_POSITIONS, LONG_DECISIONS = 20, 150, 100

RARITIES = (
    *("choose_row", "choose_ground", "place_token", "choose_spot", "play_card", "discard", "campfire", "keep_card"),
    *("put_under", "empty spot", "roads short", "deck short", "HalfwayReached", "goal with cards left to play"),
    *("ground played", "observation played", "landscape played", "discovery played"),
    *("arrows played", "slash played", "encounter played", "ignored symbols"),
    *("Rover's token discarded", "nothing for Rover", "band 0", "band 1", "band 2", "band 3", "band 4"),
    *("tie", "shared victory"),
)
"""What a long run must have compared at least once."""


def options(seats: int, seed: int) -> dict[str, Any]:
    """Options that differ from seed to seed."""
    chosen: dict[str, Any] = {"envelopes": [letter for bit, letter in enumerate(ENVELOPES) if seed >> bit & 1]}
    chosen["beginners_deal"] = seed % 3 == 0
    return chosen if seats == 1 else chosen | {"first_seat": seed % (seats + 1) - 1}


def play_game(seats: int, policy: str, seed: int) -> Lockstep:
    """A whole game on both sides."""
    variant = "meadow" if seats > 1 else "meadow_solo"
    game, questions = new_game(variant, seats, seed, options(seats, seed))
    game.play(questions, POLICIES[policy], Random(seed))
    return game


def play_position(seats: int, policy: str, seed: int, decisions: int) -> Lockstep:
    """So many decisions from a random position with random cards."""
    rng = Random(seed)
    game, questions = random_position(rng, seats, seed // POSITIONS_A_BOX, rng.choice((3, 10)))
    game.play(questions, POLICIES[policy], rng, decisions)
    return game


def test_the_reference_reads_the_pack_itself() -> None:
    """The reference knows all cards, starting cards and goal tokens without the engine's help."""
    papers = box().papers.values()

    assert Counter(paper.deck for paper in papers if not paper.envelope) == Counter(dict.fromkeys(DECKS, 45) | {"": 8})
    assert Counter(paper.envelope for paper in papers if paper.envelope) == dict.fromkeys(ENVELOPES, 6)
    assert len(box().starts) == 4
    assert len(box().goals) == 12


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("seats", SEATS)
def test_engine_and_reference_agree_in_whole_games(seats: int, policy: str) -> None:
    """Question, legal list, everything on the table, points and end are the same on both sides, all game long."""
    for seed in range(SHORT_GAMES):
        assert play_game(seats, policy, 10 * seats + len(policy) + seed).decisions


@pytest.mark.parametrize("seats", SEATS)
def test_engine_and_reference_agree_in_random_positions(seats: int) -> None:
    """Random meadows, hands and requirements give the same legal lists on both sides."""
    for seed in range(SHORT_POSITIONS):
        policy = list(POLICIES)[seed % len(POLICIES)]
        assert play_position(seats, policy, seed, SHORT_DECISIONS).decisions


def long_games() -> Iterator[Lockstep]:
    """The games of the long run."""
    for seats in SEATS:
        for policy in POLICIES:
            for seed in range(1000, 1000 + LONG_GAMES):
                yield play_game(seats, policy, seed)
            for seed in range(1000, 1000 + LONG_POSITIONS):
                yield play_position(seats, policy, seed, LONG_DECISIONS)


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
            f"\n{games} games of Meadow, {decisions} decisions compared with the reference: {sorted(seen.items())}\n"
        )

    assert [rarity for rarity in RARITIES if not seen[rarity]] == []
