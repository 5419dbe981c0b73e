"""Downstream: Lazy River, its set-up, its eight extra actions, its goals, its scoring."""

from __future__ import annotations

import pytest
from meadow_engine import api
from meadow_engine.meadow.downstream.catalogue import LAZY_RIVER, WILD_RAPIDS, Extra
from meadow_engine.meadow.downstream.events import ExtraBonusPlaced, PileCardTaken
from meadow_engine.meadow.events import CardDiscarded, CardDrawn, CardTaken, GameEnded, RoadsTaken
from meadow_engine.meadow.symbols import SYMBOLS

from tests.meadow.river import components, paddle, river_of, river_scene
from tests.meadow.scene import EMPTY, told

NO_RIVER = f"{EMPTY} {EMPTY} {EMPTY} {EMPTY}\n" * 2
NO_BOARD = f"{EMPTY} {EMPTY} {EMPTY} {EMPTY}\n" * 4
GOALS = "extra goals tree, fish"
TRIANGLE = ("sands", "watery nature-monument(watery)", "rocks+tree")


# ---- Game Setup


def test_beaver_dams_and_sunsets_lie_best_card_on_top() -> None:
    """All four of each, whatever the number of players (D11)."""
    for seats in (1, 2, 4):
        variant = "downstream_lazy_river" + ("_solo" if seats == 1 else "")
        game = api.new_game(variant, seats=seats, seed=1)
        river = game.view(None).river
        for pile in (river.sunset, river.beaver_dams):
            points = [game.catalogue.cards[card].points for card in pile]
            assert len(points) == 4
            assert points == sorted(points)


def test_nobody_takes_a_card_in_the_set_up() -> None:
    """The board's fifth point is a legend (D6): everybody starts with the five cards of the base game."""
    game = api.new_game("downstream_lazy_river", seats=2, seed=1, options={"beginners_deal": True})

    assert [sum(p.unknown) + len(p.hand) for p in game.view(None).players] == [5, 5]


@pytest.mark.parametrize(("seats", "around"), [(1, 3), (2, 5), (3, 8), (4, 11)])
def test_two_of_the_remaining_goal_tokens_lie_beside_the_triangles(seats: int, around: int) -> None:
    """Never one that lies around the campfire; with four players they are the last two."""
    variant = "downstream_lazy_river" + ("_solo" if seats == 1 else "")
    drawn = set()
    for seed in range(30):
        view = api.new_game(variant, seats=seats, seed=seed).view(None)
        assert len(view.goals) == around
        assert len(set(view.river.goals)) == 2
        assert not set(view.river.goals) & set(view.goals)
        drawn |= set(view.river.goals)
    assert len(drawn) > 5
    assert "fish" in {SYMBOLS[goal] for goal in drawn}


def test_kayaks_begin_at_the_start() -> None:
    """All of them, without points."""
    game = api.new_game("downstream_lazy_river", seats=4, seed=1)

    assert game.view(None).river.kayaks == (0, 0, 0, 0)
    assert [dict(seat.sources)["river"] for seat in game.score_sheet().seats] == [0, 0, 0, 0]


def test_every_extra_action_of_lazy_river_is_on_its_board() -> None:
    """The eight of the book, and no other."""
    offered = {space.extra for space in components().sides[LAZY_RIVER].spaces} - {Extra.NONE}
    assert offered == {
        Extra.RIVER_OR_E,
        Extra.ROAD_OR_TWO_CARDS,
        Extra.FACE_UP,
        Extra.BEAVER_DAM,
        Extra.GOAL,
        Extra.ROAD,
        Extra.SUNSET,
        Extra.PLAY,
    }
    assert components().sides[WILD_RAPIDS].spaces[0].extra is Extra.NONE


# ---- Types of Extra Actions (Lazy River)


def test_the_top_card_of_the_river_or_e_deck() -> None:
    """Either may be taken, unseen by the others."""
    game = paddle("river_or_e", 1)
    assert game.legal() == {"draw RIVER", "draw E", "pass"}
    game.do("draw RIVER")

    assert game.hand() == ["R9"]
    assert told(game.happened(CardDrawn)[0]) == [True, False, False]
    assert paddle("river_or_e", 1).do("draw E").hand() == ["E5"]


def test_an_empty_deck_is_not_offered() -> None:
    """With both decks and S empty the space does nothing; S stands in for the river deck (D14)."""
    assert paddle("river_or_e", 1, decks={"E": ""}).legal() == {"draw RIVER", "pass"}
    assert paddle("river_or_e", 1, decks={"R": ""}).legal() == {"draw S", "draw E", "pass"}
    assert paddle("river_or_e", 1, decks={"R": "", "S": "", "E": ""}).asks == "1 place_token"


