"""Several servers on one database: any request to any of them."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, replace
from typing import Any

import grpc
import psycopg
import pytest
from google.protobuf.duration_pb2 import Duration
from meadow_api.v1 import common_pb2
from meadow_api.v1 import game_service_pb2 as pb
from meadow_server.bots import Thinkers
from meadow_server.config import Config
from meadow_server.duty import SWEEP_SECONDS
from meadow_server.store.address import PostgresUrl

from tests.server.harness import (
    GREEDY_BOT,
    OPEN,
    RESERVED,
    AsyncStub,
    Host,
    Table,
    hosted_by,
    lasting,
    new_table,
    refusal_of,
    refused,
    request_id,
)
from tests.support.postgres import pooled


@dataclass
class Replicas:
    """Two servers on one database."""

    one: Host
    two: Host

    @property
    def stubs(self) -> tuple[AsyncStub, AsyncStub]:
        """Their stubs."""
        return self.one.stub, self.two.stub


@contextlib.asynccontextmanager
async def replicas_on(config: Config) -> AsyncIterator[Replicas]:
    """Two servers that are configured alike."""
    async with hosted_by(config) as one, hosted_by(config) as two:
        yield Replicas(one, two)


@pytest.fixture(name="config")
def _config(database: PostgresUrl) -> Config:
    # with such a pause nobody finds anything by looking
    return Config(listen="127.0.0.1:0", journal=database, journal_poll_ms=3_600_000)


@pytest.fixture(name="replicas")
async def _replicas(config: Config) -> AsyncIterator[Replicas]:
    async with replicas_on(config) as replicas:
        yield replicas


def at(table: Table, stub: AsyncStub) -> Table:
    """The same table, seen through another server."""
    return replace(table, stub=stub)


async def both_know(table: Table, replicas: Replicas) -> tuple[Table, Table]:
    """The table at both servers, which both have it in memory."""
    tables = at(table, replicas.one.stub), at(table, replicas.two.stub)
    for each in tables:
        await each.view()
    return tables


async def test_every_read_at_any_server_sees_what_was_acknowledged_at_another(replicas: Replicas) -> None:
    """Moves are made at both servers in turn; the other server's next answer already knows of each."""
    table = await new_table(replicas.one.stub)
    tables = await both_know(table, replicas)
    for number in range(12):
        here, there = tables[number % 2], tables[1 - number % 2]
        version = (await here.play_one(7 * number)).version
        reads: list[Callable[[], Any]] = [there.view, there.game]
        answer = await reads[number % 2]()
        assert answer.version == version
    assert lasting(await tables[0].view(0)) == lasting(await tables[1].view(0))


async def test_of_two_submissions_at_two_servers_one_wins(replicas: Replicas) -> None:
    """The loser hears STALE_VERSION with the version that the winner made, and nothing else has happened."""
    tables = await both_know(await new_table(replicas.one.stub), replicas)
    for _ in range(5):
        seat, version = await tables[0].pending()
        action_id = (await tables[0].legal(seat)).actions[0].action_id
        outcomes = await asyncio.gather(
            *[table.submit(seat, version, action_id=action_id) for table in tables], return_exceptions=True
        )
        lost = [outcome for outcome in outcomes if isinstance(outcome, grpc.RpcError)]
        assert len(lost) == 1
        refusal = refusal_of(lost[0])
        assert (refusal.reason, refusal.metadata["current_version"]) == ("STALE_VERSION", str(version + 1))
        assert (await tables[1].view()).version == version + 1


async def test_a_refusal_is_of_the_game_as_it_is(replicas: Replicas) -> None:
    """A server whose memory is behind refuses nothing because of it, and what it refuses it refuses up to date."""
    here, there = await both_know(await new_table(replicas.one.stub), replicas)
    seat, version = await here.pending()
    ids = (await here.legal(seat)).actions
    version = (await here.submit(seat, version, action_id=ids[0].action_id)).version
    # a version that the other has never heard of
    seat, _ = await here.pending()
    action_id = (await here.legal(seat)).actions[0].action_id
    await there.submit(seat, version, action_id=action_id)
    with refused("STALE_VERSION") as refusal:
        await here.submit(seat, version, action_id=action_id)
    assert refusal.metadata["current_version"] == str(version + 1)


