"""From bytes to handler and back: the one place where requests are parsed and errors become statuses.

Generated handlers answer broken bytes with UNKNOWN and the parser's text, and uncaught exceptions send their message to
the client. So requests arrive here as bytes, and whatever is not foreseen leaves as a fixed text.
"""

from __future__ import annotations

import asyncio
import inspect
import secrets
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Mapping
from typing import Any, NoReturn, Protocol, TypeVar

import grpc
import structlog
from google.protobuf.message import DecodeError, Message
from grpc_status import rpc_status  # type: ignore[import-untyped]
from meadow_engine.api import EngineError

from meadow_server.auth import read_token
from meadow_server.errors import ApiError, draining, from_engine, internal_fault, over_limit
from meadow_server.limits import Limits
from meadow_server.store.base import StoreUnavailable
from meadow_server.tokens import Mint, Token

log = structlog.get_logger()
M = TypeVar("M", bound=Message)
FAULT_BYTES = 6
REQUEST_CHARS = 8
"""How much of a request id is logged: enough to find a call, too little to repeat it."""


class Call:
    """One call, as a handler sees it.

    Attributes:
        method: its name.
    """

    __slots__ = ("_context", "_mint", "method")

    def __init__(self, context: Any, method: str, mint: Mint) -> None:
        self._context = context
        self._mint = mint
        self.method = method

    def token(self) -> Token | None:
        """The caller's token; see `auth.read_token`."""
        metadata: Iterable[tuple[str, str | bytes]] = self._context.invocation_metadata() or ()
        return read_token(metadata, self._mint)

    def needed_token(self) -> Token:
        """The caller's token.

        Raises:
            ApiError: it carries none, or not a genuine one.
        """
        token = self.token()
        if token is None:
            raise ApiError("TOKEN_MISSING", "this call needs a token: authorization: Bearer TOKEN")
        return token

    def address(self) -> str:
        """The caller's network address, without port."""
        peer: str = self._context.peer() or ""
        return peer.rpartition(":")[0] if peer.startswith(("ipv4:", "ipv6:")) else peer

    async def send(self, message: bytes) -> None:
        """Send a message of a stream; waits while the client does not read."""
        await self._context.write(message)


class Parser(Protocol):
    """Makes a request of bytes, or refuses them."""

    def __call__(self, raw: bytes, request_class: type[M]) -> M:
        """The request; ApiError if the bytes are none, or too many."""


class Dialogue(Call):
    """One call with a stream of requests, as a handler sees it.

    Attributes:
        deadline: enter it for one request that must not take longer than a unary call may.
    """

    __slots__ = ("_parse", "deadline")

    def __init__(self, context: Any, method: str, mint: Mint, deadline: Deadlines, parse: Parser) -> None:
        super().__init__(context, method, mint)
        self._parse = parse
        self.deadline = deadline

    async def accept(self) -> None:
        """Tell the client that its stream is open, before any answer: until then it may still be refused."""
        await self._context.send_initial_metadata(())

    async def receive(self, request_class: type[M]) -> M | None:
        """The next request; None when the client has sent its last.

        Raises:
            ApiError: it is too large, or no message of the class.
        """
        raw = await self._context.read()
        return None if raw is grpc.aio.EOF else self._parse(raw, request_class)


Unary = Callable[[Call, Any], Awaitable[Message | bytes]]
Stream = Callable[[Call, Any], Awaitable[None]]
Duplex = Callable[[Dialogue], Awaitable[None]]


class Transport:
    """Turns handlers of messages into gRPC's handlers of bytes."""

    def __init__(self, mint: Mint, limits: Limits, draining: asyncio.Event) -> None:
        self._mint = mint
        self._draining = draining
        self._max_bytes = limits.message_bytes
        self._deadlines = Deadlines(limits.deadline_seconds)

    def watch_deadlines(self) -> Coroutine[Any, Any, None]:
        """What has to run beside the server, to give up calls that take too long."""
        return self._deadlines.watch()

    def unary(self, method: str, request_class: type[Message], handler: Unary) -> grpc.RpcMethodHandler[Any, Any]:
        """A call with one answer, which is given up at the server's own deadline."""

        async def serve(raw: bytes, context: Any) -> bytes:
            request = None
            try:
                request = self._parsed(raw, request_class)
                with self._deadlines:
                    response = await handler(Call(context, method, self._mint), request)
                return response if isinstance(response, bytes) else response.SerializeToString()
            except Exception as error:  # noqa: BLE001 (every error becomes a status)
                await refuse(context, method, error, request)

        return grpc.unary_unary_rpc_method_handler(serve)

    def stream(self, method: str, request_class: type[Message], handler: Stream) -> grpc.RpcMethodHandler[Any, Any]:
        """A call with a stream of answers."""

        async def serve(raw: bytes, context: Any) -> None:
            request = None
            try:
                request = self._parsed(raw, request_class)
                await handler(Call(context, method, self._mint), request)
            except Exception as error:  # noqa: BLE001 (every error becomes a status)
                await refuse(context, method, error, request)

        return grpc.unary_stream_rpc_method_handler(serve)

    def duplex(self, method: str, handler: Duplex) -> grpc.RpcMethodHandler[Any, Any]:
        """A call with a stream of requests and a stream of answers."""

        async def serve(_requests: Any, context: Any) -> None:
            try:
                await handler(Dialogue(context, method, self._mint, self._deadlines, self._sized))
            except Exception as error:  # noqa: BLE001 (every error becomes a status)
                await refuse(context, method, error)

        return grpc.stream_stream_rpc_method_handler(serve)

    def _parsed(self, raw: bytes, request_class: type[M]) -> M:
        if self._draining.is_set():
            raise draining()
        return self._sized(raw, request_class)

    def _sized(self, raw: bytes, request_class: type[M]) -> M:
        if len(raw) > self._max_bytes:
            message = f"the request has {len(raw)} bytes; at most {self._max_bytes} are read"
            raise over_limit("message_bytes", self._max_bytes, message, "MESSAGE_TOO_LARGE")
        return parse(raw, request_class)


