"""The asyncio twin of `PlayStream`."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Self

import grpc
from meadow_api.v1 import game_service_pb2

from meadow_client import requests
from meadow_client.channel import authorization
from meadow_client.errors import MeadowError, StreamBroken, from_rpc_error, from_status
from meadow_client.messages import Choice
from meadow_client.playing import Request, Response
from meadow_client.requests import FULL, Extras, Format
from meadow_client.retry import RETRIED, RetryPolicy

if TYPE_CHECKING:
    from meadow_api.v1.game_service_pb2_grpc import GameServiceAsyncStub


class AsyncPlayStream:
    """Plays one seat over one stream: `PlayStream`, awaited; made by `AsyncClient.play`.

        async with client.play(name, token=token) as stream:
            turn = await stream.wait()
            while turn.legal_actions.actions:
                await stream.submit(turn.legal_actions.actions[0], expected_version=turn.version)
                turn = await stream.wait()

    One request at a time.
    """

    def __init__(
        self, stub: GameServiceAsyncStub, name: str, token: str, retry: RetryPolicy, is_closed: Callable[[], bool]
    ) -> None:
        self._stub = stub
        self._name = name
        self._metadata = authorization(token)
        self._retry = retry
        self._is_closed = is_closed
        self._call: grpc.aio.StreamStreamCall[Request, Response] | None = None
        self._accepted = False

    async def submit(
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
        return (await self._ask(Request(submit=submission))).submitted

    async def wait(self, *, include_view: bool = True, legal_format: Format = FULL) -> game_service_pb2.PlayTurn:
        """Wait until the seat has to choose or the game has ended. Arguments as in `PlayStream`."""
        return (await self._ask(requests.play_wait(include_view, legal_format))).turn

    async def close(self) -> None:
        """End the stream; the seat and the game stay as they are."""
        if self._call is not None:
            self._call.cancel()
            self._call = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def _ask(self, request: Request) -> Response:
        delays = self._retry.delays()
        while True:
            try:
                return await self._answer(request)
            except RETRIED as failed:
                error: MeadowError = failed
            if self._call is None and self._accepted and request.HasField("wait"):
                # however long it waited on the stream that broke, patience is for what comes now
                delays = self._retry.delays()
            delay = next(delays, None)
            if delay is None or self._is_closed():
                raise error
            await asyncio.sleep(self._retry.pause(error, delay))

    async def _answer(self, request: Request) -> Response:
        try:
            if self._call is None:
                self._accepted = False
                self._call = self._stub.Play(metadata=self._metadata)
                # a write into a stream that is being refused would hide why
                await self._call.wait_for_connection()
                self._accepted = True
            await self._write(self._call, request)
            response = await self._call.read()
        except grpc.RpcError as error:
            await self.close()
            raise from_rpc_error(error) from None
        except BaseException:
            # an answer that nobody waits for any more must not be taken for the next one
            await self.close()
            raise
        if not isinstance(response, Response):
            await self.close()
            raise StreamBroken("the server ended the stream", reason="STREAM_BROKEN")
        if response.HasField("refusal"):
            raise from_status(response.refusal.status)
        return response

    @staticmethod
    async def _write(call: grpc.aio.StreamStreamCall[Request, Response], request: Request) -> None:
        """Write into an open stream; one that is over cannot say why, the next will."""
        try:
            await call.write(request)
        except (grpc.RpcError, asyncio.InvalidStateError):
            raise StreamBroken("the stream ended", reason="STREAM_BROKEN") from None
