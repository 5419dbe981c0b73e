"""Everything the handlers share."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Any

from meadow_server.auth import Caller, identify
from meadow_server.changes import Changes
from meadow_server.clocks import Pauses
from meadow_server.config import Config
from meadow_server.errors import game_not_found
from meadow_server.games import Games, read_name
from meadow_server.limits import Limits
from meadow_server.live import LiveGame
from meadow_server.metrics import Metrics
from meadow_server.operators import Operators
from meadow_server.packs import Shelf
from meadow_server.rpc import Call
from meadow_server.store.base import Store
from meadow_server.tokens import Mint, Token


@dataclass(slots=True)
class App:
    """The parts of a running server.

    Attributes:
        pauses: when no server was up.
        draining: set when the server is about to end: streams end too.
        streams: the open ones.
        listening: those of them that wait for their client's next request; a drain interrupts them.
    """

    config: Config
    store: Store
    mint: Mint
    shelf: Shelf
    games: Games
    changes: Changes
    operators: Operators
    metrics: Metrics
    pauses: Pauses
    draining: asyncio.Event = field(default_factory=asyncio.Event)
    streams: set[asyncio.Task[Any] | None] = field(default_factory=set)
    listening: set[asyncio.Task[Any]] = field(default_factory=set)

    @property
    def limits(self) -> Limits:
        """The limits in force."""
        return self.config.limits

    async def game(self, name: str, token: Token | None) -> LiveGame:
        """The game of a resource name, up to date; a token of another game finds none.

        Raises:
            ApiError: malformed name, or no such game for this token.
        """
        return await self.games.get(_game_id(name, token))

    async def target(self, name: str, token: Token | None) -> LiveGame:
        """The same for a change, which notices by itself when another server was faster.

        Raises:
            ApiError: as above.
        """
        return await self.games.reach(_game_id(name, token))

    async def visit(self, call: Call, name: str, *, token_required: bool = False) -> tuple[LiveGame, Caller]:
        """The game that a read names, and who reads.

        Raises:
            ApiError: no valid token, malformed name, or no such game for this caller.
        """
        token = call.needed_token() if token_required else call.token()
        live = await self.game(name, token)
        return live, identify(live, token).current()


def _game_id(name: str, token: Token | None) -> bytes:
    game_id = read_name(name)
    if token is not None and not token.is_for(game_id):
        raise game_not_found()
    return game_id
