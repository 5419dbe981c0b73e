"""Solo Variant: Rover, changes to set-up and gameplay, and the solo table."""

from __future__ import annotations

from collections import Counter

from meadow_engine.content.library import builtin_pack
from meadow_engine.kernel import stack
from meadow_engine.meadow import content
from meadow_engine.meadow.events import GameEnded, HalfwayReached, RoundStarted, RoverDealt, RoverMoved, TokenPlaced
from meadow_engine.meadow.state import Rover

from tests.meadow.packs import faults_without_section
from tests.meadow.scene import BOARD, EMPTY, FAMILY, Scene, new_game, scene
from tests.spring_meadow.packs import document_faults_after

PILE = "1:1 2:2 3:3 1:2 2:1 3:1 1:3 1:4"
ALL_TOKENS = {f"{colour}:{token}" for colour in (1, 2, 3) for token in "1234?"}


def solo(seed: int = 0, **options: object) -> Scene:
    """A solo game with the built-in pack, after its set-up."""
    return new_game(1, seed, "meadow_solo", **options)


def alone(
    player: str = "", pile: str = PILE, markers: str = "0 1 2", lines: str = "", dealt: str = "", **where: object
) -> Scene:
    """A solo position; Rover has moved, and the player's turn is on.

    Args:
        player: the player's lines.
        pile: Rover's pile, colour and token, the next one last; the player has as many tokens, but four at most.
        markers: the place of each colour's marker: by the built-in pack 0 is left, 1 bottom, 2 right.
        lines: further lines of the position.
        dealt: cards that Rover has taken.
        where: as for `scene`.
    """
    tokens = "1234"[: len(pile.split())]
    player = player if player.startswith("tokens") else f"tokens {tokens}{_after_tokens(player)}"
    text = f"{lines}\nrover markers {markers}\npile {pile}\n" + (f"dealt {dealt}" if dealt else "")
    return scene(player, lines=text, **where)  # type: ignore[arg-type]


def _after_tokens(player: str) -> str:
    return f" {player}" if player.startswith(("roads", "bonuses")) else f"\n{player}"


def rover(game: Scene) -> Rover:
    """Rover."""
    assert game.state.rover
    return game.state.rover


def his_cards(game: Scene) -> list[str]:
    """The cards that Rover has."""
    return game.names(rover(game).cards)


def his_pile(game: Scene) -> list[str]:
    """Rover's face-down tokens, the next one last."""
    return [f"{piece // 6}:{'1234?R'[piece % 6]}" for piece in rover(game).pile.items]


def move(game: Scene) -> RoverMoved:
    """Rover's latest move."""
    return game.happened(RoverMoved)[-1]


# ---- Components and Changes to the Setup


def test_a_pack_must_say_where_three_markers_lie() -> None:
    """Rover's token has three places, each with notches for tokens 1 to 4 (M11); fewer are refused."""
    assert [len(place) for place in content.catalogue(builtin_pack()).solo_token.places] == [4, 4, 4]
    assert faults_without_section("meadow_boards.toml", "solo_place", -1)
    assert document_faults_after("meadow_boards.toml", lambda data: data["solo_place"][0]["notches"].pop())


def test_a_solo_game_is_a_game_for_two_against_rover() -> None:
    """One seat chooses; Rover places a token before each of its turns."""
    game = solo().play_on()
    order = [type(event).__name__ for event in game.events if isinstance(event, RoverMoved | TokenPlaced)]

    assert FAMILY.outcome(game.state).ranks == (1,)
    assert order == ["RoverMoved", "TokenPlaced"] * 30


def test_the_solo_campfire_is_used() -> None:
    """Three goal squares, six rounds, the benches of its face."""
    game = solo()

    assert (len(game.state.goals), game.view().rounds) == (3, 6)
    assert len(game.catalogue.campfires[1].benches) == 2


def test_the_solo_game_begins_with_round_1() -> None:
    """When the ground is chosen."""
    game = solo().do("row 0", "ground 0")

    assert game.happened(RoundStarted) == [RoundStarted(1, 0)]


