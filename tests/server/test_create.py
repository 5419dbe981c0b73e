"""CreateGame and DeleteGame."""

from __future__ import annotations

import json
from hashlib import blake2b
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.rpc import error_details_pb2  # type: ignore[import-untyped]
from meadow_api.v1 import common_pb2, game_pb2, meadow_pb2, spring_meadow_pb2
from meadow_api.v1 import game_service_pb2 as pb
from meadow_engine import api

from tests.server.harness import (
    GREEDY_BOT,
    OPEN,
    RANDOM_BOT,
    RESERVED,
    SEED,
    AsyncStub,
    Host,
    Table,
    hosted,
    new_table,
    refused,
    request_id,
)


def options(**spring: Any) -> game_pb2.GameOptions:
    """Options of Spring Meadow."""
    return game_pb2.GameOptions(spring_meadow=spring_meadow_pb2.SpringMeadowOptions(**spring))


def meadow_options(**meadow: Any) -> game_pb2.GameOptions:
    """Options of Meadow."""
    return game_pb2.GameOptions(meadow=meadow_pb2.MeadowOptions(**meadow))


async def test_a_game_without_open_seats_starts_at_once(stub: AsyncStub) -> None:
    """With every seat reserved or a bot's, the first record is the start."""
    table = await new_table(stub, RESERVED, RESERVED)

    assert table.created.game.state == common_pb2.GAME_STATE_RUNNING
    assert table.created.game.version == 1
    assert sorted(table.tokens) == [0, 1]
    assert (await table.view()).HasField("spring_meadow")


async def test_a_game_can_be_told_to_wait(stub: AsyncStub) -> None:
    """With wait_for_start even a full game stays open, and shows no table yet."""
    table = await new_table(stub, RESERVED, RESERVED, wait_for_start=True)
    view = await table.view()

    assert view.state == common_pb2.GAME_STATE_OPEN
    assert (view.version, view.HasField("spring_meadow"), view.HasField("pending")) == (0, False, False)


async def test_the_game_says_how_it_was_made(stub: AsyncStub) -> None:
    """Seats, names, colours, options with their defaults, pack, visibility and title come back as given."""
    seats = (
        pb.SeatSpec(kind=common_pb2.SEAT_KIND_RESERVED, display_name="Ada", colour=common_pb2.SEAT_COLOUR_TEAL),
        OPEN,
        GREEDY_BOT,
    )
    table = await new_table(
        stub, *seats, options=options(expert=True, faces=["1A", "2B", "3A"], first_seat=1), display_name="Evening"
    )
    game = table.created.game

    assert [seat.kind for seat in game.seats] == [
        common_pb2.SEAT_KIND_RESERVED,
        common_pb2.SEAT_KIND_OPEN,
        common_pb2.SEAT_KIND_BOT,
    ]
    assert [seat.occupied for seat in game.seats] == [True, False, True]
    assert game.seats[0].display_name == "Ada"
    assert game.seats[0].colour == common_pb2.SEAT_COLOUR_TEAL
    assert len({seat.colour for seat in game.seats}) == 3
    assert game.seats[2].bot == common_pb2.BotIdentity(bot="greedy", bot_version=game.seats[2].bot.bot_version)
    assert game.options == options(expert=True, faces=["1A", "2B", "3A"], first_seat=1)
    assert game.pack_hash == api.builtin_pack().hash
    assert game.visibility == common_pb2.VISIBILITY_PUBLIC
    assert game.display_name == "Evening"
    assert game.playable
    assert (await stub.GetGame(pb.GetGameRequest(name=table.name))).game == game


async def test_only_a_chosen_seed_marks_the_game(stub: AsyncStub) -> None:
    """A client's seed makes the game `seeded` in every view; a drawn one gives another game each time."""
    chosen = await new_table(stub)
    drawn = [await new_table(stub, seed=b"") for _ in range(2)]

    assert chosen.created.game.seeded
    assert (await chosen.view()).seeded
    assert not (await drawn[0].view()).seeded
    maps = [tuple((await table.view()).spring_meadow.map_tiles) for table in drawn]
    assert maps[0] != maps[1]


async def test_the_commitment_can_be_checked_at_the_end(stub: AsyncStub) -> None:
    """At the end the published parts hash to the commitment given at creation; before, they are hidden."""
    table = await new_table(stub, seed=b"")
    replay = (await stub.GetReplay(pb.GetReplayRequest(name=table.name))).replay
    assert not replay.fairness.seed
    assert not replay.fairness.nonce

    await stub.AbortGame(pb.AbortGameRequest(name=table.name, request_id=request_id()), metadata=table.host)
    fairness = (await stub.GetReplay(pb.GetReplayRequest(name=table.name))).replay.fairness

    parts = [b"meadow commitment 1", fairness.configuration.encode(), fairness.seed, fairness.nonce]
    recomputed = blake2b(b"".join(len(p).to_bytes(8, "big") + p for p in parts), digest_size=32).digest()
    assert recomputed == fairness.commitment == table.created.game.commitment
    assert json.loads(fairness.configuration)["variant"] == "spring_meadow"


