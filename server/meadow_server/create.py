"""CreateGame and DeleteGame: the two mutations that are not records of a game."""

from __future__ import annotations

import secrets
from collections.abc import Sequence

import structlog
from meadow_api.v1 import common_pb2
from meadow_api.v1 import game_service_pb2 as pb
from meadow_engine import api

from meadow_server.app import App
from meadow_server.auth import SPECTATOR, Caller, Role, identify
from meadow_server.changes import Request, read_request, read_request_id, request_reused, stored_record
from meadow_server.errors import ApiError, bad_field, from_engine, game_not_found, over_limit, stale_version
from meadow_server.games import read_name
from meadow_server.header import GameHeader, SeatPlan
from meadow_server.live import LiveGame, Moment, now
from meadow_server.lobby import check_text
from meadow_server.rpc import REQUEST_CHARS, Call
from meadow_server.store.base import (
    NewGame,
    RequestTaken,
    StoredRequest,
    Summary,
    VersionTaken,
)
from meadow_server.tokens import GAME_ID_BYTES, OPERATOR, Token
from meadow_server.wire.common import COLOUR_NAMES, COLOURS, KIND_NAMES
from meadow_server.wire.families import family_of, member
from meadow_server.wire.families import variant as find_variant
from meadow_server.wire.game import game_to_message
from meadow_server.wire.leaving import clock_rules_from_message, resign_rules_from_message

log = structlog.get_logger()
SECRET_BYTES = 32


