"""WatchGame whose stream is cut, again and again, and how every watcher learns of the end."""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import grpc
import pytest
from meadow_api.v1 import common_pb2, game_pb2
from meadow_api.v1 import game_service_pb2 as pb
from meadow_client.requests import clocks
from meadow_server.errors import ApiError

from tests.server.harness import (
    GREEDY_BOT,
    RANDOM_BOT,
    RESERVED,
    AsyncStub,
    Host,
    Metadata,
    Table,
    hosted,
    new_table,
    stub_of,
)
from tests.server.mutations import END, cut

ENDED = (common_pb2.GAME_STATE_FINISHED, common_pb2.GAME_STATE_ABORTED)


class Log:
    """What a watcher has put together out of many streams.

    Attributes:
        records: all that came, which must be without gap and repeat.
        streams: how many it took.
        end: the terminal message; None as long as there is none.
    """

    def __init__(self, name: str, metadata: Metadata | None) -> None:
        self.records: list[game_pb2.GameRecord] = []
        self.streams = 0
        self.end: pb.WatchTerminal | None = None
        self._name = name
        self._metadata = metadata

    async def follow(self, stub: AsyncStub, most: int | None = None) -> None:
        """Go on where the last stream stopped; cancel after so many messages."""
        self.streams += 1
        request = pb.WatchGameRequest(name=self._name, after_version=len(self.records))
        stream: Any = stub.WatchGame(request, metadata=self._metadata, timeout=20)
        with contextlib.suppress(grpc.RpcError):
            while most != 0 and (message := await stream.read()) is not grpc.aio.EOF:
                most = None if most is None else most - 1
                if message.HasField("update"):
                    assert message.update.record.version == len(self.records) + 1
                    self.records.append(message.update.record)
                elif message.HasField("terminal"):
                    self.end = message.terminal
                    assert message.terminal.game.version == len(self.records)
        stream.cancel()


async def whole(table: Table, metadata: Metadata | None) -> list[game_pb2.GameRecord]:
    """All records of a game as a viewer may see them."""
    answer = await table.stub.ListEvents(pb.ListEventsRequest(name=table.name), metadata=metadata)
    return list(answer.records)


@pytest.mark.parametrize("variant", ["spring_meadow", "meadow"])
async def test_a_stream_cut_at_every_version(stub: AsyncStub, variant: str) -> None:
    """Cancelled after each single message while the game goes on, streams together bring every record once."""
    table = await new_table(stub, RANDOM_BOT, RESERVED, variant=variant)
    viewers: list[Metadata | None] = [None, table.seat(1)]
    logs = [Log(table.name, viewer) for viewer in viewers]

    async def follow(log: Log) -> None:
        while log.end is None:
            await log.follow(stub, most=1)

    followers = [asyncio.create_task(follow(log)) for log in logs]
    for _ in range(40):
        view = await table.view(1)
        if view.HasField("pending") and view.pending.seat == 1:
            await table.play_one(5)
        await asyncio.sleep(0.002)
    await stub.AbortGame(pb.AbortGameRequest(name=table.name), metadata=table.host)
    await asyncio.gather(*followers)
    for log, viewer in zip(logs, viewers, strict=True):
        assert log.records == await whole(table, viewer)
        assert log.streams >= len(log.records)


async def test_a_connection_cut_anywhere(host: Host) -> None:
    """However many bytes of a stream get through each time, the records that arrive are every record once."""
    table = await new_table(host.stub, RANDOM_BOT, GREEDY_BOT)
    chance, log = random.Random(5), Log(table.name, None)
    while log.end is None:
        async with cut(host.server.address, after=chance.randrange(100, 1200), way=1) as (channel, _):
            await log.follow(stub_of(channel))
    assert log.records == await whole(table, None)
    assert log.end.end == pb.WATCH_END_FINISHED
    assert log.streams > 3


async def aborted(table: Table) -> None:
    """The host ends the game."""
    await table.stub.AbortGame(pb.AbortGameRequest(name=table.name), metadata=table.host)


async def deleted(table: Table) -> None:
    """The host ends the game and deletes it at once."""
    await aborted(table)
    await table.stub.DeleteGame(pb.DeleteGameRequest(name=table.name), metadata=table.host)


