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
    SELECT %(game)s, number, time, lobby, payload
    FROM unnest(%(times)s::bigint[], %(lobbies)s::boolean[], %(payloads)s::bytea[]) WITH ORDINALITY
        AS record (time, lobby, payload, number)
)
INSERT INTO meadow.games (
    game_id, version, state, due, holder, leased, variant, rules_revision, public, join_hash, creator, created, updated,
    header
) VALUES (
    %(game)s, %(version)s, %(state)s, %(due)s, %(holder)s, %(leased)s, %(variant)s, %(rules)s, %(public)s,
    %(join_hash)s, %(creator)s, %(time)s, %(time)s, %(header)s
)
"""

APPEND = """
WITH moved AS (
    UPDATE meadow.games
    SET version = %(version)s, state = %(state)s, due = %(due)s, holder = %(holder)s, leased = %(leased)s,
        updated = (%(times)s::bigint[])[array_upper(%(times)s::bigint[], 1)]
    WHERE game_id = %(game)s AND version = %(base)s
    RETURNING game_id
), written AS (
    INSERT INTO meadow.records (game_id, version, time, lobby, payload)
    SELECT game_id, %(base)s + number, time, lobby, payload
    FROM moved, unnest(%(times)s::bigint[], %(lobbies)s::boolean[], %(payloads)s::bytea[]) WITH ORDINALITY
        AS record (time, lobby, payload, number)
), noted AS (
    INSERT INTO meadow.requests (request_id, fingerprint, game_id, base_version, version)
    SELECT %(request)s::bytea, %(fingerprint)s::bytea, game_id, %(base)s, %(request_version)s::bigint
    FROM moved WHERE %(request)s::bytea IS NOT NULL
)
SELECT 1 FROM moved
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

CLAIM = """
WITH playable AS (
    SELECT * FROM unnest(%(variants)s::text[], %(revisions)s::integer[]) AS rules (variant, rules_revision)
), own AS (
    UPDATE meadow.games SET leased = %(until)s
    WHERE due <= %(now)s AND holder = %(holder)s AND (variant, rules_revision) IN (SELECT * FROM playable)
    RETURNING game_id, due
), free AS (
    SELECT game_id FROM meadow.games
    WHERE due <= %(now)s AND holder IS DISTINCT FROM %(holder)s AND leased < %(now)s
        AND (variant, rules_revision) IN (SELECT * FROM playable)
    ORDER BY due LIMIT %(limit)s FOR UPDATE SKIP LOCKED
), taken AS (
    UPDATE meadow.games SET holder = %(holder)s, leased = %(until)s
    FROM free WHERE games.game_id = free.game_id
    RETURNING games.game_id, due
)
SELECT game_id FROM (SELECT * FROM own UNION ALL SELECT * FROM taken) AS due_games ORDER BY due
"""
CORRECT = """
UPDATE meadow.games SET due = %(due)s, holder = NULL, leased = 0 WHERE game_id = %(game)s AND version = %(version)s
"""
RELEASE = "UPDATE meadow.games SET holder = NULL, leased = 0 WHERE due IS NOT NULL AND holder = %(holder)s"
STATES = "SELECT state, count(*) FROM meadow.games WHERE state = ANY(%(states)s) GROUP BY state"
RULES = "SELECT variant, rules_revision, count(*) FROM meadow.games GROUP BY variant, rules_revision"

NOTIFY = "SELECT pg_notify(%(channel)s, %(payload)s)"
