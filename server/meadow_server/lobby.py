"""Making, joining and ending games."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress

import structlog
from meadow_api.v1 import game_service_pb2 as pb
from meadow_engine import api

from meadow_server.app import App
from meadow_server.auth import SPECTATOR, Caller, Role
from meadow_server.changes import Answer, Effect, Plan, Request, T, read_request
from meadow_server.departures import resigned
from meadow_server.errors import ApiError, bad_field, over_limit
from meadow_server.games import intact
from meadow_server.header import Seats
from meadow_server.live import LiveGame, Moment, Step, game_name
from meadow_server.paging import page_size, page_token, read_page_token
from meadow_server.rpc import REQUEST_CHARS, Call
from meadow_server.tokens import OPERATOR
from meadow_server.wire.common import COLOUR_NAMES, STATES
from meadow_server.wire.game import game_to_message, listed_to_message

log = structlog.get_logger()
_STATUS_OF = {number: status for status, number in STATES.items()}
_TIME_BYTES = 8
JOIN_CODE_MAX = 32


class Lobby:
    """Handlers around a game's life; CreateGame and DeleteGame have files of their own."""

    def __init__(self, app: App) -> None:
        self._app = app

    async def GetGame(self, call: Call, request: pb.GetGameRequest) -> pb.GetGameResponse:
        """See the service."""
        live, caller = await self._app.visit(call, request.name)
        response = pb.GetGameResponse(game=game_to_message(live, live.moment()))
        if caller.manages:
            response.join_code = self._app.mint.join_code(live.game_id)
        return response

    async def ListGames(self, call: Call, request: pb.ListGamesRequest) -> pb.ListGamesResponse:
        """See the service."""
        app, limits = self._app, self._app.limits
        size = page_size(request.page_size, limits.page_size, limits.max_page_size)
        status = _STATUS_OF.get(request.state)
        if request.state and status is None:
            raise bad_field("state", "is not one of the states")
        everything = call.token() is OPERATOR
        binding = f"games {request.state} {request.variant} {everything}".encode()
        cursor = read_page_token(app.mint, binding, request.page_token)
        before = None if cursor is None else (int.from_bytes(cursor[:_TIME_BYTES], "big"), cursor[_TIME_BYTES:])
        state = None if status is None else status.value
        found = await app.store.list_games(state, request.variant or None, before, size + 1, private=everything)
        response = pb.ListGamesResponse()
        for game in found[:size]:
            # a damaged game is in the log, and not in the list
            with suppress(ApiError), intact(game.game_id):
                response.games.append(listed_to_message(game))
        if len(found) > size:
            last = found[size - 1]
            cursor = last.created.to_bytes(_TIME_BYTES, "big") + last.game_id
            response.next_page_token = page_token(app.mint, binding, cursor)
        return response

    async def StartGame(self, call: Call, request: pb.StartGameRequest) -> pb.StartGameResponse:
        """See the service."""

        def plan(moment: Moment, _caller: Caller) -> Sequence[api.Record]:
            need_open(moment)
            empty = [number for number, seat in enumerate(moment.seats) if not seat.occupied]
            if empty and not request.fill_bot:
                message = f"{len(empty)} seats are open; claim them, give them to bots or name fill_bot"
                raise ApiError("SEATS_OPEN", message, metadata={"open": str(len(empty))})
            bots = [api.SeatBot(number, request.fill_bot, moment.seats[number].generation + 1) for number in empty]
            return [*bots, api.Started()]

        def answer(effect: Effect, _caller: Caller) -> pb.StartGameResponse:
            return pb.StartGameResponse(game=game_to_message(live, effect.after))

        live, known = await self._host(call, request)
        if request.fill_bot:
            need_bot(live, request.fill_bot)
        return await self._change(live, known, plan, answer)

    async def AbortGame(self, call: Call, request: pb.AbortGameRequest) -> pb.AbortGameResponse:
        """See the service."""

        def plan(moment: Moment, _caller: Caller) -> Sequence[api.Record]:
            need_unended(moment)
            return [api.Aborted(request.explanation)]

        def answer(effect: Effect, _caller: Caller) -> pb.AbortGameResponse:
            return pb.AbortGameResponse(game=game_to_message(live, effect.after))

        check_text(request.explanation, "explanation", self._app.limits.explanation_length)
        live, known = await self._host(call, request)
        return await self._change(live, known, plan, answer)

    async def ClaimSeat(self, call: Call, request: pb.ClaimSeatRequest) -> pb.ClaimSeatResponse:
        """See the service."""

        def plan(moment: Moment, _caller: Caller) -> Sequence[api.Record]:
            need_unended(moment)
            self._need_seatings(live)
            number = claimable(moment.seats, request.seat if request.HasField("seat") else None)
            colour = free_colour(moment.seats, number, COLOUR_NAMES.get(request.colour, ""))
            claimed = api.SeatClaimed(number, request.display_name, colour)
            return [claimed, *start_if_full(live, moment, number)]

        def answer(effect: Effect, _caller: Caller) -> pb.ClaimSeatResponse:
            seat = claimed_seat(live.steps[effect.before.version])
            generation = effect.after.seats[seat].generation
            seat_token = pb.SeatToken(seat=seat, token=self._app.mint.seat_token(live.game_id, seat, generation))
            return pb.ClaimSeatResponse(game=game_to_message(live, effect.after), seat_token=seat_token)

        check_text(request.display_name, "display_name", self._app.limits.text_length)
        known = read_request(call.method, request, None, as_caller=SPECTATOR)
        live = await self._joined(request)
        return await self._change(live, known, plan, answer)

    async def ReleaseSeat(self, call: Call, request: pb.ReleaseSeatRequest) -> pb.ReleaseSeatResponse:
        """See the service."""

        def plan(moment: Moment, caller: Caller) -> Sequence[api.Record]:
            need_unended(moment)
            number = caller.seat if caller.seat is not None else request.seat
            if caller.manages and not request.HasField("seat"):
                raise bad_field("seat", "is required of the host")
            if (request.HasField("seat") and request.seat != number) or number >= len(moment.seats):
                raise seat_not_found()
            if not moment.seats[number].occupied:
                raise ApiError("SEAT_EMPTY", "nobody holds this seat", metadata={"seat": str(number)})
            return [api.SeatReleased(number, moment.seats[number].generation + 1)]

        def answer(effect: Effect, _caller: Caller) -> pb.ReleaseSeatResponse:
            return pb.ReleaseSeatResponse(game=game_to_message(live, effect.after))

        token = call.needed_token()
        known = read_request(call.method, request, token, roles=(Role.SEAT, Role.HOST))
        live = await self._app.game(request.name, token)
        return await self._change(live, known, plan, answer)

    async def SetSeatBot(self, call: Call, request: pb.SetSeatBotRequest) -> pb.SetSeatBotResponse:
        """See the service."""

        def plan(moment: Moment, _caller: Caller) -> Sequence[api.Record]:
            need_unended(moment)
            self._need_seatings(live)
            if request.seat >= len(moment.seats):
                raise seat_not_found()
            need_bot(live, request.bot)
            seated = api.SeatBot(request.seat, request.bot, moment.seats[request.seat].generation + 1)
            return [seated, *start_if_full(live, moment, request.seat)]

        def answer(effect: Effect, _caller: Caller) -> pb.SetSeatBotResponse:
            return pb.SetSeatBotResponse(game=game_to_message(live, effect.after))

        if not request.bot:
            raise bad_field("bot", "is required")
        live, known = await self._host(call, request)
        return await self._change(live, known, plan, answer)

    async def ResignSeat(self, call: Call, request: pb.ResignSeatRequest) -> pb.ResignSeatResponse:
        """See the service."""

        def plan(moment: Moment, caller: Caller) -> Sequence[api.Record]:
            running(moment)
            return resigned(caller.own_seat, live.header.resign_rules, moment.seats)

        def answer(effect: Effect, _caller: Caller) -> pb.ResignSeatResponse:
            return pb.ResignSeatResponse(game=game_to_message(live, effect.after))

        token = call.needed_token()
        known = read_request(call.method, request, token, roles=(Role.SEAT,))
        live = await self._app.game(request.name, token)
        return await self._change(live, known, plan, answer)

    async def ReplaceHostToken(self, call: Call, request: pb.ReplaceHostTokenRequest) -> pb.ReplaceHostTokenResponse:
        """See the service."""

        def plan(moment: Moment, _caller: Caller) -> Sequence[api.Record]:
            need_unended(moment)
            return [api.HostTokenReplaced(live.host_generation + 1)]

        def answer(effect: Effect, _caller: Caller) -> pb.ReplaceHostTokenResponse:
            generation = _host_generation(live.steps[effect.before.version])
            token = self._app.mint.host_token(live.game_id, generation)
            return pb.ReplaceHostTokenResponse(game=game_to_message(live, effect.after), host_token=token)

        live, known = await self._host(call, request)
        return await self._change(live, known, plan, answer)

    async def _host(
        self,
        call: Call,
        request: pb.StartGameRequest | pb.AbortGameRequest | pb.SetSeatBotRequest | pb.ReplaceHostTokenRequest,
    ) -> tuple[LiveGame, Request]:
        token = call.needed_token()
        known = read_request(call.method, request, token, roles=(Role.HOST,))
        return await self._app.game(request.name, token), known

    def _need_seatings(self, live: LiveGame) -> None:
        """Refuse a claim or a bot when the game has had as many as the server allows."""
        seatings = live.records_of(api.SeatClaimed, api.SeatBot)
        need_fewer("seatings_per_game", self._app.limits.seatings_per_game, (True for _ in seatings))

    async def _joined(self, request: pb.ClaimSeatRequest) -> LiveGame:
        """The game of a join code, which must be the one named, if one is."""
        if not request.join_code:
            raise bad_field("join_code", "is required")
        if len(request.join_code) > JOIN_CODE_MAX:
            raise bad_field("join_code", f"has at most {JOIN_CODE_MAX} characters")
        game_id = await self._app.store.find_join(self._app.mint.join_hash(request.join_code))
        if game_id is None or (request.name and request.name != game_name(game_id)):
            raise ApiError("JOIN_CODE_UNKNOWN", "no game has this join code")
        return await self._app.games.get(game_id)

    async def _change(self, live: LiveGame, request: Request, plan: Plan, answer: Answer[T]) -> T:
        """Carry a change of the lobby out and log it."""
        before = live.version
        response = await self._app.changes.apply(live, request, plan, answer)
        if live.version != before:
            log.info(
                "lobby",
                method=request.method,
                game=live.name,
                version=live.version,
                status=live.status.value,
                request=request.message.request_id[:REQUEST_CHARS],
            )
        return response