async def test_a_request_is_answered_alike_at_any_server(replicas: Replicas) -> None:
    """A mutation repeated at the other server gets the first answer; its id for something else is refused there."""
    here, there = await both_know(await new_table(replicas.one.stub), replicas)
    seat, version = await here.pending()
    ids = [action.action_id for action in (await here.legal(seat)).actions]
    request = here.submission(version, action_id=ids[0], include_view=True)
    first = await here.stub.SubmitAction(request, metadata=here.seat(seat))
    await here.play_one()
    again = await there.stub.SubmitAction(request, metadata=here.seat(seat))
    assert lasting(again) == lasting(first)
    with refused("REQUEST_ID_REUSED"):
        request.action_id = ids[1]
        await there.stub.SubmitAction(request, metadata=here.seat(seat))
    other = await new_table(there.stub)
    with refused("REQUEST_ID_REUSED"):
        seat, version = await other.pending()
        await other.stub.SubmitAction(
            pb.SubmitActionRequest(
                name=other.name, request_id=request.request_id, expected_version=version, action_id=ids[0]
            ),
            metadata=other.seat(seat),
        )


async def test_creating_and_joining_are_done_once_wherever(replicas: Replicas) -> None:
    """A creation and a claim repeated at the other server answer the same game, seat and token."""
    one, two = replicas.stubs
    request = pb.CreateGameRequest(request_id=request_id(), seats=(OPEN, RESERVED), variant="spring_meadow")
    first = await one.CreateGame(request)
    again = await two.CreateGame(request)
    assert (again.host_token, again.join_code) == (first.host_token, first.join_code)
    claim = pb.ClaimSeatRequest(join_code=first.join_code, request_id=request_id(), display_name="A")
    claimed = await one.ClaimSeat(claim)
    assert (await two.ClaimSeat(claim)).seat_token == claimed.seat_token
    with refused("SEAT_TAKEN"):
        await two.ClaimSeat(pb.ClaimSeatRequest(join_code=first.join_code))


async def test_tokens_count_and_lapse_at_every_server_at_once(replicas: Replicas) -> None:
    """A released seat's token is void at the other server with the very next call, and the new one is good."""
    one, two = replicas.stubs
    table = await new_table(one, RESERVED, RESERVED)
    await both_know(table, replicas)
    old = table.seat(0)
    await one.ReleaseSeat(pb.ReleaseSeatRequest(name=table.name), metadata=old)
    with refused("TOKEN_UNKNOWN"):
        await two.GetGameView(pb.GetGameViewRequest(name=table.name), metadata=old)
    with refused("TOKEN_UNKNOWN"):
        await two.SubmitAction(table.submission(2, action_id=1), metadata=old)
    claimed = await two.ClaimSeat(pb.ClaimSeatRequest(join_code=table.created.join_code))
    table.tokens[0] = claimed.seat_token.token
    await at(table, one).play_one()


async def test_a_version_that_another_server_made_is_reached(replicas: Replicas) -> None:
    """With `min_version` a server that is behind catches up first; a version that nobody made is not reached."""
    here, there = await both_know(await new_table(replicas.one.stub), replicas)
    version = (await here.play_one()).version
    request = pb.GetGameViewRequest(name=there.name, min_version=version)
    assert (await there.stub.GetGameView(request)).view.version == version
    request.min_version += 1
    with refused("VERSION_NOT_REACHED"):
        await there.stub.GetGameView(request)


