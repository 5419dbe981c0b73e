from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st
from meadow_api.v1 import common_pb2, game_pb2, spring_meadow_pb2
from meadow_client.cli.engine import pack_catalogue, pack_in, view_message
from meadow_client.drawing import draw, draw_tile
from meadow_client.drawing.flora import flower_of, flower_svg
from meadow_client.drawing.outline import outline
from meadow_client.drawing.scene import UNKNOWN, scene_of
from meadow_engine import api

SVG = "{http://www.w3.org/2000/svg}"
POSITION = """spring_meadow seats 2 active 1 signpost 4 turn 9
map T01 T02 --- --- T05
map T06 T07 T08 --- T10
map T11 --- T13 --- T15
map T16 T17 --- T19 T20
map T21 --- T23 --- T25
box T07 T08
board 1A pins 1
9 ..........
8 ..........
7 ..........
6 ..........
5 ..........
4 ..##......
3 ..##oc....
2 .b######..
1 ##########
board 2B
9 ..........
8 ..........
7 ..........
6 ..........
5 ..........
4 ..........
3 ..........
2 ..b....m..
1 ###.......
"""


@pytest.fixture(scope="module", name="catalogue")
def _catalogue() -> spring_meadow_pb2.SpringMeadowCatalogue:
    return pack_catalogue(pack_in(None), "spring_meadow").spring_meadow


def played(variant: str = "spring_meadow", seats: int = 2, turns: int = 12) -> game_pb2.GameView:
    """A view of a game in which chance has made some choices."""
    game = api.new_game(variant, seats=seats, seed=5)
    dice = api.Streams(bytes(32))
    while game.decision is not None and game.view(None).turn <= turns:
        ids = game.legal_ids()
        game.apply(ids[dice.below("test", len(ids))])
    return view_message(game)


# ---- outlines ----------------------------------------------------------------------------------------------


def test_one_square_has_four_rounded_corners() -> None:
    """The outline of a square is one loop of four curves, drawn in on every side."""
    drawn = outline([(0, 0)], unit=10, inset=1, radius=2)
    assert drawn.count("M") == drawn.count("Z") == 1
    assert re.findall(r"Q([\d.]+) ([\d.]+)", drawn) == [("9", "1"), ("9", "9"), ("1", "9"), ("1", "1")]


def test_a_ring_has_an_inner_edge() -> None:
    """A shape around an empty square has a loop outside and one inside, which keeps its distance from the middle."""
    around = [(x, y) for x in range(3) for y in range(3) if (x, y) != (1, 1)]
    drawn = outline(around, unit=10, inset=1, radius=2)
    inner = drawn.split("Z")[1]
    assert drawn.count("Z") == 2
    assert {float(value) for pair in re.findall(r"Q([\d.]+) ([\d.]+)", inner) for value in pair} == {9.0, 21.0}


def test_squares_that_touch_at_a_corner_stay_apart() -> None:
    """Two diagonal squares are two loops."""
    assert outline([(0, 0), (1, 1)], unit=10, inset=1, radius=2).count("Z") == 2


@given(st.sets(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=1))
def test_an_outline_encloses_its_squares(squares: set[tuple[int, int]]) -> None:
    """Not drawn in, the loops enclose exactly the squares' area: inner loops run backwards."""
    area = 0.0
    for loop in outline(squares, unit=1, inset=0, radius=0).split("Z")[:-1]:
        corners = [(float(x), float(y)) for x, y in re.findall(r"Q(-?[\d.]+) (-?[\d.]+)", loop)]
        pairs = zip(corners, corners[1:] + corners[:1], strict=True)
        area += sum(x0 * y1 - x1 * y0 for (x0, y0), (x1, y1) in pairs) / 2
    assert area == len(squares)


# ---- pieces ------------------------------------------------------------------------------------------------


