"""Reads the Downstream files of a content pack for the reference by itself."""

from __future__ import annotations

from dataclasses import dataclass

from tests.reference.meadow_pack import Box

RIVER = "RIVER"
"""The river deck."""
OUT_OF_PLAY = "out of play"
"""Where sunset and beaver dam cards go when they are discarded."""
SPOTS_A_ROW = 4


@dataclass(frozen=True)
class Space:
    """A space of the river track.

    Attributes:
        extra: the extra action, as the pack calls it; empty for none.
        ways: the spaces that come next, and whether a triangle is needed to go there.
    """

    id: str
    extra: str
    points: int
    ways: tuple[tuple[str, bool], ...]


@dataclass(frozen=True)
class Side:
    """A side of the river board.

    Attributes:
        start: the space where the kayaks start.
        spaces: by id.
        notches: clockwise; the spots of the river card area that each points at.
    """

    start: str
    spaces: dict[str, Space]
    notches: dict[str, tuple[int, ...]]


@dataclass(frozen=True)
class DownstreamBox:
    """What is in the box of Downstream.

    Attributes:
        box: the base game's and Downstream's cards together, but only the base game's starting cards.
        goals: the symbols of the goal tokens that Downstream adds.
        starts: the ids of both sides of each watery starting card.
        sunset: the sunset cards, the one worth most first.
        dams: the beaver dam cards, the one worth most first.
        sides: of the river board, by name.
        waterfalls: by number of players, after how many rounds the river is swept.
        solo_cards: the notch that each card of the solo game names.
    """

    box: Box
    goals: list[str]
    starts: list[tuple[str, str]]
    sunset: list[str]
    dams: list[str]
    sides: dict[str, Side]
    waterfalls: dict[int, list[int]]
    solo_cards: list[str]
