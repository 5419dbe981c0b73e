"""End of Game and Scoring."""

from __future__ import annotations

from meadow_engine.meadow.events import GameEnded

from tests.meadow.scene import FAMILY, Scene, scene

LAST = "tokens 1"
"""A seat with one token left in the last round."""


def ended(*players: str) -> Scene:
    """A game of two or three of which every seat places its last token and does nothing else."""
    lasts = [f"tokens 1 {player}" if player.startswith("bonuses") else f"tokens 1\n{player}" for player in players]
    return scene(*lasts, round_number=6).finish_round()


def ranks(game: Scene) -> tuple[int, ...]:
    """The ranks of the seats."""
    return FAMILY.outcome(game.state).ranks


def test_the_game_ends_with_the_last_round_s_last_turn() -> None:
    """Then nothing is asked any more."""
    game = scene(LAST, LAST, round_number=6).do("token 1 L1", "pass", "token 1 L2")
    assert not game.happened(GameEnded)
    game.do("pass")

    assert (len(game.happened(GameEnded)), game.asks) == (1, "end")


def test_points_come_from_cards_and_bonus_tokens() -> None:
    """Meadow, landscapes, discoveries and goals are added up."""
    game = ended(
        "bonuses 2\ncolumn sands paw(sands)3\nlandscape landscape()2 discovery()4", "column rocks bird(rocks)1"
    )

    assert game.points(0) == {"meadow": 3, "landscapes": 2, "discoveries": 4, "goals": 5}
    assert game.points(1) == {"meadow": 1}
    assert [seat.total for seat in game.sheet().seats] == [14, 1]
    assert FAMILY.returns(game.state) == (14, 1)


def test_all_cards_of_the_play_area_count() -> None:
    """Covered observations and landscapes under discoveries too."""
    game = ended(
        "column sands paw(sands)3 bird(paw)1 frog(bird)2\ncolumn rocks larva(rocks)1\n"
        "landscape landscape()2 discovery()4\nlandscape landscape()1",
        "",
    )

    assert game.points() == {"meadow": 7, "landscapes": 3, "discoveries": 4}


def test_cards_in_hand_count_nothing() -> None:
    """Though they have points printed on them."""
    assert ended("hand paw(bird)4 landscape()3\ncolumn sands paw(sands)3", "").points() == {"meadow": 3}


def test_a_bonus_token_counts_its_value() -> None:
    """2 for the first, 2 and 3 for two, 2, 3 and 4 for three."""
    assert [ended(f"bonuses {placed}", "").points() for placed in (1, 2, 3)] == [
        {"goals": 2},
        {"goals": 5},
        {"goals": 9},
    ]


def test_unused_bonus_tokens_count_nothing() -> None:
    """Whoever placed one of three has the points of that one, whoever placed none has none."""
    assert ended("bonuses 1", "").points() == {"goals": 2}
    assert ended("bonuses 0", "").points() == {}


def test_the_most_points_win() -> None:
    """And the other seats rank by theirs."""
    game = ended("column sands paw(sands)3", "column rocks bird(rocks)4", "column grass frog(grass)1")

    assert ranks(game) == (2, 1, 3)


def test_a_tie_goes_to_the_seat_with_more_discoveries() -> None:
    """Discovery cards played, whatever they are worth (M32)."""
    one = "column sands paw(sands)2\nlandscape landscape()1 discovery()0"
    game = ended("column rocks bird(rocks)3", one, "column grass frog(grass)2")

    assert [seat.total for seat in game.sheet().seats] == [3, 3, 2]
    assert ranks(game) == (2, 1, 3)
    assert [seat.discoveries for seat in game.sheet().seats] == [0, 1, 0]


def test_a_tie_in_both_is_a_shared_victory() -> None:
    """Both are first, the next one is third (M32)."""
    game = ended("column rocks bird(rocks)3", "column sands paw(sands)3", "column grass frog(grass)2")

    assert ranks(game) == (1, 1, 3)
