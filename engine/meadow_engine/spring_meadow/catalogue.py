"""The components of Spring Meadow as immutable tables that every state of a game shares.

Built from a content pack by `meadow_engine.spring_meadow.content.catalogue`. Sets of board spaces are integers
used as bit sets: bit `row * COLUMNS + column`, row 0 being the edge where the meadow starts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from meadow_engine.spring_meadow.shapes import Cell, Shape, orientations

COLUMNS = 10
"""Spaces in a row of a mountain board: what a full row is worth."""
ROWS = 9
"""Rows of a mountain board, counted from the edge where the meadow starts."""
CELLS = COLUMNS * ROWS
"""Spaces of a mountain board."""
FULL = (1 << CELLS) - 1
"""The set of all spaces of a mountain board."""
ROW = (1 << COLUMNS) - 1
"""The set of all spaces of row 0; shift it by `row * COLUMNS` for another row."""
MAP_SIDE = 5
"""Spaces along a side of the hiking map."""
MAP_SPACES = MAP_SIDE * MAP_SIDE
"""Spaces of the hiking map, numbered row by row from the top left."""
TILE_COUNT = 100
"""Meadow tiles in the game (rulebook: Components)."""
MAX_ROCK = 4
"""The largest rock (rulebook: Rock Tiles)."""


@dataclass(frozen=True, slots=True)
class Form:
    """One distinct orientation of a tile or rock, ready to be laid on a board.

    The anchor of a placement is the space under the lower left corner of the bounding box; shifting a mask left
    by the anchor lays the form there.
    """

    index: int
    """The lowest symmetry index (0 to 7) that gives this orientation."""
    height: int
    """Rows of the bounding box, holes included."""
    width: int
    """Columns of the bounding box, holes included."""
    cells: tuple[Cell, ...]
    """Covered squares as (row, column) from the lower left corner of the bounding box."""
    holes: tuple[Cell, ...]
    """Squares with a hole, counted the same way."""
    covered_offsets: tuple[int, ...]
    """The covered squares as `row * COLUMNS + column`, to be added to an anchor."""
    hole_offsets: tuple[int, ...]
    """The holes as `row * COLUMNS + column`, to be added to an anchor."""
    covered_mask: int
    """The covered spaces when laid at anchor 0."""
    hole_mask: int
    """The hole spaces when laid at anchor 0."""
    bounds: int
    """The set of anchors at which the form lies wholly on the board."""


@dataclass(frozen=True, slots=True)
class TileKind:
    """A kind of meadow tile; several equal tiles of it may be in the game."""

    number: int
    """Index of the kind in the catalogue."""
    id: str
    """Stable name of the kind, such as `T07`."""
    name: str
    """Name for people."""
    scientific_name: str
    """Scientific name of the plant or animal shown, or empty."""
    copies: int
    """How many such tiles the game has."""
    forms: tuple[Form, ...]
    """The distinct orientations by ascending symmetry index; the first is the tile as drawn."""
    form_of: tuple[int, ...]
    """For each of the eight symmetry indices, the position of its orientation in `forms`."""

    @property
    def cells(self) -> tuple[Cell, ...]:
        """Covered squares of the tile as drawn."""
        return self.forms[0].cells

    @property
    def holes(self) -> tuple[Cell, ...]:
        """Holes of the tile as drawn."""
        return self.forms[0].holes


@dataclass(frozen=True, slots=True)
class RockShape:
    """A shape of rock tile; rocks have no holes and their supply is unlimited."""

    number: int
    """Index of the shape in the catalogue."""
    id: str
    """Stable name: `1`, `2`, `3I`, `3L` or `4`."""
    name: str
    """Name for people."""
    size: int
    """Spaces it covers."""
    count: int
    """How many the box holds; for display only."""
    forms: tuple[Form, ...]
    """As in `TileKind`."""
    form_of: tuple[int, ...]
    """As in `TileKind`."""


@dataclass(frozen=True, slots=True)
class BoardFace:
    """One of the two faces of a mountain board."""

    number: int
    """Index of the face in the catalogue."""
    id: str
    """Stable name, such as `1A`."""
    board: int
    """Which of the four boards it belongs to, from 0."""
    name: str
    """Name for people."""
    burrows: int
    """The set of spaces with a burrow."""


@dataclass(frozen=True, slots=True)
class HikingMap:
    """A face of the hiking map: the ring of signpost paths over its 25 spaces.

    All tuples run parallel, clockwise from the path where the signpost starts.
    """

    id: str
    """`2-4` for the face of two and four players, `1-3` for the face of one and three."""
    paths: tuple[tuple[int, ...], ...]
    """The five spaces of each path, beginning with the one beside the signpost."""
    path_names: tuple[str, ...]
    """Names for people, such as `top 3` or `top right corner`."""
    signposts: tuple[tuple[float, float], ...]
    """Where to draw the signpost: x to the right and y down from the top left corner of the map, a space being
    one unit wide, so that the centre of space 0 is (0.5, 0.5)."""
    solo_values: tuple[int, ...]
    """Points for a row completed on each path in the solo game; empty on the face of two and four players."""


@dataclass(frozen=True, slots=True, eq=False)
class Catalogue:
    """Everything a content pack says about Spring Meadow. Compared and hashed by identity."""

    pack_hash: bytes
    """Hash of the pack it comes from."""
    tiles: tuple[TileKind, ...]
    rocks: tuple[RockShape, ...]
    """By size, then as the pack lists them."""
    faces: tuple[BoardFace, ...]
    map_2_4: HikingMap
    map_1_3: HikingMap
    tile_ids: Mapping[str, int] = field(repr=False)
    """Tile id -> index in `tiles`."""
    rock_ids: Mapping[str, int] = field(repr=False)
    """Rock id -> index in `rocks`."""
    face_ids: Mapping[str, int] = field(repr=False)
    """Face id -> index in `faces`."""
    rocks_of_size: tuple[tuple[int, ...], ...] = field(repr=False)
    """For each size from 0 to 4, the rocks of exactly that size."""
    box: tuple[int, ...] = field(repr=False)
    """The kinds of all 100 tiles in ascending order, each as often as it has copies."""

    start_rocks: ClassVar[Mapping[int, tuple[int, ...]]] = {1: (0,), 2: (0, 2), 3: (0, 1, 3), 4: (0, 1, 2, 3)}
    """By number of seats, the size of each seat's first rock in turn order, 0 for none (rulebook: Set-up)."""

    def map_for(self, seats: int) -> HikingMap:
        """Return the face of the hiking map that this number of players uses (rulebook: Set-up)."""
        return self.map_1_3 if seats in (1, 3) else self.map_2_4


def forms_of(shape: Shape) -> tuple[tuple[Form, ...], tuple[int, ...]]:
    """Return the distinct forms of a shape and, for each symmetry index, its position among them."""
    oriented, form_of = orientations(shape)
    return tuple(_form(index, turned) for index, turned in oriented), form_of


def _form(index: int, shape: Shape) -> Form:
    covered = tuple(row * COLUMNS + column for row, column in shape.cells)
    holes = tuple(row * COLUMNS + column for row, column in shape.holes)
    anchors = (
        row * COLUMNS + column for row in range(ROWS - shape.height + 1) for column in range(COLUMNS - shape.width + 1)
    )
    return Form(
        index=index,
        height=shape.height,
        width=shape.width,
        cells=shape.cells,
        holes=shape.holes,
        covered_offsets=covered,
        hole_offsets=holes,
        covered_mask=sum(1 << offset for offset in covered),
        hole_mask=sum(1 << offset for offset in holes),
        bounds=sum(1 << anchor for anchor in anchors),
    )
