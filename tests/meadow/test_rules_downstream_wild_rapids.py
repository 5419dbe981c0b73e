"""Downstream: Wild Rapids, its set-up, its eight extra actions, piers and tents, its scoring."""

from __future__ import annotations

import pytest
from meadow_engine import api
from meadow_engine.meadow.downstream.catalogue import WILD_RAPIDS, Extra, Pier, Tent
from meadow_engine.meadow.downstream.events import PierTaken, TentTaken
from meadow_engine.meadow.events import CardDrawn, CardsLookedAt, GameEnded, RoadsTaken
from meadow_engine.meadow.symbols import SYMBOLS

from tests.meadow.river import RIVER, components, paddle, river_of, river_scene
from tests.meadow.scene import BOARD, EMPTY, Scene, told

NO_RIVER = f"{EMPTY} {EMPTY} {EMPTY} {EMPTY}\n" * 2
NO_BOARD = f"{EMPTY} {EMPTY} {EMPTY} {EMPTY}\n" * 4


def at_pier(pier: Pier, hand: str = "", lines: str = "", decks: dict[str, str] | None = None) -> Scene:
    """A seat that has just taken a pier token."""
    lines = f"piers {pier:d}\n{lines}"
    return paddle("pier", 1, hand=hand, side=WILD_RAPIDS, lines=lines, decks=decks).do(f"pick {pier:d}")


def at_tent(tent: Tent, hand: str = "", river: str = RIVER, board: str = BOARD) -> Scene:
    """A seat that has just taken a tent token."""
    lines = f"tents {tent:d}"
    return paddle("tent", 1, hand=hand, side=WILD_RAPIDS, lines=lines, river=river, board=board).do(f"pick {tent:d}")


# ---- Game Setup (Wild Rapids)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_as_many_tents_and_piers_as_players(seats: int) -> None:
    """Drawn at random of six each, face up; the others are in the box."""
    drawn = set()
    for seed in range(12):
        river = api.new_game("downstream_wild_rapids", seats=seats, seed=seed).view(None).river
        for area in (river.piers, river.tents):
            assert (len(set(area.open)), area.down) == (seats, 0)
        drawn.add((river.piers.open, river.tents.open))
    assert len(drawn) > 6


def test_the_new_goal_token_is_among_those_drawn() -> None:
    """With the other twelve: four players draw eleven of the thirteen."""
    rings = [api.new_game("downstream_wild_rapids", seats=4, seed=seed).view(None).goals for seed in range(20)]
    drawn = {SYMBOLS[goal] for ring in rings for goal in ring}

    assert "fish" in drawn
    assert (len(rings[0]), len(drawn)) == (11, 13)


def test_wild_rapids_has_the_sunset_cards() -> None:
    """All four, the one worth the most on top."""
    game = api.new_game("downstream_wild_rapids", seats=3, seed=1)
    points = [game.catalogue.cards[card].points for card in game.view(None).river.sunset]

    assert points == sorted(points)
    assert len(points) == 4


def test_every_extra_action_of_wild_rapids_is_on_its_board() -> None:
    """The eight of the book, and no other."""
    offered = {space.extra for space in components().sides[WILD_RAPIDS].spaces} - {Extra.NONE}
    assert offered == {
        Extra.S_OR_W,
        Extra.LOOK_AT_N,
        Extra.ROAD_AND_FACE_UP,
        Extra.PLAY,
        Extra.PIER,
        Extra.TENT,
        Extra.ROAD,
        Extra.SUNSET,
    }


# ---- Types of Extra Actions (Wild Rapids)


def test_the_top_card_of_the_s_or_w_deck() -> None:
    """Either, at any time: the S deck after the halfway point too (M31)."""
    game = paddle("s_or_w", 1, side=WILD_RAPIDS)
    assert game.legal() == {"draw S", "draw W", "pass"}
    assert game.do("draw S").hand() == ["S9"]
    hand = "hand R.frog(sands)^1\ncolumn sands"
    game = river_scene(hand, "", spaces="none s_or_w", side=WILD_RAPIDS, halfway=True)

    assert game.do("token 1 S1", "play R.frog(sands)^1 0").legal() == {"draw S", "draw W", "pass"}


def test_a_look_at_the_top_two_of_the_n_deck() -> None:
    """One is kept, the other one goes under the deck, before the halfway point too."""
    game = paddle("look_at_n", 1, side=WILD_RAPIDS)
    assert game.legal() == {"use", "pass"}
    game.do("use")
    assert game.legal() == {"keep 0", "keep 1"}
    assert [event.count for event in game.happened(CardsLookedAt)] == [2]
    game.do("keep 1", "under 0")

    assert (game.hand(), game.deck("N")[0], game.deck("N")[-1]) == (["N2"], "N1", "N3")
    assert paddle("look_at_n", 1, side=WILD_RAPIDS, decks={"N": ""}).asks == "1 place_token"