BAD_REQUESTS: list[tuple[dict[str, Any], str, str | None]] = [
    ({"variant": ""}, "BAD_FIELD", "variant"),
    ({"variant": "chess"}, "VARIANT_NOT_FOUND", None),
    ({"seats": []}, "BAD_FIELD", "seats"),
    ({"seats": [RESERVED] * 5}, "BAD_FIELD", "seats"),
    ({"variant": "spring_meadow_solo"}, "BAD_FIELD", "seats"),
    ({"seats": [RESERVED, pb.SeatSpec(kind=9)]}, "BAD_FIELD", "seats[1].kind"),  # type: ignore[arg-type]
    ({"seats": [RESERVED, pb.SeatSpec(colour=99)]}, "BAD_FIELD", "seats[1].colour"),  # type: ignore[arg-type]
    ({"seats": [pb.SeatSpec(colour=common_pb2.SEAT_COLOUR_RED)] * 2}, "BAD_FIELD", "seats[1].colour"),
    ({"seats": [RESERVED, pb.SeatSpec(kind=common_pb2.SEAT_KIND_BOT)]}, "BAD_FIELD", "seats[1].bot"),
    ({"seats": [RESERVED, pb.SeatSpec(display_name="   ")]}, "BAD_FIELD", "seats[1].display_name"),
    ({"variant": "meadow", "options": meadow_options(envelopes=["T", "T"])}, "BAD_OPTION", "options.envelopes"),
    ({"variant": "meadow", "options": meadow_options(envelopes=["Q"])}, "BAD_OPTION", "options.envelopes"),
    ({"variant": "meadow", "options": meadow_options(envelopes=["T"] * 10_000)}, "BAD_OPTION", "options.envelopes"),
    ({"variant": "meadow", "options": meadow_options(first_seat=2**32 - 1)}, "BAD_OPTION", "options.first_seat"),
    ({"seats": [RESERVED, pb.SeatSpec(kind=common_pb2.SEAT_KIND_BOT, bot="genius")]}, "BOT_NOT_FOUND", None),
    ({"seats": [RESERVED, pb.SeatSpec(bot="random")]}, "BAD_FIELD", "seats[1].bot"),
    ({"seats": [RESERVED, pb.SeatSpec(display_name="x" * 65)]}, "BAD_FIELD", "seats[1].display_name"),
    ({"seats": [RESERVED, pb.SeatSpec(display_name="a\nb")]}, "BAD_FIELD", "seats[1].display_name"),
    ({"display_name": "x" * 65}, "BAD_FIELD", "display_name"),
    ({"visibility": 7}, "BAD_FIELD", "visibility"),
    ({"seed": b"short"}, "BAD_FIELD", "seed"),
    ({"pack": "nope"}, "PACK_NOT_FOUND", None),
    ({"request_id": "not a uuid"}, "BAD_FIELD", "request_id"),
    ({"request_id": "6ba7b810-9dad-11d1-80b4-00c04fd430c8"}, "BAD_FIELD", "request_id"),
    ({"options": options(faces=["1A"])}, "BAD_OPTION", "options.faces"),
    ({"options": options(faces=["1A", "1B"])}, "BAD_OPTION", "options.faces"),
    ({"options": options(faces=["1A", "Z9"])}, "BAD_OPTION", "options.faces"),
    ({"options": options(first_seat=2)}, "BAD_OPTION", "options.first_seat"),
    ({"options": options(first_seat=2**32 - 1)}, "BAD_OPTION", "options.first_seat"),
    ({"variant": "spring_meadow_solo", "seats": [RESERVED], "options": options(expert=True)}, "BAD_OPTION", None),
    ({"variant": "spring_meadow_campaign", "seats": [RESERVED], "options": options(faces=["1A"])}, "BAD_OPTION", None),
]


@pytest.mark.parametrize(("changes", "reason", "field"), BAD_REQUESTS, ids=[str(n) for n in range(len(BAD_REQUESTS))])
async def test_bad_requests_create_nothing(
    stub: AsyncStub, changes: dict[str, Any], reason: str, field: str | None
) -> None:
    """Every wrong field of CreateGame is refused by name, and no game appears."""
    good: dict[str, Any] = {"variant": "spring_meadow", "seats": [RESERVED, RESERVED]}
    with refused(reason) as refusal:
        await stub.CreateGame(pb.CreateGameRequest(**good | changes))

    expected = grpc.StatusCode.NOT_FOUND if reason.endswith("NOT_FOUND") else grpc.StatusCode.INVALID_ARGUMENT
    assert refusal.code is expected
    if field is not None:
        assert refusal.detail(error_details_pb2.BadRequest).field_violations[0].field == field
    assert not (await stub.ListGames(pb.ListGamesRequest())).games


