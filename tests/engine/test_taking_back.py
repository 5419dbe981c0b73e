"""What can be taken back, in every game: all that told its seat nothing new and the others nothing private."""

from __future__ import annotations

from random import Random

import pytest
from meadow_engine import api
from meadow_engine.api import ActionsUndone, ActionTaken, History, Started

from tests.engine.conformance import any_legal
from tests.engine.families import Case, main_cases


@pytest.mark.parametrize("case", main_cases(), ids=str)
def test_an_action_that_revealed_nothing_can_be_taken_back(case: Case) -> None:
    """Whatever it set off, moves within moves included: the position is the old one again, and the action as good."""
    random = Random(51)
    history = History(api.game_config(case.variant.id, seats=case.seats, seed=51, options=case.options))
    history.apply(Started())
    back = 0
    for _ in range(250):
        game = history.game
        assert game is not None
        if game.decision is None:
            break
        seat, action_id, before = game.decision.seat, any_legal(game, random), game.encode()
        result = game.clone().apply(action_id)
        taken = history.apply(ActionTaken(seat, action_id))
        assert history.game is not None
        if history.game.is_over:
            break
        assert (history.undoable(seat) == 0) == (result.reveals or result.shows)
        if history.undoable(seat) and random.random() < 0.4:
            after = history.game.encode()
            history.apply(ActionsUndone(seat, 1))
            assert history.game.encode() == before
            assert history.apply(ActionTaken(seat, action_id)).events == taken.events
            assert history.game.encode() == after
            back += 1
    assert back
