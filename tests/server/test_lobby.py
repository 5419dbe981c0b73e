"""Joining, starting, leaving and ending games."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Any

import grpc
from meadow_api.v1 import common_pb2
from meadow_api.v1 import game_service_pb2 as pb

from tests.server.harness import (
    GREEDY_BOT,
    OPEN,
    RESERVED,
    AsyncStub,
    Host,
    Table,
    bearer,
    lasting,
    new_table,
    refused,
    request_id,
    unchanged,
)


async def claim(table: Table, **more: object) -> pb.ClaimSeatResponse:
    """Claim a seat with the table's join code."""
    request = pb.ClaimSeatRequest(request_id=request_id(), join_code=table.created.join_code, **more)  # type: ignore[arg-type]
    response = await table.stub.ClaimSeat(request)
    table.tokens[response.seat_token.seat] = response.seat_token.token
    return response


async def test_the_last_open_seat_starts_the_game(stub: AsyncStub) -> None:
    """Claiming by join code fills seats in order, and the last one starts the game."""
    table = await new_table(stub, RESERVED, OPEN, OPEN)
    assert table.created.game.state == common_pb2.GAME_STATE_OPEN

    first = await claim(table, display_name="Bea")
    assert first.seat_token.seat == 1
    assert first.game.seats[1].display_name == "Bea"
    assert first.game.state == common_pb2.GAME_STATE_OPEN
    second = await claim(table)
    assert second.seat_token.seat == 2
    assert second.game.state == common_pb2.GAME_STATE_RUNNING
    await table.play(6)


async def test_a_join_code_is_read_as_people_write_it(stub: AsyncStub) -> None:
    """Case, spaces and hyphens of a join code do not matter."""
    table = await new_table(stub, RESERVED, OPEN)
    code = table.created.join_code.lower().replace("-", " ")
    response = await stub.ClaimSeat(pb.ClaimSeatRequest(join_code=code))
    assert response.game.name == table.name


async def test_a_seat_and_a_colour_can_be_asked_for(stub: AsyncStub) -> None:
    """A claim may name the seat, and a colour that nobody has."""
    table = await new_table(stub, OPEN, OPEN, OPEN)
    response = await claim(table, seat=2, colour=common_pb2.SEAT_COLOUR_BROWN)
    assert response.seat_token.seat == 2
    assert response.game.seats[2].colour == common_pb2.SEAT_COLOUR_BROWN

    other = await claim(table, colour=common_pb2.SEAT_COLOUR_BROWN)
    assert other.game.seats[0].colour == table.created.game.seats[0].colour


async def test_claims_that_cannot_be(stub: AsyncStub) -> None:
    """Wrong codes, taken seats, seats that do not exist: each has its reason and changes nothing."""
    table = await new_table(stub, RESERVED, OPEN)
    code = table.created.join_code
    other = await new_table(stub, RESERVED, OPEN)
    cases = [
        (pb.ClaimSeatRequest(), "BAD_FIELD", grpc.StatusCode.INVALID_ARGUMENT),
        (pb.ClaimSeatRequest(join_code="x" * 40), "BAD_FIELD", grpc.StatusCode.INVALID_ARGUMENT),
        (pb.ClaimSeatRequest(join_code="AAAA-BBBB-CCCC"), "JOIN_CODE_UNKNOWN", grpc.StatusCode.NOT_FOUND),
        (pb.ClaimSeatRequest(join_code=code, name=other.name), "JOIN_CODE_UNKNOWN", grpc.StatusCode.NOT_FOUND),
        (pb.ClaimSeatRequest(join_code=code, seat=0), "SEAT_TAKEN", grpc.StatusCode.FAILED_PRECONDITION),
        (pb.ClaimSeatRequest(join_code=code, seat=7), "SEAT_NOT_FOUND", grpc.StatusCode.NOT_FOUND),
        (pb.ClaimSeatRequest(join_code=code, expected_version=4), "STALE_VERSION", grpc.StatusCode.ABORTED),
        (pb.ClaimSeatRequest(join_code=code, expected_version=-1), "BAD_FIELD", grpc.StatusCode.INVALID_ARGUMENT),
        (pb.ClaimSeatRequest(join_code=code, display_name="\x07"), "BAD_FIELD", grpc.StatusCode.INVALID_ARGUMENT),
    ]
    for request, reason, status in cases:
        with refused(reason) as refusal:
            await unchanged(table, stub.ClaimSeat(request))
        assert refusal.code is status

    await claim(table)
    with refused("SEAT_TAKEN"):
        await claim(table)


