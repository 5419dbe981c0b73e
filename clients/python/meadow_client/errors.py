"""Errors of the service as exceptions, one class per reason.

    try:
        seat.submit(action)
    except IllegalAction as refused:
        print(refused.rule, refused.row, refused.column)
    except StaleVersion as late:
        print("the game is at", late.current_version)

`ServiceError` is the base of everything the service refuses, `ConnectionProblem` of everything that kept an answer
from arriving. Between them and the reasons stand classes for whole canonical codes, such as `NotFound`. `ERRORS` is the
table.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import ClassVar, Protocol, TypeVar, cast

import grpc
from google.protobuf.message import DecodeError, Message
from google.rpc import error_details_pb2, status_pb2  # type: ignore[import-untyped]
from meadow_api.v1 import common_pb2, game_pb2, spring_meadow_pb2

DOMAIN = "meadow_api"
"""The `domain` of this service's error details."""
STATUS_KEY = "grpc-status-details-bin"
_DETAILS: tuple[type[Message], ...] = (
    error_details_pb2.ErrorInfo,
    error_details_pb2.BadRequest,
    error_details_pb2.RetryInfo,
    common_pb2.StaleVersionDetail,
    common_pb2.NotYourTurnDetail,
    common_pb2.LimitDetail,
    game_pb2.IllegalActionDetail,
)
D = TypeVar("D", bound=Message)


class MeadowError(Exception):
    """A call failed.

    Attributes:
        reason: name out of `ErrorReason`, such as STALE_VERSION; of a connection problem, the canonical code's name.
        code: the canonical code.
        message: English text, for debugging.
        metadata: arguments of the reason as texts.
        details: typed details, such as a `StaleVersionDetail`.
    """

    REASON: ClassVar[str] = ""

    def __init__(
        self,
        message: str = "",
        *,
        code: grpc.StatusCode = grpc.StatusCode.UNKNOWN,
        reason: str = "",
        metadata: Mapping[str, str] | None = None,
        details: Iterable[Message] = (),
    ) -> None:
        self.reason = reason or self.REASON or code.name
        self.code = code
        self.message = message
        self.metadata = dict(metadata or {})
        self.details = tuple(details)
        super().__init__(f"{self.reason}: {message}" if message else self.reason)

    def detail(self, kind: type[D]) -> D:
        """The detail of a type, or an empty message of it when the service sent none."""
        return next((found for found in self.details if isinstance(found, kind)), kind())


# ---- what kept an answer from arriving ---------------------------------------------------------------------


class ConnectionProblem(MeadowError):
    """No answer arrived: whether a mutation was done is not known, until it is repeated with the same request_id."""


class ConnectionLost(ConnectionProblem):
    """The server could not be reached, or the connection broke before the answer came."""


class DeadlineExceeded(ConnectionProblem):
    """The answer took longer than the call's timeout."""


class StreamBroken(ConnectionProblem):
    """A watch broke, and could not be resumed within the client's patience. The game itself has not ended."""


class Unexpected(MeadowError):
    """A status that this service never sends: the address is probably another service's, or a proxy answered."""


# ---- what the service refuses, by canonical code -----------------------------------------------------------


class ServiceError(MeadowError):
    """The service refused the call and says why; also what a reason newer than this client becomes."""


class InvalidRequest(ServiceError):
    """INVALID_ARGUMENT: the request itself is wrong, whatever the game."""


class Unauthenticated(ServiceError):
    """UNAUTHENTICATED: the call needs a valid token."""


class NotFound(ServiceError):
    """NOT_FOUND: there is no such thing, or the caller may not know of it."""


class PermissionDenied(ServiceError):
    """PERMISSION_DENIED: the caller's role may not do this."""


class Refused(ServiceError):
    """FAILED_PRECONDITION: not in this state of the game."""


class Conflict(ServiceError):
    """ABORTED: something else came first; read, decide anew."""


class Exhausted(ServiceError):
    """RESOURCE_EXHAUSTED: a limit is met."""


class Unavailable(ServiceError):
    """UNAVAILABLE: not now; the client has retried it already."""


# ---- one class per reason ----------------------------------------------------------------------------------


class MalformedRequest(InvalidRequest):
    """The bytes of the request are no message of the expected type."""

    REASON = "MALFORMED_REQUEST"


