"""Components, Game Setup, Player Preparation and Player Area."""

from __future__ import annotations

from collections import Counter

import pytest
from meadow_engine.content.library import builtin_pack
from meadow_engine.kernel.errors import BadOption
from meadow_engine.meadow import content
from meadow_engine.meadow.catalogue import Card, Deck
from meadow_engine.meadow.events import CardDrawn, GroundChosen, RoundStarted, RowTaken
from meadow_engine.meadow.places import CAMPFIRE
from meadow_engine.meadow.symbols import BIG_ENCOUNTER

from tests.meadow.packs import faults_with, faults_without, faults_without_section
from tests.meadow.scene import EMPTY, Scene, new_game, scene, told
from tests.spring_meadow.packs import faults_after

SEATS = (1, 2, 3, 4)
DECK_FILES = ("meadow_w.csv", "meadow_s.csv", "meadow_e.csv", "meadow_n.csv")


def game_for(seats: int, seed: int = 0, **options: object) -> Scene:
    """A game for so many players, alone against Rover."""
    return new_game(seats, seed, "meadow" if seats > 1 else "meadow_solo", **options)


def prepared(game: Scene) -> Scene:
    """The game at the first turn: everybody took the topmost row and the first side."""
    game.events = []
    while game.state.round == 0:
        game.events += game.do("row 0" if "row 0" in game.legal() else "ground 0").events
    return game


def cards_of(game: Scene, spots: range) -> list[Card]:
    """The cards on spots of the main board."""
    return [game.catalogue.cards[game.state.board[spot]] for spot in spots]


# ---- Components


def test_a_pack_must_have_four_decks_of_45_cards() -> None:
    """W, S, E and N have 45 cards each, and with the four starting cards that makes 184; a shorter deck is refused."""
    cards = [card for card in content.catalogue(builtin_pack()).cards if card.card_set == "base"]

    assert Counter(card.deck for card in cards) == {
        **dict.fromkeys((Deck.W, Deck.S, Deck.E, Deck.N), 45),
        Deck.START: 8,
    }
    for file in DECK_FILES:
        assert faults_without(file, -1)


def test_the_main_board_has_16_spots_and_12_notches() -> None:
    """Four rows of four spots; four notches at the left, at the right and at the bottom."""
    game = game_for(2)

    assert len(game.board()) == 16
    assert Counter(notch.id[0] for notch in game.catalogue.main_board.notches) == {"L": 4, "R": 4, "B": 4}


def test_a_pack_must_have_a_campfire_for_each_number_of_players() -> None:
    """There is a face for one, two, three and four; a pack without one of them is refused."""
    assert set(content.catalogue(builtin_pack()).campfires) == {1, 2, 3, 4}
    for face in range(4):
        assert faults_without_section("meadow_boards.toml", "campfire", face)


def test_a_pack_must_have_four_two_sided_starting_cards() -> None:
    """Eight sides belong together two by two; a pack with a side less is refused."""
    catalogue = content.catalogue(builtin_pack())

    assert len(catalogue.start_cards) == 4
    assert all(catalogue.cards[one].other_side == other for one, other in catalogue.start_cards)
    assert faults_without("meadow_start.csv", -1)


def test_a_pack_must_have_11_basic_goal_tokens() -> None:
    """They show eleven different card symbols; a pack with one less or with a ground among them is refused."""
    tokens = [token for token in content.catalogue(builtin_pack()).goal_tokens if token.card_set == "base"]

    assert len({token.symbol for token in tokens}) == len(tokens) == 11
    assert faults_without("meadow_goals.csv", 0)
    assert faults_with("meadow_goals.csv", 0, symbol="grass")


def test_a_pack_must_have_the_goal_token_of_envelope_u() -> None:
    """A twelfth token shows the new symbol; a pack with the cards and without the token is refused."""
    (token,) = [token for token in content.catalogue(builtin_pack()).goal_tokens if token.card_set == "U"]

    assert token.symbol == BIG_ENCOUNTER
    assert faults_without("meadow_goals.csv", -1)


def test_each_colour_has_five_path_tokens() -> None:
    """1, 2, 3, 4 and ? with fewer than four players, each to be placed once in a round."""
    game = prepared(game_for(2, first_seat=0))

    assert {text.split()[1] for text in game.legal("token")} == set("1234?")
    game.do("token 4 S1", "pass", "token 1 S2", "pass")
    assert {text.split()[1] for text in game.legal("token")} == set("123?")
    assert game.refuses("token 4 L1") == "TOKEN_USED"


