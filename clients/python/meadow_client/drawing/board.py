"""A mountain board: snow, burrows, what lies on it, and how it counts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from meadow_client.drawing import pieces, svg
from meadow_client.drawing.outline import Square
from meadow_client.drawing.scene import Board, Cell

UNIT = 40.0
"""Side of a space."""
MARGIN = 34.0
HEADER = 78.0
FOOTER = 62.0
GOLD = "#e0a92e"
INK = "#3d3a33"
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def size(board: Board) -> tuple[float, float]:
    """Width and height of a drawn board."""
    return board.columns * UNIT + 2 * MARGIN, HEADER + board.rows * UNIT + FOOTER


def draw_board(board: Board) -> str:
    """A board from (0, 0) at its top left corner."""
    width, height = size(board)
    frame = svg.box(0, 0, width, height, 18, fill="#fffdf7", stroke=board.colour, stroke_width=4 if board.active else 2)
    inner = svg.moved(
        MARGIN, HEADER, _snow(board), *_burrows(board), *_pieces(board), *_holes(board), *_full_rows(board)
    )
    glow = svg.box(-4, -4, width + 8, height + 8, 21, fill="none", stroke=GOLD, stroke_width=3) if board.active else ""
    return glow + frame + _header(board, width) + inner + _labels(board) + _footer(board, width, height)


# ---- head and foot -----------------------------------------------------------------------------------------


def _header(board: Board, width: float) -> str:
    clip = f"sky-{board.seat}"
    sky = svg.path(
        f"M2 20Q2 2 20 2H{svg.number(width - 20)}Q{svg.number(width - 2)} 2 {svg.number(width - 2)} 20V64H2Z"
    )
    return (
        svg.element("clipPath", sky, id=clip)
        + svg.element("g", *_mountains(width), clip_path=f"url(#{clip})")
        + svg.box(14, 14, 22 + 10.6 * len(board.name), 28, 14, fill=board.colour)
        + svg.text(24, 34, board.name, 17, fill="#ffffff", font_weight="bold")
        + svg.text(width - 16, 33, board.face, 14, fill="#4f6473", text_anchor="end", font_style="italic")
        + "".join(_pin(width - 26 - 24 * place, 54) for place in range(board.pins))
    )


def _mountains(width: float) -> Iterator[str]:
    yield svg.box(0, 0, width, 64, fill="url(#sky)")
    far = [
        (0.0, 0.8),
        (0.12, 0.42),
        (0.22, 0.66),
        (0.36, 0.24),
        (0.5, 0.7),
        (0.63, 0.38),
        (0.76, 0.72),
        (0.9, 0.3),
        (1.0, 0.6),
    ]
    yield svg.path(_ridge(far, width), fill="#b9cfdd")
    for x, y in far[1::2]:
        cap = [(x - 0.02, y + 0.13), (x, y), (x + 0.022, y + 0.13), (x + 0.006, y + 0.1), (x - 0.006, y + 0.15)]
        yield svg.path(svg.polyline(((px * width, py * 64) for px, py in cap), closed=True), fill="#ffffff")
    near = [
        (0.0, 0.92),
        (0.08, 0.76),
        (0.2, 0.95),
        (0.3, 0.8),
        (0.46, 0.97),
        (0.57, 0.82),
        (0.7, 0.96),
        (0.84, 0.79),
        (1.0, 0.93),
    ]
    yield svg.path(_ridge(near, width), fill="#dfe9ee")


def _ridge(points: Iterable[tuple[float, float]], width: float) -> str:
    return svg.polyline([(0.0, 64.0), *((x * width, y * 64) for x, y in points), (width, 64.0)], closed=True)


def _pin(x: float, y: float) -> str:
    """A hiking pin: a small badge with a peak."""
    peak = svg.path(
        f"M{svg.number(x - 6)} {svg.number(y + 4)}L{svg.number(x - 1)} {svg.number(y - 5)}l3 5l2 -3l4 7Z",
        fill="#fffdf4",
    )
    return svg.circle(x, y, 10.5, fill="#b8402f", stroke="#f2d27a", stroke_width=2.4) + peak


def _labels(board: Board) -> str:
    left, bottom = MARGIN, HEADER + board.rows * UNIT
    rows = [
        svg.text(
            left - 12,
            bottom - (row + 0.5) * UNIT + 5,
            str(row + 1),
            14,
            text_anchor="middle",
            fill="#b07d10" if row < board.full_rows else "#8b8675",
            font_weight="bold" if row < board.full_rows else None,
        )
        for row in range(board.rows)
    ]
    columns = [
        svg.text(left + (column + 0.5) * UNIT, bottom + 18, _LETTERS[column], 14, text_anchor="middle", fill="#8b8675")
        for column in range(board.columns)
    ]
    return "".join(rows + columns)


def _footer(board: Board, width: float, height: float) -> str:
    rock = f"   start rock: {board.start_rock}" if board.start_rock else ""
    y = height - 15
    return (
        svg.path(f"M{svg.number(MARGIN)} {svg.number(y - 20)}H{svg.number(width - MARGIN)}", stroke="#ddd6c2")
        + svg.text(MARGIN, y, board.counted + rock, 14, fill=INK)
        + svg.text(width - MARGIN, y, str(board.points), 19, fill=board.colour, text_anchor="end", font_weight="bold")
    )


# ---- the board itself --------------------------------------------------------------------------------------


def _snow(board: Board) -> str:
    width, height = board.columns * UNIT, board.rows * UNIT
    lines = [f"M{svg.number(column * UNIT)} 0V{svg.number(height)}" for column in range(1, board.columns)]
    lines += [f"M0 {svg.number(row * UNIT)}H{svg.number(width)}" for row in range(1, board.rows)]
    return (
        svg.box(-3, -3, width + 6, height + 6, 8, fill="url(#snow)", stroke="#b4c6d4", stroke_width=2)
        + svg.path("".join(lines), stroke="#c2d2de", stroke_width=1, stroke_dasharray="2 4", fill="none")
        + svg.box(-3, height - 1, width + 6, 5, 2.5, fill="#7fa05a")
    )


def _centre(board: Board, cell: Cell) -> tuple[float, float]:
    row, column = cell
    return (column + 0.5) * UNIT, (board.rows - 1 - row + 0.5) * UNIT


def _burrows(board: Board) -> Iterator[str]:
    for cell in sorted(board.burrows - board.covered):
        yield pieces.burrow(*_centre(board, cell), UNIT, cleared=False)


def _squares(board: Board, cells: Iterable[Cell]) -> list[Square]:
    return [(column, board.rows - 1 - row) for row, column in cells]


def _pieces(board: Board) -> Iterator[str]:
    """Each piece from its own corner, so that equal tiles look alike wherever they lie."""
    for piece in board.pieces:
        cells, holes = _squares(board, piece.cells), _squares(board, piece.holes)
        left, top = min(x for x, _ in cells + holes), min(y for _, y in cells + holes)
        yield svg.moved(
            left * UNIT,
            top * UNIT,
            svg.title(piece.name),
            pieces.piece(
                piece.kind,
                piece.scientific_name,
                [(x - left, y - top) for x, y in cells],
                [(x - left, y - top) for x, y in holes],
                UNIT,
            ),
        )


def _holes(board: Board) -> Iterator[str]:
    """What is seen through holes: cleared burrows get their ring, marmots look out."""
    for cell in sorted(board.cleared):
        yield pieces.burrow(*_centre(board, cell), UNIT * 0.86, cleared=True)
    for cell in sorted(board.marmots):
        yield pieces.marmot(*_centre(board, cell), UNIT)


def _full_rows(board: Board) -> Iterator[str]:
    if not board.full_rows:
        return
    width, height = board.columns * UNIT, board.full_rows * UNIT
    top = (board.rows - board.full_rows) * UNIT
    yield svg.box(-3, top, width + 6, height + 2, 8, fill=GOLD, fill_opacity=0.1, stroke=GOLD, stroke_width=3)
    for row in range(board.full_rows):
        y = (board.rows - 1 - row + 0.5) * UNIT
        x = width + 16
        yield svg.circle(x, y, 9.5, fill=GOLD)
        yield svg.path(
            f"M{svg.number(x - 4.5)} {svg.number(y)}l3 3.6l5.6 -7", fill="none", stroke="#ffffff", stroke_width=2.4
        )