def test_three_goal_tokens_are_drawn() -> None:
    """At random out of all; three pairs, since the ring is closed (M35)."""
    rings = [solo(seed).state.goals for seed in range(60)]

    assert {len(set(ring)) for ring in rings} == {3}
    assert len({symbol for ring in rings for symbol in ring}) == 11
    assert alone("column sands bird+paw(sands)\ncolumn rocks tree(rocks)").do("token 2 C1").legal("goal") == {
        "goal 0",
        "goal 1",
        "goal 2",
    }


def test_two_notches_are_blocked() -> None:
    """Three are open; Rover may use those only as well (M30)."""
    game = alone(pile="1:1")

    assert {text.split()[2] for text in game.legal("token 1 C")} == {"C1", "C2", "C3"}
    assert game.refuses("token 1 C4") == "NOT_IN_THIS_GAME"


def test_the_player_gets_everything_of_a_colour() -> None:
    """Five path tokens, a road token, a starting ground card, and three bonus tokens to place."""
    game = solo().do("row 0", "ground 0")

    assert {text.split()[1] for text in game.legal("token")} == set("1234?")
    assert (game.player().roads, game.state.road_supply, len(game.meadow())) == (1, 27, 1)
    assert not alone("bonuses 3\ncolumn sands bird+paw(sands)").do("token 2 C1").legal("goal")
    assert alone("bonuses 2\ncolumn sands bird+paw(sands)").do("token 2 C1").legal("goal")


def test_rover_s_pile_is_all_tokens_of_the_other_colours() -> None:
    """Fifteen with their ? tokens, shuffled."""
    piles = []
    for seed in range(6):
        game = solo(seed).do("row 0", "ground 0")
        first = move(game)
        piles.append([*his_pile(game), f"{first.colour}:{'1234?'[first.token]}"])

    assert all(set(pile) == ALL_TOKENS and len(pile) == 15 for pile in piles)
    assert len({tuple(pile) for pile in piles}) == 6


def test_markers_are_dealt_at_random() -> None:
    """Each colour has one of the three places; over many seeds in every order (M11)."""
    assert {rover(solo(seed)).markers for seed in range(60)} == {
        (0, 1, 2),
        (0, 2, 1),
        (1, 0, 2),
        (1, 2, 0),
        (2, 0, 1),
        (2, 1, 0),
    }


def test_rover_keeps_his_cards_in_one_open_deck() -> None:
    """Everybody sees them; he has no meadow, and there is one seat only (M33)."""
    game = alone(pile="1:1", dealt="N91")

    assert his_cards(game) == ["N91", "W4"]
    for viewer in (0, None):
        shown = game.view(viewer).rover
        assert shown
        assert game.names(shown.cards) == ["N91", "W4"]
    assert len(game.view().players) == 1


def test_the_player_takes_a_row_before_rover() -> None:
    """And one N card; the row is refilled before Rover takes his (M33)."""
    game = solo(3)
    board, decks = game.board(), {letter: game.deck(letter) for letter in "WSEN"}
    game.do("row 0")

    assert game.hand() == [*board[:4], decks["N"][-1]]
    assert his_cards(game)[:4] == [decks["W"][-1], decks["S"][-1], decks["S"][-2], decks["E"][-1]]


def test_rover_takes_the_top_row_and_an_n_card() -> None:
    """Whatever row the player took; the next N card is his, seen by all (M33)."""
    game = solo(3)
    board, n_deck = game.board(), game.deck("N")
    game.do("row 2")

    assert his_cards(game) == [*board[:4], n_deck[-2]]
    assert [game.names(event.cards) for event in game.happened(RoverDealt)] == [his_cards(game)]
    assert (game.asks, game.view().rover is not None) == ("0 choose_ground", True)


