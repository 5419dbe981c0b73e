"""Scoring, Refill and Game End."""

from __future__ import annotations

from meadow_engine.spring_meadow.events import (
    GameEnded,
    MapRefilled,
    MarmotsCovered,
    Scored,
    ScoringTriggered,
    SkipReason,
    TileSkipped,
    TurnStarted,
)
from meadow_engine.spring_meadow.state import ScoreLine, ScoringPhase

from tests.spring_meadow.scene import FAMILY, Scene, new_game, scene

FULL = "##########"
FULL_BOARD = "\n".join(f"{row} {FULL}" for row in range(9, 0, -1))
SHORT_PATH = "--- --- ## --- ---"
"""One tile left: a scoring with any number of players."""
TILES = "## ### #o ##o ###o"


def scored(*boards: str, active: int = 0, pins: tuple[int, ...] = ()) -> Scene:
    """A scene whose first turn begins with a scoring of these boards."""
    return scene(*boards, active=active, pins=pins, path=SHORT_PATH, box=TILES)


def line(board: str) -> ScoreLine:
    """What a board counts in a scoring for a seat that is not active."""
    return scored("", board).happened(Scored)[0].lines[1]


def totals(game: Scene) -> list[int]:
    """Points of the seats in the first scoring."""
    return [points.total for points in game.happened(Scored)[0].lines]


def winner(game: Scene) -> int:
    """Who won the first scoring."""
    return game.happened(Scored)[0].winner


# ---- Scoring


def test_the_active_player_gets_the_picnic() -> None:
    """The seat whose turn the scoring interrupts, and no other."""
    for active in range(3):
        lines = scored("", "", "", active=active).happened(Scored)[0].lines
        assert [points.picnic > 0 for points in lines] == [seat == active for seat in range(3)]


def test_the_picnic_is_worth_two_points() -> None:
    """It is added before the points are compared: 4 and the picnic beat 5."""
    game = scored("1 ####......", "1 #####.....")

    assert totals(game) == [6, 5]
    assert winner(game) == 0


def test_full_rows_count_from_the_bottom() -> None:
    """Two full rows below an incomplete one are two; without a first full row there is none."""
    assert line(f"3 ###.......\n2 {FULL}\n1 {FULL}").rows == 2
    assert line(f"3 {FULL}\n2 {FULL}\n1 #########.").rows == 0


def test_burrows_count_as_covered_in_every_state() -> None:
    """Bare, cleared, covered or under a marmot; a hole over snow does not count."""
    assert line(f"3 ..........\n2 bcmx......\n1 {FULL}") == ScoreLine(1, 4, 1, 0)
    assert line("1 bcmx######").rows == 1
    assert line("1 #o#o#o####") == ScoreLine(0, 7, 0, 0)


def test_each_full_row_is_ten_points() -> None:
    """One to three full rows with nothing above are 10, 20 and 30 points."""
    for rows in (1, 2, 3):
        assert line("\n".join(f"{row} {FULL}" for row in range(1, rows + 1))).total == 10 * rows


def test_the_first_incomplete_row_adds_its_covered_spaces() -> None:
    """Only that row, and its covered spaces need not be connected."""
    assert line(f"3 #########.\n2 #.#.#.#...\n1 {FULL}") == ScoreLine(1, 4, 0, 0)


def test_each_space_of_the_partial_row_is_a_point() -> None:
    """Nine covered spaces and no full row are nine points."""
    assert line("1 ####.#####").total == 9


def test_full_rows_above_a_gap_count_nothing() -> None:
    """Neither as rows nor by their spaces."""
    assert line(f"4 {FULL}\n3 {FULL}\n2 ##........\n1 {FULL}") == ScoreLine(1, 2, 0, 0)


def test_lines_are_counted_from_the_start_edge_only() -> None:
    """A full row counts there; full rows at the far edge and full columns count nothing."""
    assert line(f"1 {FULL}") == ScoreLine(1, 0, 0, 0)
    assert line(f"9 {FULL}\n8 {FULL}").total == 0
    assert line("\n".join(f"{row} #........." for row in range(1, 10))) == ScoreLine(0, 1, 0, 0)


def test_nine_full_rows_are_ninety_points() -> None:
    """A full board has no partial row."""
    assert line(FULL_BOARD) == ScoreLine(9, 0, 0, 0)
    assert line(FULL_BOARD).total == 90


def test_cleared_burrows_count_anywhere() -> None:
    """Above the partial row, inside it, and in full rows."""
    assert line("9 c.........\n2 .c........\n1 c#########") == ScoreLine(1, 1, 3, 0)