async def resigned(table: Table) -> None:
    """A seat ends the game."""
    await table.stub.ResignSeat(pb.ResignSeatRequest(name=table.name), metadata=table.seat(0))


async def finished(table: Table) -> None:
    """The game is played to its end."""
    await table.play_to_end()


async def timed_out(table: Table) -> None:
    """The clock ends the game."""
    await collected(table.stub.WatchGame(pb.WatchGameRequest(name=table.name)))


ENDS: dict[str, tuple[Callable[[Table], Awaitable[None]], dict[str, Any], pb.WatchEnd.ValueType, str]] = {
    "aborted": (aborted, {}, pb.WATCH_END_ABORTED, ""),
    "deleted": (deleted, {}, pb.WATCH_END_ABORTED, ""),
    "resigned": (resigned, {"resign_rules": END}, pb.WATCH_END_FINISHED, "RESIGNED"),
    "finished": (finished, {}, pb.WATCH_END_FINISHED, "PLAYED"),
    "timed_out": (timed_out, {"clock_rules": clocks(bank=0.3, then="end")}, pb.WATCH_END_FINISHED, "TIMED_OUT"),
}
"""For each end: how it comes, how the game is created for it, and what the terminal message says of it."""


@pytest.mark.parametrize("name", ENDS)
async def test_every_watcher_is_told_the_end(host: Host, name: str) -> None:
    """Whoever watches, from a snapshot or a version, waiting or not reading, hears the terminal message last."""
    come, rules, end, ending = ENDS[name]
    table = await new_table(host.stub, **rules)
    requests = [
        (pb.WatchGameRequest(name=table.name, after_version=after, include_view=True), metadata)
        for after in (None, 0, 1)
        for metadata in (None, table.host, table.seat(0), table.seat(1))
    ]
    streams: list[Any] = [host.stub.WatchGame(request, metadata=metadata) for request, metadata in requests]
    readers = [asyncio.create_task(collected(stream)) for stream in streams[::2]]
    (live,) = host.server.app.games.all()
    for _ in range(200):
        if live.watching.total() == len(streams):
            break
        await asyncio.sleep(0.001)
    # the others do not read for a while
    await come(table)
    messages = await asyncio.gather(*readers, *[collected(stream) for stream in streams[1::2]])
    for heard in messages:
        last = heard[-1]
        assert [message.WhichOneof("message") for message in heard].count("terminal") == 1
        assert last.terminal.end == end
        assert last.terminal.game.state in ENDED
        said = common_pb2.GameEnding.Name(last.terminal.game.outcome.ending)
        assert said == f"GAME_ENDING_{ending or 'UNSPECIFIED'}"
        assert last.terminal.score_sheet.version == last.terminal.game.version


async def collected(stream: Any) -> list[pb.WatchGameResponse]:
    """What is left of a stream."""
    messages = []
    while (message := await stream.read()) is not grpc.aio.EOF:
        messages.append(message)
    return messages


async def test_a_late_watcher_is_told_the_end_too(host: Host) -> None:
    """A stream that is opened after the end brings what was missed and the terminal message."""
    table = await new_table(host.stub, resign_rules=END)
    await resigned(table)
    for after, missed in ((None, 1), (0, 3), (3, 0)):
        heard = await collected(host.stub.WatchGame(pb.WatchGameRequest(name=table.name, after_version=after)))
        assert len(heard) == missed + 1
        assert heard[-1].HasField("terminal")


async def test_a_game_that_vanishes_is_told_as_deleted(tmp_path: Path) -> None:
    """A game that another server ended and deleted before this one heard of it ends its streams as deleted."""
    async with hosted(tmp_path) as host:
        table = await new_table(host.stub)
        stream: Any = host.stub.WatchGame(pb.WatchGameRequest(name=table.name, after_version=0))
        assert (await stream.read()).HasField("update")
        app = host.server.app
        (live,) = app.games.all()
        await app.store.delete(live.game_id, live.version, None)
        live.behind = True
        async with live.lock:
            with pytest.raises(ApiError):
                await app.games.catch_up(live)
        (last,) = await collected(stream)
        assert last.terminal.end == pb.WATCH_END_DELETED
        assert last.terminal.game.name == table.name
