"""What a viewer sees of the river board: all but what lies face down."""

from __future__ import annotations

from dataclasses import dataclass

from meadow_engine.meadow.downstream.catalogue import SOLO_CARDS
from meadow_engine.meadow.downstream.state import River


@dataclass(frozen=True, slots=True)
class TokenAreaView:
    """The pier or the tent area.

    Attributes:
        open: the tokens that lie face up, by number.
        down: how many lie face down.
    """

    open: tuple[int, ...]
    down: int


@dataclass(frozen=True, slots=True)
class RiverView:
    """The river board.

    Attributes:
        side: the side in play, by name.
        starts: for each seat its watery starting ground card, by number of the pair.
        kayaks: for each seat the space of its kayaker marker.
        points: for each seat the highest number on its route.
        sunset, beaver_dams: the cards left, the top one last.
        goals: Lazy River: the symbols of the goal tokens beside the triangles.
        bonuses: Lazy River: the set of seats that have placed their additional bonus token.
        piers, tents: Wild Rapids.
        kept: Wild Rapids: for each seat the tent tokens it keeps.
        solo_cards: solo: how many cards are left before they are shuffled anew.
        solo_spent: solo: the cards that told Rover where to go since then, by number.
    """

    side: str
    starts: tuple[int, ...]
    kayaks: tuple[int, ...]
    points: tuple[int, ...]
    sunset: tuple[int, ...]
    beaver_dams: tuple[int, ...]
    goals: tuple[int, ...]
    bonuses: int
    piers: TokenAreaView
    tents: TokenAreaView
    kept: tuple[tuple[int, ...], ...]
    solo_cards: int
    solo_spent: tuple[int, ...]


def river_view(river: River, *, alone: bool) -> RiverView:
    """The view of every viewer. What is spent lies face up, and says nothing of the order of the others."""
    return RiverView(
        side=river.side,
        starts=tuple(river.starts),
        kayaks=tuple(river.kayaks),
        points=tuple(river.points),
        sunset=tuple(river.sunset),
        beaver_dams=tuple(river.beaver_dams),
        goals=tuple(river.goals),
        bonuses=river.bonuses,
        piers=TokenAreaView(tuple(river.piers.open), river.piers.down),
        tents=TokenAreaView(tuple(river.tents.open), river.tents.down),
        kept=tuple(river.kept),
        solo_cards=len(river.solo),
        solo_spent=tuple(card for card in range(SOLO_CARDS) if card not in river.solo.items) if alone else (),
    )
