"""Reads the Downstream files of a content pack for the reference by itself."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tests.reference.meadow_pack import Box, Paper, paper_of, read_box
from tests.reference.pack_reader import table

RIVER = "RIVER"
"""The river deck."""
OUT_OF_PLAY = "out of play"
"""Where sunset and beaver dam cards go when they are discarded."""
PILES = ("sunset", "dam")


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
        notches: clockwise, V1 and so on; the spots of the river card area that each points at.
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


def read_downstream(folder: Path) -> DownstreamBox:
    """What a pack's folder says is in the boxes of Meadow and Downstream."""
    papers = [replace(paper_of(row, RIVER), envelope="Z") for row in table(folder / "downstream_z.csv")]
    papers += [paper_of(row, RIVER) for row in table(folder / "downstream_river.csv")]
    papers += [paper_of(row, row["deck"]) for row in table(folder / "downstream_base.csv")]
    starts: dict[str, list[str]] = {}
    for row in table(folder / "downstream_start.csv"):
        papers.append(paper_of(row, ""))
        starts.setdefault(row["card"], []).append(row["id"])
    piles = [[paper_of(row, OUT_OF_PLAY) for row in table(folder / f"downstream_{pile}.csv")] for pile in PILES]
    base = read_box(folder)
    boards = tomllib.loads((folder / "downstream_boards.toml").read_text(encoding="utf-8"))
    notches = [notch["id"] for notch in boards["notch"]]
    return DownstreamBox(
        box=replace(base, papers=base.papers | {paper.id: paper for paper in [*papers, *piles[0], *piles[1]]}),
        goals=[row["symbol"] for row in table(folder / "downstream_goals.csv")],
        starts=[(first, second) for first, second in starts.values()],
        sunset=by_points(piles[0]),
        dams=by_points(piles[1]),
        sides={side: read_side(boards, side) for side in ("lazy_river", "wild_rapids")},
        waterfalls={fall["players"]: fall["rounds"] for fall in boards["waterfalls"]},
        solo_cards=[f"V{notches.index(card['notch']) + 1}" for card in boards["solo_card"]],
    )


def by_points(papers: list[Paper]) -> list[str]:
    """The ids of cards in descending order of their points."""
    return [paper.id for paper in sorted(papers, key=lambda paper: -paper.points)]


def read_side(boards: dict[str, Any], side: str) -> Side:
    """A side of the river board."""
    spaces = [
        Space(
            id=space["id"],
            extra=space.get("extra", ""),
            points=space.get("points", 0),
            ways=tuple((way, key == "shortcut") for key in ("next", "shortcut") for way in space.get(key, [])),
        )
        for space in boards[side]
    ]
    return Side(
        start=spaces[0].id,
        spaces={space.id: space for space in spaces},
        notches={
            f"V{number}": tuple(spot - 1 for spot in notch["spots"]) for number, notch in enumerate(boards["notch"], 1)
        },
    )
