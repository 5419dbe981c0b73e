"""Errors of the API: one table from reason to canonical code, and their form on the wire.

A handler raises `ApiError`; `meadow_server.rpc` turns it into a status whose details carry a `google.rpc.ErrorInfo` and
typed details. Engine errors are mapped by their stable codes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import grpc
from google.protobuf.message import Message
from google.rpc import error_details_pb2, status_pb2  # type: ignore[import-untyped]
from meadow_api.v1 import common_pb2
from meadow_engine.api import EngineError

DOMAIN = "meadow_api"
MAX_DETAIL_BYTES = 4096
"""Larger details would risk that the client's HTTP/2 stack refuses the trailers."""
MAX_MESSAGE = 300
REASON_PREFIX = "ERROR_REASON_"

_CODES: Mapping[grpc.StatusCode, tuple[str, ...]] = {
    grpc.StatusCode.INVALID_ARGUMENT: ("MALFORMED_REQUEST", "BAD_FIELD", "BAD_OPTION", "BAD_PAGE_TOKEN"),
    grpc.StatusCode.UNAUTHENTICATED: ("TOKEN_MISSING", "TOKEN_UNKNOWN"),
    grpc.StatusCode.NOT_FOUND: (
        "GAME_NOT_FOUND",
        "SEAT_NOT_FOUND",
        "JOIN_CODE_UNKNOWN",
        "VARIANT_NOT_FOUND",
        "PACK_NOT_FOUND",
        "BOT_NOT_FOUND",
    ),
    grpc.StatusCode.PERMISSION_DENIED: ("ROLE_NOT_ALLOWED",),
    grpc.StatusCode.FAILED_PRECONDITION: (
        "NOT_YOUR_TURN",
        "ILLEGAL_ACTION",
        "GAME_OVER",
        "GAME_NOT_RUNNING",
        "GAME_NOT_OPEN",
        "GAME_NOT_FINISHED",
        "SEAT_TAKEN",
        "SEAT_EMPTY",
        "SEATS_OPEN",
        "UNDO_BARRIER",
        "REVEAL_BARRIER",
        "RULES_REVISION_UNSUPPORTED",
        "VERSION_NOT_REACHED",
    ),
    grpc.StatusCode.ABORTED: ("STALE_VERSION", "REQUEST_ID_REUSED"),
    grpc.StatusCode.RESOURCE_EXHAUSTED: ("QUOTA_EXCEEDED", "RATE_LIMITED", "MESSAGE_TOO_LARGE"),
    grpc.StatusCode.UNAVAILABLE: ("STORAGE_UNAVAILABLE", "SERVER_DRAINING"),
    grpc.StatusCode.DEADLINE_EXCEEDED: ("SERVER_DEADLINE",),
    grpc.StatusCode.INTERNAL: ("INTERNAL_FAULT",),
}
CODE_OF_REASON: Mapping[str, grpc.StatusCode] = {reason: code for code, reasons in _CODES.items() for reason in reasons}
"""The canonical code of each reason; the tests hold it against the published enum."""

_REASON_OF_ENGINE_CODE: Mapping[str, str] = {
    "ILLEGAL_ACTION": "ILLEGAL_ACTION",
    "NOT_YOUR_TURN": "NOT_YOUR_TURN",
    "GAME_OVER": "GAME_OVER",
    "GAME_NOT_RUNNING": "GAME_NOT_RUNNING",
    "UNDO_BARRIER": "UNDO_BARRIER",
    "REVEAL_BARRIER": "REVEAL_BARRIER",
    "BAD_OPTION": "BAD_OPTION",
    "UNKNOWN_VARIANT": "VARIANT_NOT_FOUND",
    "UNKNOWN_BOT": "BOT_NOT_FOUND",
    "RULES_REVISION_UNSUPPORTED": "RULES_REVISION_UNSUPPORTED",
}


class ApiError(Exception):
    """A call is refused.

    Attributes:
        reason: name out of `ErrorReason`, without its prefix.
        message: English, for debugging; says nothing hidden.
        metadata: arguments of the reason, for clients that phrase their own message.
        details: typed details, at most one of each type.
    """

    def __init__(
        self, reason: str, message: str, *, metadata: Mapping[str, str] | None = None, details: Sequence[Message] = ()
    ) -> None:
        super().__init__(message)
        self.reason = reason
        self.message = message
        self.metadata = dict(metadata or {})
        self.details = tuple(details)

    @property
    def code(self) -> grpc.StatusCode:
        """The canonical code."""
        return CODE_OF_REASON[self.reason]

    def status(self) -> status_pb2.Status:
        """The status with its details, which together stay below what trailers can carry for sure."""
        number: int = self.code.value[0]
        status = status_pb2.Status(code=number, message=self.message[:MAX_MESSAGE])
        info = error_details_pb2.ErrorInfo(reason=self.reason, domain=DOMAIN, metadata=self.metadata)
        if info.ByteSize() > MAX_DETAIL_BYTES // 2:
            info.metadata.clear()
        for detail in (info, *self.details):
            status.details.add().Pack(detail)
            if status.ByteSize() > MAX_DETAIL_BYTES:
                del status.details[-1]
        return status


def bad_field(field: str, message: str, reason: str = "BAD_FIELD") -> ApiError:
    """A field of the request is missing or out of range; `field` is its path in the message."""
    violation = error_details_pb2.BadRequest.FieldViolation(field=field, description=message)
    detail = error_details_pb2.BadRequest(field_violations=[violation])
    return ApiError(reason, f"{field}: {message}", metadata={"field": field}, details=[detail])


def game_not_found() -> ApiError:
    """No such game, or none that the caller may know of: the two must not differ in anything."""
    return ApiError("GAME_NOT_FOUND", "there is no such game, or it is private and the token is not for it")


def stale_version(expected: int, current: int) -> ApiError:
    """The game has moved on."""
    return ApiError(
        "STALE_VERSION",
        f"the game is at version {current}, not {expected}",
        metadata={"current_version": str(current), "expected_version": str(expected)},
        details=[common_pb2.StaleVersionDetail(current_version=current, expected_version=expected)],
    )


def draining() -> ApiError:
    """The server is shutting down."""
    return ApiError("SERVER_DRAINING", "the server is shutting down; repeat the call at another, or later")


def over_limit(limit: str, value: int, message: str, reason: str = "QUOTA_EXCEEDED") -> ApiError:
    """A limit of the server is met."""
    return ApiError(
        reason,
        message,
        metadata={"limit": limit, "value": str(value)},
        details=[common_pb2.LimitDetail(limit=limit, value=value)],
    )


def from_engine(error: EngineError, details: Sequence[Message] = ()) -> ApiError:
    """The API's form of an engine error; one without a reason of its own is a fault of the server."""
    reason = _REASON_OF_ENGINE_CODE.get(error.code)
    if reason is None:
        return internal_fault()
    metadata = dict(error.details)
    if reason == "BAD_OPTION":
        field = "options." + metadata.get("option", "")
        return bad_field(field, error.message, "BAD_OPTION")
    return ApiError(reason, error.message, metadata=metadata, details=details)


def game_damaged() -> ApiError:
    """What the journal holds of a game is no game."""
    return ApiError("INTERNAL_FAULT", "the journal of this game is damaged; the server's log says more")


def internal_fault() -> ApiError:
    """What the client hears of anything unforeseen: a fixed text."""
    return ApiError("INTERNAL_FAULT", "the server failed; its log says more")


def reason_names() -> list[str]:
    """The published reasons, without prefix and without the zero value."""
    return [name.removeprefix(REASON_PREFIX) for name in common_pb2.ErrorReason.keys()[1:]]
