"""Exactly what is listed is accepted, at every kind of decision, out of all actions there are."""

from __future__ import annotations

from contextlib import suppress

import pytest
from meadow_engine.kernel import stack
from meadow_engine.kernel.errors import IllegalAction
from meadow_engine.meadow.actions import action_space

from tests.meadow.scene import Scene, new_game, scene

PLAYER = "tokens 1234? roads 1\nhand E1 bird(sands+larva)1 landscape()2 S91 S92\ncolumn sands tree+house(sands)1"
BOARD = "W1 S1 S2 E91\nW2 S3 S4 E2\nW3 S5 S6 E3\nW4 S7 S8 E4"
"""The usual board without E1, the first card of the box."""
DECISIONS = {
    "place_token": [],
    "choose_spot": ["token ? L4"],
    "play_card": ["token 1 L4"],
    "discard": ["token 1 S1", "play bird(sands+larva)1 0"],
    "campfire": ["token ? C1"],
    "keep_card": ["token 3 C1", "look S"],
    "put_under": ["token 3 C1", "look S", "keep 0"],
}
SPECIALS = ["token 1 C1", "token 2 C2", "token 3 C3", "token 4 C1"]


def seated(*actions: str) -> Scene:
    """A seat that has done this."""
    return scene(PLAYER, "", board=BOARD, goals="tree, house, bird, paw, fence").do(*actions)


def accepted(game: Scene) -> list[int]:
    """Every action of the whole space that the decision lets pass."""
    decision = stack.pending(game.state)
    assert decision
    passed = []
    for action_id in range(action_space(game.catalogue).size):
        with suppress(IllegalAction):
            passed.append(decision.check(game.state, action_id))
    return passed


def listed(game: Scene) -> list[int]:
    """The legal list."""
    decision = stack.pending(game.state)
    assert decision
    return decision.legal_ids(game.state)


@pytest.mark.parametrize("kind", DECISIONS)
def test_what_is_listed_is_accepted_and_nothing_else(kind: str) -> None:
    """No action of another question, no card of another hand, no occupied place."""
    game = seated(*DECISIONS[kind])

    assert game.asks == f"0 {kind}"
    assert accepted(game) == listed(game)


@pytest.mark.parametrize("token", SPECIALS)
def test_each_special_action_accepts_what_it_lists(token: str) -> None:
    """Before it is taken and, with a goal to claim, afterwards."""
    game = seated(token)
    assert accepted(game) == listed(game)
    game.do("goal 0")

    assert accepted(game) == listed(game)


def test_occupied_places_accept_nothing() -> None:
    """At the main board, from the first notch on, at the campfire and on the benches."""
    lines = "token 1 at L4 by 1\ntoken 2 at C1 by 1\ntoken 3 at S1 by 1"
    game = scene(PLAYER, "tokens 4", board=BOARD, lines=lines)

    assert accepted(game) == listed(game)
    assert not {text for text in game.legal("token") if text.split()[2] in ("L4", "C1", "S1")}


def test_the_set_up_accepts_what_it_lists() -> None:
    """Rows, then sides of the starting ground card."""
    game = new_game(2, first_seat=0)
    assert accepted(game) == listed(game)
    game.do("row 0", "row 3")

    assert accepted(game) == listed(game)
