"""Requests of the calls that take more than a name, built the same way for both clients."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message
from meadow_api.v1 import common_pb2, game_service_pb2

from meadow_client.messages import (
    Choice,
    bot_seat,
    framed,
    number,
    open_seat,
    options_message,
    reserved,
    seed_bytes,
    set_choice,
)
from meadow_client.retry import new_request_id

FULL = game_service_pb2.LEGAL_ACTION_FORMAT_FULL
IDS = game_service_pb2.LEGAL_ACTION_FORMAT_IDS
MASK = game_service_pb2.LEGAL_ACTION_FORMAT_MASK

Format: TypeAlias = game_service_pb2.LegalActionFormat.ValueType
"""Form of a list of legal actions: `FULL`, `IDS` or `MASK`."""
SeatLike = game_service_pb2.SeatSpec | str
"""A seat to create: a `SeatSpec`, or "me" (reserved), "open", or the name of a bot."""


def seat_spec(seat: SeatLike) -> game_service_pb2.SeatSpec:
    """The message of a seat to create."""
    if isinstance(seat, game_service_pb2.SeatSpec):
        return seat
    if seat == "me":
        return reserved()
    return open_seat() if seat == "open" else bot_seat(seat)


def create_game(
    variant: str,
    seats: Sequence[SeatLike],
    *,
    options: Message | None,
    pack: str,
    private: bool,
    seed: int | bytes | None,
    wait_for_start: bool,
    display_name: str,
) -> game_service_pb2.CreateGameRequest:
    """Build the request of CreateGame, with a request_id of its own."""
    return game_service_pb2.CreateGameRequest(
        variant=variant,
        request_id=new_request_id(),
        seats=[seat_spec(seat) for seat in seats],
        options=options_message(options),
        pack=pack,
        visibility=common_pb2.VISIBILITY_PRIVATE if private else common_pb2.VISIBILITY_PUBLIC,
        seed=b"" if seed is None else seed_bytes(seed),
        wait_for_start=wait_for_start,
        display_name=display_name,
    )


@dataclass(frozen=True, slots=True)
class Extras:
    """What an answer should carry beside the version.

    Attributes:
        view: the new view.
        legal_actions: the legal actions, if the caller's seat has to choose.
        legal_format: `FULL`, `IDS` or `MASK`.
    """

    view: bool = False
    legal_actions: bool = False
    legal_format: Format = FULL


def submit(
    name: str, choice: Choice | Sequence[Choice], expected_version: int, extras: Extras, *, validate_only: bool
) -> game_service_pb2.SubmitActionRequest:
    """Build the request of SubmitAction, with a request_id of its own."""
    request = game_service_pb2.SubmitActionRequest(
        name=name,
        request_id=new_request_id(),
        expected_version=number("expected_version", expected_version, 63),
        validate_only=validate_only,
        include_view=extras.view,
        include_legal_actions=extras.legal_actions,
        legal_action_format=extras.legal_format,
    )
    set_choice(request, choice)
    return request


def undo(name: str, count: int, expected_version: int, extras: Extras) -> game_service_pb2.UndoActionRequest:
    """Build the request of UndoAction, with a request_id of its own."""
    return game_service_pb2.UndoActionRequest(
        name=name,
        request_id=new_request_id(),
        expected_version=number("expected_version", expected_version, 63),
        count=number("count", count),
        include_view=extras.view,
        include_legal_actions=extras.legal_actions,
        legal_action_format=extras.legal_format,
    )


def get_game_view(name: str, min_version: int, wait: float, extras: Extras) -> game_service_pb2.GetGameViewRequest:
    """Build the request of GetGameView."""
    whole = int(wait)
    return game_service_pb2.GetGameViewRequest(
        name=name,
        min_version=number("min_version", min_version, 63),
        wait_for_turn=Duration(seconds=whole, nanos=int((wait - whole) * 1e9)) if wait else None,
        include_legal_actions=extras.legal_actions,
        legal_action_format=extras.legal_format,
    )


def watch_game(name: str, after_version: int | None, extras: Extras) -> game_service_pb2.WatchGameRequest:
    """Build the request of WatchGame."""
    return game_service_pb2.WatchGameRequest(
        name=name,
        after_version=number("after_version", after_version, 63),
        include_view=extras.view,
        include_legal_actions=extras.legal_actions,
        legal_action_format=extras.legal_format,
    )


def claim_seat(
    join_code: str, *, name: str, seat: int | None, display_name: str, colour: common_pb2.SeatColour.ValueType
) -> game_service_pb2.ClaimSeatRequest:
    """Build the request of ClaimSeat, with a request_id of its own."""
    return game_service_pb2.ClaimSeatRequest(
        name=name,
        request_id=new_request_id(),
        join_code=join_code,
        seat=number("seat", seat),
        display_name=display_name,
        colour=colour,
    )


def action_filter(conditions: Message | None) -> game_service_pb2.ActionFilter | None:
    """A family's conditions, such as `SpringMeadowActionFilter`, in the neutral frame."""
    return None if conditions is None else framed(game_service_pb2.ActionFilter, conditions)