def test_a_player_has_three_bonus_tokens() -> None:
    """Whoever placed three claims no more goals."""
    player = "bonuses {}\ncolumn sands tree+bird(sands)"

    assert scene(player.format(2), "").do("token 2 C1").legal("goal") == {"goal 0"}
    assert scene(player.format(3), "").do("token 2 C1").legal("goal") == set()


def test_there_are_28_road_tokens() -> None:
    """Every seat has one, the others are in the supply."""
    for seats in SEATS:
        game = game_for(seats)
        assert [player.roads for player in game.state.players] == [1] * seats
        assert game.state.road_supply == 28 - seats


def test_a_pack_s_envelopes_have_six_cards_each() -> None:
    """T, U, W, X and Y; an envelope of five cards is refused, one that is missing altogether is not."""
    sets = Counter(card.card_set for card in content.catalogue(builtin_pack()).cards)
    del sets["base"]

    assert [sets[letter] for letter in "TUWXY"] == [6] * 5
    assert faults_without("meadow_envelopes.csv", -1)
    assert not faults_after("meadow_envelopes.csv", lambda rows: rows.__delitem__(slice(-6, None)))


# ---- Game Setup


def test_w_s_and_e_are_the_first_decks_on_the_board() -> None:
    """N lies beside the board at first: it cannot be looked at."""
    assert scene("", "").do("token 3 C1").legal("look") == {"look W", "look S", "look E"}


def test_the_decks_hold_the_cards_with_their_backs() -> None:
    """Decks, board and starting hands together are all cards of the box, each deck with its own back."""
    game = game_for(4)
    found = Counter(card for deck in game.state.decks for card in deck.items) + Counter(game.state.board)

    assert found == Counter(card.number for card in game.catalogue.cards if card.card_set == "base" and card.deck < 4)
    for deck, pile in enumerate(game.state.decks):
        assert {game.catalogue.cards[card].deck for card in pile.items} == {deck}


def test_the_decks_are_shuffled() -> None:
    """Another seed gives other orders, the same seed the same."""
    for letter in "WSEN":
        one, other, again = (game_for(2, seed).deck(letter) for seed in (1, 2, 1))
        assert one == again != other
        assert one != sorted(one)


def test_every_spot_gets_a_card() -> None:
    """The board is full after the set-up, 16 different cards."""
    board = game_for(3).board()

    assert EMPTY not in board
    assert len(set(board)) == 16


def test_the_columns_are_w_s_s_e() -> None:
    """From the left: one column of W cards, two of S cards, one of E cards."""
    for row in range(4):
        backs = [card.deck for card in cards_of(game_for(2), range(4 * row, 4 * row + 4))]
        assert backs == [Deck.W, Deck.S, Deck.S, Deck.E]


def test_notches_and_benches_depend_on_the_number_of_players() -> None:
    """Three open campfire notches for one and two players, four for three, five for four; benches as the board says."""
    for seats, notches in ((1, 3), (2, 3), (3, 4), (4, 5)):
        game = prepared(game_for(seats))
        places = {text.split()[2] for text in game.legal("token")} | set(game.tokens())
        assert {place for place in places if place[0] == "C"} == {f"C{n}" for n in range(1, notches + 1)}
        benches = len(game.catalogue.campfires[seats].benches)
        assert {place for place in places if place[0] == "S"} == {f"S{n}" for n in range(1, benches + 1)}


def test_goal_tokens_are_drawn_at_random() -> None:
    """Every goal token turns up on some seed, no token twice in a game; nobody has claimed a pair yet."""
    rings = [game_for(2, seed).state.goals for seed in range(60)]

    assert {len(ring) for ring in rings} == {len(set(ring)) for ring in rings} == {5}
    assert len({symbol for ring in rings for symbol in ring}) == 11
    assert [game_for(seats).view().claims for seats in SEATS] == [(-1,) * squares for squares in (3, 5, 8, 11)]


def test_four_players_use_all_basic_goal_tokens() -> None:
    """With 11 squares nothing is left over, only the order differs."""
    games = [game_for(4, seed) for seed in (1, 2)]
    rings = [game.state.goals for game in games]
    basic = sorted(token.symbol for token in games[0].catalogue.goal_tokens if token.card_set == "base")

    assert sorted(rings[0]) == sorted(rings[1]) == basic
    assert rings[0] != rings[1]


def test_four_players_have_no_question_mark_token() -> None:
    """It stays in the box; one, two and three players have it."""
    for seats in SEATS:
        tokens = {text.split()[1] for text in prepared(game_for(seats)).legal("token")}
        assert tokens == (set("1234") if seats == 4 else set("1234?"))


