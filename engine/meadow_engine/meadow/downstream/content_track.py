"""Reading and checking the tracks of the river board: a section for each space, from the start downstream."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from meadow_engine.content.faults import ContentFault
from meadow_engine.content.rows import ID
from meadow_engine.content.sections import DocumentSection
from meadow_engine.content.tables import Document
from meadow_engine.meadow.downstream.catalogue import (
    LAZY_RIVER,
    MAX_SPACES,
    MAX_WAYS,
    WILD_RAPIDS,
    Extra,
    Point,
    Space,
    Way,
)

WORDS: Final[Mapping[Extra, str]] = {
    Extra.ROAD: "road",
    Extra.SUNSET: "sunset",
    Extra.PLAY: "play",
    Extra.RIVER_OR_E: "river or E",
    Extra.ROAD_OR_TWO_CARDS: "road or two cards",
    Extra.FACE_UP: "face-up card",
    Extra.BEAVER_DAM: "beaver dam",
    Extra.GOAL: "goal",
    Extra.S_OR_W: "S or W",
    Extra.LOOK_AT_N: "look at N",
    Extra.ROAD_AND_FACE_UP: "road and face-up card",
    Extra.PIER: "pier",
    Extra.TENT: "tent",
}
"""How a pack writes the extra actions."""
BOTH_SIDES = (Extra.ROAD, Extra.SUNSET, Extra.PLAY)
EXTRAS: Final[Mapping[str, tuple[Extra, ...]]] = {
    LAZY_RIVER: (
        *BOTH_SIDES,
        Extra.RIVER_OR_E,
        Extra.ROAD_OR_TWO_CARDS,
        Extra.FACE_UP,
        Extra.BEAVER_DAM,
        Extra.GOAL,
    ),
    WILD_RAPIDS: (
        *BOTH_SIDES,
        Extra.S_OR_W,
        Extra.LOOK_AT_N,
        Extra.ROAD_AND_FACE_UP,
        Extra.PIER,
        Extra.TENT,
    ),
}
"""The extra actions of each side (rulebook: Types of Extra Actions)."""
POINTS: Final[Mapping[str, tuple[int, ...]]] = {
    LAZY_RIVER: (3, 5, 8, 10, 13, 17, 20),
    WILD_RAPIDS: (3, 5, 8, 11, 13, 15, 17, 20),
}
"""The numbers beside each side's spaces (rulebook: End of Game and Scoring)."""
KEYS = ("id", "extra", "points", "next", "shortcut", "point")


@dataclass(frozen=True, slots=True)
class _Reading:
    """A space as it is written, before the names of other spaces are looked up."""

    section: DocumentSection
    id: str
    extra: Extra
    points: int
    ahead: tuple[str, ...]
    shortcuts: tuple[str, ...]
    point: Point


def read_track(
    document: Document,
    side: str,
    sections: list[DocumentSection],
    read_point: Callable[[DocumentSection], Point],
    faults: list[ContentFault],
) -> tuple[Space, ...]:
    """Return the spaces of a side's track, adding a fault for everything wrong.

    Args:
        document: the file they stand in.
        side: the name of the side, which is their heading.
        sections: one for each space; the first is the start, and every way leads further down.
        read_point: reads where to draw a space.
        faults: gets whatever is wrong; the result is meaningful only when nothing is.
    """
    spaces = [_space(section, side, read_point) for section in sections]
    numbers = {space.id: number for number, space in reversed(list(enumerate(spaces))) if space.id}
    for number, space in enumerate(spaces):
        if space.id and numbers[space.id] != number:
            space.section.fault("id", f"there is another space {space.id!r}")
    ways = [_ways(space, number, numbers) for number, space in enumerate(spaces)]
    if spaces:
        _check_start(spaces[0])
        _check_reach(spaces, ways)
        faults.extend(ContentFault(document.file, 0, side, message) for message in _lacks(side, spaces, ways))
    return tuple(
        Space(number, space.id, space.extra, space.points, ways[number], space.point)
        for number, space in enumerate(spaces)
    )


