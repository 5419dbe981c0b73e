"""Times, seats and states."""

from __future__ import annotations

from google.protobuf.timestamp_pb2 import Timestamp
from meadow_api.v1 import common_pb2 as pb
from meadow_engine import api

from meadow_server.header import Seat
from meadow_server.live import MICROSECONDS, LiveGame

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
    seconds, rest = divmod(microseconds, MICROSECONDS)
    return Timestamp(seconds=seconds, nanos=rest * 1000)


def seat_to_message(live: LiveGame, number: int, seat: Seat) -> pb.Seat:
    """A seat as everybody sees it."""
    message = pb.Seat(
        seat=number,
        kind=SEAT_KINDS[seat.kind],
        occupied=seat.occupied,
        display_name=seat.display_name,
        colour=COLOURS[seat.colour],
        connection=_connection(live, number, seat),
    )
    if seat.bot:
        message.bot.CopyFrom(bot_identity(seat.bot, live.family))
    if number in live.seen and seat.occupied:
        message.last_seen_time.CopyFrom(timestamp(live.seen[number]))
    return message


def bot_identity(bot: str, family: str) -> pb.BotIdentity:
    """A bot and its version; without version when this server does not have it."""
    for known in api.bots(family):
        if known.name == bot:
            return pb.BotIdentity(bot=bot, bot_version=known.version)
    return pb.BotIdentity(bot=bot)


def _connection(live: LiveGame, number: int, seat: Seat) -> pb.ConnectionState.ValueType:
    if not seat.occupied:
        return pb.CONNECTION_STATE_UNSPECIFIED
    if seat.bot or live.watching[number]:
        return pb.CONNECTION_STATE_CONNECTED
    return pb.CONNECTION_STATE_AWAY
