"""Work that games wait for the server to do: the moves of bots, and clocks that ran out.

The journal says which games have work due, and which server's it is to do: that of the one with the game's lease. A
server gets it with the change that makes the work due, so it usually goes on at once. A server that dies says nothing
more; after a while its leases run out, and whichever server sweeps first takes the games on.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

import structlog
from meadow_engine import api

from meadow_server.errors import ApiError
from meadow_server.games import Games
from meadow_server.live import LiveGame, now
from meadow_server.store.base import Rules, Store, StoreUnavailable

log = structlog.get_logger()
SWEEP_SECONDS = 2.0
MOST_TAKEN = 100
"""Games to take on in one sweep: those of a server that died are shared by the others."""


class Duty:
    """Finds the games that have work due and that this server has to do it for.

    Args:
        on_due: all told of each such game at every sweep, as long as its work is due; it may be at it already.
    """

    def __init__(self, store: Store, games: Games, on_due: Sequence[Callable[[LiveGame], None]]) -> None:
        self._store = store
        self._games = games
        self._on_due = on_due
        self._playable = playable_rules()

    async def sweep_forever(self) -> None:
        """Sweep now, and then again and again."""
        while True:
            try:
                await self.sweep()
            except StoreUnavailable as error:
                log.warning("no sweep", error=str(error))
            await asyncio.sleep(SWEEP_SECONDS)

    async def sweep(self) -> None:
        """Renew this server's leases, take those that ran out, and see to the work."""
        taken = 0
        for game_id in await self._store.claim_due(now(), MOST_TAKEN, self._playable):
            try:
                taken += await self._see_to(game_id)
            except ApiError as error:
                log.warning("game not taken on", game=game_id.hex(), error=repr(error))
        if taken:
            log.info("games taken on", games=taken)

    async def _see_to(self, game_id: bytes) -> bool:
        """See to a game's work; answers whether it is new to this server."""
        live = self._games.held(game_id)
        if live is not None and live.leased:
            self._tell(live)
            return False
        live = await self._games.get(game_id)
        if live.history is None:
            return False
        due = live.due()
        if due is None or due > now():
            # an older server wrote less precisely when it is due, or its clock stood still while no server was up
            await self._store.correct_due(game_id, live.version, due)
            return False
        live.leased = True
        self._tell(live)
        return True

    def _tell(self, live: LiveGame) -> None:
        for told in self._on_due:
            told(live)


def playable_rules() -> list[Rules]:
    """The rules that this server can play by."""
    return [Rules(variant.id, variant.rules_revision) for variant in api.variants()]


async def report_rules(store: Store) -> None:
    """Log how many games the journal has that this server cannot play on."""
    playable = playable_rules()
    for rules, games in sorted((await store.rules_in_use()).items()):
        if rules not in playable:
            log.warning("games of other rules", variant=rules.variant, rules_revision=rules.revision, games=games)