def test_each_player_gets_one_road_token() -> None:
    """It shows the road symbol: a landscape that needs only a road can be played on the first turn."""
    game = scene("roads 1\nhand landscape()2", "").do("token 1 S1")

    assert game.legal("play") == {"play landscape()2 0"}
    assert [player.roads for player in game_for(3).state.players] == [1, 1, 1]


def test_each_player_gets_a_starting_ground_card_at_random() -> None:
    """No two seats get the same one, and over many seeds a seat gets each of the four (M13)."""
    deals = [game_for(4, seed).state.starts for seed in range(40)]

    assert all(sorted(deal) == [0, 1, 2, 3] for deal in deals)
    assert {deal[2] for deal in deals} == {0, 1, 2, 3}


def test_block_tokens_close_the_last_notches_clockwise() -> None:
    """Two for one and two players, one for three, none for four (M30): nobody can use those notches."""
    for seats, blocked in ((2, {"C4", "C5"}), (3, {"C5"}), (4, set())):
        game = scene(*[""] * seats)
        open_notches = {text.split()[2] for text in game.legal("token 1 C")}
        assert open_notches == {"C1", "C2", "C3", "C4", "C5"} - blocked
        for notch in blocked:
            assert game.refuses(f"token 1 {notch}") == "NOT_IN_THIS_GAME"


def test_blocked_notches_stay_blocked_for_the_whole_game() -> None:
    """In every round of every game only the open notches and no others can be used."""
    for seats, notches in ((2, 3), (3, 4), (4, 5)):
        game = prepared(game_for(seats))
        while game.asks != "end":
            assert [place - CAMPFIRE for place in range(CAMPFIRE, CAMPFIRE + 5) if game.state.is_free(place)] == list(
                range(notches)
            )
            game.finish_round()


def test_the_round_marker_starts_at_the_first_round() -> None:
    """When everybody is ready round 1 begins."""
    game = prepared(game_for(2, first_seat=1))

    assert game.happened(RoundStarted) == [RoundStarted(1, 1)]
    assert game.view().round == 1


def test_the_first_player_is_chosen_or_drawn() -> None:
    """The option names who starts; without it the seed gives everyone the start now and then (M12)."""
    assert [prepared(new_game(3, first_seat=seat)).asks for seat in range(3)] == [f"{s} place_token" for s in range(3)]
    assert {new_game(3, seed).state.first_seat for seed in range(30)} == {0, 1, 2}
    with pytest.raises(BadOption):
        new_game(2, first_seat=2)


# ---- Component and round count by player count


def counts(seats: int) -> tuple[set[str], int, int, int]:
    """Path tokens, goal tokens, blocked notches and rounds of a game."""
    game = prepared(game_for(seats))
    tokens = {text.split()[1] for text in game.legal("token")}
    places = {text.split()[2] for text in game.legal("token")} | set(game.tokens())
    return tokens, len(game.state.goals), 5 - sum(place[0] == "C" for place in places), game.view().rounds


def test_components_of_the_solo_game() -> None:
    """All five path tokens, 3 goal tokens, 2 block tokens, 6 rounds."""
    assert counts(1) == (set("1234?"), 3, 2, 6)


def test_components_of_two_players() -> None:
    """All five path tokens, 5 goal tokens, 2 block tokens, 6 rounds."""
    assert counts(2) == (set("1234?"), 5, 2, 6)


def test_components_of_three_players() -> None:
    """All five path tokens, 8 goal tokens, 1 block token, 6 rounds."""
    assert counts(3) == (set("1234?"), 8, 1, 6)


def test_components_of_four_players() -> None:
    """Path tokens 1 to 4, 11 goal tokens, no block token, 8 rounds."""
    assert counts(4) == (set("1234"), 11, 0, 8)


# ---- Player Preparation


def test_rows_are_chosen_counter_clockwise_and_the_first_player_comes_last() -> None:
    """The seat to the right of the first player begins (M1)."""
    for first in range(3):
        game = new_game(3, first_seat=first)
        asked = [game.asks] + [game.do("row 1").asks for _ in range(3)]
        assert asked == [f"{(first - step) % 3} choose_row" for step in (1, 2, 3)] + [f"{first} choose_ground"]


def test_a_whole_row_is_taken() -> None:
    """Any row can be chosen; its four cards come into the hand, seen by all."""
    game = new_game(2, first_seat=0)
    assert game.legal() == {"row 0", "row 1", "row 2", "row 3"}
    row = game.board()[8:12]
    game.do("row 2")

    assert game.hand(1)[:4] == row
    assert [game.names(event.cards) for event in game.happened(RowTaken)] == [row]
    assert game.names(game.view(None).players[1].hand) == [game.names([c])[0] for c in sorted(game.player(1).hand[:4])]


