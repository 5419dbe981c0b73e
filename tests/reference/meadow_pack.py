"""Reads the Meadow files of a content pack for the reference by itself."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

from tests.reference.pack_reader import table

DECKS = "WSEN"
GROUNDS = ("litterfall", "grass", "sands", "rocks", "wetlands")
WATERY = "watery"
"""The sixth ground, which Downstream brings."""
ENCOUNTER = "big encounter"
FISH = "fish"
BLOCKED = {1: 2, 2: 2, 3: 1, 4: 0}
"""Block tokens by number of players."""


@dataclass(frozen=True)
class Need:
    """One printed requirement: the symbols of which one will do, and whether it has arrows."""

    symbols: frozenset[str]
    arrows: bool


@dataclass(frozen=True)
class Paper:
    """A card as the pack writes it, known by its id."""

    id: str
    deck: str
    kind: str
    shows: tuple[str, ...]
    needs: tuple[Need, ...]
    points: int
    envelope: str = ""
    oar: int = 0

    @property
    def grounds(self) -> tuple[str, ...]:
        """The symbols at its bottom, which always stay visible."""
        return tuple(symbol for symbol in self.shows if symbol in (*GROUNDS, WATERY))

    @property
    def top(self) -> tuple[str, ...]:
        """The symbols that are lost when it is covered."""
        return tuple(symbol for symbol in self.shows if symbol not in (*GROUNDS, WATERY))


@dataclass(frozen=True)
class Campfire:
    """What a campfire board says for its number of players."""

    notches: int
    benches: int
    hourglass: int


@dataclass(frozen=True)
class Box:
    """What is in the box.

    Attributes:
        papers: every card and every side of a starting card, by id.
        starts: the ids of both sides of each starting ground card.
        goals: symbol and envelope of each goal token.
        campfires: by number of players.
        solo: for each place of a marker, the notches for path tokens 1 to 4.
    """

    papers: dict[str, Paper]
    starts: list[tuple[str, str]]
    goals: list[tuple[str, str]]
    campfires: dict[int, Campfire]
    solo: list[list[str]]


def need_of(text: str) -> Need:
    """A requirement such as `tree`, `bird / paw` or `<house>`."""
    text = text.strip()
    return Need(frozenset(half.strip() for half in text.strip("<>").split("/")), text.startswith("<"))


def paper_of(row: dict[str, str], deck: str) -> Paper:
    """A row of a table of cards."""
    needs = [text.strip() for text in row.get("requires", "").split("+") if text.strip()]
    return Paper(
        id=row["id"],
        deck=deck,
        kind=row.get("kind", "ground"),
        shows=tuple(text.strip() for text in row["grants"].split("+") if text.strip()),
        needs=tuple(need_of(text) for text in needs if text not in ("road", "landscape")),
        points=int(row.get("points") or 0),
        envelope=row.get("set", ""),
        oar=int(row.get("oar") or 0),
    )


def read_box(folder: Path) -> Box:
    """What a pack's folder says is in the box."""
    papers = [paper_of(row, deck) for deck in DECKS for row in table(folder / f"meadow_{deck.lower()}.csv")]
    starts: dict[str, list[str]] = {}
    for row in table(folder / "meadow_start.csv"):
        papers.append(paper_of(row, ""))
        starts.setdefault(row["card"], []).append(row["id"])
    papers += [paper_of(row, row["deck"]) for row in table(folder / "meadow_envelopes.csv")]
    boards = tomllib.loads((folder / "meadow_boards.toml").read_text(encoding="utf-8"))
    return Box(
        papers={paper.id: paper for paper in papers},
        starts=[(first, second) for first, second in starts.values()],
        goals=[(row["symbol"], row["set"]) for row in table(folder / "meadow_goals.csv")],
        campfires={
            fire["players"]: Campfire(fire["notches"] - BLOCKED[fire["players"]], fire["benches"], fire["hourglass"])
            for fire in boards["campfire"]
        },
        solo=[place["notches"] for place in boards["solo_place"]],
    )