def test_each_tile_shows_its_holes(catalogue: spring_meadow_pb2.SpringMeadowCatalogue) -> None:
    """The drawing of a tile is well-formed and has one rim for each hole."""
    for tile in catalogue.tiles:
        drawn = ET.fromstring(draw_tile(tile))
        rims = [path for path in drawn.iter(f"{SVG}path") if path.get("fill-opacity") == "0.35"]
        assert len(rims) == len(tile.forms[0].hole_cells), tile.id


def test_every_plant_of_the_pack_has_its_own_flower(catalogue: spring_meadow_pb2.SpringMeadowCatalogue) -> None:
    """Each plant of the built-in pack blooms; others get a flower by the name of their genus; no plant, none."""
    for tile in catalogue.tiles:
        flower = flower_of(tile.scientific_name)
        assert flower is not None
        ET.fromstring(f"<g>{flower_svg(flower)}</g>")
    assert flower_of("Bellis perennis") == flower_of("Bellis annua") is not None
    assert flower_of("") is None


# ---- tables ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("variant", "seats"),
    [
        ("spring_meadow", 2),
        ("spring_meadow", 3),
        ("spring_meadow", 4),
        ("spring_meadow_solo", 1),
        ("spring_meadow_campaign", 1),
    ],
)
def test_each_variant_is_drawn(variant: str, seats: int, catalogue: spring_meadow_pb2.SpringMeadowCatalogue) -> None:
    """A table of each variant is well-formed SVG with all boards, and every flower it uses is defined in it."""
    drawn = ET.fromstring(draw(played(variant, seats), catalogue))
    defined = {element.get("id") for element in drawn.iter() if element.get("id")}
    used = {use.get("href", "").removeprefix("#") for use in drawn.iter(f"{SVG}use")}
    assert used
    assert used <= defined
    words = [text.text for text in drawn.iter(f"{SVG}text")]
    assert words.count("j") == seats
    assert words.count("9") >= seats


def test_a_table_before_the_boards_are_chosen_is_drawn(catalogue: spring_meadow_pb2.SpringMeadowCatalogue) -> None:
    """A solo game that still has to choose its board is drawn with an empty one."""
    view = view_message(api.new_game("spring_meadow_solo", seats=1, seed=1))
    assert "chooses a board" in draw(view, catalogue)


def test_names_and_titles_are_text_whatever_they_hold(catalogue: spring_meadow_pb2.SpringMeadowCatalogue) -> None:
    """Names that look like markup stay names."""
    view = played()
    view.seats.add(display_name="<b>&", colour=common_pb2.SEAT_COLOUR_TEAL)
    drawn = ET.fromstring(draw(view, catalogue, title="a < b & c"))
    words = [text.text for text in drawn.iter(f"{SVG}text")]
    assert "<b>&" in words
    assert "a < b & c" in words
    assert "#2f8f8b" in draw(view, catalogue)


def test_a_position_without_known_tiles_is_drawn_as_meadow(catalogue: spring_meadow_pb2.SpringMeadowCatalogue) -> None:
    """Connected covered spaces of a position written by hand are one piece of unknown meadow, holes included."""
    view = view_message(api.parse_position(POSITION))
    board = scene_of(view, catalogue).boards[0]
    assert [piece.kind for piece in board.pieces] == [UNKNOWN]
    assert (len(board.pieces[0].cells), len(board.pieces[0].holes)) == (20, 2)
    assert (board.full_rows, board.pins) == (1, 1)
    assert scene_of(view, catalogue).boards[1].marmots == {(1, 7)}


def test_the_same_view_is_drawn_the_same(catalogue: spring_meadow_pb2.SpringMeadowCatalogue) -> None:
    """Nothing in a drawing comes from chance."""
    assert draw(played(), catalogue) == draw(played(), catalogue)


def test_the_winner_is_in_the_title(catalogue: spring_meadow_pb2.SpringMeadowCatalogue) -> None:
    """The drawing of a finished game says who won."""
    assert re.search(r"won by Seat \d", draw(played(turns=500), catalogue))
