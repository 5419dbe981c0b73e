"""One call or stream, with its token, its deadline, its retries and its errors."""

from __future__ import annotations

import time
from collections.abc import Generator
from types import TracebackType
from typing import Self, TypeVar

import grpc
from google.protobuf.message import Message
from meadow_api.v1 import game_service_pb2, game_service_pb2_grpc

from meadow_client.channel import CALL_TIMEOUT, CHANNEL_OPTIONS, authorization
from meadow_client.errors import from_rpc_error
from meadow_client.retry import RETRIED, RetryPolicy
from meadow_client.watching import Cursor

Req = TypeVar("Req", bound=Message)
Res = TypeVar("Res", bound=Message)


class Caller:
    """The connection that `Client` calls through; arguments as there."""

    def __init__(
        self,
        address: str = "",
        *,
        token: str = "",
        credentials: grpc.ChannelCredentials | None = None,
        timeout: float = CALL_TIMEOUT,
        retry: RetryPolicy | None = None,
        channel: grpc.Channel | None = None,
    ) -> None:
        if channel is None and credentials is None:
            channel = grpc.insecure_channel(address, options=CHANNEL_OPTIONS)
        elif channel is None and credentials is not None:
            channel = grpc.secure_channel(address, credentials, options=CHANNEL_OPTIONS)
        assert channel is not None  # noqa: S101 (for the type checker)
        self.address = address
        self.token = token
        self.timeout = timeout
        self.retry = retry or RetryPolicy()
        self._channel = channel
        self._closed = False
        self._stub = game_service_pb2_grpc.GameServiceStub(channel)

    def close(self) -> None:
        """Close the connection; open watches end."""
        self._closed = True
        self._channel.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _token(self, token: str | None) -> str:
        return self.token if token is None else token

    def _call(
        self,
        method: grpc.UnaryUnaryMultiCallable[Req, Res],
        request: Req,
        token: str | None = None,
        seconds: float | None = None,
    ) -> Res:
        metadata = authorization(self._token(token))
        delays = self.retry.delays()
        while True:
            try:
                return method(request, timeout=seconds or self.timeout, metadata=metadata)
            except grpc.RpcError as failed:
                error = from_rpc_error(failed)
            delay = next(delays, None)
            if delay is None or self._closed or not isinstance(error, RETRIED):
                raise error
            time.sleep(self.retry.pause(error, delay))

    def _stream(self, cursor: Cursor, token: str | None) -> Generator[game_service_pb2.WatchGameResponse, None, None]:
        metadata = authorization(self._token(token))
        call = self._stub.WatchGame(cursor.next_request(), timeout=cursor.seconds_left, metadata=metadata)
        try:
            for message in call:
                if cursor.take(message):
                    yield message
        except grpc.RpcError as error:
            raise from_rpc_error(error) from None
        finally:
            call.cancel()
