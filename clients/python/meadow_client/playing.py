"""A seat's choices and waits over one stream: half the cost of a call for each."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from queue import SimpleQueue
from types import TracebackType
from typing import Protocol, Self

import grpc
from meadow_api.v1 import game_service_pb2
from meadow_api.v1.game_service_pb2_grpc import GameServiceStub

from meadow_client import requests
from meadow_client.channel import authorization
from meadow_client.errors import MeadowError, StreamBroken, from_rpc_error, from_status
from meadow_client.messages import Choice
from meadow_client.requests import FULL, Extras, Format
from meadow_client.retry import RETRIED, RetryPolicy

Request = game_service_pb2.PlayRequest
Response = game_service_pb2.PlayResponse


class _Call(Protocol):
    """What is used of a call with two streams."""

    def __next__(self) -> Response: ...
    def cancel(self) -> bool: ...
    def initial_metadata(self) -> object: ...
    def is_active(self) -> bool: ...


class PlayStream:
    """Plays one seat over one stream; made by `Client.play`, and closed by leaving its `with` block.

        with client.play(name, token=token) as stream:
            turn = stream.wait()
            while turn.legal_actions.actions:
                stream.submit(turn.legal_actions.actions[0], expected_version=turn.version)
                turn = stream.wait()

    Refusals are raised as the exceptions of their reasons, and the stream goes on. When the connection drops or the
    server restarts, the stream is opened again and the request without answer repeated, a choice with its request_id,
    so that it is made once. Not to be shared between threads.
    """

    def __init__(
        self, stub: GameServiceStub, name: str, token: str, retry: RetryPolicy, is_closed: Callable[[], bool]
    ) -> None:
        self._stub = stub
        self._name = name
        self._metadata = authorization(token)
        self._retry = retry
        self._is_closed = is_closed
        self._asked: SimpleQueue[Request | None] = SimpleQueue()
        self._call: _Call | None = None
        self._accepted = False

    def submit(
        self,
        choice: Choice | Sequence[Choice],
        *,
        expected_version: int,
        validate_only: bool = False,
        include_view: bool = False,
        include_legal_actions: bool = False,
        legal_format: Format = FULL,
    ) -> game_service_pb2.SubmitActionResponse:
        """Make a choice; arguments and answer as in `Client.submit_action`."""
        extras = Extras(include_view, include_legal_actions, legal_format)
        submission = requests.submit(self._name, choice, expected_version, extras, validate_only=validate_only)
        return self._ask(Request(submit=submission)).submitted

    def wait(self, *, include_view: bool = True, legal_format: Format = FULL) -> game_service_pb2.PlayTurn:
        """Wait until the seat has to choose or the game has ended.

        Args:
            include_view: answer the view too.
            legal_format: `FULL`, `IDS` or `MASK`.
        """
        return self._ask(requests.play_wait(include_view, legal_format)).turn

    def close(self) -> None:
        """End the stream; the seat and the game stay as they are."""
        if self._call is not None:
            self._asked.put(None)
            self._call.cancel()
            self._call = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _ask(self, request: Request) -> Response:
        delays = self._retry.delays()
        while True:
            try:
                return self._answer(request)
            except RETRIED as failed:
                error: MeadowError = failed
            if self._call is None and self._accepted and request.HasField("wait"):
                # however long it waited on the stream that broke, patience is for what comes now
                delays = self._retry.delays()
            delay = next(delays, None)
            if delay is None or self._is_closed():
                raise error
            time.sleep(self._retry.pause(error, delay))

    def _answer(self, request: Request) -> Response:
        try:
            if self._call is None:
                self._asked = SimpleQueue()
                self._call = self._stub.Play(_until_none(self._asked), metadata=self._metadata)
                self._call.initial_metadata()
                self._accepted = self._call.is_active()
            self._asked.put(request)
            response = next(self._call)
        except grpc.RpcError as error:
            self.close()
            raise from_rpc_error(error) from None
        except StopIteration:
            self.close()
            raise StreamBroken("the server ended the stream", reason="STREAM_BROKEN") from None
        except BaseException:
            # an answer that nobody waits for any more must not be taken for the next one
            self.close()
            raise
        if response.HasField("refusal"):
            raise from_status(response.refusal.status)
        return response


def _until_none(asked: SimpleQueue[Request | None]) -> Iterator[Request]:
    while (request := asked.get()) is not None:
        yield request
