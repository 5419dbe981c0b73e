"""The Player Turn: Rock Tiles."""

from __future__ import annotations

from meadow_engine.content.library import builtin_pack
from meadow_engine.spring_meadow import content
from meadow_engine.spring_meadow.events import RockDropped, RockEarned, RockPlaced
from meadow_engine.spring_meadow.state import rock_piece

from tests.spring_meadow.packs import faults_after
from tests.spring_meadow.scene import Scene, scene

FULL = "##########"


def laid(board: str, tile: str, where: str) -> Scene:
    """Two players; the first one has laid this tile there on this board."""
    return scene(board, "", path=f"{tile} ## ##").do("take 0", where)


def earned(game: Scene) -> list[int]:
    """Sizes of the rocks that the latest actions earned."""
    return [rock.size for rock in game.happened(RockEarned)]


def shapes(game: Scene) -> set[str]:
    """The shapes of rocks that may be placed now."""
    return {text.split()[1] for text in game.legal()}


def test_holes_form_a_group_edge_to_edge_only() -> None:
    """A hole beside, above or below another one joins it; corner to corner, or over the board's edge, it does not."""
    hole = "5 ....o....."

    assert [earned(laid(hole, "#o", where)) for where in ("tile 0 c5", "tile 2 f5", "tile 0 d6", "tile 0 d4")] == [
        [1]
    ] * 4
    assert [earned(laid(hole, "#o", where)) for where in ("tile 0 c6", "tile 0 c4", "tile 2 f6", "tile 2 f4")] == [
        []
    ] * 4
    assert earned(laid("1 .o........", "#/o", "tile 0 a1")) == [1]
    assert earned(laid("5 o.........", "#o", "tile 0 i4")) == []
    assert earned(laid("5 .........o", "#o", "tile 2 a6")) == []


def test_creating_or_expanding_a_group_earns_a_rock_at_once() -> None:
    """Two single holes make a group, a third one expands it; a hole apart earns nothing, even while a group exists."""
    assert earned(laid("1 o.........", "#o", "tile 2 b1")) == [1]
    assert earned(laid("1 oo........", "#o", "tile 2 c1")) == [2]
    assert earned(laid("1 oo........", "#o", "tile 2 d1")) == []
    assert laid("1 oo........", "#o", "tile 2 c1").asks == "0 place_rock"
    assert laid("1 oo........", "#o", "tile 2 d1").asks == "1 choose_tile"


def test_the_rock_is_one_smaller_than_the_group() -> None:
    """Groups of 2, 3, 4 and 5 holes earn rocks of 1, 2, 3 and 4."""
    for holes, size in ((2, 1), (3, 2), (4, 3), (5, 4)):
        game = laid(f"1 {'o' * (holes - 1):.<10}", "#o", f"tile 2 {'abcdefghij'[holes - 1]}1")
        assert earned(game) == [size]


def test_snow_holes_and_cleared_burrows_both_count() -> None:
    """A snow hole and a cleared burrow make a group of three with the new hole, be it over snow or over a burrow."""
    assert earned(laid("2 .oc.......", "#o", "tile 2 d2")) == [2]
    assert earned(laid("2 .ocb......", "#o", "tile 2 d2")) == [2]


def test_a_bare_burrow_is_no_hole() -> None:
    """A burrow that no tile has cleared joins no group."""
    assert earned(laid("2 ..b.......", "#o", "tile 2 d2")) == []


def test_a_burrow_with_a_marmot_is_no_hole() -> None:
    """It neither counts nor joins the holes on its two sides, from the moment it has its marmot."""
    assert earned(laid("2 ..m.......", "#o", "tile 2 d2")) == []
    assert earned(laid("2 .om.......", "#o", "tile 2 d2")) == []
    hiding = laid("3 ....b.....\n2 .oc.......", "##/o.", "tile 0 d2")
    assert earned(hiding.do("marmot c2")) == []


def test_a_marmot_owed_for_the_tile_leaves_the_group_first() -> None:
    """The owner's choice of the burrow for the marmot decides whether the new hole makes a group."""
    board = "3 ....b.....\n2 .cc......."
    with_c2 = laid(board, "##/o.", "tile 0 d2")
    with_b2 = laid(board, "##/o.", "tile 0 d2")

    assert earned(with_c2.do("marmot c2")) == []
    assert earned(with_b2.do("marmot b2")) == [1]


def test_more_than_five_holes_give_one_rock_of_four() -> None:
    """A group of seven earns a single rock, and not a larger one."""
    game = laid("1 oooooo....", "#o", "tile 2 g1")

    assert earned(game) == [4]
    assert shapes(game) == {"1", "2", "3I", "3L", "4"}
    assert game.do("place 4 0 a8").asks == "1 choose_tile"