class BadField(InvalidRequest):
    """A field is missing or out of range."""

    REASON = "BAD_FIELD"

    @property
    def field(self) -> str:
        """Path of the field in the request."""
        violations = self.detail(error_details_pb2.BadRequest).field_violations
        return violations[0].field if violations else self.metadata.get("field", "")


class BadOption(BadField):
    """The variant does not have the option, or does not allow the value."""

    REASON = "BAD_OPTION"


class BadPageToken(InvalidRequest):
    """The page token is not one of this list."""

    REASON = "BAD_PAGE_TOKEN"


class TokenMissing(Unauthenticated):
    """The call needs a token and carried none."""

    REASON = "TOKEN_MISSING"


class TokenUnknown(Unauthenticated):
    """The token is not this server's, or was revoked when its seat was released."""

    REASON = "TOKEN_UNKNOWN"


class GameNotFound(NotFound):
    """No such game, or a private one that the caller has no right to."""

    REASON = "GAME_NOT_FOUND"


class SeatNotFound(NotFound):
    """No such seat, or one that the caller's token is not for."""

    REASON = "SEAT_NOT_FOUND"


class JoinCodeUnknown(NotFound):
    """No game has this join code."""

    REASON = "JOIN_CODE_UNKNOWN"


class VariantNotFound(NotFound):
    """No such variant."""

    REASON = "VARIANT_NOT_FOUND"


class PackNotFound(NotFound):
    """No such content pack."""

    REASON = "PACK_NOT_FOUND"


class BotNotFound(NotFound):
    """The variant has no bot of this name."""

    REASON = "BOT_NOT_FOUND"


class RoleNotAllowed(PermissionDenied):
    """The game is visible to the caller, but the call needs a seat's or the host's token."""

    REASON = "ROLE_NOT_ALLOWED"


class NotYourTurn(Refused):
    """Another seat has to choose."""

    REASON = "NOT_YOUR_TURN"

    @property
    def pending_seat(self) -> int:
        """The seat that has to choose."""
        return self.detail(common_pb2.NotYourTurnDetail).pending_seat


class IllegalAction(Refused):
    """The rules do not allow the action."""

    REASON = "ILLEGAL_ACTION"

    @property
    def spring_meadow(self) -> spring_meadow_pb2.SpringMeadowIllegalAction:
        """The rule and its arguments, in Spring Meadow's own type."""
        return self.detail(game_pb2.IllegalActionDetail).spring_meadow

    @property
    def rule(self) -> str:
        """Name of the rule that forbids it, such as OVERLAPS."""
        name = spring_meadow_pb2.SpringMeadowRule.Name(self.spring_meadow.rule)
        return name.removeprefix("SPRING_MEADOW_RULE_")

    @property
    def index(self) -> int:
        """Place of the action in its batch or composite; 0 when it stood alone."""
        return self.detail(game_pb2.IllegalActionDetail).index

    @property
    def row(self) -> int | None:
        """Row of the placement; None where the rule is not about one."""
        found = self.spring_meadow
        return found.row if found.HasField("row") else None

    @property
    def column(self) -> int | None:
        """Column of the placement; None where the rule is not about one."""
        found = self.spring_meadow
        return found.column if found.HasField("column") else None

    @property
    def space(self) -> int | None:
        """Space of the hiking map; None where the rule is not about one."""
        found = self.spring_meadow
        return found.space if found.HasField("space") else None


class GameOver(Refused):
    """The game has been played to its end."""

    REASON = "GAME_OVER"


class GameNotRunning(Refused):
    """The game has not started, or was aborted."""

    REASON = "GAME_NOT_RUNNING"


class GameNotOpen(Refused):
    """The game has started already."""

    REASON = "GAME_NOT_OPEN"


class GameNotFinished(Refused):
    """Only a finished or aborted game can be deleted."""

    REASON = "GAME_NOT_FINISHED"


class SeatTaken(Refused):
    """The seat, or every seat, is held by somebody else."""

    REASON = "SEAT_TAKEN"


class SeatEmpty(Refused):
    """Nobody holds the seat."""

    REASON = "SEAT_EMPTY"


class SeatsOpen(Refused):
    """The game cannot start while seats are open."""

    REASON = "SEATS_OPEN"


class UndoBarrier(Refused):
    """Nothing of one's own turn is left to undo."""

    REASON = "UNDO_BARRIER"


class RevealBarrier(Refused):
    """An action that reveals information or draws chance stands where one could peek."""

    REASON = "REVEAL_BARRIER"


