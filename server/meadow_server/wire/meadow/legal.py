"""Legal actions of Meadow: filters, and what a label depends on."""

from __future__ import annotations

from typing import Any

from meadow_api.v1 import game_pb2
from meadow_api.v1 import meadow_pb2 as pb
from meadow_engine import api
from meadow_engine.api import meadow_actions as engine
from meadow_engine.api import meadow_catalogue, meadow_places

from meadow_server.wire.meadow import downstream

NAMING_THE_TABLE = {
    "choose_ground",
    "choose_spot",
    "campfire",
    "choose_watery_ground",
    "take_card",
    "choose_way",
    "extra_action",
}
"""Decisions whose labels name cards of the board, goals, or what the kayak's space has."""


def select(game: api.Game, wanted: pb.MeadowActionFilter) -> list[int]:
    """The legal ids that a filter leaves."""
    return [action_id for action_id in game.legal_ids() if matches(game, game.action(action_id), wanted)]


def matches(game: api.Game, action: Any, wanted: pb.MeadowActionFilter) -> bool:
    """Whether an action meets every condition of a filter."""
    if wanted.HasField("card") and not (
        isinstance(action, engine.PlayCard | engine.Discard) and action.card == wanted.card
    ):
        return False
    if wanted.HasField("token") and not (isinstance(action, engine.PlaceToken) and action.token == wanted.token):
        return False
    if wanted.HasField("place") and not (isinstance(action, engine.PlaceToken) and action.place == wanted.place):
        return False
    if wanted.HasField("column") and not _goes_on(game, action, wanted.column):
        return False
    return not wanted.HasField("spot") or _is_at(game, action, wanted.spot)


def _goes_on(game: api.Game, action: Any, column: int) -> bool:
    return (
        isinstance(action, engine.PlayCard)
        and game.catalogue.cards[action.card].kind is meadow_catalogue.Kind.OBSERVATION
        and action.place == column
    )


def _is_at(game: api.Game, action: Any, spot: int) -> bool:
    if isinstance(action, engine.TakeCard):
        return bool(action.spot == spot)
    return isinstance(action, engine.PlaceToken) and spot in _reached(game.catalogue, action.token, action.place)


def _reached(catalogue: meadow_catalogue.Catalogue, token: int, place: int) -> tuple[int, ...]:
    """The spots from which a token on a place may take a card."""
    if place < meadow_places.MAIN_NOTCHES:
        spots = catalogue.main_board.notches[place].spots
        return spots if token == meadow_places.QUESTION else spots[token : token + 1]
    if place >= meadow_places.RIVER and catalogue.downstream is not None:
        return downstream.spots_at(catalogue.downstream, place)
    return ()


def composites(game: api.Game, wanted: pb.MeadowActionFilter) -> list[game_pb2.LegalAction] | None:  # noqa: ARG001
    """Meadow has no composite actions."""
    return None


def label_key(game: api.Game) -> object:
    """What the labels of this decision's actions depend on beside the action; None where they name the table."""
    decision = game.decision
    return None if decision is None or decision.kind in NAMING_THE_TABLE else decision.kind