def check_text(text: str, field: str, most: int) -> None:
    """Refuse a text that is too long, is blank though not empty, or has characters that cannot be seen."""
    if len(text) > most:
        raise bad_field(field, f"has {len(text)} characters; at most {most} are allowed")
    if not text.isprintable():
        raise bad_field(field, "must be printable characters on one line")
    if text and text.isspace():
        raise bad_field(field, "has nothing but blanks")


def need_fewer(limit: str, most: int, changes: Iterable[bool]) -> None:
    """Refuse a change of a kind that can be made without end, when there have been as many as the server allows.

    Else whoever holds a token could make a game's journal grow for ever.
    """
    if sum(changes) >= most:
        raise over_limit(limit, most, "the game has had as many of these changes as the server allows")


def need_open(moment: Moment) -> None:
    """Refuse unless the game has not started."""
    if moment.status is not api.Status.OPEN:
        raise ApiError("GAME_NOT_OPEN", f"the game is {moment.status.value.lower()}, not open")


def running(moment: Moment) -> api.Game:
    """The position of a running game.

    Raises:
        ApiError: it does not run.
    """
    need_unended(moment)
    if moment.status is not api.Status.RUNNING or moment.game is None:
        raise ApiError("GAME_NOT_RUNNING", f"the game is {moment.status.value.lower()}")
    return moment.game


