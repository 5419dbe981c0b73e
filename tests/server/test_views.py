"""ListLegalActions and GetGameView."""

from __future__ import annotations

import asyncio

import grpc
from google.protobuf.duration_pb2 import Duration
from google.rpc import error_details_pb2  # type: ignore[import-untyped]
from meadow_api.v1 import game_pb2
from meadow_api.v1 import game_service_pb2 as pb
from meadow_api.v1 import spring_meadow_pb2 as spring
from meadow_engine import api

from tests.server.harness import SEED, Table, refused

CHOOSE_TILE = spring.SPRING_MEADOW_DECISION_KIND_CHOOSE_TILE
PLACE_TILE = spring.SPRING_MEADOW_DECISION_KIND_PLACE_TILE


async def first_take(table: Table) -> tuple[int, int, game_pb2.LegalAction]:
    """Seat, version and first legal take of a game that begins."""
    seat, version = await table.pending()
    return seat, version, (await table.legal(seat)).actions[0]


async def test_the_legal_list_is_the_engines(table: Table) -> None:
    """Ids, typed actions and labels are those of the same game played in process, at every step."""
    game = api.new_game("spring_meadow", seats=2, seed=SEED)
    for number in range(25):
        seat, version = await table.pending()
        listed = await table.legal(seat)
        assert [entry.action_id for entry in listed.actions] == game.legal_ids()
        assert [entry.label for entry in listed.actions] == [game.label(i) for i in game.legal_ids()]
        assert (listed.version, listed.pending_seat, listed.total_size) == (version, seat, len(listed.actions))
        entry = listed.actions[5 * number % len(listed.actions)]
        await table.submit(seat, version, action=entry.action)
        game.apply(entry.action_id)


async def test_composites_are_all_takes_with_all_placements(table: Table) -> None:
    """The composite list has exactly the placements that follow each take, and a space narrows it."""
    seat, version = await table.pending()
    composite = pb.ActionFilter(spring_meadow=spring.SpringMeadowActionFilter(composite=True))
    listed = (await table.legal(seat, filter=composite)).actions
    game = api.new_game("spring_meadow", seats=2, seed=SEED)
    expected = []
    for take_id in game.legal_ids():
        taken = game.clone()
        taken.apply(take_id)
        expected += [(take_id, place_id) for place_id in taken.legal_ids()]
    assert [(entry.action_id, *entry.then_action_ids) for entry in listed] == expected

    space = listed[-1].action.spring_meadow.take_and_place_tile.space
    narrowed = pb.ActionFilter(spring_meadow=spring.SpringMeadowActionFilter(composite=True, space=space))
    found = (await table.legal(seat, filter=narrowed)).actions
    assert found == [e for e in listed if e.action.spring_meadow.take_and_place_tile.space == space]
    assert version == 1


async def test_filters(table: Table) -> None:
    """A filter leaves exactly the actions that meet it, by space, covered cell, form and rock shape."""
    seat, version = await table.pending()
    takes = (await table.legal(seat)).actions
    space = takes[1].action.spring_meadow.take_tile.space
    filtered = spring.SpringMeadowActionFilter(space=space)
    assert (await table.legal(seat, filter=pb.ActionFilter(spring_meadow=filtered))).actions == [takes[1]]

    await table.submit(seat, version, action_id=takes[0].action_id)
    game = api.new_game("spring_meadow", seats=2, seed=SEED)
    game.apply(takes[0].action_id)
    tile = game.catalogue.tiles[game.view().pending.tile]
    placements = (await table.legal(seat)).actions
    for cell in (0, 37, 89):
        covering = []
        for entry in placements:
            place = entry.action.spring_meadow.place_tile
            form = tile.forms[tile.form_of[place.form]]
            if cell in {(place.row + row) * 10 + place.column + column for row, column in form.cells}:
                covering.append(entry)
        wanted = pb.ActionFilter(spring_meadow=spring.SpringMeadowActionFilter(cell=cell))
        assert (await table.legal(seat, filter=wanted)).actions == covering
    form = placements[0].action.spring_meadow.place_tile.form
    wanted = pb.ActionFilter(spring_meadow=spring.SpringMeadowActionFilter(form=form))
    assert (await table.legal(seat, filter=wanted)).actions == [
        entry for entry in placements if entry.action.spring_meadow.place_tile.form == form
    ]
    for nothing in (
        spring.SpringMeadowActionFilter(rock_shape=1),
        spring.SpringMeadowActionFilter(form=8),
        spring.SpringMeadowActionFilter(cell=2**32 - 1),
        spring.SpringMeadowActionFilter(space=3),
    ):
        assert (await table.legal(seat, filter=pb.ActionFilter(spring_meadow=nothing))).total_size == 0


