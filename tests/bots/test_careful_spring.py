from __future__ import annotations

from statistics import mean

import pytest
from hypothesis import given
from hypothesis import strategies as st
from meadow_engine import api
from meadow_engine.bots.careful_spring import CAREFUL_SPRING
from meadow_engine.bots.spring_prospect import crowding, prospect
from meadow_engine.spring_meadow.catalogue import CELLS, COLUMNS
from meadow_engine.spring_meadow.state import Mountain

GREEDY = api.bot("greedy", "spring_meadow")


def _play(variant: str, bots: list[api.Bot], seed: int, most: int = 9999) -> api.Game:
    game, dice = api.new_game(variant, seats=len(bots), seed=seed), api.Streams(bytes(32))
    for _ in range(most):
        if (decision := game.decision) is None:
            break
        bot, legal = bots[decision.seat], game.legal_ids()
        chosen = bot.choose(game.view(decision.seat), legal, game.catalogue, dice)
        assert chosen in legal
        game.apply(chosen)
    return game


@given(st.integers(0, (1 << CELLS) - 1))
def test_crowding_counts_neighbours(cells: int) -> None:
    """The bitwise sums say what counting each cell's neighbours one by one says."""

    def has(row: int, column: int) -> bool:
        return row >= 0 and 0 <= column < COLUMNS and bool(cells >> row * COLUMNS + column & 1)

    by_neighbours = [0, 0, 0, 0, 0]
    for row, column in (divmod(cell, COLUMNS) for cell in range(CELLS)):
        if has(row, column):
            beside = has(row + 1, column), has(row - 1, column), has(row, column + 1), has(row, column - 1)
            by_neighbours[sum(beside)] |= 1 << row * COLUMNS + column
    assert crowding(cells) == tuple(by_neighbours[:3])


def test_a_board_promises_more_the_fuller_its_next_row() -> None:
    """Covered spaces in the next row are worth more than those higher up, and lone gaps cost more than wide ones."""
    low, high = Mountain(covered=0b111), Mountain(covered=0b111 << 5 * COLUMNS)
    assert prospect(low, 12) > prospect(high, 12)
    lone, wide = Mountain(covered=0b1111101101 | 0b101 << COLUMNS), Mountain(covered=0b1111110011 | 0b101 << COLUMNS)
    assert prospect(wide, 12) > prospect(lone, 12)


def test_it_plays_legally() -> None:
    """Whatever is asked of it, it answers with a legal action, and always the same."""
    assert _play("spring_meadow_solo", [CAREFUL_SPRING], 3).is_over
    first, again = (_play("spring_meadow", [CAREFUL_SPRING, GREEDY, GREEDY], 3, most=40) for _ in range(2))
    assert first.state_hash() == again.state_hash()


@pytest.mark.long
def test_it_plays_better_than_greedy() -> None:
    """It wins most games of two, and scores far more alone."""
    wins = sum(_play("spring_meadow", [CAREFUL_SPRING, GREEDY], seed).outcome().ranks[0] == 1 for seed in range(20))
    assert wins >= 14
    careful = mean(_play("spring_meadow_solo", [CAREFUL_SPRING], seed).returns()[0] for seed in range(20))
    greedy = mean(_play("spring_meadow_solo", [GREEDY], seed).returns()[0] for seed in range(20))
    assert careful > greedy + 15
