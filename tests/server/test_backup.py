"""Copies of a journal that is written to, and servers that are started with them."""

from __future__ import annotations

import asyncio
import random
import sqlite3
import stat
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from meadow_api.v1 import game_service_pb2 as pb
from meadow_server.backup import BackupRefused, back_up
from meadow_server.store.address import PostgresUrl

from tests.client.running import meadow
from tests.server.harness import Host, Table, hosted, new_table
from tests.support.postgres import programs

ENOUGH, PAUSE = 60, 0.02
"""Choices after which a game of Spring Meadow is not over yet; seconds between two of them."""


def names_in(folder: Path) -> set[str]:
    """The names of what is in a folder."""
    return {path.name for path in folder.iterdir()}


async def play_on(table: Table, seen: list[int], until: asyncio.Event) -> None:
    """Play, and note each version that was acknowledged, until told to stop, at a pace that does not end the game."""
    chance = random.Random(table.name)
    while not until.is_set() and len(seen) < ENOUGH:
        answer = await table.play_one(chance.randrange(1000))
        seen.append(answer.version)
        await asyncio.sleep(PAUSE)


async def check(copy: Host, table: Table, acknowledged: int) -> None:
    """A game in a copy has all that was acknowledged before it was made, exactly as it was played, and goes on."""
    original, table.stub = table.stub, copy.stub
    request = pb.GetReplayRequest(name=table.name)
    copied = list((await copy.stub.GetReplay(request, metadata=table.host)).replay.records)
    assert len(copied) >= acknowledged
    played = list((await original.GetReplay(request, metadata=table.host)).replay.records)
    assert copied == played[: len(copied)]
    await table.play_one()
    table.stub = original


@pytest.mark.sqlite
async def test_a_copy_made_under_writes_is_whole(tmp_path: Path) -> None:
    """While players play, a copy has all that was acknowledged before, games and tokens alike; the server goes on."""
    async with hosted(tmp_path) as host:
        tables = [await new_table(host.stub, seed=bytes([number]) * 32) for number in range(4)]
        seen: list[list[int]] = [[] for _ in tables]
        stop = asyncio.Event()
        playing = [asyncio.create_task(play_on(table, mine, stop)) for table, mine in zip(tables, seen, strict=True)]
        copies = []
        for number in range(3):
            await asyncio.sleep(0.2)
            before = [max(mine, default=1) for mine in seen]
            target = tmp_path / f"copy-{number}" / "journal.db"
            target.parent.mkdir()
            journal = str(host.config.journal)
            done = await asyncio.to_thread(meadow, "admin", "backup", target, "--journal", journal)
            assert done.exit_code == 0, done.stderr
            copies.append((target, before))
        stop.set()
        await asyncio.gather(*playing)
        assert all(len(mine) > 3 for mine in seen)
        for target, before in copies:
            async with hosted(target.parent) as copy:
                for table, acknowledged in zip(tables, before, strict=True):
                    await check(copy, table, acknowledged)


async def test_a_copy_is_private_and_complete(tmp_path: Path) -> None:
    """The copy is one file that its owner alone may read, with nothing left beside it."""
    async with hosted(tmp_path / "served") as host:
        await (await new_table(host.stub)).play(3)
        target = tmp_path / "copy.db"
        size = await asyncio.to_thread(back_up, str(host.config.journal), target)
    assert names_in(tmp_path) == {"copy.db", "served"}
    assert stat.S_IMODE((await asyncio.to_thread(target.stat)).st_mode) == 0o600
    assert (await asyncio.to_thread(target.stat)).st_size == size
    with closing(sqlite3.connect(target)) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert database.execute("SELECT count(*) FROM records").fetchone() == (4,)


async def test_a_server_that_was_killed_is_copied_with_its_log(tmp_path: Path) -> None:
    """What lies only in the write-ahead log is in the copy too."""
    async with hosted(tmp_path) as host:
        table = await new_table(host.stub)
        await table.play(5)
        for suffix in ("", "-wal", "-shm"):
            left = host.config.journal.with_name(f"journal.db{suffix}")  # type: ignore[union-attr]
            (tmp_path / f"killed.db{suffix}").write_bytes(left.read_bytes())
    back_up(str(tmp_path / "killed.db"), tmp_path / "copy.db")
    with closing(sqlite3.connect(tmp_path / "copy.db")) as database:
        assert database.execute("SELECT version FROM games").fetchone() == (6,)


def test_what_cannot_be_copied_is_refused_and_leaves_nothing(tmp_path: Path) -> None:
    """A journal that is missing, is none or is a database's, and a target that is there or cannot be."""
    journal, text, empty = tmp_path / "journal.db", tmp_path / "text.db", tmp_path / "empty.db"
    text.write_text("no database, and longer than the header of one would be " * 20)
    empty.touch()
    journal.write_bytes(b"")
    target = tmp_path / "copies" / "copy.db"
    for source, place, words in (
        (tmp_path / "missing.db", tmp_path / "copy.db", "missing.db"),
        (text, tmp_path / "copy.db", "text.db"),
        (empty, tmp_path / "copy.db", "empty.db"),
        (text, empty, "empty.db exists"),
        (empty, target, "copies"),
        ("postgresql://user:secret@host/games", tmp_path / "copy.db", "pg_dump"),
    ):
        with pytest.raises(BackupRefused, match=words) as refusal:
            back_up(str(source), place)
        assert "secret" not in str(refusal.value)
    assert names_in(tmp_path) == {"journal.db", "text.db", "empty.db"}


def test_a_copy_is_never_half_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """When the disk is full half way, there is no file under the name of the copy."""
    journal = tmp_path / "journal.db"
    with closing(sqlite3.connect(journal)) as database:
        database.execute("CREATE TABLE meta (key TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID")
        database.execute("INSERT INTO meta VALUES ('schema_version', '1')")
        database.commit()

    def full(_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("meadow_server.backup._sync", full)
    with pytest.raises(BackupRefused, match="No space left"):
        back_up(str(journal), tmp_path / "copy.db")
    assert names_in(tmp_path) == {"journal.db"}


def test_the_command_without_the_command_line(tmp_path: Path) -> None:
    """In the container, which has no `meadow`, the module does it."""
    missing = [sys.executable, "-m", "meadow_server.backup", str(tmp_path / "copy.db"), "--journal", "nowhere.db"]
    done = subprocess.run(missing, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (1, "meadow: there is no journal nowhere.db\n")


async def test_a_database_is_copied_by_its_own_means(database: PostgresUrl, tmp_path: Path) -> None:
    """What pg_dump writes of the schema meadow, while the server serves, is a journal for another server."""
    found = programs()
    assert found is not None
    dump = str(tmp_path / "journal.dump")

    async def run(program: str, *arguments: str) -> None:
        process = await asyncio.create_subprocess_exec(found / program, *arguments)
        assert await process.wait() == 0

    async with hosted(database) as host:
        table = await new_table(host.stub)
        await table.play(4)
        await run("pg_dump", "--format=custom", "--schema=meadow", f"--file={dump}", database.secret)
        view = await table.view()
        await table.play(2)
    await run("pg_restore", "--clean", "--exit-on-error", f"--dbname={database.secret}", dump)
    async with hosted(database) as host:
        table.stub = host.stub
        assert (await table.view()).version == view.version
        await table.play_one()
