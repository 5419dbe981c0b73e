"""The hiking map as text: its tiles, the signpost and the path that it points along."""

from __future__ import annotations

from rich.panel import Panel
from rich.text import Text

from meadow_client.cli.table.boards import form_lines, padded, tile_piece
from meadow_client.cli.table.glyphs import DIM, GOLD, PAPER, TRAIL, Glyphs
from meadow_client.drawing.scene import Scene

_ROOM = 10
"""Characters of a space's width: a form of four squares, a number and a gap."""


def map_panel(scene: Scene, glyphs: Glyphs) -> Panel:
    """The hiking map in a frame; the spaces of the path are numbered 1 to 5 from the signpost."""
    n = scene.hiking_map.size
    path = scene.hiking_map.paths[scene.path]
    place_on_path = {space: place for place, space in enumerate(path.spaces, start=1)}
    room = max(_ROOM, 2 + 2 * max((scene.tiles[t].forms[0].columns for t in scene.map_tiles if t >= 0), default=0))
    lines = [_edge(scene, glyphs, above=True, room=room)]
    for row in range(n):
        height = max(
            (scene.tiles[t].forms[0].rows for t in scene.map_tiles[row * n : row * n + n] if t >= 0), default=1
        )
        field = [_space(scene, row * n + column, place_on_path, glyphs, room, height) for column in range(n)]
        for number in range(height + 1):
            sides = [_side(scene, glyphs, row, left=left) if number == height // 2 else " " for left in (True, False)]
            line = Text(sides[0], style=f"bold {GOLD}")
            for space in field:
                line.append_text(space[number])
            lines.append(line.append(sides[1], style=f"bold {GOLD}"))
    lines.append(_edge(scene, glyphs, above=False, room=room))
    foot = Text(f" {scene.box_count} tiles in the box ", style=DIM)
    title = Text(f" hiking map: {path.display_name} ", style=f"bold {GOLD}")
    return Panel(Text("\n").join(lines), title=title, subtitle=foot, border_style=DIM, padding=0, expand=False)


def _space(
    scene: Scene, space: int, place_on_path: dict[int, int], glyphs: Glyphs, room: int, height: int
) -> list[Text]:
    on_path = space in place_on_path
    ground = f"on {TRAIL if on_path else PAPER}" if glyphs.colour else ""
    number = scene.map_tiles[space]
    head = f" {place_on_path[space]}" if on_path else ""
    taken = "(taken)" if space == scene.taken else ""
    label = Text(f"{head:<3}{taken:<{room - 3}}", style=f"bold #7a4d12 {ground}")
    if number < 0:
        empty = padded([Text("--" if not glyphs.colour else "")], room, height)
        return [label, *(_grounded(line, ground) for line in empty)]
    tile = scene.tiles[number]
    shape = padded(form_lines(tile.forms[0], tile_piece(tile), glyphs), room, height)
    return [label, *(_grounded(line, ground) for line in shape)]


def _grounded(line: Text, ground: str) -> Text:
    """A line on a ground that shows where the line has none of its own."""
    under = Text("", style=ground)
    return under.append_text(line)


def _edge(scene: Scene, glyphs: Glyphs, *, above: bool, room: int) -> Text:
    post, n = scene.hiking_map.paths[scene.path].signpost, scene.hiking_map.size
    if not (post.y < 0 if above else post.y > n):
        return Text("")
    arrow = glyphs.arrows[0] if above else glyphs.arrows[2]
    left = min(max(int(1 + post.x * room), 0), n * room + 1)
    return Text(" " * left + arrow, style=f"bold {GOLD}")


def _side(scene: Scene, glyphs: Glyphs, row: int, *, left: bool) -> str:
    post, n = scene.hiking_map.paths[scene.path].signpost, scene.hiking_map.size
    beside = post.x < 0 if left else post.x > n
    if not (beside and row <= post.y < row + 1):
        return " "
    return glyphs.arrows[3] if left else glyphs.arrows[1]
