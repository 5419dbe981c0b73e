"""Requests that nobody in their right mind sends: whatever comes, the answer is a published refusal, or an answer."""

from __future__ import annotations

import asyncio
import random
import resource
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf.descriptor import FieldDescriptor
from hypothesis import given, settings
from hypothesis import strategies as st
from meadow_api.v1 import common_pb2
from meadow_api.v1 import game_service_pb2 as pb
from meadow_server import errors

from tests.server.every_call import METHODS, REQUESTS, SERVICE, Aim, Method
from tests.server.harness import AsyncStub, Host, Table, bearer, hosted, lasting, new_table, refusal_of

FORBIDDEN = {"INTERNAL_FAULT", ""}
EXAMPLES, LONG_EXAMPLES = 25, 3000
BROKEN, LONG_BROKEN = 6, 3000

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

    async def send(self, method: Method, bodies: Sequence[bytes], token: str | None) -> str:
        """Send bytes as a request, or as several; answers the reason of a refusal, or OK. A call that hangs fails."""
        metadata = None if token is None else bearer(token)
        try:
            if method.asks:
                await method.converse(self.host.channel, bodies, metadata)
            else:
                await method.first(self.host.channel, bodies[0], metadata)
        except grpc.RpcError as error:
            refusal = refusal_of(error)
            assert refusal.reason not in FORBIDDEN, f"{method.name}: {refusal.code} {refusal.message}"
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


def attack_with_messages(method: Method, folder: Path, examples: int) -> int:
    """Send messages of the right type with any content; answers by how many KiB the process has grown since half."""
    sizes: list[int] = []
    with asyncio.Runner() as runner:
        context = hosted(folder, wait_for_turn_seconds=0)
        host = runner.run(context.__aenter__())
        target = runner.run(aim(host))
        fields = messages(method.request.DESCRIPTOR, 4, target.known)

        @settings(max_examples=examples)
        @given(
            contents=st.lists(fields, min_size=1, max_size=3 if method.asks else 1), who=st.sampled_from(target.tokens)
        )
        def attack(contents: list[dict[str, Any]], who: str | None) -> None:
            bodies = [method.request(**content).SerializeToString() for content in contents]
            runner.run(target.send(method, bodies, who))
            sizes.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)

        attack()
        runner.run(context.__aexit__(None, None, None))
    return sizes[-1] - sizes[len(sizes) // 2]


@pytest.mark.parametrize("method", METHODS.values(), ids=METHODS)
def test_valid_messages_of_any_content(method: Method, tmp_path: Path) -> None:
    """Any message of the right type is answered or refused by a published reason."""
    attack_with_messages(method, tmp_path, EXAMPLES)


@pytest.mark.long
@pytest.mark.parametrize("method", METHODS.values(), ids=METHODS)
def test_thousands_of_valid_messages(method: Method, tmp_path: Path) -> None:
    """The same, for long enough to see memory grow if it did."""
    grown = attack_with_messages(method, tmp_path, LONG_EXAMPLES)
    print(f"\n{method.name}: {LONG_EXAMPLES} messages; memory grew by {grown} KiB in the second half of them")


def broken_bodies(method: Method, target: Target, chance: random.Random, count: int) -> list[bytes]:
    """Bytes that are no message, and messages with a bit flipped or cut off."""
    goods = [request.SerializeToString() for request in REQUESTS[method.name](Aim(target.tables[0].name))]
    goods = [good for good in goods if good]
    bodies = [chance.randbytes(chance.randrange(40)) for _ in range(count)]
    if goods:
        bodies += [cut(chance.choice(goods), chance) + b"\xff" for _ in range(count)]
        bodies += [flipped(chance.choice(goods), chance) for _ in range(count)]
    # a string field that is not UTF-8, a group that never ends, a length beyond the end
    return [*bodies, b"\x0a\x02\xff\xfe", b"\x0b" * 20, b"\x0a\xff\xff\xff\x7f", b"\x12" + b"\x80" * 11]


async def attack_with_bytes(host: Host, seed: int, count: int) -> int:
    """Send broken bytes to every call, as nobody and as a spectator; games are left alone. Answers how many."""
    target, chance, sent, reasons = await aim(host), random.Random(seed), 0, set()
    before = [lasting(await table.game()) for table in target.tables]
    for method in METHODS.values():
        for body in broken_bodies(method, target, chance, count):
            reasons.add(await target.send(method, [body], None))
            sent += 1
    assert "MALFORMED_REQUEST" in reasons
    assert [lasting(await table.game()) for table in target.tables] == before
    return sent


async def test_broken_bytes(host: Host) -> None:
    """Bytes that are no message, and messages with bits flipped or cut off, are refused or answered, never a fault."""
    await attack_with_bytes(host, 5, BROKEN)


@pytest.mark.long
async def test_thousands_of_broken_bytes(host: Host) -> None:
    """The same, for long enough to see memory grow if it did."""
    await attack_with_bytes(host, 6, LONG_BROKEN // 4)
    half = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    sent = await attack_with_bytes(host, 7, LONG_BROKEN)
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - half
    print(f"\n{sent} broken requests: memory grew by {grown} KiB")


def cut(body: bytes, chance: random.Random) -> bytes:
    """The beginning of the bytes."""
    return body[: chance.randrange(len(body) + 1)]


def flipped(body: bytes, chance: random.Random) -> bytes:
    """The bytes with one bit changed."""
    place = chance.randrange(len(body))
    return body[:place] + bytes([body[place] ^ 1 << chance.randrange(8)]) + body[place + 1 :]


async def test_oversized_requests(host: Host, table: Table) -> None:
    """A request beyond the limit is refused by name; one far beyond it, by gRPC itself; nothing changes."""
    target = Target(host, [table])
    for method in METHODS.values():
        assert await target.send(method, [b"\x0a" + b"x" * (1 << 20)], table.tokens[0]) == "MESSAGE_TOO_LARGE"
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
