"""What Downstream adds to the table of the brute-force reference: the river board and everything on it."""

from __future__ import annotations

from dataclasses import dataclass, field

from tests.reference.downstream_pack import Side, Space

FIRST_RIVER_SPOT = 16
"""Spots of the river card area are counted on from those of the main board."""
RIVER_SPOTS = 8
LAZY_BONUS = 3
FACE_DOWN = 6
"""How a token that lies face down is called."""
TENT_POINTS = (4, 3, 1, 2, 0, 0)
"""Points of the tent tokens, in the order of the book."""


@dataclass
class Tokens:
    """The pier or the tent area: tokens face up and, in a solo game, face down, numbered in the order of the book."""

    open: list[int] = field(default_factory=list)
    down: list[int] = field(default_factory=list)

    def choices(self) -> set[str]:
        """One of those face up, or the one that is face down."""
        return {f"pick {token}" for token in (*self.open, *[FACE_DOWN][: len(self.down)])}

    def take(self, chosen: int) -> int:
        """Take a token away; which one it is."""
        if chosen == FACE_DOWN:
            return self.down.pop()
        self.open.remove(chosen)
        return chosen


@dataclass
class River:
    """The river board.

    Attributes:
        lazy: whether it is the lazy river, else the wild rapids.
        side: what is printed on it.
        area: the cards of the river card area, row by row.
        dry: whether the river deck has run out, so that the S deck replaces it.
        at: the space of each seat's kayak.
        best: the highest number on the way of each seat's kayak.
        sunset: the pile of sunset cards, the top one first.
        dams: the pile of beaver dam cards, the top one first.
        goals: the two goal tokens beside the triangles (lazy river).
        claimed: the seats that have placed their additional bonus token.
        piers: the pier tokens that are left.
        tents: the tent tokens that are left.
        kept: the tent tokens of each seat that are worth points.
        solo: the face-down cards of the solo game, the top one last.
        solo_cards: for each of them the notch it names.
        waterfalls: after how many rounds the river is swept.
    """

    lazy: bool
    side: Side
    at: list[str]
    sunset: list[str]
    dams: list[str]
    area: list[str | None] = field(default_factory=lambda: [None] * RIVER_SPOTS)
    dry: bool = False
    best: list[int] = field(default_factory=list)
    goals: list[str] = field(default_factory=list)
    claimed: set[int] = field(default_factory=set)
    piers: Tokens = field(default_factory=Tokens)
    tents: Tokens = field(default_factory=Tokens)
    kept: list[list[int]] = field(default_factory=list)
    solo: list[str] = field(default_factory=list)
    solo_cards: list[str] = field(default_factory=list)
    waterfalls: list[int] = field(default_factory=list)

    def space(self, seat: int) -> Space:
        """Where a kayak is."""
        return self.side.spaces[self.at[seat]]

    def go(self, seat: int, way: int) -> None:
        """One step; the highest number passed counts (D9)."""
        self.at[seat] = self.space(seat).ways[way][0]
        self.best[seat] = max(self.best[seat], self.space(seat).points)

    def claimable(self, seat: int, seen: list[str]) -> bool:
        """Whether a seat that sees these symbols in its meadow can place its additional bonus token (D17)."""
        return (
            self.lazy
            and seat not in self.claimed
            and "nature monument" in seen
            and any(goal in seen for goal in self.goals)
        )

    def points(self, seat: int) -> dict[str, int]:
        """Points of a seat by source."""
        extra = {"river_goal": LAZY_BONUS * (seat in self.claimed)} if self.lazy else {"tents": 0}
        if not self.lazy:
            extra["tents"] = sum(TENT_POINTS[tent] for tent in self.kept[seat])
        return {"river": self.best[seat], **extra}
