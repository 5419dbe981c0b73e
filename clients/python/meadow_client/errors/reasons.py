"""One class for each reason that the service refuses a call for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from google.protobuf.message import Message
from google.rpc import error_details_pb2  # type: ignore[import-untyped]
from meadow_api.v1 import common_pb2, game_pb2, spring_meadow_pb2

from meadow_client.errors.base import (
    Conflict,
    Exhausted,
    InvalidRequest,
    MeadowError,
    NotFound,
    PermissionDenied,
    Refused,
    ServiceError,
    Unauthenticated,
    Unavailable,
)


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
        """Name of the rule that forbids it, such as OVERLAPS, out of the game family's list; empty if there is none."""
        detail = self.detail(game_pb2.IllegalActionDetail)
        family = detail.WhichOneof("family")
        if family is None:
            return ""
        found: Message = getattr(detail, family)
        rules = found.DESCRIPTOR.fields_by_name["rule"].enum_type
        number = {field.name: value for field, value in found.ListFields()}.get("rule", 0)
        return rules.values_by_number[number].name.removeprefix(f"{family.upper()}_RULE_") if rules else ""

    @property
    def index(self) -> int:
        """Place of the action in its batch or composite; 0 when it stood alone."""
        return self.detail(game_pb2.IllegalActionDetail).index

    @property
    def row(self) -> int | None:
        """Row of the placement in Spring Meadow; None where the rule is not about one."""
        found = self.spring_meadow
        return found.row if found.HasField("row") else None

    @property
    def column(self) -> int | None:
        """Column of the placement in Spring Meadow; None where the rule is not about one."""
        found = self.spring_meadow
        return found.column if found.HasField("column") else None

    @property
    def space(self) -> int | None:
        """Space of the hiking map in Spring Meadow; None where the rule is not about one."""
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
