"""Seeing, choosing and taking back: GetGameView, ListLegalActions, SubmitAction, UndoAction, GetScoreSheet."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from google.protobuf.message import Message
from meadow_api.v1 import common_pb2, game_pb2
from meadow_api.v1 import game_service_pb2 as pb
from meadow_engine import api

from meadow_server.app import App
from meadow_server.auth import Caller, Role, identify
from meadow_server.changes import Effect, Request, read_request
from meadow_server.errors import ApiError, bad_field, from_engine, over_limit, stale_version
from meadow_server.live import LiveGame, Moment, Step, now
from meadow_server.lobby import need_fewer, running
from meadow_server.paging import page_size, page_token, read_page_token
from meadow_server.rpc import Call
from meadow_server.tokens import Token
from meadow_server.wire.common import STATES
from meadow_server.wire.families import Choice, FamilyWire, family_of, filter_member, read_actions
from meadow_server.wire.game import score_sheet_to_message, view_to_message
from meadow_server.wire.packed import joined, legal_list_bytes, listed
from meadow_server.wire.records import record_bytes, step_bytes

SUBMIT = "SubmitAction"
"""The method's name, under which its requests are remembered, whichever call brings them."""
_FORMATS = frozenset(pb.LegalActionFormat.values())
_VERSION_BYTES = 8
_OFFSET_BYTES = 4


