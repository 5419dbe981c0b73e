"""The main board, and reading and checking what differs from campfire to campfire.

The rulebook fixes the main board, so it stands here; what it leaves to the printed boards stands in the pack.
"""

from __future__ import annotations

from math import cos, radians, sin
from typing import Final, NamedTuple

from meadow_engine.content.faults import ContentFault
from meadow_engine.content.sections import DocumentSection, read_sections
from meadow_engine.content.tables import Document
from meadow_engine.meadow.catalogue import (
    BOARD_SIDE,
    CampfireBoard,
    Deck,
    MainBoard,
    Notch,
    Point,
    Side,
    SoloToken,
)


class PlayerCount(NamedTuple):
    """A line of the rulebook's table of components by number of players."""

    path_tokens: int
    """Path tokens of one player; in the solo game Rover places as many."""
    goals: int
    blocks: int
    rounds: int


PLAYER_COUNTS: Final = {
    1: PlayerCount(path_tokens=5, goals=3, blocks=2, rounds=6),
    2: PlayerCount(path_tokens=5, goals=5, blocks=2, rounds=6),
    3: PlayerCount(path_tokens=5, goals=8, blocks=1, rounds=6),
    4: PlayerCount(path_tokens=4, goals=11, blocks=0, rounds=8),
}
MARKERS = 3
"""Colour markers of the solo game (rulebook: Solo Variant)."""
MAX_NOTCHES = 5
MAX_BENCHES = 4
COLUMNS: Final = (Deck.W, Deck.S, Deck.S, Deck.E)
"""The columns of the main board from the left (rulebook: Game Setup)."""


def main_board() -> MainBoard:
    """Return the main board: the n-th spot counts from the notch (rulebook: Drawing and Playing Cards)."""
    last = BOARD_SIDE - 1
    rows = [tuple(row * BOARD_SIDE + column for column in range(BOARD_SIDE)) for row in range(BOARD_SIDE)]
    columns = [tuple(column[::-1]) for column in zip(*rows, strict=True)]
    lines = [
        *((Side.LEFT, row, rows[row], (-0.5, row + 0.5)) for row in range(last, -1, -1)),
        *((Side.RIGHT, row, rows[row][::-1], (BOARD_SIDE + 0.5, row + 0.5)) for row in range(BOARD_SIDE)),
        *((Side.BOTTOM, column, columns[column], (column + 0.5, BOARD_SIDE + 0.5)) for column in range(last, -1, -1)),
    ]
    return MainBoard(
        columns=COLUMNS,
        notches=tuple(
            Notch(number, f"{side.name[0]}{line + 1}", side, (spots[0], spots[1], spots[2], spots[3]), point)
            for number, (side, line, spots, point) in enumerate(lines)
        ),
    )


def read_boards(document: Document, faults: list[ContentFault]) -> tuple[dict[int, CampfireBoard], SoloToken]:
    """Return the campfire boards by number of players and Rover's token, adding a fault for everything wrong.

    Args:
        document: a `[[campfire]]` section of players, notches, benches and hourglass for each number of players, and
            three `[[solo_place]]` sections of four notches.
        faults: gets whatever is wrong; the result is meaningful only when nothing is.
    """
    sections = read_sections(document, ("campfire", "solo_place"), faults)
    campfires: dict[int, CampfireBoard] = {}
    for section in sections["campfire"]:
        section.keys(("players", "notches", "benches", "hourglass"))
        players = section.number("players", max(PLAYER_COUNTS))
        if players in campfires:
            section.fault("players", f"there is another campfire for {players}")
        elif players:
            campfires[players] = _campfire(section, players)
    faults.extend(
        ContentFault(document.file, 0, "players", f"the campfire for {players} is missing")
        for players in PLAYER_COUNTS
        if players not in campfires
    )
    if len(sections["solo_place"]) != MARKERS:
        message = f"there must be {MARKERS} places for Rover's markers, not {len(sections['solo_place'])}"
        faults.append(ContentFault(document.file, 0, "solo_place", message))
    return campfires, SoloToken(tuple(map(_solo_place, sections["solo_place"])))


def _campfire(section: DocumentSection, players: int) -> CampfireBoard:
    count = PLAYER_COUNTS[players]
    notches = section.number("notches", MAX_NOTCHES)
    open_notches = max(0, notches - count.blocks)
    benches = section.number("benches", MAX_BENCHES, least=0)
    hourglass = section.number("hourglass", count.rounds - 1)
    places = len(main_board().notches) + open_notches + benches
    tokens = count.path_tokens * max(2, players)
    if tokens > places:
        section.fault("notches", f"{tokens} path tokens a round need as many places, but there are only {places}")
    turn, step = 360 / count.goals, 180 / max(1, count.rounds - 1)
    return CampfireBoard(
        players=players,
        open_notches=open_notches,
        rounds=count.rounds,
        hourglass=hourglass,
        notches=tuple(_at(0.47, 210 + 30 * notch) for notch in range(notches)),
        goals=tuple(_at(0.25, 270 + turn * goal) for goal in range(count.goals)),
        bonuses=tuple(_at(0.25, 270 + turn * (goal + 0.5)) for goal in range(count.goals)),
        benches=tuple(_at(0.12, 225 + 90 * bench) for bench in range(benches)),
        rocks=tuple(_at(0.36, 180 + step * rock) for rock in range(count.rounds)),
        hourglass_point=_at(0.36, 180 + step * (hourglass - 0.5)),
    )


def _at(distance: float, degrees: float) -> Point:
    """Return a point around the fire: 180 degrees is on the left, 270 at the top, so that angles grow clockwise."""
    angle = radians(degrees)
    return round(0.5 + distance * cos(angle), 4), round(0.5 + distance * sin(angle), 4)


def _solo_place(section: DocumentSection) -> tuple[int, int, int, int]:
    section.keys(("notches",))
    ids = {notch.id: notch.number for notch in main_board().notches}
    texts = section.list("notches", str)
    if len(texts) != BOARD_SIDE:
        section.fault("notches", f"there must be {BOARD_SIDE} notches, for path tokens 1 to 4, not {len(texts)}")
    for text in texts:
        if text not in ids:
            section.fault("notches", f"{text!r} is no notch; there are {', '.join(ids)}")
    first, second, third, fourth = ([ids.get(text, 0) for text in texts] + [0] * BOARD_SIDE)[:BOARD_SIDE]
    return first, second, third, fourth
