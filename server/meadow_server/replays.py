"""GetReplay and ListEvents: the course of a game."""

from __future__ import annotations

import asyncio

from meadow_api.v1 import game_pb2
from meadow_api.v1 import game_service_pb2 as pb
from meadow_engine import api

from meadow_server.app import App
from meadow_server.errors import bad_field
from meadow_server.live import LiveGame
from meadow_server.paging import page_size, page_token, read_page_token
from meadow_server.rpc import Call
from meadow_server.wire.common import STATES
from meadow_server.wire.game import fairness_to_message, game_to_message, record_to_message
from meadow_server.wire.packed import joined
from meadow_server.wire.records import record_bytes

_OFFSET_BYTES = 8


class Replays:
    """Handlers of the two calls."""

    def __init__(self, app: App) -> None:
        self._app = app

    async def GetReplay(self, call: Call, request: pb.GetReplayRequest) -> pb.GetReplayResponse:
        """See the service."""
        most = self._app.limits.replay_page_size
        size = page_size(request.page_size, most, most)
        live, caller = await self._app.visit(call, request.name)
        binding = b"replay " + live.game_id
        cursor = read_page_token(self._app.mint, binding, request.page_token)
        start = 0 if cursor is None else int.from_bytes(cursor, "big")
        moment, complete = live.moment(), live.ended
        end = min(start + size, moment.version)
        records = [
            record_to_message(live, version, caller.seat, everything=complete) for version in range(start + 1, end + 1)
        ]
        if complete:
            # shielded: a caller who goes away would leave the work to be done again by the next
            await self._app.changes.shielded(_add_hashes(live, records))
        response = pb.GetReplayResponse(
            replay=game_pb2.Replay(
                game=game_to_message(live, moment),
                records=records,
                complete=complete,
                fairness=fairness_to_message(live),
            )
        )
        if end < moment.version:
            response.next_page_token = page_token(self._app.mint, binding, end.to_bytes(_OFFSET_BYTES, "big"))
        return response

    async def ListEvents(self, call: Call, request: pb.ListEventsRequest) -> bytes:
        """See the service."""
        most = self._app.limits.replay_page_size
        size = page_size(request.page_size, most, most)
        live, caller = await self._app.visit(call, request.name)
        version, after = live.version, request.after_version
        if not 0 <= after <= version:
            raise bad_field("after_version", f"must lie between 0 and the current version {version}")
        binding = b"events %d " % after + live.game_id
        cursor = read_page_token(self._app.mint, binding, request.page_token)
        start = after if cursor is None else int.from_bytes(cursor, "big")
        end = min(start + size, version)
        response = pb.ListEventsResponse(version=version, state=STATES[live.status])
        if end < version:
            response.next_page_token = page_token(self._app.mint, binding, end.to_bytes(_OFFSET_BYTES, "big"))
        return joined(response, records=[record_bytes(live, made, caller.seat) for made in range(start + 1, end + 1)])


async def _add_hashes(live: LiveGame, records: list[game_pb2.GameRecord]) -> None:
    """Add the state's hash after each record; at the first time by playing the game again, once, in a thread."""
    if live.history is None or not records:
        return
    async with live.lock:
        if not live.hashes:
            journal = [step.applied.record for step in live.steps]
            live.hashes = await asyncio.to_thread(_hashes, live.history.config, journal)
    for record in records:
        record.state_hash = live.hashes[record.version - 1]


def _hashes(config: api.GameConfig, journal: list[api.Record]) -> list[bytes]:
    history, hashes = api.History(config), []
    for record in journal:
        history.apply(record)
        hashes.append(b"" if history.game is None else history.game.state_hash())
    return hashes
