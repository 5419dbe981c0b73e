"""Rules for Playing Cards: Ground Cards and Observation Cards."""

from __future__ import annotations

from meadow_engine.meadow.events import CardPlayed

from tests.meadow.packs import faults_with
from tests.meadow.scene import at_play, columns_for, scene, why_not

NINE_GROUNDS = [f"grass~{number}" for number in range(9)]

# ---- Rules for Playing Cards


def test_played_cards_stay_where_they_are() -> None:
    """Nothing but hand cards can be played, and a new column leaves the others with their cards and numbers."""
    game = scene("hand grass bird(sands)1\ncolumn sands\ncolumn rocks paw(rocks)1", "").do("token 4 C1", "play grass 0")

    assert game.refuses("play paw(rocks)1 0") == "NOT_IN_HAND"
    assert game.meadow() == [["grass"], ["sands"], ["rocks", "paw(rocks)1"]]
    game.do("play bird(sands)1 0")
    assert game.meadow() == [["grass"], ["sands", "bird(sands)1"], ["rocks", "paw(rocks)1"]]


# ---- Ground Cards


def test_a_ground_card_shows_its_symbols() -> None:
    """Its ground can be required from now on, and so can its card symbol."""
    game = scene("hand grass+larva bird(grass+larva)2\ncolumn sands", "").do("token 4 C1")
    assert not game.legal("play bird")
    game.do("play grass+larva 1")

    assert game.visible() == {"sands": 1, "grass": 1, "larva": 1}
    assert game.legal("play bird") == {"play bird(grass+larva)2 1"}


def test_a_ground_card_goes_to_the_left_or_right_end() -> None:
    """Beside the leftmost or the rightmost ground; it asks for nothing (M21)."""
    game = at_play("grass", "sands", "rocks")
    assert game.legal("play") == {"play grass 0", "play grass 1"}
    assert game.do("play grass 0").meadow() == [["grass"], ["sands"], ["rocks"]]
    game = at_play("grass", "sands", "rocks").do("play grass 1")

    assert game.meadow() == [["sands"], ["rocks"], ["grass"]]
    assert game.happened(CardPlayed) == [CardPlayed(0, game.catalogue.card_ids["grass"], 2)]


def test_a_meadow_has_ten_grounds_at_most() -> None:
    """A tenth can be played, an eleventh cannot; the starting ground card counts (M21)."""
    game = at_play("wetlands", *NINE_GROUNDS).do("play wetlands 1")
    assert len(game.meadow()) == 10

    assert why_not("rocks", *NINE_GROUNDS, "wetlands") == "TEN_GROUNDS"
    pending = at_play("rocks", *NINE_GROUNDS, "wetlands").view().pending
    assert pending
    assert [report.discards for report in pending.hand] == [0]


def test_a_ground_symbol_stays_visible_under_observations() -> None:
    """However many cards lie on the ground card."""
    game = at_play("", "grass+larva bird(larva)1 paw(bird)1 predator(paw)3", "sands")

    assert game.visible() == {"grass": 1, "predator": 1, "sands": 1}


def test_a_ground_card_is_never_placed_on_a_card() -> None:
    """Its only places are the two ends of the row, however many columns there are."""
    game = at_play("grass", "sands", "rocks", "wetlands", "litterfall")

    assert game.legal("play") == {"play grass 0", "play grass 1"}
    assert {len(column) for column in game.do("play grass 1").meadow()} == {1}


def test_there_are_five_grounds() -> None:
    """Each of them can be on a ground card; a ground of another name, or one of the expansion, is refused."""
    for ground in ("litterfall", "grass", "sands", "rocks", "wetlands"):
        assert not faults_with("meadow_e.csv", 0, grants=f"{ground} + larva")
    for other in ("mud", "watery", "paw"):
        assert faults_with("meadow_e.csv", 0, grants=other)


# ---- Observation Cards


def test_an_observation_lies_on_a_ground_card_or_on_an_observation() -> None:
    """Both kinds of top can be covered if they show what is required."""
    assert columns_for("bird(larva)1", "grass+larva", "sands larva(sands)1", "rocks+frog") == {0, 1}


def test_all_required_symbols_must_be_visible() -> None:
    """They may be anywhere in the meadow; a covered one does not count, and nobody else's meadow does."""
    card = "bird(larva+tree)2"

    assert columns_for(card, "grass+larva", "litterfall+tree") == {0, 1}
    assert why_not(card, "grass+larva", "litterfall+frog") == "SYMBOLS_MISSING"
    assert why_not(card, "grass+larva", "litterfall+tree frog(tree)1") == "SYMBOLS_MISSING"
    game = scene(f"hand {card}\ncolumn grass+larva", "column litterfall+tree").do("token 1 S1")
    assert not game.legal("play")


def test_columns_begin_with_a_ground_and_grow_as_high_as_one_likes() -> None:
    """An observation needs a column to lie on, and covers observations again and again."""
    game = at_play("flower(bird)1", "grass+larva bird(larva)1 bird(bird)1~1 bird(bird)1~2 bird(bird)1~3")
    game.do("play flower(bird)1 0")

    assert len(game.meadow()[0]) == 6
    assert game.visible() == {"grass": 1, "flower": 1}


# ---- Playing Observation Cards


def test_a_card_on_a_ground_leaves_the_ground_symbol_in_sight() -> None:
    """Only the ground card's own card symbol is lost (M22)."""
    game = at_play("bird(larva)1", "grass+larva").do("play bird(larva)1 0")

    assert game.visible() == {"grass": 1, "bird": 1}