def test_the_board_is_refilled_after_rover_s_row() -> None:
    """The top row has the next cards of its decks, the others are untouched."""
    game = solo(3)
    board, decks = game.board(), {letter: game.deck(letter) for letter in "WSE"}
    game.do("row 2")

    # the player's row took one W, two S and one E card before
    assert game.board()[:4] == [decks["W"][-2], decks["S"][-3], decks["S"][-4], decks["E"][-2]]
    assert game.board()[4:8] + game.board()[12:] == board[4:8] + board[12:]


# ---- Changes to Gameplay


def test_rover_is_the_first_player_of_every_round() -> None:
    """Each round begins with his token (M12)."""
    game = solo(2).play_on()
    kinds = [type(event) for event in game.events if isinstance(event, RoundStarted | RoverMoved | TokenPlaced)]

    assert [kinds[place + 1] for place, kind in enumerate(kinds) if kind is RoundStarted] == [RoverMoved] * 6
    assert game.view().first_seat == 0


def test_rover_and_the_player_take_turns() -> None:
    """After the player's turn Rover flips the next token, until the player has none left."""
    game = alone("tokens 12", pile="2:? 1:? 3:?")
    assert his_pile(game)[-2:] == ["2:?", "1:?"]
    game.do("token 1 L1", "pass")
    assert his_pile(game)[-1] == "2:?"
    game.do("token 2 L2", "pass")

    assert game.view().round == 2


def test_rover_flips_the_top_token_of_his_pile() -> None:
    """It leaves the pile; nobody knows the next one."""
    game = alone(pile="1:1 2:2 3:3")

    assert his_pile(game)[-2:] == ["1:1", "2:2"]
    assert (move(game).colour, move(game).token) == (3, 2)
    shown = game.view().rover
    assert shown
    assert shown.tokens_left == 2


def test_rover_s_question_mark_takes_up_a_campfire_notch() -> None:
    """The first free one clockwise (M11)."""
    assert alone(pile="2:?").tokens() == {"C1": "2:?"}
    assert alone(pile="2:?", lines="token 3 at C1 by 0").tokens()["C2"] == "2:?"
    assert alone(pile="2:?", lines="token 3 at C2 by 0").tokens()["C1"] == "2:?"


def test_rover_s_question_mark_is_discarded_when_the_campfire_is_full() -> None:
    """Then it lies nowhere."""
    full = "token 3 at C1 by 0\ntoken 2 at C2 by 0\ntoken ? at C3 by 1"
    game = alone(pile="1:1 2:?", lines=full)

    assert "2:?" not in game.tokens().values()
    assert move(game).place == -1
    assert "2:?" not in his_pile(game)


def test_rover_s_question_mark_does_nothing_else() -> None:
    """He takes no card, whether it was placed or discarded, and never sits on a bench (M29)."""
    full = "token 3 at C1 by 0\ntoken 2 at C2 by 0\ntoken ? at C3 by 1"
    for lines in ("", full):
        game = alone(pile="2:?", lines=lines)
        assert (move(game).token, his_cards(game), game.board()) == (4, [], BOARD.split())
        assert not any(place[0] == "S" for place in game.tokens())


def test_the_colour_decides_the_side_of_the_board() -> None:
    """By its marker: left, bottom or right, at that side's first notch clockwise (M11, M33)."""
    for markers, notches in (("0 1 2", ("L4", "B4", "R1")), ("2 0 1", ("R1", "L4", "B4"))):
        for colour, notch in zip((1, 2, 3), notches, strict=True):
            assert alone(pile=f"{colour}:3", markers=markers).tokens() == {notch: f"{colour}:3"}


def test_a_taken_notch_passes_the_token_on_clockwise() -> None:
    """To the next free notch, on the next side if this one is full; after the last one comes the first (M11, M33)."""
    assert alone(pile="1:3", lines="token 1 at L4 by 0").tokens()["L3"] == "1:3"
    assert alone(pile="3:3", lines="token 1 at R1 by 0\ntoken 2 at R2 by 0").tokens()["R3"] == "3:3"
    assert alone(pile="2:3", lines="token 1 at B4 by 0").tokens()["B3"] == "2:3"
    left = "\n".join(f"token {n} at L{n} by {n % 3}" for n in (1, 2, 3, 4))
    assert alone(pile="1:3", lines=left).tokens()["R1"] == "1:3"
    right = "\n".join(f"token {n} at R{n} by {n % 3}" for n in (1, 2, 3, 4))
    assert alone(pile="3:3", lines=right).tokens()["B4"] == "3:3"
    bottom = "\n".join(f"token {n} at B{n} by {n % 3}" for n in (1, 2, 3, 4))
    assert alone(pile="2:3", lines=bottom).tokens()["L4"] == "2:3"


