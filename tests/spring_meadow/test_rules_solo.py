"""Solo Rules: set-up, game flow, points, game end and point objective."""

from __future__ import annotations

from collections import Counter

from meadow_engine.spring_meadow.events import (
    GameEnded,
    MapRefilled,
    RowsCompleted,
    ScoringTriggered,
    SignpostMoved,
    SkipReason,
    SoloGameEnded,
    TilePlaced,
    TileSkipped,
    TurnStarted,
)
from meadow_engine.spring_meadow.state import RowScore
from meadow_engine.spring_meadow.view import SoloView, spring_view

from tests.spring_meadow.scene import FAMILY, Scene, new_game, scene

FULL = "##########"
FULL_BOARD = "\n".join(f"{row} {FULL}" for row in range(9, 0, -1))
SMALL = "# " * 25
NO_TILES = "--- --- --- --- ---"


def solo(seed: int = 0, **options: object) -> Scene:
    """A solo game with the built-in pack."""
    return new_game(1, seed, "spring_meadow_solo", **options)


def seen(game: Scene) -> SoloView:
    """The solo game's own part of the view."""
    view = spring_view(game.state).solo
    assert view is not None
    return view


# ---- Solo Rules


def test_the_signpost_goes_round_once() -> None:
    """Path after path from the first one, none twice, at most to the 24th."""
    for seed in range(6):
        paths = [turn.path for turn in solo(seed).play_on(seed).happened(TurnStarted)]
        assert paths == list(range(len(paths)))
        assert len(paths) <= 24
    blocked = scene(FULL_BOARD, hiking_map="### " * 25)
    assert blocked.happened(TurnStarted) == [TurnStarted(0, path) for path in range(24)]
    assert blocked.happened(SignpostMoved) == [SignpostMoved(path) for path in range(1, 24)]


def test_path_values_fall_by_one_each_turn_from_24() -> None:
    """A row is worth 24 on the first path, 23 on the second, and 1 on the last."""
    values = [seen(scene("", signpost=path)).path_value for path in range(24)]

    assert values == list(range(24, 0, -1))


def test_at_most_twenty_tiles_are_placed() -> None:
    """Even if every tile fits, the game stops after the twentieth."""
    game = scene("", hiking_map=SMALL).play_on()

    assert len(game.happened(TilePlaced)) == 20
    assert all(len(solo(seed).play_on(seed).happened(TilePlaced)) <= 20 for seed in range(6))


# ---- Set-up (Solo Game)


def test_solo_uses_the_face_with_diagonals() -> None:
    """24 paths; the sixth turn is on the diagonal from the top right corner."""
    game = scene("", signpost=5)

    assert len(game.state.hiking_map.paths) == 24
    assert game.legal() == {"take 4", "take 8", "take 12", "take 16", "take 20"}


def test_solo_plays_with_25_tiles() -> None:
    """The map is filled at random once, and the other 75 tiles stay in the box to the end."""
    game = solo(1)
    tiles = Counter(game.map())

    assert sum(tiles.values()) == 25
    assert tiles["---"] == 0
    assert game.map() != solo(2).map()
    game.play_on()
    assert len(game.state.box) == 75


def test_the_player_takes_any_board() -> None:
    """All eight faces can be chosen, with the map in sight; a named one is not asked for."""
    game = solo()

    assert game.asks == "0 choose_board"
    assert game.legal() == {f"board {number}{side}" for number in (1, 2, 3, 4) for side in "AB"}
    game.do("board 3B")
    assert game.asks == "0 choose_tile"
    assert game.state.mountains[0].burrows == game.catalogue.faces[game.catalogue.face_ids["3B"]].burrows
    assert solo(faces=["2A"]).asks == "0 choose_tile"


# ---- Game Flow (Solo Game)


def test_there_is_no_scoring_and_no_refill() -> None:
    """Beside a nearly empty path a turn goes on as usual, and nothing comes onto the map."""
    game = scene("", path="## --- --- --- ---", box="## ## ##")
    game.do("take 0", "tile 0 a1")

    assert game.happened(ScoringTriggered) == []
    assert game.happened(MapRefilled) == []
    assert game.map()[0] == "---"
    assert solo(3).do("board 1A").play_on().happened(MapRefilled) == []


def test_there_is_no_start_rock() -> None:
    """The first turn has a tile only."""
    assert solo(0, faces=["1A"]).state.mountains[0].start_rock == 0


def test_a_tile_of_the_path_is_taken_if_there_is_one() -> None:
    """A single tile that fits must be taken."""
    game = scene("", path="--- --- --- --- ##")

    assert (game.asks, game.legal()) == ("0 choose_tile", {"take 20"})


def test_an_empty_path_is_skipped() -> None:
    """The signpost moves on to the next path at once."""
    game = scene("", path=NO_TILES)

    assert game.happened(TileSkipped) == [TileSkipped(0, SkipReason.NO_TILE)]
    assert game.state.signpost == 1
    assert game.legal() == {"take 1", "take 6", "take 11", "take 16", "take 21"}


def test_a_skipped_path_uses_up_a_turn() -> None:
    """After an empty path the second turn is on, and a row is worth one less."""
    game = scene("", path=NO_TILES)

    assert (seen(game).turn, seen(game).path_value) == (2, 23)


# ---- Points (Solo Game)


def rows_scored(game: Scene) -> list[tuple[int, int]]:
    """Rows and value of the latest notes."""
    return [(noted.rows, noted.value) for noted in game.happened(RowsCompleted)]


def test_the_first_row_scores_the_value_of_the_path() -> None:
    """On the fourth path the first row is worth 21, burrows counting as covered."""
    game = scene("1 ##..b#####", signpost=3).do("take 3", "tile 0 c1")

    assert rows_scored(game) == [(1, 21)]
    assert seen(game).rows == (RowScore(0, 4, 21),)
    assert seen(game).points == 21


