"""Nothing hidden travels: with what a viewer does not know lying otherwise, the bytes for that viewer are the same."""

from __future__ import annotations

from random import Random

import pytest
from meadow_api.v1 import game_pb2
from meadow_engine import api
from meadow_server.wire.families import FAMILIES

from tests.engine import secrecy
from tests.engine.families import Case, main_cases


def bytes_for(game: api.Game, viewer: int | None) -> list[bytes]:
    """The view, and to the seat that has to choose its legal actions."""
    family, view = FAMILIES[game.variant.family], game_pb2.GameView()
    family.view_to(game.view(viewer), view)
    sheet = game_pb2.ScoreSheet()
    family.score_sheet_to(game, sheet)
    found = [view.SerializeToString(deterministic=True), sheet.SerializeToString(deterministic=True)]
    if game.decision is not None and game.decision.seat == viewer:
        for action_id in game.legal_ids():
            legal = game_pb2.LegalAction(action_id=action_id, label=game.label(action_id))
            family.action_to(game.action(action_id), legal.action)
            found.append(legal.SerializeToString(deterministic=True))
    return found


def events_for(result: api.Result, viewer: int | None, family: str) -> list[bytes]:
    """An action's events as they are sent to a viewer."""
    write = FAMILIES[family].event_to
    return [write(event.seen_by(viewer)).SerializeToString(deterministic=True) for event in result.events]


@pytest.mark.parametrize("case", main_cases(), ids=str)
def test_the_bytes_tell_nothing_hidden(case: Case) -> None:
    """Views, scores and legal lists are equal, byte for byte, in twins that differ in hidden zones and seed."""
    zones: set[str] = set()
    for game, twin, viewer, swapped in secrecy.lockstep(case, seed=41):
        assert bytes_for(game, viewer) == bytes_for(twin, viewer)
        zones |= swapped
    assert zones == set(case.variant.hidden_zones)


@pytest.mark.parametrize("case", main_cases(), ids=str)
def test_the_events_tell_nothing_hidden(case: Case) -> None:
    """What an action did is told in the same bytes, given the same outcomes, whatever else lies hidden."""
    game, random, family = case.new_game(42), Random(42), case.variant.family
    while not game.is_over:
        action_id = random.choice(game.legal_ids())
        viewer = random.choice([None, *range(game.seats)])
        twin = secrecy.acting_twin(case, game, action_id, viewer, random)
        result = game.apply(action_id)
        answer = twin.apply_with(action_id, result.chance)
        assert events_for(result, viewer, family) == events_for(answer, viewer, family)


def test_a_hidden_discard_shows_its_action_to_its_owner_only() -> None:
    """The id of a discard names the card: others learn only the card's back."""
    config = api.game_config("meadow", seats=2, seed=43)
    history, random = api.History(config), Random(43)
    history.apply(api.Started())
    hidden = 0
    while history.game is not None and (decision := history.game.decision) is not None:
        before, action_id = history.game, random.choice(history.game.legal_ids())
        applied = history.apply(api.ActionTaken(decision.seat, action_id))
        others = [viewer for viewer in (None, 0, 1) if viewer != decision.seat]
        assert applied.action_known_to(decision.seat)
        action = before.action(action_id)
        if (
            isinstance(action, api.meadow_actions.Discard)
            and action.card not in before.view(None).players[decision.seat].hand
        ):
            hidden += 1
            assert not any(applied.action_known_to(viewer) for viewer in others)
            told = [events_for_applied(applied, viewer) for viewer in others]
            assert all(not event.meadow.card_discarded.HasField("card") for events in told for event in events)
        elif not isinstance(action, api.meadow_actions.Discard):
            assert all(applied.action_known_to(viewer) for viewer in others)
    assert hidden


def events_for_applied(applied: api.Applied, viewer: int | None) -> list[game_pb2.GameEvent]:
    """The discards among a record's events, as a viewer gets them."""
    told = [FAMILIES["meadow"].event_to(event.seen_by(viewer)) for event in applied.events]
    return [event for event in told if event.meadow.HasField("card_discarded")]
