"""`PlayStream`, `AsyncPlayStream`, and what else a seat can do: resign, list what happened, play against clocks."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from pathlib import Path

import pytest
from meadow_api.v1 import common_pb2, game_service_pb2
from meadow_client import (
    IDS,
    PATIENT,
    AsyncClient,
    AsyncSeat,
    Client,
    PlayStream,
    RetryPolicy,
    Seat,
    Turn,
    clocks,
    errors,
    on_resignation,
)
from meadow_client.cli.local_server import LocalServer
from meadow_client.messages import Choice

from tests.server.mutations import Cutter

IMPATIENT = RetryPolicy(attempts=1)


def test_a_stream_plays_a_game(client: Client) -> None:
    """A seat waits and chooses over one stream to the end of its game."""
    seat = Seat.create(client, "meadow", ["me", "random"])
    with client.play(seat.name, token=seat.token) as stream:
        while (turn := stream.wait(legal_format=IDS)).state == common_pb2.GAME_STATE_RUNNING:
            assert turn.view.viewer_seat == 0
            done = stream.submit(turn.legal_actions.action_ids[0], expected_version=turn.version)
            assert done.version == turn.version + 1
    assert turn.view.HasField("outcome")


def test_a_stream_goes_on_after_a_refusal(client: Client) -> None:
    """A refused choice is raised as the error of its reason, with its details, and the next request is answered."""
    seat = Seat.create(client, "spring_meadow", ["me", "random"])
    with client.play(seat.name, token=seat.token) as stream:
        turn = stream.wait(include_view=False)
        assert not turn.HasField("view")
        with pytest.raises(errors.StaleVersion) as stale:
            stream.submit(0, expected_version=turn.version + 7)
        assert (stale.value.current_version, stale.value.expected_version) == (turn.version, turn.version + 7)
        with pytest.raises(errors.IllegalAction):
            stream.submit(99_999, expected_version=turn.version)
        tried = stream.submit(turn.legal_actions.actions[0], expected_version=turn.version, validate_only=True)
        assert tried.points_change
        assert stream.submit(turn.legal_actions.actions[0], expected_version=turn.version).version == turn.version + 1


def test_a_stream_without_a_right_to_it_is_refused(client: Client) -> None:
    """What the service refuses the stream for is raised by its first request."""
    made = client.create_game("spring_meadow", ["me", "random"])
    for token, kind in (
        ("", errors.TokenMissing),
        ("x", errors.TokenUnknown),
        (made.host_token, errors.RoleNotAllowed),
    ):
        with client.play(made.game.name, token=token) as stream, pytest.raises(kind):
            stream.wait()


async def test_the_asyncio_stream_does_the_same(address: str) -> None:
    """`AsyncPlayStream` waits, chooses, raises refusals and ends like its twin."""
    async with AsyncClient(address) as client:
        seat = await AsyncSeat.create(client, "spring_meadow", ["me", "random"])
        async with client.play(seat.name, token=seat.token) as stream:
            turn = await stream.wait()
            with pytest.raises(errors.StaleVersion):
                await stream.submit(0, expected_version=turn.version + 1)
            while turn.state == common_pb2.GAME_STATE_RUNNING:
                await stream.submit(turn.legal_actions.actions[0], expected_version=turn.version)
                turn = await stream.wait()
        async with client.play(seat.name, token="x") as stream:
            with pytest.raises(errors.TokenUnknown):
                await stream.wait()


async def test_a_cancelled_wait_leaves_the_stream_usable(address: str) -> None:
    """The answer of a wait that was given up is not taken for that of the next request."""
    async with AsyncClient(address) as client:
        game = await client.create_game("spring_meadow", ["me", "me"])
        tokens = [entry.token for entry in game.seat_tokens]
        pending = (await client.get_game_view(game.game.name)).view.pending.seat
        other = 1 - pending
        async with client.play(game.game.name, token=tokens[other]) as stream:
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.1):
                    await stream.wait()
            with pytest.raises(errors.NotYourTurn):
                await stream.submit(0, expected_version=1)


def test_a_stream_outlives_a_killed_server(tmp_path: Path) -> None:
    """After kill -9 and a new server the request without answer is repeated and the stream goes on."""
    with LocalServer(tmp_path / "journal.db") as server, Client(server.address, retry=PATIENT) as client:
        seat = Seat.create(client, "spring_meadow", ["me", "random"])
        with client.play(seat.name, token=seat.token) as stream:
            turn = stream.wait()
            os.kill(server.process_id, signal.SIGKILL)
            done: list[game_service_pb2.SubmitActionResponse] = []
            choice = turn.legal_actions.actions[0]
            asker = threading.Thread(target=lambda: done.append(stream.submit(choice, expected_version=turn.version)))
            asker.start()
            with LocalServer(tmp_path / "journal.db", listen=server.address):
                asker.join(60)
                assert done[0].version == turn.version + 1
                assert stream.wait().version > turn.version


async def test_the_asyncio_stream_outlives_a_killed_server(tmp_path: Path) -> None:
    """The asyncio twin goes on as well, in the middle of a choice and in the middle of a wait."""
    with LocalServer(tmp_path / "journal.db") as server:
        async with AsyncClient(server.address, retry=PATIENT) as client:
            made = await client.create_game("spring_meadow", ["me", "me"])
            tokens = [entry.token for entry in made.seat_tokens]
            pending = (await client.get_game_view(made.game.name)).view.pending.seat
            async with (
                client.play(made.game.name, token=tokens[pending]) as mover,
                client.play(made.game.name, token=tokens[1 - pending]) as waiter,
            ):
                turn = await mover.wait(legal_format=IDS)
                waiting = asyncio.create_task(waiter.wait(include_view=False))
                await asyncio.sleep(0.05)
                os.kill(server.process_id, signal.SIGKILL)
                choice = turn.legal_actions.action_ids[0]
                moving = asyncio.create_task(mover.submit(choice, expected_version=turn.version))
                await asyncio.sleep(0.05)
                with LocalServer(tmp_path / "journal.db", listen=server.address):
                    assert (await moving).version == turn.version + 1
                    while (await client.get_game_view(made.game.name)).view.pending.seat == pending:
                        turn = await mover.wait(legal_format=IDS)
                        await mover.submit(turn.legal_actions.action_ids[0], expected_version=turn.version)
                    assert (await waiting).legal_actions.actions


@pytest.mark.parametrize("stack", ["sync", "asyncio"])
async def test_a_wait_outlives_any_number_of_cuts(address: str, stack: str) -> None:
    """A wait whose stream is cut more often than the client's patience lasts at a time is answered in the end."""
    brief = RetryPolicy(attempts=3, first_delay=0.02)
    async with Cutter(address).open() as way, AsyncClient(address) as client:
        made = await client.create_game("spring_meadow", ["me", "me"])
        pending = (await client.get_game_view(made.game.name)).view.pending.seat
        tokens = [entry.token for entry in made.seat_tokens]

        def waits_in_a_thread() -> int:
            with Client(way.address, retry=brief) as cut, cut.play(made.game.name, token=tokens[1 - pending]) as stream:
                return stream.wait().version

        async def waits() -> int:
            async with (
                AsyncClient(way.address, retry=brief) as cut,
                cut.play(made.game.name, token=tokens[1 - pending]) as stream,
            ):
                return (await stream.wait()).version

        waiting = asyncio.ensure_future(asyncio.to_thread(waits_in_a_thread) if stack == "sync" else waits())
        for _ in range(8):
            await asyncio.sleep(0.25)
            way.drop()
        async with client.play(made.game.name, token=tokens[pending]) as mover:
            while (await client.get_game_view(made.game.name)).view.pending.seat == pending:
                turn = await mover.wait(legal_format=IDS)
                await mover.submit(turn.legal_actions.action_ids[0], expected_version=turn.version)
        assert await waiting > turn.version


