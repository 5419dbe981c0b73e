"""The Placement Rules."""

from __future__ import annotations

from meadow_engine.spring_meadow.events import TilePlaced

from tests.spring_meadow.scene import scene


def test_rocks_obey_the_placement_rules_too() -> None:
    """A rock keeps to the board, off pieces, marmots and burrows that nothing pays for; it may be turned."""
    game = scene("3 m.........\n2 ..b.......\n1 ##........", "", start=(2, 0)).do("take 0", "tile 0 i9")

    assert game.asks == "0 place_rock"
    assert game.refuses("place 2 0 b1") == "OVERLAPS"
    assert game.refuses("place 2 0 j1") == "OFF_BOARD"
    assert game.refuses("place 2 0 b2") == "BURROW_NOT_PAID"
    assert game.refuses("place 2 0 a3") == "COVERS_MARMOT"
    assert {"place 2 0 c1", "place 2 1 d1"} <= game.legal()
    game.do("place 2 1 d1")
    assert game.board() == "9 ........##\n3 m.........\n2 ..b#......\n1 ##.#......"


def test_a_tile_lands_on_the_board_of_the_seat_that_took_it() -> None:
    """The active seat's board gets the tile; no action names another board."""
    game = scene("", "", "", active=1, path="#o ## ##").do("take 0", "tile 0 c1")

    assert [game.board(seat) for seat in range(3)] == ["", "1 ..#o......", ""]


def test_tiles_may_be_turned_and_flipped() -> None:
    """A tile without symmetry lies in eight ways: its quarter turns clockwise, and those of its mirror image."""
    ways = ("##o/#..", "##/.#/.o", "..#/o##", "o./#./##", "o##/..#", ".o/.#/##", "#../##o", "##/#./o.")

    for form, drawing in enumerate(ways):
        game = scene("", "", path="##o/#.. ## ##").do("take 0")
        assert f"tile {form} a1" in game.legal()
        game.do(f"tile {form} a1")
        lines = drawing.split("/")
        assert game.board() == "\n".join(f"{len(lines) - n} {line:.<10}" for n, line in enumerate(lines))


def test_equal_orientations_are_listed_once() -> None:
    """Of a straight tile's eight symmetries two look different: only they are listed, but all are taken."""
    game = scene("", "", path="### ## ##").do("take 0")

    assert {text.split()[1] for text in game.legal()} == {"0", "1"}
    assert len(game.legal()) == 8 * 9 + 10 * 7
    assert game.take("tile 6 c1").board() == "1 ..###....."
    assert [placed.form for placed in game.happened(TilePlaced)] == [0]


def test_a_tile_may_touch_others_or_stand_apart() -> None:
    """Both a place beside another tile and one far from it are legal."""
    game = scene("1 ##........", "").do("take 0")

    assert {"tile 0 c1", "tile 0 i9"} <= game.legal()


def test_a_hole_may_lie_over_a_burrow() -> None:
    """The tile goes round the burrow, which shows through the hole."""
    game = scene("2 ..b.......", "", path="#o ## ##").do("take 0", "tile 0 b2")

    assert game.board() == "2 .#c......."


def test_a_placed_piece_stays_where_it_is() -> None:
    """Turns later the pieces lie where they were laid; the only actions are to add further ones."""
    game = scene("", "", path="#o ## ## ## ##").do("take 0", "tile 0 c1", "take 1", "tile 0 a1", "take 2", "tile 0 h5")

    assert game.board(0) == "5 .......##.\n1 ..#o......"
    assert game.board(1) == "1 ##........"


def test_no_piece_lies_on_another() -> None:
    """Neither spaces nor holes of a tile may lie over a covered space or a marmot; an open hole is free."""
    game = scene("2 m.........\n1 ##o.......", "", path="#o ## ##").do("take 0")

    assert game.refuses("tile 0 b1") == "OVERLAPS"
    assert game.refuses("tile 2 b1") == "OVERLAPS"
    assert game.refuses("tile 0 a2") == "COVERS_MARMOT"
    assert game.refuses("tile 2 a2") == "COVERS_MARMOT"
    assert "tile 0 c1" in game.legal()
    assert game.do("tile 0 c1").board() == "2 m.........\n1 ###o......"


def test_no_piece_reaches_over_the_edge() -> None:
    """Spaces and holes of a tile stay on the ten by nine spaces of the board, in every orientation."""
    game = scene("", "", path="###o ## ##").do("take 0")

    assert "tile 0 g1" in game.legal()
    assert game.refuses("tile 0 h1") == "OFF_BOARD"
    assert "tile 1 a6" in game.legal()
    assert game.refuses("tile 1 a7") == "OFF_BOARD"
    assert len(game.legal()) == 2 * (7 * 9 + 10 * 6)


def test_no_piece_hides_a_burrow_without_a_cleared_one() -> None:
    """A tile over a burrow is refused; with a cleared burrow elsewhere it is legal."""
    bare, paid = scene("2 ..b.......", ""), scene("2 ..b....c..", "")
    for game in (bare, paid):
        game.do("take 0")

    assert bare.refuses("tile 0 b2") == "BURROW_NOT_PAID"
    assert bare.refuses("tile 0 c2") == "BURROW_NOT_PAID"
    assert {"tile 0 b2", "tile 0 c2"} <= paid.legal()
