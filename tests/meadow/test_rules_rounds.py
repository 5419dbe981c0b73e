"""The Course of the Game, Player Turn, End of the Round, Halfway Point and the end of the game."""

from __future__ import annotations

from collections import Counter

from meadow_engine.meadow.events import CardTaken, GameEnded, HalfwayReached, RoundStarted, TokenPlaced

from tests.meadow.scene import BOARD, EMPTY, Scene, new_game, scene


def last_turns(seats: int, round_number: int = 1) -> Scene:
    """Every seat has one token left in this round."""
    return scene(*["tokens 1"] * seats, round_number=round_number)


def end_round(game: Scene) -> Scene:
    """All seats place their last token at the left of the main board and play nothing."""
    events = []
    while game.asks.endswith("place_token") and game.state.players[int(game.asks[0])].tokens == 1:
        free = next(place for place in ("L1", "L2", "L3", "L4") if f"token 1 {place}" in game.legal())
        events += game.do(f"token 1 {free}", "pass").events
    game.events = events
    return game


# ---- The Course of the Game


def test_six_rounds_with_two_or_three_players_and_eight_with_four() -> None:
    """So many rounds begin in a whole game, and as many rocks are drawn on the campfire board."""
    for seats, rounds in ((2, 6), (3, 6), (4, 8)):
        game = new_game(seats, beginners_deal=True).play_on()
        assert [event.round for event in game.happened(RoundStarted)] == list(range(1, rounds + 1))
        assert len(game.catalogue.campfires[seats].rocks) == rounds


def test_turns_go_clockwise_from_the_first_player() -> None:
    """Seat after seat places one token, until all tokens of the round lie."""
    for first in range(3):
        game = new_game(3, first_seat=first, beginners_deal=True).play_on()
        seats = [event.seat for event in game.happened(TokenPlaced)][:15]
        assert seats == [(first + turn) % 3 for turn in range(15)]


# ---- Player Turn


def test_a_token_must_be_placed() -> None:
    """A turn begins with placing a token, in any notch of either board or on a bench; there is no passing (M16)."""
    game = scene("", "")

    assert game.asks == "0 place_token"
    places = {f"{side}{number}" for side in "LRB" for number in (1, 2, 3, 4)} | {"C1", "C2", "C3", "S1", "S2"}
    assert game.legal() == {f"token {token} {place}" for token in (1, 2, 3, 4) for place in places}
    assert game.refuses("pass") == "WRONG_DECISION"


def test_only_an_unoccupied_place_takes_a_token() -> None:
    """A notch or bench with a token of any seat is closed to everybody."""
    game = scene("", "").do("token 1 L2", "pass", "token 1 S2", "pass")

    for place in ("L2", "S2"):
        assert game.refuses(f"token 2 {place}") == "OCCUPIED"
    assert not game.legal("token 2 L2")
    game.do("token 2 S1", "pass")
    assert game.refuses("token 2 L2") == "OCCUPIED"


def test_a_token_stays_to_the_end_of_the_round() -> None:
    """It lies in its notch while others take their turns, and is gone when the next round begins."""
    game = scene("tokens 12", "tokens 12").do("token 1 L2", "pass", "token 1 C1", "take 0", "token 2 C2", "roads")
    assert game.tokens() == {"L2": "0:1", "C1": "1:1", "C2": "0:2"}
    game.do("token 2 S1", "pass")

    assert game.tokens() == {}
    assert game.view().round == 2


def test_at_the_main_board_cards_are_drawn_and_played() -> None:
    """The token's top action: take a card, then play one or none."""
    game = scene("hand bird(sands)1\ncolumn sands", "").do("token 2 L1")

    assert game.happened(CardTaken)[0].spot == 1
    assert game.asks == "0 play_card"
    assert game.legal("play bird") == {"play bird(sands)1 0"}


def test_at_the_campfire_a_special_action_is_taken() -> None:
    """The token's bottom action: nothing is drawn by its number, the special action is asked for instead."""
    game = scene("", "").do("token 2 C1")

    assert not game.happened(CardTaken)
    assert (game.asks, game.legal()) == ("0 campfire", {"roads"})


# ---- End of the Round


def test_a_round_lasts_until_all_tokens_are_placed() -> None:
    """Not before the last seat's last token does the next round begin."""
    game = last_turns(3)
    assert game.do("token 1 L1", "pass", "token 1 L2", "pass").happened(RoundStarted) == []
    assert game.do("token 1 L3").happened(RoundStarted) == []

    assert game.do("pass").happened(RoundStarted) == [RoundStarted(2, 1)]