class Deadlines:
    """Cancels calls that take too long: one look at all of them now and then, as a timer for each would cost more.

    Enter it in the task of a call; on leaving, a call that was given up is refused.
    """

    LOOK_SECONDS = 0.5

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._ends: dict[asyncio.Task[Any] | None, float] = {}
        self._overdue: set[asyncio.Task[Any] | None] = set()

    def __enter__(self) -> None:
        self._ends[asyncio.current_task()] = time.monotonic() + self._seconds

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        task = asyncio.current_task()
        del self._ends[task]
        if task in self._overdue:
            self._overdue.discard(task)
            if task is not None and kind is asyncio.CancelledError:
                task.uncancel()
                raise ApiError("SERVER_DEADLINE", "the server gave the call up after its own time limit") from None

    async def watch(self) -> None:
        """Look at the calls for ever."""
        while True:
            await asyncio.sleep(self.LOOK_SECONDS)
            self.look(time.monotonic())

    def look(self, now: float) -> None:
        """Cancel the calls whose time is over."""
        for task, ends in list(self._ends.items()):
            if ends < now and task is not None:
                self._overdue.add(task)
                task.cancel()


def parse(raw: bytes, request_class: type[M]) -> M:
    """The message in the bytes.

    Raises:
        ApiError: they are none.
    """
    try:
        return request_class.FromString(raw)
    except DecodeError:
        raise ApiError("MALFORMED_REQUEST", f"the bytes are no {request_class.DESCRIPTOR.name}") from None


def api_error(method: str, error: Exception, request: Any = None) -> ApiError:
    """What the client hears of an error; what was not foreseen is logged under a number that the client hears too."""
    match error:
        case ApiError():
            return error
        case EngineError():
            known = from_engine(error)
        case StoreUnavailable():
            known = ApiError("STORAGE_UNAVAILABLE", "the journal cannot be reached now; repeat the call")
        case _:
            known = internal_fault()
    if known.reason == "INTERNAL_FAULT":
        fault = secrets.token_hex(FAULT_BYTES)
        known.metadata["fault"] = fault
        told = {"game": getattr(request, "name", ""), "request": getattr(request, "request_id", "")[:REQUEST_CHARS]}
        log.error("fault", method=method, fault=fault, **told, exc_info=error)
    return known


async def refuse(context: Any, method: str, error: Exception, request: Any = None) -> NoReturn:
    """End a call with an error's status."""
    status = rpc_status.to_status(api_error(method, error, request).status())
    await context.abort(status.code, status.details, status.trailing_metadata)
    raise AssertionError("abort raises")


class SafeService:
    """Stands in for the server when a generated `add_..._to_server` registers a service, such as health or reflection.

    Keeps the handlers, and gives back ones that read requests the way ours do: a broken one is INVALID_ARGUMENT.
    """

    def __init__(self) -> None:
        self.services: dict[str, dict[str, grpc.RpcMethodHandler[Any, Any]]] = {}

    def add_generic_rpc_handlers(self, handlers: object) -> None:
        """Called by generated code; the other form of registration says the same."""

    def add_registered_method_handlers(
        self, service: str, handlers: Mapping[str, grpc.RpcMethodHandler[Any, Any]]
    ) -> None:
        """Called by generated code."""
        self.services[service] = {name: _safe(f"{service}/{name}", handler) for name, handler in handlers.items()}

    def add_to(self, server: grpc.aio.Server) -> None:
        """Register what was kept."""
        for service, handlers in self.services.items():
            server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(service, handlers),))


def _safe(method: str, handler: Any) -> Any:
    """The same handler, reading its requests by `parse`; streams of requests are left as they are read, one by one."""
    read = handler.request_deserializer
    if handler.request_streaming:
        return handler._replace(request_deserializer=_lenient(read), stream_stream=_ends_at_broken(method, handler))
    name = "unary_stream" if handler.response_streaming else "unary_unary"
    inner = getattr(handler, name)

    async def unary(raw: bytes, context: Any) -> Any:
        request = await _read(method, read, raw, context)
        return await inner(request, context)

    async def stream(raw: bytes, context: Any) -> Any:
        request = await _read(method, read, raw, context)
        async for response in inner(request, context):
            yield response

    # a handler may yield its answers, or write them and answer nothing
    outer = stream if inspect.isasyncgenfunction(inner) else unary
    return handler._replace(request_deserializer=None, **{name: outer})


async def _read(method: str, read: Callable[[bytes], Any], raw: bytes, context: Any) -> Any:
    try:
        return read(raw)
    except DecodeError:
        await refuse(context, method, ApiError("MALFORMED_REQUEST", "the bytes are no message of the expected type"))


def _lenient(read: Callable[[bytes], Any]) -> Callable[[bytes], Any]:
    def lenient(raw: bytes) -> Any:
        try:
            return read(raw)
        except DecodeError:
            return None

    return lenient


def _ends_at_broken(method: str, handler: Any) -> Any:
    inner = handler.stream_stream

    async def serve(requests: Any, context: Any) -> Any:
        async def readable() -> Any:
            async for request in requests:
                if request is None:
                    await refuse(context, method, ApiError("MALFORMED_REQUEST", "the bytes are no message"))
                yield request

        async for response in inner(readable(), context):
            yield response

    return serve
