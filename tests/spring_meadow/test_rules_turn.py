"""The Player Turn: Signpost, Signpost Path and Move On."""

from __future__ import annotations

from meadow_engine.spring_meadow.events import (
    MarmotPlaced,
    RockDropped,
    RockEarned,
    RockPlaced,
    Scored,
    ScoringTriggered,
    SignpostMoved,
    SkipReason,
    TilePlaced,
    TileSkipped,
    TileTaken,
    TurnStarted,
)
from meadow_engine.spring_meadow.view import spring_view

from tests.spring_meadow.scene import Scene, new_game, scene

FULL = "##########"
NEARLY_FULL = "\n".join(["9 ..########", *(f"{row} {FULL}" for row in range(8, 0, -1))])
"""Two free spaces in the top left corner."""
FULL_BOARD = "\n".join(f"{row} {FULL}" for row in range(9, 0, -1))
LONG_TILES = "### ### ### ### ###"
TILES = "## ## ## ## ##"


def scorings(path: str, seats: int) -> int:
    """How many scorings come before the first choice beside a path with these tiles."""
    return len(scene(*[""] * seats, path=path, box=TILES).happened(Scored))


# ---- The Player Turn


def test_play_goes_clockwise_from_the_start_player() -> None:
    """After seat 1 comes seat 2, then seat 0, then seat 1 again."""
    game = scene("", "", "", active=1)
    order = []
    for space in range(4):
        order.append(game.asks)
        game.do(f"take {space}", "tile 0 a9" if space < 3 else "tile 0 c1")

    assert order == ["1 choose_tile", "2 choose_tile", "0 choose_tile", "1 choose_tile"]


def test_turns_are_numbered_from_the_first() -> None:
    """Every turn counts, also one without a tile, and a scoring does not count."""
    first, later = new_game(2), scene("", "", path="--- --- --- --- ---", box=TILES, turn=7)

    assert spring_view(first.state).turn == 1
    assert spring_view(later.state).turn == 7
    assert spring_view(later.do("take 0", "tile 0 a9").state).turn == 8


def test_a_turn_has_its_steps_in_order() -> None:
    """Trigger, tile, marmot, rock, signpost: nothing of it comes earlier or later."""
    game = scene("2 c.........\n1 .....b....", f"1 {FULL}", path="#oo ## --- --- ---", box="## ## ##")
    events = list(game.events)
    events += game.do("take 0", "tile 0 f1", "marmot a2", "place 1 0 i1").events

    steps = [type(event) for event in events if not isinstance(event, RockEarned)]
    assert steps[:2] == [TurnStarted, ScoringTriggered]
    assert steps[-6:] == [TileTaken, TilePlaced, MarmotPlaced, RockPlaced, SignpostMoved, TurnStarted]


def test_the_trigger_is_tested_before_a_tile_is_chosen() -> None:
    """A short path leads to a scoring first; only then the active seat chooses."""
    game = scene("", "", active=1, path="## --- --- --- ---", box="## ## ## ##")

    assert [type(event) for event in game.events][:3] == [TurnStarted, ScoringTriggered, Scored]
    assert game.asks == "1 choose_tile"


def test_a_tile_is_chosen_and_then_placed() -> None:
    """The chosen tile, and no other, is laid by the same seat; then it has left the map."""
    game = scene("", "", path="#o ### ## ## ##").do("take 5")

    assert game.asks == "0 place_tile"
    assert game.map()[:6] == ["#o", "##", "##", "##", "##", "###"]
    game.do("tile 1 a1")
    assert game.board() == "3 #.........\n2 #.........\n1 #........."
    assert game.map()[:6] == ["#o", "##", "##", "##", "##", "---"]


def test_rocks_follow_the_tile() -> None:
    """A tile that makes a group brings a rock in the same turn, before anybody else acts."""
    game = scene("", "", path="#oo ## ##").do("take 0", "tile 0 a1")

    assert game.asks == "0 place_rock"
    assert game.do("place 1 0 j9").asks == "1 choose_tile"


