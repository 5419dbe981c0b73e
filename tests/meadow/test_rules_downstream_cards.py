"""Downstream, common rules: components, envelope U, starting grounds, watery ground, triangle, fish, envelope Z."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from meadow_engine import api
from meadow_engine.content.library import builtin_pack
from meadow_engine.meadow import content
from meadow_engine.meadow.catalogue import Card, Deck, Kind
from meadow_engine.meadow.downstream.catalogue import SIDES, Pier, Tent
from meadow_engine.meadow.downstream.events import WateryGroundChosen
from meadow_engine.meadow.symbols import FISH, GROUNDS, NATURE_MONUMENT, SYMBOLS, WATERY

from tests.meadow.packs import faults_without, faults_without_section
from tests.meadow.river import components, river_scene
from tests.meadow.scene import Scene

VARIANTS = [f"downstream_{side}" for side in SIDES]


def cards() -> tuple[Card, ...]:
    """All cards of the built-in pack."""
    return content.catalogue(builtin_pack()).cards


def ours() -> list[Card]:
    """Downstream's, but its envelope's."""
    return [card for card in cards() if card.card_set == "downstream"]


def in_decks(game: api.Game) -> Counter[str]:
    """How many cards of each set are in the game."""
    state = game.state
    cards = [card for deck in state.decks for card in deck.items] + state.board
    cards += [card for player in state.players for card in player.hand]
    return Counter(game.catalogue.cards[card].card_set for card in cards)


def grounds_chosen(seed: int, choice: str, seats: int = 2) -> api.Game:
    """A game in which all grounds have been chosen, the watery one as given."""
    game = api.new_game("downstream_lazy_river", seats=seats, seed=seed)
    while game.decision is not None and game.decision.kind != "place_token":
        watery = game.decision.kind == "choose_watery_ground"
        game.apply(game.parse_action(choice) if watery else game.legal_ids()[0])
    return game


def river_columns(card: str, *columns: str, hand: str = "") -> set[int]:
    """The columns on which a hand card may be placed, on the river; no others are accepted."""
    lines = [f"hand {card} {hand}", *(f"column {column}" for column in columns)]
    game = river_scene("\n".join(lines), "").do("token 1 S1")
    found = {int(text.split()[2]) for text in game.legal(f"play {card} ")}
    for column in set(range(len(columns))) - found:
        assert game.refuses(f"play {card} {column}")
    return found


def played(card: str, *columns: str) -> Scene:
    """A scene in which a card was played to the first place."""
    lines = [f"hand {card}", *(f"column {column}" for column in columns)]
    game = river_scene("\n".join(lines), "").do("token 1 S1")
    return game.do(f"play {card} 0")


# ---- Components


def test_the_pack_has_all_cards_of_the_box() -> None:
    """55 river cards, three for each base deck, eight sides of watery grounds, four sunsets, four beaver dams."""
    for file in ("river", "base", "start", "sunset", "dam", "z"):
        assert faults_without(f"downstream_{file}.csv", -1)
    assert Counter(card.deck for card in ours()) == {
        Deck.RIVER: 55,
        **dict.fromkeys((Deck.W, Deck.S, Deck.E, Deck.N), 3),
        Deck.START: 8,
        Deck.SUNSET: 4,
        Deck.BEAVER_DAM: 4,
    }


def test_there_are_six_pier_and_six_tent_tokens() -> None:
    """All different; how many of them are used depends on the number of players."""
    assert (len(Pier), len(Tent)) == (6, 6)
    river = api.new_game("downstream_wild_rapids_solo", seats=1, seed=0).state.river
    assert [len(area.open) + len(area.hidden) for area in (river.piers, river.tents)] == [6, 6]


def test_one_more_goal_token_shows_a_fish() -> None:
    """It belongs to Downstream alone."""
    assert faults_without("downstream_goals.csv", -1)
    tokens = content.catalogue(builtin_pack()).goal_tokens
    assert [token.symbol for token in tokens if token.card_set == "downstream"] == [FISH]


def test_the_solo_game_has_six_cards() -> None:
    """Each names a notch of the river board."""
    assert sorted(components().solo_notches) == [0, 1, 2, 3, 4, 5]
    assert faults_without_section("downstream_boards.toml", "solo_card", -1)


# ---- Introduction


@pytest.mark.parametrize("variant", VARIANTS)
def test_envelope_u_is_always_in_play(variant: str) -> None:
    """Its cards are in their decks and its token in the pool, whatever other envelopes are chosen."""
    assert in_decks(api.new_game(variant, seats=2, seed=0))["U"] == 6
    chosen = in_decks(api.new_game(variant, seats=2, seed=0, options={"envelopes": ("T", "U")}))
    assert (chosen["T"], chosen["U"], chosen["W"]) == (6, 6, 0)
    rings = [api.new_game(variant, seats=4, seed=seed).view(None).goals for seed in range(20)]
    assert any(SYMBOLS[goal] == "big encounter" for ring in rings for goal in ring)


# ---- New Starting Ground Cards


def test_each_player_has_two_starting_grounds() -> None:
    """One of the base game, one of watery ground; no card twice."""
    game = grounds_chosen(3, "watery 0 1", seats=4)
    view = game.view(None)
    assert view.river is not None

    assert len(set(view.river.starts)) == 4
    for seat, player in enumerate(view.players):
        shown = [game.catalogue.cards[column[0]] for column in player.columns]
        assert shown[1].number == components().start_cards[view.river.starts[seat]][0]
        assert WATERY in shown[1].grounds
        assert shown[0].card_set == "base"
    dealt = {grounds_chosen(seed, "watery 0 1", seats=4).view(None).river.starts for seed in range(6)}
    assert len(dealt) > 3


@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("end", [0, 1])
def test_side_and_place_of_the_watery_ground_are_chosen(side: int, end: int) -> None:
    """Either side up, left or right of the other ground: eight arrangements in all (D7)."""
    player = grounds_chosen(5, f"watery {side} {end}").view(None).players[0]

    assert player.row == ((1, 0) if end == 0 else (0, 1))
    starts = grounds_chosen(5, "watery 0 0").view(None).river.starts
    assert player.columns[1][0] == components().start_cards[starts[0]][side]


def test_grounds_are_chosen_after_the_five_cards_in_turn_order() -> None:
    """Each seat puts both of its grounds down before the next one does (M2, D7)."""
    game = api.new_game("downstream_lazy_river", seats=3, seed=1, options={"first_seat": 1})
    asked = []
    while game.decision is not None and game.decision.kind != "place_token":
        asked.append((game.decision.seat, game.decision.kind))
        result = game.apply(game.legal_ids()[0])
    assert asked[3:] == [(seat, kind) for seat in (1, 2, 0) for kind in ("choose_ground", "choose_watery_ground")]
    assert any(isinstance(event, WateryGroundChosen) for event in result.events)


def test_both_starting_grounds_count_to_the_ten() -> None:
    """The limit of ten ground cards stays."""
    game = river_scene("hand R.watery~9\n" + "\n".join(f"column sands~{n}a" for n in range(10)), "").do("token 1 S1")

    assert game.refuses("play R.watery~9 0") == "TEN_GROUNDS"


def test_starting_grounds_move_no_kayak() -> None:
    """They have no oar (D7)."""
    game = grounds_chosen(7, "watery 1 1")

    assert game.view(None).river.kayaks == (0, 0)


# ---- River Deck


def test_river_cards_are_of_all_four_kinds() -> None:
    """Grounds, observations, landscapes and discoveries, all about water."""
    assert {card.kind for card in ours() if card.deck is Deck.RIVER} == set(Kind)


def test_river_cards_have_an_oar_instead_of_points() -> None:
    """One to four arrows."""
    river = [card for card in ours() if card.deck is Deck.RIVER]
    assert {card.points for card in river} == {0}
    assert {card.oar for card in river} == {1, 2, 3, 4}


def test_river_cards_are_placed_as_those_of_the_base_game() -> None:
    """Grounds at the ends, observations on met symbols, landscapes for a road, discoveries on landscapes."""
    assert played("R.watery^1", "sands").meadow() == [["R.watery^1"], ["sands"]]
    assert river_columns("R.frog(tree+sands)^1", "sands", "rocks+tree") == {0, 1}
    game = river_scene("roads 0\nhand R.landscape()^1 R.discovery()^1", "").do("token 1 S1")
    assert game.refuses("play R.landscape()^1 0") == "NO_ROAD"
    assert game.refuses("play R.discovery()^1 0") == "NO_LANDSCAPE"


# ---- Additional Cards for the Base Game Decks


@pytest.mark.parametrize("variant", VARIANTS)
def test_twelve_more_cards_are_in_the_base_decks(variant: str) -> None:
    """Three in each, only with Downstream."""
    game = api.new_game(variant, seats=2, seed=4)
    state, cards = game.state, game.catalogue.cards
    everywhere = [card for deck in state.decks for card in deck.items] + state.board
    everywhere += [card for player in state.players for card in player.hand]
    found = [cards[card].deck for card in everywhere if cards[card].card_set == "downstream"]
    assert Counter(found) == {Deck.W: 3, Deck.S: 3, Deck.E: 3, Deck.N: 3, Deck.RIVER: 55}
    assert in_decks(api.new_game("meadow", seats=2, seed=4))["downstream"] == 0


def test_grounds_asked_for_must_be_visible_in_the_meadow() -> None:
    """The book's third example: a card that asks for grounds looks at the ground cards of the meadow."""
    assert river_columns("N.fish(watery+sands)4", "watery", "rocks") == set()
    assert river_columns("N.fish(watery+sands)4", "watery", "sands") == {0}


