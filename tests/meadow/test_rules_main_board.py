"""Main Board Actions: Drawing and Playing Cards, and the ? token there."""

from __future__ import annotations

import pytest
from meadow_engine.meadow.events import BoardRefilled, CardTaken, Passed

from tests.meadow.scene import EMPTY, Scene, scene

GAPS = """
W1    S1 ----- E1
W2    S3 S4    E2
W3    S5 S6    E3
W4    S7 S8    E4
"""
"""The main board with spot 2 empty."""
QUESTION = "tokens ?"


def taken(game: Scene) -> str:
    """The card that was taken."""
    return game.names([event.card for event in game.happened(CardTaken)])[0]


def test_a_token_at_the_main_board_takes_a_card_before_a_play() -> None:
    """The card is in the hand, for all to see, when the play is asked for."""
    game = scene("", "").do("token 2 L1")

    assert game.asks == "0 play_card"
    assert game.hand() == ["S1"]
    assert game.names(game.view(1).players[0].hand) == ["S1"]


def test_a_token_counts_spots_from_its_notch() -> None:
    """The n-th card from the left, from the right or from the bottom (M3)."""
    reached = {
        "L1": "W1 S1 S2 E1",
        "L3": "W3 S5 S6 E3",
        "R1": "E1 S2 S1 W1",
        "R4": "E4 S8 S7 W4",
        "B1": "W4 W3 W2 W1",
        "B3": "S8 S6 S4 S2",
        "B4": "E4 E3 E2 E1",
    }
    for notch, cards in reached.items():
        assert [taken(scene("", "").do(f"token {n} {notch}")) for n in (1, 2, 3, 4)] == cards.split()


def test_the_question_mark_reaches_as_far_as_its_owner_likes() -> None:
    """Any of the four cards it points along, and no other."""
    for notch, spots in (("L2", (4, 5, 6, 7)), ("R1", (0, 1, 2, 3)), ("B3", (2, 6, 10, 14))):
        game = scene(QUESTION, "").do(f"token ? {notch}")
        assert (game.asks, game.legal()) == ("0 choose_spot", {f"take {spot}" for spot in spots})
        assert game.refuses("take 9" if notch != "B3" else "take 1") == "OUT_OF_REACH"
        card = game.board()[spots[2]]
        assert game.do(f"take {spots[2]}").hand() == [card]
        assert game.asks == "0 play_card"


def test_the_card_must_be_taken() -> None:
    """Nothing is asked: a token with a number takes its card, a ? token must take one too."""
    assert scene("", "").do("token 4 B2").hand() == ["S1"]
    game = scene(QUESTION, "").do("token ? B2")
    assert game.refuses("pass") == "WRONG_DECISION"


def test_the_spot_is_refilled_at_once() -> None:
    """The next card of the column's deck lies there before anything is played (M17)."""
    for token, notch, spot, refill in ((1, "L1", 0, "W5"), (2, "L1", 1, "S9"), (3, "L1", 2, "S9"), (4, "L1", 3, "E5")):
        game = scene("", "").do(f"token {token} {notch}")
        assert game.board()[spot] == refill
        assert [(event.spots, game.names(event.cards)) for event in game.happened(BoardRefilled)] == [
            ((spot,), [refill])
        ]
        assert game.asks == "0 play_card"


def test_a_card_may_be_played_or_none() -> None:
    """The card just taken, or one that was in the hand before, or none."""
    board = "bird(sands)1 S1 S2 E1\nW2 S3 S4 E2\nW3 S5 S6 E3\nW4 S7 S8 E4"
    game = scene("hand paw(sands)1\ncolumn sands", "", board=board).do("token 1 L1")
    assert game.legal() == {"pass", "play bird(sands)1 0", "play paw(sands)1 0"}
    game.do("pass")

    assert len(game.happened(Passed)) == 1
    assert game.asks == "1 place_token"
    assert game.hand() == ["paw(sands)1", "bird(sands)1"]


def test_only_one_card_is_played() -> None:
    """After a play the turn is over."""
    game = scene("hand paw(sands)1 bird(sands)1\ncolumn sands", "").do("token 1 L1", "play paw(sands)1 0")

    assert game.asks == "1 place_token"
    assert game.meadow() == [["sands", "paw(sands)1"]]


def test_a_spot_stays_empty_when_its_deck_is_out() -> None:
    """The others are refilled as usual."""
    game = scene("", "", S="").do("token 2 L1", "pass")
    assert game.board()[1] == EMPTY
    game.do("token 1 L2", "pass")

    assert game.board()[1] == EMPTY
    assert game.board()[4] == "W5"


def test_an_old_gap_is_not_filled_by_a_later_take() -> None:
    """A deck that has cards again fills the spot just emptied, not one that was left empty before (M34)."""
    game = scene("", "", board=GAPS, S="S9").do("token 3 L2")

    assert game.board()[6] == "S9"
    assert game.board()[2] == EMPTY


def test_old_gaps_are_filled_at_the_halfway_point() -> None:
    """Then every spot gets a card (M34)."""
    game = scene("tokens 1", "tokens 1", board=GAPS, round_number=3).do("token 1 L2", "pass", "token 1 L3", "pass")

    assert EMPTY not in game.board()


def test_a_token_for_an_empty_spot_allows_only_a_play() -> None:
    """No card comes into the hand, and a card may be played; ? may choose the empty spot too (M3)."""
    game = scene("hand paw(sands)1\ncolumn sands", "", board=GAPS).do("token 3 L1")
    assert taken(game) == EMPTY
    assert (game.hand(), game.legal()) == (["paw(sands)1"], {"pass", "play paw(sands)1 0"})
    game = scene("tokens ?\nhand paw(sands)1\ncolumn sands", "", board=GAPS).do("token ? L1", "take 2")

    assert (game.hand(), game.legal()) == (["paw(sands)1"], {"pass", "play paw(sands)1 0"})
    assert game.board()[2] == EMPTY


def test_nothing_else_can_be_done_at_the_main_board() -> None:
    """Neither a special action nor a goal, though its pair is visible."""
    game = scene("column sands tree+bird(sands)", "").do("token 2 L1")

    assert game.refuses("goal 0") == "WRONG_DECISION"
    assert game.refuses("roads") == "WRONG_DECISION"


@pytest.mark.parametrize("token", [1, 2, 3, 4])
def test_every_token_can_be_used_at_every_notch(token: int) -> None:
    """All twelve notches take every token."""
    assert {text.split()[2] for text in scene("", "").legal(f"token {token} ")} >= {
        f"{side}{line}" for side in "LRB" for line in (1, 2, 3, 4)
    }
