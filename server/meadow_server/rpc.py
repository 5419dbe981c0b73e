"""From bytes to handler and back: the one place where requests are parsed and errors become statuses.

Generated handlers answer broken bytes with UNKNOWN and the parser's text, and uncaught exceptions send their message to
the client. So requests arrive here as bytes, and whatever is not foreseen leaves as a fixed text.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, NoReturn, Protocol, TypeVar

import grpc
import structlog
from google.protobuf.message import DecodeError, Message
from grpc_status import rpc_status  # type: ignore[import-untyped]
from meadow_engine.api import EngineError

from meadow_server.auth import Keyring
from meadow_server.errors import ApiError, draining, from_engine, internal_fault, over_limit
from meadow_server.gate import Gate
from meadow_server.limits import Limits
from meadow_server.metrics import Metrics
from meadow_server.store.base import StoreUnavailable
from meadow_server.tokens import Token

log = structlog.get_logger()
M = TypeVar("M", bound=Message)
OK = grpc.StatusCode.OK.name
CANCELLED = grpc.StatusCode.CANCELLED.name
FAULT_BYTES = 6
REQUEST_CHARS = 8
"""How much of a request id is logged: enough to find a call, too little to repeat it."""


class Call:
    """One call, as a handler sees it.

    Attributes:
        method: its name.
        origin: where it comes from.
        request: its message, once that is read.
    """

    __slots__ = ("_context", "_gate", "_keyring", "method", "origin", "request")

    def __init__(self, context: Any, method: str, keyring: Keyring, gate: Gate) -> None:
        self._context = context
        self._keyring = keyring
        self._gate = gate
        self.method = method
        self.origin = gate.origin(context.peer() or "", context.invocation_metadata() or ())
        self.request: Any = None

    def token(self) -> Token | None:
        """The caller's token; see `Keyring.read`."""
        return self._keyring.read(self.origin.authorization)

    def needed_token(self) -> Token:
        """The caller's token.

        Raises:
            ApiError: it carries none, or not a genuine one.
        """
        token = self.token()
        if token is None:
            raise ApiError("TOKEN_MISSING", "this call needs a token: authorization: Bearer TOKEN")
        return token

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

    def __init__(
        self, context: Any, method: str, keyring: Keyring, gate: Gate, deadline: Deadlines, parse: Parser
    ) -> None:
        super().__init__(context, method, keyring, gate)
        self._parse = parse
        self.deadline = deadline

    async def accept(self) -> None:
        """Tell the client that its stream is open, before any answer: until then it may still be refused."""
        await self._context.send_initial_metadata(())

    async def receive(self, request_class: type[M]) -> M | None:
        """The next request; None when the client has sent its last. One that comes too soon waits.

        Raises:
            ApiError: it is too large, or no message of the class.
        """
        raw = await self._context.read()
        if raw is grpc.aio.EOF:
            return None
        if wait := self._gate.pace(self.origin):
            await asyncio.sleep(wait)
        return self._parse(raw, request_class)


Unary = Callable[[Call, Any], Awaitable[Message | bytes]]
Stream = Callable[[Call, Any], Awaitable[None]]
Duplex = Callable[[Dialogue], Awaitable[None]]


class Transport:
    """Turns handlers of messages into gRPC's handlers of bytes.

    To gRPC all of them take streams of requests, of which they read one: on the wire there is no difference, but of a
    call whose one request never comes gRPC would not tell, and never end it.
    """

    def __init__(self, keyring: Keyring, gate: Gate, metrics: Metrics, limits: Limits, draining: asyncio.Event) -> None:
        self._keyring = keyring
        self._gate = gate
        self._metrics = metrics
        self._draining = draining
        self._max_bytes = limits.message_bytes
        self._deadlines = Deadlines(limits.deadline_seconds)

    def watch_deadlines(self) -> Coroutine[Any, Any, None]:
        """What has to run beside the server, to give up calls that take too long."""
        return self._deadlines.watch()

    def unary(self, method: str, request_class: type[Message], handler: Unary) -> grpc.RpcMethodHandler[Any, Any]:
        """A call with one answer, which is given up at the server's own deadline."""

        async def serve(_requests: Any, context: Any) -> bytes:
            began = time.perf_counter()
            call = Call(context, method, self._keyring, self._gate)
            try:
                self._gate.admit(call.origin)
                with self._deadlines:
                    call.request = request = self._parsed(await read_request(context), request_class)
                    response = await handler(call, request)
                answer = response if isinstance(response, bytes) else response.SerializeToString()
            except asyncio.CancelledError:
                self._metrics.answered(method, CANCELLED, time.perf_counter() - began)
                raise
            except Exception as error:  # noqa: BLE001 (every error becomes a status)
                known = api_error(method, error, call.request)
                self._metrics.answered(method, known.code.name, time.perf_counter() - began)
                await refuse(context, known)
            self._metrics.answered(method, OK, time.perf_counter() - began)
            return answer

        return grpc.stream_unary_rpc_method_handler(serve)

    def stream(self, method: str, request_class: type[Message], handler: Stream) -> grpc.RpcMethodHandler[Any, Any]:
        """A call with a stream of answers."""

        async def serve(_requests: Any, context: Any) -> None:
            call = Call(context, method, self._keyring, self._gate)

            async def work() -> None:
                self._gate.admit(call.origin)
                call.request = self._parsed(await self.receive(context), request_class)
                await handler(call, call.request)

            await self._stream(call, context, work)

        return grpc.stream_stream_rpc_method_handler(serve)

    def duplex(self, method: str, handler: Duplex) -> grpc.RpcMethodHandler[Any, Any]:
        """A call with a stream of requests and a stream of answers."""

        def parsed(raw: bytes, request_class: type[M]) -> M:
            self._metrics.heard(method)
            return self._sized(raw, request_class)

        async def serve(_requests: Any, context: Any) -> None:
            call = Dialogue(context, method, self._keyring, self._gate, self._deadlines, parsed)

            async def work() -> None:
                self._gate.admit(call.origin)
                await handler(call)

            await self._stream(call, context, work)

        return grpc.stream_stream_rpc_method_handler(serve)

    async def receive(self, context: Any) -> bytes:
        """The one request of a call.

        Raises:
            ApiError: it does not come in time, or not at all.
        """
        with self._deadlines:
            return await read_request(context)

    async def _stream(self, call: Call, context: Any, work: Callable[[], Awaitable[None]]) -> None:
        """Run a stream in a place of its own, and count how it ends."""
        try:
            with self._gate.stream(call.origin):
                await work()
        except asyncio.CancelledError:
            self._metrics.answered(call.method, CANCELLED)
            raise
        except Exception as error:  # noqa: BLE001 (every error becomes a status)
            known = api_error(call.method, error, call.request)
            self._metrics.answered(call.method, known.code.name)
            await refuse(context, known)
        self._metrics.answered(call.method, OK)

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


async def read_request(context: Any) -> bytes:
    """The bytes of a call's one request.

    Raises:
        ApiError: the client ended its side without any.
    """
    raw = await context.read()
    if raw is grpc.aio.EOF:
        raise ApiError("MALFORMED_REQUEST", "the call has no request")
    return bytes(raw)


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


async def refuse(context: Any, error: ApiError) -> NoReturn:
    """End a call with an error's status."""
    status = rpc_status.to_status(error.status())
    await context.abort(status.code, status.details, status.trailing_metadata)
    raise AssertionError("abort raises")