async def next_update(stream: Any) -> pb.WatchGameResponse:
    """The next message of a stream that is no heartbeat."""
    while True:
        message: pb.WatchGameResponse = await stream.read()
        if not message.HasField("heartbeat"):
            return message


async def test_watchers_are_woken_by_changes_elsewhere(replicas: Replicas) -> None:
    """A stream at one server brings every record that is made at the other, in order and once."""
    here, there = await both_know(await new_table(replicas.one.stub), replicas)
    stream = there.stub.WatchGame(pb.WatchGameRequest(name=there.name))
    version = (await next_update(stream)).snapshot.view.version
    for number in range(10):
        await here.play_one(number)
        version += 1
        assert (await next_update(stream)).update.record.version == version
    stream.cancel()


async def test_without_listening_changes_elsewhere_are_found_by_looking(config: Config) -> None:
    """Behind a transaction pooler watchers get all that happens elsewhere, within the pause between two looks."""
    async with replicas_on(replace(config, journal_listen=False, journal_poll_ms=50)) as replicas:
        here, there = await both_know(await new_table(replicas.one.stub), replicas)
        stream = there.stub.WatchGame(pb.WatchGameRequest(name=there.name))
        version = (await next_update(stream)).snapshot.view.version
        for number in range(3):
            await here.play_one(number)
            version += 1
            assert (await next_update(stream)).update.record.version == version
        stream.cancel()


async def test_a_transaction_pooler_stands_between(config: Config, database: PostgresUrl) -> None:
    """Through PgBouncer in transaction mode, with fewer connections than servers use, games are played all the same."""
    with pooled(database) as through:
        behind = replace(config, journal=through, journal_listen=False, journal_poll_ms=50)
        async with replicas_on(behind) as replicas:
            tables = [await new_table(stub) for stub in replicas.stubs for _ in range(4)]
            await asyncio.gather(*[at(table, replicas.stubs[n % 2]).play(12) for n, table in enumerate(tables)])
            bots = await new_table(replicas.one.stub, GREEDY_BOT, GREEDY_BOT)
            async for message in replicas.two.stub.WatchGame(pb.WatchGameRequest(name=bots.name)):
                last = message
            assert last.terminal.game.state == common_pb2.GAME_STATE_FINISHED


async def test_who_waits_for_a_turn_is_woken_by_another_server(replicas: Replicas) -> None:
    """A poller at one server hears when a move at the other makes it its turn."""
    here, there = await both_know(await new_table(replicas.one.stub), replicas)
    seat, _ = await here.pending()
    waiting = pb.GetGameViewRequest(name=here.name, wait_for_turn=Duration(seconds=20))
    answer = asyncio.ensure_future(there.stub.GetGameView(waiting, metadata=there.seat(1 - seat)))
    await asyncio.sleep(0.1)
    while (await here.pending())[0] == seat:
        await here.play_one()
    assert (await answer).view.pending.seat == 1 - seat


async def test_a_game_deleted_elsewhere_is_gone(replicas: Replicas) -> None:
    """After a deletion at one server the other has no such game, and its repetition gets the first answer."""
    one, two = replicas.stubs
    table = await new_table(one)
    await both_know(table, replicas)
    await one.AbortGame(pb.AbortGameRequest(name=table.name), metadata=table.host)
    request = pb.DeleteGameRequest(name=table.name, request_id=request_id())
    first = await one.DeleteGame(request, metadata=table.host)
    with refused("GAME_NOT_FOUND"):
        await two.GetGame(pb.GetGameRequest(name=table.name))
    with refused("GAME_NOT_FOUND"):
        await two.SubmitAction(table.submission(1, action_id=1), metadata=table.seat(0))
    assert await two.DeleteGame(request, metadata=table.host) == first


