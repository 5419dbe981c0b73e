"""Text forms of actions and spaces, and the drawing of a view."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from meadow_engine import api
from meadow_engine.spring_meadow import notation
from meadow_engine.spring_meadow.catalogue import COLUMNS, ROWS
from meadow_engine.spring_meadow.notation import board_lines, parse_space, space_name
from meadow_engine.spring_meadow.view import spring_view

from tests.spring_meadow.boards import symbols
from tests.spring_meadow.scene import scene

GAME = api.new_game("spring_meadow", seats=2, seed=0)
WORDS = ["take", "tile", "marmot", "rock", "place", "board", "start", "earned", "3L", "1A", "0", "7", "-1", "9999"]
WORDS += ["a1", "j9", "k1", "a0", "a10", "aa", "", "é", "٣", "1_0", "+1"]


def test_spaces_are_named_like_a_chessboard() -> None:
    """Columns a to j from the left, rows 1 to 9 from the start edge."""
    assert (space_name(0, 0), space_name(3, 2), space_name(8, 9)) == ("a1", "c4", "j9")


@given(st.integers(0, ROWS - 1), st.integers(0, COLUMNS - 1))
def test_a_spaces_name_leads_back_to_it(row: int, column: int) -> None:
    """Every space has one name, and the name one space."""
    assert parse_space(space_name(row, column)) == (row, column)


@pytest.mark.parametrize("text", ["", "a", "1", "a0", "a10", "k1", "A1", "a-1", "a1 ", " a1", "a²", "a٣", "é1", "aa"])
def test_what_is_no_space_is_refused(text: str) -> None:
    """Nothing but a letter a to j and a digit 1 to 9 names a space."""
    with pytest.raises(api.BadNotation):
        parse_space(text)


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("take 7", api.spring_actions.TakeTile(7)),
        ("tile 3 c4", api.spring_actions.PlaceTile(3, 3, 2)),
        ("marmot j9", api.spring_actions.PlaceMarmot(8, 9)),
        ("rock start 2", api.spring_actions.ChooseRock(start=True, size=2)),
        ("rock earned 3", api.spring_actions.ChooseRock(start=False, size=3)),
        ("place 3L 1 c4", api.spring_actions.PlaceRock(3, 1, 3, 2)),
        ("board 2B", api.spring_actions.ChooseBoard(3)),
    ],
)
def test_each_action_has_the_documented_form(text: str, action: object) -> None:
    """The forms are those the module describes."""
    action_id = GAME.action_id(action)
    assert GAME.parse_action(text) == action_id
    assert GAME.action_text(action_id) == text


@given(st.lists(st.sampled_from(WORDS), max_size=5).map(" ".join) | st.text(max_size=20))
def test_any_text_is_an_action_or_is_refused(text: str) -> None:
    """Whatever somebody types is an action of the space, or is refused by an error of the engine."""
    try:
        action_id = GAME.parse_action(text)
    except (api.BadNotation, api.IllegalAction):
        return
    assert 0 <= action_id < GAME.action_space.size
    assert GAME.parse_action(GAME.action_text(action_id)) == action_id


def test_equivalent_forms_of_a_rock_are_one_action() -> None:
    """A rock turned into itself may be named by any of its symmetry indices; it is written with the lowest."""
    straight = GAME.parse_action("place 2 2 c4")
    assert straight == GAME.parse_action("place 2 0 c4")
    assert GAME.action_text(straight) == "place 2 0 c4"


@given(symbols)
def test_a_board_is_drawn_space_by_space(drawn: str) -> None:
    """Each space of a board has the character of what lies there, the start edge at the bottom."""
    rows = [drawn[start : start + COLUMNS] for start in range(0, len(drawn), COLUMNS)]
    text = "\n".join(f"{number} {row}" for number, row in enumerate(rows, start=1))
    board = scene(text, "1 ..........").state.mountains[0]
    lines = board_lines(_view_of(board))
    assert lines == [f"{number} {rows[number - 1]}" for number in range(ROWS, 0, -1)]


def _view_of(board: object) -> api.spring_views.MountainView:
    """The view of one board."""
    state = GAME.state.clone()
    state.mountains[0] = board
    return spring_view(state).mountains[0]


def test_a_views_text_tells_what_is_on_the_table() -> None:
    """Map, queue, boards, scores and what has to be chosen are there for people and language models."""
    game = api.new_game("spring_meadow", seats=3, seed=1, options={"expert": True})
    text = game.text()
    names = {kind.id for kind in game.catalogue.tiles}
    assert sum(word in names for word in text.split()) == 25 + 20
    assert text.count("seat ") >= 3
    assert text.rstrip().splitlines()[-1] == f"seat {game.view().active}: choose_tile"
    while not game.is_over:
        game.apply(game.legal_ids()[0])
    assert "game over" in game.text()
    assert "scoring" in game.text()


def test_each_kind_of_space_has_its_own_character() -> None:
    """Seven kinds of spaces, seven characters."""
    marks = ["SNOW", "BURROW", "COVERED", "HOLE", "CLEARED", "MARMOT", "COVERED_BURROW"]
    assert len({getattr(notation, mark) for mark in marks}) == len(marks)