@pytest.mark.parametrize(("variant", "seats"), [("spring_meadow_solo", 1), ("spring_meadow_campaign", 1)])
async def test_solo_variants(stub: AsyncStub, variant: str, seats: int) -> None:
    """The solo variants begin by asking for a board, unless it was named."""
    table = await new_table(stub, *[RESERVED] * seats, variant=variant)
    assert (await table.view()).pending.spring_meadow.kind == (
        spring_meadow_pb2.SPRING_MEADOW_DECISION_KIND_CHOOSE_BOARD
    )

    faces = ["1A"] if variant.endswith("solo") else ["1A", "2A", "3B", "4A"]
    named = await new_table(stub, RESERVED, variant=variant, options=options(faces=faces))
    assert (await named.view()).pending.spring_meadow.kind == (
        spring_meadow_pb2.SPRING_MEADOW_DECISION_KIND_CHOOSE_TILE
    )


async def test_a_repeated_creation_answers_the_first_game(host: Host) -> None:
    """The same request id gives the same game and tokens, also after a restart; with another body it is refused."""
    request = pb.CreateGameRequest(variant="spring_meadow", request_id=request_id(), seats=[RESERVED, OPEN])
    first = await host.stub.CreateGame(request)
    assert await host.stub.CreateGame(request) == first
    await host.restart()
    assert await host.stub.CreateGame(request) == first

    request.display_name = "other"
    with refused("REQUEST_ID_REUSED") as refusal:
        await host.stub.CreateGame(request)
    assert refusal.code is grpc.StatusCode.ABORTED
    assert len((await host.stub.ListGames(pb.ListGamesRequest())).games) == 1


async def test_the_number_of_games_an_address_runs_is_limited(tmp_path: Path) -> None:
    """One address cannot fill the server with games; an ended game makes room."""
    async with hosted(tmp_path, games_per_address=2) as host:
        tables = [await new_table(host.stub) for _ in range(2)]
        with refused("QUOTA_EXCEEDED") as refusal:
            await new_table(host.stub)
        assert refusal.code is grpc.StatusCode.RESOURCE_EXHAUSTED
        assert refusal.detail(common_pb2.LimitDetail) == common_pb2.LimitDetail(limit="games_per_address", value=2)

        await host.stub.AbortGame(pb.AbortGameRequest(name=tables[0].name), metadata=tables[0].host)
        await new_table(host.stub)


async def test_a_game_is_deleted_once_it_has_ended(host: Host) -> None:
    """DeleteGame takes an aborted game away for good, and answers the same when repeated, also after a restart."""
    table = await new_table(host.stub)
    request = pb.DeleteGameRequest(name=table.name, request_id=request_id())
    with refused("GAME_NOT_FINISHED") as refusal:
        await host.stub.DeleteGame(request, metadata=table.host)
    assert refusal.code is grpc.StatusCode.FAILED_PRECONDITION

    await host.stub.AbortGame(pb.AbortGameRequest(name=table.name), metadata=table.host)
    first = await host.stub.DeleteGame(request, metadata=table.host)
    assert first.version == 2
    assert await host.stub.DeleteGame(request, metadata=table.host) == first
    await host.restart()
    assert await host.stub.DeleteGame(request, metadata=table.host) == first

    with refused("GAME_NOT_FOUND"):
        await host.stub.GetGame(pb.GetGameRequest(name=table.name), metadata=table.host)
    with refused("GAME_NOT_FOUND"):
        await host.stub.DeleteGame(pb.DeleteGameRequest(name=table.name, request_id=request_id()), metadata=table.host)
    request.expected_version = 2
    with refused("REQUEST_ID_REUSED"):
        await host.stub.DeleteGame(request, metadata=table.host)


async def test_deletion_is_the_hosts_and_knows_the_version(stub: AsyncStub, table: Table) -> None:
    """A seat cannot delete, and a stale version is refused."""
    await stub.AbortGame(pb.AbortGameRequest(name=table.name), metadata=table.host)
    with refused("ROLE_NOT_ALLOWED"):
        await stub.DeleteGame(pb.DeleteGameRequest(name=table.name), metadata=table.seat(0))
    with refused("STALE_VERSION"):
        await stub.DeleteGame(pb.DeleteGameRequest(name=table.name, expected_version=1), metadata=table.host)
    assert (await table.game()).state == common_pb2.GAME_STATE_ABORTED


async def test_a_game_of_bots_plays_itself(stub: AsyncStub) -> None:
    """A game with bots only runs to its end without anybody's help."""
    table = await new_table(stub, RANDOM_BOT, GREEDY_BOT)
    async for message in stub.WatchGame(pb.WatchGameRequest(name=table.name)):
        if message.HasField("terminal"):
            assert message.terminal.game.state == common_pb2.GAME_STATE_FINISHED
            assert len(message.terminal.game.outcome.results) == 2


async def test_the_seed_alone_decides_the_game(stub: AsyncStub) -> None:
    """Two games of one seed are the same game."""
    views = [await (await new_table(stub, seed=SEED)).view() for _ in range(2)]
    assert views[0].spring_meadow == views[1].spring_meadow
