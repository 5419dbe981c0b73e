"""What the PostgreSQL journal asks the database. Names of values are those of the columns, or said here."""

KEEP_KEY = "INSERT INTO meadow.meta VALUES ('server_key', %(key)s) ON CONFLICT DO NOTHING"
KEEP_PULSE = "INSERT INTO meadow.meta VALUES ('pulse', %(pulse)s) ON CONFLICT DO NOTHING"
PULSE = "SELECT value FROM meadow.meta WHERE key = 'pulse' FOR UPDATE"
SET_PULSE = "UPDATE meadow.meta SET value = %(pulse)s WHERE key = 'pulse'"
KEY = "SELECT value FROM meadow.meta WHERE key = 'server_key'"
KEEP_PACK = "INSERT INTO meadow.packs VALUES (%(hash)s, %(content)s) ON CONFLICT DO NOTHING"
PACK = "SELECT content FROM meadow.packs WHERE hash = %(hash)s"

NOTE_REQUEST = """
INSERT INTO meadow.requests VALUES (%(request_id)s, %(fingerprint)s, %(game_id)s, %(base_version)s, %(version)s)
ON CONFLICT DO NOTHING
"""
REQUEST = """
SELECT request_id, fingerprint, game_id, base_version, version FROM meadow.requests WHERE request_id = %(request)s
"""
JOIN = "SELECT game_id FROM meadow.games WHERE join_hash = %(join_hash)s"

LOCK_CREATOR = "SELECT pg_advisory_xact_lock(hashtextextended(encode(%(creator)s, 'hex'), 0))"
COUNT = "SELECT count(*) FROM meadow.games WHERE creator = %(creator)s AND state <> ALL(%(ended)s)"
CREATE = """
WITH written AS (
    INSERT INTO meadow.records (game_id, version, time, lobby, payload)
    SELECT * FROM unnest(
        %(record_games)s::bytea[], %(record_versions)s::bigint[], %(times)s::bigint[], %(lobbies)s::boolean[],
        %(payloads)s::bytea[]
    )
)
INSERT INTO meadow.games (
    game_id, version, state, due, holder, leased, variant, rules_revision, public, join_hash, creator, created, updated,
    header
) VALUES (
    %(game)s, %(version)s, %(state)s, %(due)s, %(holder)s, %(leased)s, %(variant)s, %(rules)s, %(public)s,
    %(join_hash)s, %(creator)s, %(time)s, %(time)s, %(header)s
)
"""

# Any number of appends, each of another game: `games` and so on have an item for each, `record_games` for each record.
APPEND = """
WITH moved AS (
    UPDATE meadow.games
    SET version = change.version, state = change.state, due = change.due, holder = change.holder,
        leased = change.leased, updated = change.updated
    FROM unnest(
        %(games)s::bytea[], %(bases)s::bigint[], %(ends)s::bigint[], %(updates)s::bigint[], %(states)s::text[],
        %(dues)s::bigint[], %(holders)s::bytea[], %(leases)s::bigint[],
        %(requests)s::bytea[], %(prints)s::bytea[], %(afters)s::bigint[]
    ) AS change (game_id, base, version, updated, state, due, holder, leased, request_id, fingerprint, after)
    WHERE games.game_id = change.game_id AND games.version = change.base
        AND NOT EXISTS (SELECT FROM meadow.requests WHERE requests.request_id = change.request_id)
    RETURNING games.game_id, change.base, change.request_id, change.fingerprint, change.after
), written AS (
    INSERT INTO meadow.records (game_id, version, time, lobby, payload)
    SELECT game_id, record.version, time, lobby, payload
    FROM moved JOIN unnest(
        %(record_games)s::bytea[], %(record_versions)s::bigint[], %(times)s::bigint[], %(lobbies)s::boolean[],
        %(payloads)s::bytea[]
    ) AS record (game_id, version, time, lobby, payload) USING (game_id)
), noted AS (
    INSERT INTO meadow.requests (request_id, fingerprint, game_id, base_version, version)
    SELECT request_id, fingerprint, game_id, base, after FROM moved WHERE request_id IS NOT NULL
)
SELECT game_id FROM moved
"""

