"""The river board as numbers, for learners: zeros in games without one."""

from __future__ import annotations

from meadow_engine.meadow.downstream.catalogue import SIDES, SOLO_CARDS, Pier, Tent
from meadow_engine.meadow.downstream.lazy_river import EXTRA_GOALS
from meadow_engine.meadow.downstream.view import RiverView, TokenAreaView

RIVER_NUMBERS = 5 + SOLO_CARDS + EXTRA_GOALS + len(Pier) + 1 + len(Tent) + 1
RIVER_PLAYER_NUMBERS = 4


def river_numbers(river: RiverView | None) -> list[int]:
    """What all share.

    Layout: a flag for each side; sunset and beaver dam cards left; solo cards left, a flag for each that is spent; the
    symbols of the extra goals (-1 none); a flag for each pier token that lies open, how many lie face down; likewise
    the tents.
    """
    if river is None:
        return [0] * RIVER_NUMBERS
    return [
        *(int(river.side == side) for side in SIDES),
        len(river.sunset),
        len(river.beaver_dams),
        river.solo_cards,
        *(int(card in river.solo_spent) for card in range(SOLO_CARDS)),
        *(river.goals or (-1,) * EXTRA_GOALS),
        *_area(river.piers, len(Pier)),
        *_area(river.tents, len(Tent)),
    ]


def river_player_numbers(river: RiverView | None, seat: int) -> list[int]:
    """What a seat has: the space of its kayak, the points of its route, its extra bonus, its tents as bits."""
    if river is None:
        return [0] * RIVER_PLAYER_NUMBERS
    kept = sum(1 << token for token in river.kept[seat]) if river.kept else 0
    return [river.kayaks[seat], river.points[seat], river.bonuses >> seat & 1, kept]


def _area(area: TokenAreaView, kinds: int) -> list[int]:
    return [*(int(token in area.open) for token in range(kinds)), area.down]
