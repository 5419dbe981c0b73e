"""Choice of a Requirement, Required Adjacent Columns and Replacing a Missing Symbol."""

from __future__ import annotations

from meadow_engine.meadow.events import CardDiscarded, CardPlayed

from tests.meadow.packs import faults_with
from tests.meadow.scene import at_play, columns_for, scene, told, why_not

TWO_MORE = "S91 S92"
"""Two further hand cards: enough to ignore one symbol."""

# ---- Choice of a Requirement


def test_a_slash_needs_one_of_its_two_symbols() -> None:
    """Either half alone meets it, none does not (M19)."""
    card = "paw(bird/frog)1"

    assert columns_for(card, "grass bird(grass)1", "sands") == {0}
    assert columns_for(card, "grass+frog", "sands") == {0}
    assert why_not(card, "grass+larva", "sands") == "SYMBOLS_MISSING"


def test_the_owner_chooses_the_half_and_so_the_place() -> None:
    """With both halves visible the card goes on either; a ground as a half opens that ground's columns (M19)."""
    assert columns_for("paw(bird/frog)1", "grass bird(grass)1", "sands+frog", "rocks") == {0, 1}
    assert columns_for("paw(frog/grass)1", "grass bird(grass)1", "sands+frog", "rocks") == {0, 1}


def test_a_slash_counts_as_one_symbol() -> None:
    """Both halves together do not meet two requirements, and a missing one costs two cards (M18, M19)."""
    assert columns_for("paw(bird/frog+larva)2", "grass+larva", "sands+frog") == {0, 1}
    game = at_play(f"paw(bird/frog+larva)2 {TWO_MORE}", "grass+larva").do("play paw(bird/frog+larva)2 0")

    assert game.owes() == 2


def test_a_visible_symbol_is_spent_on_the_requirement_that_needs_it() -> None:
    """A frog that only the plain frog can use leaves bird-or-frog to the bird, which decides the places (M18)."""
    assert columns_for("paw(frog+bird/frog)2", "grass bird(grass)1", "sands+frog") == {0, 1}
    assert columns_for("paw(bird/frog+frog/larva)2", "grass+frog", "sands bird(sands)1") == {0, 1}
    assert why_not("paw(bird/frog+frog/larva)2", "grass+frog", "sands") == "SYMBOLS_MISSING"


# ---- Required Adjacent Columns


def test_requirements_may_have_arrows() -> None:
    """A pack writes them as `<house>` or `<bird / paw>`; half of the arrows is refused."""
    assert not faults_with("meadow_s.csv", 0, requires="<house>")
    assert not faults_with("meadow_s.csv", 0, requires="tree + <bird / paw>")
    assert faults_with("meadow_s.csv", 0, requires="<house")
    assert faults_with("meadow_s.csv", 0, requires="<bird / paw / tree>")


def test_arrows_bind_the_card_to_a_neighbouring_column() -> None:
    """It lies beside the symbol, on whatever is there, and never on the symbol itself (M20)."""
    columns = ("grass+larva", "sands house(sands)1", "rocks", "wetlands")

    assert columns_for("fence(<house>)1", *columns) == {0, 2}
    assert columns_for("fence(<sands>)1", *columns) == {0, 2}


def test_the_first_and_last_columns_have_one_neighbour() -> None:
    """The row is no ring, and a lone column has no neighbour at all (M20)."""
    assert columns_for("fence(<house>)1", "sands house(sands)1", "rocks", "wetlands") == {1}
    assert why_not("fence(<house>)1", "sands house(sands)1") == "NO_COLUMN"


def test_neighbours_are_those_of_the_row_not_of_the_order_of_play() -> None:
    """A ground laid at the left end is the neighbour of the column that was leftmost before."""
    game = scene("hand rocks fence(<house>)1\ncolumn sands house(sands)1\ncolumn grass", "").do("token 4 C1")
    game.do("play rocks 0")

    assert game.meadow()[0] == ["rocks"]
    assert game.legal("play fence") == {"play fence(<house>)1 1", "play fence(<house>)1 2"}


def test_the_covered_card_is_not_its_own_neighbour() -> None:
    """Between two houses all is well; on one of them the other must be beside (M20)."""
    columns = ("sands house(sands)1", "grass house(grass)1", "rocks")

    assert columns_for("fence(<house>)1", *columns) == {0, 1, 2}


def test_several_arrows_are_met_by_both_neighbours_together() -> None:
    """Each symbol on one side, or both on the same card; two of a kind must be beside twice (M20)."""
    columns = ("sands house(sands)1", "rocks", "grass tree(grass)1", "wetlands")

    assert columns_for("fence(<house>+<tree>)2", *columns) == {1}
    assert columns_for("fence(<house>+<tree>)2", "sands house+tree(sands)1", "rocks", "wetlands") == {1}
    assert why_not("fence(<tree>+<tree>)2", "rocks", "grass tree(grass)1", "wetlands") == "SYMBOLS_MISSING"
    assert columns_for("fence(<tree>+<tree>)2", "litterfall+tree", "rocks", "grass tree(grass)1", "sands") == {1}


