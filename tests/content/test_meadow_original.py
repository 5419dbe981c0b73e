"""What the built-in cards of Meadow promise: the counts of the rulebook, and cards of real species."""

from __future__ import annotations

from collections import Counter

import pytest
from meadow_engine.content.library import builtin_pack
from meadow_engine.meadow import symbols
from meadow_engine.meadow.catalogue import BASE, DOWNSTREAM, ENVELOPES, Card, Catalogue, Deck, Kind
from meadow_engine.meadow.content import catalogue

from tests.content.pack_files import ORIGINAL

DECKS = (Deck.W, Deck.S, Deck.E, Deck.N)


@pytest.fixture(name="components")
def _components() -> Catalogue:
    return catalogue(builtin_pack())


def _deck(components: Catalogue, deck: Deck) -> list[Card]:
    return [components.cards[number] for number in components.decks[BASE][deck]]


def test_the_box_holds_184_cards_and_five_envelopes(components: Catalogue) -> None:
    """Rulebook, Components: four decks of 45, four two-sided starting cards, five envelopes of six."""
    assert [len(components.decks[BASE][deck]) for deck in DECKS] == [45] * 4
    assert len(components.start_cards) == 4
    for front, back in components.start_cards:
        assert components.cards[front].other_side == back
        assert components.cards[back].other_side == front
    assert components.sets[:6] == (BASE, *ENVELOPES)
    for envelope in ENVELOPES:
        assert sum(map(len, components.decks[envelope])) == 6


def test_the_e_deck_is_ground(components: Catalogue) -> None:
    """Each of its cards shows one ground and one card symbol and has no points; each ground is there nine times."""
    cards = _deck(components, Deck.E)
    assert {(card.kind, len(card.grounds), len(card.symbols), card.points) for card in cards} == {
        (Kind.GROUND, 1, 1, 0)
    }
    assert Counter(card.grounds[0] for card in cards) == dict.fromkeys(range(5), 9)


def test_the_w_deck_is_what_people_made(components: Catalogue) -> None:
    """Houses and fences, landscapes and discoveries, of one to three points."""
    cards = _deck(components, Deck.W)
    assert {card.kind for card in cards} == {Kind.OBSERVATION, Kind.LANDSCAPE, Kind.DISCOVERY}
    assert {card.points for card in cards} == {1, 2, 3}
    for card in cards:
        assert card.kind is not Kind.OBSERVATION or {symbols.HOUSE, symbols.FENCE} & set(card.symbols), card.name


def test_the_s_deck_is_cheap(components: Catalogue) -> None:
    """Living things of one or two points that ask for one or two symbols."""
    cards = _deck(components, Deck.S)
    assert {(card.kind, len(card.requirements)) for card in cards} == {(Kind.OBSERVATION, 1), (Kind.OBSERVATION, 2)}
    assert {card.points for card in cards} == {1, 2}


def test_the_n_deck_is_dear(components: Catalogue) -> None:
    """Two to five requirements, the road among them, and mainly three or four points."""
    cards = _deck(components, Deck.N)
    assert {card.kind for card in cards} == {Kind.OBSERVATION, Kind.LANDSCAPE}
    assert {len(card.requirements) + (card.kind is Kind.LANDSCAPE) for card in cards} <= {2, 3, 4, 5}
    assert sum(card.points in (3, 4) for card in cards) >= 40


def test_each_form_of_requirement_is_common(components: Catalogue) -> None:
    """Slashes, arrows, arrows alone, arrows beside plain symbols, arrows around a slash, cards of two symbols."""
    base = [card for deck in DECKS for card in _deck(components, deck)]
    needs = [need for card in base for need in card.requirements]
    assert sum(len(need.symbols) == 2 for need in needs) >= 30
    assert sum(need.adjacent for need in needs) >= 15
    assert sum(need.adjacent and len(need.symbols) == 2 for need in needs) >= 3
    assert sum(bool(card.requirements) and all(need.adjacent for need in card.requirements) for card in base) >= 3
    assert sum(len({need.adjacent for need in card.requirements}) == 2 for card in base) >= 10
    assert sum(len(card.symbols) == 2 for card in base) >= 10


def test_every_symbol_is_granted_and_asked_for(components: Catalogue) -> None:
    """By base cards alone: 5 grounds and 14 card symbols; larva, beetle and frog by several decks each."""
    base = [card for card in components.cards if card.card_set == BASE]
    expected = {*symbols.GROUNDS, *range(symbols.LARVA, symbols.HOUSE + 1)} - {symbols.WATERY}
    assert {symbol for card in base for symbol in (*card.grounds, *card.symbols)} == expected
    assert {symbol for card in base for need in card.requirements for symbol in need.symbols} == expected


def test_there_are_11_goals_and_one_for_envelope_u(components: Catalogue) -> None:
    """Rulebook, Components and Envelopes; the symbols are those of printed tokens."""
    tokens = [token for token in components.goal_tokens if token.card_set != DOWNSTREAM]
    names = {symbols.SYMBOLS[token.symbol]: token.card_set for token in tokens}
    assert len(names) == len(tokens) == 12
    basic = "paw, predator, bird, bird of prey, butterfly, flower, berries, mushroom, tree, fence, house"
    assert {name for name, card_set in names.items() if card_set == BASE} == set(basic.split(", "))
    assert names["big encounter"] == "U"


def test_the_envelopes_have_their_themes(components: Catalogue) -> None:
    """Rulebook, Envelopes: T has two grounds and nothing else, U its own symbol, the others nothing new."""
    for card in components.cards:
        if card.card_set == "T":
            assert (len(set(card.grounds)), card.symbols, card.deck) == (2, (), Deck.E)
        if card.card_set in (BASE, *ENVELOPES):
            assert card.uncoverable == (card.card_set == "U")


def test_names_and_species_are_each_cards_own(components: Catalogue) -> None:
    """No name and no scientific name stands on two cards; each living thing has one, in two words."""
    names = [card.name for card in components.cards]
    assert len(set(names)) == len(names)
    scientific = [card.scientific_name for card in components.cards if card.scientific_name]
    assert len(set(scientific)) == len(scientific)
    for name in scientific:
        genus, species = name.split()
        assert genus.istitle(), name
        assert species.islower(), name
    for card in (*_deck(components, Deck.S), *_deck(components, Deck.N)):
        assert bool(card.scientific_name) == (card.kind is Kind.OBSERVATION), card.name


def test_animals_ask_for_what_they_eat(components: Catalogue) -> None:
    """A hunter asks for prey, a butterfly was a larva, and no fungus of the wood grows without it."""
    prey = {symbols.PAW, symbols.BIRD, symbols.FROG, symbols.LARVA, symbols.BEETLE, symbols.FISH}
    for card in components.cards:
        asked = {symbol for need in card.requirements for symbol in need.symbols}
        if card.kind is Kind.OBSERVATION and {symbols.PREDATOR, symbols.BIRD_OF_PREY} & set(card.symbols):
            assert asked & prey, card.name
        if symbols.BUTTERFLY in card.symbols:
            assert symbols.LARVA in asked, card.name
        if card.kind is Kind.OBSERVATION and symbols.MUSHROOM in card.symbols:
            assert asked & {symbols.TREE, symbols.LITTERFALL}, card.name


def test_assumptions_are_marked_in_the_files() -> None:
    """What the rulebook does not print stands in the pack and says so."""
    assert (ORIGINAL / "meadow_boards.toml").read_text().count("Assumed") == 2
