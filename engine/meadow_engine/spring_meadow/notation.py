"""Text forms: of actions, of a view, and of a position to start a scenario from.

Spaces of a board are named like a chessboard's: column letter a to j, row number 1 to 9 from the start edge.

Actions: ``take 7``, ``tile 3 c4`` (symmetry index 3, lower left corner on c4), ``marmot c4``, ``rock start 2`` or
``rock earned 3`` (which rock next), ``place 3L 1 c4``, ``board 2B``.
"""

from __future__ import annotations

from meadow_engine.kernel.errors import BadNotation
from meadow_engine.spring_meadow.actions import (
    ChooseBoard,
    ChooseRock,
    PlaceMarmot,
    PlaceRock,
    PlaceTile,
    SpringAction,
    TakeTile,
)
from meadow_engine.spring_meadow.catalogue import COLUMNS, MAP_SIDE, ROWS, Catalogue
from meadow_engine.spring_meadow.state import NONE
from meadow_engine.spring_meadow.view import MountainView, SpringView

_LETTERS = "abcdefghij"
SNOW, BURROW, COVERED, HOLE, CLEARED, MARMOT, COVERED_BURROW = ".b#ocmx"


def space_name(row: int, column: int) -> str:
    """Such as c4 for row 3, column 2."""
    return f"{_LETTERS[column]}{row + 1}"


def parse_space(text: str) -> tuple[int, int]:
    """Row and column of a space's name; BadNotation if it is none."""
    letter, number = text[:1], text[1:]
    if letter in _LETTERS and letter and number.isascii() and number.isdigit() and 1 <= int(number) <= ROWS:
        return int(number) - 1, _LETTERS.index(letter)
    raise BadNotation(f"{text!r} is no space: a letter a to j and a number 1 to {ROWS}")


def action_text(catalogue: Catalogue, action: SpringAction) -> str:
    """The one-line form of an action."""
    match action:
        case TakeTile(space):
            return f"take {space}"
        case PlaceTile(form, row, column):
            return f"tile {form} {space_name(row, column)}"
        case PlaceMarmot(row, column):
            return f"marmot {space_name(row, column)}"
        case ChooseRock(start, size):
            return f"rock {'start' if start else 'earned'} {size}"
        case PlaceRock(shape, form, row, column):
            return f"place {catalogue.rocks[shape].id} {form} {space_name(row, column)}"
        case ChooseBoard(face):
            return f"board {catalogue.faces[face].id}"


def parse_action(catalogue: Catalogue, text: str) -> SpringAction:
    """The action of a one-line form; BadNotation if it is none."""
    try:
        match text.split():
            case ["take", space]:
                return TakeTile(int(space))
            case ["tile", form, space]:
                return PlaceTile(int(form), *parse_space(space))
            case ["marmot", space]:
                return PlaceMarmot(*parse_space(space))
            case ["rock", ("start" | "earned") as which, size]:
                return ChooseRock(which == "start", int(size))
            case ["place", shape, form, space]:
                return PlaceRock(catalogue.rock_ids[shape], int(form), *parse_space(space))
            case ["board", face]:
                return ChooseBoard(catalogue.face_ids[face])
    except (ValueError, KeyError):
        pass
    raise BadNotation(
        f"{text!r} is no action; try: take 7, tile 3 c4, marmot c4, rock earned 3, place 3L 1 c4, board 2B"
    )


def cell_symbol(board: MountainView, cell: int) -> str:
    """The character of a space in a drawing of a board."""
    bit = 1 << cell
    burrow = board.burrows & bit
    if board.marmots & bit:
        return MARMOT
    if board.covered & bit:
        return COVERED_BURROW if burrow else COVERED
    if board.holes & bit:
        return CLEARED if burrow else HOLE
    return BURROW if burrow else SNOW


def board_lines(board: MountainView) -> list[str]:
    """A board as nine lines, the start edge last."""
    return [
        f"{row + 1} " + "".join(cell_symbol(board, row * COLUMNS + column) for column in range(COLUMNS))
        for row in reversed(range(ROWS))
    ]


def view_text(view: SpringView, catalogue: Catalogue) -> str:
    """A view as text, for people, logs of test games and language models."""
    lines = [f"turn {view.turn}, seat {view.active} is active, box {view.box_count}"]
    path = catalogue.map_for(view.seats)
    lines.append(f"signpost path {view.path} ({path.path_names[view.path]}): {_spaces(path.paths[view.path])}")
    lines += _map_lines(view, catalogue)
    if view.expert:
        lines.append("queue " + " ".join(catalogue.tiles[tile].id for tile in view.queue))
    for seat, board in enumerate(view.mountains):
        lines += _mountain_text(seat, board, catalogue)
    for phase in view.scorings:
        lines.append(f"scoring: {[line.total for line in phase.lines]}, pin to seat {phase.winner}")
    if view.solo:
        lines.append(f"solo: {view.solo.points} points, a row here is worth {view.solo.path_value}")
    if view.campaign is not None:
        lines.append(f"campaign: {[game.points for game in view.campaign]}")
    lines.append(_pending_text(view, catalogue))
    return "\n".join(lines) + "\n"


def _spaces(spaces: tuple[int, ...]) -> str:
    return " ".join(map(str, spaces))


def _map_lines(view: SpringView, catalogue: Catalogue) -> list[str]:
    names = [catalogue.tiles[tile].id if tile != NONE else "---" for tile in view.meadow_map]
    return ["map " + " ".join(names[start : start + MAP_SIDE]) for start in range(0, len(names), MAP_SIDE)]


def _mountain_text(seat: int, board: MountainView, catalogue: Catalogue) -> list[str]:
    face = catalogue.faces[board.face].id if board.face != NONE else "none"
    title = f"seat {seat}: board {face}, pins {board.pins}, rows {board.full_rows}, counts {board.score.total}"
    if board.start_rock:
        title += f", start rock {board.start_rock}"
    return [title, *board_lines(board), "  " + _LETTERS]


def _pending_text(view: SpringView, catalogue: Catalogue) -> str:
    waiting = view.pending
    if waiting is None:
        return "game over"
    text = f"seat {waiting.seat}: {waiting.kind}"
    if waiting.tile != NONE:
        text += f" {catalogue.tiles[waiting.tile].id} from space {waiting.space}"
    if waiting.marmots:
        text += f", {waiting.marmots} left"
    if waiting.rock_size:
        text += f" of size {waiting.rock_size}{' (start)' if waiting.rock_is_start else ''}"
    if waiting.start_rock or waiting.earned_rocks:
        text += f" start {waiting.start_rock}, earned {list(waiting.earned_rocks)}"
    return text