def need_unended(moment: Moment) -> None:
    """Refuse once the game has ended."""
    if moment.status is api.Status.FINISHED:
        raise ApiError("GAME_OVER", "the game is finished")
    if moment.status is api.Status.ABORTED:
        raise ApiError("GAME_NOT_RUNNING", "the game was aborted")


def need_bot(live: LiveGame, bot: str) -> None:
    """Refuse a bot that does not play the game."""
    if all(known.name != bot for known in api.bots(live.family)):
        names = ", ".join(known.name for known in api.bots(live.family))
        raise ApiError("BOT_NOT_FOUND", f"no such bot plays this variant; there are {names}", metadata={"bots": names})


def seat_not_found() -> ApiError:
    """No such seat, or not the caller's: the two do not differ."""
    return ApiError("SEAT_NOT_FOUND", "there is no such seat, or the token is for another")


def claimable(seats: Seats, wanted: int | None) -> int:
    """The seat that a join code claims: the one wanted, or the first that is open."""
    if wanted is not None and wanted >= len(seats):
        raise seat_not_found()
    numbers = range(len(seats)) if wanted is None else [wanted]
    for number in numbers:
        if not seats[number].occupied:
            return number
    raise ApiError("SEAT_TAKEN", "the seat is taken" if wanted is not None else "every seat is taken")


def claimed_seat(step: Step) -> int:
    """The seat that a step claimed."""
    match step.applied.record:
        case api.SeatClaimed(seat, _, _):
            return seat
        case record:
            raise TypeError(f"{type(record).__name__} claims no seat")


def _host_generation(step: Step) -> int:
    """The generation of host tokens that a step began."""
    match step.applied.record:
        case api.HostTokenReplaced(generation):
            return generation
        case record:
            raise TypeError(f"{type(record).__name__} begins none")


def free_colour(seats: Seats, number: int, wanted: str) -> str:
    """The colour wanted, if no other seat has it; else the one that the seat has."""
    others = {seat.colour for place, seat in enumerate(seats) if place != number}
    return wanted if wanted and wanted not in others else seats[number].colour


def start_if_full(live: LiveGame, moment: Moment, filled: int) -> list[api.Record]:
    """The start, if the game is open and this was its last empty seat."""
    if moment.status is not api.Status.OPEN or live.header.wait_for_start:
        return []
    full = all(seat.occupied or number == filled for number, seat in enumerate(moment.seats))
    return [api.Started()] if full else []