async def test_formats(table: Table) -> None:
    """Ids and the packed mask say the same as the full list."""
    seat, _ = await table.pending()
    full = await table.legal(seat)
    ids = await table.legal(seat, format=pb.LEGAL_ACTION_FORMAT_IDS)
    mask = await table.legal(seat, format=pb.LEGAL_ACTION_FORMAT_MASK)

    expected = [entry.action_id for entry in full.actions]
    assert list(ids.action_ids) == expected
    assert not ids.actions
    size = api.action_space("spring_meadow").size
    assert len(mask.action_mask) == (size + 7) // 8
    assert [i for i in range(size) if mask.action_mask[i // 8] >> i % 8 & 1] == expected


async def test_pages_of_a_legal_list_are_pinned_to_their_version(table: Table) -> None:
    """Pages join to the whole list; once the game has moved on, the token is stale."""
    seat, version, entry = await first_take(table)
    await table.submit(seat, version, action_id=entry.action_id)
    whole = (await table.legal(seat)).actions
    found, token = list[game_pb2.LegalAction](), ""
    while True:
        page = await table.legal(seat, page_size=7, page_token=token)
        assert page.total_size == len(whole)
        found += page.actions
        token = page.next_page_token
        if not token:
            break
    assert found == list(whole)

    token = (await table.legal(seat, page_size=7)).next_page_token
    cell = pb.ActionFilter(spring_meadow=spring.SpringMeadowActionFilter(cell=1))
    with refused("BAD_PAGE_TOKEN"):
        await table.legal(seat, filter=cell, page_token=token)
    with refused("BAD_FIELD"):
        await table.legal(seat, page_size=-1)
    await table.submit(seat, version + 1, action_id=whole[0].action_id)
    with refused("STALE_VERSION") as refusal:
        await table.legal(seat, page_token=token)
    assert refusal.code is grpc.StatusCode.ABORTED


async def test_the_view_says_what_the_choice_is_about(table: Table) -> None:
    """The pending decision names seat, kind and, for a placement, the tile and where it lies."""
    seat, version, entry = await first_take(table)
    before = await table.view(seat)
    assert before.pending.spring_meadow.kind == CHOOSE_TILE
    response = await table.submit(seat, version, action_id=entry.action_id, include_view=True)
    decision = response.view.pending.spring_meadow
    space = entry.action.spring_meadow.take_tile.space
    assert (decision.kind, decision.space) == (PLACE_TILE, space)
    assert decision.tile == before.spring_meadow.map_tiles[space]
    assert response.view.spring_meadow.decision == decision


async def test_min_version(table: Table) -> None:
    """A view at a version that is not reached is refused with the current version; a negative one is a bad field."""
    await table.stub.GetGameView(pb.GetGameViewRequest(name=table.name, min_version=1))
    with refused("VERSION_NOT_REACHED") as refusal:
        await table.stub.GetGameView(pb.GetGameViewRequest(name=table.name, min_version=2))
    assert refusal.code is grpc.StatusCode.FAILED_PRECONDITION
    assert refusal.metadata["current_version"] == "1"
    with refused("BAD_FIELD"):
        await table.stub.GetGameView(pb.GetGameViewRequest(name=table.name, min_version=-1))


async def test_waiting_for_ones_turn(table: Table) -> None:
    """A poller is answered when its seat has to choose, not before; when the time is over, with the view as it is."""
    seat, version, entry = await first_take(table)
    waiting = pb.GetGameViewRequest(name=table.name, wait_for_turn=Duration(seconds=20), include_legal_actions=True)
    ready = await table.stub.GetGameView(waiting, metadata=table.seat(seat))
    assert ready.legal_actions.total_size

    other = asyncio.ensure_future(table.stub.GetGameView(waiting, metadata=table.seat(1 - seat)))
    await table.submit(seat, version, action_id=entry.action_id)
    await asyncio.sleep(0.05)
    assert not other.done()
    while (await table.pending())[0] == seat:
        await table.play_one()
    answered = await other
    assert answered.view.pending.seat == 1 - seat
    assert answered.legal_actions.total_size

    short = pb.GetGameViewRequest(name=table.name, wait_for_turn=Duration(nanos=1_000_000))
    view = (await table.stub.GetGameView(short, metadata=table.seat(seat))).view
    assert view.pending.seat == 1 - seat


async def test_waits_that_cannot_be(table: Table) -> None:
    """Only a seat waits for its turn, and not for a negative time."""
    waiting = pb.GetGameViewRequest(name=table.name, wait_for_turn=Duration(seconds=1))
    with refused("TOKEN_MISSING"):
        await table.stub.GetGameView(waiting)
    with refused("ROLE_NOT_ALLOWED"):
        await table.stub.GetGameView(waiting, metadata=table.host)
    waiting.wait_for_turn.seconds = -1
    with refused("BAD_FIELD") as refusal:
        await table.stub.GetGameView(waiting, metadata=table.seat(0))
    assert refusal.field == "wait_for_turn"


async def test_an_unknown_form_is_named_by_its_own_field(table: Table) -> None:
    """The request's field is called `format` here, and so the refusal calls it."""
    seat, _ = await table.pending()
    with refused("BAD_FIELD") as refusal:
        await table.legal(seat, format=9)
    assert refusal.detail(error_details_pb2.BadRequest).field_violations[0].field == "format"
