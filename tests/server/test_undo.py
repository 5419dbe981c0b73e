"""UndoAction."""

from __future__ import annotations

from typing import Any

import grpc
from meadow_api.v1 import game_service_pb2 as pb

from tests.server.harness import RESERVED, AsyncStub, Host, Table, lasting, new_table, refused, request_id, unchanged


def undo(table: Table, version: int, count: int = 0, **more: Any) -> pb.UndoActionRequest:
    """A request to take choices back."""
    return pb.UndoActionRequest(name=table.name, request_id=request_id(), expected_version=version, count=count, **more)


async def test_undo_goes_back_and_the_version_on(table: Table) -> None:
    """After an undo the table is as it was, under a higher version, so that old versions stay invalid."""
    seat, version = await table.pending()
    before = await table.view(seat)
    taken = await table.play_one()

    response = await table.stub.UndoAction(
        undo(table, taken.version, include_view=True, include_legal_actions=True), metadata=table.seat(seat)
    )
    assert response.version == version + 2
    assert response.view.spring_meadow == before.spring_meadow
    assert response.legal_actions == await table.legal(seat)
    assert response.pending_seat == seat
    (record,) = response.records
    assert (record.undo.seat, record.undo.count, list(record.events)) == (seat, 1, [])
    with refused("STALE_VERSION"):
        await table.submit(seat, version, action_id=0)


async def test_several_choices_go_back_at_once(table: Table) -> None:
    """An undo may take back several choices of the turn, also right after it has passed to another seat."""
    seat, _ = await table.pending()
    before = await table.view()
    count = 0
    while (await table.pending())[0] == seat:
        last = await table.play_one()
        count += 1
    response = await table.stub.UndoAction(
        undo(table, last.version, count, include_view=True), metadata=table.seat(seat)
    )
    assert response.view.spring_meadow == before.spring_meadow


async def test_undo_stops_where_another_seat_has_acted(table: Table) -> None:
    """Nothing goes back behind another seat's choice, nor more than was done, nor what another did."""
    seat, version = await table.pending()
    with refused("UNDO_BARRIER") as refusal:
        await unchanged(table, table.stub.UndoAction(undo(table, version), metadata=table.seat(seat)))
    assert refusal.code is grpc.StatusCode.FAILED_PRECONDITION

    first = await table.play_one()
    for count in (2, 2**32 - 1):
        with refused("UNDO_BARRIER"):
            await table.stub.UndoAction(undo(table, first.version, count), metadata=table.seat(seat))
    with refused("UNDO_BARRIER"):
        await table.stub.UndoAction(undo(table, first.version), metadata=table.seat(1 - seat))

    while (await table.pending())[0] == seat:
        await table.play_one()
    last = await table.play_one()
    with refused("UNDO_BARRIER"):
        await table.stub.UndoAction(undo(table, last.version), metadata=table.seat(seat))


async def test_undo_needs_seat_and_version(table: Table) -> None:
    """Without token, with a stale or missing version, or before the start there is no undo."""
    seat, version = await table.pending()
    taken = await table.play_one()
    with refused("TOKEN_MISSING"):
        await table.stub.UndoAction(undo(table, taken.version))
    with refused("STALE_VERSION"):
        await table.stub.UndoAction(undo(table, version), metadata=table.seat(seat))
    with refused("BAD_FIELD") as refusal:
        await table.stub.UndoAction(pb.UndoActionRequest(name=table.name), metadata=table.seat(seat))
    assert refusal.field == "expected_version"

    waiting = await new_table(table.stub, wait_for_start=True)
    with refused("GAME_NOT_RUNNING"):
        await table.stub.UndoAction(undo(waiting, 0), metadata=waiting.seat(0))


async def test_undo_after_a_restart_and_again(host: Host) -> None:
    """A restarted server still takes choices back, and a repeated undo is answered, not done again."""
    table = await new_table(host.stub, RESERVED, RESERVED)
    seat, _ = await table.pending()
    taken = await table.play_one()
    await host.restart()
    table.stub = host.stub

    request = undo(table, taken.version, include_view=True)
    first = await host.stub.UndoAction(request, metadata=table.seat(seat))
    await table.play_one()
    assert lasting(await host.stub.UndoAction(request, metadata=table.seat(seat))) == lasting(first)


async def test_an_undone_game_replays_the_same(stub: AsyncStub) -> None:
    """A game with undone choices ends where the same game without them does."""
    straight, winding = await new_table(stub), await new_table(stub)
    for number in range(8):
        if number % 2:
            seat, _ = await winding.pending()
            wrong = await winding.play_one(number + 1)
            await stub.UndoAction(undo(winding, wrong.version), metadata=winding.seat(seat))
        await straight.play_one(number)
        await winding.play_one(number)
    assert (await straight.view()).spring_meadow == (await winding.view()).spring_meadow