def test_the_first_player_token_moves_on_clockwise() -> None:
    """The seat to the left of the first one begins the next round; after the last seat comes seat 0."""
    assert end_round(last_turns(3)).asks == "1 place_token"
    game = scene("tokens 1", "tokens 1", "tokens 1", first=2, turn=2)
    assert end_round(game).asks == "0 place_token"
    assert game.view().first_seat == 0


def test_all_tokens_come_back() -> None:
    """In the next round every seat can use all of its tokens again, and all places are free."""
    game = end_round(last_turns(2))

    assert {text.split()[1] for text in game.legal("token")} == set("1234?")
    assert len(game.legal("token 1 ")) == 17
    assert game.tokens() == {}


def test_the_round_marker_moves_on() -> None:
    """One round further, whatever the round."""
    for number in (1, 4):
        game = end_round(last_turns(2, round_number=number))
        assert game.view().round == number + 1


# ---- End of the Game


def test_the_game_ends_after_the_last_round() -> None:
    """After round 6 with two players, after round 8 with four, and not before."""
    for seats, last in ((2, 6), (3, 6), (4, 8)):
        game = end_round(last_turns(seats, round_number=last))
        assert (game.asks, len(game.happened(GameEnded))) == ("end", 1)
        game = end_round(last_turns(seats, round_number=last - 1))
        assert (game.asks[2:], game.happened(GameEnded)) == ("place_token", [])


# ---- Halfway Point


def test_the_hourglass_stands_after_half_the_rounds() -> None:
    """It is passed after round 3 of 6 and after round 4 of 8."""
    for seats, half in ((2, 3), (3, 3), (4, 4)):
        for number in range(1, 6):
            game = end_round(last_turns(seats, round_number=number))
            assert len(game.happened(HalfwayReached)) == (number == half), (seats, number)


def swept(seed: int = 0) -> Scene:
    """A game that has just passed the hourglass."""
    game = new_game(2, seed, beginners_deal=True)
    while not game.happened(HalfwayReached):
        game.do(min(game.legal()))
    return game


def test_the_board_s_cards_go_under_their_decks() -> None:
    """All 16 lie under the decks with their backs, S cards under S (M9)."""
    game = end_round(last_turns(2, round_number=3))
    # the two tokens took two W cards, which were replaced
    left = [card for card in BOARD.split() if card not in ("W1", "W2")] + ["W5", "W6"]

    for letter in "WSE":
        own = sorted(card for card in left if card[0] == letter)
        assert sorted(game.deck(letter)[: len(own)]) == own
    assert EMPTY not in game.board()


def test_the_order_under_the_decks_is_random() -> None:
    """The same cards lie in many different orders."""
    orders = []
    for seed in range(8):
        game = swept(seed)
        (event,) = game.happened(HalfwayReached)
        cards = [card for card in game.names(event.swept) if card.startswith("S")]
        below = game.deck("S")[: len(cards)]
        assert sorted(below) == sorted(cards)
        orders.append([cards.index(card) for card in below])

    assert len({tuple(order) for order in orders}) > 4


def test_the_n_deck_replaces_the_s_deck() -> None:
    """From now on N is looked at and refills the middle; S is out of use."""
    game = end_round(last_turns(2, round_number=3))
    assert game.view().halfway
    assert game.do("token 3 C1").legal("look") == {"look W", "look N", "look E"}
    game = end_round(last_turns(2, round_number=3))
    top = game.deck("N")[-1]
    game.do("token 2 L1", "pass")

    assert game.board()[1] == top


def test_the_board_is_refilled_after_the_sweep() -> None:
    """Both middle columns get N cards, the outer ones W and E; spots without a card stay empty."""
    short = end_round(scene("tokens 1", "tokens 1", round_number=3, N="N2 N1"))
    assert short.board()[1::4] + short.board()[2::4] == ["N1", EMPTY, EMPTY, EMPTY, "N2", EMPTY, EMPTY, EMPTY]
    game = end_round(last_turns(2, round_number=3))

    assert game.board()[1:3] + game.board()[5:7] == ["N1", "N2", "N3", "N4"]
    assert [Counter(card[0] for card in game.board()[column::4]) for column in range(4)] == [
        {"W": 4},
        {"N": 4},
        {"N": 4},
        {"E": 4},
    ]


def test_after_the_halfway_point_the_game_goes_on_as_before() -> None:
    """Turns, tokens and takes are those of every round."""
    game = end_round(last_turns(2, round_number=3))

    assert (game.view().halfway, game.asks) == (True, "1 place_token")
    card = game.board()[6]
    game.do("token 3 L2")
    assert game.hand(1)[-1] == card
    assert game.asks == "1 play_card"
