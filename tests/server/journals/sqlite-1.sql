-- A SQLite journal of format 1, without content. Never change it: it is what servers of that time wrote.
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
INSERT INTO meta VALUES ('schema_version', CAST('1' AS BLOB));