async def test_a_database_that_went_back_is_believed(replicas: Replicas, database: PostgresUrl) -> None:
    """After a database has lost what it had confirmed, servers play on from what it has, with no restart."""
    here, there = await both_know(await new_table(replicas.one.stub), replicas)
    version = await here.play(4)
    await there.view()
    with psycopg.connect(database.secret, autocommit=True) as connection:
        connection.execute("DELETE FROM meadow.records WHERE version > %s", (version - 2,))
        connection.execute("DELETE FROM meadow.requests WHERE version > %s", (version - 2,))
        connection.execute("UPDATE meadow.games SET version = %s", (version - 2,))
    for table in (here, there):
        with refused("STORAGE_UNAVAILABLE"):
            await table.view()
        assert (await table.view()).version == version - 2
    assert (await here.play_one()).version == version - 1
    assert (await there.play_one()).version == version


@pytest.fixture(name="asked")
def _asked(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The questions that bots are asked, at whichever server."""
    asked: list[Any] = []
    ask = Thinkers.ask

    async def counted(self: Thinkers, question: Any, pack: Any) -> int:
        asked.append(question)
        return await ask(self, question, pack)

    monkeypatch.setattr(Thinkers, "ask", counted)
    return asked


async def finished(stub: AsyncStub, table: Table) -> int:
    """Watch a game to its end; answers how many actions were taken in it."""
    async for message in stub.WatchGame(pb.WatchGameRequest(name=table.name)):
        last = message
    assert last.terminal.game.state == common_pb2.GAME_STATE_FINISHED
    replay = (await stub.GetReplay(pb.GetReplayRequest(name=table.name), metadata=table.host)).replay
    return sum(record.HasField("action") for record in replay.records)


async def test_one_server_thinks_for_a_game(replicas: Replicas, asked: list[Any]) -> None:
    """However many servers have a game of bots in memory, each choice is thought about once."""
    one, two = replicas.stubs
    tables = [await new_table(stub, GREEDY_BOT, GREEDY_BOT, GREEDY_BOT) for stub in (one, one, two)]
    counts = [[await finished(stub, table) for stub in (one, two)] for table in tables]
    assert all(at_one == at_two for at_one, at_two in counts)
    assert len(asked) == sum(at_one for at_one, _ in counts)


async def test_who_changes_a_game_thinks_for_it(replicas: Replicas, asked: list[Any]) -> None:
    """When a change at another server takes the lease, the first stops: at most one choice is thought twice."""
    one, two = replicas.stubs
    table = await new_table(one, GREEDY_BOT, GREEDY_BOT)
    await two.SetSeatBot(pb.SetSeatBotRequest(name=table.name, seat=0, bot="greedy"), metadata=table.host)
    assert await finished(two, table) <= len(asked) <= await finished(two, table) + 1


async def test_a_bot_answers_whichever_server_is_played_at(replicas: Replicas) -> None:
    """A person who plays against a bot may make each move at another server."""
    table = await new_table(replicas.one.stub, RESERVED, GREEDY_BOT)
    tables = await both_know(table, replicas)
    for number in range(6):
        here = tables[number % 2]
        waiting = pb.GetGameViewRequest(name=here.name, wait_for_turn=Duration(seconds=20))
        view = (await here.stub.GetGameView(waiting, metadata=here.seat(0))).view
        assert view.pending.seat == 0
        ids = (await here.legal(0, format=pb.LEGAL_ACTION_FORMAT_IDS)).action_ids
        await here.submit(0, view.version, action_id=ids[0])


async def test_a_server_that_ends_hands_its_games_over(config: Config) -> None:
    """A drained server gives its leases up, so another goes on with its bots at the next sweep."""
    async with hosted_by(config) as two:
        async with hosted_by(config) as one:
            table = await new_table(one.stub, GREEDY_BOT, GREEDY_BOT)
        async with asyncio.timeout(60 * SWEEP_SECONDS):
            async for message in two.stub.WatchGame(pb.WatchGameRequest(name=table.name)):
                last = message
        assert last.terminal.game.state == common_pb2.GAME_STATE_FINISHED
