"""What a viewer sees of a game of Spring Meadow.

All tiles on the table lie open; the only hidden thing is the order of the tiles in the box. So every viewer sees the
same, and `SpringView` has no field for the box beyond how many tiles it holds.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache

from meadow_engine.kernel.stack import Decision, pending
from meadow_engine.spring_meadow.burrows import PlacingMarmot
from meadow_engine.spring_meadow.catalogue import CELLS, COLUMNS, MAP_SPACES
from meadow_engine.spring_meadow.rocks import ChoosingRock, PlacingRock
from meadow_engine.spring_meadow.scoring import full_rows, score_line
from meadow_engine.spring_meadow.state import (
    NONE,
    CampaignGame,
    Mountain,
    RowScore,
    ScoreLine,
    ScoringPhase,
    SpringState,
    piece_parts,
)
from meadow_engine.spring_meadow.turn import PlacingTile

KEPT_BOARDS = 1024


@dataclass(frozen=True, slots=True)
class PieceView:
    """A placed tile or rock: its kind (tile) or shape (rock), symmetry index, lower left corner."""

    rock: bool
    kind: int
    form: int
    row: int
    column: int


@dataclass(frozen=True, slots=True)
class MountainView:
    """A seat's board. Sets of spaces are bit masks (bit = row * 10 + column).

    Attributes:
        face: number of the board face, -1 before it is chosen.
        pieces: tiles and rocks in the order they were placed.
        burrows, covered, holes, marmots, cleared: sets of spaces; see `state.Mountain`.
        full_rows: complete rows from the start edge.
        start_rock: size of the rock still due on the first turn, 0 for none.
        pins: hiking pins won.
        score: what the board would count in a scoring phase now, without picnic.
    """

    face: int
    pieces: tuple[PieceView, ...]
    burrows: int
    covered: int
    holes: int
    marmots: int
    cleared: int
    full_rows: int
    start_rock: int
    pins: int
    score: ScoreLine

    def __hash__(self) -> int:
        """Of some fields: to go through all pieces takes long, and boards that agree in these are hardly ever two."""
        return hash((self.face, self.covered, self.holes, self.marmots, self.start_rock, self.pins))


@dataclass(frozen=True, slots=True)
class PendingView:
    """What has to be chosen, and what it is about; fields that do not apply are -1, 0 or empty.

    Attributes:
        seat: who chooses.
        kind: choose_tile, place_tile, place_marmot, choose_rock, place_rock or choose_board.
        space, tile: the tile to be placed and where it lies on the hiking map.
        marmots: marmots still to be placed.
        start_rock, earned_rocks: sizes of the rocks to choose from.
        rock_size, rock_is_start: the rock to be placed.
    """

    seat: int
    kind: str
    space: int = NONE
    tile: int = NONE
    marmots: int = 0
    start_rock: int = 0
    earned_rocks: tuple[int, ...] = ()
    rock_size: int = 0
    rock_is_start: bool = False


@dataclass(frozen=True, slots=True)
class SoloView:
    """The solo game's own part.

    Attributes:
        turn: 1 to 24.
        path_value: points of a row completed on the current path.
        rows: the rows scored.
        burrow_points: cleared burrows, counted at the end.
        points: the total so far.
    """

    turn: int
    path_value: int
    rows: tuple[RowScore, ...]
    burrow_points: int
    points: int


@dataclass(frozen=True, slots=True)
class SpringView:
    """A whole game as everybody sees it.

    Attributes:
        seats: number of seats.
        meadow_map: tile kind on each of the 25 spaces of the hiking map, -1 for none.
        path: number of the signpost path.
        active: the seat whose turn it is.
        turn: turns begun; in a solo game 1 to 24.
        expert: whether refills come from the open queue.
        queue: the open queue, next tile first.
        box_count: tiles left in the box.
        mountains: the boards by seat.
        scorings: scoring phases so far.
        solo: None with several seats.
        campaign: finished games of a campaign; None outside one.
        pending: what has to be chosen; None when the game is over.
    """

    seats: int
    meadow_map: tuple[int, ...]
    path: int
    active: int
    turn: int
    expert: bool
    queue: tuple[int, ...]
    box_count: int
    mountains: tuple[MountainView, ...]
    scorings: tuple[ScoringPhase, ...]
    solo: SoloView | None
    campaign: tuple[CampaignGame, ...] | None
    pending: PendingView | None


def spring_view(state: SpringState) -> SpringView:
    """The view of any seat or spectator."""
    decision = pending(state)
    return SpringView(
        seats=state.seats,
        meadow_map=tuple(state.meadow_map),
        path=state.signpost,
        active=state.active,
        turn=state.turn,
        expert=state.expert,
        queue=tuple(state.queue),
        box_count=len(state.box),
        mountains=tuple([mountain_view(mountain) for mountain in state.mountains]),
        scorings=tuple(state.scorings),
        solo=_solo_view(state),
        campaign=tuple(state.campaign) if state.campaign is not None else None,
        pending=None if decision is None else _pending_view(state, decision),
    )


def mountain_view(mountain: Mountain) -> MountainView:
    """The view of a board."""
    return _mountain_view(
        mountain.face,
        mountain.burrows,
        mountain.covered,
        mountain.holes,
        mountain.marmots,
        mountain.start_rock,
        mountain.pins,
        tuple(mountain.pieces),
    )


@lru_cache(maxsize=KEPT_BOARDS)  # an action changes one board at most
def _mountain_view(
    face: int, burrows: int, covered: int, holes: int, marmots: int, start_rock: int, pins: int, pieces: tuple[int, ...]
) -> MountainView:
    mountain = Mountain(face, burrows, covered, holes, marmots, start_rock, pins)
    return MountainView(
        face=face,
        pieces=tuple([_piece_view(piece) for piece in pieces]),
        burrows=burrows,
        covered=covered,
        holes=holes,
        marmots=marmots,
        cleared=mountain.cleared,
        full_rows=full_rows(mountain),
        start_rock=start_rock,
        pins=pins,
        score=score_line(mountain, 0),
    )


@cache  # a placed piece stays as it is, and there are not many different ones
def _piece_view(piece: int) -> PieceView:
    rock, kind, form, anchor = piece_parts(piece)
    return PieceView(rock, kind, form, *divmod(anchor, COLUMNS))


def _solo_view(state: SpringState) -> SoloView | None:
    if state.solo is None:
        return None
    value = state.hiking_map.solo_values[state.signpost]
    solo = state.solo
    return SoloView(state.turn, value, tuple(solo.rows), solo.burrow_points, solo.points)


def _pending_view(state: SpringState, decision: Decision[SpringState]) -> PendingView:
    seat, kind = decision.seat, decision.kind
    if isinstance(decision, PlacingTile):
        return PendingView(seat, kind, space=decision.space, tile=state.meadow_map[decision.space])
    if isinstance(decision, PlacingMarmot):
        return PendingView(seat, kind, marmots=decision.count)
    if isinstance(decision, ChoosingRock):
        start = sum(rock.size for rock in decision.rocks if rock.start)
        earned = tuple(rock.size for rock in decision.rocks if not rock.start)
        return PendingView(seat, kind, start_rock=start, earned_rocks=earned)
    if isinstance(decision, PlacingRock):
        return PendingView(seat, kind, rock_size=decision.rock.size, rock_is_start=decision.rock.start)
    return PendingView(seat, kind)


_KINDS = ("choose_tile", "place_tile", "place_marmot", "choose_rock", "place_rock", "choose_board")
MAX_SEATS = 4
QUEUE_SHOWN = 20
_PLANES = 5
OBSERVATION_SIZE = len(_KINDS) + 9 + MAP_SPACES + QUEUE_SHOWN + MAX_SEATS * (_PLANES * CELLS + 4)


def spring_observation(state: SpringState, viewer: int | None) -> list[int]:
    """The view as `OBSERVATION_SIZE` small integers, seats starting with the viewer (a spectator: seat 0).

    Layout: one flag per kind of decision; seat to choose relative to the viewer (-1 at the end), tile to be placed (-1
    none), rock to be placed, path, turn, active seat (relative), expert, box count, solo points; tile kind per space of
    the map (-1 none); the queue (-1 none); then for four boards (zeros where there is none) the planes burrows,
    covered, holes, marmots, cleared of 90 flags each, and full rows, start rock, pins, running score.
    """
    view = spring_view(state)
    first = viewer or 0
    waiting = view.pending
    flags = [int(waiting is not None and waiting.kind == kind) for kind in _KINDS]
    head = [
        -1 if waiting is None else (waiting.seat - first) % view.seats,
        NONE if waiting is None else waiting.tile,
        0 if waiting is None else waiting.rock_size,
        view.path,
        view.turn,
        (view.active - first) % view.seats,
        int(view.expert),
        view.box_count,
        view.solo.points if view.solo else 0,
    ]
    queue = list(view.queue) + [NONE] * (QUEUE_SHOWN - len(view.queue))
    boards: list[int] = []
    for place in range(MAX_SEATS):
        boards += _board_numbers(view.mountains[(first + place) % view.seats] if place < view.seats else None)
    return flags + head + list(view.meadow_map) + queue + boards


def _board_numbers(board: MountainView | None) -> list[int]:
    if board is None:
        return [0] * (_PLANES * CELLS + 4)
    planes = (board.burrows, board.covered, board.holes, board.marmots, board.cleared)
    numbers = [plane >> cell & 1 for plane in planes for cell in range(CELLS)]
    return [*numbers, board.full_rows, board.start_rock, board.pins, board.score.total]