def test_arrows_around_a_slash_mean_either_half_beside() -> None:
    """Beside the bird as well as beside the paw (M20)."""
    columns = ("sands bird(sands)1", "rocks", "wetlands", "grass", "litterfall paw(litterfall)1")

    assert columns_for("predator(<bird/paw>)3", *columns) == {1, 3}


def test_a_plain_symbol_beside_arrows_leaves_the_place_to_the_owner() -> None:
    """On the plain symbol, wherever that is, or beside the symbol with arrows; both must be visible (M20)."""
    columns = ("grass house(grass)1", "rocks", "wetlands", "litterfall+tree")

    assert columns_for("fence(tree+<house>)2", *columns) == {1, 3}
    assert why_not("fence(tree+<house>)2", "grass", "rocks", "litterfall+tree") == "SYMBOLS_MISSING"
    assert why_not("fence(tree+<house>)2", "grass house(grass)1", "rocks") == "SYMBOLS_MISSING"


def test_a_plain_ground_beside_arrows_opens_its_columns() -> None:
    """As everywhere a ground is met on any card of its column (M20)."""
    columns = ("grass house(grass)1", "rocks", "wetlands", "sands+larva flower(larva)1")

    assert columns_for("fence(sands+<house>)2", *columns) == {1, 3}


def test_a_symbol_that_the_arrows_use_up_is_no_place() -> None:
    """One tree for arrows and a bird for tree-or-bird: the tree is not met as a plain symbol (M20)."""
    columns = ("rocks", "wetlands", "litterfall+tree", "grass", "sands bird(sands)1")

    assert columns_for("fence(tree/bird+<tree>)2", *columns) == {1, 3, 4}


def test_a_symbol_that_is_visible_but_not_beside_is_not_missing() -> None:
    """It cannot be ignored, however many cards there are to discard (M5, M20)."""
    assert why_not("fence(<house>)1", "sands house(sands)1", hand=TWO_MORE) == "NO_COLUMN"
    columns = ("sands house(sands)1", "rocks", "wetlands", "grass", "litterfall+tree")
    assert why_not("fence(<house>+<tree>)2", *columns, hand=TWO_MORE) == "NO_COLUMN"


def test_an_ignored_arrow_needs_no_neighbour() -> None:
    """What is not visible may be ignored; the arrows that are met must still be beside (M20)."""
    columns = ("sands house(sands)1", "rocks", "wetlands")

    assert columns_for("fence(<house>+<tree>)2", *columns, hand=TWO_MORE) == {1}
    # with no arrow met only the plain symbol is a place
    assert columns_for("fence(house+<tree>)2", *columns, hand=TWO_MORE) == {0}
    # one of two equal symbols is missing: that with arrows or the other one
    assert columns_for("fence(house+<house>)2", *columns, hand=TWO_MORE) == {0, 1}


def test_arrows_lead_onto_a_card_without_card_symbol() -> None:
    """Two grounds and no card symbol are covered as well (M22)."""
    assert columns_for("fence(<house>)1", "grass+wetlands", "sands house(sands)1") == {0}


def test_a_covered_symbol_is_lost_even_when_it_was_not_required() -> None:
    """Beside a house a tree is covered: the tree is gone, the house is not."""
    game = at_play("fence(<house>)1", "grass+tree", "sands house(sands)1").do("play fence(<house>)1 0")

    assert game.visible() == {"grass": 1, "fence": 1, "sands": 1, "house": 1}


def test_the_ground_below_can_be_used_again_and_again() -> None:
    """Also with a card on it that has nothing to do with it."""
    game = scene("hand fence(<house>)1 flower(grass)1\ncolumn grass+tree\ncolumn sands house(sands)1", "")
    game.do("token 4 C1", "play fence(<house>)1 0")

    assert game.do("play flower(grass)1 0").visible() == {"grass": 1, "flower": 1, "sands": 1, "house": 1}


def test_covering_a_card_with_two_symbols_loses_both() -> None:
    """Though only one of them was required (M23)."""
    game = at_play("paw(bird)2", "grass bird+flower(grass)1").do("play paw(bird)2 0")

    assert game.visible() == {"grass": 1, "paw": 1}


# ---- Replacing a Missing Symbol


def test_two_discards_replace_a_missing_symbol() -> None:
    """Any two other hand cards, one after the other; then the card is laid (M5, M26)."""
    game = at_play(f"bird(larva+tree)2 W91 E91 {TWO_MORE}", "grass+larva").do("play bird(larva+tree)2 0")
    assert (game.asks, game.meadow()) == ("0 discard", [["grass+larva"]])
    assert game.legal() == {f"discard {card}" for card in ("W91", "E91", "S91", "S92")}
    assert game.refuses("discard bird(larva+tree)2") == "CARD_BEING_PLAYED"
    assert game.refuses("discard W1") == "NOT_IN_HAND"
    game.do("discard S91", "discard W91")

    assert game.meadow() == [["grass+larva", "bird(larva+tree)2"]]
    assert game.hand() == ["E91", "S92"]
    assert len(game.happened(CardPlayed)) == 1
    assert game.asks == "1 place_token"


