"""Clocks that run out: the server then does what the rules chosen at creation say, by records like any other.

Whoever changed a game last has a timer for it. The sweep of `duty` finds the games whose time is over all the same, so
that a clock runs out, at most some seconds late, also when that server is gone.
"""

from __future__ import annotations

import asyncio

import structlog

from meadow_server.changes import Changes
from meadow_server.clocks import Pauses
from meadow_server.departures import expired
from meadow_server.games import Games
from meadow_server.live import MICROSECONDS, LiveGame, now
from meadow_server.store.base import Store, StoreUnavailable

log = structlog.get_logger()
BEAT_SECONDS = 2.0
"""How often a server says that it is up; what a crash may cost the clocks at most, in favour of the players."""


class Heartbeat:
    """Says in the journal that a server is up, and learns when none was; the games' time is then counted anew."""

    def __init__(self, store: Store, games: Games, pauses: Pauses) -> None:
        self._store = store
        self._games = games
        self._pauses = pauses

    async def beat(self, *, starting: bool = False) -> None:
        """Say it once; `starting` is for the first time."""
        if self._pauses.learn(await self._store.beat(now(), starting=starting)):
            for live in self._games.all():
                live.count_time()

    async def beat_forever(self) -> None:
        """Say it again and again."""
        while True:
            await asyncio.sleep(BEAT_SECONDS)
            try:
                await self.beat()
            except StoreUnavailable as error:
                log.warning("no beat", error=str(error))


class TimeKeeper:
    """Lets the clocks of games run out."""

    def __init__(self, changes: Changes, games: Games, heartbeat: Heartbeat) -> None:
        self._changes = changes
        self._games = games
        self._heartbeat = heartbeat
        self._timers: dict[bytes, asyncio.TimerHandle] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._closed = False

    def wake(self, live: LiveGame) -> None:
        """Set the timer of a game whose clocks have changed, or may be over."""
        timer = self._timers.pop(live.game_id, None)
        if timer is not None:
            timer.cancel()
        when = now()
        due = None if live.clocks is None else live.clocks.due(when)
        if due is None or live.deleted or self._closed:
            return
        seconds = max(due - when, 0) / MICROSECONDS
        self._timers[live.game_id] = asyncio.get_running_loop().call_later(seconds, self._ring, live)

    async def close(self) -> None:
        """Stop all timers; clocks that run out from now on are for the next server."""
        self._closed = True
        for timer in self._timers.values():
            timer.cancel()
        self._timers.clear()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _ring(self, live: LiveGame) -> None:
        del self._timers[live.game_id]
        if self._games.held(live.game_id) is not live:
            # it left memory, and may have come back as another: the next sweep finds it
            return
        task = asyncio.create_task(self._expire(live))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _expire(self, live: LiveGame) -> None:
        try:
            # after a silence, such as that of a machine that slept, what is over by the clock need not be
            await self._heartbeat.beat()
            clocks, moment, when = live.clocks, live.moment(), now()
            due = None if clocks is None else clocks.due(when)
            if clocks is None or clocks.running is None or due is None:
                return
            if due > when:
                self.wake(live)
                return
            await self._changes.act(live, moment.version, expired(moment, clocks.running, clocks.rules))
        except Exception as error:  # noqa: BLE001 (whatever it is, the next sweep comes back to it)
            log.warning("clock waits", game=live.name, version=live.version, error=repr(error))
