"""The games in memory: loaded from the journal on demand, dropped when nobody uses them."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Iterator

import structlog
from meadow_engine import api

from meadow_server.clocks import Pauses
from meadow_server.errors import ApiError, bad_field, from_engine, game_damaged, game_not_found
from meadow_server.header import GameHeader
from meadow_server.live import NAME_PREFIX, LiveGame, game_name
from meadow_server.packs import Shelf
from meadow_server.replicas import Versions
from meadow_server.store.base import Store, StoredGame, StoreUnavailable
from meadow_server.tokens import GAME_ID_BYTES

log = structlog.get_logger()
SWEEP_SECONDS = 30
RECORDS_AT_ONCE = 20
"""Records to catch up with before others have their turn: a thread would change the game while others read it."""


def read_name(name: str) -> bytes:
    """The id in a resource name `games/{id}`.

    Raises:
        ApiError: the name has another form.
    """
    try:
        game_id = bytes.fromhex(name[len(NAME_PREFIX) :])
    except ValueError:
        game_id = b""
    # written back, as fromhex also reads capitals and spaces
    if len(game_id) != GAME_ID_BYTES or game_name(game_id) != name:
        raise bad_field("name", "must be games/ and 32 hexadecimal digits in small letters")
    return game_id


@contextlib.contextmanager
def intact(game_id: bytes) -> Iterator[None]:
    """Read a game out of the journal; whatever does not make sense there is told as damage, and concerns no other game.

    Raises:
        ApiError: the game is damaged.
    """
    try:
        yield
    except (ApiError, StoreUnavailable):
        raise
    except Exception as error:
        log.error("damaged game", game=game_name(game_id), exc_info=error)  # noqa: TRY400 (as every error here)
        raise game_damaged() from error


class Games:
    """All games this server has in memory."""

    def __init__(self, store: Store, shelf: Shelf, pauses: Pauses, idle_seconds: int) -> None:
        self._store = store
        self._shelf = shelf
        self._pauses = pauses
        self._idle_seconds = idle_seconds
        self._versions = Versions(store)
        self._live: dict[bytes, LiveGame] = {}
        self._loading: dict[bytes, asyncio.Future[LiveGame | None]] = {}

    def __len__(self) -> int:
        return len(self._live)

    def all(self) -> list[LiveGame]:
        """The games in memory now."""
        return list(self._live.values())

    @contextlib.contextmanager
    def arriving(self, live: LiveGame) -> Iterator[None]:
        """Keep a new game in memory that is being written to the journal.

        Whoever finds it in the journal meanwhile, such as a sweep, waits for this one: a game is in memory once. If it
        cannot be written it was never there.
        """
        arrival: asyncio.Future[LiveGame | None] = asyncio.get_running_loop().create_future()
        self._loading[live.game_id] = arrival
        try:
            yield
            self._live[live.game_id] = live
        finally:
            del self._loading[live.game_id]
            arrival.set_result(self._live.get(live.game_id))

    def held(self, game_id: bytes) -> LiveGame | None:
        """The game of an id if it is in memory, as it is there."""
        return self._live.get(game_id)

    def watched(self) -> dict[bytes, LiveGame]:
        """The games in memory that somebody waits for."""
        return {game_id: live for game_id, live in self._live.items() if live.waiters}

    def drop(self, live: LiveGame) -> None:
        """Forget a game; the journal keeps it."""
        self._live.pop(live.game_id, None)

    async def get(self, game_id: bytes) -> LiveGame:
        """The game of an id, as new as the journal was at some time during the call.

        Raises:
            ApiError: there is none.
        """
        live = await self.reach(game_id)
        if self._store.shared and await self._versions.of(game_id) != live.version:
            async with live.lock:
                await self.refresh(live)
        return live

    async def reach(self, game_id: bytes) -> LiveGame:
        """The game of an id, which other servers may have changed since: for those who check when they write.

        Raises:
            ApiError: there is none.
        """
        live = self._live.get(game_id)
        if live is None:
            live = await self._load_once(game_id)
        if live is None:
            raise game_not_found()
        if live.behind:
            async with live.lock:
                await self.catch_up(live)
        live.used = time.monotonic()
        return live

    async def overtaken(self, live: LiveGame, version: int) -> None:
        """Catch up with another server, which has brought a game to a version."""
        async with live.lock:
            # meanwhile this server may have got there by a change of its own
            if version > live.version:
                with contextlib.suppress(ApiError):
                    await self.refresh(live)

    async def refresh(self, live: LiveGame) -> bool:
        """Catch up with other servers; answers whether there was anything new. Needs the game's lock.

        Raises:
            ApiError: the game is gone.
        """
        before = live.version
        if self._store.shared and await self._versions.of(live.game_id) != before:
            live.behind = True
        await self.catch_up(live)
        return live.version != before

    async def catch_up(self, live: LiveGame) -> None:
        """Apply what the journal holds beyond memory, if it may hold more. Needs the game's lock.

        Raises:
            ApiError: the game is gone.
        """
        if not live.behind:
            return
        stored = await self._store.load(live.game_id, live.version)
        if stored is None or stored.version < live.version:
            live.deleted = True
            self.drop(live)
            live.announce()
            if stored is None:
                raise game_not_found()
            raise StoreUnavailable("the database has lost what it had confirmed; the game is at an older version")
        live.remember(stored.requests)
        for start in range(0, len(stored.records), RECORDS_AT_ONCE):
            with intact(live.game_id):
                live.replay(stored.records[start : start + RECORDS_AT_ONCE])
            # others have their turn; the game is whole after any record
            await asyncio.sleep(0)
        if live.history is None:
            live.status = api.Status(stored.state)
        live.behind = False
        if stored.records:
            # whoever wrote them has the lease of what is due now
            live.leased = False
            live.announce()

    async def _load_once(self, game_id: bytes) -> LiveGame | None:
        """Load a game; callers who ask at the same time share the work, and survive each other's cancellation."""
        task = self._loading.get(game_id)
        if task is None:
            task = asyncio.create_task(self._load(game_id))
            self._loading[game_id] = task
            task.add_done_callback(lambda _: self._loading.pop(game_id, None))
        return await asyncio.shield(task)

    async def _load(self, game_id: bytes) -> LiveGame | None:
        stored = await self._store.load(game_id)
        if stored is None:
            return None
        with intact(game_id):
            live = await self._restored(stored)
            if live.version != stored.version:
                raise ValueError(f"{live.version} records where there should be {stored.version}")
        self._live[game_id] = live
        return live

    async def _restored(self, stored: StoredGame) -> LiveGame:
        header = GameHeader.from_bytes(stored.header)
        history, refusal = None, None
        try:
            pack = await self._shelf.by_hash(header.pack_hash)
            history = api.History(await asyncio.to_thread(header.config, pack))
        except api.EngineError as error:
            known = from_engine(error)
            refusal = known if known.reason == "RULES_REVISION_UNSUPPORTED" else _unsupported(str(error))
        except ApiError as error:
            refusal = _unsupported(error.message)
        live = LiveGame(stored.game_id, header, history, refusal, self._pauses)
        live.status = api.Status(stored.state)
        await asyncio.to_thread(live.replay, stored.records)
        live.remember(stored.requests)
        return live

    async def sweep_forever(self) -> None:
        """Drop games that nobody has used for a while."""
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            self.sweep()

    def sweep(self) -> None:
        """Drop the games that nobody uses now and nobody has used for the idle time."""
        limit = time.monotonic() - self._idle_seconds
        idle = [
            live
            for live in self._live.values()
            if live.used < limit and not (live.waiters or live.busy or live.lock.locked())
        ]
        for live in idle:
            self.drop(live)
        if idle:
            log.debug("idle games left memory", games=len(idle), left=len(self._live))


def _unsupported(why: str) -> ApiError:
    return ApiError("RULES_REVISION_UNSUPPORTED", f"this server cannot play the game on: {why}")
