"""The hiking map with its signpost, and single tiles in small."""

from __future__ import annotations

from collections.abc import Iterator
from math import atan2, pi

from meadow_api.v1 import spring_meadow_pb2 as pb

from meadow_client.drawing import pieces, svg
from meadow_client.drawing.scene import Scene

SPACE = 72.0
"""Side of a space."""
BORDER = 52.0
"""Room around the spaces, for the signposts."""
_TILE_ROOM = 0.84
_WOOD = "#a9774a"


def size(scene: Scene) -> float:
    """Side of the drawn map, which is a square."""
    return scene.hiking_map.size * SPACE + 2 * BORDER


def draw_map(scene: Scene) -> str:
    """The hiking map from (0, 0) at its top left corner."""
    side = size(scene)
    return (
        svg.box(0, 0, side, side, 20, fill="#efe3c2", stroke="#cdb988", stroke_width=2)
        + svg.path(_contours(side), fill="none", stroke="#d9c79a", stroke_width=1.5)
        + svg.moved(BORDER, BORDER, *_spaces(scene), *_posts(scene), *_path(scene), *_tiles(scene), _signpost(scene))
    )


def _contours(side: float) -> str:
    """Lines of height, as on a walker's map."""
    lines = []
    for step in range(5):
        y, q = side * (0.1 + 0.2 * step), side / 4
        bend = y - 26 + 9 * (step % 3)
        points = [(6.0, y), (q, bend), (2 * q, y), (side - 6, y)]
        start, control, middle, end = (f"{svg.number(px)} {svg.number(py)}" for px, py in points)
        lines.append(f"M{start}Q{control} {middle}T{end}")
    return "".join(lines)


def _spaces(scene: Scene) -> Iterator[str]:
    n = scene.hiking_map.size
    for space in range(n * n):
        row, column = divmod(space, n)
        x, y = column * SPACE, row * SPACE
        yield svg.box(x + 3, y + 3, SPACE - 6, SPACE - 6, 12, fill="#fbf5e3", stroke="#d6c596", stroke_width=1.5)


def _posts(scene: Scene) -> Iterator[str]:
    """Every path's place on the ring: a stake, or in a solo game the value of its rows."""
    for path in scene.hiking_map.paths:
        x, y = path.signpost.x * SPACE, path.signpost.y * SPACE
        if scene.solo is not None and path.solo_value:
            yield svg.circle(x, y, 11, fill="#fbf5e3", stroke="#cdb988")
            yield svg.text(x, y + 4, str(path.solo_value), 11, text_anchor="middle", fill="#8d7b4c")
        else:
            yield svg.circle(x, y, 4, fill="#cdb988")


def _path(scene: Scene) -> Iterator[str]:
    path, n = scene.hiking_map.paths[scene.path], scene.hiking_map.size
    centres = [((space % n + 0.5) * SPACE, (space // n + 0.5) * SPACE) for space in path.spaces]
    trail = svg.polyline([(path.signpost.x * SPACE, path.signpost.y * SPACE), *centres])
    band = svg.polyline([centres[0], centres[-1]])
    yield svg.path(band, fill="none", stroke="#f0bf45", stroke_opacity=0.5, stroke_width=SPACE * 0.84, **_ROUND)
    yield svg.path(trail, fill="none", stroke="#b9812a", stroke_width=2.5, stroke_dasharray="1 8", **_ROUND)


_ROUND = {"stroke_linecap": "round", "stroke_linejoin": "round"}
_HALO = {"stroke": "#fbf5e3", "stroke_width": 3, "paint_order": "stroke", "font_weight": "bold"}


def _tiles(scene: Scene) -> Iterator[str]:
    n = scene.hiking_map.size
    on_path = set(scene.hiking_map.paths[scene.path].spaces)
    for space, number in enumerate(scene.map_tiles):
        row, column = divmod(space, n)
        x, y = column * SPACE, row * SPACE
        faded = None if space in on_path else 0.72
        if number >= 0:
            yield svg.moved(x, y, small_tile(scene.tiles[number], SPACE, _TILE_ROOM), opacity=faded)
        yield svg.text(x + 8, y + 16, str(space), 11, fill="#9c8d5f", **_HALO)
        if space == scene.taken:
            yield svg.box(x + 3, y + 3, SPACE - 6, SPACE - 6, 12, fill="none", stroke="#b8402f", stroke_width=3.5)


def small_tile(tile: pb.SpringMeadowTile, room: float, share: float) -> str:
    """A tile as drawn in the catalogue, in the middle of a square of side `room`, filling up to a share of it."""
    form = tile.forms[0]
    unit = min(room * share / max(form.rows, form.columns), room * share / 3.4)
    width, height = form.columns * unit, form.rows * unit
    squares = [_square(cell, form.rows) for cell in form.cells]
    holes = [_square(cell, form.rows) for cell in form.hole_cells]
    drawn = pieces.tile(tile.tile, tile.scientific_name, squares, holes, unit)
    return svg.moved((room - width) / 2, (room - height) / 2, svg.title(tile.display_name), drawn)


BOARD_COLUMNS = 10
"""Forms number their cells as on a board of ten columns."""


def _square(cell: int, rows: int) -> tuple[int, int]:
    row, column = divmod(cell, BOARD_COLUMNS)
    return column, rows - 1 - row


def _signpost(scene: Scene) -> str:
    """A wooden signpost that points along the path."""
    path, n = scene.hiking_map.paths[scene.path], scene.hiking_map.size
    x, y = path.signpost.x * SPACE, path.signpost.y * SPACE
    first = path.spaces[0]
    dx, dy = (first % n + 0.5) * SPACE - x, (first // n + 0.5) * SPACE - y
    angle = _degrees(dx, dy)
    sign = svg.path(
        "M-17 -9H10L20 0L10 9H-17Z",
        fill=_WOOD,
        stroke="#5f3f22",
        stroke_width=1.8,
        transform=f"rotate({svg.number(angle)})",
    )
    grain = svg.path("M-12 -3H8M-12 3H6", stroke="#8a5c33", stroke_width=1.4, transform=f"rotate({svg.number(angle)})")
    return svg.moved(x, y, svg.circle(0, 0, 23, fill="#fffaf0", stroke="#e0a92e", stroke_width=3), sign, grain)


def _degrees(dx: float, dy: float) -> float:
    return atan2(dy, dx) * 180 / pi
