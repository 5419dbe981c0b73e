"""SubmitAction."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import grpc
import pytest
from google.protobuf.duration_pb2 import Duration
from meadow_api.v1 import common_pb2, game_pb2
from meadow_api.v1 import game_service_pb2 as pb
from meadow_api.v1 import spring_meadow_pb2 as spring
from meadow_engine import api

from tests.server.harness import (
    GREEDY_BOT,
    RANDOM_BOT,
    RESERVED,
    SEED,
    AsyncStub,
    Host,
    Table,
    events_of,
    lasting,
    new_table,
    refused,
    request_id,
    unchanged,
)


def typed(**action: Any) -> game_pb2.Action:
    """A typed action of Spring Meadow."""
    return game_pb2.Action(spring_meadow=spring.SpringMeadowAction(**action))


def take(space: int) -> game_pb2.Action:
    """Take the tile on a space."""
    return typed(take_tile=spring.SpringMeadowTakeTile(space=space))


def batch(*choices: int | game_pb2.Action) -> game_pb2.ActionBatch:
    """Several choices, by id or typed."""
    return game_pb2.ActionBatch(
        choices=[
            game_pb2.ActionChoice(action_id=choice) if isinstance(choice, int) else game_pb2.ActionChoice(action=choice)
            for choice in choices
        ]
    )


async def first_take(table: Table) -> tuple[int, int, game_pb2.LegalAction]:
    """Seat, version and first legal take of a game that begins."""
    seat, version = await table.pending()
    return seat, version, (await table.legal(seat)).actions[0]


async def test_an_id_and_its_typed_action_do_the_same(stub: AsyncStub) -> None:
    """Submitting an id or the typed action that is listed with it leads to the same position."""
    tables = [await new_table(stub), await new_table(stub)]
    for number in range(12):
        seat, version = await tables[0].pending()
        entries = (await tables[0].legal(seat)).actions
        entry = entries[3 * number % len(entries)]
        by_id = await tables[0].submit(seat, version, action_id=entry.action_id, include_view=True)
        by_type = await tables[1].submit(seat, version, action=entry.action, include_view=True)
        assert by_id.view.spring_meadow == by_type.view.spring_meadow
        assert [r.events for r in by_id.records] == [r.events for r in by_type.records]


async def test_one_round_trip_answers_everything(table: Table) -> None:
    """A submission answers version, records, state, next seat and, on demand, view and next legal list."""
    seat, version, entry = await first_take(table)
    response = await table.submit(
        seat, version, action_id=entry.action_id, include_view=True, include_legal_actions=True
    )

    assert response.version == version + 1
    (record,) = response.records
    assert (record.version, record.action.seat, record.action.action) == (version + 1, seat, entry.action)
    assert events_of(response.records) == ["tile_taken"]
    assert response.state == common_pb2.GAME_STATE_RUNNING
    assert response.pending_seat == seat
    assert lasting(response.view) == lasting(await table.view(seat))
    assert response.legal_actions == await table.legal(seat)
    assert list(response.points_change) == [0, 0]


async def test_a_bare_answer_is_small(table: Table) -> None:
    """Without asking for more, neither view nor list is sent."""
    seat, version, entry = await first_take(table)
    response = await table.submit(seat, version, action_id=entry.action_id)
    assert not response.HasField("view")
    assert not response.HasField("legal_actions")


async def test_points_change_is_the_difference_of_the_views(table: Table) -> None:
    """The change of points is what the view's points say before and after."""
    for number in range(14):
        seat, version = await table.pending()
        before = list((await table.view()).points)
        ids = (await table.legal(seat, format=pb.LEGAL_ACTION_FORMAT_IDS)).action_ids
        response = await table.submit(seat, version, action_id=ids[number % len(ids)], include_view=True)
        after = list(response.view.points)
        assert list(response.points_change) == [b - a for a, b in zip(before, after, strict=True)]


