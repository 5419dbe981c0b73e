"""The tables of the PostgreSQL journal, in a schema of their own, and how those of older formats become them."""

from __future__ import annotations

import structlog
from psycopg import AsyncConnection

from meadow_server.store.base import JournalFormat
from meadow_server.store.migrations import pending

log = structlog.get_logger()

PREPARING = 0x6D6561646F77
"""Advisory lock of whoever makes or migrates the tables: servers that start together do it one after another."""

# A game's row is written at every move. So its header, which never changes, lies outside the row (toast_tuple_target),
# and pages keep room for new versions of their rows, which then touch no index (fillfactor).
_FORMAT_1 = """
CREATE TABLE meadow.meta (key text PRIMARY KEY, value bytea NOT NULL);
CREATE TABLE meadow.packs (hash bytea PRIMARY KEY, content bytea NOT NULL);
CREATE TABLE meadow.games (
    game_id bytea PRIMARY KEY,
    version bigint NOT NULL,           -- number of records
    state text NOT NULL,
    due bigint,                        -- when a server has to act, microseconds since 1970
    holder bytea,                      -- the server whose work that is
    leased bigint NOT NULL DEFAULT 0,  -- until when, microseconds since 1970
    variant text NOT NULL,
    rules_revision integer NOT NULL,
    public boolean NOT NULL,
    join_hash bytea NOT NULL UNIQUE,   -- of the join code
    creator bytea NOT NULL,            -- keyed hash of the address that created it
    created bigint NOT NULL,           -- microseconds since 1970
    updated bigint NOT NULL,           -- when the last record was written, or the game created
    header bytea NOT NULL              -- what never changes: options, seed, seats at creation
) WITH (fillfactor = 60, toast_tuple_target = 128);
ALTER TABLE meadow.games ALTER header SET STORAGE EXTERNAL;
CREATE INDEX games_listed ON meadow.games (public, created, game_id);
CREATE INDEX games_by_creator ON meadow.games (creator, state);
CREATE INDEX games_by_rules ON meadow.games (variant, rules_revision);
CREATE INDEX games_due ON meadow.games (due) WHERE due IS NOT NULL;
CREATE TABLE meadow.records (
    game_id bytea NOT NULL,
    version bigint NOT NULL,           -- that the record made
    time bigint NOT NULL,              -- microseconds since 1970
    lobby boolean NOT NULL,            -- whether it is about seats and the game's life
    payload bytea NOT NULL,
    PRIMARY KEY (game_id, version)
);
CREATE TABLE meadow.requests (
    request_id bytea PRIMARY KEY,
    fingerprint bytea NOT NULL,
    game_id bytea NOT NULL,
    base_version bigint NOT NULL,
    version bigint NOT NULL
);
CREATE INDEX requests_of_game ON meadow.requests (game_id, version);
"""

STEPS = (_FORMAT_1,)
"""What makes each format out of the one before it; the first makes a journal."""


async def prepare(connection: AsyncConnection, journal: str) -> None:
    """Make the tables of a new journal, bring an older one up to date, refuse what is no journal or a newer one.

    Raises:
        JournalFormat: with the journal's name.
    """
    async with connection.transaction():
        await connection.execute("SELECT pg_advisory_xact_lock(%s)", (PREPARING,))
        found = await _format(connection, journal)
        steps = pending(journal, found, STEPS)
        for step in steps:
            await connection.execute(step.encode())
        if steps:
            value = str(len(STEPS)).encode()
            ask = "INSERT INTO meadow.meta VALUES ('schema_version', %s) ON CONFLICT (key) DO UPDATE SET value = %s"
            await connection.execute(ask, (value, value))
    if found and steps:
        log.info("journal migrated", journal=journal, from_format=found, to_format=len(STEPS))


async def _format(connection: AsyncConnection, journal: str) -> int:
    """The format of the journal in a database; 0 for none, whose schema is there afterwards."""
    cursor = await connection.execute("SELECT 1 FROM pg_namespace WHERE nspname = 'meadow'")
    if await cursor.fetchone() is None:
        await connection.execute("CREATE SCHEMA meadow")
        return 0
    cursor = await connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'meadow'")
    tables = {name for (name,) in await cursor.fetchall()}
    if not tables:
        return 0
    if "meta" not in tables:
        raise JournalFormat(f"the schema meadow of {journal} is something else than a journal")
    cursor = await connection.execute("SELECT value FROM meadow.meta WHERE key = 'schema_version'")
    row = await cursor.fetchone()
    if row is None:
        raise JournalFormat(f"the schema meadow of {journal} is something else than a journal")
    return int(row[0])
