"""The greedy bot for Spring Meadow: the tile and place that improve its own board most, one turn ahead."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from meadow_engine.bots.bot import Bot
from meadow_engine.kernel.rng import Streams
from meadow_engine.spring_meadow.actions import PLACE_MARMOT, PLACE_ROCK, PLACE_TILE, TAKE_TILE, rock_forms
from meadow_engine.spring_meadow.catalogue import CELLS, COLUMNS, FULL, ROW, ROWS, Catalogue, Form
from meadow_engine.spring_meadow.placement import legal_anchors
from meadow_engine.spring_meadow.rocks import groups_of, neighbours, rock_size
from meadow_engine.spring_meadow.state import Mountain
from meadow_engine.spring_meadow.view import MountainView, SpringView

ROW_WEIGHTS = (3.0, 2.2, 1.5, 1.0, 0.7, 0.5, 0.4, 0.3, 0.2)
"""Worth of a covered space by how many rows it lies above the first incomplete row."""
ROW_DONE = 4.0
"""Worth of completing a row, beside its spaces."""
CLEARED_BURROW = 1.6
"""Worth of a cleared burrow: a point in every scoring, and a place for a marmot."""
ROCK_SPACE = 1.8
"""Worth of each space of a rock about to be earned."""
LONE_SPACE = 1.2
"""Cost of a free space without a free neighbour: only the smallest rock fills it."""
NEAR_HOLE = 0.5
"""Worth of a hole left open beside other free spaces, where a later hole can join it."""


@dataclass(frozen=True, slots=True)
class Board:
    """The part of a board the bot thinks about, computed once a decision."""

    mountain: Mountain
    first_row: int
    free: int

    @classmethod
    def of(cls, view: MountainView) -> Board:
        """The board of a view."""
        mountain = Mountain(view.face, view.burrows, view.covered, view.holes, view.marmots)
        return cls(mountain, view.full_rows, mountain.free & ~view.burrows)

    def worth(self, covers: int, holes: int) -> float:
        """How much better the board gets by covering spaces and opening holes."""
        mountain = self.mountain
        covered = mountain.covered | covers | mountain.burrows
        worth = self._progress(covers & ~mountain.burrows, covered)
        new_holes = holes & ~mountain.holes
        open_holes = (mountain.holes & ~covers) | new_holes
        worth += CLEARED_BURROW * (
            (new_holes & mountain.burrows).bit_count()
            - (mountain.cleared & covers).bit_count()
            - (covers & mountain.burrows).bit_count()
        )
        for group in groups_of(open_holes, new_holes):
            worth += ROCK_SPACE * rock_size(group.bit_count())
            if neighbours(group) & self.free & ~covers:
                worth += NEAR_HOLE
        free = self.free & ~covers
        lone = free & ~neighbours(free) & ((1 << (self.first_row + 4) * COLUMNS) - 1)
        return worth - LONE_SPACE * lone.bit_count()

    def _progress(self, gained: int, covered: int) -> float:
        worth, row = 0.0, self.first_row
        gained >>= row * COLUMNS
        for weight in ROW_WEIGHTS:
            if not gained:
                break
            worth += weight * (gained & ROW).bit_count()
            gained >>= COLUMNS
        while row < ROWS and covered >> row * COLUMNS & ROW == ROW:
            worth += ROW_DONE
            row += 1
        return worth


def places(form: Form, board: Board) -> Iterator[tuple[int, int, int]]:
    """Anchor, covered spaces and holes of every way to lay a form."""
    anchors = legal_anchors(form, board.mountain)
    while anchors:
        bit = anchors & -anchors
        anchors ^= bit
        yield bit.bit_length() - 1, form.covered_mask * bit, form.hole_mask * bit


def best_place(forms: Sequence[Form], board: Board) -> tuple[float, int]:
    """The best worth of laying a tile anywhere, and its number among the placements (form * 90 + anchor)."""
    worth, place = max(
        (board.worth(covers, holes), -(form.index * CELLS + anchor))
        for form in forms
        for anchor, covers, holes in places(form, board)
    )
    return worth, -place


def choose_greedily(view: SpringView, legal_ids: Sequence[int], catalogue: Catalogue, streams: Streams) -> int:
    """The action of the most worth; the lowest id among equals."""
    waiting = view.pending
    assert waiting is not None
    if len(legal_ids) == 1 or waiting.kind in ("choose_board", "choose_rock"):
        return legal_ids[-1]
    board = Board.of(view.mountains[waiting.seat])
    match waiting.kind:
        case "choose_tile":
            tiles = [catalogue.tiles[view.meadow_map[action_id - TAKE_TILE]] for action_id in legal_ids]
            worths = [best_place(tile.forms, board)[0] for tile in tiles]
            return legal_ids[worths.index(max(worths))]
        case "place_tile":
            return PLACE_TILE + best_place(catalogue.tiles[waiting.tile].forms, board)[1]
        case "place_marmot":
            return min(legal_ids, key=lambda action_id: _use_of_hole(board.mountain, 1 << action_id - PLACE_MARMOT))
        case _:
            return max(legal_ids, key=lambda action_id: board.worth(_rock_covers(catalogue, action_id), 0))


def _use_of_hole(mountain: Mountain, hole: int) -> int:
    """Free neighbours of a hole and its group: the more, the sooner a later hole joins it."""
    group = next(groups_of(mountain.holes, hole))
    return (neighbours(group) & mountain.free & FULL).bit_count() + group.bit_count()


def _rock_covers(catalogue: Catalogue, action_id: int) -> int:
    place, anchor = divmod(action_id - PLACE_ROCK, CELLS)
    return rock_forms(catalogue)[place][1].covered_mask << anchor


GREEDY_SPRING = Bot(
    "greedy",
    1,
    "The tile and place that improve its own board most, one turn ahead; a few milliseconds.",
    choose_greedily,
)