def test_rover_takes_the_card_his_token_reaches() -> None:
    """It joins his cards, and the spot is refilled at once."""
    for pile, card, spot, refill in (("1:1", "W4", 12, "W5"), ("2:3", "E2", 7, "E5"), ("3:4", "W1", 0, "W5")):
        game = alone(pile=pile)
        assert his_cards(game) == [card]
        assert game.board()[spot] == refill
        assert (game.names([move(game).card]), move(game).spot) == ([card], spot)


def test_rover_takes_nothing_from_an_empty_spot() -> None:
    """His token lies there, and that is all (M17)."""
    game = alone(pile="1:1", board=BOARD.replace("W4", EMPTY))

    assert (his_cards(game), game.tokens(), game.board()[12]) == ([], {"L4": "1:1"}, EMPTY)


def test_rover_uses_no_bonus_tokens() -> None:
    """Every bonus token on the campfire is the player's, in whole games too."""
    game = alone("column sands bird+paw(sands)").do("token 2 C3", "goal 1", "roads")
    assert game.view().claims == (-1, 0, -1)
    for seed in range(4):
        game = solo(seed).play_on(seed)
        assert set(game.state.claims) <= {-1, 0}
        assert game.state.claims.count(0) == game.player().bonuses


def test_a_solo_round_ends_with_the_player_s_last_token() -> None:
    """Rover does not move once more."""
    game = alone("tokens 1", pile="1:1 2:2 3:?").do("token 1 L1", "pass")

    assert len(game.happened(RoundStarted)) == 1
    assert len(game.happened(RoverMoved)) == 1


def test_all_of_rover_s_tokens_are_shuffled_again() -> None:
    """Those he used and those he did not; the player has all tokens back (M33)."""
    game = alone("tokens 1", pile="1:1 2:2 3:?").do("token 1 L1", "pass")
    flipped = move(game)

    assert {*his_pile(game), f"{flipped.colour}:{'1234?'[flipped.token]}"} == ALL_TOKENS
    assert len(his_pile(game)) == 14
    assert game.player().tokens == 0b11111
    assert set(game.tokens().values()) <= {f"{flipped.colour}:{'1234?'[flipped.token]}"}


def test_the_solo_round_marker_moves_on() -> None:
    """One round further each time."""
    for number in (1, 5):
        assert alone("tokens 1", pile="3:?", round_number=number).do("token 1 L1", "pass").view().round == number + 1


def test_the_hourglass_stands_after_three_solo_rounds() -> None:
    """It is passed after round 3 and no other."""
    for number in range(1, 6):
        game = alone("tokens 1", pile="3:?", round_number=number).do("token 1 L1", "pass")
        assert len(game.happened(HalfwayReached)) == (number == 3)


def halved() -> Scene:
    """A solo game just past the hourglass."""
    return alone("tokens 1", pile="3:?", round_number=3, E="").do("token 1 L1", "pass")


def test_the_solo_board_goes_under_the_decks() -> None:
    """All its cards, each under the deck of its back (M9)."""
    game = halved()
    (event,) = game.happened(HalfwayReached)
    swept = game.names(event.swept)

    assert sorted(swept) == sorted([*(card for card in BOARD.split() if card != "W1"), "W5"])
    for letter in "WS":
        own = sorted(card for card in swept if card[0] == letter)
        assert sorted(game.deck(letter)[: len(own)]) == own
    # the E deck was empty: its four cards are back on the board
    assert sum(card[0] == "E" for card in game.board() + his_cards(game)) == 4


