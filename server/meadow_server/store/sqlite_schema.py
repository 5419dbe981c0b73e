"""The tables of the SQLite journal, and how those of older formats become them.

A new journal is made by all steps in order, so it is the same as one that was migrated.
"""

from __future__ import annotations

import sqlite3

import structlog

from meadow_server.store.base import JournalFormat
from meadow_server.store.migrations import pending

log = structlog.get_logger()

_FORMAT_1 = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE packs (hash BLOB PRIMARY KEY, content BLOB NOT NULL);
CREATE TABLE games (
    game_id BLOB PRIMARY KEY,
    version INTEGER NOT NULL,          -- number of records
    state TEXT NOT NULL,
    bots INTEGER NOT NULL,             -- whether a bot has a seat
    variant TEXT NOT NULL,
    public INTEGER NOT NULL,
    join_hash BLOB NOT NULL UNIQUE,    -- of the join code
    creator BLOB NOT NULL,             -- keyed hash of the address that created it
    created INTEGER NOT NULL,          -- microseconds since 1970
    header BLOB NOT NULL               -- what never changes: options, seed, seats at creation
);
CREATE INDEX games_listed ON games (public, created, game_id);
CREATE INDEX games_by_creator ON games (creator, state);
CREATE INDEX games_with_bots ON games (state, bots);
CREATE TABLE records (
    game_id BLOB NOT NULL,
    version INTEGER NOT NULL,          -- that the record made
    time INTEGER NOT NULL,             -- microseconds since 1970
    lobby INTEGER NOT NULL,            -- whether it is about seats and the game's life
    payload BLOB NOT NULL,
    PRIMARY KEY (game_id, version)
) WITHOUT ROWID;
CREATE TABLE requests (
    request_id BLOB PRIMARY KEY,
    fingerprint BLOB NOT NULL,
    game_id BLOB NOT NULL,
    base_version INTEGER NOT NULL,
    version INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX requests_of_game ON requests (game_id);

-- One row a record to append. Everything that an append means is in the trigger, so that any number of them is one
-- statement, which is also the transaction. The request, if any, comes with the first record.
CREATE VIEW appends AS SELECT
    0 AS game_id, 0 AS version, 0 AS time, 0 AS lobby, 0 AS payload, 0 AS state, 0 AS bots,
    0 AS request_id, 0 AS fingerprint, 0 AS request_version;
CREATE TRIGGER append INSTEAD OF INSERT ON appends BEGIN
    UPDATE games SET version = NEW.version WHERE game_id = NEW.game_id AND version = NEW.version - 1;
    SELECT raise(ABORT, 'version taken') WHERE changes() = 0;
    -- apart, as it touches indexes, and seldom
    UPDATE games SET state = NEW.state, bots = NEW.bots
        WHERE game_id = NEW.game_id AND (state <> NEW.state OR bots <> NEW.bots);
    INSERT INTO records VALUES (NEW.game_id, NEW.version, NEW.time, NEW.lobby, NEW.payload);
    INSERT INTO requests
        SELECT NEW.request_id, NEW.fingerprint, NEW.game_id, NEW.version - 1, NEW.request_version
        WHERE NEW.request_id IS NOT NULL;
END;
"""

# Games say from when on the server has something to do for them, and which rules they are played by. What an older
# journal says of its running games with bots is that the server has to look at them.
_FORMAT_2 = """
DROP VIEW appends;
CREATE TABLE new_games (
    game_id BLOB PRIMARY KEY,
    version INTEGER NOT NULL,          -- number of records
    state TEXT NOT NULL,
    due INTEGER,                       -- when the server has to act, microseconds since 1970
    variant TEXT NOT NULL,
    rules_revision INTEGER NOT NULL,
    public INTEGER NOT NULL,
    join_hash BLOB NOT NULL UNIQUE,    -- of the join code
    creator BLOB NOT NULL,             -- keyed hash of the address that created it
    created INTEGER NOT NULL,          -- microseconds since 1970
    header BLOB NOT NULL               -- what never changes: options, seed, seats at creation
);
INSERT INTO new_games
    SELECT game_id, version, state, CASE WHEN bots AND state = 'RUNNING' THEN 0 END, variant,
        json_extract(CAST(header AS TEXT), '$.rules_revision'), public, join_hash, creator, created, header FROM games;
DROP TABLE games;
ALTER TABLE new_games RENAME TO games;
CREATE INDEX games_listed ON games (public, created, game_id);
CREATE INDEX games_by_creator ON games (creator, state);
CREATE INDEX games_by_rules ON games (variant, rules_revision);
CREATE INDEX games_due ON games (due) WHERE due IS NOT NULL;

CREATE VIEW appends AS SELECT
    0 AS game_id, 0 AS version, 0 AS time, 0 AS lobby, 0 AS payload, 0 AS state, 0 AS due,
    0 AS request_id, 0 AS fingerprint, 0 AS request_version;
CREATE TRIGGER append INSTEAD OF INSERT ON appends BEGIN
    UPDATE games SET version = NEW.version WHERE game_id = NEW.game_id AND version = NEW.version - 1;
    SELECT raise(ABORT, 'version taken') WHERE changes() = 0;
    -- apart, as it touches indexes, and seldom
    UPDATE games SET state = NEW.state, due = NEW.due
        WHERE game_id = NEW.game_id AND (state <> NEW.state OR due IS NOT NEW.due);
    INSERT INTO records VALUES (NEW.game_id, NEW.version, NEW.time, NEW.lobby, NEW.payload);
    INSERT INTO requests
        SELECT NEW.request_id, NEW.fingerprint, NEW.game_id, NEW.version - 1, NEW.request_version
        WHERE NEW.request_id IS NOT NULL;
END;
"""

STEPS = (_FORMAT_1, _FORMAT_2)
"""What makes each format out of the one before it; the first makes a journal."""


def prepare(connection: sqlite3.Connection, file: str) -> None:
    """Make the tables of a new journal, bring an older one up to date, refuse what is no journal or a newer one.

    Raises:
        JournalFormat: with the file's name.
    """
    found = found_format(connection, file)
    steps = pending(file, found, STEPS)
    if not steps:
        return
    connection.executescript("\n".join(["BEGIN IMMEDIATE;", *steps]))
    connection.execute("INSERT OR REPLACE INTO meta VALUES ('schema_version', ?)", (str(len(STEPS)).encode(),))
    connection.execute("COMMIT")
    if found:
        log.info("journal migrated", journal=file, from_format=found, to_format=len(STEPS))


def found_format(connection: sqlite3.Connection, file: str) -> int:
    """The format of the journal in a file; 0 for an empty file."""
    try:
        tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    except sqlite3.DatabaseError as error:
        raise JournalFormat(f"{file} is not a journal: {error}") from error
    if not tables:
        return 0
    if "meta" not in tables:
        raise JournalFormat(f"{file} is a database of something else")
    row = connection.execute("SELECT value FROM meta WHERE key = 'schema_version'").fetchone()
    if row is None:
        raise JournalFormat(f"{file} is a database of something else")
    return int(row[0])
