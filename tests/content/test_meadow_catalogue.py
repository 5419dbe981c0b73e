from __future__ import annotations

from math import dist

import pytest
from meadow_engine.content.library import builtin_pack
from meadow_engine.meadow import symbols
from meadow_engine.meadow.catalogue import BASE, Catalogue, Deck, Kind, Requirement, Side
from meadow_engine.meadow.content import catalogue


@pytest.fixture(name="components")
def _components() -> Catalogue:
    return catalogue(builtin_pack())


def test_symbols_keep_their_numbers() -> None:
    """Saved games and messages hold the numbers."""
    for number, name in enumerate(symbols.SYMBOLS):
        assert getattr(symbols, name.upper().replace(" ", "_")) == number
        assert symbols.SYMBOL_NUMBERS[name] == number
    assert symbols.SYMBOLS[20:] == ("big encounter", "nature monument", "fish")


def test_decks_keep_their_numbers() -> None:
    """Saved games and messages hold the numbers."""
    assert [deck.name for deck in Deck] == ["W", "S", "E", "N", "RIVER", "START", "SUNSET", "BEAVER_DAM"]
    assert list(Deck) == list(range(8))


def test_numbers_are_positions_and_ids_lead_to_them(components: Catalogue) -> None:
    """Each card and token is found by its number and by its id."""
    assert [card.number for card in components.cards] == list(range(len(components.cards)))
    assert dict(components.card_ids) == {card.id: card.number for card in components.cards}
    assert [token.number for token in components.goal_tokens] == list(range(len(components.goal_tokens)))
    assert dict(components.goal_token_ids) == {token.id: token.number for token in components.goal_tokens}


def test_every_card_is_in_one_deck_of_one_set(components: Catalogue) -> None:
    """The decks of all sets together are all cards."""
    dealt = [number for decks in components.decks.values() for deck in decks for number in deck]
    assert sorted(dealt) == list(range(len(components.cards)))
    for card_set, decks in components.decks.items():
        for deck, numbers in zip(Deck, decks, strict=True):
            assert all((components.cards[n].card_set, components.cards[n].deck) == (card_set, deck) for n in numbers)
    assert components.decks[BASE][Deck.START] == tuple(sorted(sum(components.start_cards, ())))


def test_cells_are_read_as_printed(components: Catalogue) -> None:
    """A plain symbol, a slash, arrows, arrows around a slash; road and landscape follow from the kind."""
    cards = {card.name: card for card in components.cards}
    assert cards["Red Fox"].requirements == (
        Requirement((symbols.PAW,), adjacent=False),
        Requirement((symbols.BIRD, symbols.PAW), adjacent=True),
    )
    assert cards["Blackthorn"].symbols == (symbols.BERRIES, symbols.FLOWER)
    lane, horseshoe = cards["Sunken Lane"], cards["Rusty Horseshoe"]
    assert (lane.kind, lane.requirements, horseshoe.kind, horseshoe.requirements) == (
        Kind.LANDSCAPE,
        (),
        Kind.DISCOVERY,
        (),
    )
    assert (cards["Hay Meadow"].grounds, cards["Hay Meadow"].symbols) == ((symbols.GRASS,), (symbols.FLOWER,))


def test_the_board_is_w_s_s_e(components: Catalogue) -> None:
    """Rulebook, Game Setup."""
    assert [deck.name for deck in components.main_board.columns] == ["W", "S", "S", "E"]


def test_notches_run_clockwise_and_count_from_where_they_stand(components: Catalogue) -> None:
    """Rulebook, Drawing and Playing Cards; rulings M3 and M33, written out."""
    notches = components.main_board.notches
    assert [notch.number for notch in notches] == list(range(12))
    assert [notch.id for notch in notches] == ["L4", "L3", "L2", "L1", "R1", "R2", "R3", "R4", "B4", "B3", "B2", "B1"]
    spots = {notch.id: notch.spots for notch in notches}
    assert spots["L1"] == (0, 1, 2, 3)
    assert spots["L4"] == (12, 13, 14, 15)
    assert spots["R2"] == (7, 6, 5, 4)
    assert spots["B1"] == (12, 8, 4, 0)
    assert spots["B4"] == (15, 11, 7, 3)
    assert [notch.side for notch in notches] == [Side.LEFT] * 4 + [Side.RIGHT] * 4 + [Side.BOTTOM] * 4


def test_a_notch_is_drawn_before_the_first_spot_it_points_to(components: Catalogue) -> None:
    """One spot outside the board, on the line of its spots."""
    for notch in components.main_board.notches:
        (x0, y0), (x1, y1) = ((spot % 4 + 0.5, spot // 4 + 0.5) for spot in notch.spots[:2])
        assert notch.point == (2 * x0 - x1, 2 * y0 - y1)


@pytest.mark.parametrize(
    ("players", "goals", "open_notches", "benches", "rounds", "hourglass"),
    [(1, 3, 3, 2, 6, 3), (2, 5, 3, 2, 6, 3), (3, 8, 4, 3, 6, 3), (4, 11, 5, 4, 8, 4)],
)
def test_each_number_of_players_has_its_campfire(
    components: Catalogue, players: int, goals: int, open_notches: int, benches: int, rounds: int, hourglass: int
) -> None:
    """Rulebook, Component and round count by player count; printed boards for the rest."""
    campfire = components.campfires[players]
    assert (campfire.players, len(campfire.notches), campfire.open_notches) == (players, 5, open_notches)
    assert (len(campfire.goals), len(campfire.bonuses), len(campfire.benches)) == (goals, goals, benches)
    assert (campfire.rounds, len(campfire.rocks), campfire.hourglass) == (rounds, rounds, hourglass)


def test_the_goals_are_a_closed_ring(components: Catalogue) -> None:
    """Rulebook, Goals: neighbouring tokens make pairs, and the bonus space lies between the two."""
    for campfire in components.campfires.values():
        goals = campfire.goals
        for space, point in enumerate(campfire.bonuses):
            nearest = sorted(range(len(goals)), key=lambda goal: dist(point, goals[goal]))
            assert set(nearest[:2]) == set(campfire.pair(space))
        assert campfire.pair(len(goals) - 1) == (len(goals) - 1, 0)


def test_nothing_on_a_campfire_is_drawn_over_something_else(components: Catalogue) -> None:
    """All points lie inside the board and apart from each other."""
    for campfire in components.campfires.values():
        points = [*campfire.notches, *campfire.goals, *campfire.bonuses, *campfire.benches, *campfire.rocks]
        points.append(campfire.hourglass_point)
        assert all(0 < x < 1 and 0 < y < 1 for x, y in points)
        assert min(dist(a, b) for a in points for b in points if a is not b) > 0.05


def test_rovers_places_stand_for_the_sides(components: Catalogue) -> None:
    """Ruling M11: left, bottom and right, each from its first notch clockwise, whatever the path token."""
    notches = components.main_board.notches
    places = [[notches[number].id for number in place] for place in components.solo_token.places]
    assert places == [["L4"] * 4, ["B4"] * 4, ["R1"] * 4]


def test_supplies_are_those_of_the_rulebook() -> None:
    """Rulebook, Components and Goals."""
    assert (Catalogue.road_tokens, Catalogue.bonus_values) == (28, (2, 3, 4))


def test_equal_packs_share_one_catalogue(components: Catalogue) -> None:
    """Thousands of states point to one catalogue, which is compared by identity."""
    assert catalogue(builtin_pack()) is components
    assert components.pack_hash == builtin_pack().hash