def test_most_points_win_the_scoring() -> None:
    """Wherever the best board lies."""
    best, good = f"2 {FULL}\n1 {FULL}", f"2 ####......\n1 {FULL}"
    games = scored(best, good, good), scored(good, best, good), scored(good, good, best)

    assert [winner(game) for game in games] == [0, 1, 2]


def test_the_winner_gets_the_pin_and_not_the_active_player() -> None:
    """The picnic leaves the active player, whose points it gave; the winner alone has a pin more."""
    game = scored("", f"1 {FULL}", "", active=0, pins=(1, 0, 1))

    assert [mountain.pins for mountain in game.state.mountains] == [1, 1, 1]
    assert game.happened(Scored)[0].pins == 1


def test_a_scoring_stays_on_record() -> None:
    """Who was active, what everybody counted and who won can be read later."""
    game = scored("1 ###.......", f"1 {FULL}", active=1)

    assert game.state.scorings == [ScoringPhase(1, (ScoreLine(0, 3, 0, 0), ScoreLine(1, 0, 0, 2)), 1)]


def test_a_tie_goes_to_the_first_tied_seat_clockwise_after_the_active_one() -> None:
    """That is the one furthest counter-clockwise; the active player is the last to win a tie."""
    four, two = "1 ####......", "1 ##........"

    assert winner(scored(four, four, two, four, active=2)) == 3
    assert winner(scored(four, four, two, "", active=2)) == 0
    assert winner(scored("", four, two, "", active=2)) == 1
    assert winner(scored(two, "", "", four, active=0)) == 3
    assert winner(scored(two, four, four, "", active=0)) == 1
    assert winner(scored("", two, four, active=1)) == 2
    assert totals(scored(four, four, two, four, active=2)) == [4, 4, 4, 4]


def test_the_winner_covers_all_cleared_burrows() -> None:
    """Only the winner's, all of them; bare burrows and snow holes stay."""
    game = scored(f"9 c.b.o.c...\n1 {FULL}", "3 c.........")

    assert game.board(0) == f"9 m.b.o.m...\n1 {FULL}"
    assert game.board(1) == "3 c........."
    assert len(game.happened(MarmotsCovered)) == 1


GIULIA = f"9 .c........\n8 .....c...c\n4 {FULL}\n3 ####.####.\n2 ####b#####\n1 {FULL}"
"""Two full rows, one with 8 covered spaces, a full one above, and three cleared burrows, as in the book's example."""


def giulia() -> Scene:
    """Giulia is seat 1 and active; the others have less."""
    return scored(f"2 #########.\n1 {FULL}", GIULIA, f"3 ##........\n2 {FULL}\n1 {FULL}", active=1)


def test_giulia_takes_the_picnic() -> None:
    """Example: she is the active player."""
    assert [points.picnic for points in giulia().happened(Scored)[0].lines] == [0, 2, 0]


def test_giulias_rows() -> None:
    """Example: two full rows, and 8 spaces of the next."""
    points = giulia().happened(Scored)[0].lines[1]

    assert (points.rows, points.partial) == (2, 8)


def test_giulias_row_above_the_gap() -> None:
    """Example: the full row above the incomplete one does not count; with the gap closed it would."""
    assert line(GIULIA).rows == 2
    assert line(GIULIA.replace("####.####.", FULL)).rows == 4


def test_giulias_burrows() -> None:
    """Example: three cleared burrows."""
    assert giulia().happened(Scored)[0].lines[1].burrows == 3


def test_giulias_scoring() -> None:
    """Example: 2 + 20 + 8 + 3 = 33."""
    assert totals(giulia())[1] == 33


def test_giulia_wins() -> None:
    """Example: nobody has as many points."""
    assert totals(giulia()) == [19, 33, 22]
    assert winner(giulia()) == 1


def test_giulias_pin_and_marmots() -> None:
    """Example: she keeps a hiking pin, and marmots cover her three cleared burrows."""
    game = giulia()

    assert [mountain.pins for mountain in game.state.mountains] == [0, 1, 0]
    assert game.board(1).splitlines()[:2] == ["9 .m........", "8 .....m...m"]


# ---- Refill


def test_the_map_is_refilled_at_random_from_the_box() -> None:
    """Every empty space gets the next tile of the box, row by row; the order of the box comes from the seed."""
    game = scored("", "")

    assert game.happened(MapRefilled)[0].spaces == (0, 5, 15, 20)
    assert [game.map()[space] for space in (0, 5, 10, 15, 20)] == ["###o", "##o", "##", "#o", "###"]
    assert len(game.state.box) == 1
    assert new_game(2, 1).state.box != new_game(2, 2).state.box


def test_spaces_stay_empty_when_the_box_is_empty() -> None:
    """The last tiles go to the first gaps; the others wait in vain."""
    game = scene("", "", path=SHORT_PATH, box="## ###")

    assert [game.map()[space] for space in (0, 5, 10, 15, 20)] == ["###", "##", "##", "---", "---"]
    assert len(game.state.box) == 0


