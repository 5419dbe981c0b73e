"""What the greedy bot expects of the next scoring phase."""

from __future__ import annotations

from meadow_engine.bots.spring_stakes import PIN, Stakes
from meadow_engine.bots.spring_worth import POINT, Board
from meadow_engine.spring_meadow.state import NONE
from meadow_engine.spring_meadow.view import spring_view

from tests.spring_meadow.scene import scene

WHOLE_PIN = round(POINT * PIN)
THREE_ROWS = "1 ##########\n2 ##########\n3 ##########"
NEXT_PATH_SHORT = "## ## ## ## ##  ## --- ## ## ##  ## --- ## ## ##  ## --- ## ## ##  ## ## ## ## ##"
"""Column 2, the next seat's path, has two tiles left: a scoring phase with two players."""


def stake(mine: str, other: str, *, pins: tuple[int, ...] = (), hiking_map: str = NEXT_PATH_SHORT) -> int:
    """What seat 0 expects at the end of a turn that leaves its board as it is."""
    game = scene(mine, other, pins=pins, hiking_map=hiking_map)
    view = spring_view(game.state)
    return Stakes(view, 0, game.catalogue, 3).worth(Board.of(view.mountains[0]), NONE, 0)


def test_a_scoring_phase_that_comes_now_is_won_or_lost() -> None:
    """If the next seat's path has too few tiles, the pin is certain for the better board; the other one loses it."""
    assert stake(THREE_ROWS, "") == WHOLE_PIN
    assert stake("", THREE_ROWS) == -WHOLE_PIN


def test_the_next_seat_has_the_picnic_and_loses_ties() -> None:
    """Two points more than the next seat's board are enough, one point is not."""
    assert stake("1 ###.......", "1 #.........") == WHOLE_PIN
    assert stake("1 ##........", "1 #.........") == -WHOLE_PIN


def test_the_second_pin_is_worth_twice_the_first() -> None:
    """A pin that wins the game counts double, for whoever wins it."""
    assert stake(THREE_ROWS, "", pins=(1, 0)) == 2 * WHOLE_PIN
    assert stake("", THREE_ROWS, pins=(0, 1)) == -2 * WHOLE_PIN


def test_a_full_map_holds_no_scoring_phase() -> None:
    """With all tiles on the map nothing is at stake before the next turn."""
    assert stake(THREE_ROWS, "", hiking_map=" ".join(["##"] * 25)) == 0


def test_taking_a_tile_can_bring_the_scoring_phase() -> None:
    """The space a tile is taken from counts: three tiles on the next path become two."""
    game = scene(THREE_ROWS, "", hiking_map=NEXT_PATH_SHORT.replace("## --- ## ## ##", "## ## ## ## ##", 1))
    view = spring_view(game.state)
    stakes, board = Stakes(view, 0, game.catalogue, 3), Board.of(view.mountains[0])
    assert stakes.worth(board, 1, 0) == WHOLE_PIN
    assert stakes.worth(board, NONE, 0) < WHOLE_PIN
