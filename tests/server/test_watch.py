"""WatchGame."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import grpc
import pytest
from meadow_api.v1 import common_pb2, game_pb2
from meadow_api.v1 import game_service_pb2 as pb

from tests.server.harness import (
    GREEDY_BOT,
    RANDOM_BOT,
    RESERVED,
    AsyncStub,
    Host,
    Metadata,
    Table,
    hosted,
    lasting,
    new_table,
    refused,
)


def watch(table: Table, metadata: Metadata | None = None, **more: Any) -> Any:
    """An open stream."""
    return table.stub.WatchGame(pb.WatchGameRequest(name=table.name, **more), metadata=metadata)


async def read(stream: Any, messages: int) -> list[pb.WatchGameResponse]:
    """The next messages of a stream."""
    return [await stream.read() for _ in range(messages)]


async def read_all(stream: Any) -> list[pb.WatchGameResponse]:
    """Everything a stream sends until it ends."""
    messages = []
    while (message := await stream.read()) is not grpc.aio.EOF:
        messages.append(message)
    return messages


def kinds(messages: Sequence[pb.WatchGameResponse]) -> list[str]:
    """What each message is."""
    return [message.WhichOneof("message") or "" for message in messages]


def records_of(messages: Sequence[pb.WatchGameResponse]) -> list[game_pb2.GameRecord]:
    """The records that a stream brought."""
    return [message.update.record for message in messages if message.HasField("update")]


async def test_a_stream_begins_with_a_snapshot_and_brings_every_record(table: Table) -> None:
    """Without a version the first message is the game as it is; then comes each record, with its events."""
    await table.play(3)
    stream = watch(table)
    (first,) = await read(stream, 1)
    assert first.snapshot.view == await table.view()
    assert not first.snapshot.overflowed

    submitted = [record for _ in range(4) for record in (await table.play_one(5)).records]
    assert records_of(await read(stream, 4)) == submitted
    stream.cancel()


async def test_a_stream_resumes_at_every_version(stub: AsyncStub) -> None:
    """After any version the stream brings exactly the records after it, then the end: no gap, no repeat."""
    table = await new_table(stub, RANDOM_BOT, GREEDY_BOT)
    whole = await read_all(watch(table, after_version=0))
    records = records_of(whole)
    assert [record.version for record in records] == list(range(1, len(records) + 1))

    for version in range(len(records) + 1):
        messages = await read_all(watch(table, after_version=version))
        assert records_of(messages) == records[version:]
        assert kinds(messages) == ["update"] * (len(records) - version) + ["terminal"]


async def test_the_end_says_how_it_ended(stub: AsyncStub) -> None:
    """The terminal message carries outcome and score sheet, and an aborted game says that it was aborted."""
    table = await new_table(stub, RANDOM_BOT, RANDOM_BOT)
    end = (await read_all(watch(table)))[-1].terminal
    assert end.end == pb.WATCH_END_FINISHED
    assert end.game.state == common_pb2.GAME_STATE_FINISHED
    assert end.game.outcome == end.score_sheet.outcome
    assert max(end.score_sheet.spring_meadow.pins) == 2

    other = await new_table(stub)
    stream = watch(other)
    await read(stream, 1)
    await stub.AbortGame(pb.AbortGameRequest(name=other.name), metadata=other.host)
    rest = await read_all(stream)
    assert kinds(rest) == ["update", "terminal"]
    assert rest[-1].terminal.end == pb.WATCH_END_ABORTED


async def test_updates_carry_view_and_legal_actions_on_demand(table: Table) -> None:
    """With the flags each update has the view at its version, and the legal list for the seat to move alone."""
    seat, version = await table.pending()
    more = {"after_version": version, "include_view": True, "include_legal_actions": True}
    own, other = watch(table, table.seat(seat), **more), watch(table, table.seat(1 - seat), **more)
    await asyncio.sleep(0.05)
    submitted = await table.play_one()
    (mine,), (theirs,) = await read(own, 1), await read(other, 1)

    assert lasting(mine.update.view) == lasting(await table.view(seat))
    assert mine.update.legal_actions == await table.legal(seat)
    assert theirs.update.view.viewer_seat == 1 - seat
    assert theirs.update.view.version == submitted.version
    assert not theirs.update.HasField("legal_actions")
    own.cancel()
    other.cancel()


async def test_a_snapshot_lists_the_legal_actions_of_the_seat_to_move(table: Table) -> None:
    """A seat that joins in the middle of its turn gets its list with the snapshot."""
    seat, _ = await table.pending()
    stream = watch(table, table.seat(seat), include_legal_actions=True)
    (first,) = await read(stream, 1)
    assert first.snapshot.legal_actions == await table.legal(seat)
    stream.cancel()


async def test_seat_changes_are_records_too(stub: AsyncStub) -> None:
    """Claims, bots and the start reach the watchers like any record."""
    table = await new_table(stub, RESERVED, pb.SeatSpec(), pb.SeatSpec())
    stream = watch(table, after_version=0)
    await stub.ClaimSeat(pb.ClaimSeatRequest(join_code=table.created.join_code, display_name="Cleo"))
    await stub.SetSeatBot(pb.SetSeatBotRequest(name=table.name, seat=2, bot="random"), metadata=table.host)
    records = records_of(await read(stream, 3))
    assert [record.WhichOneof("record") for record in records] == ["seat_claimed", "seat_bot", "started"]
    assert records[0].seat_claimed.display_name == "Cleo"
    stream.cancel()


async def test_silence_is_broken_by_heartbeats(tmp_path: Path) -> None:
    """When nothing happens the stream still gives signs of life, with the version that the watcher has."""
    async with hosted(tmp_path, heartbeat_seconds=1) as host:
        table = await new_table(host.stub)
        stream = watch(table)
        messages = await read(stream, 2)
        assert kinds(messages) == ["snapshot", "heartbeat"]
        assert messages[1].heartbeat.version == 1
        await table.play_one()
        assert kinds(await read(stream, 1)) == ["update"]
        stream.cancel()


async def test_a_slow_watcher_gets_a_snapshot(tmp_path: Path) -> None:
    """A watcher that does not read is not queued for; when it reads again it gets the game as it is and goes on."""
    async with hosted(tmp_path, watch_queue=2) as host:
        table = await new_table(host.stub, RESERVED, RESERVED)
        slow = watch(table, after_version=0, include_view=True)
        (first,) = await read(slow, 1)
        live = host.server.app.games.all()[0]
        ends = await table.play_to_end()
        messages = [first, *await read_all(slow)]

    assert kinds(messages)[-1] == "terminal"
    last = 0
    for message in messages:
        if message.HasField("snapshot"):
            assert message.snapshot.overflowed
            assert message.snapshot.game.version > last
            last = message.snapshot.game.version
        elif message.HasField("update"):
            assert message.update.record.version == last + 1
            last += 1
    assert last == ends.version
    assert not live.watching
    assert not live.waiters


async def test_a_watcher_behind_more_than_the_queue_is_told_so(tmp_path: Path) -> None:
    """Records that come in one go beyond the queue are replaced by one snapshot marked as an overflow."""
    async with hosted(tmp_path, watch_queue=1) as host:
        table = await new_table(host.stub)
        stream = watch(table)
        await read(stream, 1)
        seat, version = await table.pending()
        composite = pb.ActionFilter()
        composite.spring_meadow.composite = True
        entry = (await table.legal(seat, filter=composite)).actions[0]
        await table.submit(seat, version, action=entry.action)
        (message,) = await read(stream, 1)
        assert message.snapshot.overflowed
        assert message.snapshot.game.version == version + 2
        stream.cancel()


async def test_streams_that_cannot_be(stub: AsyncStub, table: Table) -> None:
    """A version that is not there and an unknown format are refused."""
    for version in (-1, 2, 2**63 - 1):
        with refused("BAD_FIELD") as refusal:
            await watch(table, after_version=version).read()
        assert refusal.field == "after_version"
        assert refusal.code is grpc.StatusCode.INVALID_ARGUMENT
    with refused("BAD_FIELD"):
        await watch(table, legal_action_format=77).read()
    with refused("TOKEN_UNKNOWN"):
        await watch(table, (("authorization", "Bearer x"),)).read()


async def test_watchers_of_a_game_are_limited(tmp_path: Path) -> None:
    """Beyond the limit a stream is refused; one that goes makes room."""
    async with hosted(tmp_path, watchers_per_game=2) as host:
        table = await new_table(host.stub)
        streams = [watch(table) for _ in range(2)]
        for stream in streams:
            await read(stream, 1)
        with refused("QUOTA_EXCEEDED") as refusal:
            await watch(table).read()
        assert refusal.detail(common_pb2.LimitDetail).limit == "watchers_per_game"
        streams[0].cancel()
        (live,) = host.server.app.games.all()
        for _ in range(200):
            if live.watching.total() < 2:
                break
            await asyncio.sleep(0.01)
        await read(third := watch(table), 1)
        streams[1].cancel()
        third.cancel()


async def test_spectators_crowd_nobody_out(tmp_path: Path) -> None:
    """When a game has as many spectators as the server allows, its seats and its host still get their streams."""
    async with hosted(tmp_path, watchers_per_game=1) as host:
        table = await new_table(host.stub)
        crowd = watch(table)
        await read(crowd, 1)
        for metadata in (table.seat(0), table.seat(1), table.host):
            await read(watch(table, metadata), 1)
        with refused("QUOTA_EXCEEDED"):
            await watch(table).read()


async def test_a_released_seat_watches_no_more(table: Table) -> None:
    """When its seat is released the stream of the old holder ends with an error, before the next record."""
    stream = watch(table, table.seat(1))
    await read(stream, 1)
    await table.stub.ReleaseSeat(pb.ReleaseSeatRequest(name=table.name), metadata=table.seat(1))
    with refused("TOKEN_UNKNOWN"):
        await read(stream, 1)


async def test_watchers_are_told_before_the_server_ends(host: Host) -> None:
    """On drain each stream gets a draining message and ends well, and the game goes on at the next server."""
    table = await new_table(host.stub)
    await table.play(3)
    streams = [watch(table) for _ in range(5)]
    for stream in streams:
        await read(stream, 1)
    draining = asyncio.create_task(host.server.drain())
    for stream in streams:
        messages = await read_all(stream)
        assert kinds(messages) == ["draining"]
        assert messages[0].draining.version == 4
        assert messages[0].draining.retry_delay.seconds >= 0
        assert await stream.code() is grpc.StatusCode.OK
    await draining
    await host.channel.close()

    await host.open()
    table.stub = host.stub
    resumed = watch(table, after_version=4)
    await table.play_one()
    assert [r.version for r in records_of(await read(resumed, 1))] == [5]
    resumed.cancel()


@pytest.mark.parametrize("after", [0, None])
async def test_cancelled_streams_leave_nothing_behind(host: Host, after: int | None) -> None:
    """Streams that are cancelled at any moment are forgotten."""
    table = await new_table(host.stub)
    live = host.server.app.games.all()[0]
    for number in range(20):
        stream = watch(table, after_version=after)
        if number % 2:
            await read(stream, 1)
        stream.cancel()
    for _ in range(200):
        if not live.waiters and not live.watching and not host.server.app.streams:
            break
        await asyncio.sleep(0.01)
    assert (len(live.waiters), live.watching.total(), len(host.server.app.streams)) == (0, 0, 0)