def test_one_card_of_the_n_deck_is_drawn() -> None:
    """It is the top one, and nobody else sees it (M15)."""
    game = new_game(2, first_seat=0)
    top = game.deck("N")[-1]
    game.do("row 2")

    assert game.hand(1)[4:] == [top]
    (drawn,) = game.happened(CardDrawn)
    assert told(drawn) == [False, True, False]
    assert game.view(0).players[1].unknown == (0, 0, 0, 1)
    assert game.view(1).players[1].unknown == (0, 0, 0, 0)


def test_the_board_is_refilled_after_each_choice() -> None:
    """The next one to choose finds four full rows; the emptied row has the next cards of its decks."""
    game = new_game(2, first_seat=0)
    before, decks = game.board(), {letter: game.deck(letter) for letter in "WSE"}
    game.do("row 1")

    assert game.board() == [
        *before[:4],
        *(decks["W"][-1], decks["S"][-1], decks["S"][-2], decks["E"][-1]),
        *before[8:],
    ]


def test_everybody_starts_with_five_cards() -> None:
    """One W, two S, one E and one N card, whoever chooses when."""
    for seats in SEATS:
        game = prepared(game_for(seats))
        for player in game.state.players:
            assert Counter(game.catalogue.cards[card].deck for card in player.hand) == {
                Deck.W: 1,
                Deck.S: 2,
                Deck.E: 1,
                Deck.N: 1,
            }


def test_sides_of_the_starting_ground_cards_are_chosen_in_turn_order() -> None:
    """After all rows, from the first player clockwise, before round 1; both sides are known to all (M2, M13)."""
    game = new_game(3, first_seat=1).do("row 0", "row 0", "row 0")
    asked = []
    while game.state.round == 0:
        asked.append(game.asks)
        assert game.legal() == {"ground 0", "ground 1"}
        game.do("ground 1")

    assert asked == ["1 choose_ground", "2 choose_ground", "0 choose_ground"]


def test_the_chosen_side_is_the_first_column() -> None:
    """The side's symbols are visible in a meadow of one column, for everybody to see."""
    for side in (0, 1):
        game = new_game(2, first_seat=0).do("row 0", "row 0", f"ground {side}")
        card = game.catalogue.cards[game.catalogue.start_cards[game.state.starts[0]][side]]
        assert game.happened(GroundChosen) == [GroundChosen(0, card.number)]
        assert game.meadow() == [[card.id]]
        assert sum(game.visible().values()) == len(card.symbols + card.grounds)
        assert game.view(1).players[0].columns == ((card.number,),)


def test_starting_cards_can_be_dealt_for_a_first_game() -> None:
    """With the option no row is chosen: the game begins with the sides of the starting ground cards (M14)."""
    game = new_game(2, first_seat=0, beginners_deal=True)

    assert game.asks == "0 choose_ground"
    assert EMPTY not in game.board()


def test_the_beginners_deal_is_one_w_two_s_one_e_and_one_n_card() -> None:
    """Each player gets them from the decks, seen by nobody else (M14, M15)."""
    game = new_game(3, beginners_deal=True)

    for seat in range(3):
        backs = [game.catalogue.cards[card].deck for card in game.player(seat).hand]
        assert backs == [Deck.W, Deck.S, Deck.S, Deck.E, Deck.N]
        assert game.view(None).players[seat].unknown == (1, 2, 1, 1)
        assert game.view(None).players[seat].hand == ()


# ---- Player area


def test_grounds_and_observations_go_into_the_meadow() -> None:
    """A ground becomes a column, an observation lies on one; the surroundings stay empty."""
    game = scene("hand grass+larva bird(larva)1\ncolumn sands", "").do("token 4 C1", "play grass+larva 1")
    game.do("play bird(larva)1 1")

    assert game.meadow() == [["sands"], ["grass+larva", "bird(larva)1"]]
    assert game.surroundings() == []


def test_landscapes_and_discoveries_go_into_the_surroundings() -> None:
    """A landscape lies beside the meadow, a discovery on a landscape; the meadow stays as it is."""
    game = scene("roads 1\nhand landscape()2 discovery()1", "").do("token 4 C1", "play landscape()2 0")
    game.do("play discovery()1 0")

    assert game.meadow() == [["sands"]]
    assert game.surroundings() == [["landscape()2", "discovery()1"]]