class Play:
    """Handlers of the calls that seats play with."""

    def __init__(self, app: App) -> None:
        self._app = app

    async def GetGameView(self, call: Call, request: pb.GetGameViewRequest) -> bytes:
        """See the service."""
        if request.min_version < 0:
            raise bad_field("min_version", "must not be negative")
        waits = request.HasField("wait_for_turn")
        check_format(request.legal_action_format)
        live, caller = await self._app.visit(call, request.name, token_required=waits)
        live.playable()
        if live.version < request.min_version:
            raise ApiError(
                "VERSION_NOT_REACHED",
                f"the game is at version {live.version}, not yet at {request.min_version}",
                metadata={"current_version": str(live.version)},
            )
        if waits:
            caller.need_role(Role.SEAT)
            await self._wait_for_turn(live, caller, _seconds(request))
            identify(live, call.token()).current()
        moment = live.moment()
        response = pb.GetGameViewResponse(view=view_to_message(live, moment, caller.seat))
        return joined(response, legal_actions=legal_extra(moment, caller, request))

    async def ListLegalActions(self, call: Call, request: pb.ListLegalActionsRequest) -> bytes:
        """See the service."""
        most = self._app.limits.legal_page_size
        size = page_size(request.page_size, most, most)
        check_format(request.format, "format")
        live, caller = await self._app.visit(call, request.name)
        caller.need_role(Role.SEAT)
        live.playable()
        moment = live.moment()
        family = family_of(live.header.variant)
        binding = b"legal " + live.game_id + request.filter.SerializeToString(deterministic=True)
        start = self._legal_start(request.page_token, binding, moment.version)
        wanted = filter_member(request.filter, family)
        if moment.game is None or not _may_choose(moment, caller):
            empty = game_pb2.LegalActionList(version=moment.version, pending_seat=moment.pending_seat)
            return pb.ListLegalActionsResponse(legal_actions=empty).SerializeToString()
        page = game_pb2.LegalActionList(version=moment.version, pending_seat=moment.pending_seat)
        both = None if wanted is None else family.composites(moment.game, wanted)
        ids: Sequence[int] = ()
        if both is None:
            ids = moment.game.legal_ids() if wanted is None else family.select(moment.game, wanted)
        page.total_size = len(ids) if both is None else len(both)
        end = page.total_size if request.format == pb.LEGAL_ACTION_FORMAT_MASK else start + size
        if end < page.total_size:
            page.next_page_token = page_token(self._app.mint, binding, _cursor(moment.version, end))
        if both is not None:
            page.actions.extend(both[start:end])
            return pb.ListLegalActionsResponse(legal_actions=page).SerializeToString()
        return joined(
            pb.ListLegalActionsResponse(), legal_actions=listed(page, moment.game, ids[start:end], request.format)
        )

    async def SubmitAction(self, call: Call, request: pb.SubmitActionRequest) -> bytes:
        """See the service."""
        return await self.submit(request, call.needed_token())

    async def submit(self, request: pb.SubmitActionRequest, token: Token) -> bytes:
        """Carry a submission out, however it came, and answer a serialised SubmitActionResponse."""
        known = read_request(SUBMIT, request, token, roles=(Role.SEAT,), version_required=True)
        check_format(request.legal_action_format)
        choices = self._choices(request)
        find = self._app.game if request.validate_only else self._app.target
        live = await find(request.name, token)
        submission = Submission(live, request, choices)
        try:
            if request.validate_only:
                return submission.validate(known)
            return await self._app.changes.apply(live, known, submission.plan, submission.answer)
        except api.EngineError as error:
            raise refusal(live, error) from None

    async def UndoAction(self, call: Call, request: pb.UndoActionRequest) -> bytes:
        """See the service."""

        def plan(_moment: Moment, caller: Caller) -> Sequence[api.Record]:
            seat, most = caller.own_seat, self._app.limits.undos_per_seat
            need_fewer("undos_per_seat", most, (record.seat == seat for record in live.records_of(api.ActionsUndone)))
            return [api.ActionsUndone(seat, request.count or 1)]

        def answer(effect: Effect, caller: Caller) -> bytes:
            moment = effect.after
            response = pb.UndoActionResponse(version=moment.version, pending_seat=moment.pending_seat)
            records = [record_bytes(live, moment.version, caller.seat)]
            return with_extras(response, records, live, moment, caller, request)

        token = call.needed_token()
        known = read_request(call.method, request, token, roles=(Role.SEAT,), version_required=True)
        check_format(request.legal_action_format)
        live = await self._app.target(request.name, token)
        try:
            return await self._app.changes.apply(live, known, plan, answer)
        except api.EngineError as error:
            raise refusal(live, error) from None

    async def GetScoreSheet(self, call: Call, request: pb.GetScoreSheetRequest) -> pb.GetScoreSheetResponse:
        """See the service."""
        live, _ = await self._app.visit(call, request.name)
        live.playable()
        return pb.GetScoreSheetResponse(score_sheet=score_sheet_to_message(live, live.moment()))

    def _legal_start(self, token: str, binding: bytes, version: int) -> int:
        cursor = read_page_token(self._app.mint, binding, token)
        if cursor is None:
            return 0
        pinned = int.from_bytes(cursor[:_VERSION_BYTES], "big")
        if pinned != version:
            raise stale_version(pinned, version)
        return int.from_bytes(cursor[_VERSION_BYTES:], "big")

    def _choices(self, request: pb.SubmitActionRequest) -> Sequence[Choice]:
        """The choices of a submission, one or a batch."""
        match request.WhichOneof("choice"):
            case "action_id" | "action":
                return [request]
            case "batch":
                choices, most = request.batch.choices, self._app.limits.batch_size
                if not choices:
                    raise bad_field("batch.choices", "at least one is required")
                if len(choices) > most:
                    raise over_limit("batch_size", most, f"{len(choices)} choices; a batch has at most {most}")
                return choices
            case _:
                raise bad_field("choice", "one of action_id, action and batch is required")

    async def _wait_for_turn(self, live: LiveGame, caller: Caller, seconds: float) -> None:
        """Wait until the caller's seat has to choose, the game ends, the server drains or the time is over."""
        changed = asyncio.Event()
        live.waiters.add(changed)
        ends = asyncio.get_running_loop().time() + min(seconds, self._app.limits.wait_for_turn_seconds)
        try:
            async with asyncio.timeout_at(ends):
                while not (live.ended or live.deleted or live.moment().pending_seat == caller.seat):
                    if self._app.draining.is_set():
                        return
                    await changed.wait()
                    changed.clear()
        except TimeoutError:
            return
        finally:
            live.waiters.discard(changed)