# ---- New Card Symbols


def test_watery_ground_is_the_sixth_ground() -> None:
    """It counts as any other ground does, and stays visible under observations (D16)."""
    assert SYMBOLS[GROUNDS[-1]] == "watery"
    game = played("frog(watery)1", "watery", "sands")
    assert game.visible()["watery"] == 1
    assert river_columns("bird(watery)1", "sands", "watery frog(sands)1") == {1}


def test_watery_grounds_are_placed_at_the_ends_of_the_row() -> None:
    """The rules for ground cards hold for them."""
    game = river_scene("hand R.watery+frog\ncolumn sands", "").do("token 1 S1")

    assert game.legal("play") == {"play R.watery+frog 0", "play R.watery+frog 1"}


def test_triangles_of_the_s_and_n_decks_bring_points_and_an_oar() -> None:
    """Both; only such cards of the base decks have an oar."""
    of_base_decks = [card for card in cards() if card.deck in (Deck.W, Deck.S, Deck.E, Deck.N)]
    with_oar = [card for card in of_base_decks if card.oar]

    assert with_oar
    assert {card.deck for card in with_oar} == {Deck.S, Deck.N}
    assert all(NATURE_MONUMENT in card.symbols and card.points for card in with_oar)
    assert all(card.oar for card in of_base_decks if NATURE_MONUMENT in card.symbols)


