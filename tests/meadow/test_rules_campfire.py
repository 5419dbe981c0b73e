"""Campfire Board Actions: special actions, the ? token there, and benches."""

from __future__ import annotations

from meadow_engine.meadow.events import (
    BoardRefilled,
    CardKept,
    CardPutUnder,
    CardsLookedAt,
    CardTaken,
    Passed,
    RoadsTaken,
)

from tests.meadow.scene import EMPTY, scene, told

NO_BOARD = f"{EMPTY} {EMPTY} {EMPTY} {EMPTY}\n" * 4
PLAYABLE = "hand paw(sands)1 bird(sands)1 frog(sands)1\ncolumn sands"
"""A hand of which each card can be played."""


# ---- Performing Special Actions


def test_each_token_has_its_own_special_action() -> None:
    """1 takes a card, 2 roads, 3 looks, 4 plays: whatever the notch."""
    for notch in ("C1", "C2", "C3"):
        asked = [scene(PLAYABLE, "").do(f"token {token} {notch}").legal() for token in (1, 2, 3, 4)]
        assert {text.split()[0] for text in asked[0]} == {"take"}
        assert asked[1] == {"roads"}
        assert {text.split()[0] for text in asked[2]} == {"look"}
        assert {text.split()[0] for text in asked[3]} == {"play", "pass"}
        assert [scene("", "").do(f"token {token} {notch}").plays() for token in (1, 2, 3, 4)] == [0, 0, 0, 2]


def test_a_special_action_is_taken_and_a_goal_may_be_claimed() -> None:
    """The action is a duty, except to play; the goal is a choice."""
    game = scene("column sands tree+bird(sands)", "").do("token 2 C1")

    assert game.legal() == {"roads", "goal 0"}
    assert game.refuses("pass") == "WRONG_DECISION"
    assert game.do("roads").legal() == {"goal 0", "pass"}
    assert game.plays() == 0
    assert game.do("pass").asks == "1 place_token"


def test_token_1_takes_any_face_up_card() -> None:
    """Any of the 16; its spot is refilled at once, everybody sees which it was."""
    game = scene("", "").do("token 1 C1")
    assert game.legal() == {f"take {spot}" for spot in range(16)}
    game.do("take 6")

    assert (game.hand(), game.board()[6]) == (["S4"], "S9")
    assert game.happened(CardTaken) == [CardTaken(0, 6, game.catalogue.card_ids["S4"])]
    assert len(game.happened(BoardRefilled)) == 1
    assert game.names(game.view(1).players[0].hand) == ["S4"]


def test_token_1_cannot_take_from_an_empty_spot() -> None:
    """With gaps on the board only cards can be taken; with no card at all the action is void (M17)."""
    game = scene("", "", board=f"{EMPTY} S1 S2 E1\n" + "\n".join(NO_BOARD.splitlines()[:3])).do("token 1 C1")
    assert game.legal() == {"take 1", "take 2", "take 3"}
    game = scene("", "", board=NO_BOARD).do("token 1 C1")

    assert game.legal() == {"pass"}
    assert game.do("pass").asks == "1 place_token"


def test_a_card_taken_at_the_campfire_is_not_played_this_turn() -> None:
    """Neither that card nor any other: the turn is over (M28)."""
    board = "bird(sands)1~2 S1 S2 E1\nW2 S3 S4 E2\nW3 S5 S6 E3\nW4 S7 S8 E4"
    game = scene(PLAYABLE, "", board=board).do("token 1 C1")
    assert game.refuses("play paw(sands)1 0") == "NO_PLAY_THIS_TURN"

    assert game.do("take 0").asks == "1 place_token"


def test_token_2_takes_two_road_tokens() -> None:
    """They come unused into the surroundings area, out of the supply."""
    game = scene("roads 1", "", lines="supply 9").do("token 2 C1", "roads")

    assert (game.player().roads, game.state.road_supply) == (3, 7)
    assert game.happened(RoadsTaken) == [RoadsTaken(0, 2)]


def test_road_tokens_can_run_out() -> None:
    """What is left is taken: one, or none (M27)."""
    for supply in (1, 0):
        game = scene("", "", lines=f"supply {supply}").do("token 2 C1", "roads")
        assert (game.player().roads, game.state.road_supply) == (supply, 0)


def test_no_card_is_played_after_taking_roads() -> None:
    """Before the roads are taken a play is refused, afterwards the turn is over (M28)."""
    game = scene(PLAYABLE, "").do("token 2 C1")
    assert game.refuses("play paw(sands)1 0") == "NO_PLAY_THIS_TURN"

    assert game.do("roads").asks == "1 place_token"