class Creation:
    """Handlers of the two calls."""

    def __init__(self, app: App) -> None:
        self._app = app

    async def CreateGame(self, call: Call, request: pb.CreateGameRequest) -> pb.CreateGameResponse:
        """See the service."""
        self._may_create(call)
        known = Request(call.method, request, None, read_request_id(request.request_id), None, (), SPECTATOR)
        return await self._app.changes.shielded(self._create(known, request, call.origin.address))

    async def DeleteGame(self, call: Call, request: pb.DeleteGameRequest) -> pb.DeleteGameResponse:
        """See the service."""
        token = call.needed_token()
        known = read_request(call.method, request, token, roles=(Role.HOST,))
        return await self._app.changes.shielded(self._delete(known, request.name, token))

    def _may_create(self, call: Call) -> None:
        """Refuse whoever brings no operator's key, where creating games takes one."""
        if not (self._app.operators.known and self._app.config.operator_creates):
            return
        token = call.token()
        if token is None:
            raise ApiError("TOKEN_MISSING", "here games are created by the operator: authorization: Bearer KEY")
        if token is not OPERATOR:
            raise ApiError("ROLE_NOT_ALLOWED", "here games are created by the operator, not by a seat or host")

    async def _create(self, known: Request, message: pb.CreateGameRequest, address: str) -> pb.CreateGameResponse:
        fingerprint = known.fingerprint(SPECTATOR)
        if known.request_id is not None:
            first = await self._app.store.find_request(known.request_id)
            if first is not None:
                return await self._repeated(first, fingerprint)
        live, pack = _new_game(self._app, message)
        start = not message.wait_for_start and all(seat.occupied for seat in live.seats)
        records = [api.Started()] if start else []
        change = live.playable().prepare(records)
        stored = None
        if known.request_id is not None:
            stored = StoredRequest(known.request_id, fingerprint, live.game_id, 0, len(records))
        try:
            with self._app.games.arriving(live):
                await self._store(live, pack, change, stored, address)
                if stored is not None:
                    live.requests[stored.request_id] = stored
                if records:
                    live.commit(change, live.header.time)
        except RequestTaken as taken:
            return await self._repeated(taken.request, fingerprint)
        self._app.changes.on_change(live)
        log.info(
            "created",
            game=live.name,
            variant=live.header.variant,
            seats=len(live.seats),
            status=live.status.value,
            request=message.request_id[:REQUEST_CHARS],
        )
        return self._answer(live, live.moment())

    async def _store(
        self, live: LiveGame, pack: api.Pack, change: api.Change, request: StoredRequest | None, address: str
    ) -> None:
        """Write a new game to the journal; RequestTaken if its request was done before."""
        mint, header, limit = self._app.mint, live.header, self._app.limits.games_per_address
        summary = Summary(change.status.value, live.due_after(change, header.time))
        row = NewGame(
            game_id=live.game_id,
            header=header.to_bytes(),
            variant=header.variant,
            rules_revision=header.rules_revision,
            public=header.public,
            join_hash=mint.join_hash(mint.join_code(live.game_id)),
            creator=mint.address_hash(address),
            time=header.time,
            summary=summary,
            records=[stored_record(applied.record, header.time) for applied in change.applied],
            pack=(pack.hash, self._app.shelf.content(pack)),
        )
        if not await self._app.store.create(row, request, limit):
            raise over_limit("games_per_address", limit, "too many open or running games from this address")
        live.leased = summary.due is not None and summary.due <= header.time

    async def _repeated(self, first: StoredRequest, fingerprint: bytes) -> pb.CreateGameResponse:
        if first.fingerprint != fingerprint:
            raise request_reused()
        live = await self._app.games.get(first.game_id)
        return self._answer(live, await live.moment_at(first.version))

    def _answer(self, live: LiveGame, moment: Moment) -> pb.CreateGameResponse:
        mint = self._app.mint
        reserved = [number for number, plan in enumerate(live.header.seats) if plan.kind == "RESERVED"]
        return pb.CreateGameResponse(
            game=game_to_message(live, moment),
            host_token=mint.host_token(live.game_id, 0),
            seat_tokens=[pb.SeatToken(seat=n, token=mint.seat_token(live.game_id, n, 0)) for n in reserved],
            join_code=mint.join_code(live.game_id),
        )

    async def _delete(self, known: Request, name: str, token: Token) -> pb.DeleteGameResponse:
        try:
            live = await self._app.game(name, token)
        except ApiError as error:
            if error.reason != "GAME_NOT_FOUND":
                raise
            return await self._deleted_before(known, name, token, error)
        async with live.lock:
            if live.deleted:
                # by somebody who came first, perhaps by this very request
                return await self._deleted_before(known, name, token, game_not_found())
            caller = identify(live, token).need_role(Role.HOST).current()
            if known.request_id is not None and known.request_id in live.requests:
                raise request_reused()
            if known.expected_version is not None and known.expected_version != live.version:
                raise stale_version(known.expected_version, live.version)
            if not live.ended and live.history is not None:
                raise ApiError("GAME_NOT_FINISHED", "only a finished or aborted game can be deleted; abort it first")
            await self._delete_locked(live, known, caller)
        told = known.message.request_id[:REQUEST_CHARS]
        log.info("deleted", game=live.name, version=live.version, request=told)
        return pb.DeleteGameResponse(version=live.version)

    async def _delete_locked(self, live: LiveGame, known: Request, caller: Caller) -> None:
        stored = None
        if known.request_id is not None:
            fingerprint = known.fingerprint(caller)
            stored = StoredRequest(known.request_id, fingerprint, live.game_id, live.version, live.version)
        try:
            await self._app.store.delete(live.game_id, live.version, stored)
        except RequestTaken as taken:
            if stored is None or taken.request.fingerprint != stored.fingerprint:
                raise request_reused() from None
            # another server has done this very request
        except VersionTaken:
            live.behind = True
            raise ApiError("STORAGE_UNAVAILABLE", "the journal went ahead of this server; repeat the call") from None
        self._app.changes.deleted(live)

    async def _deleted_before(
        self, known: Request, name: str, token: Token, otherwise: ApiError
    ) -> pb.DeleteGameResponse:
        """The first answer of a deletion that is asked for again; else the game is not there."""
        game_id = read_name(name)
        if not token.is_for(game_id) or token.seat is not None or known.request_id is None:
            raise otherwise
        first = await self._app.store.find_request(known.request_id)
        if first is None or first.game_id != game_id:
            raise otherwise
        role = Role.OPERATOR if token is OPERATOR else Role.HOST
        if first.fingerprint != known.fingerprint(Caller(role, None, token.generation)):
            raise request_reused()
        return pb.DeleteGameResponse(version=first.version)


