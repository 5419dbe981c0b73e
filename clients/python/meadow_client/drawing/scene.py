"""What there is to draw, gathered from a view and the catalogue that its numbers refer to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from meadow_api.v1 import common_pb2, game_pb2
from meadow_api.v1 import spring_meadow_pb2 as pb

from meadow_client.messages import members, value_name

Cell = tuple[int, int]
"""Row from the start edge and column."""
COLOURS = {
    "RED": "#c8503f",
    "YELLOW": "#d9a521",
    "TEAL": "#2f8f8b",
    "PURPLE": "#7d5a9b",
    "GREEN": "#5a8f3c",
    "ORANGE": "#d97a2b",
    "BLUE": "#3f6fae",
    "BROWN": "#8a5f3f",
}
"""Shades of the seats' colours."""
_SEAT_COLOURS = tuple(COLOURS.values())


@dataclass(frozen=True, slots=True)
class Piece:
    """A tile or rock on a board.

    Attributes:
        kind: number of the tile, or -1 for a rock, or -2 for meadow of which the tiles are not known.
        name: for people.
        scientific_name: of the tile's plant.
        cells: what it covers.
        holes: where it has holes.
    """

    kind: int
    name: str
    scientific_name: str
    cells: frozenset[Cell]
    holes: frozenset[Cell]


ROCK = -1
UNKNOWN = -2


@dataclass(frozen=True, slots=True)
class Board:
    """One board of one seat; sets of cells by row and column."""

    seat: int
    name: str
    colour: str
    face: str
    rows: int
    columns: int
    pieces: tuple[Piece, ...]
    burrows: frozenset[Cell]
    covered: frozenset[Cell]
    cleared: frozenset[Cell]
    marmots: frozenset[Cell]
    full_rows: int
    start_rock: int
    pins: int
    line: pb.SpringMeadowScoreLine
    counted: str
    points: int
    active: bool


@dataclass(frozen=True, slots=True)
class Scene:
    """A whole table.

    Attributes:
        title: a line above everything.
        boards: in seat order.
        tiles: the catalogue's tiles.
        hiking_map: the map in use.
        map_tiles: tile on each space, -1 for none.
        path: number of the signpost's path.
        taken: space of the tile that is being placed, -1 for none.
        queue: the open queue of an expert game.
        box_count: tiles in the box.
        scorings: scorings so far.
        solo: progress of a solo game; None with several seats.
        campaign: progress of a campaign; None outside one.
    """

    title: str
    boards: tuple[Board, ...]
    tiles: Sequence[pb.SpringMeadowTile]
    hiking_map: pb.SpringMeadowHikingMap
    map_tiles: Sequence[int]
    path: int
    taken: int
    queue: Sequence[int]
    box_count: int
    scorings: Sequence[pb.SpringMeadowScoring]
    solo: pb.SpringMeadowSolo | None
    campaign: pb.SpringMeadowCampaign | None


def scene_of(view: game_pb2.GameView, catalogue: pb.SpringMeadowCatalogue, title: str = "") -> Scene:
    """The scene of a Spring Meadow view."""
    spring = view.spring_meadow
    decision = spring.decision
    return Scene(
        title=title or title_of(view, catalogue),
        boards=tuple(board_of(view, seat, catalogue) for seat in range(len(spring.boards))),
        tiles=catalogue.tiles,
        hiking_map=catalogue.hiking_maps[spring.hiking_map],
        map_tiles=spring.map_tiles,
        path=spring.path,
        taken=decision.space if decision.HasField("space") else -1,
        queue=spring.queue,
        box_count=spring.box_count,
        scorings=spring.scorings,
        solo=spring.solo if spring.HasField("solo") else None,
        campaign=spring.campaign if spring.HasField("campaign") else None,
    )


def seat_name(view: game_pb2.GameView, seat: int) -> str:
    """What to call a seat: its display name, else its bot, else its number counted from one."""
    if seat < len(view.seats):
        shown = view.seats[seat]
        if shown.display_name or shown.bot.bot:
            return shown.display_name or f"{shown.bot.bot} bot"
    return f"Seat {seat + 1}"


def seat_colour(view: game_pb2.GameView, seat: int) -> str:
    """The shade of a seat's colour."""
    if seat < len(view.seats):
        name = value_name(common_pb2.SeatColour, view.seats[seat].colour)
        if name in COLOURS:
            return COLOURS[name]
    return _SEAT_COLOURS[seat % len(_SEAT_COLOURS)]


def title_of(view: game_pb2.GameView, catalogue: pb.SpringMeadowCatalogue) -> str:
    """A line that says where the game stands."""
    spring = view.spring_meadow
    if not spring.HasField("decision"):
        winners = [seat_name(view, result.seat) for result in view.outcome.results if result.rank == 1]
        won = len(view.outcome.results) > 1
        return f"Spring Meadow: won by {' and '.join(winners)}" if won else "Spring Meadow: the game has ended"
    seat = seat_name(view, view.pending.seat)
    return f"Spring Meadow, turn {spring.turn}: {seat} {todo(spring.decision, catalogue)}"


