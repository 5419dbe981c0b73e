"""What follows when a seat resigns or its time runs out, by the rules chosen at the game's creation."""

from __future__ import annotations

from meadow_engine import api

from meadow_server.header import ClockRules, ResignRules, Seats
from meadow_server.live import Moment


def resigned(seat: int, rules: ResignRules, seats: Seats) -> list[api.Record]:
    """The records of a seat that resigns."""
    return [api.SeatResigned(seat), _departure(rules, seat, seats)]


def expired(moment: Moment, seat: int, rules: ClockRules) -> list[api.Record]:
    """The records of a clock that ran out, of the seat that the game waits for."""
    if rules.policy == "ACT" and moment.game is not None:
        return [api.ClockExpired(seat), api.ActionTaken(seat, moment.game.legal_ids()[0])]
    return [api.ClockExpired(seat), _departure(rules, seat, moment.seats)]


def _departure(rules: ResignRules | ClockRules, seat: int, seats: Seats) -> api.Record:
    """A bot plays on for the seat; or the game ends, as it always does for one who plays alone."""
    if rules.policy == "BOT" and len(seats) > 1:
        return api.SeatBot(seat, rules.bot, seats[seat].generation + 1)
    return api.GameEnded()
