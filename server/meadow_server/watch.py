"""WatchGame: a cursor into the game's records, never a queue.

A watcher is a number, the last version it has, and an event that says there may be more. So a slow one costs nothing:
it is behind, and when it is too far behind it gets a snapshot.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from google.protobuf.duration_pb2 import Duration
from meadow_api.v1 import game_service_pb2 as pb
from meadow_engine import api

from meadow_server.app import App
from meadow_server.auth import Caller, Role, identify
from meadow_server.errors import bad_field, over_limit
from meadow_server.live import LiveGame, now
from meadow_server.play import check_format, legal_extra
from meadow_server.rpc import Call
from meadow_server.tokens import Token
from meadow_server.wire.common import timestamp
from meadow_server.wire.game import game_to_message, score_sheet_to_message, view_to_message
from meadow_server.wire.packed import joined
from meadow_server.wire.records import record_bytes

RETRY_SECONDS = 1
_ENDS = {api.Status.FINISHED: pb.WATCH_END_FINISHED, api.Status.ABORTED: pb.WATCH_END_ABORTED}


class Watching:
    """The handler of WatchGame."""

    def __init__(self, app: App) -> None:
        self._app = app

    async def WatchGame(self, call: Call, request: pb.WatchGameRequest) -> None:
        """See the service."""
        check_format(request.legal_action_format)
        token = call.token()
        live = await self._app.game(request.name, token)
        caller = identify(live, token).current()
        live.playable()
        if request.HasField("after_version") and not 0 <= request.after_version <= live.version:
            raise bad_field("after_version", f"must lie between 0 and the current version {live.version}")
        with present(self._app, live, caller) as changed:
            await Watcher(self._app, live, token, caller, request, changed).run(call)


class Watcher:
    """One open stream."""

    def __init__(
        self,
        app: App,
        live: LiveGame,
        token: Token | None,
        caller: Caller,
        request: pb.WatchGameRequest,
        changed: asyncio.Event,
    ) -> None:
        self._app = app
        self._live = live
        self._token = token
        self._caller = caller
        self._request = request
        self._has = request.after_version if request.HasField("after_version") else -1
        self._catching_up_to = live.version
        self._changed = changed

    async def run(self, call: Call) -> None:
        """Send until the game ends or is gone, the server drains or the client goes."""
        while True:
            await self._send_news(call)
            if self._live.deleted or self._live.ended:
                return await self._send(call, terminal=self._terminal().SerializeToString())
            if self._app.draining.is_set():
                draining = pb.WatchDraining(version=self._has, retry_delay=Duration(seconds=RETRY_SECONDS))
                return await self._send(call, draining=draining.SerializeToString())
            await self._wait(call)

    async def _send_news(self, call: Call) -> None:
        """Send what the watcher does not have: a snapshot, or record by record."""
        live = self._live
        if self._has < 0:
            await self._send_snapshot(call, overflowed=False)
        while self._has < live.version:
            identify(live, self._token).current()
            if live.version - max(self._has, self._catching_up_to) > self._app.limits.watch_queue:
                await self._send_snapshot(call, overflowed=True)
                continue
            self._has += 1
            await self._send(call, update=self._update(self._has))

    async def _send_snapshot(self, call: Call, *, overflowed: bool) -> None:
        live, moment = self._live, self._live.moment()
        snapshot = pb.WatchSnapshot(
            game=game_to_message(live, moment),
            view=view_to_message(live, moment, self._caller.seat),
            overflowed=overflowed,
        )
        self._has = self._catching_up_to = moment.version
        legal = legal_extra(moment, self._caller, self._request)
        await self._send(call, snapshot=joined(snapshot, legal_actions=legal))

    def _update(self, version: int) -> bytes:
        live, moment = self._live, self._live.moment()
        record, view, legal = record_bytes(live, version, self._caller.seat), None, None
        if version == moment.version:
            legal = legal_extra(moment, self._caller, self._request)
            if self._request.include_view:
                view = view_to_message(live, moment, self._caller.seat).SerializeToString()
        return joined(pb.WatchUpdate(), record=record, view=view, legal_actions=legal)

    def _terminal(self) -> pb.WatchTerminal:
        live, moment = self._live, self._live.moment()
        return pb.WatchTerminal(
            game=game_to_message(live, moment),
            score_sheet=score_sheet_to_message(live, moment),
            end=_ENDS.get(moment.status, pb.WATCH_END_DELETED),
        )

    async def _wait(self, call: Call) -> None:
        """Wait for a change; a heartbeat for every stretch of silence."""
        try:
            async with asyncio.timeout(self._app.limits.heartbeat_seconds):
                await self._changed.wait()
        except TimeoutError:
            heartbeat = pb.WatchHeartbeat(version=self._has, server_time=timestamp(now()))
            await self._send(call, heartbeat=heartbeat.SerializeToString())
        self._changed.clear()

    @staticmethod
    async def _send(call: Call, **message: bytes) -> None:
        await call.send(joined(pb.WatchGameResponse(), **message))


@contextmanager
def present(app: App, live: LiveGame, caller: Caller) -> Iterator[asyncio.Event]:
    """Count an open stream among those of its game, and hand it what is set whenever the game has changed.

    Only spectators are limited: however many there are, they keep no seat and no host from its game.

    Raises:
        ApiError: the game has as many spectators as the server allows.
    """
    most, watching, stream, changed = (
        app.limits.watchers_per_game,
        live.watching,
        asyncio.current_task(),
        asyncio.Event(),
    )
    if caller.role is Role.SPECTATOR and watching[None] >= most:
        raise over_limit("watchers_per_game", most, "the game has as many spectators as the server allows")
    live.waiters.add(changed)
    app.streams.add(stream)
    watching[caller.seat] += 1
    try:
        yield changed
    finally:
        live.waiters.discard(changed)
        app.streams.discard(stream)
        watching[caller.seat] -= 1
        _forget_nobody(watching)


def _forget_nobody(watching: Counter[int | None]) -> None:
    for seat in [seat for seat, count in watching.items() if count <= 0]:
        del watching[seat]