def test_a_smaller_rock_may_be_taken() -> None:
    """For a rock of 3 any rock of 3, 2 or 1 may be placed, but no rock of 4 and none at all."""
    game = laid("1 ooo.......", "#o", "tile 2 d1")

    assert earned(game) == [3]
    assert shapes(game) == {"1", "2", "3I", "3L"}
    assert game.refuses("place 4 0 a8") == "ROCK_SIZE"


def test_a_rock_is_never_split() -> None:
    """Whoever takes a rock of 1 for one of 3 places nothing more."""
    game = laid("1 ooo.......", "#o", "tile 2 d1").do("place 1 0 a9")

    assert game.asks == "1 choose_tile"
    assert len(game.state.mountains[0].pieces) == 2


NIKI = "2 ooo#..####\n1 ##########"
"""Three adjacent holes, and a gap of two spaces in their row, as in the book's example."""


def test_niki_makes_a_group_of_four() -> None:
    """Example: her tile's hole joins three others."""
    game = laid(NIKI, "#o", "tile 2 a3")

    assert [rock.group.bit_count() for rock in game.happened(RockEarned)] == [4]


def test_niki_may_take_a_rock_of_three() -> None:
    """Example: a group of four is worth a rock of 3."""
    game = laid(NIKI, "#o", "tile 2 a3")

    assert earned(game) == [3]
    assert {"place 3I 0 a9", "place 3L 0 a8"} <= game.legal()


def test_niki_takes_a_rock_of_two_instead() -> None:
    """Example: a rock of 2 closes the gap at once, and her turn is over."""
    game = laid(NIKI, "#o", "tile 2 a3").do("place 2 0 e2")

    assert game.board() == "3 o#........\n2 ooo#######\n1 ##########"
    assert game.asks == "1 choose_tile"


def test_some_tiles_have_two_holes() -> None:
    """The built-in pack has tiles with none, one and two holes; a tile with three is refused."""
    holes = {len(kind.holes) for kind in content.catalogue(builtin_pack()).tiles}

    assert holes == {0, 1, 2}
    assert faults_after("spring_tiles.csv", lambda rows: rows[0].update(shape="o#o/.o."))


def test_two_holes_in_one_group_earn_one_rock() -> None:
    """Whether the two holes lie side by side or join the same group from two sides."""
    assert earned(laid("", "#oo", "tile 0 a1")) == [1]
    assert earned(laid("1 .ooo......", "o#o", "tile 0 b2")) == [4]


def test_two_holes_in_two_groups_earn_two_rocks() -> None:
    """Each group is paid by its own size."""
    assert earned(laid("1 o...o.....", "o###o", "tile 0 a2")) == [1, 1]
    assert sorted(earned(laid("1 o..oo.....", "o###o", "tile 0 a2"))) == [1, 2]
    assert earned(laid("1 o.........", "o###o", "tile 0 a2")) == [1]


def test_a_hole_that_joins_two_groups_earns_one_rock_by_the_joined_size() -> None:
    """Two holes left, two holes right, one between: a group of five."""
    assert earned(laid("1 oo.oo.....", "#/o", "tile 0 c1")) == [4]


def test_a_hole_over_an_open_hole_adds_none() -> None:
    """The group stays as it was and earns nothing; another, new hole of the same tile still does."""
    assert earned(laid("1 oo........", "o#", "tile 0 b1")) == []
    assert earned(laid("1 oo........", "oo#", "tile 0 b1")) == [2]


def test_a_tile_over_a_hole_takes_it_out_of_the_group() -> None:
    """Groups are counted with the tile in place: what it fills is no hole any more."""
    assert earned(laid("1 oooo......", "#/o", "tile 3 b1")) == []
    assert earned(laid("2 .o........\n1 oo........", "#o", "tile 0 b1")) == []


def test_rocks_never_run_out() -> None:
    """With more small rocks on the board than the box holds, a small rock can still be placed."""
    game = scene("\n".join(f"{row} {FULL}" for row in range(6, 0, -1)), "", path="#oo ## ##")
    pebbles = game.catalogue.rocks[0]
    game.state.mountains[0].pieces = [rock_piece(pebbles.number, 0, cell) for cell in range(60)]
    game.do("take 0", "tile 0 a8")

    assert pebbles.count < 60
    assert shapes(game) == {"1"}
    assert game.do("place 1 0 a9").asks == "1 choose_tile"


def test_the_rock_of_four_is_a_square() -> None:
    """The only rock of 4 is two by two; a pack with a straight one is refused."""
    squares = [rock for rock in content.catalogue(builtin_pack()).rocks if rock.size == 4]

    assert [(form.height, form.width) for rock in squares for form in rock.forms] == [(2, 2)]
    assert faults_after("spring_rocks.csv", lambda rows: rows[-1].update(shape="####"))