def test_a_road_and_a_face_up_card() -> None:
    """Both together, from either board."""
    game = paddle("road_and_face_up", 1, side=WILD_RAPIDS)
    assert game.legal() == {"pass", *(f"take {spot}" for spot in range(24))}
    game.do("take 17")

    assert (game.hand(), game.player().roads, game.board()[17]) == (["R2"], 1, "R9")


def test_the_road_alone_where_no_card_lies() -> None:
    """And the card alone where no road is left."""
    bare = paddle("road_and_face_up", 1, side=WILD_RAPIDS, river=NO_RIVER, board=NO_BOARD)
    assert bare.legal() == {"use", "pass"}
    assert bare.do("use").player().roads == 1
    game = paddle("road_and_face_up", 1, side=WILD_RAPIDS, lines="supply 0").do("take 0")

    assert (game.hand(), game.player().roads) == (["W1"], 0)


def test_a_token_of_the_pier_area() -> None:
    """One of those that lie there, or none; the first to come has the choice (D12)."""
    game = paddle("pier", 1, side=WILD_RAPIDS, lines="piers 2 0 5")
    assert game.legal() == {"pick 0", "pick 2", "pick 5", "pass"}
    game.do("pick 2")

    assert game.happened(PierTaken) == [PierTaken(0, Pier.TWO_ROADS, face_down=False)]
    assert river_of(game).piers.open == [0, 5]
    assert paddle("pier", 1, side=WILD_RAPIDS).asks == "1 place_token"


def test_a_token_of_the_tent_area() -> None:
    """Kept if it is worth points, else back to the box."""
    game = paddle("tent", 1, side=WILD_RAPIDS, lines="tents 0 5")
    assert game.legal() == {"pick 0", "pick 5", "pass"}
    game.do("pick 0")

    assert game.happened(TentTaken) == [TentTaken(0, Tent.FOUR_POINTS, face_down=False)]
    assert (river_of(game).kept, river_of(game).tents.open) == ([(Tent.FOUR_POINTS,), ()], [5])
    assert paddle("tent", 1, side=WILD_RAPIDS).asks == "1 place_token"


def test_a_seat_may_take_several_tokens() -> None:
    """One at each visit, without limit (D12)."""
    game = paddle("tent tent", 2, side=WILD_RAPIDS, lines="tents 0 1").do("pick 1", "pick 0")

    assert river_of(game).kept[0] == (Tent.THREE_POINTS, Tent.FOUR_POINTS)


# ---- Pier Token Actions


def test_pier_top_cards_of_e_w_and_n() -> None:
    """One of each, unseen by the others; an empty deck gives none."""
    game = at_pier(Pier.E_W_N)
    assert game.hand() == ["E5", "W5", "N1"]
    assert [told(event) for event in game.happened(CardDrawn)] == [[True, False, False]] * 3

    assert at_pier(Pier.E_W_N, decks={"W": ""}).hand() == ["E5", "N1"]


def test_pier_top_two_of_the_river_deck() -> None:
    """The S deck goes on where it ends (D14)."""
    assert at_pier(Pier.TWO_RIVER).hand() == ["R9", "R10"]
    assert at_pier(Pier.TWO_RIVER, decks={"R": "R9"}).hand() == ["R9", "S9"]


def test_pier_two_road_tokens() -> None:
    """As many as are left."""
    assert at_pier(Pier.TWO_ROADS).player().roads == 2
    assert at_pier(Pier.TWO_ROADS, lines="supply 1").happened(RoadsTaken) == [RoadsTaken(0, 1)]


def test_pier_look_at_three_of_the_e_deck_then_a_play() -> None:
    """One is kept, two go under the deck in any order, then a card may be played, the kept one too."""
    game = at_pier(Pier.LOOK_AT_E)
    assert game.legal() == {"keep 0", "keep 1", "keep 2"}
    game.do("keep 0", "under 1")

    assert (game.hand(), game.deck("E")[:2]) == (["E5"], ["E6", "E7"])
    assert game.legal() == {"pass", "play E5 0", "play E5 1"}
    assert game.do("play E5 0").asks == "1 place_token"


def test_pier_look_at_an_empty_deck_leaves_the_play() -> None:
    """There is nothing to look at then."""
    assert at_pier(Pier.LOOK_AT_E, decks={"E": ""}).asks == "0 play_card"


def test_pier_face_up_card_must_be_taken() -> None:
    """Once the token is taken the card is a duty (D12)."""
    game = at_pier(Pier.FACE_UP)

    assert game.legal() == {f"take {spot}" for spot in range(24)}
    assert game.refuses("pass") == "WRONG_DECISION"
    assert game.do("take 1").hand() == ["S1"]