def test_a_road_or_a_discard_for_two_cards() -> None:
    """The road token is one choice, each hand card another."""
    game = paddle("road_or_two_cards", 1, hand="S91 W91")
    assert game.legal() == {"roads", "discard S91", "discard W91", "pass"}

    assert game.do("roads").player().roads == 1


def test_the_discard_is_paid_before_the_deck_is_chosen() -> None:
    """Any one deck of the main or river board; its top two cards, unseen by the others (D13)."""
    game = paddle("road_or_two_cards", 1, hand="S91").do("discard S91")
    assert (game.hand(), game.deck("S")[0]) == ([], "S91")
    assert game.legal() == {"draw W", "draw S", "draw E", "draw RIVER"}
    assert game.refuses("pass") == "WRONG_DECISION"
    assert game.refuses("draw N") == "NO_SUCH_DECK"
    assert len(game.happened(CardDiscarded)) == 1

    game.do("draw RIVER")
    assert game.hand() == ["R9", "R10"]
    assert [told(event) for event in game.happened(CardDrawn)] == [[True, False, False]] * 2


def test_two_cards_of_a_spent_river_deck_go_on_with_s() -> None:
    """Draws continue in the deck that replaces it; of another deck there is just what is left (D14, M4)."""
    game = paddle("road_or_two_cards", 1, hand="W91", decks={"R": "R9"}).do("discard W91", "draw RIVER")
    assert game.hand() == ["R9", "S9"]
    game = paddle("road_or_two_cards", 1, hand="W91", decks={"E": "E5"}).do("discard W91", "draw E")

    assert game.hand() == ["E5"]


def test_without_roads_or_hand_the_space_does_nothing() -> None:
    """Neither half is possible then (D13)."""
    assert paddle("road_or_two_cards", 1, lines="supply 0").asks == "1 place_token"
    assert paddle("road_or_two_cards", 1, hand="S91", lines="supply 0").legal() == {"discard S91", "pass"}


def test_a_face_up_card_from_the_main_board_or_the_river() -> None:
    """Any of the 24; its spot is refilled."""
    game = paddle("face_up", 1)
    assert game.legal() == {"pass", *(f"take {spot}" for spot in range(24))}
    game.do("take 23")

    assert game.happened(CardTaken) == [CardTaken(0, 23, game.catalogue.card_ids["R8"])]
    assert game.board()[23] == "R9"
    assert paddle("face_up", 1, river=NO_RIVER, board=NO_BOARD).asks == "1 place_token"


def test_the_top_beaver_dam_card() -> None:
    """Into the hand, seen by all; an empty pile has no effect (D11)."""
    game = paddle("beaver_dam", 1, lines="dams D.fence(watery)2 D.fence(watery)4").do("use")

    assert game.hand() == ["D.fence(watery)4"]
    assert game.happened(PileCardTaken) == [PileCardTaken(0, game.catalogue.card_ids["D.fence(watery)4"])]
    assert game.names(river_of(game).beaver_dams) == ["D.fence(watery)2"]
    assert game.names(game.view(1).players[0].hand) == ["D.fence(watery)4"]
    assert paddle("beaver_dam", 1).asks == "1 place_token"


def test_a_road_token() -> None:
    """One, from the supply."""
    game = paddle("road", 1, lines="supply 5").do("use")

    assert game.happened(RoadsTaken) == [RoadsTaken(0, 1)]
    assert (game.player().roads, game.state.road_supply) == (1, 4)


def test_the_top_sunset_card() -> None:
    """Into the hand, seen by all."""
    game = paddle("sunset", 1, lines="sunset T.landscape()1 T.landscape()3").do("use")

    assert game.hand() == ["T.landscape()3"]
    assert game.names(river_of(game).sunset) == ["T.landscape()1"]


def test_a_card_may_be_played_from_a_space() -> None:
    """Into the meadow or the surroundings, with all the rules of a play, or none."""
    game = paddle("play", 1, hand="R.paw(frog) R.landscape()", roads=1)
    assert game.legal() == {"pass", "play R.paw(frog) 0", "play R.landscape() 0"}

    assert game.do("play R.landscape() 0").surroundings() == [["R.landscape()"]]
    assert game.asks == "1 place_token"


# ---- The goal space


def test_the_triangle_and_one_goal_are_enough() -> None:
    """The book's seventh example: triangle and tree visible, the bonus token is placed; it is worth 3 points."""
    game = paddle("goal", 1, columns=TRIANGLE, lines=GOALS)
    assert game.legal() == {"use", "pass"}
    game.do("use")

    assert game.happened(ExtraBonusPlaced) == [ExtraBonusPlaced(0)]
    assert game.points() == {"river_goal": 3}


