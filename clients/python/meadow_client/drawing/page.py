"""The page: map, queue, scores and boards side by side."""

from __future__ import annotations

from collections.abc import Iterator

from meadow_api.v1 import game_pb2
from meadow_api.v1 import spring_meadow_pb2 as pb

from meadow_client.drawing import board as boards
from meadow_client.drawing import hiking_map, pieces, svg
from meadow_client.drawing.scene import Scene, scene_of

GAP = 26.0
TITLE = 66.0
_FONTS = "'Trebuchet MS', 'Segoe UI', 'DejaVu Sans', sans-serif"
_QUEUE_SPACE = 46.0
_QUEUE_COLUMNS = 10
_LINE = 25.0


def draw(view: game_pb2.GameView, catalogue: pb.SpringMeadowCatalogue, title: str = "") -> str:
    """A whole table of Spring Meadow as an SVG document.

    Args:
        view: what a viewer sees; the game must have started.
        catalogue: the components that the view's numbers refer to.
        title: a line above the table; empty says whose choice is awaited.
    """
    scene = scene_of(view, catalogue, title)
    side = hiking_map.size(scene)
    below = list(_below_map(scene, side))
    left_height = side + sum(height + GAP for height, _ in below)
    columns = 1 if len(scene.boards) == 1 else 2
    board_width, board_height = boards.size(scene.boards[0])
    lines = -(-len(scene.boards) // columns)
    height = TITLE + max(left_height, lines * (board_height + GAP) - GAP) + GAP
    width = GAP + side + GAP + columns * (board_width + GAP)
    parts = [svg.moved(GAP, TITLE, hiking_map.draw_map(scene))]
    y = TITLE + side + GAP
    for part_height, part in below:
        parts.append(svg.moved(GAP, y, part))
        y += part_height + GAP
    for place, board in enumerate(scene.boards):
        x = GAP + side + GAP + place % columns * (board_width + GAP)
        parts.append(svg.moved(x, TITLE + place // columns * (board_height + GAP), boards.draw_board(board)))
    head = svg.text(GAP, 43, scene.title, 25, fill="#40593a", font_weight="bold")
    return _document(width, height, _definitions(scene), head, *parts)


def draw_tile(tile: pb.SpringMeadowTile, room: float = 120.0) -> str:
    """One tile as drawn in the catalogue, as an SVG document of side `room`."""
    defs = pieces.definitions([(tile.tile, tile.scientific_name)])
    return _document(room, room, defs, hiking_map.small_tile(tile, room, 0.9), ground=False)


def draw_catalogue(catalogue: pb.SpringMeadowCatalogue, columns: int = 8) -> str:
    """All tiles of a catalogue with their names, as an SVG document."""
    step, foot = 132.0, 34.0
    lines = -(-len(catalogue.tiles) // columns)
    defs = pieces.definitions((tile.tile, tile.scientific_name) for tile in catalogue.tiles)
    parts = []
    for place, tile in enumerate(catalogue.tiles):
        x, y = GAP + place % columns * step, GAP + place // columns * (step + foot)
        parts += [
            svg.moved(x, y, hiking_map.small_tile(tile, step, 0.8)),
            svg.text(x + step / 2, y + step + 2, tile.display_name, 12, text_anchor="middle", fill="#57523f"),
            svg.text(
                x + step / 2, y + step + 18, f"{tile.id}, {tile.copies}", 11, text_anchor="middle", fill="#9c957e"
            ),
        ]
    defs += _gradient("paper", "#fdf9ee", "#f3f2df")
    return _document(2 * GAP + columns * step, 2 * GAP + lines * (step + foot), defs, *parts)


def _document(width: float, height: float, definitions: str, *parts: str, ground: bool = True) -> str:
    w, h = svg.number(width), svg.number(height)
    paper = svg.box(0, 0, width, height, fill="url(#paper)") if ground else ""
    body = svg.element("defs", definitions) + paper + "".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{w}" height="{h}" viewBox="0 0 {w} {h}" '
        f'font-family="{_FONTS}">{body}</svg>\n'
    )


def _definitions(scene: Scene) -> str:
    shown = {number for number in [*scene.map_tiles, *scene.queue] if number >= 0}
    shown |= {piece.kind for board in scene.boards for piece in board.pieces if piece.kind >= 0}
    flowers = pieces.definitions((number, scene.tiles[number].scientific_name) for number in shown)
    return (
        _gradient("paper", "#fdf9ee", "#f3f2df")
        + _gradient("sky", "#bfe0f2", "#f2f8f4")
        + _gradient("snow", "#fbfdff", "#e3edf4")
        + flowers
    )


def _gradient(name: str, top: str, bottom: str) -> str:
    stops = svg.element("stop", offset=0, stop_color=top) + svg.element("stop", offset=1, stop_color=bottom)
    return svg.element("linearGradient", stops, id=name, x1=0, y1=0, x2=0, y2=1)


# ---- what stands below the map -----------------------------------------------------------------------------


def _below_map(scene: Scene, width: float) -> Iterator[tuple[float, str]]:
    """Height and drawing of each panel."""
    if scene.queue:
        yield _queue(scene, width)
    yield _scores(scene, width)


def _panel(width: float, height: float, *parts: str) -> str:
    return svg.box(0, 0, width, height, 14, fill="#fffdf7", stroke="#ddd6c2", stroke_width=1.5) + "".join(parts)


def _queue(scene: Scene, width: float) -> tuple[float, str]:
    step = (width - 28) / _QUEUE_COLUMNS
    room = min(step, _QUEUE_SPACE)
    lines = -(-len(scene.queue) // _QUEUE_COLUMNS)
    tiles = [
        svg.moved(
            14 + place % _QUEUE_COLUMNS * step,
            36 + place // _QUEUE_COLUMNS * room,
            hiking_map.small_tile(scene.tiles[number], room, 0.9),
        )
        for place, number in enumerate(scene.queue)
    ]
    height = 46 + lines * room
    head = svg.text(16, 25, "Next in the queue", 15, fill="#6d6753", font_weight="bold")
    return height, _panel(width, height, head, *tiles)


def _scores(scene: Scene, width: float) -> tuple[float, str]:
    lines = list(_score_lines(scene))
    height = 20 + _LINE * len(lines)
    words = [
        svg.text(16, 27 + _LINE * place, label, 15, fill="#57523f")
        + svg.text(width - 16, 27 + _LINE * place, value, 15, fill="#57523f", text_anchor="end", font_weight="bold")
        for place, (label, value) in enumerate(lines)
    ]
    return height, _panel(width, height, *words)


def _score_lines(scene: Scene) -> Iterator[tuple[str, str]]:
    yield "tiles in the box", str(scene.box_count)
    for number, scoring in enumerate(scene.scorings, start=1):
        totals = "  :  ".join(str(line.total) for line in scoring.lines)
        yield f"scoring {number}, pin to {scene.boards[scoring.winner].name}", totals
    if scene.solo is not None:
        yield "a row is now worth", str(scene.solo.path_value)
        rows = " + ".join(str(row.points) for row in scene.solo.row_scores)
        yield f"rows {rows}" if rows else "no row yet", f"{scene.solo.points} points"
    if scene.campaign is not None:
        for number, game in enumerate(scene.campaign.results, start=1):
            yield f"game {number}", str(game.points)
        yield "campaign", f"{scene.campaign.points} points"
