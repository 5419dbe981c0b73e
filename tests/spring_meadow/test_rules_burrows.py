"""Burrows."""

from __future__ import annotations

from meadow_engine.content.library import builtin_pack
from meadow_engine.spring_meadow import content
from meadow_engine.spring_meadow.events import MarmotPlaced, TilePlaced
from meadow_engine.spring_meadow.view import MountainView, spring_view

from tests.spring_meadow.packs import document_faults_after
from tests.spring_meadow.scene import Scene, scene


def board_of(game: Scene) -> MountainView:
    """The first seat's board as everybody sees it."""
    return spring_view(game.state).mountains[0]


def test_every_board_face_shows_burrows() -> None:
    """Each of the eight faces has eleven burrows, none in the first row; a face without burrows is refused."""
    for face in content.catalogue(builtin_pack()).faces:
        assert face.burrows.bit_count() == 11
        assert face.burrows & 0b1111111111 == 0
    assert document_faults_after("spring_boards.toml", lambda data: data["face"][0].update(drawing=".......... " * 9))


def test_a_bare_burrow_counts_as_covered() -> None:
    """A row whose only bare space is a burrow is full, and a lone burrow is a covered space of a partial row."""
    score = board_of(scene("2 ......b...\n1 ####b#####", "")).score

    assert (score.rows, score.partial) == (1, 1)


def test_a_burrow_seen_through_a_hole_is_cleared() -> None:
    """The hole of a tile clears the burrow under it, and no other."""
    game = scene("2 ..b..b....", "", path="#o ## ##").do("take 0", "tile 0 b2")

    assert game.board() == "2 .#c..b...."
    assert board_of(game).cleared == 1 << 12


def test_each_cleared_burrow_is_a_point() -> None:
    """Two cleared burrows are two points; bare burrows and snow holes give none."""
    score = board_of(scene("8 .c..b.....\n5 ...o......\n3 .......c..", "")).score

    assert (score.burrows, score.total) == (2, 2)


def test_each_hidden_burrow_costs_a_marmot_on_one_cleared_before() -> None:
    """Marmots are placed one by one on burrows cleared before, as the owner likes; the tile's own hole cannot pay."""
    game = scene("4 .bbb......\n2 c...c.c...", "", path="##o ## ##").do("take 0", "tile 0 b4")

    assert game.asks == "0 place_marmot"
    assert game.legal() == {"marmot a2", "marmot e2", "marmot g2"}
    assert game.refuses("marmot d4") == "NOT_A_CLEARED_BURROW"
    game.do("marmot e2")
    assert game.legal() == {"marmot a2", "marmot g2"}
    game.do("marmot a2")
    assert game.board() == "4 .xxc......\n2 m...m.c..."
    assert game.asks == "1 choose_tile"


def test_more_burrows_than_cleared_ones_cannot_be_hidden() -> None:
    """Two burrows need two cleared ones."""
    game = scene("4 .bb.......\n2 c.........", "").do("take 0")

    assert game.refuses("tile 0 b4") == "BURROW_NOT_PAID"
    assert "tile 0 a4" in game.legal()


def test_filling_the_hole_over_a_cleared_burrow_hides_it() -> None:
    """It needs a marmot on another cleared burrow, not on the one that is filled."""
    alone, two = scene("2 c.........", ""), scene("2 c....c....", "")
    alone.do("take 0")
    two.do("take 0", "tile 0 a2")

    assert alone.refuses("tile 0 a2") == "BURROW_NOT_PAID"
    assert two.legal() == {"marmot f2"}
    assert two.do("marmot f2").board() == "2 x#...m...."


def test_a_burrow_cleared_by_this_turns_tile_pays_for_a_rock() -> None:
    """The tile clears b2 and expands a group; the rock may then hide a burrow, with the marmot on b2."""
    game = scene("3 ...b......\n2 .b.o......", "", path="#oo ## ##").do("take 0", "tile 0 a2")

    assert "place 1 0 d3" in game.legal()
    game.do("place 1 0 d3")
    assert game.legal() == {"marmot b2"}
    assert game.do("marmot b2").board() == "3 ...x......\n2 #moo......"


def test_without_a_cleared_burrow_none_may_be_hidden() -> None:
    """Neither bare burrows nor marmots pay, nor a burrow that only this tile would clear."""
    game = scene("3 .bb.......\n2 m.......b.", "", path="#o ## ##").do("take 0")

    assert game.refuses("tile 0 b3") == "BURROW_NOT_PAID"
    assert "tile 0 a3" in game.legal()


def test_a_burrow_with_a_marmot_gives_no_point() -> None:
    """Placing the marmot takes the point away and makes the burrow useless as payment."""
    game = scene("4 .bb.......\n2 c.........", "").do("take 0", "tile 0 a4")
    before = board_of(game)
    game.do("marmot a2")

    assert (before.score.burrows, board_of(game).score.burrows) == (1, 0)
    assert board_of(game).cleared == 0
    assert game.board() == "4 #xb.......\n2 m........."


ASTRID = "4 ...b......\n3 ..#c##....\n2 .##b###..."
"""A board of one cleared burrow, as in the book's example."""


def test_astrid_hides_a_burrow() -> None:
    """Example: with a cleared burrow on her board she may lay a tile over another burrow."""
    game = scene(ASTRID, "").do("take 0", "tile 0 d4")

    assert [placed.covered_burrows for placed in game.happened(TilePlaced)] == [1]
    assert game.board().splitlines()[0] == "4 ...x#....."


def test_astrid_owes_a_marmot() -> None:
    """Example: she must then put a marmot on the cleared burrow before anything else."""
    game = scene(ASTRID, "").do("take 0", "tile 0 d4")

    assert (game.asks, game.legal()) == ("0 place_marmot", {"marmot d3"})
    assert game.do("marmot d3").happened(MarmotPlaced) == [MarmotPlaced(0, 2, 3)]
    assert game.board().splitlines()[1] == "3 ..#m##...."
