"""Envelopes."""

from __future__ import annotations

from collections import Counter

import pytest
from meadow_engine.content.library import builtin_pack
from meadow_engine.kernel.errors import BadOption
from meadow_engine.meadow import content
from meadow_engine.meadow.catalogue import Kind
from meadow_engine.meadow.symbols import BIG_ENCOUNTER, SYMBOLS

from tests.meadow.packs import faults_with
from tests.meadow.scene import Scene, at_play, columns_for, new_game, scene, why_not

U = "envelopes U"
ELK = "paw+big-encounter(rocks)4"
"""A card of envelope U."""


def sets_in(game: Scene) -> Counter[str]:
    """How many cards of each set are in decks, on the board and in hands."""
    state = game.state
    cards = [card for deck in state.decks for card in deck.items] + state.board
    cards += [card for player in state.players for card in player.hand]
    return Counter(game.catalogue.cards[card].card_set for card in cards)


def first_row(letter: str) -> int:
    """Where an envelope begins in the built-in pack's table."""
    return "TUWXY".index(letter) * 6


def test_there_are_five_envelopes() -> None:
    """T, U, W, X and Y; no game has any other."""
    assert content.catalogue(builtin_pack()).sets[:6] == ("base", "T", "U", "W", "X", "Y")
    for wrong in (["Z"], ["T", "T"], ["base"], ["downstream"]):
        with pytest.raises(BadOption):
            new_game(2, envelopes=wrong)


def test_each_envelope_stands_by_itself() -> None:
    """Its six cards join the base cards without any other envelope, and stay out without it."""
    assert sets_in(new_game(2)) == {"base": 180}
    for letter in "TUWXY":
        assert sets_in(new_game(2, envelopes=[letter])) == {"base": 180, letter: 6}


def test_envelopes_mix_freely() -> None:
    """Any of them together, in whatever order they are named, shuffled into the decks of their backs."""
    assert sets_in(new_game(2, envelopes=["Y", "U"])) == {"base": 180, "Y": 6, "U": 6}
    everything = new_game(3, 5, envelopes=list("TUWXY"))
    assert sets_in(everything) == {"base": 180, **dict.fromkeys("TUWXY", 6)}
    assert new_game(3, 5, envelopes=list("YXWUT")).state == everything.state
    for deck, pile in enumerate(everything.state.decks):
        assert {everything.catalogue.cards[card].deck for card in pile.items} == {deck}
    first = everything.names([everything.catalogue.decks["T"][2][0]])[0]
    decks = [new_game(2, seed, envelopes=["T"]).deck("E") for seed in range(20)]
    assert len({deck.index(first) for deck in decks if first in deck}) > 10


def test_a_card_knows_its_envelope() -> None:
    """The letter on it; a pack with another letter is refused."""
    for card in content.catalogue(builtin_pack()).cards:
        assert card.card_set in ("base", "T", "U", "W", "X", "Y", "downstream", "Z")
    assert faults_with("meadow_envelopes.csv", 0, set="Q")


def test_envelope_t_has_cards_of_two_grounds() -> None:
    """Two ground symbols and nothing else; a pack with another card in it is refused."""
    cards = [card for card in content.catalogue(builtin_pack()).cards if card.card_set == "T"]

    assert all((card.kind, len(card.grounds), card.symbols) == (Kind.GROUND, 2, ()) for card in cards)
    for grants in ("grass", "grass + sands + larva", "grass + larva"):
        assert faults_with("meadow_envelopes.csv", first_row("T"), grants=grants)


def test_envelope_t_plays_by_the_base_rules() -> None:
    """A card of two grounds is a ground card like any other, with both grounds to be required."""
    game = scene("hand grass+wetlands frog(grass+wetlands)2\ncolumn sands", "").do(
        "token 4 C1", "play grass+wetlands 1"
    )

    assert game.visible() == {"sands": 1, "grass": 1, "wetlands": 1}
    assert game.legal("play") == {"play frog(grass+wetlands)2 1"}


def test_envelope_u_brings_a_new_symbol() -> None:
    """Every card of it shows it beside what else it shows, and no other card does."""
    cards = content.catalogue(builtin_pack()).cards

    meadow = [card for card in cards if card.card_set not in ("downstream", "Z")]
    assert {card.card_set for card in meadow if BIG_ENCOUNTER in card.symbols} == {"U"}
    assert all(card.uncoverable == (card.card_set == "U") for card in meadow)
    assert faults_with("meadow_envelopes.csv", first_row("U"), grants="paw")
    assert faults_with("meadow_envelopes.csv", first_row("W"), grants="paw + big encounter")


def test_nothing_is_placed_on_a_big_encounter() -> None:
    """Neither for a symbol it shows, nor for its column's ground, nor beside a symbol with arrows (M24)."""
    columns = (f"grass {ELK}", "sands house(sands)1", "litterfall")

    assert why_not("predator(paw)3", *columns, lines=U) == "NO_COLUMN"
    assert why_not("flower(grass)1", *columns, lines=U) == "NO_COLUMN"
    assert columns_for("fence(<house>)1", *columns, lines=U) == {2}
    assert columns_for("flower(grass+litterfall)1", *columns, lines=U) == {2}
    assert why_not("bird(big-encounter)2", *columns, lines=U) == "NO_COLUMN"


def test_a_big_encounter_s_symbols_and_ground_count() -> None:
    """They meet requirements, may be the neighbour that arrows ask for, and meet goals (M24)."""
    columns = (f"grass {ELK}", "sands larva(sands)1", "litterfall")

    assert columns_for("predator(paw+larva)3", *columns, lines=U) == {1}
    assert columns_for("predator(<paw>)3", *columns, lines=U) == {1}
    assert columns_for("flower(grass+larva)3", *columns, lines=U) == {1}
    game = scene(f"column grass {ELK}", "", goals="big encounter, paw, tree, bird, house", lines=U).do("token 2 C1")
    assert game.legal("goal") == {"goal 0"}


def test_a_big_encounter_is_placed_like_any_observation() -> None:
    """Its own requirements are those of every card."""
    game = at_play(ELK, "rocks+larva", "sands", lines=U).do(f"play {ELK} 0")

    assert game.visible() == {"rocks": 1, "paw": 1, "big encounter": 1, "sands": 1}


def test_the_red_goal_token_joins_the_pool_of_envelope_u() -> None:
    """With the envelope it is drawn on some seeds, without it never; four players leave one of the twelve out (M25)."""
    red = SYMBOLS.index("big encounter")

    assert not any(red in new_game(4, seed).state.goals for seed in range(10))
    rings = [new_game(4, seed, envelopes=["U"]).state.goals for seed in range(40)]
    assert {len(set(ring)) for ring in rings} == {11}
    assert {red in ring for ring in rings} == {True, False}
    assert len({symbol for ring in rings for symbol in ring}) == 12
    assert not any(red in new_game(4, seed, envelopes=["T", "W"]).state.goals for seed in range(10))


def test_the_other_envelopes_bring_no_new_rules() -> None:
    """The cards of W, X and Y are played by the base rules: to the end, with all of them in the decks."""
    for letter in "WXY":
        cards = [card for card in content.catalogue(builtin_pack()).cards if card.card_set == letter]
        assert len(cards) == 6
        assert not any(card.uncoverable for card in cards)
        game = new_game(2, envelopes=[letter])
        assert sets_in(game)[letter] == 6
        assert game.play_on().asks == "end"
