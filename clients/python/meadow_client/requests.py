"""Requests of the calls that take more than a name, built the same way for both clients."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message
from meadow_api.v1 import common_pb2, game_service_pb2

from meadow_client.errors import BadArgument
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

_LONGEST_SECONDS = 1e9

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


def create_game(  # noqa: PLR0913 (by name, one for each field of the request)
    variant: str,
    seats: Sequence[SeatLike],
    *,
    options: Message | None,
    pack: str,
    private: bool,
    seed: int | bytes | None,
    wait_for_start: bool,
    display_name: str,
    resign_rules: common_pb2.ResignRules | None,
    clock_rules: common_pb2.ClockRules | None,
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
        resign_rules=resign_rules,
        clock_rules=clock_rules,
    )


def on_resignation(policy: str) -> common_pb2.ResignRules:
    """What happens when a seat resigns: "end", or the name of the bot that plays on."""
    if policy == "end":
        return common_pb2.ResignRules(policy=common_pb2.RESIGN_POLICY_END)
    return common_pb2.ResignRules(policy=common_pb2.RESIGN_POLICY_BOT, bot=policy)


def clocks(decision: float = 0, bank: float = 0, then: str = "greedy") -> common_pb2.ClockRules:
    """Clocks for a game to create.

    Args:
        decision: seconds for each decision.
        bank: seconds of each seat for the whole game, beyond those.
        then: what happens when both are used up: "end", "act" (the server chooses for the seat, this once), or the name
            of the bot that plays on.
    """
    policies = {"end": common_pb2.CLOCK_POLICY_END, "act": common_pb2.CLOCK_POLICY_ACT}
    return common_pb2.ClockRules(
        decision_time=_duration("decision", decision),
        bank=_duration("bank", bank),
        policy=policies.get(then, common_pb2.CLOCK_POLICY_BOT),
        bot="" if then in policies else then,
    )


def _duration(argument: str, seconds: float) -> Duration:
    if not 0 <= seconds < _LONGEST_SECONDS:
        raise BadArgument(argument, "a number of seconds from 0")
    whole = int(seconds)
    return Duration(seconds=whole, nanos=int((seconds - whole) * 1e9))


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


def play_wait(include_view: bool, legal_format: Format) -> game_service_pb2.PlayRequest:  # noqa: FBT001 (named by its caller)
    """Build the request of a wait on a Play stream."""
    wait = game_service_pb2.PlayWait(omit_view=not include_view, legal_action_format=legal_format)
    return game_service_pb2.PlayRequest(wait=wait)


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


def list_events(name: str, after_version: int, page_size: int) -> game_service_pb2.ListEventsRequest:
    """Build the request of ListEvents."""
    return game_service_pb2.ListEventsRequest(
        name=name,
        after_version=number("after_version", after_version, 63),
        page_size=number("page_size", page_size, 31),
    )


def action_filter(conditions: Message | None) -> game_service_pb2.ActionFilter | None:
    """A family's conditions, such as `SpringMeadowActionFilter`, in the neutral frame."""
    return None if conditions is None else framed(game_service_pb2.ActionFilter, conditions)
