"""Ways of playing Downstream for the games against the reference: those of Meadow, and two that seek the river."""

from __future__ import annotations

from random import Random

from tests.reference.downstream_pack import RIVER
from tests.reference.downstream_table import FIRST_RIVER_SPOT
from tests.reference.meadow_lockstep import Policy
from tests.reference.meadow_playing import Ask
from tests.reference.meadow_policies import POLICIES, favouring
from tests.reference.meadow_table import Table


def paddler(ask: Ask, table: Table, rng: Random) -> str:
    """Plays the cards with the most arrows and does whatever the river offers: far down the river."""
    plays = [answer for answer in sorted(ask.answers) if answer.startswith("play")]
    if plays and rng.random() < 0.95:
        return max(plays, key=lambda play: (_oar(table, play), -table.ignored(ask.seat, play.split()[1])))
    if ask.kind == "extra_action" and rng.random() < 0.95:
        return rng.choice(sorted(ask.answers - {"pass"}))
    if ask.kind == "place_token":
        return favouring(ask, rng, *rng.sample(["token R", "token ? C", "token 4 C", "token 1 C", "token 2 C"], 4))
    return favouring(ask, rng, "goal", "special 4", "play", *_river_takes(ask, rng))


def dredger(ask: Ask, table: Table, rng: Random) -> str:
    """Takes cards of the river deck wherever it can and holds on to them, until it has run out."""
    if ask.kind == "place_token":
        dry = table.river is not None and table.river.dry
        rivers = [f"token ? {notch}" for notch in table.river_notches()] if not dry else []
        return favouring(ask, rng, "token R", *rivers, "token 3 C", "token 1 C", "token")
    if ask.kind == "play_card":
        return favouring(ask, rng, "play" if rng.random() < 0.3 else "pass")
    return favouring(ask, rng, f"look {RIVER}", f"draw {RIVER}", *_river_takes(ask, rng), "pass", "special 3")


def _oar(table: Table, play: str) -> int:
    return table.paper(play.split()[1]).oar


def _river_takes(ask: Ask, rng: Random) -> list[str]:
    takes = [answer for answer in sorted(ask.answers) if answer.startswith("take")]
    river = [answer for answer in takes if int(answer.split()[1]) >= FIRST_RIVER_SPOT]
    return [rng.choice(river)] if river else []


RIVER_POLICIES: dict[str, Policy] = {**POLICIES, "paddler": paddler, "dredger": dredger}
