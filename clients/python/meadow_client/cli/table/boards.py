"""Mountain boards and shapes as text."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from meadow_api.v1 import spring_meadow_pb2 as pb
from rich.panel import Panel
from rich.text import Text

from meadow_client.cli.table.glyphs import (
    CLEARED_GROUND,
    DIM,
    GOLD,
    HOLE_GROUND,
    MARMOT_GROUND,
    SNOW_GROUND,
    Glyphs,
    bloom_of,
    ground_of,
)
from meadow_client.drawing.scene import ROCK, Board, Cell, Piece

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_BOARD_COLUMNS = 10


def board_panel(board: Board, glyphs: Glyphs, marks: Collection[Cell] = ()) -> Panel:
    """A board in a frame, with its seat and what a scoring would count: rows, next row, burrows.

    Args:
        board: what to draw.
        glyphs: with which characters.
        marks: spaces to point out, such as where a piece may lie.
    """
    title = Text(f" {board.name} ", style=f"bold #ffffff on {board.colour}")
    if board.pins:
        title.append(f" {glyphs.pin * board.pins} ", style="bold #b8402f on #fdf6e3")
    line = board.line
    foot = Text(f" {line.row_points} + {line.partial_points} + {line.burrow_points} = {line.total} ", style=DIM)
    body = Text("\n").join([*board_lines(board, glyphs, marks), _letters(board)])
    if board.start_rock:
        body.append(f"\nstart rock of {board.start_rock} still to place", style=DIM)
    style = f"bold {GOLD}" if board.active else DIM
    return Panel(body, title=title, subtitle=foot, border_style=style, padding=(0, 1), expand=False)


def board_lines(board: Board, glyphs: Glyphs, marks: Collection[Cell] = ()) -> list[Text]:
    """The rows of a board, the start edge last."""
    owner = {cell: piece for piece in board.pieces for cell in piece.cells}
    holes = {cell for piece in board.pieces for cell in piece.holes} - board.covered
    lines = []
    for row in reversed(range(board.rows)):
        full = row < board.full_rows
        line = Text(f"{row + 1} ", style=f"bold {GOLD}" if full else DIM)
        for column in range(board.columns):
            cell = (row, column)
            mark = glyphs.mark if cell in marks else ""
            line.append_text(_space(board, cell, owner.get(cell), glyphs, mark=mark, hole=cell in holes))
        line.append(f" {glyphs.full}" if full else "  ", style=f"bold {GOLD}")
        lines.append(line)
    return lines


def _space(board: Board, cell: Cell, piece: Piece | None, glyphs: Glyphs, *, mark: str, hole: bool) -> Text:
    if cell in board.marmots:
        symbol, ink, ground = glyphs.marmot, "#ffffff", MARMOT_GROUND
    elif piece is not None:
        rock = piece.kind == ROCK
        symbol, ground = (glyphs.rock if rock else glyphs.tile), ground_of(piece)
        ink = "#6a6f74" if rock else bloom_of(piece.scientific_name)
    elif cell in board.cleared:
        symbol, ink, ground = glyphs.cleared, "#5a3d26", CLEARED_GROUND
    elif cell in board.burrows:
        symbol, ink, ground = glyphs.burrow, "#5a3d26", SNOW_GROUND
    elif hole:
        symbol, ink, ground = glyphs.hole, "#7c9a68", HOLE_GROUND
    else:
        symbol, ink, ground = glyphs.snow, "#b4c4d0", SNOW_GROUND
    if mark:
        symbol, ink = mark, "#b8402f"
    return Text(f"{symbol} ", style=f"bold {ink} on {ground}")


def _letters(board: Board) -> Text:
    return Text("  " + " ".join(_LETTERS[: board.columns]), style=DIM)


# ---- shapes ------------------------------------------------------------------------------------------------


def form_lines(form: pb.SpringMeadowForm, piece: Piece, glyphs: Glyphs) -> list[Text]:
    """A form of a tile or rock, its lower edge last; all lines are equally wide."""
    cells = {divmod(cell, _BOARD_COLUMNS) for cell in form.cells}
    holes = {divmod(cell, _BOARD_COLUMNS) for cell in form.hole_cells}
    symbol = glyphs.rock if piece.kind == ROCK else glyphs.tile
    ink = "#6a6f74" if piece.kind == ROCK else bloom_of(piece.scientific_name)
    lines = []
    for row in reversed(range(form.rows)):
        line = Text()
        for column in range(form.columns):
            if (row, column) in cells:
                line.append(f"{symbol} ", style=f"bold {ink} on {ground_of(piece)}")
            elif (row, column) in holes:
                line.append(f"{glyphs.hole} ", style=f"#7c9a68 on {HOLE_GROUND}")
            else:
                line.append("  ")
        lines.append(line)
    return lines


def tile_piece(tile: pb.SpringMeadowTile) -> Piece:
    """A tile as a piece that lies nowhere, for its colours."""
    return Piece(tile.tile, tile.display_name, tile.scientific_name, frozenset(), frozenset())


def rock_piece(rock: pb.SpringMeadowRock) -> Piece:
    """A rock as a piece that lies nowhere."""
    return Piece(ROCK, rock.display_name, "", frozenset(), frozenset())


def padded(lines: Iterable[Text], width: int, height: int) -> list[Text]:
    """Lines in the middle of a field."""
    given = list(lines)
    above = (height - len(given)) // 2
    field = [Text(" " * width) for _ in range(above)]
    for line in given:
        left = (width - line.cell_len) // 2
        field.append(Text(" " * left) + line + Text(" " * (width - left - line.cell_len)))
    return field + [Text(" " * width) for _ in range(height - len(field))]
