"""Spring Meadow's part of a content pack: which files it has, what they must hold, and the catalogue made of them."""

from __future__ import annotations

from functools import lru_cache

from meadow_engine.content.faults import ContentError, ContentFault
from meadow_engine.content.pack import Pack
from meadow_engine.spring_meadow.catalogue import MAX_ROCK, Catalogue
from meadow_engine.spring_meadow.content_boards import MAP_1_3, MAP_2_4, read_faces, read_maps
from meadow_engine.spring_meadow.content_tiles import read_rocks, read_tiles

GAME = "spring_meadow"
"""How a pack names this game."""
TILES = "spring_tiles.csv"
ROCKS = "spring_rocks.csv"
BOARDS = "spring_boards.toml"
MAPS = "spring_maps.toml"
FILES = (TILES, ROCKS, BOARDS, MAPS)
"""The files a pack needs for this game."""
ASSUMED_COUNTS = {"tile_kinds": 46, "burrows": 11}
"""Counts the rulebook does not give, with the figures reviews report; a pack may state others in `[spring_meadow]`."""


def check(pack: Pack) -> list[ContentFault]:
    """Return everything wrong with the pack's components of this game, in the order of files and rows."""
    faults: list[ContentFault] = []
    _read(pack, faults)
    return sorted(faults)


@lru_cache(maxsize=64)
def catalogue(pack: Pack) -> Catalogue:
    """Return the components of a pack; equal packs share one catalogue.

    Raises:
        ContentError: the pack is faulty.
    """
    faults: list[ContentFault] = []
    built = _read(pack, faults)
    if faults or built is None:
        raise ContentError(faults)
    return built


def _read(pack: Pack, faults: list[ContentFault]) -> Catalogue | None:
    counts = _counts(pack, faults)
    tables, documents = pack.tables, pack.documents
    faults.extend(
        ContentFault(file, 0, "", f"the file is missing: {GAME} needs it")
        for file in FILES
        if file not in tables and file not in documents
    )
    tiles = read_tiles(tables[TILES], counts["tile_kinds"], faults) if TILES in tables else ()
    rocks = read_rocks(tables[ROCKS], faults) if ROCKS in tables else ()
    faces = read_faces(documents[BOARDS], counts["burrows"], faults) if BOARDS in documents else ()
    maps = read_maps(documents[MAPS], faults) if MAPS in documents else {}
    if faults:
        return None
    return Catalogue(
        pack_hash=pack.hash,
        tiles=tiles,
        rocks=rocks,
        faces=faces,
        map_2_4=maps[MAP_2_4],
        map_1_3=maps[MAP_1_3],
        tile_ids={tile.id: tile.number for tile in tiles},
        rock_ids={rock.id: rock.number for rock in rocks},
        face_ids={face.id: face.number for face in faces},
        rocks_of_size=tuple(tuple(rock.number for rock in rocks if rock.size == size) for size in range(MAX_ROCK + 1)),
        box=tuple(tile.number for tile in tiles for _ in range(tile.copies)),
    )


def _counts(pack: Pack, faults: list[ContentFault]) -> dict[str, int]:
    counts = dict(ASSUMED_COUNTS)
    for key, value in pack.settings.get(GAME, {}).items():
        row = pack.manifest.line(GAME, 0, key)
        if key not in counts:
            faults.append(ContentFault(pack.manifest.file, row, key, f"unknown entry; there are {', '.join(counts)}"))
        elif not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= 100:
            faults.append(ContentFault(pack.manifest.file, row, key, "this must be a whole number from 1 to 100"))
        else:
            counts[key] = value
    return counts
