"""From a failed call to the exception of its reason."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Protocol, cast

import grpc
from google.protobuf.message import DecodeError, Message
from google.rpc import error_details_pb2, status_pb2  # type: ignore[import-untyped]
from meadow_api.v1 import common_pb2, game_pb2

from meadow_client.errors.base import ConnectionLost, DeadlineExceeded, MeadowError, ServiceError, Unexpected
from meadow_client.errors.reasons import ERRORS

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
_BY_CODE: Mapping[grpc.StatusCode, type[MeadowError]] = {
    grpc.StatusCode.UNAVAILABLE: ConnectionLost,
    grpc.StatusCode.DEADLINE_EXCEEDED: DeadlineExceeded,
    grpc.StatusCode.CANCELLED: ConnectionLost,
}
_CODES = {code.value[0]: code for code in grpc.StatusCode}


class _Status(Protocol):
    """What a failed call of either stack says of itself."""

    def code(self) -> grpc.StatusCode | None: ...
    def details(self) -> str | None: ...
    def trailing_metadata(self) -> Iterable[tuple[str, str | bytes]] | None: ...


def from_rpc_error(error: grpc.RpcError) -> MeadowError:
    """The exception of a failed call, of the sync or the asyncio stack."""
    status = cast("_Status", error)
    code, message = status.code() or grpc.StatusCode.UNKNOWN, status.details() or ""
    # a pair at a time: the asyncio stack's Metadata of grpcio 1.76 cannot be made a dict
    packed = next((value for key, value in status.trailing_metadata() or () if key == STATUS_KEY), None)
    return _error(code, message, _read(packed))


def from_status(data: bytes) -> MeadowError:
    """The exception of a serialised google.rpc.Status, such as a refusal on a Play stream carries."""
    status = _read(data)
    return _error(_CODES.get(status.code, grpc.StatusCode.UNKNOWN), status.message, status)


def _error(code: grpc.StatusCode, message: str, status: status_pb2.Status) -> MeadowError:
    details = tuple(_details(status))
    info = next((found for found in details if isinstance(found, error_details_pb2.ErrorInfo)), None)
    if info is None or info.domain != DOMAIN:
        return _BY_CODE.get(code, Unexpected)(message, code=code, details=details)
    kind = ERRORS.get(info.reason, ServiceError)
    return kind(message, code=code, reason=info.reason, metadata=info.metadata, details=details)


def _read(data: object) -> status_pb2.Status:
    """The status in the bytes; an empty one if there is none."""
    try:
        return status_pb2.Status.FromString(data if isinstance(data, bytes) else b"")
    except DecodeError:
        return status_pb2.Status()


def _details(status: status_pb2.Status) -> Iterable[Message]:
    for any_message in status.details:
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
