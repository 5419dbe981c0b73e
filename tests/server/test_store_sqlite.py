"""What only the SQLite journal promises: one file, private, and for one server."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import pytest
from meadow_server.store import writer as writer_module
from meadow_server.store.base import JournalFormat, JournalInUse, StoreUnavailable
from meadow_server.store.sqlite import open_store
from meadow_server.store.writer import MAX_GROUP, GroupWriter

from tests.server.test_store import append, game_id, new_game


async def test_the_journal_is_private_and_durable(tmp_path: Path) -> None:
    """The file is readable by its owner alone, and every commit waits for the disk."""
    store = open_store(tmp_path / "deep" / "journal.db")
    await store.server_key()
    assert (tmp_path / "deep" / "journal.db").stat().st_mode & 0o077 == 0
    (level,) = await store._writer.run(lambda connection: connection.execute("PRAGMA synchronous").fetchone())
    assert level == 2
    await store.close()


async def test_a_journal_has_one_server(tmp_path: Path) -> None:
    """While one server has the journal another is refused by name; afterwards it may."""
    store = open_store(tmp_path / "journal.db")
    with pytest.raises(JournalInUse, match=r"journal\.db is in use by another server \(process \d+\)"):
        open_store(tmp_path / "journal.db")
    await store.close()
    await open_store(tmp_path / "journal.db").close()


def _open_files(journal: Path) -> list[str]:
    """The files of a journal that this process has open, where the system tells."""
    names = []
    for link in Path("/proc/self/fd").glob("*"):
        with suppress(FileNotFoundError):  # the folder's own, closed by now
            names.append(str(link.readlink()))
    return [name for name in names if name.startswith(str(journal))]


async def test_other_files_are_not_touched(tmp_path: Path) -> None:
    """Databases of something else, of a newer format, and what cannot be opened are refused by name."""
    for name, statements in {
        "other.db": "CREATE TABLE cats (name TEXT);",
        "newer.db": "CREATE TABLE meta (key TEXT, value BLOB); INSERT INTO meta VALUES ('schema_version', '99');",
    }.items():
        connection = sqlite3.connect(tmp_path / name)
        connection.executescript(statements)
        connection.close()
        with pytest.raises(JournalFormat, match=name):
            open_store(tmp_path / name)
        assert not _open_files(tmp_path / name)
    (tmp_path / "text.db").write_text("not a database\n" * 100)
    with pytest.raises(JournalFormat, match="text"):
        open_store(tmp_path / "text.db")
    assert not _open_files(tmp_path / "text.db")
    (tmp_path / "folder.db").mkdir()
    with pytest.raises(JournalFormat, match=r"folder\.db is no file"):
        open_store(tmp_path / "folder.db")


async def test_a_failing_database_fails_the_group_and_recovers(tmp_path: Path) -> None:
    """When the database cannot write, writers hear so; when it can again, it goes on without a restart."""
    store = open_store(tmp_path / "journal.db")
    await store.create(new_game(1), None, 10)
    await store._writer.run(lambda connection: connection.execute("PRAGMA max_page_count = 20"))
    payload = b"x" * 100_000
    with pytest.raises(StoreUnavailable):
        await store.append(append(1, 0, payload))
    await store._writer.run(lambda connection: connection.execute("PRAGMA max_page_count = 100000"))
    await store.append(append(1, 0, payload))
    await store.close()


async def test_what_was_given_before_closing_is_written(tmp_path: Path) -> None:
    """Appends that wait for others when the journal is closed are carried out, and whoever gave them hears of it."""
    store = open_store(tmp_path / "journal.db")
    count = 2 * MAX_GROUP + 40
    await asyncio.gather(*[store.create(new_game(number), None, count) for number in range(count)])
    first = store.append(append(0, 0))
    await asyncio.sleep(0)
    others = [store.append(append(number, 0)) for number in range(1, count)]
    await asyncio.gather(store.close(), first, *others)


async def test_appends_that_come_during_a_commit_share_the_next(tmp_path: Path) -> None:
    """However many come meanwhile, they wait for one commit more."""
    groups: list[int] = []

    def write_all(_connection: sqlite3.Connection, entries: Sequence[int]) -> bool:
        groups.append(len(entries))
        if len(groups) == 1:
            committing.set()
            come.wait()
        return True

    committing, come = threading.Event(), threading.Event()
    loop = asyncio.get_running_loop()
    connection = sqlite3.connect(tmp_path / "any.db", check_same_thread=False)
    writer: GroupWriter[int] = GroupWriter(connection, loop, lambda _connection, _entry: None, write_all)
    first = writer.write(0)
    await asyncio.to_thread(committing.wait)
    others = [writer.write(number) for number in range(1, 21)]
    come.set()
    await asyncio.gather(first, *others)
    await writer.close()
    assert groups == [1, 20]


async def test_nobody_is_kept_waiting_for_a_disk_that_does_not_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a while all who wait hear that the outcome is not known, others at once; it ends when the disk answers."""
    monkeypatch.setattr(writer_module, "PATIENCE_SECONDS", 0.05)
    answers = threading.Event()

    def write_all(_connection: sqlite3.Connection, _entries: Sequence[int]) -> bool:
        answers.wait()
        return True

    loop = asyncio.get_running_loop()
    connection = sqlite3.connect(tmp_path / "any.db", check_same_thread=False)
    writer: GroupWriter[int] = GroupWriter(connection, loop, lambda _connection, _entry: None, write_all)
    first = writer.write(1)
    await asyncio.sleep(0)
    second = writer.write(2)
    for write in (first, second):
        with pytest.raises(StoreUnavailable, match="does not answer"):
            await write
    with pytest.raises(StoreUnavailable, match="does not answer"):
        await writer.write(3)
    answers.set()
    while True:
        with suppress(StoreUnavailable):
            await writer.write(4)
            break
        await asyncio.sleep(0)
    await writer.close()


async def test_a_write_outlives_who_waits_for_it(tmp_path: Path) -> None:
    """A task that is cancelled while it waits for a write hears so when the record is in the journal."""
    store = open_store(tmp_path / "journal.db")
    await store.create(new_game(1), None, 10)

    async def wait(write: asyncio.Future[None]) -> None:
        await write

    for version in range(20):
        write = store.append(append(1, version))
        task = asyncio.create_task(wait(write))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert write.done()
        assert await store.versions([game_id(1)]) == {game_id(1): version + 1}
    await store.close()
