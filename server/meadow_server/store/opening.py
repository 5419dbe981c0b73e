"""Opening a journal, whatever keeps it."""

from __future__ import annotations

from pathlib import Path

from meadow_server.config import Config
from meadow_server.store import sqlite
from meadow_server.store.base import JournalFormat, Store


async def open_journal(config: Config) -> Store:
    """Open the configured journal, making it when missing.

    Raises:
        JournalInUse: another server has the file.
        JournalFormat: what is there is no journal of this format, or cannot be reached.
    """
    if isinstance(config.journal, Path):
        return sqlite.open_store(config.journal)
    try:
        from meadow_server.store import postgres  # noqa: PLC0415 (an extra, which servers with a file do without)
    except ImportError as error:
        text = f"the journal {config.journal} needs the extra postgres: pip install 'meadow-engine[postgres]'"
        raise JournalFormat(text) from error
    return await postgres.open_store(
        config.journal, connections=config.journal_connections, listens=config.journal_listen
    )