def test_nothing_is_refilled_while_no_scoring_is_triggered() -> None:
    """A tile that was taken leaves its space empty for the following turns."""
    game = scene("", "", box=TILES).do("take 0", "tile 0 a1", "take 1", "tile 0 a1")

    assert game.map()[:2] == ["---", "---"]
    assert game.happened(MapRefilled) == []


def test_the_interrupted_turn_resumes_without_a_second_test() -> None:
    """The active player goes on and chooses, even when the box was empty and the path is as short as before."""
    game = scene("", "", "", active=2, path=SHORT_PATH)

    assert game.asks == "2 choose_tile"
    assert game.legal() == {"take 10"}
    assert len(game.happened(Scored)) == 1


# ---- Game End


def test_the_second_pin_ends_the_game_at_once() -> None:
    """No refill, no marmots, no turn; with a first pin the game goes on."""
    board = f"9 c.........\n1 {FULL}"
    end, on = scored("", board, pins=(1, 1)), scored("", board, pins=(1, 0))

    assert (end.asks, on.asks) == ("end", "0 choose_tile")
    assert [mountain.pins for mountain in end.state.mountains] == [1, 2]
    assert len(end.happened(GameEnded)) == 1
    assert end.happened(MapRefilled) == []
    assert end.board(1) == board
    assert FAMILY.outcome(end.state).ranks == (2, 1)


def test_the_other_seats_rank_by_their_pins() -> None:
    """Equal pins share a rank, whatever the points of the last scoring were."""
    game = scored("", f"1 {FULL}", "1 ###.......", "", pins=(1, 1, 0, 1))

    assert FAMILY.outcome(game.state).ranks == (2, 1, 4, 2)
    assert FAMILY.returns(game.state) == (1, 2, 0, 1)


def test_a_game_has_at_most_one_scoring_more_than_players() -> None:
    """Random games of 2, 3 and 4 players end after 2 to 5 scorings; with one pin each the next scoring is the last."""
    for seats in (2, 3, 4):
        for seed in range(5):
            assert 2 <= len(new_game(seats, seed).play_on().happened(Scored)) <= seats + 1
        assert scored(*[""] * seats, pins=(1,) * seats).asks == "end"


# ---- Stalemate (ruling S11)


def test_a_circuit_without_a_tile_triggers_a_scoring() -> None:
    """When nobody can place a tile, every circuit of the signpost brings a scoring, until somebody has won."""
    for seats, ring in ((2, 20), (3, 24), (4, 20)):
        game = scene(*[FULL_BOARD] * seats, hiking_map="### " * 25)
        turns = [type(event) for event in game.events if isinstance(event, TurnStarted | ScoringTriggered)]
        first = turns.index(ScoringTriggered)
        assert first == ring + 1
        assert turns.index(ScoringTriggered, first + 1) == first + 1 + ring
        assert game.happened(ScoringTriggered)[0].stalemate
        assert game.asks == "end"


def test_a_scoring_by_stalemate_refills_like_any_other() -> None:
    """The gaps of the map get tiles, one of which may end the stalemate."""
    nearly = FULL_BOARD.replace("9 ##", "9 ..", 1)
    game = scene(nearly, FULL_BOARD, idle=20, path="### ### ### ### ---", box="##")

    assert game.happened(ScoringTriggered) == [ScoringTriggered(0, stalemate=True)]
    assert game.legal() == {"take 20"}


def test_a_placed_tile_restarts_the_count() -> None:
    """Nineteen turns without a tile, then one: the next scoring by stalemate is twenty turns away."""
    nearly = FULL_BOARD.replace("9 ##", "9 ..", 1)
    game = scene(nearly, FULL_BOARD, idle=19, hiking_map="## " * 25)
    before = game.happened(ScoringTriggered)
    game.do("take 0", "tile 0 a9")
    turns = [type(event) for event in game.events if isinstance(event, TurnStarted | ScoringTriggered)]

    assert before == []
    assert turns.index(ScoringTriggered) == 21


def test_a_start_rock_placed_alone_does_not_restart_the_count() -> None:
    """It is no tile: the turn counts among those without one."""
    nearly = FULL_BOARD.replace("9 ##", "9 ..", 1)
    game = scene(nearly, FULL_BOARD, start=(2, 0), idle=19, hiking_map="### " * 25).do("place 2 0 a9")

    assert game.happened(ScoringTriggered)[0] == ScoringTriggered(1, stalemate=True)
    assert game.happened(TileSkipped)[0] == TileSkipped(1, SkipReason.NONE_FITS)