def test_the_signpost_moves_at_the_end_of_the_turn() -> None:
    """It stays while the seat still has a rock to place, and moves one path when that is done."""
    game = scene("", "", signpost=3, hiking_map="#oo " * 25).do("take 3", "tile 0 a1")
    during = game.state.signpost
    game.do("place 1 0 j9")

    assert (during, game.state.signpost) == (3, 4)
    assert game.happened(SignpostMoved) == [SignpostMoved(4)]


# ---- 1) Signpost


def test_only_tiles_of_the_signpost_path_can_be_chosen() -> None:
    """The five spaces of the path, no other, and none that is empty."""
    game = scene("", "", path="## --- ## ## ##")

    assert game.legal() == {"take 0", "take 10", "take 15", "take 20"}
    assert game.refuses("take 1") == "NOT_ON_PATH"
    assert game.refuses("take 5") == "EMPTY_SPACE"
    assert scene("", "", signpost=6).legal() == {f"take {space}" for space in range(5, 10)}


def test_fewer_than_two_tiles_on_the_path_trigger_a_scoring() -> None:
    """No tile or one tile on the path trigger it with three and four players, two tiles do not."""
    for seats in (3, 4):
        assert scorings("--- --- --- --- ---", seats) == 1
        assert scorings("--- --- ## --- ---", seats) == 1
        assert scorings("--- ## ## --- ---", seats) == 0


def test_two_tiles_on_the_path_trigger_a_scoring_of_two_players_only() -> None:
    """With two players up to two tiles trigger it, three do not; with more players two do not."""
    assert [scorings(path, 2) for path in ("--- --- --- --- ---", "## --- --- --- ---", "## --- ## --- ---")] == [1] * 3
    assert scorings("## --- ## --- ##", 2) == 0
    assert [scorings("## --- ## --- ---", seats) for seats in (3, 4)] == [0, 0]


def test_the_trigger_looks_at_the_signpost_path_only() -> None:
    """Other paths may be empty."""
    game = scene("", "", signpost=0, hiking_map="## --- --- --- --- " * 5)

    assert game.happened(ScoringTriggered) == []


# ---- 2) Signpost Path


def test_only_tiles_that_fit_can_be_chosen() -> None:
    """A tile that fits nowhere cannot be taken while another one can be placed."""
    game = scene(NEARLY_FULL, "", path="### ## #o #/# .#/##")

    assert game.legal() == {"take 5", "take 10", "take 15"}
    assert game.refuses("take 0") == "TILE_DOES_NOT_FIT"
    game.do("take 15")
    assert game.legal() == {"tile 1 a9"}


def test_the_step_is_skipped_only_when_no_tile_fits() -> None:
    """Without any tile that fits the turn passes; a single one that fits must be taken."""
    game = scene(NEARLY_FULL, "", path=LONG_TILES)
    skipped = game.happened(TileSkipped)

    assert skipped == [TileSkipped(0, SkipReason.NONE_FITS)]
    assert game.asks == "1 choose_tile"
    assert game.state.signpost == 1
    assert scene(NEARLY_FULL, "", path="### ### ### ### ##").asks == "0 choose_tile"


def test_a_fit_that_costs_a_marmot_is_a_fit() -> None:
    """With a cleared burrow the tile over the last burrow must be placed; without one the step is skipped."""
    burrow = NEARLY_FULL.replace("9 ..", "9 b.")
    must, cannot = scene(burrow.replace("1 #", "1 c"), ""), scene(burrow, "")

    assert must.legal() == {f"take {space}" for space in (0, 5, 10, 15, 20)}
    assert must.do("take 0", "tile 0 a9").legal() == {"marmot a1"}
    assert cannot.asks == "1 choose_tile"


def test_an_empty_path_skips_the_step_as_well() -> None:
    """With the box empty and the path empty the turn goes on without a tile."""
    for seats in (2, 3, 4):
        game = scene(*[""] * seats, path="--- --- --- --- ---")
        assert game.happened(TileSkipped)[0] == TileSkipped(0, SkipReason.NO_TILE)


