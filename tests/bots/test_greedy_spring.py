"""The greedy bot for Spring Meadow: legal, repeatable, blind to what is hidden, much better than chance, and frozen."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from hashlib import sha256
from itertools import count, islice
from random import Random
from statistics import mean, stdev

import pytest
from meadow_engine import api
from meadow_engine.bots.greedy_spring import GREEDY_SPRING, choose_greedily
from meadow_engine.spring_meadow import notation
from meadow_engine.spring_meadow.actions import action_space
from meadow_engine.spring_meadow.view import spring_view

from tests.engine.families import Case
from tests.engine.secrecy import twin_of
from tests.spring_meadow.scene import Scene, scene
from tests.support.frozen import frozen_pack

RANDOM = api.bot("random", "spring_meadow")
CASES = [
    Case(api.variant("spring_meadow_solo"), 1, {}),
    Case(api.variant("spring_meadow_campaign"), 1, {}),
    *(Case(api.variant("spring_meadow"), seats, {}) for seats in (2, 3, 4)),
    Case(api.variant("spring_meadow"), 3, {"expert": True}),
]
CHOICES_OF_VERSION_2 = "079e6b90a5636c890bf44d77e207c943aa396a917478d24ad8dde06dd3c605df"


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
        game.apply(_choice(game, GREEDY_SPRING, api.Streams(number.to_bytes(32, "big"))))


def _play(variant: str, bots: list[api.Bot], seed: int, pack: api.Pack | None = None) -> tuple[api.Game, list[int]]:
    """A finished game, and the actions it took."""
    game, taken = api.new_game(variant, seats=len(bots), seed=seed, pack=pack), []
    dice = api.Streams(seed.to_bytes(32, "big"))
    while (decision := game.decision) is not None:
        taken.append(_choice(game, bots[decision.seat], dice))
        game.apply(taken[-1])
    return game, taken


def _answer(game: Scene) -> str:
    """What the bot does in a scene, as text."""
    space, view = action_space(game.catalogue), spring_view(game.state)
    legal = sorted(space.action_id(notation.parse_action(game.catalogue, text)) for text in game.legal())
    chosen = choose_greedily(view, legal, game.catalogue, api.Streams(bytes(32)))
    return notation.action_text(game.catalogue, space.action(chosen))


# ---- what a bot must be


@pytest.mark.parametrize("case", CASES, ids=str)
def test_it_plays_legally(case: Case) -> None:
    """Whatever is asked of it, with any number of seats, alone and in a campaign, it answers with a legal action."""
    kinds = set()
    for game in _walk(case, 3):
        assert game.decision is not None
        kinds.add(game.decision.kind)
        assert _choice(game, GREEDY_SPRING, api.Streams(bytes(32))) in game.legal_ids()
    assert kinds >= {"choose_tile", "place_tile", "place_rock"}


def test_it_plays_on_from_any_position() -> None:
    """Taking over from random players, in the middle of a turn too, it answers legally."""
    kinds = set()
    for seed in range(2):
        game, dice = api.new_game("spring_meadow", seats=4, seed=seed), api.Streams(seed.to_bytes(32, "big"))
        while (decision := game.decision) is not None:
            if seed % 2 or decision.kind != "choose_tile":
                assert _choice(game, GREEDY_SPRING, dice) in game.legal_ids()
                kinds.add(decision.kind)
            game.apply(_choice(game, RANDOM, dice))
    assert kinds >= {"choose_tile", "place_tile", "place_marmot", "place_rock"}


@pytest.mark.parametrize("case", [CASES[0], CASES[2]], ids=str)
def test_it_chooses_without_dice(case: Case) -> None:
    """The same view gets the same answer, whatever the dice are; another deal gets others."""
    games = [[game.state_hash() for game in _walk(case, seed)] for seed in (4, 4, 5)]
    assert games[0] == games[1] != games[2]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_it_does_not_see_what_is_hidden(case: Case) -> None:
    """With the box rearranged, and in a determinized copy, it chooses the same."""
    random, swapped = Random(6), set[str]()
    for number, game in enumerate(islice(_walk(case, 6), 0, None, 4)):
        assert game.decision is not None
        seat = game.decision.seat
        twin, zones = twin_of(case, game, (seat,), random)
        swapped |= zones
        chosen = _choice(game, GREEDY_SPRING, api.Streams(bytes(32)))
        for copy in (twin, game.determinize(seat, number)):
            assert _choice(copy, GREEDY_SPRING, api.Streams(bytes(32))) == chosen
    assert swapped == set(case.variant.hidden_zones)


@pytest.mark.hash_seed
def test_version_2_is_frozen() -> None:
    """Published figures are those of version 2: a bot that chooses otherwise in these games takes the next number."""
    assert (GREEDY_SPRING.name, GREEDY_SPRING.version) == ("greedy", 2)
    games = [("spring_meadow_solo", 1), ("spring_meadow", 2), ("spring_meadow", 3)]
    taken = [_play(variant, [GREEDY_SPRING] * seats, 1, frozen_pack())[1] for variant, seats in games]
    assert sha256(repr(taken).encode()).hexdigest() == CHOICES_OF_VERSION_2


# ---- what it sees in a position


def test_it_closes_the_last_gap_of_a_row() -> None:
    """Of all places for a rock of two spaces, it takes the upright one that completes the lowest row."""
    game = scene("1 ####.#####\n2 oo........", "", path="#o --- ## ## ##").do("take 0", "tile 2 c2")
    assert _answer(game) == "place 2 1 e1"


def test_it_begins_with_the_rock_that_fits_best() -> None:
    """Asked which of two rocks comes first, it names one of them; both gaps of the lowest rows get closed."""
    game = scene("1 ####.#####\n2 ########..\n3 oo........", "", path="#o ## ## ## ##", start=(2, 0))
    game.do("take 0", "tile 2 c3")
    assert game.asks == "0 choose_rock"
    while game.asks in ("0 choose_rock", "0 place_rock"):
        game.do(_answer(game))
    assert game.board().splitlines()[-2:] == ["2 ##########", "1 ##########"]


def test_it_takes_the_tile_that_completes_rows() -> None:
    """Of the tiles of the path it takes the one that fills the rest of two rows."""
    game = scene("1 ########..\n2 ########..", "", path="### ##/## #o# ## ###o")
    assert _answer(game) == "take 5"
    assert _answer(game.do("take 5")) == "tile 0 i1"


@pytest.mark.parametrize(("mine", "other", "brought"), [(3, 1, True), (1, 3, False)], ids=["ahead", "behind"])
def test_it_brings_a_scoring_phase_if_it_wins_it(mine: int, other: int, brought: bool) -> None:
    """Of equal tiles it takes the one whose leaving triggers a scoring phase if it is ahead, another if behind."""
    boards = ["\n".join(f"{row} ##########" for row in range(1, rows + 1)) for rows in (mine, other)]
    # the last path is the first row of the map; on the next one, column 1, three tiles are left
    hiking_map = "### ### ### ### ###  ## ## ## ## ##  --- ## ## ## ##  --- ## ## ## ##  ## ## ## ## ##"
    answer = _answer(scene(*boards, signpost=19, hiking_map=hiking_map))
    assert (answer == "take 0") == brought


# ---- strength


def test_it_beats_chance_at_a_table() -> None:
    """It wins against random bots, wherever it sits."""
    for seed in range(9):
        seats = 2 + seed % 3
        seat = seed % seats
        bots = [GREEDY_SPRING if place == seat else RANDOM for place in range(seats)]
        game, _ = _play("spring_meadow", bots, seed)
        assert game.outcome().ranks[seat] == 1


def test_it_plays_well_alone() -> None:
    """Its mean solo score is not far from a good game's; random's is nowhere near."""
    greedy, random = (
        mean(_play("spring_meadow_solo", [bot], seed, frozen_pack())[0].returns()[0] for seed in range(8))
        for bot in (GREEDY_SPRING, RANDOM)
    )
    assert greedy > 115
    assert greedy > random + 60


@pytest.mark.long
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_it_wins_nearly_every_game_against_chance(seats: int, capsys: pytest.CaptureFixture[str]) -> None:
    """At least 95 of 100 games with random bots on all the other seats."""
    wins = 0
    for seed in range(100):
        bots = [GREEDY_SPRING if place == seed % seats else RANDOM for place in range(seats)]
        wins += _play("spring_meadow", bots, seed)[0].outcome().ranks[seed % seats] == 1
    with capsys.disabled():
        sys.stdout.write(f"\ngreedy against {seats - 1} random: {wins} of 100\n")
    assert wins >= 95


@pytest.mark.long
def test_it_plays_well_alone_in_many_games(capsys: pytest.CaptureFixture[str]) -> None:
    """The mean of a hundred solo games, printed with its standard error."""
    points = [_play("spring_meadow_solo", [GREEDY_SPRING], seed, frozen_pack())[0].returns()[0] for seed in range(100)]
    with capsys.disabled():
        sys.stdout.write(f"\nsolo: {mean(points):.1f}, standard error {stdev(points) / 10:.1f}\n")
    assert mean(points) > 120
