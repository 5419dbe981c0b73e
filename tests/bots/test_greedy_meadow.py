"""The greedy bot for Meadow: legal, repeatable, blind to what is hidden, and much better than chance."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count, islice
from random import Random
from statistics import mean

import pytest
from meadow_engine import api
from meadow_engine.bots.greedy_meadow import GREEDY_MEADOW

from tests.engine.families import Case
from tests.engine.secrecy import twin_of

RANDOM = api.bot("random", "meadow")
ENVELOPES = ("T", "U", "W", "X", "Y")
CASES = [
    Case(api.variant("meadow_solo"), 1, {}),
    *(Case(api.variant("meadow"), seats, {}) for seats in (2, 3, 4)),
    Case(api.variant("meadow"), 3, {"envelopes": ENVELOPES}),
    Case(api.variant("downstream_lazy_river"), 2, {"envelopes": ("Z",)}),
    Case(api.variant("downstream_lazy_river_solo"), 1, {}),
    Case(api.variant("downstream_wild_rapids"), 4, {"envelopes": ("W", "Z")}),
    Case(api.variant("downstream_wild_rapids_solo"), 1, {}),
]


def _choice(game: api.Game, bot: api.Bot, dice: api.Streams) -> int:
    assert game.decision is not None
    return bot.choose(game.view(game.decision.seat), game.legal_ids(), game.catalogue, dice)


def _walk(case: Case, seed: int) -> Iterator[api.Game]:
    """A game of greedy bots, before each decision; the dice are others in each call, as it must not matter."""
    game = case.new_game(seed)
    for number in count():
        if game.decision is None:
            break
        yield game
        game.apply(_choice(game, GREEDY_MEADOW, api.Streams(number.to_bytes(32, "big"))))


def _play(variant: str, bots: list[api.Bot], seed: int) -> api.Game:
    game = api.new_game(variant, seats=len(bots), seed=seed)
    dice = api.Streams(seed.to_bytes(32, "big"))
    while (decision := game.decision) is not None:
        game.apply(_choice(game, bots[decision.seat], dice))
    return game


def test_it_is_the_first_version() -> None:
    """The published balance figures are those of this version: a bot that judges otherwise takes the next number."""
    assert (GREEDY_MEADOW.name, GREEDY_MEADOW.version) == ("greedy", 1)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_it_plays_legally(case: Case) -> None:
    """Whatever is asked of it, with any number of seats and with envelopes, it answers with a legal action."""
    kinds = set()
    for game in _walk(case, 3):
        assert game.decision is not None
        kinds.add(game.decision.kind)
        assert _choice(game, GREEDY_MEADOW, api.Streams(bytes(32))) in game.legal_ids()
    assert len(kinds) >= 6


@pytest.mark.parametrize("case", CASES[:2], ids=str)
def test_it_chooses_without_dice(case: Case) -> None:
    """The same view gets the same answer, whatever the dice are."""
    games = [[game.state_hash() for game in _walk(case, seed)] for seed in (4, 4, 5)]
    assert games[0] == games[1] != games[2]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_it_does_not_see_what_is_hidden(case: Case) -> None:
    """With the zones it cannot see rearranged, it chooses the same; every hidden zone was rearranged at least once."""
    random, swapped = Random(6), set[str]()
    for game in islice(_walk(case, 6), 0, None, 4):
        assert game.decision is not None
        twin, zones = twin_of(case, game, (game.decision.seat,), random)
        swapped |= zones
        dice = api.Streams(bytes(32))
        assert _choice(game, GREEDY_MEADOW, dice) == _choice(twin, GREEDY_MEADOW, dice)
    assert swapped == set(case.variant.hidden_zones)


def test_it_beats_chance_at_a_table() -> None:
    """It wins nearly every game against random bots, wherever it sits."""
    wins = 0
    for seed in range(12):
        seats = 2 + seed % 3
        seat = seed % seats
        bots = [GREEDY_MEADOW if place == seat else RANDOM for place in range(seats)]
        wins += _play("meadow", bots, seed).outcome().ranks[seat] == 1
    assert wins >= 11


@pytest.mark.parametrize("variant", ["downstream_lazy_river", "downstream_wild_rapids"])
def test_it_paddles(variant: str) -> None:
    """On the river it beats chance at a table, and its kayak goes further."""
    for seed in range(3):
        game = _play(variant, [GREEDY_MEADOW, RANDOM, RANDOM], seed)
        kayaks = game.view(None).river.kayaks
        assert game.outcome().ranks[0] == 1
        assert kayaks[0] > max(kayaks[1:])


def test_it_beats_chance_alone() -> None:
    """Its mean solo score is in the middle bands of the table; random's is far below."""
    greedy, random = (
        mean(_play("meadow_solo", [bot], seed).returns()[0] for seed in range(8)) for bot in (GREEDY_MEADOW, RANDOM)
    )
    assert 40 <= greedy < 60
    assert greedy > random + 15
