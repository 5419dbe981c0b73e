"""Services of libraries, such as health and reflection, which read their requests the way ours do."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

import grpc
from google.protobuf.message import DecodeError

from meadow_server.errors import ApiError
from meadow_server.rpc import Transport, refuse


class SafeService:
    """Stands in for the server when a generated `add_..._to_server` registers a service, such as health or reflection.

    Keeps the handlers, and gives back ones that read requests the way ours do: a broken one is INVALID_ARGUMENT.
    """

    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self.services: dict[str, dict[str, grpc.RpcMethodHandler[Any, Any]]] = {}

    def add_generic_rpc_handlers(self, handlers: object) -> None:
        """Called by generated code; the other form of registration says the same."""

    def add_registered_method_handlers(
        self, service: str, handlers: Mapping[str, grpc.RpcMethodHandler[Any, Any]]
    ) -> None:
        """Called by generated code."""
        self.services[service] = {name: _safe(handler, self._transport) for name, handler in handlers.items()}

    def add_to(self, server: grpc.aio.Server) -> None:
        """Register what was kept."""
        for service, handlers in self.services.items():
            server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(service, handlers),))


def _safe(handler: Any, transport: Transport) -> Any:
    """The same handler, reading its requests by `parse`; streams of requests are left as they are read, one by one."""
    read = handler.request_deserializer
    if handler.request_streaming:
        return handler._replace(request_deserializer=_lenient(read), stream_stream=_ends_at_broken(handler))
    name = "unary_stream" if handler.response_streaming else "unary_unary"
    inner = getattr(handler, name)

    async def request(context: Any) -> Any:
        try:
            return read(await transport.receive(context))
        except DecodeError:
            await refuse(context, ApiError("MALFORMED_REQUEST", "the bytes are no message of the expected type"))
        except ApiError as error:
            await refuse(context, error)

    async def unary(_requests: Any, context: Any) -> Any:
        return await inner(await request(context), context)

    async def stream(_requests: Any, context: Any) -> Any:
        async for response in inner(await request(context), context):
            yield response

    # a handler may yield its answers, or write them and answer nothing
    outer = stream if inspect.isasyncgenfunction(inner) else unary
    streaming = "stream_stream" if handler.response_streaming else "stream_unary"
    return handler._replace(request_deserializer=None, request_streaming=True, **{name: None, streaming: outer})


def _lenient(read: Callable[[bytes], Any]) -> Callable[[bytes], Any]:
    def lenient(raw: bytes) -> Any:
        try:
            return read(raw)
        except DecodeError:
            return None

    return lenient


def _ends_at_broken(handler: Any) -> Any:
    inner = handler.stream_stream

    async def serve(requests: Any, context: Any) -> Any:
        async def readable() -> Any:
            async for request in requests:
                if request is None:
                    await refuse(context, ApiError("MALFORMED_REQUEST", "the bytes are no message"))
                yield request

        async for response in inner(readable(), context):
            yield response

    return serve