async def test_a_lost_claim_can_be_repeated(host: Host) -> None:
    """The same claim again answers the same token, also after a restart, and takes no second seat."""
    table = await new_table(host.stub, OPEN, OPEN)
    request = pb.ClaimSeatRequest(request_id=request_id(), join_code=table.created.join_code)
    first = await host.stub.ClaimSeat(request)
    await host.stub.ClaimSeat(pb.ClaimSeatRequest(join_code=table.created.join_code))
    assert await host.stub.ClaimSeat(request) == first
    await host.restart()
    assert await host.stub.ClaimSeat(request) == first


async def test_the_host_starts_a_game_with_bots_in_open_seats(stub: AsyncStub) -> None:
    """StartGame refuses while seats are open, and fills them when a bot is named."""
    table = await new_table(stub, RESERVED, OPEN, OPEN)
    with refused("SEATS_OPEN") as refusal:
        await unchanged(table, stub.StartGame(pb.StartGameRequest(name=table.name), metadata=table.host))
    assert refusal.code is grpc.StatusCode.FAILED_PRECONDITION
    with refused("BOT_NOT_FOUND"):
        await stub.StartGame(pb.StartGameRequest(name=table.name, fill_bot="nobody"), metadata=table.host)

    request = pb.StartGameRequest(name=table.name, request_id=request_id(), fill_bot="random")
    started = (await stub.StartGame(request, metadata=table.host)).game
    assert started.state == common_pb2.GAME_STATE_RUNNING
    assert [seat.bot.bot for seat in started.seats] == ["", "random", "random"]
    assert (await stub.StartGame(request, metadata=table.host)).game.version == started.version

    with refused("GAME_NOT_OPEN") as refusal:
        await stub.StartGame(pb.StartGameRequest(name=table.name), metadata=table.host)
    assert refusal.code is grpc.StatusCode.FAILED_PRECONDITION


async def test_a_released_seat_is_open_and_its_token_void(stub: AsyncStub) -> None:
    """After ReleaseSeat the old token opens nothing, and the next holder plays on."""
    table = await new_table(stub)
    old = table.seat(0)
    request = pb.ReleaseSeatRequest(name=table.name, request_id=request_id())
    released = await stub.ReleaseSeat(request, metadata=old)
    assert not released.game.seats[0].occupied
    assert released.game.seats[0].kind == common_pb2.SEAT_KIND_OPEN

    for call in (
        stub.GetGameView(pb.GetGameViewRequest(name=table.name), metadata=old),
        stub.ListLegalActions(pb.ListLegalActionsRequest(name=table.name), metadata=old),
        stub.SubmitAction(table.submission(2, action_id=0), metadata=old),
        stub.ReleaseSeat(pb.ReleaseSeatRequest(name=table.name, request_id=request_id()), metadata=old),
    ):
        with refused("TOKEN_UNKNOWN") as refusal:
            await call
        assert refusal.code is grpc.StatusCode.UNAUTHENTICATED
    # the void token may still ask for the answer that it missed
    assert (await stub.ReleaseSeat(request, metadata=old)).game.version == released.game.version

    await claim(table)
    assert table.seat(0) != old
    await table.play(4)


async def test_the_host_manages_seats(stub: AsyncStub) -> None:
    """The host releases a seat and hands it to a bot; the token of its holder is void from then on."""
    table = await new_table(stub)
    with refused("BAD_FIELD") as refusal:
        await stub.ReleaseSeat(pb.ReleaseSeatRequest(name=table.name), metadata=table.host)
    assert refusal.field == "seat"
    await stub.ReleaseSeat(pb.ReleaseSeatRequest(name=table.name, seat=1), metadata=table.host)
    with refused("SEAT_EMPTY") as refusal:
        await stub.ReleaseSeat(pb.ReleaseSeatRequest(name=table.name, seat=1), metadata=table.host)
    assert refusal.code is grpc.StatusCode.FAILED_PRECONDITION

    seated = await stub.SetSeatBot(pb.SetSeatBotRequest(name=table.name, seat=1, bot="greedy"), metadata=table.host)
    assert seated.game.seats[1].bot.bot == "greedy"
    with refused("TOKEN_UNKNOWN"):
        await table.view(1)


async def test_a_bot_can_start_the_game(stub: AsyncStub) -> None:
    """Handing the last open seat to a bot starts the game, as a claim would."""
    table = await new_table(stub, RESERVED, OPEN)
    game = (
        await stub.SetSeatBot(pb.SetSeatBotRequest(name=table.name, seat=1, bot="random"), metadata=table.host)
    ).game
    assert game.state == common_pb2.GAME_STATE_RUNNING