def test_the_second_row_scores_again() -> None:
    """Two paths later it adds the lower value of that path."""
    game = scene("2 ..########\n1 ..########", signpost=3).do("take 3", "tile 0 a1", "take 4", "tile 0 a2")

    assert [row.value for row in seen(game).rows] == [21, 20]
    assert seen(game).points == 41


def test_a_row_above_a_gap_waits() -> None:
    """It scores nothing when it is filled, and the value of the later path on which the gap below is closed."""
    game = scene("2 ..########\n1 ..########", signpost=3).do("take 3", "tile 0 a2")
    assert rows_scored(game) == []
    game.do("take 4", "tile 0 a1")

    assert rows_scored(game) == [(2, 20)]
    assert [row.row for row in seen(game).rows] == [0, 1]


def test_several_rows_in_one_turn() -> None:
    """One tile can fill two rows."""
    game = scene("2 .#########\n1 .#########").do("take 0", "tile 1 a1")

    assert [noted.rows for noted in game.happened(RowsCompleted)] == [2]


def test_several_rows_score_the_value_several_times() -> None:
    """Two rows on the first path are twice 24."""
    game = scene("2 .#########\n1 .#########").do("take 0", "tile 1 a1")

    assert seen(game).points == 48


def test_rows_filled_by_a_rock_score_in_the_same_turn() -> None:
    """The rock still belongs to the path on which it was earned, before the signpost moves."""
    game = scene("1 .#########", path="#oo ## ##").do("take 0", "tile 0 a5", "place 1 0 a1")

    assert rows_scored(game) == [(1, 24)]


def test_cleared_burrows_add_a_point_each_at_the_end() -> None:
    """They are counted once, when the game is over, and only without a marmot."""
    spaces = "## ## --- --- ---\n" + "## --- --- --- ---\n" * 3 + "## --- --- --- ---"
    game = scene("9 c.m.c..b..", hiking_map=spaces)
    before = seen(game).points
    game.do("take 0", "tile 0 a1")

    assert (before, seen(game).burrow_points, seen(game).points) == (0, 2, 2)
    assert game.happened(SoloGameEnded) == [SoloGameEnded(0, 2, 2)]
    assert FAMILY.returns(game.state) == (2,)


def eva() -> Scene:
    """Eva has two rows and fills the third and fourth at once on the ninth path."""
    board = "4 .#########\n3 .#########\n2 .#########\n1 .#########"
    return scene(board, signpost=7).do("take 5", "tile 1 a1", "take 10", "tile 1 a3")


def test_eva_fills_two_rows_at_once() -> None:
    """Example: the third and the fourth row join the full ones in one turn."""
    assert [row.row for row in seen(eva()).rows if row.turn == 9] == [2, 3]


def test_eva_notes_32_points() -> None:
    """Example: 2 x 16 = 32 points for that turn."""
    game = eva()

    assert rows_scored(game)[-1] == (2, 16)
    assert sum(row.value for row in seen(game).rows if row.turn == 9) == 32


# ---- Game End (Solo Game)

SIX_TILES = "## ## ## ## ## ## " + "--- " * 19
"""A map on which the next tile is the last."""


def test_the_game_ends_with_five_tiles_left_or_after_24_turns() -> None:
    """The tile that leaves five ends it; so does the 24th turn, with however many tiles."""
    five = scene("", hiking_map=SIX_TILES).do("take 0", "tile 0 a1")
    seven = scene("", hiking_map=SIX_TILES.replace("---", "##", 1)).do("take 0", "tile 0 a1")
    last = scene("", signpost=23).do("take 0", "tile 0 a1")
    early = scene("", signpost=22).do("take 0", "tile 0 a1")

    assert (five.asks, seven.asks) == ("end", "0 choose_tile")
    assert len(five.happened(GameEnded)) == 1
    assert (last.asks, early.asks) == ("end", "0 choose_tile")


def test_turns_without_a_tile_count_among_the_24() -> None:
    """Empty and unplaceable paths use the circuit up."""
    for hiking_map in ("### " * 25, "--- " * 19 + "### " * 6):
        game = scene(FULL_BOARD, hiking_map=hiking_map)
        assert game.asks == "end"
        assert len(game.happened(TileSkipped)) == 24


def test_the_last_turn_is_finished_with_its_rocks() -> None:
    """The rock that the last tile earned is placed, and a row it fills counts."""
    game = scene("1 .#########", hiking_map="#oo " + SIX_TILES[3:]).do("take 0", "tile 0 a5")

    assert game.asks == "0 place_rock"
    game.do("place 1 0 a1")
    assert game.asks == "end"
    assert rows_scored(game) == [(1, 24)]


# ---- Point Objective


def test_a_lone_player_is_first() -> None:
    """There is nobody else to rank; only the points tell how good the game was."""
    game = scene("", hiking_map=SIX_TILES).do("take 0", "tile 0 a1")

    assert FAMILY.outcome(game.state).ranks == (1,)


def band(points: int) -> int:
    """How many objectives a finished solo game with these points reaches."""
    game = scene("", hiking_map=SIX_TILES).do("take 0", "tile 0 a1")
    assert game.state.solo is not None
    game.state.solo.rows = [RowScore(0, 1, points)]
    return FAMILY.outcome(game.state).band


def test_140_points_are_good() -> None:
    """From 140 on a game is good, 139 are not enough."""
    assert [band(points) for points in (139, 140, 149)] == [0, 1, 1]


def test_150_points_are_extraordinary() -> None:
    """From 150 on it is extraordinary, which is one objective more."""
    assert [band(points) for points in (149, 150, 180)] == [1, 2, 2]
