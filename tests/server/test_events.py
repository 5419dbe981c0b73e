"""ListEvents: what WatchGame brings, in pages."""

from __future__ import annotations

from typing import Any

import pytest
from meadow_api.v1 import common_pb2, game_pb2
from meadow_api.v1 import game_service_pb2 as pb

from tests.server.harness import AsyncStub, Host, Metadata, Table, new_table, refused


async def listed(table: Table, metadata: Metadata | None = None, **more: Any) -> list[game_pb2.GameRecord]:
    """All pages of a list."""
    request = pb.ListEventsRequest(name=table.name, **more)
    records: list[game_pb2.GameRecord] = []
    while True:
        answer = await table.stub.ListEvents(request, metadata=metadata)
        records += answer.records
        if not answer.next_page_token:
            assert answer.version == (await table.game()).version
            return records
        request.page_token = answer.next_page_token


async def watched(table: Table, metadata: Metadata | None, version: int) -> list[game_pb2.GameRecord]:
    """What a stream brings from the first record to a version."""
    stream = table.stub.WatchGame(pb.WatchGameRequest(name=table.name, after_version=0), metadata=metadata)
    records = []
    async for message in stream:
        records.append(message.update.record)
        if len(records) == version:
            break
    stream.cancel()
    return records


@pytest.mark.parametrize("variant", ["spring_meadow", "meadow"])
async def test_each_viewer_lists_what_it_would_watch(stub: AsyncStub, variant: str) -> None:
    """For a spectator, the host and each seat the list is that of the stream: projected, without gap or repeat."""
    table = await new_table(stub, variant=variant)
    version = await table.play(25)
    for metadata in (None, table.host, table.seat(0), table.seat(1)):
        assert await listed(table, metadata) == await watched(table, metadata, version)


async def test_it_begins_and_pages_as_asked(table: Table) -> None:
    """After any version and in pages of any size the list is the rest of the same records."""
    version = await table.play(9)
    whole = await listed(table)
    assert [record.version for record in whole] == list(range(1, version + 1))
    for after in range(version + 1):
        assert await listed(table, after_version=after) == whole[after:]
    for size in (1, 2, 3, version, version + 1):
        assert await listed(table, page_size=size, after_version=2) == whole[2:]


async def test_it_says_how_far_the_game_has_come(host: Host) -> None:
    """A list from the last version on is empty and tells version and stage, also after the end and a restart."""
    table = await new_table(host.stub)
    await table.play(3)
    await host.stub.AbortGame(pb.AbortGameRequest(name=table.name), metadata=table.host)
    await host.restart()
    answer = await host.stub.ListEvents(pb.ListEventsRequest(name=table.name, after_version=5))
    assert (list(answer.records), answer.version, answer.state) == ([], 5, common_pb2.GAME_STATE_ABORTED)


async def test_what_cannot_be_listed(stub: AsyncStub, table: Table) -> None:
    """A version or page size that is not there, and a page token of another list, are refused."""
    await table.play(4)
    for after in (-1, 6, 2**63 - 1):
        with refused("BAD_FIELD") as refusal:
            await stub.ListEvents(pb.ListEventsRequest(name=table.name, after_version=after))
        assert refusal.field == "after_version"
    with refused("BAD_FIELD"):
        await stub.ListEvents(pb.ListEventsRequest(name=table.name, page_size=-1))
    page = await stub.ListEvents(pb.ListEventsRequest(name=table.name, page_size=1))
    cases: tuple[dict[str, Any], ...] = ({"after_version": 1}, {})
    for more in cases:
        other = pb.ListEventsRequest(name=table.name if more else (await new_table(stub)).name, **more)
        other.page_token = page.next_page_token
        with refused("BAD_PAGE_TOKEN"):
            await stub.ListEvents(other)
