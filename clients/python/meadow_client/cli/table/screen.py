"""The whole table as something that a rich console prints."""

from __future__ import annotations

from collections.abc import Iterator

from rich.columns import Columns
from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from meadow_client.cli.common import counted
from meadow_client.cli.table.boards import board_panel, form_lines, padded, tile_piece
from meadow_client.cli.table.glyphs import DIM, GOLD, Glyphs, glyphs_for
from meadow_client.cli.table.map import map_panel
from meadow_client.drawing.scene import Scene

_QUEUE_SHOWN = 10


def table(scene: Scene, console: Console, *, mine: int | None = None) -> RenderableType:
    """Map, boards and scores; the boards stand beside the map if the console is wide enough.

    Args:
        scene: what to show.
        console: where it will be printed.
        mine: a seat whose board comes first.
    """
    glyphs = glyphs_for(console)
    order = sorted(scene.boards, key=lambda board: board.seat != mine)
    boards = [board_panel(board, glyphs) for board in order]
    parts: list[RenderableType] = [
        Text(scene.title, style=f"bold {GOLD}"),
        Columns([map_panel(scene, glyphs), *boards]),
    ]
    parts += list(_queue(scene, glyphs))
    parts += list(_scores(scene))
    return Group(*parts)


def _queue(scene: Scene, glyphs: Glyphs) -> Iterator[RenderableType]:
    if not scene.queue:
        return
    row = Table.grid(padding=(0, 2))
    shown = [scene.tiles[number] for number in scene.queue[:_QUEUE_SHOWN]]
    height = max(tile.forms[0].rows for tile in shown)
    shapes = [padded(form_lines(t.forms[0], tile_piece(t), glyphs), 2 * t.forms[0].columns, height) for t in shown]
    row.add_row(*(Text("\n").join(shape) for shape in shapes))
    yield Text(f"queue of {len(scene.queue)}, next first", style=DIM)
    yield row


def _scores(scene: Scene) -> Iterator[RenderableType]:
    for number, scoring in enumerate(scene.scorings, start=1):
        points = ", ".join(f"{scene.boards[line.seat].name} {line.total}" for line in scoring.lines)
        yield Text(f"scoring {number}: {points}; pin to {scene.boards[scoring.winner].name}", style=DIM)
    if scene.solo is not None:
        rows = ", ".join(f"row {row.row + 1}: {row.points}" for row in scene.solo.row_scores) or "no row yet"
        worth = f"turn {scene.solo.turn} of 24, a row is now worth {scene.solo.path_value}; {rows}"
        yield Text(f"{worth}; {counted(scene.solo.points, 'point')}", style=DIM)
    if scene.campaign is not None:
        games = ", ".join(f"game {n}: {game.points}" for n, game in enumerate(scene.campaign.results, start=1))
        yield Text(f"campaign: {counted(scene.campaign.points, 'point')}; {games or 'first game'}", style=DIM)
