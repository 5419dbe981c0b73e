"""Times, seats and states."""

from __future__ import annotations

from functools import lru_cache

from google.protobuf.duration_pb2 import Duration
from google.protobuf.timestamp_pb2 import Timestamp
from meadow_api.v1 import common_pb2 as pb
from meadow_engine import api

from meadow_server.header import Seat
from meadow_server.live import MICROSECONDS, LiveGame, now
from meadow_server.wire.families import known_variant

STATES = {
    api.Status.OPEN: pb.GAME_STATE_OPEN,
    api.Status.RUNNING: pb.GAME_STATE_RUNNING,
    api.Status.FINISHED: pb.GAME_STATE_FINISHED,
    api.Status.ABORTED: pb.GAME_STATE_ABORTED,
}
SEAT_KINDS = {"RESERVED": pb.SEAT_KIND_RESERVED, "OPEN": pb.SEAT_KIND_OPEN, "BOT": pb.SEAT_KIND_BOT}
KIND_NAMES = {number: name for name, number in SEAT_KINDS.items()}
_COLOUR_PREFIX = "SEAT_COLOUR_"
COLOURS = {name.removeprefix(_COLOUR_PREFIX): number for name, number in pb.SeatColour.items() if number}
COLOUR_NAMES = {number: name for name, number in COLOURS.items()}


def timestamp(microseconds: int) -> Timestamp:
    """A time since 1970."""
    message = Timestamp()
    write_time(microseconds, message)
    return message


def write_time(microseconds: int, out: Timestamp) -> None:
    """Write a time since 1970 into a message."""
    out.seconds, rest = divmod(microseconds, MICROSECONDS)
    out.nanos = rest * 1000


def duration(microseconds: int) -> Duration:
    """A time that is not below zero."""
    seconds, rest = divmod(microseconds, MICROSECONDS)
    return Duration(seconds=seconds, nanos=rest * 1000)


def seat_to_message(number: int, seat: Seat, variant: str, live: LiveGame | None = None) -> pb.Seat:
    """A seat as everybody sees it; with the game in memory, also who is connected."""
    message = pb.Seat()
    message.CopyFrom(_seat_alone(number, seat, variant))
    if live is not None and seat.occupied:
        here = seat.bot or live.watching[number]
        message.connection = pb.CONNECTION_STATE_CONNECTED if here else pb.CONNECTION_STATE_AWAY
        if number in live.seen:
            write_time(live.seen[number], message.last_seen_time)
    if live is not None and live.clocks is not None and not (live.ended or seat.bot):
        left = live.clocks.left(number, now())
        message.clock.decision_left.CopyFrom(duration(left.decision))
        message.clock.bank_left.CopyFrom(duration(max(left.bank, 0)))
        message.clock.running = left.running
    return message


@lru_cache(maxsize=4096)  # seats hardly ever change
def _seat_alone(number: int, seat: Seat, variant: str) -> pb.Seat:
    """What is true of a seat whoever is connected. Not to be changed: it is kept."""
    return pb.Seat(
        seat=number,
        kind=SEAT_KINDS[seat.kind],
        occupied=seat.occupied,
        display_name=seat.display_name,
        colour=COLOURS[seat.colour],
        bot=bot_identity(seat.bot, variant) if seat.bot else None,
    )


def bot_identity(bot: str, variant: str) -> pb.BotIdentity:
    """A bot and its version; without version when this server does not have it."""
    known = known_variant(variant)
    for candidate in api.bots(known.family) if known is not None else ():
        if candidate.name == bot:
            return pb.BotIdentity(bot=bot, bot_version=candidate.version)
    return pb.BotIdentity(bot=bot)