def _space(section: DocumentSection, side: str, read_point: Callable[[DocumentSection], Point]) -> _Reading:
    section.keys(KEYS)
    space_id = section.text("id")
    if space_id and not ID.fullmatch(space_id):
        section.fault("id", f"{space_id!r} must be letters, digits and hyphens, at most 12")
    words = {WORDS[extra]: extra for extra in EXTRAS[side]}
    extra = section.text("extra") if "extra" in section.data else ""
    if extra and extra not in words:
        section.fault("extra", f"{extra!r} is no extra action of this side; there are {', '.join(words)}")
    points = section.number("points", max(POINTS[side])) if "points" in section.data else 0
    if points and points not in POINTS[side]:
        section.fault("points", f"{points} is not among the points of this side: {', '.join(map(str, POINTS[side]))}")
    return _Reading(
        section,
        space_id,
        words.get(extra, Extra.NONE),
        points,
        tuple(section.list("next", str)) if "next" in section.data else (),
        tuple(section.list("shortcut", str)) if "shortcut" in section.data else (),
        read_point(section),
    )


def _ways(space: _Reading, number: int, numbers: Mapping[str, int]) -> tuple[Way, ...]:
    """Return how a kayak leaves a space, adding a fault for each way that leads nowhere or back."""
    written = [("next", name) for name in space.ahead] + [("shortcut", name) for name in space.shortcuts]
    if len(written) > MAX_WAYS:
        space.section.fault("next", f"{len(written)} ways are too many: at most {MAX_WAYS}")
    if space.shortcuts and not space.ahead:
        space.section.fault("next", "without the shortcut there is no way on")
    ways: dict[int, Way] = {}
    for key, name in written:
        if name not in numbers:
            space.section.fault(key, f"there is no space {name!r}")
        elif numbers[name] <= number:
            space.section.fault(key, f"{name!r} does not stand further down: kayaks only move forward")
        elif numbers[name] in ways:
            space.section.fault(key, f"{name!r} is named twice")
        else:
            ways[numbers[name]] = Way(numbers[name], shortcut=key == "shortcut")
    return tuple(ways.values())


def _check_start(start: _Reading) -> None:
    """Add a fault if the start has what only a space that a kayak reaches can have."""
    if start.extra:
        start.section.fault("extra", "the start has no extra action: no kayak stops on it or passes it")
    if start.points:
        start.section.fault("points", "the start is worth no points")


def _check_reach(spaces: list[_Reading], ways: list[tuple[Way, ...]]) -> None:
    """Add a fault for each space but the start that no space leads to; since ways lead down, the others are reached."""
    reached = {way.space for leaving in ways for way in leaving}
    for number, space in enumerate(spaces[1:], 1):
        if number not in reached:
            space.section.fault("id", f"no way leads to {space.id!r}, and only the first space is the start")


def _lacks(side: str, spaces: list[_Reading], ways: list[tuple[Way, ...]]) -> list[str]:
    """Return what the rulebook says a side has, and this one has not."""
    extras = {space.extra for space in spaces}
    points = {space.points for space in spaces}
    shortcuts = sum(way.shortcut for leaving in ways for way in leaving)
    lacks = [f"no space has the extra action {WORDS[extra]!r}" for extra in EXTRAS[side] if extra not in extras]
    lacks += [f"no space is worth {number} points" for number in POINTS[side] if number not in points]
    if all(len(leaving) < 2 for leaving in ways):
        lacks.append("there is no fork: a space with two ways on")
    if side == WILD_RAPIDS and not shortcuts:
        lacks.append("there is no shortcut")
    if side == LAZY_RIVER and shortcuts:
        lacks.append("only the wild rapids have shortcuts")
    if len(spaces) > MAX_SPACES:
        lacks.append(f"{len(spaces)} spaces are too many: at most {MAX_SPACES}")
    return lacks
