"""Legal actions of Spring Meadow: filters, composites, and what a label depends on."""

from __future__ import annotations

from collections.abc import Iterator

from meadow_api.v1 import game_pb2
from meadow_api.v1 import spring_meadow_pb2 as pb
from meadow_engine import api
from meadow_engine.api import spring_actions as engine

from meadow_server.wire.spring_meadow.actions import Matcher, composite_to_message

CHOOSE_TILE = "choose_tile"
PLACE_TILE = "place_tile"


def select(game: api.Game, wanted: pb.SpringMeadowActionFilter) -> list[int]:
    """The legal ids that a filter leaves."""
    matcher = Matcher(game, wanted)
    return [action_id for action_id in game.legal_ids() if matcher.matches(game.action(action_id))]


def composites(game: api.Game, wanted: pb.SpringMeadowActionFilter) -> list[game_pb2.LegalAction] | None:
    """Every take with each of its placements that a filter leaves; None if it asks for none or no tile is chosen."""
    decision = game.decision
    if not wanted.composite or decision is None or decision.kind != CHOOSE_TILE:
        return None
    found = []
    for take_id, space in _takes(game, wanted):
        taken = game.clone()
        taken.apply(take_id)
        placing = pb.SpringMeadowActionFilter()
        placing.CopyFrom(wanted)
        placing.ClearField("space")
        for place_id in select(taken, placing):
            place = taken.action(place_id)
            label = f"{game.label(take_id)}, {taken.label(place_id)}"
            entry = game_pb2.LegalAction(action_id=take_id, label=label, then_action_ids=[place_id])
            composite_to_message(engine.TakeTile(space), place, entry.action)
            found.append(entry)
    return found


def _takes(game: api.Game, wanted: pb.SpringMeadowActionFilter) -> Iterator[tuple[int, int]]:
    for take_id in game.legal_ids():
        space = game.action(take_id).space
        if not wanted.HasField("space") or space == wanted.space:
            yield take_id, space


def label_key(game: api.Game) -> object:
    """What the labels of this decision's actions depend on beside the action: the tile to be placed."""
    decision = game.decision
    if decision is None or decision.kind == CHOOSE_TILE:
        return None
    if decision.kind == PLACE_TILE:
        return game.state.meadow_map[decision.space]  # type: ignore[attr-defined]
    return decision.kind
