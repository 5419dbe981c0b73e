"""What every journal promises, by both that there are."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from meadow_engine import api
from meadow_server.config import Config
from meadow_server.duty import report_rules
from meadow_server.logs import configure_logs
from meadow_server.store.base import (
    AT_ONCE,
    PATIENCE,
    Age,
    Append,
    NewGame,
    Pause,
    RequestTaken,
    Rules,
    Store,
    StoredRecord,
    StoredRequest,
    StoreUnavailable,
    Summary,
    VersionTaken,
)
from meadow_server.store.opening import open_journal
from structlog.testing import capture_logs

RUNNING = Summary("RUNNING", None)
RULES = Rules("spring_meadow", 3)
PACK = (b"h" * 32, b"pack")


Opening = Callable[[], Awaitable[Store]]


@pytest.fixture(name="opening", params=["sqlite", "postgres"])
def _opening(request: pytest.FixtureRequest, tmp_path: Path) -> Opening:
    """Opens one and the same journal, as often as wanted."""
    if request.param == "sqlite":
        config = Config(journal=tmp_path / "journal.db")
    else:
        config = Config(journal=request.getfixturevalue("database"))
    return lambda: open_journal(config)


@pytest.fixture(name="store")
async def _store(opening: Opening) -> AsyncIterator[Store]:
    store = await opening()
    yield store
    await store.close()


def game_id(number: int) -> bytes:
    """An id of 16 bytes."""
    return number.to_bytes(16, "big")


def new_game(number: int, *, public: bool = True, summary: Summary = RUNNING, time: int = 0) -> NewGame:
    """A game without records."""
    return NewGame(
        game_id(number), b"header", "spring_meadow", 3, public, game_id(number), b"creator", time, summary, [], PACK
    )


def request(number: int, game: int, version: int) -> StoredRequest:
    """A request that added one record."""
    return StoredRequest(game_id(1000 + number), b"print", game_id(game), version - 1, version)


def append(game: int, base: int, payload: bytes = b"record", by: StoredRequest | None = None) -> Append:
    """One record for a game."""
    return Append(game_id(game), base, [StoredRecord(payload, 7)], RUNNING, by)


async def test_a_game_comes_back_as_it_was_written(store: Store) -> None:
    """Header, state, records and requests are read as they were written."""
    by = request(1, 1, 1)
    assert await store.create(new_game(1), None, 10)
    await store.append(append(1, 0, b"one", by))
    await store.append(append(1, 1, b"two"))

    stored = await store.load(game_id(1))
    assert stored is not None
    assert (stored.header, stored.state) == (b"header", "RUNNING")
    assert stored.version == 2
    assert stored.records == [StoredRecord(b"one", 7), StoredRecord(b"two", 7)]
    assert stored.requests == [by]
    rest = await store.load(game_id(1), after_version=1)
    assert rest is not None
    assert (rest.version, rest.records, rest.requests) == (2, [StoredRecord(b"two", 7)], [])
    assert await store.load(game_id(2)) is None
    assert await store.versions([game_id(1), game_id(2)]) == {game_id(1): 2}


async def test_a_version_is_written_once(store: Store) -> None:
    """Of two appends at one version the second is refused and changes nothing."""
    await store.create(new_game(1), None, 10)
    await store.append(append(1, 0, b"first"))
    for base in (0, 2):
        with pytest.raises(VersionTaken):
            await store.append(append(1, base, b"second", request(5, 1, base + 1)))
    with pytest.raises(VersionTaken):
        await store.append(append(9, 0))
    stored = await store.load(game_id(1))
    assert stored is not None
    assert [record.payload for record in stored.records] == [b"first"]
    assert await store.find_request(game_id(1005)) is None


async def test_a_refused_append_fails_no_other_of_its_group(store: Store) -> None:
    """Many appends at once share commits; those that are refused are refused alone."""
    for number in range(8):
        await store.create(new_game(number), None, 100)
    good = [append(number, 0) for number in range(8)]
    bad = [append(number, 3) for number in range(8)]
    mixed = [entry for pair in zip(good, bad, strict=True) for entry in pair]

    outcomes = await asyncio.gather(*[store.append(entry) for entry in mixed], return_exceptions=True)
    assert outcomes[::2] == [None] * 8
    assert all(isinstance(outcome, VersionTaken) for outcome in outcomes[1::2])


async def test_a_crowd_of_long_appends_is_written_once_each(store: Store) -> None:
    """More records than fit one statement, in many appends or in one, are written like few; refusals stay alone."""
    for number in range(4):
        await store.create(new_game(number), None, 100)
    long = [StoredRecord(b"record", 7)] * 1500
    appends = [Append(game_id(number), base, long, RUNNING, None) for number in range(3) for base in (0, 1)]
    appends.append(Append(game_id(3), 0, long * 2, RUNNING, request(1, 3, 3000)))

    outcomes = await asyncio.gather(*[store.append(entry) for entry in appends], return_exceptions=True)
    assert outcomes[::2] == [None] * 4
    assert all(isinstance(outcome, VersionTaken) for outcome in outcomes[1::2])
    versions = {game_id(number): 1500 for number in range(3)} | {game_id(3): 3000}
    assert await store.versions([game_id(number) for number in range(4)]) == versions


async def test_a_request_id_is_used_once(store: Store) -> None:
    """The second use of a request id is refused with what the first did, for appends, creations and deletions."""
    first = request(1, 1, 1)
    await store.create(new_game(1), None, 10)
    await store.append(append(1, 0, by=first))
    for work in (
        store.append(append(1, 1, by=first)),
        store.create(new_game(2), first, 10),
        store.delete(game_id(1), 1, first),
    ):
        with pytest.raises(RequestTaken) as taken:
            await work
        assert taken.value.request == first
    assert await store.find_request(first.request_id) == first
    assert await store.load(game_id(2)) is None


async def test_a_creators_games_are_counted(store: Store) -> None:
    """Beyond the limit no game is created and the request id stays free; ended games do not count."""
    asked = StoredRequest(game_id(77), b"print", game_id(3), 0, 0)
    assert await store.create(new_game(1), None, 2)
    assert await store.create(new_game(2), None, 2)
    assert not await store.create(new_game(3), asked, 2)
    assert await store.find_request(asked.request_id) is None
    await store.append(Append(game_id(1), 0, [StoredRecord(b"end", 1)], Summary("FINISHED", None), None))
    assert await store.create(new_game(3), asked, 2)


async def test_games_are_counted_by_state(store: Store) -> None:
    """Each state asked for has its number of games."""
    for number, state in enumerate(["OPEN", "RUNNING", "RUNNING", "FINISHED"]):
        await store.create(new_game(number, summary=Summary(state, None)), None, 9)
    assert await store.count(["OPEN", "RUNNING"]) == {"OPEN": 1, "RUNNING": 2}


async def test_games_are_told_with_their_age(store: Store) -> None:
    """Games come in the order of their ids, some at a time, with the time of their last record or their creation."""
    for number in range(5):
        await store.create(new_game(number, time=number), None, 9)
    await store.append(append(1, 0))
    assert await store.ages(b"", 2) == [Age(game_id(0), 0, "RUNNING", 0), Age(game_id(1), 1, "RUNNING", 7)]
    rest = await store.ages(game_id(1), 9)
    assert [age.game_id for age in rest] == [game_id(number) for number in (2, 3, 4)]
    assert await store.ages(game_id(4), 9) == []


async def test_a_forgotten_game_leaves_nothing(store: Store) -> None:
    """With the game go its records and what requests did to it; at another version nothing goes."""
    for number in (1, 2):
        await store.create(new_game(number), None, 9)
        await store.append(append(number, 0, by=request(number, number, 1)))
    with pytest.raises(VersionTaken):
        await store.forget(game_id(1), 0)
    await store.forget(game_id(1), 1)
    assert await store.load(game_id(1)) is None
    assert await store.find_request(request(1, 1, 1).request_id) is None
    assert await store.find_request(request(2, 2, 1).request_id) is not None
    with pytest.raises(VersionTaken):
        await store.forget(game_id(1), 1)
    await store.create(new_game(1), None, 9)
    again = await store.load(game_id(1))
    assert again is not None
    assert list(again.records) == []


async def test_games_are_found_by_what_they_are(store: Store) -> None:
    """Public games are listed newest first with a cursor; games are found by join codes."""
    for number in range(5):
        await store.create(new_game(number, time=number // 2, public=number != 3), None, 100)
    await store.create(new_game(9, public=False), None, 100)

    await store.append(Append(game_id(1), 0, [StoredRecord(b"seat", 3, lobby=True)], RUNNING, None))
    await store.append(append(1, 1))

    async def listed(*conditions: Any) -> list[tuple[int, bytes]]:
        return [(game.created, game.game_id) for game in await store.list_games(*conditions, private=False)]

    everything = await listed(None, None, None, 10)
    assert everything == [(2, game_id(4)), (1, game_id(2)), (0, game_id(1)), (0, game_id(0))]
    assert await listed(None, None, everything[1], 1) == everything[2:3]
    assert await listed("OPEN", None, None, 10) == []
    assert await listed("RUNNING", "spring_meadow", None, 10) == everything
    (one,) = await store.list_games(None, None, everything[1], 1, private=False)
    assert (one.version, one.updated, one.lobby) == (2, 7, [StoredRecord(b"seat", 3, lobby=True)])
    with_private = await store.list_games(None, None, None, 10, private=True)
    assert {game.game_id for game in with_private} == {game_id(number) for number in (*range(5), 9)}
    assert await store.find_join(game_id(2)) == game_id(2)
    assert await store.find_join(b"no such") is None


async def test_due_work_is_found(store: Store) -> None:
    """Games come up from the time on that their work is due, the longest due first, if the rules are known."""
    for number, due in ((1, 50), (2, AT_ONCE), (3, None), (4, 51)):
        await store.create(new_game(number, summary=Summary("RUNNING", due)), None, 100)
    assert await store.claim_due(50, 10, [RULES]) == [game_id(2), game_id(1)]
    assert await store.claim_due(50, 10, [RULES._replace(revision=2), RULES]) == [game_id(2), game_id(1)]
    assert await store.claim_due(50, 10, [RULES._replace(revision=2)]) == []
    assert await store.claim_due(50, 10, [Rules("meadow", RULES.revision)]) == []

    await store.append(append(1, 0))
    await store.append(append(3, 0)._replace(summary=Summary("RUNNING", AT_ONCE)))
    await store.correct_due(game_id(2), 0, 60)
    await store.correct_due(game_id(3), 0, None)
    assert await store.claim_due(50, 10, [RULES]) == [game_id(3)]
    assert await store.claim_due(60, 10, [RULES]) == [game_id(3), game_id(4), game_id(2)]
    assert await store.rules_in_use() == {RULES: 4}


async def test_words_that_no_game_has_find_nothing(store: Store) -> None:
    """Whatever is searched for, characters that a database cannot hold included, the answer is that there is none."""
    await store.create(new_game(1), None, 10)
    for word in ("\0", "a\0b", "'; --", "\u2603", ""):
        assert await store.list_games(None, word, None, 10, private=False) == []
    assert await store.find_join(b"") is None
    assert await store.pack(b"") is None
    assert await store.load(b"") is None


async def test_several_records_are_one_append(store: Store) -> None:
    """The records of an append get the versions after its base in order, all or none, and one request for them all."""
    await store.create(new_game(1), None, 10)
    await store.create(new_game(2), None, 10)
    batch = [StoredRecord(bytes([number]), number, lobby=number == 1) for number in range(3)]
    by = StoredRequest(game_id(50), b"print", game_id(1), 0, 3)
    await store.append(Append(game_id(1), 0, batch, RUNNING, by))
    with pytest.raises(RequestTaken):
        await store.append(Append(game_id(2), 0, batch, RUNNING, by._replace(game_id=game_id(2))))
    assert await store.versions([game_id(1), game_id(2)]) == {game_id(1): 3, game_id(2): 0}
    stored = await store.load(game_id(1), after_version=1)
    assert stored is not None
    assert (stored.records, stored.requests) == (batch[1:], [by])


async def test_a_deleted_game_is_gone(store: Store) -> None:
    """Nothing is left of a deleted game but its requests; it is deleted at its version and once."""
    await store.create(new_game(1), None, 10)
    by = request(1, 1, 1)
    await store.append(append(1, 0, by=by))
    with pytest.raises(VersionTaken):
        await store.delete(game_id(1), 0, None)
    await store.delete(game_id(1), 1, None)
    with pytest.raises(VersionTaken):
        await store.delete(game_id(1), 1, None)
    with pytest.raises(VersionTaken):
        await store.append(append(1, 1))
    assert await store.load(game_id(1)) is None
    assert await store.list_games(None, None, None, 10, private=False) == []
    assert await store.find_request(by.request_id) == by


async def test_of_many_appends_at_one_version_one_wins(store: Store) -> None:
    """However many come at once, each version is written by one of them and the others are told so."""
    await store.create(new_game(1), None, 10)
    for base in range(3):
        attempts = [store.append(append(1, base, bytes([number]))) for number in range(12)]
        outcomes = await asyncio.gather(*attempts, return_exceptions=True)
        assert outcomes.count(None) == 1
        assert sum(isinstance(outcome, VersionTaken) for outcome in outcomes) == 11
    assert await store.versions([game_id(1)]) == {game_id(1): 3}


async def test_packs_and_key_are_kept(opening: Opening) -> None:
    """The server's key is made once and stays; a game's pack is kept by its hash."""
    store = await opening()
    key = await store.server_key()
    await store.create(new_game(1), None, 10)
    await store.close()

    again = await opening()
    assert await again.server_key() == key
    assert len(key) == 32
    assert await again.pack(PACK[0]) == PACK[1]
    assert await again.pack(b"other") is None
    await again.close()


async def test_a_closed_journal_is_unavailable(opening: Opening) -> None:
    """After closing, writes are refused rather than lost."""
    store = await opening()
    await store.close()
    with pytest.raises(StoreUnavailable):
        await store.append(append(1, 0))


async def test_a_journal_knows_when_no_server_was_up(opening: Opening) -> None:
    """Silence between beats is a pause: a long one, or any before the start of the one server that has the journal."""
    store = await opening()
    assert list(await store.beat(1000, starting=True)) == []
    assert list(await store.beat(2000, starting=False)) == []
    silent = 2000 + 2 * PATIENCE
    expected = [Pause(2000, silent)]
    assert list(await store.beat(silent, starting=False)) == expected
    await store.close()
    store = await opening()
    soon = [] if store.shared else [Pause(silent + 5, silent + 9)]
    await store.beat(silent + 5, starting=False)
    assert list(await store.beat(silent + 9, starting=True)) == expected + soon
    await store.close()


async def test_games_of_other_rules_are_counted_at_the_start(opening: Opening) -> None:
    """A server says how many games it cannot play on, by variant and revision, and nothing of those that it can."""
    store = await opening()
    await store.create(new_game(1), None, 10)
    await store.create(new_game(2), None, 10)
    known = api.variant(RULES.variant).rules_revision
    await store.create(replace(new_game(3), rules_revision=known), None, 10)
    configure_logs("json", "warning")
    with capture_logs() as logs:
        await report_rules(store)
    await store.close()
    (said,) = [{name: entry[name] for name in ("variant", "rules_revision", "games")} for entry in logs]
    assert said == {"variant": RULES.variant, "rules_revision": RULES.revision, "games": 2}
