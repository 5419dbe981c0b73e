"""What the built-in Downstream promises: the counts of the rulebook, tracks worth travelling, cards of real species."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from math import dist

import pytest
from meadow_engine.content.library import builtin_pack
from meadow_engine.meadow import symbols
from meadow_engine.meadow.catalogue import BASE, DOWNSTREAM, ENVELOPE_Z, ENVELOPES, Card, Catalogue, Deck, Kind
from meadow_engine.meadow.content import catalogue
from meadow_engine.meadow.downstream.catalogue import SIDES, Downstream, Extra, RiverSide
from meadow_engine.meadow.downstream.content_track import POINTS

from tests.content.pack_files import ORIGINAL
from tests.support.frozen import frozen_pack


@pytest.fixture(name="components")
def _components() -> Catalogue:
    return catalogue(builtin_pack())


@pytest.fixture(name="river")
def _river(components: Catalogue) -> Downstream:
    assert components.downstream is not None
    return components.downstream


@pytest.fixture(name="side", params=SIDES)
def _side(river: Downstream, request: pytest.FixtureRequest) -> RiverSide:
    return river.sides[request.param]


def _deck(components: Catalogue, deck: Deck, card_set: str = DOWNSTREAM) -> list[Card]:
    return [components.cards[number] for number in components.decks[card_set][deck]]


def test_the_box_holds_85_cards(components: Catalogue, river: Downstream) -> None:
    """Rulebook, Components: 55, 3 for each deck, 4 two-sided, 4 and 4; and envelope Z."""
    sizes = {deck.name: len(numbers) for deck, numbers in zip(Deck, components.decks[DOWNSTREAM], strict=True)}
    assert sizes == {"W": 3, "S": 3, "E": 3, "N": 3, "RIVER": 55, "START": 8, "SUNSET": 4, "BEAVER_DAM": 4}
    assert len(_deck(components, Deck.RIVER, ENVELOPE_Z)) == sum(map(len, components.decks[ENVELOPE_Z])) == 6
    assert (len(river.start_cards), len(river.sunset), len(river.beaver_dams), len(river.solo_notches)) == (4, 4, 4, 6)
    for front, back in river.start_cards:
        assert (components.cards[front].other_side, components.cards[back].other_side) == (back, front)


def test_cards_are_numbered_behind_meadows(components: Catalogue) -> None:
    """River deck, cards for the base decks, starting, sunset and beaver dam cards, envelope Z."""
    meadow = sum(card.card_set in (BASE, *ENVELOPES) for card in components.cards)
    parts = {
        (card.card_set, "base" if card.deck in (Deck.W, Deck.S, Deck.E, Deck.N) else card.deck.name): None
        for card in components.cards[meadow:]
    }
    assert [card_set for card_set, _ in parts] == [DOWNSTREAM] * 5 + [ENVELOPE_Z]
    assert [part for _, part in parts] == ["RIVER", "base", "START", "SUNSET", "BEAVER_DAM", "RIVER"]
    assert components.sets == (BASE, *ENVELOPES, DOWNSTREAM, ENVELOPE_Z)


def test_river_cards_have_oars_and_no_points(components: Catalogue) -> None:
    """Rulebook, River Deck: one to four arrows; cards of all four kinds."""
    cards = _deck(components, Deck.RIVER) + _deck(components, Deck.RIVER, ENVELOPE_Z)
    assert {card.points for card in cards} == {0}
    assert {card.oar for card in cards} == {1, 2, 3, 4}
    assert {card.kind for card in cards} == set(Kind)
    assert all(card.oar == 1 for card in cards if card.kind is Kind.GROUND)


def test_monuments_of_s_and_n_have_both(components: Catalogue) -> None:
    """Rulebook, New Card Symbols: points and an oar; no other card outside the river deck has an oar."""
    for card in components.cards:
        monument = symbols.NATURE_MONUMENT in card.symbols and card.deck in (Deck.S, Deck.N)
        assert bool(card.oar) == (monument or card.deck is Deck.RIVER), card.name
        assert card.points or not monument
    both = [card for card in components.cards if card.oar and card.points]
    assert Counter(card.deck.name for card in both) == {"S": 2, "N": 2}


def test_sunset_and_beaver_dam_cards_are_worth_4_3_2_1(components: Catalogue, river: Downstream) -> None:
    """Landscapes, and observations that show a fence on watery ground; the best lies on top."""
    sunset, dams = ([components.cards[n] for n in pile] for pile in (river.sunset, river.beaver_dams))
    assert [card.points for card in sunset] == [card.points for card in dams] == [4, 3, 2, 1]
    assert {card.kind for card in sunset} == {Kind.LANDSCAPE}
    assert {(card.kind, card.symbols) for card in dams} == {(Kind.OBSERVATION, (symbols.FENCE,))}
    for card in dams:
        assert (symbols.WATERY,) in [need.symbols for need in card.requirements]


def test_starting_cards_are_watery(components: Catalogue, river: Downstream) -> None:
    """Rulebook, New Starting Ground Cards: both sides, with a card symbol each, and the two sides differ."""
    for card in river.start_cards:
        front, back = (components.cards[number] for number in card)
        assert front.grounds == back.grounds == (symbols.WATERY,)
        assert len(front.symbols) == len(back.symbols) == 1
        assert front.symbols != back.symbols


def test_the_new_symbols_are_granted_and_asked_for(components: Catalogue) -> None:
    """Watery ground, triangles and fish; monuments are rare; the token shows fish."""
    cards = [card for card in components.cards if card.card_set in (DOWNSTREAM, ENVELOPE_Z)]
    granted = Counter(symbol for card in cards for symbol in (*card.grounds, *card.symbols))
    asked = Counter(symbol for card in cards for need in card.requirements for symbol in need.symbols)
    assert granted[symbols.WATERY] >= 12
    assert 7 <= granted[symbols.NATURE_MONUMENT] <= 12
    assert granted[symbols.FISH] >= 8
    assert min(asked[symbol] for symbol in (symbols.WATERY, symbols.NATURE_MONUMENT, symbols.FISH)) >= 1
    token = components.goal_tokens[-1]
    assert (token.symbol, token.card_set, len(components.goal_tokens)) == (symbols.FISH, DOWNSTREAM, 13)


def test_each_form_of_requirement_is_there(components: Catalogue) -> None:
    """Slashes, arrows, arrows around a slash, cards of two symbols, in the river deck alone."""
    cards = _deck(components, Deck.RIVER)
    needs = [need for card in cards for need in card.requirements]
    assert sum(len(need.symbols) == 2 for need in needs) >= 10
    assert sum(need.adjacent for need in needs) >= 3
    assert sum(need.adjacent and len(need.symbols) == 2 for need in needs) >= 1
    assert sum(len(card.symbols) == 2 for card in cards) >= 3


def test_oars_follow_from_what_a_card_asks_for(components: Catalogue) -> None:
    """Whoever asks for more gives at least as many arrows on the average, and nothing is far off."""
    cards = [card for card in components.cards if card.deck is Deck.RIVER and card.kind is Kind.OBSERVATION]
    by_needs = {n: [card.oar for card in cards if len(card.requirements) == n] for n in (1, 2, 3, 4)}
    means = [sum(oars) / len(oars) for oars in by_needs.values()]
    assert means == sorted(means)
    for card in cards:
        assert abs(card.oar - len(card.requirements)) <= 1, card.name


def test_the_card_area_has_two_rows_of_four_and_six_notches(side: RiverSide) -> None:
    """Rulings D5 and D20, written out: up the left side, then along the bottom from right to left."""
    assert [notch.id for notch in side.notches] == ["L2", "L1", "B4", "B3", "B2", "B1"]
    assert [notch.number for notch in side.notches] == list(range(6))
    spots = [notch.spots for notch in side.notches]
    assert spots == [(4, 5, 6, 7), (0, 1, 2, 3), (7, 3), (6, 2), (5, 1), (4, 0)]
    assert len(side.spots) == 8
    for notch in side.notches:
        (x0, y0), (x1, y1) = (side.spots[spot] for spot in notch.spots[:2])
        assert dist(notch.point, (x0, y0)) < dist(notch.point, (x1, y1))
        assert notch.point[0] == x0 or notch.point[1] == y0


def test_waterfalls_cut_the_game_into_thirds(river: Downstream) -> None:
    """Ruling D4; and each solo card names another notch."""
    assert dict(river.waterfalls) == {1: (2, 4), 2: (2, 4), 3: (2, 4), 4: (3, 6)}
    assert sorted(river.solo_notches) == list(range(6))


def test_ways_lead_downstream_from_one_start_to_one_end(side: RiverSide) -> None:
    """The start is space 0, every other space is reached, and the last one is worth 20."""
    assert [space.number for space in side.spaces] == list(range(len(side.spaces)))
    reached = {way.space for space in side.spaces for way in space.ways}
    assert reached == set(range(1, len(side.spaces)))
    for space in side.spaces:
        assert all(way.space > space.number for way in space.ways)
        assert any(not way.shortcut for way in space.ways) or space is side.spaces[-1]
    assert side.spaces[-1].points == 20


def _routes(side: RiverSide, number: int = 0) -> list[list[int]]:
    ways = side.spaces[number].ways
    return [[number, *route] for way in ways for route in _routes(side, way.space)] if ways else [[number]]


def test_every_route_is_30_to_44_arrows_long(side: RiverSide) -> None:
    """So that a player who rows in every round comes near the end; only shortcuts make a route shorter than 36."""
    lengths = [len(route) - 1 for route in _routes(side)]
    assert min(lengths) >= 30
    assert max(lengths) <= 44


def test_points_rise_on_every_route(side: RiverSide) -> None:
    """Nobody is worse off further down, and only who takes a shortcut leaves a number out."""
    shortcuts = {(space.number, way.space) for space in side.spaces for way in space.ways if way.shortcut}
    for route in _routes(side):
        points = [side.spaces[number].points for number in route if side.spaces[number].points]
        assert points == sorted(set(points))
        assert points == list(POINTS[side.name]) or shortcuts & set(pairwise(route))


def test_every_extra_action_is_there_twice_and_a_fork_is_a_choice(side: RiverSide) -> None:
    """The branches of a fork offer different things."""
    extras = Counter(space.extra for space in side.spaces if space.extra)
    assert min(extras.values()) >= 2
    for space in side.spaces:
        plain = [way.space for way in space.ways if not way.shortcut]
        if len(plain) > 1:
            branches = [_branch(side, number) for number in plain]
            assert branches[0] != branches[1], space.id


def _branch(side: RiverSide, number: int) -> Counter[Extra]:
    """The extra actions from a space on until another way joins."""
    joined = Counter(way.space for space in side.spaces for way in space.ways if not way.shortcut)
    extras: Counter[Extra] = Counter()
    while joined[number] == 1:
        extras[side.spaces[number].extra] += 1
        number = side.spaces[number].ways[0].space
    return extras


def test_nothing_on_a_side_is_drawn_over_something_else(side: RiverSide) -> None:
    """All points lie in the frame and apart from each other."""
    points = [space.point for space in side.spaces] + [notch.point for notch in side.notches]
    points += [*side.spots, *side.piles.values()]
    assert all(0 <= x <= 16 and 0 <= y <= 9 for x, y in points)
    assert min(dist(a, b) for a in points for b in points if a is not b) > 0.6


def test_each_side_has_its_piles(river: Downstream) -> None:
    """Rulebook, Game Setup of both variants."""
    piles = {name: set(side.piles) for name, side in river.sides.items()}
    assert piles["lazy_river"] == {"river deck", "sunset", "beaver dam", "goals"}
    assert piles["wild_rapids"] == {"river deck", "sunset", "pier", "tent"}


def test_living_things_have_their_scientific_names(components: Catalogue) -> None:
    """All observations of river, S and N cards but springs, stones and dead wood."""
    lifeless = {"Tufa Spring", "Erratic Boulder in the Ford", "Bog Oak in the Bank"}
    for card in components.cards:
        if card.card_set in (DOWNSTREAM, ENVELOPE_Z) and card.deck in (Deck.RIVER, Deck.S, Deck.N):
            living = card.kind is Kind.OBSERVATION and card.name not in lifeless
            assert not living or card.scientific_name, card.name


def test_assumptions_are_marked_in_the_files() -> None:
    """What the rulebook does not print stands in the pack and says so."""
    assert (ORIGINAL / "downstream_boards.toml").read_text().count("Assumed") == 5
    for file in ("downstream_sunset.csv", "downstream_dam.csv"):
        assert "Assumed" in (ORIGINAL / file).read_text()


@pytest.mark.hash_seed
def test_the_frozen_contents_never_change() -> None:
    """Goldens of whole games rest on them; the hash does not depend on Python's either."""
    assert frozen_pack().hash.hex() == "8949c3006ed1f203e89224f0058a436191fdacb0f70e0ec6f6407b3602716054"