async def test_seats_that_cannot_be_managed(stub: AsyncStub) -> None:
    """Another's seat, a missing seat, an unknown bot, a wrong role: each has its reason and changes nothing."""
    table = await new_table(stub)
    release, set_bot = pb.ReleaseSeatRequest, pb.SetSeatBotRequest
    cases: list[tuple[Awaitable[Any], str]] = [
        (stub.ReleaseSeat(release(name=table.name, seat=1), metadata=table.seat(0)), "SEAT_NOT_FOUND"),
        (stub.ReleaseSeat(release(name=table.name, seat=9), metadata=table.host), "SEAT_NOT_FOUND"),
        (stub.ReleaseSeat(release(name=table.name)), "TOKEN_MISSING"),
        (stub.SetSeatBot(set_bot(name=table.name, seat=9, bot="random"), metadata=table.host), "SEAT_NOT_FOUND"),
        (stub.SetSeatBot(set_bot(name=table.name, seat=1, bot="x"), metadata=table.host), "BOT_NOT_FOUND"),
        (stub.SetSeatBot(set_bot(name=table.name, seat=1), metadata=table.host), "BAD_FIELD"),
        (stub.SetSeatBot(set_bot(name=table.name, seat=0, bot="random"), metadata=table.seat(0)), "ROLE_NOT_ALLOWED"),
        (stub.StartGame(pb.StartGameRequest(name=table.name), metadata=table.seat(0)), "ROLE_NOT_ALLOWED"),
        (stub.AbortGame(pb.AbortGameRequest(name=table.name), metadata=table.seat(0)), "ROLE_NOT_ALLOWED"),
        (stub.AbortGame(pb.AbortGameRequest(name=table.name)), "TOKEN_MISSING"),
        (
            stub.AbortGame(pb.AbortGameRequest(name=table.name, explanation="x" * 201), metadata=table.host),
            "BAD_FIELD",
        ),
    ]
    for call, reason in cases:
        with refused(reason):
            await unchanged(table, call)


async def test_an_aborted_game_stays_as_it_is(stub: AsyncStub, table: Table) -> None:
    """AbortGame ends the game with a reason that everybody reads; nothing can be done in it any more."""
    await table.play(2)
    request = pb.AbortGameRequest(name=table.name, request_id=request_id(), explanation="rain")
    game = (await stub.AbortGame(request, metadata=table.host)).game
    assert game.state == common_pb2.GAME_STATE_ABORTED
    assert not game.HasField("outcome")
    replay = (await stub.GetReplay(pb.GetReplayRequest(name=table.name))).replay
    assert replay.records[-1].aborted.explanation == "rain"

    view = await table.view(0)
    assert view.state == common_pb2.GAME_STATE_ABORTED
    assert not view.HasField("pending")
    code = table.created.join_code
    calls: list[Awaitable[Any]] = [
        stub.SubmitAction(table.submission(game.version, action_id=0), metadata=table.seat(0)),
        stub.UndoAction(pb.UndoActionRequest(name=table.name, expected_version=game.version), metadata=table.seat(0)),
        stub.AbortGame(pb.AbortGameRequest(name=table.name), metadata=table.host),
        stub.ReleaseSeat(pb.ReleaseSeatRequest(name=table.name), metadata=table.seat(0)),
        stub.SetSeatBot(pb.SetSeatBotRequest(name=table.name, bot="random"), metadata=table.host),
        stub.ClaimSeat(pb.ClaimSeatRequest(join_code=code)),
    ]
    for call in calls:
        with refused("GAME_NOT_RUNNING") as refusal:
            await unchanged(table, call)
        assert refusal.code is grpc.StatusCode.FAILED_PRECONDITION
    # the same abort again is answered as it was
    assert (await stub.AbortGame(request, metadata=table.host)).game.version == game.version


async def test_games_are_listed_newest_first_in_pages(stub: AsyncStub) -> None:
    """ListGames shows public games once each, newest first, by state and variant; private ones never."""
    tables = [await new_table(stub) for _ in range(3)]
    await new_table(stub, visibility=common_pb2.VISIBILITY_PRIVATE)
    waiting = await new_table(stub, RESERVED, OPEN)
    solo = await new_table(stub, RESERVED, variant="spring_meadow_solo")
    newest_first = [solo.name, waiting.name, *[table.name for table in reversed(tables)]]

    found, token = [], ""
    while True:
        page = await stub.ListGames(pb.ListGamesRequest(page_size=2, page_token=token))
        assert len(page.games) <= 2
        found += [game.name for game in page.games]
        token = page.next_page_token
        if not token:
            break
    assert found == newest_first

    by_state = await stub.ListGames(pb.ListGamesRequest(state=common_pb2.GAME_STATE_OPEN))
    assert [game.name for game in by_state.games] == [waiting.name]
    by_variant = await stub.ListGames(pb.ListGamesRequest(variant="spring_meadow_solo"))
    assert [game.name for game in by_variant.games] == [solo.name]


