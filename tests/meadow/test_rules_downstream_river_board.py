"""Downstream, common rules: the river card area, river trail tokens, base tokens at the river, waterfalls."""

from __future__ import annotations

from random import Random

import pytest
from meadow_engine import api
from meadow_engine.meadow.downstream.catalogue import SIDES
from meadow_engine.meadow.downstream.events import WaterfallPassed
from meadow_engine.meadow.events import BoardRefilled, CardTaken, RoundStarted

from tests.meadow.river import RIVER, components, river_scene
from tests.meadow.scene import EMPTY, Scene

NO_RIVER = f"{EMPTY} {EMPTY} {EMPTY} {EMPTY}\n" * 2
NO_BOARD = f"{EMPTY} {EMPTY} {EMPTY} {EMPTY}\n" * 4
PLAYABLE = "hand paw(sands)1\ncolumn sands"


def notches_of(game: Scene, token: str) -> set[str]:
    """Where a token may be placed."""
    return {text.split()[2] for text in game.legal(f"token {token} ")}


# ---- River Board


def test_a_variant_for_each_side_of_the_board() -> None:
    """The players decide on a side before the game: it is the variant."""
    ids = {variant.id for variant in api.variants()}

    for side in SIDES:
        assert {f"downstream_{side}", f"downstream_{side}_solo"} <= ids
        game = api.new_game(f"downstream_{side}", seats=2, seed=1)
        assert game.view(None).river.side == side
        assert (game.config.variant.min_seats, game.config.variant.max_seats) == (2, 4)


def test_the_river_card_area_has_eight_spots_and_six_notches() -> None:
    """Two rows of four; a notch at each row's left end and below each column (D5)."""
    for side in components().sides.values():
        assert len(side.spots) == 8
        assert [notch.spots for notch in side.notches] == [
            (4, 5, 6, 7),
            (0, 1, 2, 3),
            (7, 3),
            (6, 2),
            (5, 1),
            (4, 0),
        ]


def test_the_river_deck_fills_the_area_at_the_start() -> None:
    """55 cards are shuffled, eight of them lie face up."""
    for side in SIDES:
        game = api.new_game(f"downstream_{side}", seats=2, seed=1)
        view = game.view(None)
        assert view.deck_counts[4] == 55 - 8
        assert {game.catalogue.cards[card].deck.name for card in view.board[16:]} == {"RIVER"}
        others = [api.new_game(f"downstream_{side}", seats=2, seed=seed).view(None).board[16:] for seed in range(5)]
        assert len(set(others)) == 5


# ---- River Trail Tokens


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_player_has_a_river_trail_token(seats: int) -> None:
    """One each, beside the path tokens of the base game, in every round."""
    game = api.new_game("downstream_lazy_river", seats=seats, seed=2)
    random = Random(2)
    while game.decision is not None and game.decision.kind != "place_token":
        game.apply(random.choice(game.legal_ids()))
    expected = "1234R" if seats == 4 else "1234?R"
    for player in game.view(None).players:
        assert "".join("1234?R"[token] for token in range(6) if player.tokens >> token & 1) == expected


def test_a_river_trail_token_lies_on_the_river_board_only() -> None:
    """Any free notch there; none of the main board or the campfire, and no bench."""
    game = river_scene("tokens R", "")

    assert notches_of(game, "R") == {"V1", "V2", "V3", "V4", "V5", "V6"}
    for place in ("L1", "C1", "S1"):
        assert game.refuses(f"token R {place}") == "WRONG_BOARD"


def test_a_taken_notch_of_the_river_board_is_closed() -> None:
    """A token goes to an unoccupied notch, and stays there to the end of the round."""
    game = river_scene("tokens R", "tokens R").do("token R V1", "take 20", "pass")

    assert notches_of(game, "R") == {"V2", "V3", "V4", "V5", "V6"}
    assert game.refuses("token R V1") == "OCCUPIED"
    assert game.tokens() == {"V1": "0:R"}


def test_river_trail_tokens_come_back_at_the_end_of_the_round() -> None:
    """Players collect all their tokens, these too."""
    game = river_scene("tokens R", "tokens R").finish_round()

    assert game.happened(RoundStarted) == [RoundStarted(2, 1)]
    assert game.tokens() == {}
    assert all(player.tokens >> 5 & 1 for player in game.state.players)


# ---- "?" Path Token


def test_the_question_mark_may_lie_on_the_river_board() -> None:
    """There it works like a river trail token: a card of the row or column, then a play."""
    game = river_scene(f"tokens ?\n{PLAYABLE}", "").do("token ? V1")

    assert game.legal() == {"take 20", "take 21", "take 22", "take 23"}
    assert game.do("take 21").legal("play") == {"play paw(sands)1 0"}


