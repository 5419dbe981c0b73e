from __future__ import annotations

import threading
from collections.abc import Callable, Iterator

import grpc
import grpc_testing  # type: ignore[import-untyped]
import pytest
from google.protobuf.duration_pb2 import Duration
from google.rpc import error_details_pb2, status_pb2  # type: ignore[import-untyped]
from meadow_api.v1 import game_pb2, game_service_pb2
from meadow_client import Client, RetryPolicy, errors

SERVICE = game_service_pb2.DESCRIPTOR.services_by_name["GameService"]
SUBMIT = SERVICE.methods_by_name["SubmitAction"]
WATCH = SERVICE.methods_by_name["WatchGame"]
QUICK = RetryPolicy(attempts=3, first_delay=0.001)


@pytest.fixture
def channel() -> grpc_testing.Channel:
    """A channel whose other end is the test."""
    return grpc_testing.channel(game_service_pb2.DESCRIPTOR.services_by_name.values(), grpc_testing.strict_real_time())


class Running(threading.Thread):
    """A call on its way: what it answered or raised is known when it is joined."""

    def __init__(self, call: Callable[[], object]) -> None:
        super().__init__(daemon=True)
        self._call = call
        self.answer: object = None
        self.error: errors.MeadowError | None = None
        self.start()

    def run(self) -> None:
        """Make the call."""
        try:
            self.answer = self._call()
        except errors.MeadowError as error:
            self.error = error

    def result(self) -> object:
        """What it answered; raises what it raised."""
        self.join(10)
        assert not self.is_alive()
        if self.error:
            raise self.error
        return self.answer


def submitting(channel: grpc_testing.Channel) -> Running:
    """A submission through a client of little patience."""
    client = Client(channel=channel, token="secret", retry=QUICK)
    return Running(lambda: client.submit_action("games/x", 5, expected_version=3))


def test_a_lost_answer_is_asked_for_again_with_the_same_request_id(channel: grpc_testing.Channel) -> None:
    """A mutation whose answer was lost is repeated unchanged, request_id included, and its answer returned."""
    call = submitting(channel)
    metadata, first, rpc = channel.take_unary_unary(SUBMIT)
    assert ("authorization", "Bearer secret") in metadata
    rpc.terminate(None, (), grpc.StatusCode.UNAVAILABLE, "gone")
    _, second, rpc = channel.take_unary_unary(SUBMIT)
    assert first == second
    assert first.request_id
    rpc.terminate(game_service_pb2.SubmitActionResponse(version=4), (), grpc.StatusCode.OK, "")
    answer = call.result()
    assert isinstance(answer, game_service_pb2.SubmitActionResponse)
    assert answer.version == 4


def test_patience_ends(channel: grpc_testing.Channel) -> None:
    """After the policy's attempts the last error is raised."""
    call = submitting(channel)
    for _ in range(3):
        channel.take_unary_unary(SUBMIT)[2].terminate(None, (), grpc.StatusCode.UNAVAILABLE, "gone")
    with pytest.raises(errors.ConnectionLost):
        call.result()


def _trailers(reason: str, delay: float | None = None) -> tuple[tuple[str, bytes], ...]:
    status = status_pb2.Status()
    status.details.add().Pack(error_details_pb2.ErrorInfo(reason=reason, domain="meadow_api"))
    if delay is not None:
        nanos = int(delay * 1e9)
        status.details.add().Pack(error_details_pb2.RetryInfo(retry_delay=Duration(nanos=nanos)))
    return ((errors.STATUS_KEY, status.SerializeToString()),)


def test_a_refusal_is_not_repeated(channel: grpc_testing.Channel) -> None:
    """What the service refuses is raised at once: repeating it could only be refused again."""
    call = submitting(channel)
    trailers = _trailers("STALE_VERSION")
    channel.take_unary_unary(SUBMIT)[2].terminate(None, trailers, grpc.StatusCode.ABORTED, "late")
    with pytest.raises(errors.StaleVersion):
        call.result()


@pytest.mark.parametrize("reason", ["RATE_LIMITED", "SERVER_DRAINING", "STORAGE_UNAVAILABLE", "SERVER_DEADLINE"])
def test_a_busy_server_is_asked_again(channel: grpc_testing.Channel, reason: str) -> None:
    """A service that cannot answer now is asked again, after the time that it names if it names one."""
    call = submitting(channel)
    trailers = _trailers(reason, delay=0.002)
    channel.take_unary_unary(SUBMIT)[2].terminate(None, trailers, grpc.StatusCode.UNAVAILABLE, "busy")
    answer = game_service_pb2.SubmitActionResponse(version=4)
    channel.take_unary_unary(SUBMIT)[2].terminate(answer, (), grpc.StatusCode.OK, "")
    assert call.result() == answer


def test_delays_grow_up_to_the_longest() -> None:
    """Each delay lies in the upper half of a value that doubles until it is the longest."""
    delays = list(RetryPolicy(attempts=6, first_delay=1.0, longest_delay=4.0).delays())
    assert len(delays) == 5
    for delay, most in zip(delays, (1, 2, 4, 4, 4), strict=True):
        assert most / 2 <= delay <= most


# ---- watching ----------------------------------------------------------------------------------------------


def update(version: int) -> game_service_pb2.WatchGameResponse:
    """The message about one record."""
    record = game_pb2.GameRecord(version=version)
    return game_service_pb2.WatchGameResponse(update=game_service_pb2.WatchUpdate(record=record))