def test_token_3_looks_at_the_top_three_cards_of_a_deck() -> None:
    """The seat sees them, the next to be drawn first, and nobody else does."""
    game = scene("", "").do("token 3 C1", "look S")

    (event,) = game.happened(CardsLookedAt)
    assert (game.names(event.cards), event.count) == (["S9", "S10", "S11"], 3)
    for other in (1, None):
        hidden = event.seen_by(other)
        assert isinstance(hidden, CardsLookedAt)
        assert (hidden.cards, hidden.count) == ((), 3)
    pending, others = game.view(0).pending, game.view(1).pending
    assert pending
    assert game.names(pending.looked_at) == ["S9", "S10", "S11"]
    assert others
    assert others.looked_at == ()


def test_token_3_never_looks_at_the_unused_deck() -> None:
    """Neither at N in the first half nor at S in the second (M31); nor at a deck without cards (M17)."""
    assert scene("", "").do("token 3 C1").legal() == {"look W", "look S", "look E"}
    assert scene("", "", halfway=True, round_number=4).do("token 3 C1").legal() == {"look W", "look N", "look E"}
    assert scene("", "", S="").do("token 3 C1").legal() == {"look W", "look E"}
    game = scene("", "", W="", S="", E="").do("token 3 C1")

    assert game.legal() == {"pass"}


def test_one_of_the_cards_is_kept_and_the_others_go_under_the_deck() -> None:
    """In the order the seat likes: the second one put under lies lowest."""
    game = scene("", "").do("token 3 C1", "look S")
    assert (game.asks, game.legal()) == ("0 keep_card", {"keep 0", "keep 1", "keep 2"})
    game.do("keep 1")
    assert game.hand() == ["S10"]
    assert (game.asks, game.legal()) == ("0 put_under", {"under 0", "under 1"})
    other = scene("", "").do("token 3 C1", "look S", "keep 1", "under 1")
    game.do("under 0")

    assert game.deck("S") == ["S11", "S9", "S14", "S13", "S12"]
    assert other.deck("S") == ["S9", "S11", "S14", "S13", "S12"]
    assert game.asks == "1 place_token"


def test_nobody_else_learns_what_was_kept_or_put_under() -> None:
    """Others see the back only (M15)."""
    game = scene("", "").do("token 3 C1", "look S", "keep 1")
    (kept,) = game.happened(CardKept)
    game.do("under 0")

    assert game.names([event.card for event in game.happened(CardPutUnder)]) == ["S9", "S11"]
    for event in (kept, *game.happened(CardPutUnder)):
        assert told(event) == [True, False, False]
    assert game.view(1).players[0].unknown == (0, 1, 0, 0)


def test_a_short_deck_shows_what_it_has() -> None:
    """Of two cards one is kept and the other stays; a single card is kept (M4)."""
    game = scene("", "", S="S10 S9").do("token 3 C1", "look S")
    assert game.legal() == {"keep 0", "keep 1"}
    game.do("keep 0", "under 0")
    assert (game.hand(), game.deck("S")) == (["S9"], ["S10"])
    game = scene("", "", S="S9").do("token 3 C1", "look S")
    assert game.legal() == {"keep 0"}
    game.do("keep 0")

    assert (game.hand(), game.deck("S"), game.asks) == (["S9"], [], "1 place_token")


def test_no_card_is_played_after_looking() -> None:
    """Before the look a play is refused, afterwards the turn is over (M28)."""
    game = scene(PLAYABLE, "").do("token 3 C1")
    assert game.refuses("play paw(sands)1 0") == "NO_PLAY_THIS_TURN"

    assert game.do("look W", "keep 0", "under 0").asks == "1 place_token"


def test_token_4_plays_up_to_two_cards() -> None:
    """None, one or two, and never a third; the second after the first is fully resolved (M28)."""
    game = scene(PLAYABLE, "").do("token 4 C1", "pass")
    assert (len(game.happened(Passed)), game.asks) == (1, "1 place_token")
    assert scene(PLAYABLE, "").do("token 4 C1", "play paw(sands)1 0", "pass").asks == "1 place_token"
    game = scene(PLAYABLE, "").do("token 4 C1", "play paw(sands)1 0")
    assert (game.asks, game.plays()) == ("0 campfire", 1)
    assert game.refuses("play E1 0") == "NOT_IN_HAND"
    game.do("play bird(sands)1 0")

    assert game.asks == "1 place_token"
    assert game.meadow() == [["sands", "paw(sands)1", "bird(sands)1"]]


