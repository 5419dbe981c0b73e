"""Several servers on one journal: how one knows what the others did.

Whoever writes finds out by the journal's one lock, the version. Whoever reads asks for the version first, many readers
in one question. Those who wait, such as watchers, are woken: servers tell each other what they changed, and as that may
be lost, a server also looks by itself, now and then, at the games somebody here waits for.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import aclosing

import structlog

from meadow_server.live import LiveGame
from meadow_server.store.base import Store, StoreUnavailable

log = structlog.get_logger()
RETRY_SECONDS = 1.0
WELL_SECONDS = 10.0
"""What has gone on for so long before it failed had worked."""


class Versions:
    """Asks the journal for the versions of games: one question at a time, for everybody who came meanwhile."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._wanted: set[bytes] = set()
        self._next: asyncio.Task[Mapping[bytes, int]] | None = None
        self._asking = asyncio.Lock()

    async def of(self, game_id: bytes) -> int | None:
        """The version that a game has at some time during the call; None if it is gone."""
        self._wanted.add(game_id)
        if self._next is None:
            self._next = asyncio.create_task(self._ask())
            self._next.add_done_callback(_hear)
        versions = await asyncio.shield(self._next)
        return versions.get(game_id)

    async def _ask(self) -> Mapping[bytes, int]:
        async with self._asking:
            wanted, self._wanted, self._next = self._wanted, set(), None
            return await self._store.versions(wanted)


def _hear(task: asyncio.Task[Mapping[bytes, int]]) -> None:
    """Look at a failure, which is not lost when everybody who asked has gone."""
    if not task.cancelled():
        task.exception()


class Replica:
    """This server among those on its journal.

    Args:
        store: the journal.
        watched: answers the games in memory that somebody waits for, by id.
        overtaken: told of such a game and the version that it has reached elsewhere.
        poll_seconds: how often to look at the games that are waited for.
    """

    def __init__(
        self,
        store: Store,
        watched: Callable[[], Mapping[bytes, LiveGame]],
        overtaken: Callable[[LiveGame, int], Awaitable[None]],
        poll_seconds: float,
    ) -> None:
        self._store = store
        self._watched = watched
        self._overtaken = overtaken
        self._poll_seconds = poll_seconds
        self._untold: dict[bytes, int] = {}
        self._changed = asyncio.Event()

    def changed(self, live: LiveGame) -> None:
        """Let the other servers know that a game was changed here."""
        # whoever has the last version of a deleted game has to look, too
        self._untold[live.game_id] = live.version + 1 if live.deleted else live.version
        self._changed.set()

    async def run(self) -> None:
        """Tell, listen and look for ever."""
        async with asyncio.TaskGroup() as group:
            for work in (self._tell, self._listen, self._poll):
                group.create_task(self._again(work))

    async def _again(self, work: Callable[[], Awaitable[None]]) -> None:
        """Do some work again and again, whatever becomes of the journal; say so once when it goes wrong."""
        failing = False
        while True:
            began = time.monotonic()
            try:
                await work()
                failing = False
            except StoreUnavailable as error:
                failing = failing and time.monotonic() - began < WELL_SECONDS
                if not failing:
                    log.warning("other servers are not heard", error=str(error))
                failing = True
                await asyncio.sleep(RETRY_SECONDS)

    async def _tell(self) -> None:
        await self._changed.wait()
        self._changed.clear()
        news, self._untold = self._untold, {}
        await self._store.tell(news)

    async def _listen(self) -> None:
        async with aclosing(self._store.news()) as everything:
            async for news in everything:
                if news:
                    await self._check(news)
                else:
                    # from here on nothing is missed; what was before has to be looked for
                    await self._look()
        await asyncio.Event().wait()

    async def _poll(self) -> None:
        await asyncio.sleep(self._poll_seconds)
        await self._look()

    async def _look(self) -> None:
        """Find what nobody told, among the games that somebody waits for."""
        watched = self._watched()
        if watched:
            found = await self._store.versions(watched.keys())
            await self._check({game_id: found.get(game_id, live.version + 1) for game_id, live in watched.items()})

    async def _check(self, news: Mapping[bytes, int]) -> None:
        """Bring those games up to date that somebody waits for, and of which a version is missing here."""
        watched = self._watched()
        late = [(watched[game_id], version) for game_id, version in news.items() if game_id in watched]
        await asyncio.gather(*[self._overtaken(live, version) for live, version in late if version > live.version])