TERMINAL = game_service_pb2.WatchGameResponse(terminal=game_service_pb2.WatchTerminal())
HEARTBEAT = game_service_pb2.WatchGameResponse(heartbeat=game_service_pb2.WatchHeartbeat(version=1))
DRAINING = game_service_pb2.WatchGameResponse(draining=game_service_pb2.WatchDraining(version=2))


def watching(channel: grpc_testing.Channel, after_version: int | None = None) -> Running:
    """A watch read to its end."""
    client = Client(channel=channel, retry=QUICK)
    return Running(lambda: list(client.watch_game("games/x", after_version=after_version)))


def _after(request: game_service_pb2.WatchGameRequest) -> int | None:
    return request.after_version if request.HasField("after_version") else None


def test_a_broken_watch_goes_on_where_it_stopped(channel: grpc_testing.Channel) -> None:
    """After a break the watch asks for what follows its last version, and hands out no record twice."""
    messages = Client(channel=channel, retry=QUICK).watch_game("games/x")
    step = Running(lambda: [next(messages), next(messages)])
    _, request, rpc = channel.take_unary_stream(WATCH)
    assert _after(request) is None
    snapshot = game_service_pb2.WatchSnapshot(game=game_pb2.Game(version=1))
    beginning = game_service_pb2.WatchGameResponse(snapshot=snapshot)
    for message in (HEARTBEAT, beginning, update(2)):
        rpc.send_response(message)
    assert step.result() == [beginning, update(2)]
    rest = Running(lambda: list(messages))
    rpc.terminate((), grpc.StatusCode.UNAVAILABLE, "gone")
    _, request, rpc = channel.take_unary_stream(WATCH)
    assert _after(request) == 2
    for message in (update(2), update(3), TERMINAL):
        rpc.send_response(message)
    rpc.terminate((), grpc.StatusCode.OK, "")
    assert rest.result() == [update(3), TERMINAL]


@pytest.mark.parametrize("last_words", [[], [DRAINING]])
def test_the_end_of_a_stream_is_not_the_end_of_the_game(
    channel: grpc_testing.Channel, last_words: list[game_service_pb2.WatchGameResponse]
) -> None:
    """A stream that ends without the terminal message, as on a server's shutdown, is resumed."""
    call = watching(channel, after_version=1)
    _, _, rpc = channel.take_unary_stream(WATCH)
    for message in [update(2), *last_words]:
        rpc.send_response(message)
    rpc.terminate((), grpc.StatusCode.OK, "")
    _, request, rpc = channel.take_unary_stream(WATCH)
    assert _after(request) == 2
    rpc.send_response(TERMINAL)
    rpc.terminate((), grpc.StatusCode.OK, "")
    assert call.result() == [update(2), TERMINAL]


def test_a_watch_that_cannot_be_resumed_says_so(channel: grpc_testing.Channel) -> None:
    """When patience ends before the game does, the watch raises instead of ending."""
    call = watching(channel)
    for _ in range(3):
        channel.take_unary_stream(WATCH)[2].terminate((), grpc.StatusCode.UNAVAILABLE, "gone")
    with pytest.raises(errors.StreamBroken):
        call.result()


def test_a_connection_that_brings_anything_restores_patience(channel: grpc_testing.Channel) -> None:
    """A silent game may lose its stream as often as it likes, if each brought a heartbeat."""
    call = watching(channel, after_version=1)
    for _ in range(5):
        rpc = channel.take_unary_stream(WATCH)[2]
        rpc.send_response(HEARTBEAT)
        rpc.terminate((), grpc.StatusCode.OK, "")
    rpc = channel.take_unary_stream(WATCH)[2]
    rpc.send_response(TERMINAL)
    rpc.terminate((), grpc.StatusCode.OK, "")
    assert call.result() == [TERMINAL]


def test_a_watch_may_be_given_up(channel: grpc_testing.Channel) -> None:
    """A watch with an end to its patience raises DeadlineExceeded instead of going on for ever."""
    client = Client(channel=channel, retry=QUICK)
    call = Running(lambda: list(client.watch_game("games/x", give_up_after=0.0)))
    channel.take_unary_stream(WATCH)[2].terminate((), grpc.StatusCode.DEADLINE_EXCEEDED, "late")
    with pytest.raises(errors.DeadlineExceeded):
        call.result()


def test_a_watch_that_is_refused_is_not_resumed(channel: grpc_testing.Channel) -> None:
    """A watch of a game that is not there raises its reason at once."""
    call = watching(channel)
    trailers = _trailers("GAME_NOT_FOUND")
    channel.take_unary_stream(WATCH)[2].terminate(trailers, grpc.StatusCode.NOT_FOUND, "no")
    with pytest.raises(errors.GameNotFound):
        call.result()


def test_leaving_a_watch_cancels_its_stream(channel: grpc_testing.Channel) -> None:
    """Closing the iterator tells the server that nobody watches any more."""
    messages: Iterator[game_service_pb2.WatchGameResponse] = Client(channel=channel).watch_game("games/x")
    first = Running(lambda: next(messages))
    _, _, rpc = channel.take_unary_stream(WATCH)
    rpc.send_response(update(1))
    assert first.result() == update(1)
    messages.close()  # type: ignore[attr-defined]
    rpc.cancelled()
