"""What happens when a seat resigns or its time runs out: the rules chosen at creation."""

from __future__ import annotations

from google.protobuf.duration_pb2 import Duration
from meadow_api.v1 import common_pb2 as pb
from meadow_engine import api

from meadow_server.errors import ApiError, bad_field
from meadow_server.header import ClockRules, ResignRules
from meadow_server.live import MICROSECONDS
from meadow_server.wire.common import duration

DEFAULT_BOT = "greedy"
_RESIGN = {"BOT": pb.RESIGN_POLICY_BOT, "END": pb.RESIGN_POLICY_END}
_CLOCK = {"BOT": pb.CLOCK_POLICY_BOT, "END": pb.CLOCK_POLICY_END, "ACT": pb.CLOCK_POLICY_ACT}
_RESIGN_NAMES = {number: name for name, number in _RESIGN.items()} | {pb.RESIGN_POLICY_UNSPECIFIED: "BOT"}
_CLOCK_NAMES = {number: name for name, number in _CLOCK.items()} | {pb.CLOCK_POLICY_UNSPECIFIED: "BOT"}


def resign_rules_from_message(message: pb.ResignRules, variant: api.Variant) -> ResignRules:
    """The rules of a request, with its defaults filled in.

    Raises:
        ApiError: a policy that is not published, a bot that does not play the variant or is not needed.
    """
    if message.policy not in _RESIGN_NAMES:
        raise bad_field("resign_rules.policy", "is not one of the policies")
    policy = _RESIGN_NAMES[message.policy]
    return ResignRules(policy, _bot(policy, message.bot, variant, "resign_rules.bot"))


def resign_rules_to_message(rules: ResignRules) -> pb.ResignRules:
    """The rules as they hold."""
    return pb.ResignRules(policy=_RESIGN[rules.policy], bot=rules.bot)


def clock_rules_from_message(message: pb.ClockRules, variant: api.Variant, most_seconds: int) -> ClockRules:
    """The rules of a request, with its defaults filled in.

    Raises:
        ApiError: as for resigning; or times below zero, above the limit, or both zero.
    """
    if message.policy not in _CLOCK_NAMES:
        raise bad_field("clock_rules.policy", "is not one of the policies")
    policy = _CLOCK_NAMES[message.policy]
    decision = _microseconds(message.decision_time, "clock_rules.decision_time", most_seconds)
    bank = _microseconds(message.bank, "clock_rules.bank", most_seconds)
    if decision + bank == 0:
        raise bad_field("clock_rules", "needs a time: decision_time, bank or both")
    return ClockRules(decision, bank, policy, _bot(policy, message.bot, variant, "clock_rules.bot"))


def clock_rules_to_message(rules: ClockRules | None) -> pb.ClockRules | None:
    """The rules as they hold; None for no clocks."""
    if rules is None:
        return None
    return pb.ClockRules(
        decision_time=duration(rules.decision), bank=duration(rules.bank), policy=_CLOCK[rules.policy], bot=rules.bot
    )


def _bot(policy: str, given: str, variant: api.Variant, field: str) -> str:
    if policy != "BOT":
        if given:
            raise bad_field(field, "is only for the policy BOT")
        return ""
    names = [bot.name for bot in api.bots(variant.family)]
    bot = given or DEFAULT_BOT
    if bot not in names:
        known = ", ".join(names)
        raise ApiError("BOT_NOT_FOUND", f"{field}: no such bot; there are {known}", metadata={"bots": known})
    return bot


def _microseconds(given: Duration, field: str, most_seconds: int) -> int:
    if given.seconds < 0 or given.nanos < 0:
        raise bad_field(field, "must not be negative")
    microseconds: int = given.seconds * MICROSECONDS + given.nanos // 1000
    if microseconds > most_seconds * MICROSECONDS:
        raise bad_field(field, f"is longer than {most_seconds} seconds, the limit clock_seconds")
    return microseconds