EVA = "3 ooo...o...\n2 ..........\n1 .........."
"""A group of three and a single hole four spaces away, as in the book's example of two groups."""


def test_eva_expands_two_groups() -> None:
    """Example: her tile's two holes touch two groups, so she takes two rocks."""
    game = laid(EVA, "o###o", "tile 0 c2")

    assert sorted(earned(game)) == [1, 3]


def test_eva_places_both_rocks_at_once() -> None:
    """Example: both are placed before the next player's turn."""
    game = laid(EVA, "o###o", "tile 0 c2").do("rock earned 3", "place 3I 0 a9")

    assert game.asks == "0 place_rock"
    game.do("place 1 0 a8")
    assert game.asks == "1 choose_tile"
    assert game.board().splitlines()[:2] == ["9 ###.......", "8 #........."]


def test_different_rocks_are_placed_in_the_order_their_owner_likes() -> None:
    """Rocks of different sizes or origin are chosen one by one; equal ones are not asked about."""
    sizes = laid(EVA, "o###o", "tile 0 c2")
    start = scene("1 o.........", "", start=(2, 0), path="#o ## ##").do("take 0", "tile 2 b1")
    equal = laid("1 o...o.....", "o###o", "tile 0 a2")

    assert (sizes.asks, sizes.legal()) == ("0 choose_rock", {"rock earned 1", "rock earned 3"})
    assert shapes(sizes.do("rock earned 1")) == {"1"}
    assert (start.asks, start.legal()) == ("0 choose_rock", {"rock start 2", "rock earned 1"})
    assert start.refuses("rock earned 2") == "ROCK_NOT_PENDING"
    assert shapes(start.do("rock start 2")) == {"2"}
    assert [rock.start for rock in start.do("place 2 0 a9", "place 1 0 a8").happened(RockPlaced)] == [True, False]
    assert equal.asks == "0 place_rock"
    assert equal.do("place 1 0 a9", "place 1 0 a8").asks == "1 choose_tile"


def test_the_start_rock_keeps_its_size() -> None:
    """A start rock of 3 is straight or an L, never a smaller one."""
    game = scene("", "", start=(3, 0)).do("take 0", "tile 0 a1")

    assert shapes(game) == {"3I", "3L"}
    assert game.refuses("place 2 0 a9") == "ROCK_SIZE"


def test_a_rock_in_the_other_group_does_not_shrink_what_was_earned() -> None:
    """After the first rock filled holes of the second group, the second rock is as large as before."""
    game = laid(EVA, "o###o", "tile 0 c2").do("rock earned 1", "place 1 0 b3")

    assert game.board().splitlines()[0] == "3 o#o...o..."
    assert shapes(game) == {"1", "2", "3I", "3L"}


def test_rocks_never_earn_rocks() -> None:
    """A rock beside holes, or in them, makes no group."""
    game = laid("1 oo........", "#o", "tile 2 c1").do("place 2 0 a1")

    assert earned(game) == []
    assert game.asks == "1 choose_tile"


def test_a_rock_may_lie_anywhere_legal_also_in_a_snow_hole() -> None:
    """The hole that earned it, another hole, or snow far away."""
    legal = laid("1 o.........", "#o", "tile 2 b1").legal()

    assert {"place 1 0 a1", "place 1 0 b1", "place 1 0 j9"} <= legal


def test_a_rock_that_fits_only_with_a_marmot_must_be_placed() -> None:
    """On a last burrow and its neighbour the rock is laid if a cleared burrow can pay, and dropped if none can."""
    full = "\n".join(f"{row} {FULL}" for row in range(8, 1, -1))
    must = scene(f"9 b.########\n{full}\n1 c#########", "", start=(2, 0), hiking_map="### " * 25)
    cannot = scene(f"9 b.########\n{full}\n1 {FULL}", "", start=(2, 0), hiking_map="### " * 25)

    assert must.legal() == {"place 2 0 a9"}
    assert must.do("place 2 0 a9").legal() == {"marmot a1"}
    assert [rock.size for rock in cannot.happened(RockDropped)] == [2]


def test_a_start_rock_that_no_longer_fits_is_dropped() -> None:
    """If the earned rock comes first and takes the last place, the start rock is given up."""
    full = "\n".join(f"{row} {FULL}" for row in range(8, 0, -1))
    game = scene(f"9 #....#####\n{full}", "", start=(2, 0), path="#oo ## ##").do("take 0", "tile 0 b9")
    game.do("rock earned 1", "place 1 0 d9")

    assert game.happened(RockDropped) == [RockDropped(0, 2, start=True)]
    assert game.asks == "1 choose_tile"