def _new_game(app: App, message: pb.CreateGameRequest) -> tuple[LiveGame, api.Pack]:
    """A game as a request describes it, with its pack."""
    if not message.variant:
        raise bad_field("variant", "is required")
    variant = find_variant(message.variant)
    pack = app.shelf.by_id(message.pack)
    if variant.family not in pack.games:
        raise ApiError("PACK_NOT_FOUND", "the pack has no components for this variant")
    if message.visibility not in common_pb2.Visibility.values():
        raise bad_field("visibility", "is not one of the values")
    if message.seed and len(message.seed) != api.SEED_BYTES:
        raise bad_field("seed", f"has {len(message.seed)} bytes; a seed has {api.SEED_BYTES}")
    check_text(message.display_name, "display_name", app.limits.text_length)
    seats = _read_seats(message.seats, variant, app.limits.text_length)
    family = family_of(message.variant)
    given = member(message.options, family, "options")
    options = {} if given is None else family.options_from(given)
    resign_rules = resign_rules_from_message(message.resign_rules, variant)
    clock_rules = None
    if message.HasField("clock_rules"):
        clock_rules = clock_rules_from_message(message.clock_rules, variant, app.limits.clock_seconds)
    seed = message.seed or secrets.token_bytes(SECRET_BYTES)
    try:
        config = api.game_config(message.variant, seats=len(seats), seed=seed, options=options, pack=pack)
    except api.BadOption as error:
        if error.details.get("option") == "pack":
            raise ApiError("PACK_NOT_FOUND", error.message) from None
        raise from_engine(error) from None
    nonce = secrets.token_bytes(SECRET_BYTES)
    header = GameHeader(
        variant=message.variant,
        options={name: list(v) if isinstance(v, tuple) else v for name, v in config.options.items()},
        seats=seats,
        pack_hash=pack.hash,
        rules_revision=config.rules_revision,
        seed=config.seed,
        nonce=nonce,
        bot_seed=secrets.token_bytes(SECRET_BYTES),
        commitment=config.commitment(nonce),
        seeded=bool(message.seed),
        public=message.visibility != common_pb2.VISIBILITY_PRIVATE,
        wait_for_start=message.wait_for_start,
        display_name=message.display_name,
        time=now(),
        resign_rules=resign_rules,
        clock_rules=clock_rules,
    )
    return LiveGame(secrets.token_bytes(GAME_ID_BYTES), header, api.History(config), None, app.pauses), pack


def _read_seats(specs: Sequence[pb.SeatSpec], variant: api.Variant, text_length: int) -> tuple[SeatPlan, ...]:
    try:
        variant.check_seats(len(specs))
    except api.BadOption as refusal:
        raise bad_field("seats", str(refusal)) from None
    bots = {bot.name for bot in api.bots(variant.family)}
    colours = _colours(specs)
    plans = []
    for number, spec in enumerate(specs):
        field = f"seats[{number}]"
        if spec.kind not in common_pb2.SeatKind.values():
            raise bad_field(f"{field}.kind", "is not one of the kinds")
        kind = KIND_NAMES.get(spec.kind, "OPEN")
        check_text(spec.display_name, f"{field}.display_name", text_length)
        if kind != "BOT" and spec.bot:
            raise bad_field(f"{field}.bot", "is only for seats of the kind BOT")
        if kind == "BOT" and not spec.bot:
            raise bad_field(f"{field}.bot", "is required for seats of the kind BOT")
        if kind == "BOT" and spec.bot not in bots:
            names = ", ".join(sorted(bots))
            raise ApiError("BOT_NOT_FOUND", f"{field}.bot: no such bot; there are {names}", metadata={"bots": names})
        plans.append(SeatPlan(kind, spec.display_name, colours[number], spec.bot))
    return tuple(plans)


def _colours(specs: Sequence[pb.SeatSpec]) -> list[str]:
    """The seats' colours: those asked for, and for the rest the first that are free."""
    chosen: list[str] = []
    for number, spec in enumerate(specs):
        if spec.colour not in common_pb2.SeatColour.values():
            raise bad_field(f"seats[{number}].colour", "is not one of the colours")
        colour = COLOUR_NAMES.get(spec.colour, "")
        if colour and colour in chosen:
            raise bad_field(f"seats[{number}].colour", "another seat has this colour")
        chosen.append(colour)
    free = iter([colour for colour in COLOURS if colour not in chosen])
    return [colour or next(free) for colour in chosen]