def test_n_replaces_s_in_the_solo_game() -> None:
    """And is looked at from now on."""
    game = halved()

    assert game.view().halfway
    assert "look N" in game.do("token 3 C3").legal()


def test_the_solo_board_is_refilled_from_w_n_and_e() -> None:
    """Both middle columns have N cards."""
    board = halved().board()

    assert {card[0] for card in board[1::4] + board[2::4]} == {"N"}
    assert {card[0] for card in board[0::4]} == {"W"}


# ---- End of Game and Scoring (Solo)


def final(points: int, his: int) -> Scene:
    """A solo game that has ended with these points; Rover has so many of one."""
    nines = " ".join(f"paw(sands)9~{number}" for number in range(points // 9))
    dealt = " ".join(f"bird(big-encounter)1~{number}" for number in range(his))
    player = f"tokens 1\ncolumn sands {nines} frog(sands){points % 9}"
    game = alone(player, pile="3:?", round_number=6, dealt=dealt).do("token 1 L1", "pass")
    assert game.asks == "end"
    assert game.sheet().seats[0].total == points
    return game


def band(points: int, his: int) -> int:
    """The line of the table reached."""
    return FAMILY.outcome(final(points, his).state).band


def test_a_solo_game_ends_after_the_sixth_round() -> None:
    """And not after the fifth."""
    for number, ends in ((5, 0), (6, 1)):
        game = alone("tokens 1", pile="3:?", round_number=number).do("token 1 L1", "pass")
        assert len(game.happened(GameEnded)) == ends
        assert (stack.pending(game.state) is None) == bool(ends)


def test_rover_s_points_are_those_of_his_cards() -> None:
    """All that are printed on them."""
    game = alone(pile="3:?", dealt="paw(bird)4 landscape()2 discovery()3 N91")

    assert game.sheet().rover == 9
    shown = game.view().rover
    assert shown
    assert shown.points == 9


def test_the_player_s_points_are_counted_as_always() -> None:
    """Meadow, surroundings and bonus tokens; not the hand."""
    game = alone(
        "bonuses 1\nhand bird(paw)4\ncolumn sands paw(sands)3\nlandscape landscape()2 discovery()1", pile="3:?"
    )

    assert game.points() == {"meadow": 3, "landscapes": 2, "discoveries": 1, "goals": 2}


def test_fewer_points_than_rover_are_a_defeat() -> None:
    """Band 0, however many points (M32)."""
    assert band(10, 11) == 0
    assert band(61, 62) == 0


def test_as_many_points_as_rover_are_enough() -> None:
    """Equal or more: the table tells how well it went (M32)."""
    assert band(10, 10) == 1
    assert band(11, 10) == 1
    assert band(60, 60) == 4


def test_the_first_line_of_the_table_reaches_to_39() -> None:
    """39 stands in no line of the book and belongs to the line below it (M10)."""
    assert [band(points, 0) for points in (0, 38, 39)] == [1, 1, 1]


def test_the_second_line_of_the_table_reaches_from_40_to_49() -> None:
    """Both included."""
    assert [band(points, 0) for points in (40, 49)] == [2, 2]


def test_the_third_line_of_the_table_reaches_from_50_to_59() -> None:
    """Both included."""
    assert [band(points, 0) for points in (50, 59)] == [3, 3]


def test_the_last_line_of_the_table_begins_at_60() -> None:
    """Whatever lies above it."""
    assert [band(points, 0) for points in (60, 61, 99)] == [4, 4, 4]


def test_all_tokens_of_rover_lie_once_each() -> None:
    """In whole games pile and places together hold his 15 tokens, but for discarded ones."""
    game = solo(1).do("row 0", "ground 0")
    while game.asks != "end":
        lying = Counter(piece for piece in game.tokens().values() if piece[0] != "0") + Counter(his_pile(game))
        assert set(lying) <= ALL_TOKENS
        assert max(lying.values()) == 1
        game.do(min(game.legal()))