def todo(decision: pb.SpringMeadowDecision, catalogue: pb.SpringMeadowCatalogue) -> str:
    """What a decision asks for, in words that go on after a name."""
    match decision.kind:
        case pb.SPRING_MEADOW_DECISION_KIND_CHOOSE_TILE:
            return "chooses a tile"
        case pb.SPRING_MEADOW_DECISION_KIND_PLACE_TILE:
            return f"places {catalogue.tiles[decision.tile].display_name}"
        case pb.SPRING_MEADOW_DECISION_KIND_PLACE_MARMOT:
            return "places a marmot"
        case pb.SPRING_MEADOW_DECISION_KIND_CHOOSE_ROCK:
            return "chooses the next rock"
        case pb.SPRING_MEADOW_DECISION_KIND_PLACE_ROCK:
            return f"places a rock of size {decision.rock_size}"
        case _:
            return "chooses a board"


def board_of(view: game_pb2.GameView, seat: int, catalogue: pb.SpringMeadowCatalogue) -> Board:
    """A seat's board."""
    board, columns = view.spring_meadow.boards[seat], catalogue.board_columns
    face = catalogue.boards[board.face] if board.HasField("face") else pb.SpringMeadowBoardFace()
    marmots, cleared = _cells(board.marmot_cells, columns), _cells(board.cleared_cells, columns)
    covered, holes = _cells(board.covered_cells, columns), _cells(board.hole_cells, columns)
    return Board(
        seat=seat,
        name=seat_name(view, seat),
        colour=seat_colour(view, seat),
        face=face.display_name,
        rows=catalogue.board_rows,
        columns=columns,
        pieces=tuple(_pieces(board, covered, holes, catalogue)),
        burrows=_cells(face.burrow_cells, columns) | marmots | cleared,
        covered=covered,
        cleared=cleared,
        marmots=marmots,
        full_rows=board.full_rows,
        start_rock=board.start_rock_size,
        pins=board.pins,
        line=board.running,
        counted=_counted(view, board),
        points=view.points[seat] if seat < len(view.points) else board.running.total,
        active=view.spring_meadow.HasField("decision") and view.spring_meadow.active_seat == seat,
    )


def _counted(view: game_pb2.GameView, board: pb.SpringMeadowBoard) -> str:
    """Where the points come from, in words."""
    line = board.running
    rows = f"{line.rows} {'row' if line.rows == 1 else 'rows'}"
    if view.spring_meadow.HasField("solo"):
        return f"{rows} full, {line.burrow_points} burrows cleared"
    return f"{rows} {line.row_points}  +  next row {line.partial_points}  +  burrows {line.burrow_points}"


def _cells(packed: bytes, columns: int) -> frozenset[Cell]:
    return frozenset(divmod(cell, columns) for cell in members(packed))


def form_of(forms: Iterable[pb.SpringMeadowForm], symmetry: int) -> pb.SpringMeadowForm:
    """The distinct form that a symmetry makes."""
    return next(form for form in forms if symmetry in form.symmetries)


def _pieces(
    board: pb.SpringMeadowBoard, covered: frozenset[Cell], holes: frozenset[Cell], catalogue: pb.SpringMeadowCatalogue
) -> Iterator[Piece]:
    known: list[Piece] = [_piece(piece, catalogue) for piece in board.pieces]
    in_pieces = frozenset().union(*(piece.cells for piece in known))
    in_holes = frozenset().union(*(piece.holes for piece in known))
    yield from _unknown_meadow(covered - in_pieces, holes - in_holes)
    yield from known


def _piece(piece: pb.SpringMeadowPiece, catalogue: pb.SpringMeadowCatalogue) -> Piece:
    is_rock = piece.WhichOneof("kind") == "rock"
    kind = catalogue.rocks[piece.rock] if is_rock else catalogue.tiles[piece.tile]
    form = form_of(kind.forms, piece.form)
    columns = catalogue.board_columns

    def laid(offsets: Iterable[int]) -> frozenset[Cell]:
        return frozenset((piece.row + cell // columns, piece.column + cell % columns) for cell in offsets)

    plant = "" if isinstance(kind, pb.SpringMeadowRock) else kind.scientific_name
    number = ROCK if is_rock else piece.tile
    return Piece(number, kind.display_name, plant, laid(form.cells), laid(form.hole_cells))


def _unknown_meadow(covered: frozenset[Cell], holes: frozenset[Cell]) -> Iterator[Piece]:
    """Connected parts of what is covered by nobody knows which tiles, as in a position written by hand."""
    left = set(covered | holes)
    while left:
        part, edge = set(), [min(left)]
        while edge:
            row, column = edge.pop()
            if (row, column) in left:
                left.discard((row, column))
                part.add((row, column))
                edge += [(row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)]
        yield Piece(UNKNOWN, "meadow", "", frozenset(part) & covered, frozenset(part) & holes)
