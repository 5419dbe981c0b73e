"""Journals of older formats."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from meadow_api.v1 import common_pb2
from meadow_api.v1 import game_service_pb2 as pb
from meadow_server.store.sqlite_schema import STEPS, prepare

from tests.server.harness import GREEDY_BOT, OPEN, hosted, new_table

JOURNALS = Path(__file__).with_name("journals")


def _tables(connection: sqlite3.Connection) -> list[tuple[str, str]]:
    return sorted(connection.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL"))


def _age(journal: Path, format_1: Path) -> None:
    """Write what a journal holds as a server of format 1 would have written it."""
    with closing(sqlite3.connect(format_1, isolation_level=None)) as old:
        old.executescript((JOURNALS / "sqlite-1.sql").read_text())
        old.execute("ATTACH ? AS new", (str(journal),))
        for table in ("packs", "records", "requests"):
            old.execute(f"INSERT INTO {table} SELECT * FROM new.{table}")
        old.execute("INSERT INTO meta SELECT * FROM new.meta WHERE key = 'server_key'")
        old.execute(
            "INSERT INTO games SELECT game_id, version, state, due IS NOT NULL, variant, public, join_hash, creator,"
            " created, header FROM new.games"
        )


async def test_a_journal_of_format_1_is_played_on(tmp_path: Path) -> None:
    """Games, tokens and join codes out of the first format work, and its bots go on without being asked."""
    async with hosted(tmp_path / "new") as host:
        lobby = await new_table(host.stub, OPEN, OPEN)
        table = await new_table(host.stub)
        view = await table.view()
        await table.play(6)
        bots = await new_table(host.stub, GREEDY_BOT, GREEDY_BOT)
    (tmp_path / "old").mkdir()
    _age(tmp_path / "new" / "journal.db", tmp_path / "old" / "journal.db")

    async with hosted(tmp_path / "old") as host:
        table.stub = lobby.stub = bots.stub = host.stub
        assert (await table.view()).version == view.version + 6
        await table.play_one()
        await host.stub.ClaimSeat(pb.ClaimSeatRequest(join_code=lobby.created.join_code))
        async for message in host.stub.WatchGame(pb.WatchGameRequest(name=bots.name)):
            last = message
        assert last.terminal.game.state == common_pb2.GAME_STATE_FINISHED


@pytest.mark.parametrize("found", range(1, len(STEPS) + 1))
def test_a_migrated_journal_is_like_a_new_one(tmp_path: Path, found: int) -> None:
    """Whatever format a journal had, it ends with the tables of a new one, and opening it again changes nothing."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as new:
        prepare(new, "new")
        expected = _tables(new)
    with closing(sqlite3.connect(tmp_path / "journal.db", isolation_level=None)) as old:
        for step in STEPS[:found]:
            old.executescript(step)
        old.execute("INSERT INTO meta VALUES ('schema_version', ?)", (str(found).encode(),))
        for _ in range(2):
            prepare(old, "old")
            assert _tables(old) == expected


async def test_format_1_is_what_it_was() -> None:
    """The first step makes the tables that the frozen journal has."""
    with (
        closing(sqlite3.connect(":memory:", isolation_level=None)) as frozen,
        closing(sqlite3.connect(":memory:", isolation_level=None)) as made,
    ):
        frozen.executescript((JOURNALS / "sqlite-1.sql").read_text())
        made.executescript(STEPS[0])
        assert _tables(frozen) == _tables(made)
