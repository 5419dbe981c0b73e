"""Goals: pairs of goal tokens, when they can be claimed, and with what."""

from __future__ import annotations

from meadow_engine.meadow.events import GoalClaimed

from tests.meadow.scene import Scene, scene

RING = "tree, bird, paw, house, fence"
TREE_AND_BIRD = "column sands tree+bird(sands)"


def claims(*columns: str, goals: str = RING, lines: str = "", bonuses: int = 0) -> set[int]:
    """The pairs that a seat with these columns can claim at the campfire."""
    player = "\n".join([f"bonuses {bonuses}", *(f"column {column}" for column in columns)])
    game = scene(player, "", goals=goals, lines=lines).do("token 2 C1")
    return {int(text.split()[1]) for text in game.legal("goal")}


def test_neighbouring_tokens_are_pairs() -> None:
    """Each with the next one, and the last one with the first: the ring is closed (M35)."""
    shown = {
        ("tree", "bird"): {0},
        ("bird", "paw"): {1},
        ("paw", "house"): {2},
        ("house", "fence"): {3},
        ("fence", "tree"): {4},
        ("tree", "paw"): set(),
    }
    for (one, other), pairs in shown.items():
        assert claims(f"sands {one}(sands)", f"rocks {other}(rocks)") == pairs


def test_both_symbols_of_a_pair_must_be_visible() -> None:
    """On one card or on two, not covered, and in one's own meadow (M23)."""
    assert claims("sands tree+bird(sands)") == {0}
    assert claims("sands tree(sands)", "rocks bird(rocks)") == {0}
    assert claims("sands tree(sands)", "rocks") == set()
    assert claims("sands tree(sands) bird(tree)") == set()
    game = scene("column sands tree(sands)", "column rocks bird(rocks)", goals=RING).do("token 2 C1")

    assert game.refuses("goal 0") == "GOAL_NOT_MET"


def test_a_goal_is_claimed_with_a_bonus_token() -> None:
    """It lies on the pair's space for the rest of the game, and counts at once."""
    game = scene(TREE_AND_BIRD, "", goals=RING).do("token 2 C1", "goal 0")

    assert game.happened(GoalClaimed) == [GoalClaimed(0, 0, 2)]
    assert game.view().claims == (0, -1, -1, -1, -1)
    assert game.points() == {"goals": 2}


def test_goals_are_claimed_only_from_a_notch_of_the_campfire() -> None:
    """Not from the main board, nor from a bench (M8)."""
    assert scene(TREE_AND_BIRD, "", goals=RING).do("token 2 C3").legal("goal") == {"goal 0"}
    for place in ("L1", "R2", "B3", "S1"):
        game = scene(TREE_AND_BIRD, "", goals=RING).do(f"token 2 {place}")
        assert game.refuses("goal 0") == "WRONG_DECISION"


def test_a_goal_is_claimed_before_or_after_the_special_action() -> None:
    """With any of the first three actions; a claim before it leaves the action to be taken (M8)."""
    actions = {1: ["take 0"], 2: ["roads"], 3: ["look W", "keep 0", "under 0"]}
    for token, action in actions.items():
        before = scene(TREE_AND_BIRD, "", goals=RING).do(f"token {token} C1", "goal 0")
        assert before.asks == "0 campfire"
        assert before.do(*action).asks == "1 place_token"
        after = scene(TREE_AND_BIRD, "", goals=RING).do(f"token {token} C1", *action)
        assert after.legal() == {"goal 0", "pass"}
        assert after.do("goal 0").asks == "1 place_token"


def test_claiming_is_a_choice() -> None:
    """Whoever passes keeps the bonus token."""
    game = scene(TREE_AND_BIRD, "", goals=RING).do("token 2 C1", "roads", "pass")

    assert game.player().bonuses == 0
    assert game.view().claims == (-1,) * 5


def test_bonus_tokens_are_placed_from_the_lowest_up() -> None:
    """2, then 3, then 4."""
    for placed, value in ((0, 2), (1, 3), (2, 4)):
        game = scene(f"bonuses {placed}\n{TREE_AND_BIRD}", "", goals=RING).do("token 2 C1", "goal 0")
        assert game.happened(GoalClaimed) == [GoalClaimed(0, 0, value)]
        assert game.player().bonuses == placed + 1


def test_a_pair_takes_one_bonus_token() -> None:
    """Neither the others nor its owner can claim it again."""
    for owner in (0, 1):
        assert claims("sands tree+bird(sands)", "rocks paw(rocks)", lines=f"claim 0 by {owner}") == {1}
    game = scene(TREE_AND_BIRD, "", goals=RING, lines="claim 0 by 1").do("token 2 C1")

    assert game.refuses("goal 0") == "GOAL_NOT_MET"


def test_one_goal_is_claimed_a_turn() -> None:
    """Though several pairs are visible."""
    game = scene("column sands tree+bird(sands)\ncolumn rocks paw(rocks)", "", goals=RING).do("token 2 C1")
    assert game.legal("goal") == {"goal 0", "goal 1"}
    game.do("goal 1")

    assert game.refuses("goal 0") == "ONE_GOAL_A_TURN"
    assert game.do("roads").asks == "1 place_token"


def plays_of_4(token: str) -> Scene:
    """A hand whose first card makes the pair visible and whose second covers half of it again."""
    player = "tokens 4?\nhand bird(sands)1 fence(bird)1 S91\ncolumn sands\ncolumn rocks tree(rocks)"
    game = scene(player, "", goals=RING).do(f"token {token} C1")
    return game.do("special 4") if token == "?" else game


def test_with_token_4_a_goal_is_claimed_before_between_or_after_the_plays() -> None:
    """The symbols visible at that moment count; so it is with ? for 4 (M8)."""
    for token in ("4", "?"):
        game = plays_of_4(token)
        assert not game.legal("goal")
        game.do("play bird(sands)1 0")
        assert game.legal() == {"goal 0", "pass", "play fence(bird)1 0"}
        game.do("goal 0")
        assert game.legal() == {"pass", "play fence(bird)1 0"}
        assert game.do("play fence(bird)1 0").asks == "1 place_token"
        # whoever covers the bird first has lost the pair, and has won that of fence and tree
        late = plays_of_4(token).do("play bird(sands)1 0", "play fence(bird)1 0")
        assert late.legal() == {"goal 4", "pass"}
        assert late.do("goal 4").asks == "1 place_token"


def test_a_goal_may_come_first_with_token_4() -> None:
    """Then its pair may be covered by the plays of the same turn."""
    player = "hand fence(bird)1 house(fence)1\ncolumn sands tree+bird(sands)"
    game = scene(player, "", goals=RING).do("token 4 C1", "goal 0", "play fence(bird)1 0", "play house(fence)1 0")

    assert (game.asks, game.player().bonuses) == ("1 place_token", 1)


def test_the_question_mark_claims_before_its_action_is_chosen() -> None:
    """A claim leaves the choice of the action to be made (M8)."""
    game = scene(f"tokens ?\n{TREE_AND_BIRD}", "", goals=RING).do("token ? C1")
    assert game.legal() == {"goal 0", *(f"special {number}" for number in (1, 2, 3, 4))}
    game.do("goal 0")

    assert game.legal() == {f"special {number}" for number in (1, 2, 3, 4)}
