"""Landscape Cards and Discovery Cards."""

from __future__ import annotations

from meadow_engine.meadow.events import CardPlayed

from tests.meadow.scene import Scene, at_play, scene, why_not

TWO_MORE = "S91 S92"


def places(game: Scene, card: str) -> set[int]:
    """Where a card can be played, as the engine numbers it."""
    return {int(text.split()[2]) for text in game.legal(f"play {card} ")}


# ---- Landscape Cards


def test_a_landscape_gives_a_road_symbol_for_a_discovery() -> None:
    """Without a landscape no discovery can be played, once there is one it can."""
    game = scene("roads 1\nhand landscape()1 discovery()2", "").do("token 4 C1")
    assert game.refuses("play discovery()2 0") == "NO_LANDSCAPE"

    assert places(game.do("play landscape()1 0"), "discovery()2") == {0}


def test_landscapes_lie_in_the_surroundings() -> None:
    """One after the other, numbered in this order, and none of them in the meadow."""
    game = scene("roads 2\nhand landscape()1 landscape()2", "").do("token 4 C1", "play landscape()1 0")
    game.do("play landscape()2 0")
    assert [event.place for event in game.happened(CardPlayed)] == [1]

    assert game.surroundings() == [["landscape()1"], ["landscape()2"]]
    assert game.meadow() == [["sands"]]


def test_every_landscape_needs_a_road_token() -> None:
    """Without one that is unused it cannot be played, whatever else is visible."""
    assert why_not("landscape()2", "sands") == "NO_ROAD"
    assert why_not("landscape(sands)2", "sands") == "NO_ROAD"
    assert places(at_play("landscape(sands)2", "sands", roads=1), "landscape(sands)2") == {0}


def test_a_landscape_uses_one_road_token() -> None:
    """It is turned over for good: the next landscape needs another one, and the supply does not get it back (M27)."""
    game = scene("roads 1\nhand landscape()1 landscape()2", "", lines="supply 5").do(
        "token 4 C1", "play landscape()1 0"
    )

    assert game.player().roads == 0
    assert game.state.road_supply == 5
    assert game.refuses("play landscape()2 0") == "NO_ROAD"


def test_a_landscape_s_other_symbols_must_be_visible_as_well() -> None:
    """All of them in the meadow, and a road token."""
    card = "landscape(tree+sands)3"

    assert places(at_play(card, "sands+tree", roads=1), card) == {0}
    assert why_not(card, "sands+larva") == "SYMBOLS_MISSING"
    assert not at_play(card, "sands+larva", roads=1).legal("play")
    assert not at_play(card, "grass+tree", roads=3).legal("play")


def test_a_landscape_with_other_symbols_uses_one_road_token_too() -> None:
    """One token, whatever else is asked for."""
    game = at_play("landscape(tree+sands)3", "sands+tree", roads=2).do("play landscape(tree+sands)3 0")

    assert game.player().roads == 1
    assert game.surroundings() == [["landscape(tree+sands)3"]]


def test_a_landscape_leaves_the_required_symbols_in_sight() -> None:
    """Nothing is covered: they can be used for the next card."""
    game = at_play("landscape(tree+sands)3", "sands+tree", roads=1).do("play landscape(tree+sands)3 0")

    assert game.surroundings() == [["landscape(tree+sands)3"]]
    assert game.visible() == {"sands": 1, "tree": 1}


def test_two_discards_replace_a_missing_symbol_of_a_landscape() -> None:
    """All of its symbols can be ignored: the road is what is met (M5)."""
    card = "landscape(tree+bird)3"
    game = at_play(f"{card} {TWO_MORE}", "sands+tree", roads=1).do(f"play {card} 0")
    assert game.owes() == 2
    game = at_play(f"{card} {TWO_MORE} S93 S94", "grass", roads=1).do(f"play {card} 0")
    assert game.owes() == 4
    game.do("discard S91", "discard S92", "discard S93", "discard S94")

    assert (game.hand(), game.surroundings(), game.player().roads) == ([], [[card]], 0)


def test_the_road_token_cannot_be_ignored() -> None:
    """However many cards there are to discard (M5)."""
    assert why_not("landscape()2", "sands", hand="S91 S92 S93 S94") == "NO_ROAD"