async def test_a_list_shows_games_as_they_are(host: Host) -> None:
    """A listed game is the game itself but for outcome and presence, also when it is not in memory."""
    waiting = await new_table(host.stub, RESERVED, OPEN, OPEN)
    await claim(waiting, display_name="Dora", colour=common_pb2.SEAT_COLOUR_GREEN)
    await host.stub.SetSeatBot(pb.SetSeatBotRequest(name=waiting.name, seat=2, bot="random"), metadata=waiting.host)
    played = await new_table(host.stub)
    await played.play(3)
    await host.stub.ReleaseSeat(pb.ReleaseSeatRequest(name=played.name, seat=1), metadata=played.host)
    finished = await new_table(host.stub)
    await finished.play_to_end()
    tables = (finished, played, waiting)
    for _ in range(2):
        games = (await host.stub.ListGames(pb.ListGamesRequest())).games
        expected = [lasting(await table.game()) for table in tables]
        for game in expected:
            game.ClearField("outcome")
        assert list(games) == expected
        await host.restart()
        for table in tables:
            table.stub = host.stub
        assert list((await host.stub.ListGames(pb.ListGamesRequest())).games) == expected
        assert len(host.server.app.games) <= 1


async def test_bad_lists_of_games(stub: AsyncStub) -> None:
    """Negative sizes, unknown states and page tokens of another filter are refused."""
    for _ in range(2):
        await new_table(stub)
    token = (await stub.ListGames(pb.ListGamesRequest(page_size=1))).next_page_token
    cases = [
        (pb.ListGamesRequest(page_size=-5), "BAD_FIELD"),
        (pb.ListGamesRequest(state=9), "BAD_FIELD"),  # type: ignore[arg-type]
        (pb.ListGamesRequest(page_token="rubbish"), "BAD_PAGE_TOKEN"),
        (pb.ListGamesRequest(page_token=token, variant="spring_meadow"), "BAD_PAGE_TOKEN"),
    ]
    for request, reason in cases:
        with refused(reason) as refusal:
            await stub.ListGames(request)
        assert refusal.code is grpc.StatusCode.INVALID_ARGUMENT


async def test_only_the_host_reads_the_join_code_again(stub: AsyncStub) -> None:
    """GetGame answers the join code to the host, and to nobody else."""
    table = await new_table(stub, RESERVED, OPEN)
    request = pb.GetGameRequest(name=table.name)
    assert (await stub.GetGame(request, metadata=table.host)).join_code == table.created.join_code
    assert not (await stub.GetGame(request, metadata=table.seat(0))).join_code
    assert not (await stub.GetGame(request)).join_code


async def test_names_have_one_form(stub: AsyncStub, table: Table) -> None:
    """A malformed resource name is a bad field; a well-formed one of no game is not found."""
    for name in ("", "x", "games/", table.name.upper(), table.name + "0", table.name.removeprefix("games/")):
        with refused("BAD_FIELD") as refusal:
            await stub.GetGame(pb.GetGameRequest(name=name))
        assert refusal.field == "name"
    with refused("GAME_NOT_FOUND") as refusal:
        await stub.GetGame(pb.GetGameRequest(name="games/" + "0" * 32))
    assert refusal.code is grpc.StatusCode.NOT_FOUND


async def test_seats_show_who_is_there(stub: AsyncStub) -> None:
    """A seat whose holder watches is connected, one without a stream is away, a bot is always there."""
    table = await new_table(stub, RESERVED, RESERVED, GREEDY_BOT, wait_for_start=True)
    stream = stub.WatchGame(pb.WatchGameRequest(name=table.name), metadata=table.seat(0))
    await stream.read()

    seats = (await table.view()).seats
    assert [seat.connection for seat in seats] == [
        common_pb2.CONNECTION_STATE_CONNECTED,
        common_pb2.CONNECTION_STATE_AWAY,
        common_pb2.CONNECTION_STATE_CONNECTED,
    ]
    assert seats[0].HasField("last_seen_time")
    assert not seats[1].HasField("last_seen_time")
    stream.cancel()


async def test_tokens_are_compared_with_the_servers_own(stub: AsyncStub, table: Table) -> None:
    """Whatever is no token of this server is unauthenticated, whether or not the game exists."""
    good = table.tokens[0]
    wrong = [good[:-1], good[:-2] + ("AA" if good[-2:] != "AA" else "BB"), "", "x" * 60, "é" * 30]
    for name in (table.name, "games/" + "0" * 32):
        for token in wrong:
            if token.isascii():
                with refused("TOKEN_UNKNOWN") as refusal:
                    await stub.GetGame(pb.GetGameRequest(name=name), metadata=bearer(token))
                assert refusal.code is grpc.StatusCode.UNAUTHENTICATED
        with refused("TOKEN_UNKNOWN"):
            await stub.GetGame(pb.GetGameRequest(name=name), metadata=(("authorization", good),))
        with refused("TOKEN_MISSING") as refusal:
            await stub.SubmitAction(pb.SubmitActionRequest(name=name, expected_version=0, action_id=0))
        assert refusal.code is grpc.StatusCode.UNAUTHENTICATED