class Submission:
    """One SubmitAction: its plan and its answer."""

    def __init__(self, live: LiveGame, request: pb.SubmitActionRequest, choices: Sequence[Choice]) -> None:
        self._live = live
        self._request = request
        self._choices = choices
        self._family: FamilyWire = family_of(live.header.variant)

    def plan(self, moment: Moment, caller: Caller) -> list[api.Record]:
        """The actions to take, if it is the caller's turn."""
        game, seat = running(moment), caller.own_seat
        if moment.pending_seat != seat:
            raise not_your_turn(moment)
        batch = self._request.HasField("batch")
        records: list[api.Record] = []
        for place, choice in enumerate(self._choices):
            field = f"batch.choices[{place}]" if batch else "choice"
            ids = read_actions(choice, game, self._family, field)
            records += [api.ActionTaken(seat, action_id) for action_id in ids]
        return records

    def validate(self, known: Request) -> bytes:
        """Try the choices on a copy and answer what they would lead to; nothing is recorded."""
        live = self._live
        caller = identify(live, known.token).need_role(*known.roles).current()
        if known.expected_version is not None and known.expected_version != live.version:
            raise stale_version(known.expected_version, live.version)
        before = live.moment()
        change = live.playable().prepare(self.plan(before, caller), stop_at_reveal=True)
        steps = [Step(applied, now()) for applied in change.applied]
        after = Moment(before.version, change.status, change.game, before.seats, change.ending)
        records = [step_bytes(live, before.version + 1 + place, step, caller.seat) for place, step in enumerate(steps)]
        return self._respond(before, after, records, caller)

    def answer(self, effect: Effect, caller: Caller) -> bytes:
        """What the choices led to."""
        versions = range(effect.before.version + 1, effect.after.version + 1)
        records = [record_bytes(self._live, version, caller.seat) for version in versions]
        return self._respond(effect.before, effect.after, records, caller)

    def _respond(self, before: Moment, after: Moment, records: Sequence[bytes], caller: Caller) -> bytes:
        response = pb.SubmitActionResponse(
            version=after.version, state=STATES[after.status], pending_seat=after.pending_seat
        )
        if self._request.include_view or self._request.validate_only:
            response.points_change.extend(self._points_change(before, after))
        return with_extras(response, records, self._live, after, caller, self._request)

    def _points_change(self, before: Moment, after: Moment) -> list[int]:
        if before.game is None or after.game is None:
            return []
        old, new = self._family.running_points(before.game), self._family.running_points(after.game)
        return [now_has - had for had, now_has in zip(old, new, strict=True)]


def with_extras(
    response: pb.SubmitActionResponse | pb.UndoActionResponse,
    records: Sequence[bytes],
    live: LiveGame,
    moment: Moment,
    caller: Caller,
    request: pb.SubmitActionRequest | pb.UndoActionRequest,
) -> bytes:
    """The response, serialised, with its records and, where asked for, the view and the legal actions."""
    view = view_to_message(live, moment, caller.seat).SerializeToString() if request.include_view else None
    return joined(response, records=records, view=view, legal_actions=legal_extra(moment, caller, request))


def legal_extra(
    moment: Moment,
    caller: Caller,
    request: pb.SubmitActionRequest | pb.UndoActionRequest | pb.GetGameViewRequest | pb.WatchGameRequest,
) -> bytes | None:
    """The legal actions, serialised, where asked for and the caller's to choose from."""
    if not request.include_legal_actions or not _may_choose(moment, caller):
        return None
    return legal_list_bytes(moment, request.legal_action_format)


def not_your_turn(moment: Moment) -> ApiError:
    """Another seat has to choose."""
    pending = moment.pending_seat
    return ApiError(
        "NOT_YOUR_TURN",
        f"seat {pending} has to choose",
        metadata={"pending_seat": str(pending)},
        details=[common_pb2.NotYourTurnDetail(pending_seat=pending or 0)],
    )


def refusal(live: LiveGame, error: api.EngineError) -> ApiError:
    """The API's form of what the engine refused, with the rule or the seat as a typed detail."""
    details: list[Message] = []
    if isinstance(error, api.IllegalAction):
        detail = game_pb2.IllegalActionDetail(index=int(error.details.get("index", 0)))
        family_of(live.header.variant).illegal_to(error, detail)
        details.append(detail)
        error.details["rule"] = error.rule
    elif isinstance(error, api.NotYourTurn):
        return not_your_turn(live.moment())
    return from_engine(error, details)


def check_format(form: pb.LegalActionFormat.ValueType, field: str = "legal_action_format") -> None:
    """Refuse a form of lists that is not published; `field` is its place in the request."""
    if form not in _FORMATS:
        raise bad_field(field, "is not one of the formats")


def _may_choose(moment: Moment, caller: Caller) -> bool:
    return caller.seat is not None and moment.pending_seat == caller.seat


def _seconds(request: pb.GetGameViewRequest) -> float:
    duration = request.wait_for_turn
    if duration.seconds < 0 or duration.nanos < 0:
        raise bad_field("wait_for_turn", "must not be negative")
    return min(duration.seconds + duration.nanos / 1e9, 86_400.0)


def _cursor(version: int, offset: int) -> bytes:
    return version.to_bytes(_VERSION_BYTES, "big") + offset.to_bytes(_OFFSET_BYTES, "big")
