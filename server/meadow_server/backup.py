"""`python -m meadow_server.backup FILE`: a copy of the SQLite journal as of one moment, while the server serves.

To restore, start a server with the copy as its journal: it is whole, and nobody else has it.
"""

from __future__ import annotations

import argparse
import os
import secrets
import sqlite3
import sys
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

from meadow_server.config import DEFAULT_JOURNAL, ENV_PREFIX
from meadow_server.store.address import POSTGRES_SCHEMES
from meadow_server.store.base import JournalFormat
from meadow_server.store.sqlite_schema import found_format


class BackupRefused(Exception):
    """There is nothing to copy, or nowhere to put it; the message says which. No file was written."""


def back_up(journal: str, target: Path) -> int:
    """Copy a journal; the file appears when all of it is on disk.

    Args:
        journal: the file, as the server is told it.
        target: of the copy; must not exist.

    Returns:
        The size of the copy in bytes.

    Raises:
        BackupRefused: it cannot be.
    """
    if journal.startswith(POSTGRES_SCHEMES):
        raise BackupRefused("a journal in a PostgreSQL database is copied by PostgreSQL's own pg_dump")
    source = Path(journal)
    if not source.is_file():
        raise BackupRefused(f"there is no journal {source}")
    if target.exists():
        raise BackupRefused(f"{target} exists already")
    draft = target.with_name(f"{target.name}.{secrets.token_hex(4)}.part")
    try:
        _copy(source, draft)
        size = draft.stat().st_size
        draft.rename(target)
        _sync(target.parent)
    except (sqlite3.Error, JournalFormat) as error:
        raise BackupRefused(f"{source} cannot be copied: {error}") from None
    except OSError as error:
        raise BackupRefused(f"{target} cannot be written: {error.strerror}") from None
    finally:
        for left in target.parent.glob(f"{draft.name}*"):
            left.unlink()
    return size


def _copy(source: Path, draft: Path) -> None:
    """Copy by SQLite's own means, in one read transaction: writers go on meanwhile, and are not in the copy."""
    # it holds seeds and the key that tokens are made with
    os.close(os.open(draft, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
    address = f"file:{quote(str(source.resolve()))}?mode=rw"
    with closing(sqlite3.connect(address, uri=True)) as journal, closing(sqlite3.connect(draft)) as copy:
        if found_format(journal, str(source)) == 0:
            raise JournalFormat("it is no journal")
        journal.backup(copy)
        (answer,) = copy.execute("PRAGMA integrity_check").fetchone()
        if answer != "ok":
            raise JournalFormat(f"the copy is damaged, and so is the journal: {answer}")
    _sync(draft)


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def main(argv: list[str]) -> int:
    """Run the command; answers its exit code."""
    journal = os.environ.get(ENV_PREFIX + "JOURNAL", DEFAULT_JOURNAL)
    parser = argparse.ArgumentParser(prog="python -m meadow_server.backup", description=__doc__)
    parser.add_argument("file", type=Path, help="the copy; must not exist")
    parser.add_argument("--journal", default=journal, help=f"[{ENV_PREFIX}JOURNAL] (default: {DEFAULT_JOURNAL})")
    given = parser.parse_args(argv)
    try:
        size = back_up(given.journal, given.file)
    except BackupRefused as refusal:
        sys.stderr.write(f"meadow: {refusal}\n")
        return 1
    sys.stdout.write(f"{given.file}: {size} bytes\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