def test_three_players_and_solo_also_use_the_diagonals() -> None:
    """Clockwise from the first column, a corner after each side; two and four players go without the corners."""
    columns = [{row * 5 + column for row in range(5)} for column in range(5)]
    lines = [{row * 5 + column for column in range(5)} for row in range(5)]
    rising, falling = {4, 8, 12, 16, 20}, {0, 6, 12, 18, 24}
    long = [*columns, rising, *lines, falling, *columns[::-1], rising, *lines[::-1], falling]
    solo = new_game(1, variant="spring_meadow_solo")

    for game in (new_game(3), solo):
        assert [set(path) for path in game.state.hiking_map.paths] == long
    for seats in (2, 4):
        short = [path for path in long if path not in (rising, falling)]
        assert [set(path) for path in new_game(seats).state.hiking_map.paths] == short
    assert scene("", "", "", signpost=5).legal() == {f"take {space}" for space in rising}


def test_a_start_rock_is_placed_on_the_first_turn_with_the_tile() -> None:
    """The second seat places its rock after the tile of its first turn, and none on its second turn."""
    game = new_game(2, first_seat=0)
    rocks = []
    for _ in range(4):
        while not game.asks.endswith("choose_tile"):
            game.do(min(game.legal()))
            rocks += [(rock.seat, rock.shape) for rock in game.happened(RockPlaced) if rock.start]
        game.do(min(game.legal()))

    assert rocks == [(1, 1)]


def test_the_start_rock_is_placed_alone_when_no_tile_fits() -> None:
    """The step of the tile is skipped, the rock is not."""
    game = scene("", NEARLY_FULL, start=(0, 2), active=1, path=LONG_TILES)

    assert game.happened(TileSkipped) == [TileSkipped(1, SkipReason.NONE_FITS)]
    assert (game.asks, game.legal()) == ("1 place_rock", {"place 2 0 a9"})
    assert game.do("place 2 0 a9").asks == "0 choose_tile"


def test_a_start_rock_that_fits_nowhere_is_dropped() -> None:
    """It keeps its size, so it may not fit; then the turn simply ends, and it does not come back."""
    game = scene("", NEARLY_FULL, start=(0, 3), active=1, path=LONG_TILES)

    assert game.happened(RockDropped) == [RockDropped(1, 3, start=True)]
    assert game.asks == "0 choose_tile"
    assert game.state.mountains[1].start_rock == 0


def turns_of(game: Scene) -> list[tuple[int, int]]:
    """Seat and path of all turns of a game played at random."""
    first = [(turn.seat, turn.path) for turn in game.happened(TurnStarted)]
    return first + [(turn.seat, turn.path) for turn in game.play_on().happened(TurnStarted)]


def test_a_path_always_belongs_to_the_same_seat() -> None:
    """The ring's length is a multiple of the number of players, so the markers hold for the whole game."""
    for seats in (2, 3, 4):
        game = new_game(seats, first_seat=1)
        assert len(game.state.hiking_map.paths) % seats == 0
        turns = turns_of(game)
        assert all(path % seats == (seat - 1) % seats for seat, path in turns)
        assert len(turns) > len(set(turns)) > seats


def test_arrows_of_three_and_four_players() -> None:
    """Paths 1, 2, 3 (and 4) of the ring are the turns of the first, second, third (and fourth) player, and so on."""
    for seats in (3, 4):
        turns = turns_of(new_game(seats, first_seat=2))
        assert {seat for seat, _ in turns} == set(range(seats))
        assert all((seat - 2) % seats == path % seats for seat, path in turns)


def test_odd_and_even_markers_of_two_players() -> None:
    """Counting paths from 1, odd ones are the start player's and even ones the other's."""
    turns = turns_of(new_game(2, first_seat=1))

    assert {seat for seat, path in turns if (path + 1) % 2} == {1}
    assert {seat for seat, path in turns if not (path + 1) % 2} == {0}


# ---- 4) Move On


def test_the_signpost_goes_round_clockwise() -> None:
    """From path to path, and from the last one back to the first."""
    game = scene("", "", signpost=18)
    for space in (5, 0, 10):
        game.do(f"take {space}", f"tile 0 a{3 if space == 10 else 9}")
        if space == 5:
            assert game.state.signpost == 19

    assert game.state.signpost == 1
    assert game.happened(SignpostMoved) == [SignpostMoved(1)]
