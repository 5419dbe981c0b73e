"""A client that keeps to HTTP/2 and to nothing else: it begins requests and does not end them, or floods."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

from h2.config import H2Configuration
from h2.connection import H2Connection
from h2.events import DataReceived, Event, ResponseReceived, StreamEnded, StreamReset, TrailersReceived

READ_BYTES = 1 << 16


def frame(body: bytes, *, compressed: bool = False, length: int | None = None) -> bytes:
    """A message as gRPC frames it; with another length than it has, if one is given."""
    return bytes([compressed]) + (len(body) if length is None else length).to_bytes(4, "big") + body


@dataclass
class RawClient:
    """One connection.

    Attributes:
        trailers: what each stream was ended with.
        ended: the streams that are over, by an end or a reset.
    """

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    h2: H2Connection
    trailers: dict[int, dict[str, str]] = field(default_factory=dict)
    ended: set[int] = field(default_factory=set)
    data: dict[int, int] = field(default_factory=dict)
    closed: bool = False

    def begin(self, path: str, **more: str) -> int:
        """Send the headers of a call; answers its stream."""
        stream = self.h2.get_next_available_stream_id()
        headers = {
            ":method": "POST",
            ":scheme": "http",
            ":path": path,
            ":authority": "meadow",
            "content-type": "application/grpc",
            "te": "trailers",
            **{name.replace("_", "-"): value for name, value in more.items()},
        }
        self.h2.send_headers(stream, list(headers.items()))
        return stream

    async def send(self, stream: int, data: bytes, *, end: bool = False) -> None:
        """Send data on a stream, as far as the server lets it within a short while; a call of this kind may stall."""
        while data and not self.closed and stream not in self.ended:
            size = min(len(data), self.h2.local_flow_control_window(stream), self.h2.max_outbound_frame_size)
            if size <= 0:
                if not await self.read(0.5):
                    return
                continue
            self.h2.send_data(stream, data[:size], end_stream=end and size == len(data))
            data = data[size:]
            await self.flush()

    async def flush(self) -> None:
        """Send what there is to send."""
        self.writer.write(self.h2.data_to_send())
        with contextlib.suppress(ConnectionError):
            await self.writer.drain()

    async def read(self, seconds: float) -> bool:
        """Take in what the server sends, waiting at most so long; False if nothing came."""
        try:
            raw = await asyncio.wait_for(self.reader.read(READ_BYTES), seconds)
        except TimeoutError:
            return False
        except ConnectionError:
            raw = b""
        if not raw:
            self.closed = True
            return False
        # streams that were reset here may still be answered
        for event in self.h2.receive_data(raw):
            self._take(event)
        await self.flush()
        return True

    async def until_ended(self, streams: set[int]) -> None:
        """Read until the server has ended these streams, or the connection."""
        while not (self.closed or streams <= self.ended):
            await self.read(1)

    def _take(self, event: Event) -> None:
        if isinstance(event, TrailersReceived | ResponseReceived):
            # a refusal comes in one frame, the last one being what counts
            self.trailers[event.stream_id] = {str(name): str(value) for name, value in event.headers}
        elif isinstance(event, DataReceived):
            self.data[event.stream_id] = self.data.get(event.stream_id, 0) + len(event.data or b"")
        elif isinstance(event, StreamEnded | StreamReset):
            self.ended.add(event.stream_id)


@contextlib.asynccontextmanager
async def raw_client(address: str) -> AsyncIterator[RawClient]:
    """A connection to a server."""
    host, _, port = address.rpartition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    client = RawClient(reader, writer, H2Connection(H2Configuration(header_encoding="utf-8")))
    client.h2.initiate_connection()
    await client.flush()
    await client.read(5)
    try:
        yield client
    finally:
        writer.close()
        with contextlib.suppress(ConnectionError):
            await writer.wait_closed()