def test_pier_discard_for_two_cards_is_a_duty() -> None:
    """A hand card has to be discarded, then the top two cards of any one deck are taken (D12, D13)."""
    game = at_pier(Pier.TWO_CARDS, hand="S91 W91")
    assert game.legal() == {"discard S91", "discard W91"}
    assert game.refuses("pass") == "WRONG_DECISION"
    assert game.refuses("discard R1") == "NOT_IN_HAND"
    assert game.do("discard W91").legal() == {"draw W", "draw S", "draw E", "draw RIVER"}

    assert game.do("draw W").hand() == ["S91", "W5", "W6"]
    assert at_pier(Pier.TWO_CARDS).asks == "1 place_token"


# ---- Tent Tokens


@pytest.mark.parametrize(("tent", "points"), [(Tent.FOUR_POINTS, 4), (Tent.THREE_POINTS, 3)])
def test_tents_of_four_and_three_points(tent: Tent, points: int) -> None:
    """They do nothing but score."""
    game = at_tent(tent)

    assert game.points() == {"tents": points}
    assert game.asks == "1 place_token"


@pytest.mark.parametrize(("tent", "points"), [(Tent.FACE_UP_AND_PLAY_ONE_POINT, 1), (Tent.FACE_UP_AND_PLAY, 0)])
def test_tents_with_a_face_up_card_and_a_play(tent: Tent, points: int) -> None:
    """The card is a duty, the play is not; one of the two tokens is kept for a point."""
    game = at_tent(tent, hand="R.paw(frog)")
    assert game.legal() == {f"take {spot}" for spot in range(24)}
    game.do("take 16")

    assert game.legal() == {"pass", "play R.paw(frog) 0"}
    assert game.do("pass").points() == ({"tents": points} if points else {})
    assert river_of(game).kept[0] == ((tent,) if points else ())


def test_a_tent_s_take_is_void_where_no_card_lies() -> None:
    """The play is left."""
    assert at_tent(Tent.FACE_UP_AND_PLAY, river=NO_RIVER, board=NO_BOARD).asks == "0 play_card"


def test_tent_of_a_play_and_two_points() -> None:
    """The play is optional, the points are not lost with it."""
    game = at_tent(Tent.PLAY_TWO_POINTS, hand="R.paw(frog)")
    assert game.legal() == {"pass", "play R.paw(frog) 0"}

    assert game.do("pass").points() == {"tents": 2}


def test_tent_of_two_plays() -> None:
    """Up to two cards, the second after the first is done with; no points, the token goes back to the box."""
    game = at_tent(Tent.TWO_PLAYS, hand="R.paw(frog) bird(paw)1")
    assert game.plays() == 2
    game.do("play R.paw(frog) 0")
    assert game.plays() == 1
    assert game.do("play bird(paw)1 0").asks == "1 place_token"

    assert at_tent(Tent.TWO_PLAYS, hand="R.paw(frog)").do("pass").asks == "1 place_token"
    assert river_of(game).kept[0] == ()


def test_a_play_from_a_tent_moves_the_kayak_before_the_next_play() -> None:
    """Nested moves come in their order (D1)."""
    hand = "R.paw(frog)^1 bird(paw)1"
    game = paddle("tent road none", 1, hand=hand, side=WILD_RAPIDS, lines="tents 5").do(
        "pick 5", "play R.paw(frog)^1 0"
    )

    assert game.legal() == {"use", "pass"}
    assert game.do("use").plays() == 1


# ---- End of Game and Scoring (Wild Rapids)


def test_tents_and_river_points_are_added_to_those_of_the_base_game() -> None:
    """The book's tenth example: 13 + 4, 5 and 8 points more."""
    seats = ("tokens 4\ncolumn sands frog(sands)2", "tokens 4\ncolumn sands~1", "tokens 4\ncolumn sands~2")
    kayaks = "kayak 0 at 1 points 13\nkayak 1 at 2 points 5\nkayak 2 at 3 points 8"
    lines = f"{kayaks}\nkept 0 {Tent.FOUR_POINTS:d}"
    game = river_scene(*seats, round_number=6, side=WILD_RAPIDS, lines=lines).finish_round()

    assert game.happened(GameEnded)
    assert [score.total for score in game.sheet().seats] == [2 + 13 + 4, 5, 8]
    assert game.points(0) == {"meadow": 2, "river": 13, "tents": 4}
    assert game.outcome().ranks == (1, 3, 2)


def test_tents_that_are_worth_nothing_do_not_score() -> None:
    """Only kept tokens count."""
    game = at_tent(Tent.FACE_UP_AND_PLAY).do("take 0", "pass")

    assert game.points() == {}