def test_discards_for_a_landscape_go_under_their_decks() -> None:
    """In the order in which they are discarded (M26)."""
    game = at_play(f"landscape(tree)2 W91 {TWO_MORE}", "sands", roads=1).do("play landscape(tree)2 0")
    game.do("discard S92", "discard S91")

    assert game.deck("S")[:2] == ["S91", "S92"]


# ---- Discovery Cards


def test_a_discovery_covers_the_road_symbol_of_a_landscape() -> None:
    """A landscape takes one discovery: then it is used, and the next one needs another landscape."""
    game = at_play("discovery()2", "sands", landscapes=["landscape()1", "landscape()2"]).do("play discovery()2 0")
    assert game.surroundings() == [["landscape()1", "discovery()2"], ["landscape()2"]]

    used = at_play("discovery()2", "sands", landscapes=["landscape()1 discovery()1"])
    assert used.refuses("play discovery()2 0") == "NO_LANDSCAPE"


def test_any_unused_landscape_takes_the_discovery() -> None:
    """The owner chooses; a used one is no choice."""
    landscapes = ["landscape()1", "landscape()2 discovery()1", "landscape()3"]
    game = at_play("discovery()2", "sands", landscapes=landscapes)

    assert places(game, "discovery()2") == {0, 2}
    assert game.refuses("play discovery()2 1") == "WRONG_PLACE"
    assert game.do("play discovery()2 2").surroundings()[2] == ["landscape()3", "discovery()2"]


def test_a_discovery_s_other_symbols_must_be_visible() -> None:
    """All of them in the meadow, beside the landscape."""
    card, landscape = "discovery(berries+grass)3", ["landscape()1"]

    assert places(at_play(card, "grass+berries", landscapes=landscape), card) == {0}
    game = at_play(card, "grass+larva", landscapes=landscape)
    assert game.refuses(f"play {card} 0") == "SYMBOLS_MISSING"


def test_a_discovery_with_other_symbols_lies_on_an_unused_landscape() -> None:
    """Visible symbols alone do not do."""
    card = "discovery(berries)3"
    game = at_play(card, "grass+berries", landscapes=["landscape()1"]).do(f"play {card} 0")
    assert game.surroundings() == [["landscape()1", card]]

    assert why_not(card, "grass+berries") == "NO_LANDSCAPE"


def test_a_discovery_leaves_the_required_symbols_in_sight() -> None:
    """Nothing of the meadow is covered."""
    card = "discovery(berries+grass)3"
    game = at_play(card, "grass+berries", landscapes=["landscape()1"]).do(f"play {card} 0")

    assert game.surroundings() == [["landscape()1", card]]
    assert game.visible() == {"grass": 1, "berries": 1}


def test_two_discards_replace_a_missing_symbol_of_a_discovery() -> None:
    """All of its symbols can be ignored: the landscape is what is met (M5)."""
    card = "discovery(berries)3"
    game = at_play(f"{card} {TWO_MORE}", "sands", landscapes=["landscape()1"]).do(f"play {card} 0")
    assert game.owes() == 2
    game.do("discard S91", "discard S92")

    assert game.surroundings() == [["landscape()1", card]]


def test_the_landscape_cannot_be_ignored() -> None:
    """However many cards there are to discard (M5)."""
    assert why_not("discovery()2", "sands", hand="S91 S92 S93 S94") == "NO_LANDSCAPE"
    assert why_not("discovery(sands)2", "sands", hand="S91 S92 S93 S94") == "NO_LANDSCAPE"


def test_discards_for_a_discovery_go_under_their_decks() -> None:
    """In the order in which they are discarded (M26)."""
    game = at_play("discovery(tree)2 W91 N91", "sands", landscapes=["landscape()1"]).do("play discovery(tree)2 0")
    game.do("discard N91", "discard W91")

    assert (game.deck("N")[0], game.deck("W")[0]) == ("N91", "W91")


def test_surroundings_show_no_symbols_to_the_meadow() -> None:
    """Landscapes and discoveries count for no requirement."""
    game = scene("column sands\nlandscape landscape()1 discovery()2", "")

    assert game.visible() == {"sands": 1}
