"""What becomes of games that nobody touches any more: as long as the operator says, and no longer."""

from __future__ import annotations

import asyncio

import structlog
from meadow_engine import api

from meadow_server.changes import Changes
from meadow_server.config import Config
from meadow_server.errors import ApiError
from meadow_server.games import Games
from meadow_server.live import MICROSECONDS, now
from meadow_server.store.base import Age, Store, StoreUnavailable, VersionTaken

log = structlog.get_logger()
FIRST_SECONDS = 60.0
SWEEP_SECONDS = 3600.0
AT_ONCE = 500
"""Games to look at in one question; others' questions come in between."""
DAY = 24 * 3600 * MICROSECONDS
ENDED = {api.Status.FINISHED.value, api.Status.ABORTED.value}
EXPLANATION = "abandoned"


class Retention:
    """Ends games that are abandoned, and deletes those that ended long ago.

    Several servers on one journal may do so at the same time: each change is made at the version that was looked at.
    """

    def __init__(self, store: Store, games: Games, changes: Changes, config: Config) -> None:
        self._store = store
        self._games = games
        self._changes = changes
        self._abandoned_days = config.abandoned_days
        self._ended_days = config.ended_days

    async def sweep_forever(self) -> None:
        """Sweep soon, and then now and then; never, if games are kept for ever."""
        if self._abandoned_days is None and self._ended_days is None:
            return
        await asyncio.sleep(FIRST_SECONDS)
        while True:
            try:
                await self.sweep(now())
            except StoreUnavailable as error:
                log.warning("games are not cleared away", error=str(error))
            await asyncio.sleep(SWEEP_SECONDS)

    async def sweep(self, today: int) -> None:
        """Look at every game once, as of a time in microseconds since 1970."""
        ended = deleted = 0
        after = b""
        while ages := await self._store.ages(after, AT_ONCE):
            after = ages[-1].game_id
            for age in ages:
                if self._is_over(age, today):
                    deleted += await self._delete(age)
                elif self._is_abandoned(age, today):
                    ended += await self._end(age)
        if ended or deleted:
            log.info("games cleared away", ended=ended, deleted=deleted)

    def _is_over(self, age: Age, today: int) -> bool:
        days = self._ended_days
        return days is not None and age.state in ENDED and age.updated < today - days * DAY

    def _is_abandoned(self, age: Age, today: int) -> bool:
        days = self._abandoned_days
        return days is not None and age.state not in ENDED and age.updated < today - days * DAY

    async def _end(self, age: Age) -> bool:
        """Abort a game; False if somebody has touched it meanwhile, or this server cannot play it."""
        try:
            live = await self._games.get(age.game_id)
            return await self._changes.act(live, age.version, [api.Aborted(EXPLANATION)])
        except ApiError as refusal:
            log.debug("an abandoned game is left alone", game=age.game_id.hex(), reason=refusal.reason)
            return False

    async def _delete(self, age: Age) -> bool:
        """Delete a game; False if somebody has done so meanwhile."""
        live = self._games.held(age.game_id)
        try:
            if live is None:
                await self._store.forget(age.game_id, age.version)
                return True
            async with live.lock:
                await self._store.forget(age.game_id, age.version)
                self._changes.deleted(live)
        except VersionTaken:
            return False
        return True