def test_without_triangle_or_goal_nothing_can_be_placed() -> None:
    """Both symbols of a pair are needed; the space is passed nevertheless."""
    for columns in (("sands", "rocks+tree"), ("sands", "watery nature-monument(watery)")):
        game = paddle("goal none", 2, columns=columns, lines=GOALS)
        assert game.asks == "1 place_token"
        assert river_of(game).kayaks[0] == 2
        assert game.points() == {}
    assert paddle("goal none", 2, columns=TRIANGLE, lines=GOALS).do("pass").points() == {}


def test_the_second_pair_does_as_well() -> None:
    """At least one of the two."""
    columns = ("sands", "watery nature-monument(watery)", "watery~1 fish(watery)1")

    assert paddle("goal", 1, columns=columns, lines=GOALS).legal() == {"use", "pass"}


def test_others_bonus_tokens_do_not_block_the_goal_space() -> None:
    """The book's seventh example again: somebody else has placed theirs before."""
    game = paddle("goal", 1, columns=TRIANGLE, lines=f"{GOALS}\nextra bonus 1").do("use")

    assert river_of(game).bonuses == 0b11


def test_the_additional_bonus_token_is_placed_once() -> None:
    """Another goal space, or another visit, does nothing any more; declined it can be placed later (D17)."""
    game = paddle("goal goal", 2, columns=TRIANGLE, lines=GOALS)
    assert game.do("use").asks == "1 place_token"
    game = paddle("goal goal", 2, columns=TRIANGLE, lines=GOALS).do("pass")

    assert game.legal() == {"use", "pass"}
    assert game.do("use").points() == {"river_goal": 3}


def test_every_seat_has_an_additional_bonus_token() -> None:
    """One each: whoever has placed theirs cannot again, whoever has not can (D17)."""
    seat_1 = "tokens 4\nhand R.frog(sands)^1\n" + "\n".join(f"column {column}" for column in TRIANGLE)
    for placed, asked in (("0", {"use", "pass"}), ("1", set())):
        game = river_scene("column rocks~9", seat_1, spaces="none goal", lines=f"{GOALS}\nextra bonus {placed}", turn=1)
        game.do("token 4 C1", "play R.frog(sands)^1 0")
        assert game.legal("use") | game.legal("pass") == (asked or {"pass"})
        if asked:
            assert game.do("use").points(1) == {"river_goal": 3}


def test_the_extra_goal_is_beside_the_one_of_the_turn() -> None:
    """It is no campfire goal: it takes none of the tokens worth 2, 3 and 4, and both can come in one turn (D17)."""
    card = "R.frog(sands)^1"
    columns = "column sands\ncolumn watery nature-monument(watery)\ncolumn rocks+tree\ncolumn sands+bird~2"
    game = river_scene(f"hand {card}\n{columns}", "", spaces="none goal", lines=GOALS).do("token 4 C1", "goal 0")
    game.do(f"play {card} 0", "use")

    assert game.points() == {"goals": 2, "river_goal": 3}
    assert game.player().bonuses == 1


# ---- End of Game and Scoring (Lazy River)


def test_river_points_and_extra_bonus_are_added_to_those_of_the_base_game() -> None:
    """The book's eighth example: 8 + 3, 10 and 13 + 3 points more, to what the cards are worth."""
    seats = ("tokens 4\ncolumn sands frog(sands)2", "tokens 4\ncolumn sands~1", "tokens 4\ncolumn sands~2")
    kayaks = "kayak 0 at 1 points 8\nkayak 1 at 2 points 10\nkayak 2 at 3 points 13"
    game = river_scene(*seats, round_number=6, lines=f"{kayaks}\nextra bonus 0 2").finish_round()

    assert game.happened(GameEnded)
    assert [score.total for score in game.sheet().seats] == [2 + 8 + 3, 10, 13 + 3]
    assert game.points(0) == {"meadow": 2, "river": 8, "river_goal": 3}


def test_the_most_points_win_on_the_river_too() -> None:
    """Ties go to more discoveries, then they are shared."""
    seats = [
        "tokens 4\ncolumn sands\nlandscape landscape()1 discovery()1",
        "tokens 4\ncolumn sands~1 frog(sands)2",
        "tokens 4\ncolumn sands~2 frog(sands)2~1",
    ]
    game = river_scene(*seats, round_number=6, lines="kayak 0 at 1 points 3").finish_round()
    assert game.outcome().ranks == (1, 2, 2)

    assert river_scene(*seats, round_number=6).finish_round().outcome().ranks == (1, 2, 2)


def test_wild_rapids_has_neither_beaver_dams_nor_extra_goals() -> None:
    """They belong to the calm side."""
    river = api.new_game("downstream_wild_rapids", seats=2, seed=1).view(None).river

    assert (river.beaver_dams, river.goals) == ((), ())