def test_the_question_mark_still_lies_on_the_other_boards() -> None:
    """Notches of the main board and the campfire stay open to it."""
    game = river_scene("tokens ?", "")

    assert {"L1", "R4", "B2", "C1", "S1", "V1"} <= notches_of(game, "?")


def test_path_tokens_1_to_4_never_lie_on_the_river_board() -> None:
    """They are barred from its notches."""
    game = river_scene("tokens 1234", "")

    assert notches_of(game, "1") >= {"L1", "C1", "S1"}
    for token in "1234":
        assert not notches_of(game, token) & {"V1", "V2", "V3", "V4", "V5", "V6"}
        assert game.refuses(f"token {token} V1") == "WRONG_BOARD"


def test_the_question_mark_at_the_river_claims_no_goal() -> None:
    """Goals belong to the campfire (D18)."""
    game = river_scene("tokens ?\ncolumn sands tree+bird(sands)", "").do("token ? V1", "take 20")

    assert game.asks == "0 play_card"
    assert not game.legal("goal")


# ---- River Board Actions


def test_a_card_of_the_row_or_column_must_be_taken() -> None:
    """The book's fourth example: a card of the column, the spot is refilled, then a card may be played."""
    game = river_scene(f"tokens R\n{PLAYABLE}", "").do("token R V3")
    assert game.legal() == {"take 19", "take 23"}
    assert game.refuses("pass") == "WRONG_DECISION"
    assert game.refuses("take 16") == "OUT_OF_REACH"
    game.do("take 19")

    assert game.happened(CardTaken) == [CardTaken(0, 19, game.catalogue.card_ids["R4"])]
    assert (game.hand(), game.board()[19]) == (["paw(sands)1", "R4"], "R9")
    assert len(game.happened(BoardRefilled)) == 1
    assert game.do("play paw(sands)1 0").asks == "1 place_token"


def test_the_play_at_the_river_is_optional_and_of_any_card() -> None:
    """Any hand card, also the one just taken, or none (D18)."""
    river = "R.frog(sands)^1 R2 R3 R4\nR5 R6 R7 R8"
    game = river_scene(f"tokens R\n{PLAYABLE}", "", river=river).do("token R V6", "take 16")

    assert game.legal() == {"pass", "play paw(sands)1 0", "play R.frog(sands)^1 0"}
    assert game.do("pass").asks == "1 place_token"


def test_at_an_empty_row_only_the_play_is_left() -> None:
    """Nothing can be taken where nothing lies (D18)."""
    game = river_scene(f"tokens R\n{PLAYABLE}", "", river=NO_RIVER).do("token R V1")

    assert game.legal() == {"pass", "play paw(sands)1 0"}


def test_an_empty_spot_of_the_row_cannot_be_taken() -> None:
    """As long as there is a card it must be a card (D18)."""
    game = river_scene("tokens R", "", river=f"R1 {EMPTY} {EMPTY} R4\nR5 R6 R7 R8").do("token R V2")

    assert game.legal() == {"take 16", "take 19"}


# ---- Special Actions of Base Game Tokens


def test_token_1_takes_from_the_main_board_or_the_river() -> None:
    """The book's fifth example: any face-up card, its spot refilled from its own deck; no play follows."""
    game = river_scene(PLAYABLE, "").do("token 1 C1")
    assert game.legal() == {f"take {spot}" for spot in range(24)}
    game.do("take 18")

    assert (game.hand(), game.board()[18]) == (["paw(sands)1", "R3"], "R9")
    assert game.asks == "1 place_token"
    assert river_scene("", "").do("token 1 C1", "take 0").board()[0] == "W5"


def test_token_3_looks_at_the_river_deck_too() -> None:
    """The book's sixth example: the top three river cards, one is kept, two go under the deck in any order."""
    game = river_scene("", "").do("token 3 C1")
    assert game.legal() == {"look W", "look S", "look E", "look RIVER"}
    game.do("look RIVER", "keep 1", "under 1")

    assert game.hand() == ["R10"]
    assert game.deck("R") == ["R9", "R11", "R14", "R13", "R12"]
    assert game.asks == "1 place_token"


# ---- River Deck


def test_the_s_deck_replaces_a_spent_river_deck() -> None:
    """From then on it fills the river, before and after the halfway point (D14)."""
    for halfway in (False, True):
        game = river_scene("tokens R", "tokens R", decks={"R": "R9"}, halfway=halfway).do(
            "token R V6", "take 16", "pass"
        )
        assert (game.board()[16], game.deck("R")) == ("R9", [])
        game.do("token R V1", "take 21")
        assert game.board()[21] == "S9"


def test_a_spent_river_deck_is_looked_at_as_the_s_deck() -> None:
    """The S deck is the deck on the river board then (D14)."""
    game = river_scene("", "", decks={"R": ""}, halfway=True).do("token 3 C1")

    assert game.legal() == {"look W", "look S", "look E", "look N"}
    assert river_scene("", "", decks={"R": ""}).do("token 3 C1").legal() == {"look W", "look S", "look E"}


