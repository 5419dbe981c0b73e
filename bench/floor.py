"""The floor: a server with an empty handler, on the same transport and loop as the real one. `python bench/floor.py`.

It reads the request as any generated server does and answers an empty message at once, one call at a time or request by
request of a stream. It prints its address.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import grpc
import uvloop
from meadow_api.v1 import game_service_pb2 as pb

SERVICE = "meadow_api.v1.GameService"


async def _empty(request: pb.SubmitActionRequest, _context: Any) -> pb.SubmitActionResponse:
    return pb.SubmitActionResponse(version=request.expected_version + 1)


async def _empty_stream(requests: AsyncIterator[pb.PlayRequest], _context: Any) -> AsyncIterator[pb.PlayResponse]:
    async for request in requests:
        answer = pb.SubmitActionResponse(version=request.submit.expected_version + 1)
        yield pb.PlayResponse(submitted=answer)


async def serve() -> None:
    """Serve until the process is ended."""
    server = grpc.aio.server(options=[("grpc.so_reuseport", 0)])
    unary = grpc.unary_unary_rpc_method_handler(
        _empty,
        request_deserializer=pb.SubmitActionRequest.FromString,
        response_serializer=pb.SubmitActionResponse.SerializeToString,
    )
    stream = grpc.stream_stream_rpc_method_handler(
        _empty_stream,
        request_deserializer=pb.PlayRequest.FromString,
        response_serializer=pb.PlayResponse.SerializeToString,
    )
    handlers: dict[str, Any] = {"SubmitAction": unary, "Play": stream}
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(SERVICE, handlers),))
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    print(f"127.0.0.1:{port}", flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    uvloop.run(serve())