async def test_a_composite_is_two_records(table: Table) -> None:
    """Taking and placing a tile in one typed action makes the two records that the two calls would make."""
    seat, version = await table.pending()
    composite = pb.ActionFilter(spring_meadow=spring.SpringMeadowActionFilter(composite=True))
    listed = await table.legal(seat, filter=composite)
    entry = listed.actions[len(listed.actions) // 2]
    assert len(entry.then_action_ids) == 1
    assert ", place " in entry.label

    response = await table.submit(seat, version, action=entry.action)
    assert response.version == version + 2
    assert [record.action.action_id for record in response.records] == [entry.action_id, *entry.then_action_ids]
    assert events_of(response.records)[:2] == ["tile_taken", "tile_placed"]


async def test_equivalent_forms_are_normalised(stub: AsyncStub) -> None:
    """A placement in any equivalent form is accepted and recorded under the listed one."""
    for number in range(8):
        table = await new_table(stub, seed=number.to_bytes(32, "big"))
        seat, version = await table.pending()
        takes = (await table.legal(seat)).actions
        for entry in takes:
            catalogue = api.catalogue("spring_meadow")
            tile_index = (await table.view()).spring_meadow.map_tiles[entry.action.spring_meadow.take_tile.space]
            tile = catalogue.tiles[tile_index]  # type: ignore[attr-defined]
            if len(tile.forms) == 8:
                continue
            await table.submit(seat, version, action_id=entry.action_id)
            listed = (await table.legal(seat)).actions[0]
            place = listed.action.spring_meadow.place_tile
            same = next(s for s in range(8) if tile.form_of[s] == tile.form_of[place.form] and s != place.form)
            twin = typed(place_tile=spring.SpringMeadowPlaceTile(form=same, row=place.row, column=place.column))
            response = await table.submit(seat, version + 1, action=twin)
            assert response.records[0].action.action_id == listed.action_id
            return
    pytest.fail("no tile with symmetry was on offer in eight games")


async def test_a_batch_is_all_or_nothing(table: Table) -> None:
    """A batch makes one record a choice; with one illegal choice nothing happens, and the error says which."""
    seat, version, entry = await first_take(table)
    bad = typed(place_tile=spring.SpringMeadowPlaceTile(form=0, row=8, column=9))
    with refused("ILLEGAL_ACTION") as refusal:
        await unchanged(table, table.submit(seat, version, batch=batch(entry.action_id, bad)))
    detail = refusal.detail(game_pb2.IllegalActionDetail)
    assert detail.index == 1
    assert detail.spring_meadow.rule == spring.SPRING_MEADOW_RULE_OFF_BOARD

    game = api.new_game("spring_meadow", seats=2, seed=SEED)
    game.apply(entry.action_id)
    response = await table.submit(seat, version, batch=batch(entry.action, game.legal_ids()[0]))
    assert response.version == version + 2


async def test_a_batch_ends_with_ones_own_turn(table: Table) -> None:
    """A choice after the turn has passed to another seat is not the caller's, and the whole batch is refused."""
    seat, version = await table.pending()
    game, ids = api.new_game("spring_meadow", seats=2, seed=SEED), []
    while game.decision is not None and game.decision.seat == seat:
        ids.append(game.legal_ids()[0])
        game.apply(ids[-1])
    with refused("NOT_YOUR_TURN"):
        await unchanged(table, table.submit(seat, version, batch=batch(*ids, game.legal_ids()[0])))
    assert (await table.submit(seat, version, batch=batch(*ids))).pending_seat == 1 - seat


BAD_SUBMISSIONS: list[tuple[str, Callable[[int], dict[str, Any]], str, grpc.StatusCode]] = [
    ("no choice", lambda _: {}, "BAD_FIELD", grpc.StatusCode.INVALID_ARGUMENT),
    ("empty action", lambda _: {"action": game_pb2.Action()}, "BAD_FIELD", grpc.StatusCode.INVALID_ARGUMENT),
    ("empty family", lambda _: {"action": typed()}, "BAD_FIELD", grpc.StatusCode.INVALID_ARGUMENT),
    ("empty batch", lambda _: {"batch": batch()}, "BAD_FIELD", grpc.StatusCode.INVALID_ARGUMENT),
    (
        "empty choice in a batch",
        lambda _: {"batch": game_pb2.ActionBatch(choices=[game_pb2.ActionChoice()])},
        "BAD_FIELD",
        grpc.StatusCode.INVALID_ARGUMENT,
    ),
    ("huge batch", lambda _: {"batch": batch(*[0] * 65)}, "QUOTA_EXCEEDED", grpc.StatusCode.RESOURCE_EXHAUSTED),
    ("unknown id", lambda _: {"action_id": 2**32 - 1}, "ILLEGAL_ACTION", grpc.StatusCode.FAILED_PRECONDITION),
    ("no such space", lambda _: {"action": take(25)}, "ILLEGAL_ACTION", grpc.StatusCode.FAILED_PRECONDITION),
    ("huge space", lambda _: {"action": take(2**32 - 1)}, "ILLEGAL_ACTION", grpc.StatusCode.FAILED_PRECONDITION),
    (
        "other decision",
        lambda _: {"action": typed(place_marmot=spring.SpringMeadowPlaceMarmot(row=1, column=1))},
        "ILLEGAL_ACTION",
        grpc.StatusCode.FAILED_PRECONDITION,
    ),
    (
        "bad request id",
        lambda _: {"action_id": 0, "request_id": "{" + request_id() + "}"},
        "BAD_FIELD",
        grpc.StatusCode.INVALID_ARGUMENT,
    ),
    (
        "bad format",
        lambda _: {"action_id": 0, "legal_action_format": 9},
        "BAD_FIELD",
        grpc.StatusCode.INVALID_ARGUMENT,
    ),
]


@pytest.mark.parametrize(
    ("changes", "reason", "status"), [case[1:] for case in BAD_SUBMISSIONS], ids=[case[0] for case in BAD_SUBMISSIONS]
)
async def test_bad_submissions(
    table: Table, changes: Callable[[int], dict[str, Any]], reason: str, status: grpc.StatusCode
) -> None:
    """Every kind of wrong choice has its code and reason, and changes nothing."""
    seat, version = await table.pending()
    request = table.submission(version)
    request.MergeFrom(pb.SubmitActionRequest(**changes(version)))
    with refused(reason) as refusal:
        await unchanged(table, table.stub.SubmitAction(request, metadata=table.seat(seat)))
    assert refusal.code is status


async def test_an_illegal_action_says_which_rule(table: Table) -> None:
    """The refusal names the rule, typed, with its arguments."""
    seat, version = await table.pending()
    on_path = {entry.action.spring_meadow.take_tile.space for entry in (await table.legal(seat)).actions}
    off_path = next(space for space in range(25) if space not in on_path)
    with refused("ILLEGAL_ACTION") as refusal:
        await table.submit(seat, version, action=take(off_path))
    detail = refusal.detail(game_pb2.IllegalActionDetail).spring_meadow
    assert detail.rule == spring.SPRING_MEADOW_RULE_NOT_ON_PATH
    assert detail.space == off_path
    assert refusal.metadata["rule"] == "NOT_ON_PATH"


async def test_not_your_turn_says_whose(table: Table) -> None:
    """A seat that is not to move is told who is."""
    seat, version, entry = await first_take(table)
    with refused("NOT_YOUR_TURN") as refusal:
        await unchanged(table, table.submit(1 - seat, version, action_id=entry.action_id))
    assert refusal.code is grpc.StatusCode.FAILED_PRECONDITION
    assert refusal.detail(common_pb2.NotYourTurnDetail).pending_seat == seat


async def test_stale_versions(table: Table) -> None:
    """Any version but the current one is refused with the current one; a missing or negative one is a bad field."""
    seat, version, entry = await first_take(table)
    for wrong in (version - 1, version + 1, 2**63 - 1):
        with refused("STALE_VERSION") as refusal:
            await unchanged(table, table.submit(seat, wrong, action_id=entry.action_id))
        assert refusal.code is grpc.StatusCode.ABORTED
        detail = refusal.detail(common_pb2.StaleVersionDetail)
        assert (detail.current_version, detail.expected_version) == (version, wrong)
    for request in (
        pb.SubmitActionRequest(name=table.name, action_id=entry.action_id),
        pb.SubmitActionRequest(name=table.name, action_id=entry.action_id, expected_version=-1),
    ):
        with refused("BAD_FIELD") as refusal:
            await table.stub.SubmitAction(request, metadata=table.seat(seat))
        assert refusal.field == "expected_version"


async def test_the_version_is_checked_before_the_turn_and_the_turn_before_the_rules(table: Table) -> None:
    """A request that is wrong in several ways is refused for the first reason in the published order."""
    seat, version = await table.pending()
    with refused("STALE_VERSION"):
        await table.submit(1 - seat, version + 5, action_id=99_999)
    with refused("NOT_YOUR_TURN"):
        await table.submit(1 - seat, version, action_id=99_999)
    with refused("ILLEGAL_ACTION"):
        await table.submit(seat, version, action_id=99_999)


async def test_nothing_is_played_before_the_start_or_after_the_end(stub: AsyncStub) -> None:
    """An open game does not run; a finished one is over, and shows its outcome to everybody."""
    waiting = await new_table(stub, wait_for_start=True)
    with refused("GAME_NOT_RUNNING") as refusal:
        await waiting.submit(0, 0, action_id=0)
    assert refusal.code is grpc.StatusCode.FAILED_PRECONDITION

    table = await new_table(stub)
    view = await table.play_to_end()
    assert view.state == common_pb2.GAME_STATE_FINISHED
    assert sorted(result.rank for result in view.outcome.results) == [1, 2]
    with refused("GAME_OVER") as refusal:
        await unchanged(table, table.submit(0, view.version, action_id=0))
    assert refusal.code is grpc.StatusCode.FAILED_PRECONDITION
    undo = pb.UndoActionRequest(name=table.name, expected_version=view.version)
    with refused("GAME_OVER"):
        await stub.UndoAction(undo, metadata=table.seat(0))


async def test_a_validation_shows_and_changes_nothing(table: Table) -> None:
    """validate_only answers the position and points that the choices lead to, which then come true."""
    seat, version, entry = await first_take(table)
    game = api.new_game("spring_meadow", seats=2, seed=SEED)
    game.apply(entry.action_id)
    choices = batch(entry.action_id, game.legal_ids()[3])

    tried = await unchanged(table, table.submit(seat, version, batch=choices, validate_only=True, include_view=True))
    assert tried.version == version
    assert [record.version for record in tried.records] == [version + 1, version + 2]
    done = await table.submit(seat, version, batch=choices, include_view=True)
    assert tried.view.spring_meadow == done.view.spring_meadow
    assert tried.points_change == done.points_change
    with refused("ILLEGAL_ACTION"):
        await table.submit(done.pending_seat, done.version, action_id=99_999, validate_only=True)


async def at_a_reveal(table: Table) -> tuple[int, int, list[int]]:
    """Play until some action of the seat to move draws from the box; answers seat, version, and such an action's id."""
    game = api.new_game("spring_meadow", seats=2, seed=SEED)
    while True:
        for action_id in game.legal_ids():
            probe = game.clone()
            if probe.apply(action_id).reveals and not probe.is_over:
                seat, version = await table.pending()
                assert game.decision is not None
                assert seat == game.decision.seat
                return seat, version, [action_id, probe.legal_ids()[0]]
        seat, version = await table.pending()
        await table.submit(seat, version, action_id=game.legal_ids()[0])
        game.apply(game.legal_ids()[0])


async def test_nobody_peeks_at_the_box(table: Table) -> None:
    """What draws from the box cannot be validated, nor stand before the end of a batch; alone it is played."""
    seat, version, (revealing, following) = await at_a_reveal(table)
    with refused("REVEAL_BARRIER") as refusal:
        await unchanged(table, table.submit(seat, version, action_id=revealing, validate_only=True))
    assert refusal.code is grpc.StatusCode.FAILED_PRECONDITION
    # a batch that goes on behind a reveal is refused the same way, whether its next choice would be legal or not
    said = set()
    for then in (following, 99_999):
        with refused("REVEAL_BARRIER") as refusal:
            await unchanged(table, table.submit(seat, version, batch=batch(revealing, then)))
        said.add(refusal.status.SerializeToString())
    assert len(said) == 1

    response = await table.submit(seat, version, batch=batch(revealing))
    assert "map_refilled" in events_of(response.records)
    undo = pb.UndoActionRequest(name=table.name, expected_version=response.version)
    with refused("UNDO_BARRIER") as refusal:
        await unchanged(table, table.stub.UndoAction(undo, metadata=table.seat(seat)))
    assert refusal.code is grpc.StatusCode.FAILED_PRECONDITION


async def test_playing_against_bots(host: Host) -> None:
    """A seat among bots is asked again and again until the game ends, and sees everything they did."""
    table = await new_table(host.stub, RANDOM_BOT, RESERVED, GREEDY_BOT)
    waiting = pb.GetGameViewRequest(
        name=table.name,
        wait_for_turn=Duration(seconds=20),
        include_legal_actions=True,
        legal_action_format=pb.LEGAL_ACTION_FORMAT_IDS,
    )
    while True:
        response = await host.stub.GetGameView(waiting, metadata=table.seat(1))
        if response.view.state != common_pb2.GAME_STATE_RUNNING:
            break
        assert response.view.pending.seat == 1
        await table.submit(1, response.view.version, action_id=response.legal_actions.action_ids[0])
    replay = (await host.stub.GetReplay(pb.GetReplayRequest(name=table.name))).replay
    assert {record.action.seat for record in replay.records if record.HasField("action")} == {0, 1, 2}


async def test_two_submissions_at_once_make_one_record(table: Table) -> None:
    """Of two submissions at one version one wins, and the other learns that it is stale."""
    seat, version, entry = await first_take(table)
    tries = await asyncio.gather(
        *[table.submit(seat, version, action_id=entry.action_id) for _ in range(4)], return_exceptions=True
    )
    won = [outcome for outcome in tries if isinstance(outcome, pb.SubmitActionResponse)]
    assert len(won) == 1
    assert (await table.game()).version == version + 1