DELETE = "DELETE FROM meadow.games WHERE game_id = %(game)s AND version = %(version)s"
DELETE_REQUESTS = "DELETE FROM meadow.requests WHERE game_id = %(game)s"
AGES = """
SELECT game_id, version, state, updated FROM meadow.games WHERE game_id > %(after)s ORDER BY game_id LIMIT %(limit)s
"""
DELETE_RECORDS = "DELETE FROM meadow.records WHERE game_id = %(game)s"

# One statement, so that a game and its records are read as of the same moment.
LOAD = """
SELECT header, state, version, payloads, times, lobbies, ids, prints, bases, versions
FROM meadow.games,
LATERAL (
    SELECT coalesce(array_agg(payload ORDER BY version), '{}') AS payloads,
        coalesce(array_agg(time ORDER BY version), '{}') AS times,
        coalesce(array_agg(lobby ORDER BY version), '{}') AS lobbies
    FROM meadow.records WHERE records.game_id = games.game_id AND records.version > %(after)s
) AS record,
LATERAL (
    SELECT coalesce(array_agg(request_id), '{}') AS ids, coalesce(array_agg(fingerprint), '{}') AS prints,
        coalesce(array_agg(base_version), '{}') AS bases, coalesce(array_agg(version), '{}') AS versions
    FROM meadow.requests WHERE requests.game_id = games.game_id AND requests.version > %(after)s
) AS request
WHERE game_id = %(game)s
"""
VERSIONS = "SELECT game_id, version FROM meadow.games WHERE game_id = ANY(%(games)s)"

LIST = """
SELECT game_id, header, state, version, created, updated, payloads, times
FROM meadow.games,
LATERAL (
    SELECT coalesce(array_agg(payload ORDER BY version), '{}') AS payloads,
        coalesce(array_agg(time ORDER BY version), '{}') AS times
    FROM meadow.records WHERE records.game_id = games.game_id AND lobby
) AS record
WHERE (public OR %(private)s)
    AND (%(state)s::text IS NULL OR state = %(state)s)
    AND (%(variant)s::text IS NULL OR variant = %(variant)s)
    AND (%(created)s::bigint IS NULL OR (created, game_id) < (%(created)s, %(game)s::bytea))
ORDER BY created DESC, game_id DESC
LIMIT %(limit)s
"""

# Games that are being changed at the moment are left out: whoever changes them has the lease anyway.
CLAIM = """
WITH playable AS (
    SELECT * FROM unnest(%(variants)s::text[], %(revisions)s::integer[]) AS rules (variant, rules_revision)
), own AS (
    SELECT game_id FROM meadow.games
    WHERE due <= %(now)s AND holder = %(holder)s AND (variant, rules_revision) IN (SELECT * FROM playable)
    FOR UPDATE SKIP LOCKED
), free AS (
    SELECT game_id FROM meadow.games
    WHERE due <= %(now)s AND holder IS DISTINCT FROM %(holder)s AND leased < %(now)s
        AND (variant, rules_revision) IN (SELECT * FROM playable)
    ORDER BY due LIMIT %(limit)s FOR UPDATE SKIP LOCKED
), taken AS (
    UPDATE meadow.games SET holder = %(holder)s, leased = %(until)s
    WHERE game_id IN (SELECT * FROM own UNION ALL SELECT * FROM free)
    RETURNING game_id, due
)
SELECT game_id FROM taken ORDER BY due, game_id
"""
CORRECT = """
UPDATE meadow.games SET due = %(due)s, holder = NULL, leased = 0 WHERE game_id = %(game)s AND version = %(version)s
"""
RELEASE = "UPDATE meadow.games SET holder = NULL, leased = 0 WHERE due IS NOT NULL AND holder = %(holder)s"
STATES = "SELECT state, count(*) FROM meadow.games WHERE state = ANY(%(states)s) GROUP BY state"
RULES = "SELECT variant, rules_revision, count(*) FROM meadow.games GROUP BY variant, rules_revision"

NOTIFY = "SELECT pg_notify(%(channel)s, %(payload)s)"
