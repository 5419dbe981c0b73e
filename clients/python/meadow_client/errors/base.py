"""Every error of the client, and the classes for whole canonical codes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import ClassVar, TypeVar

import grpc
from google.protobuf.message import Message

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


class BadArgument(MeadowError, ValueError):
    """An argument that no request can carry, such as a negative count; nothing was sent.

    Attributes:
        argument: its name.
    """

    def __init__(self, argument: str, message: str) -> None:
        super().__init__(f"{argument}: {message}", code=grpc.StatusCode.INVALID_ARGUMENT, reason="BAD_ARGUMENT")
        self.argument = argument


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
