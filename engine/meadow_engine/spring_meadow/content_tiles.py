"""Reading and checking the tables of meadow tiles and rocks."""

from __future__ import annotations

from meadow_engine.content.faults import ContentFault
from meadow_engine.content.rows import RowReader
from meadow_engine.content.tables import Row, Table, check_columns, whole_number
from meadow_engine.spring_meadow.catalogue import MAX_ROCK, ROWS, TILE_COUNT, RockShape, TileKind, forms_of
from meadow_engine.spring_meadow.shapes import Shape, canonical, draw, is_connected, parse_drawing

TILE_COLUMNS = ("id", "name", "copies", "shape")
ROCK_COLUMNS = ("id", "name", "count", "shape")
SCIENTIFIC_NAME = "scientific_name"
"""Optional column of the tiles."""
ROCK_COUNT = 72
"""Rocks in the box (rulebook: Components)."""
ROCKS_OF_SIZE = {1: 1, 2: 1, 3: 2, 4: 1}
"""How many shapes there are of each size."""
MAX_COPIES = 20
MAX_HOLES = 2
"""Most holes a tile has (rulebook: Rock Tiles)."""


class _ShapeReader(RowReader):
    """Reads a table of shapes."""

    def shape(self, row: Row) -> Shape | None:
        """Return the shape drawn in a row, which no other row may have, or None after adding a fault."""
        try:
            shape = parse_drawing(row.values["shape"])
        except ValueError as error:
            self.fault(row, "shape", str(error))
            return None
        wrong = shape_fault(shape)
        if wrong:
            self.fault(row, "shape", f"{row.values['shape']!r}: {wrong}")
            return None
        self.unique(row, "shape", canonical(shape), f"{draw(shape)!r}, turned or flipped,")
        return shape


def shape_fault(shape: Shape) -> str:
    """Return what keeps a shape from being a tile, or nothing."""
    if not shape.cells:
        return "it covers no space"
    if not is_connected(shape):
        return "its squares do not hang together edge to edge"
    if len(shape.holes) > MAX_HOLES:
        return f"{len(shape.holes)} holes are too many: at most {MAX_HOLES}"
    if max(shape.height, shape.width) > ROWS:
        return f"it is longer than {ROWS} squares, so it could not be turned freely on a board"
    return ""


def read_tiles(table: Table, kinds: int, faults: list[ContentFault]) -> tuple[TileKind, ...]:
    """Return the kinds of meadow tiles in the order of the table, adding a fault for everything wrong.

    Args:
        table: columns id, name, copies, shape and, if wanted, scientific_name.
        kinds: how many rows there must be.
        faults: gets whatever is wrong; the result is meaningful only when nothing is.
    """
    if not check_columns(table, TILE_COLUMNS, (SCIENTIFIC_NAME,), faults):
        return ()
    reader = _ShapeReader(table, faults)
    tiles: list[TileKind] = []
    for row in table.rows:
        tile_id, name = reader.id(row), reader.text(row, "name")
        scientific_name = reader.text(row, SCIENTIFIC_NAME, required=False)
        copies, shape = reader.number(row, "copies", MAX_COPIES), reader.shape(row)
        if shape:
            tiles.append(TileKind(len(tiles), tile_id, name, scientific_name, copies, *forms_of(shape)))
    if len(table.rows) != kinds:
        reader.fault(None, "", f"there must be {kinds} kinds of tiles, not {len(table.rows)}")
    total = sum(whole_number(row.values["copies"]) or 0 for row in table.rows)
    if total != TILE_COUNT:
        reader.fault(None, "copies", f"the copies must add up to {TILE_COUNT} tiles, not {total}")
    return tuple(tiles)


def read_rocks(table: Table, faults: list[ContentFault]) -> tuple[RockShape, ...]:
    """Return the five shapes of rocks by size, adding a fault for everything wrong (rulebook: Rock Tiles)."""
    if not check_columns(table, ROCK_COLUMNS, (), faults):
        return ()
    reader = _ShapeReader(table, faults)
    found: list[tuple[str, str, int, Shape]] = []
    for row in table.rows:
        rock_id, name, count = reader.id(row), reader.text(row, "name"), reader.number(row, "count", ROCK_COUNT)
        shape = reader.shape(row)
        if shape is None:
            continue
        if shape.holes:
            reader.fault(row, "shape", "a rock has no hole")
        elif len(shape.cells) > MAX_ROCK:
            reader.fault(row, "shape", f"a rock covers at most {MAX_ROCK} spaces")
        elif len(shape.cells) == MAX_ROCK and (shape.height, shape.width) != (2, 2):
            reader.fault(row, "shape", f"a rock of {MAX_ROCK} spaces is a square")
        found.append((rock_id, name, count, shape))
    sizes = [len(shape.cells) for *_, shape in found]
    for size, number in ROCKS_OF_SIZE.items():
        if sizes.count(size) != number:
            reader.fault(None, "shape", f"shapes of {size}: there must be {number}, not {sizes.count(size)}")
    total = sum(whole_number(row.values["count"]) or 0 for row in table.rows)
    if total != ROCK_COUNT:
        reader.fault(None, "count", f"there must be {ROCK_COUNT} rocks, not {total}")
    found.sort(key=lambda rock: len(rock[3].cells))
    return tuple(
        RockShape(number, rock_id, name, len(shape.cells), count, *forms_of(shape))
        for number, (rock_id, name, count, shape) in enumerate(found)
    )
