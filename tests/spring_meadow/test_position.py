"""Positions written as text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from meadow_engine import api
from meadow_engine.spring_meadow.state import Mountain

from tests.spring_meadow.boards import symbols, symbols_of
from tests.support.frozen import frozen_pack

TILES = [kind.id for kind in api.catalogue("spring_meadow", frozen_pack()).tiles]  # type: ignore[attr-defined]
SNOW_BOARD = "." * 90
FULL_MAP = TILES[:25]


def position(
    boards: list[str],
    hiking_map: list[str] | None = None,
    *,
    box: str = "",
    queue: str | None = None,
    head: str = "active 0 signpost 0 turn 5",
    faces: str = "1A",
) -> str:
    """The text of a position; boards as 90 characters, row 0 first."""
    spaces = hiking_map or FULL_MAP
    lines = [f"spring_meadow seats {len(boards)} {head}"]
    lines += ["map " + " ".join(spaces[start : start + 5]) for start in range(0, 25, 5)]
    lines += [f"box {box}"] if box else []
    lines += [f"queue {queue}"] if queue is not None else []
    for board in boards:
        lines.append(f"board {faces}")
        lines += [f"{row + 1} {board[10 * row : 10 * row + 10]}" for row in reversed(range(9))]
    return "\n".join(lines)


def parsed(text: str) -> api.Game:
    """The game of a position."""
    return api.parse_position(text, frozen_pack())


@given(st.lists(symbols, min_size=2, max_size=4), st.permutations(TILES).map(lambda order: order[:30]))
def test_a_position_is_read_as_it_is_written(boards: list[str], tiles: list[str]) -> None:
    """Boards, map and box come back as they stand in the text."""
    game = parsed(position(boards, tiles[:25], box=" ".join(tiles[25:])))
    state, names = game.state, game.catalogue.tiles
    assert [symbols_of(board) for board in state.mountains] == boards
    assert [names[tile].id for tile in state.meadow_map] == tiles[:25]
    assert [names[tile].id for tile in state.box.items] == tiles[25:]


def test_the_head_says_whose_turn_it_is_where() -> None:
    """Active seat, signpost, turn and turns without a tile are taken from the first line."""
    view = parsed(position([SNOW_BOARD] * 3, head="active 2 signpost 7 turn 11 idle 3")).view()
    assert (view.seats, view.active, view.path, view.turn) == (3, 2, 7, 11)
    assert view.pending.seat == 2
    assert view.pending.kind == "choose_tile"


def test_pins_and_start_rocks_stand_beside_the_face() -> None:
    """What a seat has besides its board follows the name of the face."""
    text = position([SNOW_BOARD] * 2, faces="2B pins 1 start 3")
    boards = parsed(text).view().mountains
    assert [(board.pins, board.start_rock) for board in boards] == [(1, 3), (1, 3)]
    assert parsed(text).catalogue.faces[boards[0].face].id == "2B"


def test_a_queue_makes_it_the_expert_variant() -> None:
    """With a line for the queue, refills come from it; an empty one is a queue too."""
    assert parsed(position([SNOW_BOARD] * 2, queue="T01 T02")).view().queue == (0, 1)
    assert parsed(position([SNOW_BOARD] * 2, queue="")).view().expert
    assert not parsed(position([SNOW_BOARD] * 2)).view().expert


def test_one_board_is_a_solo_game_with_its_full_rows_scored() -> None:
    """Rows that are full at the beginning do not score again."""
    game = parsed(position(["#" * 20 + "." * 70], head="signpost 8"))
    assert game.variant.id == "spring_meadow_solo"
    assert [row.value for row in game.view().solo.rows] == [0, 0]
    assert game.view().turn == 9


def test_a_position_goes_on_as_a_game() -> None:
    """The game of a position is played, encoded, decoded and cloned like any other."""
    game = parsed(position([SNOW_BOARD] * 2, box=" ".join(TILES)))
    again = api.decode(game.encode(), frozen_pack())
    while not game.is_over:
        action_id = game.legal_ids()[-1]
        assert again.apply(action_id) == game.apply(action_id)
    assert again.encode() == game.encode()


GOOD = position([SNOW_BOARD] * 2, box="T01", queue="T02")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("spring_meadow", "winter_meadow"),
        ("seats 2", "seats 3"),
        ("seats 2", "seats 0"),
        ("seats 2", "seats 5"),
        ("seats 2", "seats two"),
        ("seats 2", "seats"),
        ("seats 2", "chairs 2"),
        ("active 0", "active 2"),
        ("active 0", "active -1"),
        ("signpost 0", "signpost 20"),
        ("turn 5", "turn 0"),
        ("turn 5", "turn " + "9" * 5000),
        ("turn 5", "turn ٣"),
        ("map T01", "map T99"),
        ("map T01 ", "map "),
        ("map T01", "map T01 T01"),
        ("map", "mop"),
        ("box T01", "box T00"),
        ("box T01", "box ---"),
        ("queue T02", "queue ---"),
        ("board 1A", "board 9Z"),
        ("board 1A", "board"),
        ("board 1A", "board 1A pins 2"),
        ("board 1A", "board 1A start 4"),
        ("board 1A", "board 1A luck 1"),
        ("9 ..........", "9 ........."),
        ("9 ..........", "9 .........?"),
        ("9 ..........", "8 .........."),
        ("9 ..........", ""),
    ],
)
def test_what_is_wrong_in_a_position_is_refused(old: str, new: str) -> None:
    """A misspelt word, a number out of range, a missing or surplus entry is BadNotation, never something half right."""
    parsed(GOOD)
    assert old in GOOD
    with pytest.raises(api.BadNotation):
        parsed(GOOD.replace(old, new, 1))


@given(st.integers(0, len(GOOD) - 1), st.integers(0, 12), st.text(max_size=6))
def test_a_damaged_position_is_read_or_refused(start: int, length: int, between: str) -> None:
    """Whatever is cut out of a position or typed into it: it is a game then, or BadNotation."""
    try:
        game = parsed(GOOD[:start] + between + GOOD[start + length :])
    except api.BadNotation:
        return
    assert game.is_over or game.legal_ids()
    game.view()


@pytest.mark.parametrize("text", ["", " \n ", "\n\n", "spring_meadow"])
def test_an_empty_position_is_refused(text: str) -> None:
    """There is no position without a map and boards."""
    with pytest.raises(api.BadNotation):
        parsed(text)


def test_the_symbols_of_a_board_round_trip() -> None:
    """The helper that writes boards agrees with itself: an empty board is all snow."""
    assert symbols_of(Mountain()) == SNOW_BOARD