def test_covered_cards_still_count_their_points() -> None:
    """The points of all cards of a column are added up."""
    game = at_play("paw(bird)4", "grass+larva bird(larva)2", "sands")
    assert game.points() == {"meadow": 2}

    assert game.do("play paw(bird)4 0").points() == {"meadow": 6}


def test_a_card_with_one_requirement_covers_a_card_that_shows_it() -> None:
    """No other top will do."""
    assert columns_for("bird(larva)1", "grass+frog", "sands+larva", "rocks") == {1}
    assert why_not("bird(larva)1", "grass+frog") == "SYMBOLS_MISSING"


def test_any_of_several_cards_that_show_it_can_be_covered() -> None:
    """The owner chooses one of them."""
    assert columns_for("bird(larva)1", "grass+larva", "sands+frog", "rocks+larva~1") == {0, 2}
    game = at_play("bird(larva)1", "grass+larva", "sands+frog", "rocks+larva~1").do("play bird(larva)1 2")

    assert game.meadow() == [["grass+larva"], ["sands+frog"], ["rocks+larva~1", "bird(larva)1"]]


def test_a_card_with_several_requirements_covers_any_card_that_shows_one() -> None:
    """Each top with one of the required symbols is a place, each other is not (M7, M18)."""
    columns = ("grass+larva", "sands+tree", "rocks+frog", "wetlands larva+flower(wetlands)1")

    assert columns_for("bird(larva+tree)2", *columns) == {0, 1, 3}


def test_equal_symbols_must_be_visible_as_often_as_they_are_required() -> None:
    """Two trees need two visible trees, on two cards or on one (M6, M18)."""
    card = "mushroom(tree+tree)3"

    assert why_not(card, "grass+tree", "sands") == "SYMBOLS_MISSING"
    assert columns_for(card, "grass+tree", "sands+tree~1", "rocks") == {0, 1}
    assert columns_for(card, "grass tree+tree(grass)1", "rocks") == {0}


def test_each_visible_symbol_meets_one_requirement() -> None:
    """One tree does not serve both a tree and a tree-or-bird; with a bird beside it both are met (M18)."""
    card = "mushroom(tree+tree/bird)3"

    assert why_not(card, "grass+tree", "sands") == "SYMBOLS_MISSING"
    assert columns_for(card, "grass+tree", "sands bird(sands)1", "rocks") == {0, 1}


def test_the_covered_symbol_counts_and_is_lost() -> None:
    """It meets its requirement and is gone afterwards; the other required symbols can be used again (M6)."""
    game = scene("hand bird(larva+tree)2 paw(tree)1 frog(larva)1\ncolumn grass+larva\ncolumn litterfall+tree", "")
    game.do("token 4 C1", "play bird(larva+tree)2 0")
    assert game.visible() == {"grass": 1, "bird": 1, "litterfall": 1, "tree": 1}

    assert game.legal("play") == {"play paw(tree)1 1"}


def test_a_new_card_grants_its_own_symbols() -> None:
    """What it shows can be required by the next card, all of it (M23)."""
    game = scene("hand bird+flower(larva)2 paw(bird+flower)3\ncolumn grass+larva", "")
    game.do("token 4 C1", "play bird+flower(larva)2 0")
    assert game.visible() == {"grass": 1, "bird": 1, "flower": 1}

    assert game.legal("play") == {"play paw(bird+flower)3 0"}


def test_two_symbols_of_a_card_serve_two_requirements() -> None:
    """Of one card to be played, or of a pair of goals (M23)."""
    assert columns_for("paw(bird+flower)3", "grass bird+flower(grass)1", "sands") == {0}
    assert columns_for("paw(bird+larva)3", "grass bird+flower(grass)1", "sands+larva") == {0, 1}


def test_a_required_ground_opens_its_columns() -> None:
    """On the bare ground card or on whatever lies on it, be its symbols required or not (M7)."""
    columns = ("grass", "grass+frog~1 paw(frog)1", "sands+frog", "sands")

    assert columns_for("flower(grass)1", *columns) == {0, 1}
    assert columns_for("flower(grass+frog)2", *columns) == {0, 1, 2}


def test_a_ground_is_never_used_up() -> None:
    """It meets requirements again and again, once for each time it is printed (M6)."""
    game = scene("hand flower(grass)1 berries(grass)1\ncolumn grass", "")
    game.do("token 4 C1", "play flower(grass)1 0", "play berries(grass)1 0")
    assert game.visible() == {"grass": 1, "berries": 1}

    assert why_not("tree(grass+grass)2", "grass", "sands") == "SYMBOLS_MISSING"
    assert columns_for("tree(grass+grass)2", "grass", "sands", "grass~1") == {0, 2}
    assert columns_for("tree(grass+grass)2", "grass+grass", "sands") == {0}


def test_a_ground_card_without_card_symbol_is_covered_for_its_grounds() -> None:
    """A card of two grounds is a place for whatever requires one of them, and for nothing else (M22)."""
    columns = ("grass+wetlands", "sands+larva")

    assert columns_for("frog(wetlands)1", *columns) == {0}
    assert columns_for("frog(grass)1", *columns) == {0}
    assert columns_for("frog(larva)1", *columns) == {1}
    game = at_play("frog(wetlands)1", *columns).do("play frog(wetlands)1 0")
    assert game.visible() == {"grass": 1, "wetlands": 1, "frog": 1, "sands": 1, "larva": 1}
