"""Reading and checking what the rulebook leaves to the printed river board and to the cards of the solo game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from meadow_engine.content.faults import ContentFault
from meadow_engine.content.sections import DocumentSection, read_sections
from meadow_engine.content.tables import Document
from meadow_engine.meadow.content_boards import PLAYER_COUNTS
from meadow_engine.meadow.downstream.catalogue import (
    LAZY_RIVER,
    RIVER_COLUMNS,
    RIVER_NOTCHES,
    RIVER_ROWS,
    RIVER_SPOTS,
    SIDES,
    SOLO_CARDS,
    WILD_RAPIDS,
    Point,
    RiverNotch,
    RiverSide,
)
from meadow_engine.meadow.downstream.content_track import read_track

FRAME = (160, 90)
"""The frame of a side, in tenths of its unit: the numbers of a pack are whole."""
PILES: Final[Mapping[str, tuple[str, ...]]] = {
    LAZY_RIVER: ("river deck", "sunset", "beaver dam", "goals"),
    WILD_RAPIDS: ("river deck", "sunset", "pier", "tent"),
}
"""What lies on each side beside cards and kayaks (rulebook: Game Setup)."""
ALL_PILES = tuple(dict.fromkeys(name for names in PILES.values() for name in names))
HEADINGS = ("card_area", "notch", "pile", "waterfalls", "solo_card", *SIDES)


class Boards(NamedTuple):
    """What a document of boards says."""

    sides: dict[str, RiverSide]
    waterfalls: dict[int, tuple[int, int]]
    solo_notches: tuple[int, ...]


def read_boards(document: Document, faults: list[ContentFault]) -> Boards:
    """Return the two sides of the river board, the waterfalls and the solo cards, adding a fault for everything wrong.

    Args:
        document: a `[[card_area]]`, the `[[notch]]` and `[[pile]]` sections that both sides share, `[[waterfalls]]`
            for each number of players, the `[[solo_card]]` sections, and the spaces of both tracks under the names of
            the sides.
        faults: gets whatever is wrong; the result is meaningful only when nothing is.
    """
    reader = _Boards(document, faults)
    spots, notches, piles = reader.spots(), reader.notches(), reader.piles()
    return Boards(
        sides={
            side: RiverSide(
                name=side,
                spaces=read_track(document, side, reader.sections[side], read_point, faults),
                notches=notches,
                spots=spots,
                piles={name: piles[name] for name in PILES[side] if name in piles},
            )
            for side in SIDES
        },
        waterfalls=reader.waterfalls(),
        solo_notches=reader.solo_notches({notch.id: notch.number for notch in notches}),
    )


def read_point(section: DocumentSection) -> Point:
    """Return where to draw something, or the corner after adding a fault."""
    numbers = section.list("point", int)
    if len(numbers) != len(FRAME) or not all(0 <= at <= size for at, size in zip(numbers, FRAME, strict=True)):
        section.fault("point", f"a point is two numbers, at most {FRAME[0]} to the right and {FRAME[1]} down")
        return 0.0, 0.0
    return numbers[0] / 10, numbers[1] / 10


class _Boards:
    """Reads everything but the tracks."""

    def __init__(self, document: Document, faults: list[ContentFault]) -> None:
        self.sections = read_sections(document, HEADINGS, faults)
        self._document, self._faults = document, faults

    def _fault(self, heading: str, message: str) -> None:
        self._faults.append(ContentFault(self._document.file, 0, heading, message))

    def _counted(self, heading: str, count: int) -> list[DocumentSection]:
        """Return the sections of a heading, adding a fault if there are not so many."""
        found = self.sections[heading]
        if found and len(found) != count:
            self._fault(heading, f"there must be {count} sections headed [[{heading}]], not {len(found)}")
        return found

    def spots(self) -> tuple[Point, ...]:
        """Return the centres of the spots of the river card area."""
        for section in self._counted("card_area", 1)[:1]:
            section.keys(("columns", "rows"))
            lines = []
            for key, count, most in (("columns", RIVER_COLUMNS, FRAME[0]), ("rows", RIVER_ROWS, FRAME[1])):
                found = section.list(key, int)
                if len(found) != count or sorted(set(found)) != found or not all(0 <= at <= most for at in found):
                    section.fault(key, f"these must be {count} rising numbers of at most {most}")
                lines.append([at / 10 for at in found])
            return tuple((x, y) for y in lines[1] for x in lines[0])
        return ()

    def notches(self) -> tuple[RiverNotch, ...]:
        """Return the notches, which leave room for all tokens of a round (ruling D5)."""
        notches: list[RiverNotch] = []
        for section in self._counted("notch", RIVER_NOTCHES):
            section.keys(("id", "spots", "point"))
            notch = RiverNotch(len(notches), section.text("id"), _line(section), read_point(section))
            if notch.id in (other.id for other in notches):
                section.fault("id", f"there is another notch {notch.id!r}")
            notches.append(notch)
        pointed_at = {spot for notch in notches for spot in notch.spots}
        for spot in sorted(set(range(RIVER_SPOTS)) - pointed_at if notches else ()):
            self._fault("notch", f"no notch points at spot {spot + 1}")
        return tuple(notches)

    def piles(self) -> dict[str, Point]:
        """Return where each pile lies."""
        piles: dict[str, Point] = {}
        for section in self.sections["pile"]:
            section.keys(("name", "point"))
            name = section.text("name")
            if name in piles:
                section.fault("name", f"there is another pile {name!r}")
            elif name and name not in ALL_PILES:
                section.fault("name", f"{name!r} is no pile; there are {', '.join(ALL_PILES)}")
            piles[name] = read_point(section)
        for name in ALL_PILES:
            if name not in piles and self.sections["pile"]:
                self._fault("pile", f"the place of the pile {name!r} is missing")
        return piles

    def solo_notches(self, ids: Mapping[str, int]) -> tuple[int, ...]:
        """Return the notch that each card of the solo game names."""
        named: list[int] = []
        for section in self._counted("solo_card", SOLO_CARDS):
            section.keys(("notch",))
            text = section.text("notch")
            if text and text not in ids:
                section.fault("notch", f"{text!r} is no notch; there are {', '.join(ids)}")
            named.append(ids.get(text, 0))
        return tuple(named)

    def waterfalls(self) -> dict[int, tuple[int, int]]:
        """Return after which rounds the waterfall tokens are passed, by number of players."""
        found: dict[int, tuple[int, int]] = {}
        for section in self.sections["waterfalls"]:
            section.keys(("players", "rounds"))
            players = section.number("players", max(PLAYER_COUNTS))
            if not players:
                continue
            if players in found:
                section.fault("players", f"there are other waterfalls for {players}")
            rounds, most = section.list("rounds", int), PLAYER_COUNTS[players].rounds - 1
            if len(rounds) != 2 or not 0 < rounds[0] < rounds[1] <= most:
                section.fault("rounds", f"these must be two rising numbers from 1 to {most}")
                rounds = [1, 2]
            found[players] = rounds[0], rounds[1]
        for players in PLAYER_COUNTS:
            if players not in found and self.sections["waterfalls"]:
                self._fault("waterfalls", f"those for {players} are missing")
        return found


def _line(section: DocumentSection) -> tuple[int, ...]:
    """Return the row or the column of spots that a notch points at, from the notch inwards."""
    spots = tuple(number - 1 for number in section.list("spots", int))
    rows = [tuple(range(row * RIVER_COLUMNS, (row + 1) * RIVER_COLUMNS)) for row in range(RIVER_ROWS)]
    lines = [*rows, *zip(*rows, strict=True)]
    if spots not in lines and spots[::-1] not in lines:
        section.fault("spots", "a notch points at the spots of a whole row or column, in their order")
        return ()
    return spots
