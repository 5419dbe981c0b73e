"""Requests that nobody in their right mind sends: whatever comes, the answer is a published refusal, or an answer."""

from __future__ import annotations

import asyncio
import os
import random
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message
from hypothesis import given, settings
from hypothesis import strategies as st
from meadow_api.v1 import common_pb2
from meadow_api.v1 import game_service_pb2 as pb
from meadow_server import errors

from tests.server.harness import AsyncStub, Host, Table, bearer, hosted, lasting, new_table, refusal_of

SERVICE = pb.DESCRIPTOR.services_by_name["GameService"]
METHODS = [method.name for method in SERVICE.methods]
FORBIDDEN = {"INTERNAL_FAULT", ""}
EXAMPLES = int(os.environ.get("MEADOW_FUZZ_EXAMPLES", "60"))

_NUMBERS = {
    FieldDescriptor.TYPE_INT32: (-(2**31), 2**31 - 1),
    FieldDescriptor.TYPE_SINT32: (-(2**31), 2**31 - 1),
    FieldDescriptor.TYPE_INT64: (-(2**63), 2**63 - 1),
    FieldDescriptor.TYPE_UINT32: (0, 2**32 - 1),
    FieldDescriptor.TYPE_ENUM: (-3, 40),
}


def numbers(kind: int) -> st.SearchStrategy[int]:
    """Numbers of a field's type, small ones more often."""
    low, high = _NUMBERS[kind]
    return st.one_of(st.integers(max(low, 0), 12), st.sampled_from([low, high]), st.integers(low, high))


def values(field: FieldDescriptor, depth: int, known: dict[str, list[Any]]) -> st.SearchStrategy[Any]:
    """Values of one field; where the name says what would make sense, often that."""
    if field.type == FieldDescriptor.TYPE_MESSAGE:
        return messages(field.message_type, depth - 1, known)
    if field.type == FieldDescriptor.TYPE_BOOL:
        return st.booleans()
    if field.type == FieldDescriptor.TYPE_STRING:
        plain: st.SearchStrategy[Any] = st.text(max_size=80)
    elif field.type == FieldDescriptor.TYPE_BYTES:
        plain = st.one_of(st.binary(max_size=40), st.binary(min_size=32, max_size=32))
    else:
        plain = numbers(field.type)
    likely = known.get(field.name)
    return st.one_of(st.sampled_from(likely), st.sampled_from(likely), plain) if likely else plain


@st.composite
def messages(draw: st.DrawFn, descriptor: Any, depth: int, known: dict[str, list[Any]]) -> dict[str, Any]:
    """Field values of a message, as the constructor takes them; at most one member of each oneof."""
    chosen: dict[str, Any] = {}
    used = set()
    for field in descriptor.fields:
        oneof = field.containing_oneof.name if field.containing_oneof is not None else None
        if oneof in used or (field.type == FieldDescriptor.TYPE_MESSAGE and depth <= 0):
            continue
        if not draw(st.integers(0, 3)) and field.name not in {"name", "variant"}:
            continue
        value = values(field, depth, known)
        chosen[field.name] = draw(st.lists(value, max_size=4) if field.is_repeated else value)
        used.add(oneof)
        used.discard(None)
    return chosen


def request_class(method: str) -> type[Message]:
    """The request message of a method."""
    found: type[Message] = getattr(pb, SERVICE.methods_by_name[method].input_type.name)
    return found


def raw(host: Host, path: str) -> Any:
    """A call of bytes."""
    return host.channel.unary_unary(path)


def raw_stream(host: Host, path: str) -> Any:
    """A call of bytes that is answered with a stream."""
    return host.channel.unary_stream(path)


class Target:
    """A server with games to aim at, and what is said about them."""

    def __init__(self, host: Host, tables: list[Table]) -> None:
        self.host = host
        self.tables = tables
        self.tokens = [None, *(t.created.host_token for t in tables), *(x for t in tables for x in t.tokens.values())]
        self.known: dict[str, list[Any]] = {
            "name": [table.name for table in tables],
            "variant": ["spring_meadow", "spring_meadow_solo", "meadow", "meadow_solo"],
            "request_id": ["", "6f0f2a5e-8f0b-4d0e-9b53-0f6f6c3a2b11"],
            "join_code": [table.created.join_code for table in tables],
            "bot": ["random", "greedy"],
            "fill_bot": ["random"],
            "pack": ["original"],
            "expected_version": [0, 1, 2, 3],
        }

    async def send(self, method: str, body: bytes, token: str | None) -> str:
        """Send bytes as a request; answers the reason of a refusal, or OK."""
        metadata = None if token is None else bearer(token)
        path = f"/{SERVICE.full_name}/{method}"
        try:
            if method == "WatchGame":
                stream = raw_stream(self.host, path)(body, metadata=metadata, timeout=20)
                await stream.read()
                stream.cancel()
            else:
                await raw(self.host, path)(body, metadata=metadata, timeout=20)
        except grpc.RpcError as error:
            refusal = refusal_of(error)
            assert refusal.reason not in FORBIDDEN, f"{method}: {refusal.code} {refusal.message}"
            assert refusal.code is errors.CODE_OF_REASON[refusal.reason]
            return refusal.reason
        return "OK"