class RulesRevisionUnsupported(Refused):
    """The game was played by rules of a revision that the server does not have."""

    REASON = "RULES_REVISION_UNSUPPORTED"


class VersionNotReached(Refused):
    """The game has not reached the version asked for."""

    REASON = "VERSION_NOT_REACHED"


class StaleVersion(Conflict):
    """The game has moved on since the caller looked."""

    REASON = "STALE_VERSION"

    @property
    def current_version(self) -> int:
        """Version of the game when the call was refused."""
        return self.detail(common_pb2.StaleVersionDetail).current_version

    @property
    def expected_version(self) -> int:
        """The version that the call expected."""
        return self.detail(common_pb2.StaleVersionDetail).expected_version


class RequestIdReused(Conflict):
    """This request_id was used before, for another call, body or caller."""

    REASON = "REQUEST_ID_REUSED"


class QuotaExceeded(Exhausted):
    """A standing limit is met."""

    REASON = "QUOTA_EXCEEDED"

    @property
    def limit(self) -> str:
        """Name of the limit, as listed by GetServerInfo."""
        return self.detail(common_pb2.LimitDetail).limit

    @property
    def value(self) -> int:
        """Value of the limit."""
        return self.detail(common_pb2.LimitDetail).value


class MessageTooLarge(QuotaExceeded):
    """The request is larger than the limit."""

    REASON = "MESSAGE_TOO_LARGE"


class RateLimited(Exhausted):
    """Too many calls; the client has waited and retried already."""

    REASON = "RATE_LIMITED"


class StorageUnavailable(Unavailable):
    """The journal cannot be written or read just now."""

    REASON = "STORAGE_UNAVAILABLE"


class ServerDraining(Unavailable):
    """The server is shutting down."""

    REASON = "SERVER_DRAINING"


class ServerDeadline(ServiceError):
    """The server gave up after its own time limit; a mutation may have been done."""

    REASON = "SERVER_DEADLINE"


class InternalFault(ServiceError):
    """A fault of the server; its log says more."""

    REASON = "INTERNAL_FAULT"


def _with_reason(base: type[MeadowError]) -> Iterable[type[MeadowError]]:
    for kind in base.__subclasses__():
        if kind.REASON:
            yield kind
        yield from _with_reason(kind)


ERRORS: Mapping[str, type[MeadowError]] = {kind.REASON: kind for kind in _with_reason(MeadowError)}
"""The exception of each reason."""

_BY_CODE: Mapping[grpc.StatusCode, type[MeadowError]] = {
    grpc.StatusCode.UNAVAILABLE: ConnectionLost,
    grpc.StatusCode.DEADLINE_EXCEEDED: DeadlineExceeded,
    grpc.StatusCode.CANCELLED: ConnectionLost,
}


class _Status(Protocol):
    """What a failed call of either stack says of itself."""

    def code(self) -> grpc.StatusCode | None: ...
    def details(self) -> str | None: ...
    def trailing_metadata(self) -> Iterable[tuple[str, str | bytes]] | None: ...


def from_rpc_error(error: grpc.RpcError) -> MeadowError:
    """The exception of a failed call, of the sync or the asyncio stack."""
    status = cast("_Status", error)
    code, message = status.code() or grpc.StatusCode.UNKNOWN, status.details() or ""
    details = tuple(_details(dict(status.trailing_metadata() or ()).get(STATUS_KEY)))
    info = next((found for found in details if isinstance(found, error_details_pb2.ErrorInfo)), None)
    if info is None or info.domain != DOMAIN:
        return _BY_CODE.get(code, Unexpected)(message, code=code, details=details)
    kind = ERRORS.get(info.reason, ServiceError)
    return kind(message, code=code, reason=info.reason, metadata=info.metadata, details=details)


def _details(data: object) -> Iterable[Message]:
    if not isinstance(data, bytes):
        return
    try:
        packed = status_pb2.Status.FromString(data).details
    except DecodeError:
        return
    for any_message in packed:
        for kind in _DETAILS:
            if any_message.Is(kind.DESCRIPTOR):
                found = kind()
                any_message.Unpack(found)
                yield found


def retry_delay(error: MeadowError) -> float | None:
    """Seconds that the service asks to wait before trying again; None if it does not say."""
    info = error.detail(error_details_pb2.RetryInfo)
    if not info.HasField("retry_delay"):
        return None
    return float(info.retry_delay.seconds + info.retry_delay.nanos / 1e9)
