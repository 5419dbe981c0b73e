"""Which functions write the messages of which family of games: a new family adds its line."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from meadow_api.v1 import catalogue_pb2, game_pb2, game_service_pb2
from meadow_engine import api

from meadow_server.errors import ApiError, bad_field
from meadow_server.wire.meadow import actions as meadow_actions
from meadow_server.wire.meadow import components as meadow_components
from meadow_server.wire.meadow import events as meadow_events
from meadow_server.wire.meadow import legal as meadow_legal
from meadow_server.wire.meadow import views as meadow_views
from meadow_server.wire.spring_meadow import actions, components, events, legal, views

Choice = game_pb2.ActionChoice | game_service_pb2.SubmitActionRequest
"""What says one choice: both have the same `oneof choice`."""


@dataclass(frozen=True, slots=True)
class FamilyWire:
    """The wire form of one family.

    Attributes:
        number: of the family in the API.
        field: name of its member in every `oneof family`.
        options_from, options_to: options of a new game, and as they hold.
        actions_from: the typed actions of a message, one or the parts of a composite; the text is the message's path.
        action_to: a typed action.
        event_to: an event that its viewer may see.
        view_to: a view.
        score_sheet_to: points by source.
        outcome_to: the family's part of an outcome.
        running_points: points of each seat as they stand.
        illegal_to: the rule that forbids an action.
        catalogue_to: the components of a pack.
        select: the legal ids that a filter leaves.
        composites: the composite actions that a filter asks for; None if it asks for none.
        label_key: what a label depends on beside the action, so that labels can be kept; None if it is too much.
    """

    number: catalogue_pb2.GameFamily.ValueType
    field: str
    options_from: Callable[[Any], dict[str, object]]
    options_to: Callable[[Mapping[str, Any], game_pb2.GameOptions], None]
    actions_from: Callable[[Any, str], tuple[Any, ...]]
    action_to: Callable[[Any, game_pb2.Action], None]
    event_to: Callable[[Any], game_pb2.GameEvent]
    view_to: Callable[[Any, game_pb2.GameView], None]
    score_sheet_to: Callable[[api.Game, game_pb2.ScoreSheet], None]
    outcome_to: Callable[[api.Game, game_pb2.Outcome], None]
    running_points: Callable[[api.Game], tuple[int, ...]]
    illegal_to: Callable[[api.IllegalAction, game_pb2.IllegalActionDetail], None]
    catalogue_to: Callable[[Any, catalogue_pb2.Catalogue], None]
    select: Callable[[api.Game, Any], list[int]]
    composites: Callable[[api.Game, Any], list[game_pb2.LegalAction] | None]
    label_key: Callable[[api.Game], object]


SPRING_MEADOW = FamilyWire(
    number=catalogue_pb2.GAME_FAMILY_SPRING_MEADOW,
    field="spring_meadow",
    options_from=actions.options_from_message,
    options_to=actions.options_to_message,
    actions_from=actions.actions_from_message,
    action_to=actions.action_to_message,
    event_to=events.event_to_message,
    view_to=views.view_to_message,
    score_sheet_to=views.score_sheet_to_message,
    outcome_to=views.outcome_to_message,
    running_points=views.running_points,
    illegal_to=actions.illegal_to_message,
    catalogue_to=components.catalogue_to_message,
    select=legal.select,
    composites=legal.composites,
    label_key=legal.label_key,
)

MEADOW = FamilyWire(
    number=catalogue_pb2.GAME_FAMILY_MEADOW,
    field="meadow",
    options_from=meadow_actions.options_from_message,
    options_to=meadow_actions.options_to_message,
    actions_from=meadow_actions.actions_from_message,
    action_to=meadow_actions.action_to_message,
    event_to=meadow_events.event_to_message,
    view_to=meadow_views.view_to_message,
    score_sheet_to=meadow_views.score_sheet_to_message,
    outcome_to=meadow_views.outcome_to_message,
    running_points=meadow_views.running_points,
    illegal_to=meadow_actions.illegal_to_message,
    catalogue_to=meadow_components.catalogue_to_message,
    select=meadow_legal.select,
    composites=meadow_legal.composites,
    label_key=meadow_legal.label_key,
)

FAMILIES: Mapping[str, FamilyWire] = {"spring_meadow": SPRING_MEADOW, "meadow": MEADOW}
"""By the engine's name of the family."""


def variants() -> tuple[api.Variant, ...]:
    """The engine's variants that can be played over the wire."""
    return tuple(variant for variant in api.variants() if variant.family in FAMILIES)


def known_variant(variant_id: str) -> api.Variant | None:
    """The variant of an id, if it can be played over the wire."""
    return next((known for known in variants() if known.id == variant_id), None)


def variant(variant_id: str) -> api.Variant:
    """The variant of an id.

    Raises:
        ApiError: there is none that can be played over the wire.
    """
    known = known_variant(variant_id)
    if known is not None:
        return known
    names = ", ".join(known.id for known in variants())
    raise ApiError("VARIANT_NOT_FOUND", f"there is no such variant; there are {names}")


@cache
def family_of(variant_id: str) -> FamilyWire:
    """The wire form of a variant's family."""
    return FAMILIES[api.variant(variant_id).family]


def member(message: Any, family: FamilyWire, field: str) -> Any:
    """The family's member of a `oneof family`; None when nothing is set.

    Raises:
        ApiError: the member of another family is set; `field` is the message's path.
    """
    given = message.WhichOneof("family")
    if given is None:
        return None
    if given != family.field:
        raise bad_field(f"{field}.{given}", f"the variant's messages are those of {family.field}")
    return getattr(message, given)


def read_actions(choice: Choice, game: api.Game, family: FamilyWire, field: str) -> list[int]:
    """The ids that a choice stands for: one, or those of a composite's parts.

    Raises:
        ApiError: nothing is set.
        IllegalAction: it names something that does not exist.
    """
    match choice.WhichOneof("choice"):
        case "action_id":
            return [choice.action_id]
        case "action":
            typed = member(choice.action, family, f"{field}.action")
            if typed is None:
                raise bad_field(f"{field}.action", "its family must be set")
            actions_given = family.actions_from(typed, f"{field}.action.{family.field}")
            return [game.action_id(action) for action in actions_given]
        case _:
            raise bad_field(field, "an action_id or an action must be set")


def filter_member(message: game_service_pb2.ActionFilter, family: FamilyWire) -> Any:
    """The family's part of a filter; None when there is none."""
    return member(message, family, "filter")