async def aim(host: Host) -> Target:
    """Games in every state."""
    tables = [await new_table(host.stub) for _ in range(2)]
    await tables[0].play(3)
    tables.append(await new_table(host.stub, pb.SeatSpec(kind=common_pb2.SEAT_KIND_RESERVED), pb.SeatSpec()))
    tables.append(await new_table(host.stub, visibility=common_pb2.VISIBILITY_PRIVATE))
    tables.append(await new_table(host.stub, variant="meadow"))
    aborted = await new_table(host.stub)
    await host.stub.AbortGame(pb.AbortGameRequest(name=aborted.name), metadata=aborted.host)
    return Target(host, [*tables, aborted])


@pytest.mark.parametrize("method", METHODS)
def test_valid_messages_of_any_content(method: str, tmp_path: Path) -> None:
    """Any message of the right type is answered or refused by a published reason."""
    with asyncio.Runner() as runner:
        context = hosted(tmp_path, wait_for_turn_seconds=0)
        host = runner.run(context.__aenter__())
        target = runner.run(aim(host))

        @settings(max_examples=EXAMPLES)
        @given(fields=messages(request_class(method).DESCRIPTOR, 4, target.known), token=st.sampled_from(target.tokens))
        def attack(fields: dict[str, Any], token: str | None) -> None:
            request = request_class(method)(**fields)
            runner.run(target.send(method, request.SerializeToString(), token))

        attack()
        runner.run(context.__aexit__(None, None, None))


async def test_broken_bytes(host: Host) -> None:
    """Bytes that are no message, and messages with bits flipped or cut off, are refused or answered, never a fault."""
    target = await aim(host)
    before = [lasting(await table.game()) for table in target.tables]
    chance = random.Random(5)
    reasons = set()
    for method in METHODS:
        sample = request_class(method)()
        for field in sample.DESCRIPTOR.fields:
            if field.name in target.known and not field.is_repeated and field.type == FieldDescriptor.TYPE_STRING:
                setattr(sample, field.name, target.known[field.name][0])
        good = sample.SerializeToString()
        bodies = [chance.randbytes(chance.randrange(40)) for _ in range(6)]
        bodies += [good[: chance.randrange(len(good) + 1)] + b"\xff" for _ in range(3)]
        bodies += [flipped(good, chance) for _ in range(8) if good]
        # a string field that is not UTF-8, a group that never ends, a length beyond the end
        bodies += [b"\x0a\x02\xff\xfe", b"\x0b" * 20, b"\x0a\xff\xff\xff\x7f", b"\x12" + b"\x80" * 11]
        for body in bodies:
            reasons.add(await target.send(method, body, chance.choice(target.tokens[:1])))
    assert "MALFORMED_REQUEST" in reasons
    assert [lasting(await table.game()) for table in target.tables] == before


def flipped(body: bytes, chance: random.Random) -> bytes:
    """The bytes with one bit changed."""
    place = chance.randrange(len(body))
    return body[:place] + bytes([body[place] ^ 1 << chance.randrange(8)]) + body[place + 1 :]


async def test_oversized_requests(host: Host, table: Table) -> None:
    """A request beyond the limit is refused by name; one far beyond it, by gRPC itself; nothing changes."""
    target = Target(host, [table])
    for method in ("CreateGame", "SubmitAction", "WatchGame"):
        assert await target.send(method, b"\x0a" + b"x" * (1 << 20), None) == "MESSAGE_TOO_LARGE"
    with pytest.raises(grpc.RpcError) as caught:
        await host.stub.CreateGame(pb.CreateGameRequest(variant="x" * (5 << 20)))
    assert caught.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert (await table.game()).version == 1


async def test_deep_nesting(host: Host, stub: AsyncStub) -> None:
    """Messages inside messages inside messages are refused before they can hurt."""
    body = b""
    for _ in range(300):
        body = b"\x1a" + varint(len(body)) + body
    with pytest.raises(grpc.RpcError) as caught:
        await raw(host, f"/{SERVICE.full_name}/SubmitAction")(b"\x2a" + varint(len(body)) + body)
    assert caught.value.code() is not grpc.StatusCode.UNKNOWN
    await stub.GetServerInfo(pb.GetServerInfoRequest())


def varint(number: int) -> bytes:
    """A number as protobuf writes lengths."""
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    return bytes([*out, number])


async def test_unknown_methods(host: Host) -> None:
    """A method that does not exist is unimplemented."""
    with pytest.raises(grpc.RpcError) as caught:
        await raw(host, f"/{SERVICE.full_name}/Cheat")(b"")
    assert caught.value.code() is grpc.StatusCode.UNIMPLEMENTED


@pytest.mark.parametrize("path", ["/grpc.health.v1.Health/Check", "/grpc.health.v1.Health/Watch"])
async def test_broken_bytes_to_health(host: Host, path: str) -> None:
    """The services that are not ours refuse broken bytes the same way."""
    broken = b"\x0a\xff"
    call = raw_stream(host, path)(broken).read() if path.endswith("Watch") else raw(host, path)(broken)
    with pytest.raises(grpc.RpcError) as caught:
        await call
    assert refusal_of(caught.value).reason == "MALFORMED_REQUEST"


async def test_broken_bytes_to_reflection(host: Host) -> None:
    """A stream of requests ends at the first one that is broken."""
    call: Any = host.channel.stream_stream("/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo")()
    await call.write(b"\x0a\xff")
    with pytest.raises(grpc.RpcError) as caught:
        await call.read()
    assert refusal_of(caught.value).reason == "MALFORMED_REQUEST"
