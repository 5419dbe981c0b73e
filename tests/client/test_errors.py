from __future__ import annotations

import grpc
import pytest
from google.protobuf.any_pb2 import Any
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message
from google.rpc import error_details_pb2, status_pb2  # type: ignore[import-untyped]
from meadow_api.v1 import common_pb2, game_pb2, spring_meadow_pb2
from meadow_client import errors


def failed_call(
    code: grpc.StatusCode, message: str, trailers: tuple[tuple[str, str | bytes], ...] = ()
) -> grpc.RpcError:
    """A failed call as the asyncio stack raises it; the sync stack's has the same methods."""
    return grpc.aio.AioRpcError(code, grpc.aio.Metadata(), grpc.aio.Metadata(*trailers), details=message)


def refusal(code: grpc.StatusCode, reason: str, *details: Message, **metadata: str) -> grpc.RpcError:
    """A status as the service sends it: with an ErrorInfo and typed details."""
    status = status_pb2.Status(code=code.value[0], message="no")
    info = error_details_pb2.ErrorInfo(reason=reason, domain="meadow_api", metadata=metadata)
    for detail in (info, *details):
        packed = Any()
        packed.Pack(detail)
        status.details.append(packed)
    return failed_call(code, "no", ((errors.STATUS_KEY, status.SerializeToString()),))


def test_each_reason_has_its_exception() -> None:
    """The table of exceptions holds exactly the reasons of the API, each under the name of its class."""
    prefix = "ERROR_REASON_"
    reasons = {name.removeprefix(prefix) for name in common_pb2.ErrorReason.keys()} - {"UNSPECIFIED"}  # noqa: SIM118
    assert set(errors.ERRORS) == reasons
    for reason, kind in errors.ERRORS.items():
        assert kind.__name__.upper() == reason.replace("_", "")


def test_a_stale_version_tells_both_versions() -> None:
    """StaleVersion carries the current and the expected version."""
    detail = common_pb2.StaleVersionDetail(current_version=9, expected_version=7)
    error = errors.from_rpc_error(refusal(grpc.StatusCode.ABORTED, "STALE_VERSION", detail))
    assert isinstance(error, errors.StaleVersion)
    assert isinstance(error, errors.Conflict)
    assert (error.current_version, error.expected_version) == (9, 7)
    assert error.code is grpc.StatusCode.ABORTED


def test_an_illegal_action_names_its_rule() -> None:
    """IllegalAction carries the rule, its place in a batch and the arguments that the rule has."""
    rule = spring_meadow_pb2.SPRING_MEADOW_RULE_OVERLAPS
    found = spring_meadow_pb2.SpringMeadowIllegalAction(rule=rule, row=0, column=4)
    detail = game_pb2.IllegalActionDetail(spring_meadow=found, index=2)
    error = errors.from_rpc_error(refusal(grpc.StatusCode.FAILED_PRECONDITION, "ILLEGAL_ACTION", detail))
    assert isinstance(error, errors.IllegalAction)
    assert (error.rule, error.index, error.row, error.column, error.space) == ("OVERLAPS", 2, 0, 4, None)


@pytest.mark.parametrize(
    ("reason", "detail", "attribute", "value"),
    [
        ("NOT_YOUR_TURN", common_pb2.NotYourTurnDetail(pending_seat=3), "pending_seat", 3),
        ("QUOTA_EXCEEDED", common_pb2.LimitDetail(limit="watchers_per_game", value=4), "limit", "watchers_per_game"),
        ("MESSAGE_TOO_LARGE", common_pb2.LimitDetail(limit="message_bytes", value=4), "value", 4),
        (
            "BAD_OPTION",
            error_details_pb2.BadRequest(
                field_violations=[error_details_pb2.BadRequest.FieldViolation(field="options.faces")]
            ),
            "field",
            "options.faces",
        ),
    ],
)
def test_details_become_attributes(reason: str, detail: Message, attribute: str, value: object) -> None:
    """A typed detail is read through an attribute of the reason's exception."""
    error = errors.from_rpc_error(refusal(grpc.StatusCode.FAILED_PRECONDITION, reason, detail))
    assert type(error) is errors.ERRORS[reason]
    assert getattr(error, attribute) == value


def test_a_reason_of_a_newer_service_keeps_its_name() -> None:
    """A reason this client does not know is a ServiceError that still tells it."""
    error = errors.from_rpc_error(refusal(grpc.StatusCode.FAILED_PRECONDITION, "SNOWED_IN", depth="3"))
    assert type(error) is errors.ServiceError
    assert (error.reason, error.metadata) == ("SNOWED_IN", {"depth": "3"})


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        (grpc.StatusCode.UNAVAILABLE, errors.ConnectionLost),
        (grpc.StatusCode.DEADLINE_EXCEEDED, errors.DeadlineExceeded),
        (grpc.StatusCode.UNIMPLEMENTED, errors.Unexpected),
    ],
)
@pytest.mark.parametrize("trailers", [(), ((errors.STATUS_KEY, b"\xff\xff"),)])
def test_a_status_without_details_is_no_answer_of_the_service(
    code: grpc.StatusCode, kind: type[errors.MeadowError], trailers: tuple[tuple[str, bytes], ...]
) -> None:
    """A status without, or with unreadable, details comes from the connection or from somebody else."""
    error = errors.from_rpc_error(failed_call(code, "hm", trailers))
    assert type(error) is kind
    assert error.reason == code.name
    assert not isinstance(error, errors.ServiceError)


def test_the_service_may_say_when_to_come_back() -> None:
    """RetryInfo becomes seconds; without it there are none."""
    info = error_details_pb2.RetryInfo(retry_delay=Duration(seconds=1, nanos=500_000_000))
    asked = errors.from_rpc_error(refusal(grpc.StatusCode.RESOURCE_EXHAUSTED, "RATE_LIMITED", info))
    assert errors.retry_delay(asked) == 1.5
    assert errors.retry_delay(errors.MeadowError()) is None