def test_a_played_card_is_shown_to_all() -> None:
    """Also before it is paid for; playing a card that everybody has seen shows nothing new (M15)."""
    game = at_play("bird(larva+tree)2! S91 S92", "grass+larva")
    assert game.names(game.view(1).players[0].hand) == ["S91", "S92"]
    game.do("play bird(larva+tree)2 0")
    assert game.state.out.shown
    assert "bird(larva+tree)2" in game.names(game.view(1).players[0].hand)

    assert at_play("bird(larva)1!", "grass+larva").do("play bird(larva)1 0").state.out.shown
    assert not at_play("bird(larva)1", "grass+larva").do("play bird(larva)1 0").state.out.shown


def test_several_symbols_cost_two_cards_each() -> None:
    """Four cards for two missing symbols; with three other cards the play is impossible (M5)."""
    card, four = "bird(larva+tree+frog)4", "S91 S92 S93 S94"
    game = at_play(f"{card} {four}", "grass+larva").do(f"play {card} 0")
    game.do("discard S91", "discard S92", "discard S93")
    assert game.asks == "0 discard"
    game.do("discard S94")

    assert (game.hand(), game.meadow()) == ([], [["grass+larva", card]])
    assert why_not(card, "grass+larva", hand="S91 S92 S93") == "SYMBOLS_MISSING"


def test_nobody_else_learns_which_unknown_card_was_discarded() -> None:
    """They see its back; a card that was taken face up they know (M15)."""
    game = at_play("bird(larva+tree)2 S91! S92", "grass+larva").do("play bird(larva+tree)2 0", "discard S91")
    (hidden,) = game.happened(CardDiscarded)
    knowers = [game.state.out.knowers]
    game.do("discard S92")
    (known,) = game.happened(CardDiscarded)
    knowers.append(game.state.out.knowers)

    assert knowers == [0b01, None]
    assert [told(hidden), told(known)] == [[True, False, False], [True, True, True]]


def test_the_card_just_taken_can_be_discarded() -> None:
    """The whole hand pays, the card of this turn among it (M26)."""
    game = scene("hand bird(larva+tree)2 S91\ncolumn grass+larva", "").do("token 1 L1", "play bird(larva+tree)2 0")

    assert game.legal() == {"discard S91", "discard W1"}


def test_only_missing_symbols_are_ignored() -> None:
    """Who sees everything pays nothing, and the place is that of a symbol that was met (M5)."""
    game = at_play(f"bird(larva+tree)2 {TWO_MORE}", "grass+larva", "litterfall+tree").do("play bird(larva+tree)2 1")
    assert (game.asks, game.hand()) == ("1 place_token", ["S91", "S92"])

    assert columns_for("bird(larva+tree)2", "grass+larva", "litterfall+frog", hand=TWO_MORE) == {0}
    assert why_not("bird(larva+tree)2", "grass+larva", "sands", hand="S91") == "SYMBOLS_MISSING"


def test_one_required_symbol_must_be_met() -> None:
    """With none of them visible no discards help (M5)."""
    assert why_not("bird(larva)1", "grass", hand="S91 S92 S93 S94") == "NOTHING_MET"
    assert why_not("bird(larva+tree)2", "grass", hand="S91 S92 S93 S94") == "NOTHING_MET"
    assert columns_for("bird(larva+grass)2", "grass", hand=TWO_MORE) == {0}


def test_the_fewest_symbols_are_ignored_whatever_the_slashes() -> None:
    """Halves are chosen so that as much as possible is met, and each such choice opens its places (M18)."""
    card = "paw(bird/frog+frog/larva+frog)3"

    assert columns_for(card, "grass+frog", "sands bird(sands)1", "rocks", hand=TWO_MORE) == {0, 1}
    assert why_not(card, "grass+frog", "sands", hand="S91 S92 S93") == "SYMBOLS_MISSING"
    assert columns_for(card, "grass+frog", "sands", hand="S91 S92 S93 S94") == {0}


def test_discards_go_under_their_own_decks() -> None:
    """Each under the deck of its back, even the unused one, in the order in which they are discarded (M26)."""
    game = at_play("bird(larva+tree+frog)4 N91 S91 W91 S92", "grass+larva").do("play bird(larva+tree+frog)4 0")
    game.do("discard S91", "discard N91", "discard S92", "discard W91")

    assert game.deck("S")[:2] == ["S92", "S91"]
    assert (game.deck("N")[0], game.deck("W")[0]) == ("N91", "W91")
    assert game.names([event.card for event in game.happened(CardDiscarded)]) == ["S91", "N91", "S92", "W91"]
