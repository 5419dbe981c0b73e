"""A journal that was damaged: the game concerned is told as damaged, and every other game goes on."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import grpc
import pytest
from meadow_api.v1 import game_service_pb2 as pb
from meadow_server.logs import configure_logs

from tests.server.every_call import CHANGING, METHODS, REQUESTS, Aim
from tests.server.harness import GREEDY_BOT, Table, hosted, new_table, refusal_of, refused

DAMAGE = {
    "a record that is none": "UPDATE records SET payload = x'00' WHERE game_id = ? AND version = 3",
    "the start is none": "UPDATE records SET payload = x'7b7d' WHERE game_id = ? AND version = 1",
    "a record of another time": """UPDATE records SET payload = (SELECT payload FROM records AS later
        WHERE later.game_id = records.game_id AND later.version = 4) WHERE game_id = ? AND version = 3""",
    "a record is missing": "DELETE FROM records WHERE game_id = ? AND version = 3",
    "the last records are missing": "DELETE FROM records WHERE game_id = ? AND version > 2",
    "the head is none": "UPDATE games SET header = x'7b7d' WHERE game_id = ?",
    "a state that there is not": "UPDATE games SET state = 'NONSENSE' WHERE game_id = ?",
}


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    configure_logs("json", "critical")
    yield
    configure_logs("json", "error")


def damage(folder: Path, table: Table, how: str) -> None:
    """Change what the journal holds of a game."""
    with closing(sqlite3.connect(folder / "journal.db")) as journal:
        journal.execute(DAMAGE[how], (bytes.fromhex(table.name.removeprefix("games/")),))
        journal.commit()


@pytest.mark.parametrize("how", DAMAGE)
async def test_a_damaged_game_is_told_as_damaged(how: str, tmp_path: Path) -> None:
    """Every call about it says so, the list leaves it out if it cannot be listed, and the others are played on."""
    async with hosted(tmp_path) as host:
        damaged, other = await new_table(host.stub, variant="meadow"), await new_table(host.stub)
        await damaged.play(6)
    damage(tmp_path, damaged, how)
    async with hosted(tmp_path) as host:
        for name in METHODS.keys() - CHANGING:
            if METHODS[name].of_a_game:
                body = REQUESTS[name](Aim(damaged.name))[0].SerializeToString()
                with pytest.raises(grpc.RpcError) as caught:
                    await METHODS[name].first(host.channel, body, damaged.seat(0))
                assert "damaged" in refusal_of(caught.value).message
        other.stub = host.stub
        await other.play(2)
        listed = [game.name for game in (await host.stub.ListGames(pb.ListGamesRequest())).games]
        assert other.name in listed


@pytest.mark.parametrize("how", ["the start is none", "the head is none"])
async def test_bots_of_other_games_go_on(how: str, tmp_path: Path) -> None:
    """A damaged game that waits for a bot keeps no other from its bots."""
    async with hosted(tmp_path) as host:
        tables = [await new_table(host.stub, *[GREEDY_BOT] * 4) for _ in range(2)]
    damage(tmp_path, tables[0], how)
    async with hosted(tmp_path) as host:
        with refused("INTERNAL_FAULT"):
            await host.stub.GetGame(pb.GetGameRequest(name=tables[0].name))
        async for message in host.stub.WatchGame(pb.WatchGameRequest(name=tables[1].name)):
            last = message
        assert last.terminal.end == pb.WATCH_END_FINISHED