def test_a_look_does_not_spend_the_river_deck() -> None:
    """The cards looked at still belong to it; what there is is shown (D14, M4)."""
    game = river_scene("", "", decks={"R": "R10 R9"}).do("token 3 C1", "look RIVER")
    assert game.legal() == {"keep 0", "keep 1"}

    assert game.do("keep 0", "under 0").deck("R") == ["R10"]


def test_discarded_river_cards_leave_play_once_their_deck_is_spent() -> None:
    """They would lie under the deck otherwise; S cards always go under theirs (D14)."""
    player = "hand R.paw(tree) paw(tree) bird(tree+sands)1\ncolumn sands"
    for deck, left in (("R9", ["R.paw(tree)", "R9"]), ("", [])):
        game = river_scene(player, "", decks={"R": deck}).do("token 1 S1", "play bird(tree+sands)1 0")
        game.do("discard R.paw(tree)", "discard paw(tree)")
        assert game.deck("R") == left
        assert game.deck("S")[0] == "paw(tree)"
        assert game.hand() == []


def test_sunset_and_beaver_dam_cards_leave_play_when_discarded() -> None:
    """They have no deck to go under (D11)."""
    hand = "hand T.landscape()3 D.fence(tree)2 bird(tree+sands)1"
    game = river_scene(f"{hand}\ncolumn sands", "").do("token 1 S1", "play bird(tree+sands)1 0")
    before = [len(deck) for deck in game.state.decks]
    game.do("discard T.landscape()3", "discard D.fence(tree)2")

    assert [len(deck) for deck in game.state.decks] == before
    assert game.meadow() == [["sands", "bird(tree+sands)1"]]


# ---- Waterfall Tokens, End of Round


@pytest.mark.parametrize(("seats", "rounds"), [(2, {2, 4}), (3, {2, 4}), (4, {3, 6})])
def test_a_waterfall_clears_the_river(seats: int, rounds: set[int]) -> None:
    """Twice a game, when the marker passes the token: all cards under the deck, new ones from its top (D4, D19)."""
    for number in range(1, 8 if seats == 4 else 6):
        game = river_scene(*["tokens 4"] * seats, round_number=number).finish_round()
        swept = game.happened(WaterfallPassed)
        assert bool(swept) == (number in rounds)
        if swept:
            assert game.names(swept[0].swept) == RIVER.split()
            assert game.board()[16:] == ["R9", "R10", "R11", "R12", "R13", "R14", *game.board()[22:]]
            assert sorted(game.deck("R") + game.board()[22:]) == sorted(RIVER.split())


def test_a_waterfall_s_cards_go_under_the_deck_in_random_order() -> None:
    """The order depends on the seed."""
    orders = set()
    for seed in range(8):
        game = api.new_game("downstream_wild_rapids", seats=2, seed=seed)
        random = Random(seed)
        passed = None
        while passed is None:
            events = game.apply(random.choice(game.legal_ids())).events
            passed = next((event for event in events if isinstance(event, WaterfallPassed)), None)
        pile = game.state.decks[4].items
        orders.add(tuple(passed.swept.index(card) for card in pile[: len(passed.swept)]))
    assert len(orders) > 1


def test_a_waterfall_with_a_spent_river_deck() -> None:
    """River cards leave play, S cards go under S, and S fills the area (D14)."""
    river = "R1 S20 R3 R4\nR5 R6 R7 R8"
    game = river_scene("tokens 4", "tokens 4", river=river, decks={"R": ""}, round_number=2).finish_round()

    assert game.board()[16:] == ["S9", "S10", "S11", "S12", "S13", "S14", "S20", EMPTY]
    assert (game.deck("R"), game.deck("S")) == ([], [])


def test_the_hourglass_leaves_the_river_alone() -> None:
    """Only the main board is cleared at the halfway point."""
    game = river_scene("tokens 4", "tokens 4", round_number=3).finish_round()

    assert game.state.halfway
    assert game.board()[16:] == RIVER.split()
    assert len(game.deck("R")) == 6


def test_a_river_game_has_as_many_rounds_as_the_base_game() -> None:
    """Six, eight with four players; the first player token moves on."""
    for seats, rounds in ((2, 6), (3, 6), (4, 8)):
        assert api.new_game("downstream_lazy_river", seats=seats, seed=0).view(None).rounds == rounds
        game = river_scene(*["tokens 4"] * seats, round_number=rounds)
        assert game.state.rounds == rounds
        assert game.finish_round().asks == "end"
    game = river_scene("tokens R", "tokens R").finish_round()
    assert game.state.first_seat == 1


def test_there_are_eight_more_road_tokens() -> None:
    """36 in all, of which each player starts with one."""
    game = api.new_game("downstream_lazy_river", seats=3, seed=0)

    assert game.view(None).road_supply == 28 + 8 - 3
