"""The balance tables of Spring Meadow's components."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping

from meadow_engine.content.pack import Pack
from meadow_engine.content.stats import Section, TilePlay, share
from meadow_engine.spring_meadow.catalogue import COLUMNS, ROWS, BoardFace, Catalogue, TileKind
from meadow_engine.spring_meadow.content import catalogue
from meadow_engine.spring_meadow.shapes import Shape, draw


def stats(pack: Pack, play: Mapping[str, TilePlay]) -> list[Section]:
    """Return the balance tables of a pack without faults.

    Args:
        pack: the pack.
        play: tile id -> how the kind fared in games the caller had played; may be empty.
    """
    components = catalogue(pack)
    return [
        _summary(components),
        _spread("Tiles by covered spaces", components, lambda tile: len(tile.cells)),
        _spread("Tiles by holes", components, lambda tile: len(tile.holes)),
        _spread("Tiles by orientations", components, lambda tile: len(tile.forms)),
        _faces(components),
        _tiles(components, play),
    ]


def _summary(components: Catalogue) -> Section:
    tiles = [components.tiles[number] for number in components.box]
    covered = sum(len(tile.cells) for tile in tiles)
    holes = sum(len(tile.holes) for tile in tiles)
    burrows = components.faces[0].burrows.bit_count()
    to_cover = COLUMNS * ROWS - burrows
    return Section(
        "Spring Meadow",
        "All tiles of the box; a board's burrows need no cover.",
        ("figure", "value"),
        (
            ("tiles", len(tiles)),
            ("kinds", len(components.tiles)),
            ("covered spaces a tile", round(covered / len(tiles), 2)),
            ("holes a tile", round(holes / len(tiles), 2)),
            ("spaces of a board to cover", to_cover),
            ("tiles that would cover a board without gaps", round(to_cover * len(tiles) / covered, 1)),
        ),
    )


def _spread(title: str, components: Catalogue, measure: Callable[[TileKind], int]) -> Section:
    kinds = Counter(measure(tile) for tile in components.tiles)
    copies = Counter(measure(components.tiles[number]) for number in components.box)
    rows = tuple((value, kinds[value], copies[value]) for value in sorted(kinds))
    return Section(title, "How many kinds, and how many of the tiles.", ("value", "kinds", "tiles"), rows)


def _faces(components: Catalogue) -> Section:
    rows = tuple((face.id, face.name, *_burrows_by_third(face), _touching(face)) for face in components.faces)
    return Section(
        "Mountain boards",
        "Burrows in the three lower, middle and upper rows, and pairs of burrows side by side.",
        ("face", "name", "lower", "middle", "upper", "pairs"),
        rows,
    )


def _burrows_by_third(face: BoardFace) -> tuple[int, int, int]:
    third = ROWS // 3 * COLUMNS
    low, middle, high = ((face.burrows >> third * part & (1 << third) - 1).bit_count() for part in range(3))
    return low, middle, high


def _touching(face: BoardFace) -> int:
    last_column = sum(1 << row * COLUMNS + COLUMNS - 1 for row in range(ROWS))
    beside = face.burrows & ~last_column & face.burrows >> 1
    above = face.burrows & face.burrows >> COLUMNS
    return beside.bit_count() + above.bit_count()


def _tiles(components: Catalogue, play: Mapping[str, TilePlay]) -> Section:
    columns = ("id", "name", "copies", "shape", "covered", "holes")
    rows = (
        (tile.id, tile.name, tile.copies, draw(Shape(tile.cells, tile.holes)), len(tile.cells), len(tile.holes))
        for tile in components.tiles
    )
    if not play:
        return Section("Tiles", "# covered, o hole; rows from the top.", columns, tuple(rows))
    return Section(
        "Tiles",
        "# covered, o hole; rows from the top. Played: share of the games that saw the kind in which one was placed, "
        "with a 95 % confidence interval.",
        (*columns, "seen", "played %", "low %", "high %"),
        tuple((*row, *_played(play.get(str(row[0]), TilePlay(0, 0)))) for row in rows),
    )


def _played(tile: TilePlay) -> tuple[int, float, float, float]:
    played, low, high = (round(100 * value, 1) for value in share(tile.played, tile.seen))
    return tile.seen, played, low, high
