"""Ways of playing Meadow for the games against the reference: each reaches other corners of the rules."""

from __future__ import annotations

from random import Random

from tests.reference.meadow_lockstep import Policy
from tests.reference.meadow_playing import Ask
from tests.reference.meadow_table import Table, reach


def anything(ask: Ask, table: Table, rng: Random) -> str:
    """Any legal answer."""
    return rng.choice(sorted(ask.answers))


def favouring(ask: Ask, rng: Random, *beginnings: str) -> str:
    """An answer that begins like the first of these that any begins like."""
    answers = sorted(ask.answers)
    for beginning in beginnings:
        if some := [answer for answer in answers if answer.startswith(beginning)]:
            return rng.choice(some)
    return rng.choice(answers)


def builder(ask: Ask, table: Table, rng: Random) -> str:
    """Plays whatever can be played, rarely on what others need, and claims each goal: rich meadows."""
    if ask.kind == "place_token" and rng.random() < 0.3:
        return favouring(ask, rng, "token 4 C", "token ? C", "token 2 C")
    return favouring(ask, rng, "goal", "special 4", "play", "token 1 L", "token")


def spender(ask: Ask, table: Table, rng: Random) -> str:
    """Collects cards and plays those that must be paid for: discards, and requirements ignored."""
    if ask.kind == "place_token":
        return favouring(ask, rng, *rng.sample(["token 1 C", "token 3 C", "token ? R", "token 4 C", "token 2"], 3))
    plays = sorted(answer for answer in ask.answers if answer.startswith("play"))
    dear = [answer for answer in plays if table.ignored(ask.seat, answer.split()[1])]
    if dear:
        return rng.choice(dear)
    return favouring(ask, rng, "goal", "special 3", "look", *(("play",) if rng.random() < 0.4 else ("pass",)))


def drainer(ask: Ask, table: Table, rng: Random) -> str:
    """Takes from the middle columns and seldom plays, until decks and spots are empty."""
    if ask.kind == "place_token":
        wanted = [answer for answer in sorted(ask.answers) if _reaches_middle(answer)]
        return rng.choice(wanted or sorted(ask.answers))
    return favouring(
        ask, rng, *(("play",) if rng.random() < 0.2 else ("pass", "special 3", "look S", "look N", "take"))
    )


def _reaches_middle(answer: str) -> bool:
    _, token, place = answer.split()
    if place[0] in "CSV":
        return token == "3" and place[0] == "C"
    spots = reach(place)
    return token == "?" or spots[int(token) - 1] % 4 in (1, 2)


POLICIES: dict[str, Policy] = {"anything": anything, "builder": builder, "spender": spender, "drainer": drainer}