def test_the_second_card_of_token_4_builds_on_the_first() -> None:
    """What the first one shows can be required at once; what it covered cannot (M28)."""
    game = scene("hand bird(larva)1 paw(bird)2 frog(larva)1\ncolumn grass+larva", "").do("token 4 C1")
    game.do("play bird(larva)1 0")

    assert game.legal() == {"pass", "play paw(bird)2 0"}


def test_token_4_pays_for_each_card_by_itself() -> None:
    """Discards for the first card come before the second is chosen (M28)."""
    game = scene("hand bird(sands+tree)1 S91 S92 paw(bird)2\ncolumn sands", "").do("token 4 C1")
    game.do("play bird(sands+tree)1 0", "discard S91", "discard S92")

    assert (game.asks, game.legal()) == ("0 campfire", {"pass", "play paw(bird)2 0"})


def test_after_the_first_three_special_actions_nothing_is_played() -> None:
    """The turn ends with the action, whether the token was 1 to 3 or ? (M28)."""
    ends = {"1": ["take 0"], "2": ["roads"], "3": ["look W", "keep 0", "under 0"]}
    for number, actions in ends.items():
        assert scene(PLAYABLE, "").do(f"token {number} C1", *actions).asks == "1 place_token"
        game = scene(f"tokens ?\n{PLAYABLE}", "").do("token ? C1", f"special {number}")
        assert game.refuses("play paw(sands)1 0") == "NO_PLAY_THIS_TURN"
        assert game.do(*actions).asks == "1 place_token"


# ---- "?" Path Token


def test_the_question_mark_is_used_with_fewer_than_four_players() -> None:
    """A seat among two or three gets it back each round, a seat among four never has it."""
    for seats in (2, 3, 4):
        game = scene(*["tokens 1"] * seats).finish_round()
        assert bool(game.legal("token ?")) == (seats < 4)


def test_the_question_mark_takes_any_special_action() -> None:
    """Its owner chooses one of the four, which then is taken as with its own token."""
    game = scene(f"tokens ?\n{PLAYABLE}", "").do("token ? C2")
    assert (game.asks, game.legal()) == ("0 campfire", {f"special {number}" for number in (1, 2, 3, 4)})
    asked = [
        scene(f"tokens ?\n{PLAYABLE}", "").do("token ? C2", f"special {number}").legal() for number in (1, 2, 3, 4)
    ]

    assert asked == [scene(PLAYABLE, "").do(f"token {number} C1").legal() for number in (1, 2, 3, 4)]
    plays = [scene("tokens ?", "").do("token ? C2", f"special {number}").plays() for number in (1, 2, 3, 4)]
    assert plays == [0, 0, 0, 2]
    game.do("special 4", "play paw(sands)1 0", "play bird(sands)1 0")
    assert game.asks == "1 place_token"


def test_a_void_special_action_may_be_chosen() -> None:
    """The ? token may look though all decks are empty: nothing happens then (M17)."""
    game = scene("tokens ?", "", W="", S="", E="").do("token ? C1", "special 3")

    assert game.legal() == {"pass"}


# ---- Placing a Path Token on the Bench


def test_a_bench_takes_one_token() -> None:
    """Any token goes on any unoccupied bench; two players have two, three have three, four have four (M29)."""
    for seats in (2, 3, 4):
        benches = {text.split()[2] for text in scene(*[""] * seats).legal("token 3 S")}
        assert benches == {f"S{number}" for number in range(1, seats + 1)}
    game = scene("", "").do("token 3 S1", "pass")

    assert game.refuses("token 1 S1") == "OCCUPIED"
    assert game.legal("token 1 S") == {"token 1 S2"}


def test_on_a_bench_one_card_may_be_played() -> None:
    """One or none, and nothing is taken; no goal can be claimed there (M8, M29)."""
    game = scene(f"{PLAYABLE} tree+bird(sands)~9", "").do("token 4 S1")
    assert game.legal() == {"pass", *(f"play {card}(sands)1 0" for card in ("paw", "bird", "frog"))}
    assert game.refuses("goal 0") == "WRONG_DECISION"
    assert game.do("pass").asks == "1 place_token"
    game = scene(PLAYABLE, "").do("token 4 S1", "play paw(sands)1 0")

    assert (game.asks, game.meadow()) == ("1 place_token", [["sands", "paw(sands)1"]])
