"""The river board's part of a game's state (rulebook: River Board)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from meadow_engine.kernel.zones import HiddenPile

PIER_STREAM = "piers"
TENT_STREAM = "tents"
SOLO_STREAM = "river solo cards"


@dataclass(slots=True)
class TokenArea:
    """The pier or the tent area.

    Attributes:
        open: the tokens that lie face up, by number.
        down: how many lie face down: the top ones of `hidden` (solo, at most one).
        hidden: all tokens that nobody has seen, on the board or in the box.
    """

    open: list[int] = field(default_factory=list)
    down: int = 0
    hidden: HiddenPile = field(default_factory=HiddenPile)

    def clone(self) -> TokenArea:
        """An independent copy."""
        return TokenArea(self.open.copy(), self.down, self.hidden.clone())


@dataclass(slots=True)
class River:
    """What lies on the river board.

    Attributes:
        side: the side in play, by name.
        starts: for each seat its watery starting ground card, by number of the pair.
        kayaks: for each seat the space of its kayaker marker.
        points: for each seat the highest number on the route it travelled (ruling D9).
        sunset, beaver_dams: the cards left, the top one last.
        goals: Lazy River: the symbols of the two goal tokens beside the triangles.
        bonuses: Lazy River: the set of seats that have placed their additional bonus token.
        piers, tents: Wild Rapids.
        kept: Wild Rapids: for each seat the tent tokens it keeps.
        solo: solo: the cards that tell where Rover's river trail tokens go, face down.
    """

    side: str
    starts: list[int] = field(default_factory=list)
    kayaks: list[int] = field(default_factory=list)
    points: list[int] = field(default_factory=list)
    sunset: list[int] = field(default_factory=list)
    beaver_dams: list[int] = field(default_factory=list)
    goals: list[int] = field(default_factory=list)
    bonuses: int = 0
    piers: TokenArea = field(default_factory=TokenArea)
    tents: TokenArea = field(default_factory=TokenArea)
    kept: list[tuple[int, ...]] = field(default_factory=list)
    solo: HiddenPile = field(default_factory=HiddenPile)

    def clone(self) -> River:
        """An independent copy."""
        return River(
            self.side,
            self.starts.copy(),
            self.kayaks.copy(),
            self.points.copy(),
            self.sunset.copy(),
            self.beaver_dams.copy(),
            self.goals.copy(),
            self.bonuses,
            self.piers.clone(),
            self.tents.clone(),
            self.kept.copy(),
            self.solo.clone(),
        )


class WithRiver(Protocol):
    """A state that may have a river board."""

    river: River | None


def river_of(state: WithRiver) -> River:
    """The river board of a game that has one."""
    assert state.river is not None
    return state.river
