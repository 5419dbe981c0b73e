"""Play: a seat's choices and waits over one stream, each answered in its turn.

What a choice does is SubmitAction's business; here is only the conversation around it. A refusal is an answer like any
other, unless it would be the answer to everything that may still come: then the stream ends with it.
"""

from __future__ import annotations

import asyncio

from meadow_api.v1 import common_pb2
from meadow_api.v1 import game_service_pb2 as pb

from meadow_server.app import App
from meadow_server.auth import Caller, Role, identify
from meadow_server.errors import REASON_PREFIX, ApiError, bad_field, draining, game_not_found
from meadow_server.live import LiveGame, Moment
from meadow_server.play import Play, check_format
from meadow_server.rpc import Dialogue, api_error
from meadow_server.tokens import OPERATOR, Token
from meadow_server.watch import present
from meadow_server.wire.common import STATES
from meadow_server.wire.game import view_to_message
from meadow_server.wire.packed import field_bytes, joined, legal_list_bytes

ENDING_REASONS = frozenset({"TOKEN_UNKNOWN", "SERVER_DRAINING"})
"""Refusals that all further requests would meet too."""
_FIELDS = pb.PlayResponse.DESCRIPTOR.fields_by_name
_SUBMITTED, _TURN = _FIELDS["submitted"].number, _FIELDS["turn"].number


class Conversations:
    """The handler of Play."""

    def __init__(self, app: App, play: Play) -> None:
        self._app = app
        self._play = play

    async def Play(self, call: Dialogue) -> None:
        """See the service."""
        token = call.needed_token()
        if token is OPERATOR:
            Caller(Role.OPERATOR).need_role(Role.SEAT)
        live = await self._app.games.get(token.game_id)
        caller = identify(live, token).need_role(Role.SEAT).current()
        live.playable()
        with present(self._app, live, caller) as changed:
            await call.accept()
            await Conversation(self._app, self._play, live, token, caller.own_seat, changed).run(call)


class Conversation:
    """One open stream."""

    def __init__(self, app: App, play: Play, live: LiveGame, token: Token, seat: int, changed: asyncio.Event) -> None:
        self._app = app
        self._play = play
        self._live = live
        self._token = token
        self._seat = seat
        self._changed = changed

    async def run(self, call: Dialogue) -> None:
        """Answer until the client has nothing more to ask."""
        while (request := await self._next(call)) is not None:
            await call.send(await self._answered(call, request))

    async def _next(self, call: Dialogue) -> pb.PlayRequest | None:
        """The client's next request; None after the last. A server that drains waits for none."""
        listener, listening = asyncio.current_task(), self._app.listening
        assert listener is not None  # noqa: S101 (a handler is a task; for the type checker)
        if self._app.draining.is_set():
            raise draining()
        listening.add(listener)
        try:
            return await call.receive(pb.PlayRequest)
        except asyncio.CancelledError:
            if self._app.draining.is_set() and listener.uncancel() == 0:
                raise draining() from None
            raise
        finally:
            listening.discard(listener)

    async def _answered(self, call: Dialogue, request: pb.PlayRequest) -> bytes:
        kind = request.WhichOneof("message")
        if kind is None:
            raise bad_field("message", "a submit or a wait is required")
        try:
            if kind == "wait":
                return field_bytes(_TURN, await self._turn(request.wait))
            with call.deadline:
                return field_bytes(_SUBMITTED, await self._play.submit(request.submit, self._token))
        except Exception as error:  # noqa: BLE001 (every error becomes an answer)
            refusal = api_error(call.method, error, request.submit)
        if refusal.reason in ENDING_REASONS or self._live.deleted:
            raise refusal
        return pb.PlayResponse(refusal=_refusal_to_message(refusal)).SerializeToString()

    async def _turn(self, wait: pb.PlayWait) -> bytes:
        check_format(wait.legal_action_format)
        moment = await self._awaited()
        live, form = self._live, wait.legal_action_format
        turn = pb.PlayTurn(version=moment.version, state=STATES[moment.status])
        legal = None if moment.pending_seat is None else legal_list_bytes(moment, form)
        view = None if wait.omit_view else view_to_message(live, moment, self._seat).SerializeToString()
        return joined(turn, legal_actions=legal, view=view)

    async def _awaited(self) -> Moment:
        """The game once the seat has to choose, or it has ended."""
        live = await self._app.games.get(self._token.game_id)
        while True:
            if live.deleted:
                raise game_not_found()
            identify(live, self._token).current()
            moment = live.moment()
            if live.ended or moment.pending_seat == self._seat:
                return moment
            if self._app.draining.is_set():
                raise draining()
            await self._changed.wait()
            self._changed.clear()


def _refusal_to_message(refusal: ApiError) -> pb.PlayRefusal:
    status = refusal.status()
    return pb.PlayRefusal(
        code=status.code,
        reason=common_pb2.ErrorReason.Value(REASON_PREFIX + refusal.reason),
        message=status.message,
        status=status.SerializeToString(),
    )