def test_a_base_card_with_an_oar_moves_the_kayak_and_scores() -> None:
    """Its points stay, its oar moves."""
    game = played("N.nature-monument(sands)3^2", "sands")

    assert game.points() == {"meadow": 3}
    assert game.state.river is not None
    assert game.state.river.kayaks[0] == 2


def test_a_fish_is_placed_on_an_empty_watery_ground() -> None:
    """Not on another ground, even one it asks for."""
    assert river_columns("fish(sands+watery)1", "watery", "sands") == {0}


def test_a_fish_is_placed_on_any_top_of_a_watery_column() -> None:
    """Whatever observation lies there, met symbol or not; elsewhere not even on a met symbol (D15)."""
    assert river_columns("fish(frog+tree)1", "watery bird(watery)1", "sands+frog", "rocks+tree") == {0}


def test_a_fish_s_other_requirements_must_be_fulfilled() -> None:
    """All of them, or be paid for; at least one must be met (D15)."""
    assert river_columns("fish(tree+frog)1", "watery", "sands") == set()
    assert river_columns("fish(tree+frog)1", "watery", "sands+frog", hand="S91 S92") == {0}
    assert river_columns("fish(tree)1", "watery", "sands", hand="S91 S92") == set()


def test_the_watery_place_of_a_fish_cannot_be_paid_for() -> None:
    """Without watery ground it has no place (D15)."""
    assert river_columns("fish(frog)1", "sands+frog", hand="S91 S92 S93 S94") == set()


def test_arrows_still_bind_the_place_of_a_fish() -> None:
    """A watery column beside one with the symbol (D15)."""
    assert river_columns("fish(<tree>)1", "watery", "sands+tree", "rocks", "watery~1") == {0}
    # with a plain symbol met it may lie on any watery column
    assert river_columns("fish(frog+<tree>)1", "watery", "sands+tree", "rocks+frog~1", "watery~1") == {0, 3}


def test_no_fish_on_a_big_encounter() -> None:
    """Nothing is ever placed there (M24)."""
    assert river_columns("fish(frog)1", "watery paw+big-encounter(watery)1", "sands+frog") == set()


def test_triangle_and_fish_count_where_they_are_visible() -> None:
    """On top of a column of the meadow, like any card symbol (D16)."""
    game = played("bird(fish)1", "watery fish(watery)1")
    assert "fish" not in game.visible()
    assert river_columns("bird(nature-monument)1", "watery nature-monument(watery)1", "sands") == {0}


# ---- Sunset and beaver dam cards


def test_a_sunset_card_is_played_as_a_landscape() -> None:
    """It needs a road token like any other (D3)."""
    game = river_scene("roads 1\nhand T.landscape()4", "").do("token 1 S1", "play T.landscape()4 0")

    assert (game.surroundings(), game.player().roads, game.points()) == ([["T.landscape()4"]], 0, {"landscapes": 4})


def test_a_beaver_dam_is_played_as_an_observation() -> None:
    """Onto its watery ground, which shows a fence from then on (D3)."""
    game = played("D.fence(watery)3", "watery")

    assert game.visible() == {"watery": 1, "fence": 1}
    assert game.points() == {"meadow": 3}


# ---- Envelope Z


def test_envelope_z_joins_the_river_deck() -> None:
    """Six cards more, only on the river."""
    for variant in VARIANTS:
        game = api.new_game(variant, seats=2, seed=0, options={"envelopes": ("Z",)})
        assert in_decks(game)["Z"] == 6
        assert game.view(None).deck_counts[4] == 55 + 6 - 8
    with pytest.raises(api.BadOption):
        api.new_game("meadow", seats=2, seed=0, options={"envelopes": ("Z",)})


def test_envelope_z_mixes_with_all_others() -> None:
    """Every envelope at once is a game."""
    game = api.new_game(VARIANTS[0], seats=4, seed=0, options={"envelopes": ("Z", "Y", "X", "W", "U", "T")})
    random = Random(0)
    while not game.is_over:
        game.apply(random.choice(game.legal_ids()))
    assert min(game.returns()) >= 0
