"""Reading and checking the mountain boards and the two faces of the hiking map."""

from __future__ import annotations

from collections.abc import Mapping

from meadow_engine.content.faults import ContentFault
from meadow_engine.content.sections import DocumentSection, read_sections
from meadow_engine.content.tables import Document
from meadow_engine.spring_meadow.catalogue import COLUMNS, ROW, ROWS, BoardFace, HikingMap
from meadow_engine.spring_meadow.hiking_map import FULL_RING, SHORT_RING, Path

BOARDS = 4
"""Mountain boards in the box (rulebook: Components)."""
SIDES = 2
"""Faces of a board."""
SNOW = "."
BURROW = "b"
MAP_2_4 = "2-4"
"""The face of the hiking map for two and four players."""
MAP_1_3 = "1-3"
"""The face for one and three players, which has the diagonals and the solo points."""
RINGS: Mapping[str, tuple[Path, ...]] = {MAP_2_4: SHORT_RING, MAP_1_3: FULL_RING}
MOST_POINTS = 100


def read_faces(document: Document, burrows: int, faults: list[ContentFault]) -> tuple[BoardFace, ...]:
    """Return the faces of the mountain boards, adding a fault for everything wrong.

    Args:
        document: eight `[[face]]` sections of id, board (1 to 4), name and drawing.
        burrows: how many burrows a face must have.
        faults: gets whatever is wrong; the result is meaningful only when nothing is.
    """
    sections = read_sections(document, ("face",), faults)["face"]
    faces: list[BoardFace] = []
    for section in sections:
        section.keys(("id", "board", "name", "drawing"))
        face = BoardFace(
            number=len(faces),
            id=section.text("id"),
            board=section.number("board", BOARDS) - 1,
            name=section.text("name"),
            burrows=_burrows(section, burrows),
        )
        for key in ("id", "name", "burrows"):
            value = getattr(face, key)
            twin = next((other for other in faces if value and getattr(other, key) == value), None)
            if twin:
                section.fault("drawing" if key == "burrows" else key, f"face {twin.id!r} has the same {key}")
        faces.append(face)
    for board in range(BOARDS):
        number = sum(face.board == board for face in faces)
        if number != SIDES:
            message = f"board {board + 1} must have {SIDES} faces, not {number}"
            faults.append(ContentFault(document.file, 0, "board", message))
    return tuple(faces)


def _burrows(section: DocumentSection, expected: int) -> int:
    """Return the burrows of a drawn face: nine lines, the far edge on top, the start edge at the bottom."""
    drawing = section.data.get("drawing")
    lines = drawing.split() if isinstance(drawing, str) else []
    if len(lines) != ROWS:
        section.fault("drawing", f"a drawing of {ROWS} lines is needed, not of {len(lines)}")
        return 0
    burrows = 0
    for number, line in enumerate(lines):
        if len(line) != COLUMNS:
            section.fault("drawing", f"{line!r} has {len(line)} spaces, not {COLUMNS}", number)
        for column, mark in enumerate(line[:COLUMNS]):
            if mark == BURROW:
                burrows |= 1 << ((ROWS - 1 - number) * COLUMNS + column)
            elif mark != SNOW:
                section.fault("drawing", f"{mark!r}: a space is {SNOW} for snow or {BURROW} for a burrow", number)
    if burrows & ROW:
        section.fault("drawing", "no burrow may lie in the first row, the one at the bottom", ROWS - 1)
    if burrows.bit_count() != expected:
        section.fault("drawing", f"there must be {expected} burrows, not {burrows.bit_count()}")
    return burrows


def read_maps(document: Document, faults: list[ContentFault]) -> dict[str, HikingMap]:
    """Return the two faces of the hiking map by id, adding a fault for everything wrong (ruling S10)."""
    maps: dict[str, HikingMap] = {}
    for section in read_sections(document, ("map",), faults)["map"]:
        section.keys(("id", "ring", "solo_values"))
        map_id = section.text("id")
        if map_id not in RINGS or map_id in maps:
            section.fault("id", f"{map_id!r}: there is one map {MAP_2_4!r} and one {MAP_1_3!r}")
            continue
        ring = _ring(section, RINGS[map_id])
        maps[map_id] = HikingMap(
            id=map_id,
            paths=tuple(path.spaces for path in ring),
            path_names=tuple(path.name for path in ring),
            signposts=tuple(path.signpost for path in ring),
            solo_values=_solo_values(section, len(RINGS[map_id])) if map_id == MAP_1_3 else _no_values(section),
        )
    faults.extend(
        ContentFault(document.file, 0, "id", f"the map {map_id!r} is missing") for map_id in RINGS if map_id not in maps
    )
    return maps


def _ring(section: DocumentSection, expected: tuple[Path, ...]) -> tuple[Path, ...]:
    """Return the paths as named: all of them, clockwise, beginning at any."""
    names = section.list("ring", str)
    by_name = {path.name: path for path in expected}
    for name in names:
        if name not in by_name:
            section.fault("ring", f"{name!r} is no path of this map; they are {', '.join(by_name)}")
        elif names.count(name) > 1:
            section.fault("ring", f"the path {name!r} is there {names.count(name)} times")
    for name in by_name:
        if name not in names:
            section.fault("ring", f"the path {name!r} is missing")
    if sorted(names) != sorted(by_name):
        return ()
    start = list(by_name).index(names[0])
    clockwise = (expected + expected)[start : start + len(expected)]
    wrong = next((name for name, path in zip(names, clockwise, strict=True) if name != path.name), None)
    if wrong:
        section.fault("ring", f"the paths must run clockwise: {wrong!r} is out of place")
    return clockwise


def _solo_values(section: DocumentSection, paths: int) -> tuple[int, ...]:
    values = section.list("solo_values", int)
    if len(values) != paths:
        section.fault("solo_values", f"there must be {paths} values, one a path, not {len(values)}")
    if not all(0 < value <= MOST_POINTS for value in values):
        section.fault("solo_values", f"each value must lie between 1 and {MOST_POINTS}")
    if values != sorted(values, reverse=True):
        section.fault("solo_values", "the values must not rise from path to path")
    return tuple(values)


def _no_values(section: DocumentSection) -> tuple[int, ...]:
    if "solo_values" in section.data:
        section.fault("solo_values", f"only the map {MAP_1_3!r} has solo values")
    return ()