@pytest.mark.long
async def test_a_dead_connection_is_noticed_under_a_long_wait(address: str) -> None:
    """A wait of minutes without a word keeps its connection; when that goes dead without a goodbye, it is noticed."""
    async with Cutter(address).open() as way, AsyncClient(way.address, retry=IMPATIENT) as client:
        made = await client.create_game("spring_meadow", ["me", "me"])
        pending = (await client.get_game_view(made.game.name)).view.pending.seat
        token = made.seat_tokens[1 - pending].token
        async with client.play(made.game.name, token=token) as stream:
            waiting = asyncio.create_task(stream.wait())
            done, _ = await asyncio.wait([waiting], timeout=130)
            assert not done
            way.silent = True
            with pytest.raises(errors.ConnectionProblem):
                await waiting


def test_an_impatient_stream_says_that_the_server_is_gone(tmp_path: Path) -> None:
    """Without patience a dead server is a ConnectionLost."""
    with LocalServer(tmp_path / "journal.db") as server, Client(server.address, retry=IMPATIENT) as client:
        seat = Seat.create(client, "spring_meadow", ["me", "random"])
        with client.play(seat.name, token=seat.token) as stream:
            stream.wait()
            os.kill(server.process_id, signal.SIGKILL)
            with pytest.raises(errors.ConnectionProblem):
                stream.wait()


def test_a_bot_resigns_when_it_likes(client: Client) -> None:
    """By the rules chosen at creation a resignation ends the game or hands the seat to a bot."""
    made = client.create_game("spring_meadow", ["me", "random"], resign_rules=on_resignation("end"))
    seat = Seat(client, made.game.name, 0, made.seat_tokens[0].token)
    game = seat.resign()
    assert (game.outcome.ending, game.outcome.ending_seat) == (common_pb2.GAME_ENDING_RESIGNED, 0)
    assert [result.rank for result in game.outcome.results] == [2, 1]

    made = client.create_game("spring_meadow", ["me", "random"], resign_rules=on_resignation("random"))
    assert client.resign_seat(made.game.name, token=made.seat_tokens[0].token).seats[0].bot.bot == "random"


async def test_events_are_listed_page_by_page(address: str) -> None:
    """Both stacks list all records, whatever the pages, and go on after a version."""
    with Client(address) as client:
        seat = Seat.create(client, "spring_meadow", ["me", "random"])
        seat.play(_first)
        whole = list(client.list_events(seat.name))
        assert [record.version for record in whole] == list(range(1, len(whole) + 1))
        assert list(client.list_events(seat.name, after_version=3, page_size=2)) == whole[3:]
    async with AsyncClient(address) as other:
        assert [record async for record in other.list_events(seat.name, page_size=7)] == whole


def _first(turn: Turn) -> Choice:
    return turn.actions[0]


def test_clocks_in_seconds_or_not_at_all() -> None:
    """`clocks` takes seconds and what happens then; what is no time is refused before it is sent."""
    rules = clocks(decision=1.5, bank=60, then="act")
    assert (rules.decision_time.ToMilliseconds(), rules.bank.ToSeconds()) == (1500, 60)
    assert (rules.policy, rules.bot) == (common_pb2.CLOCK_POLICY_ACT, "")
    assert clocks(bank=1).bot == "greedy"
    for wrong in (-1.0, float("nan"), float("inf")):
        with pytest.raises(errors.BadArgument):
            clocks(decision=wrong)


def test_a_closed_stream_can_be_closed_again(client: Client) -> None:
    """Closing twice, or a stream that was never used, does nothing."""
    stream: PlayStream = client.play("games/none", token="x")
    stream.close()
    stream.close()
