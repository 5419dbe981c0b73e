"""Ways to lay tiles and rocks, and the boards that come of it, as the greedy bot plans them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from meadow_engine.bots import lanes
from meadow_engine.bots.spring_worth import Board, Outlook, group_sizes, worths
from meadow_engine.spring_meadow.catalogue import CELLS, COLUMNS, FULL, ROWS, Catalogue, Form
from meadow_engine.spring_meadow.placement import legal_anchors
from meadow_engine.spring_meadow.rocks import Rock, forms_allowed, groups_of, rock_size
from meadow_engine.spring_meadow.state import NONE, Mountain

TILE_ROWS = 3
"""Tiles are tried with their lowest space in the first unfinished rows, so many of them."""
ROCK_ROWS = 2
"""Rocks likewise."""


class Lay(NamedTuple):
    """A way to lay a tile.

    Attributes:
        tile: the tile's kind.
        place: number among the tile's placements: symmetry index * 90 + anchor.
        covers, holes: the spaces it covers and those under its holes, as `lanes.pack` takes them.
        groups: how many groups its holes are, for themselves.
    """

    tile: int
    place: int
    covers: bytes
    holes: bytes
    groups: int


class RockLay(NamedTuple):
    """A way to lay a rock: its number among the placements of rocks, and the board afterwards."""

    place: int
    board: Board


def weigh(boards: Sequence[Board], outlook: Outlook) -> list[int]:
    """The worth of each board."""
    found: list[int] = []
    for start in range(0, len(boards), lanes.LANES):
        some = boards[start : start + lanes.LANES]
        covered = lanes.pack([lanes.to_lane(board.covered) for board in some])
        holes = lanes.pack([lanes.to_lane(board.holes) for board in some])
        found += worths(covered, holes, len(some), outlook)
    return found


def places_of(worth: Sequence[int], count: int) -> list[int]:
    """The places of the highest numbers, best first, the earlier one first among equals."""
    return sorted(range(len(worth)), key=worth.__getitem__, reverse=True)[:count]


def tile_lays(tiles: Sequence[int], board: Board, outlook: Outlook, catalogue: Catalogue) -> list[Lay]:
    """Ways to lay any of these tiles in the first unfinished rows; of a tile that fits only further up, all ways."""
    lays: list[Lay] = []
    low = _first_rows(outlook.first_row + TILE_ROWS)
    for tile in tiles:
        known = len(lays)
        for form, lays_of_form in _all_lays(tile, catalogue):
            anchors = _low_anchors(form, board, outlook.burrows, low)
            lays += [lays_of_form[bit.bit_length() - 1] for bit in _bits(anchors)]
        if len(lays) == known:
            mountain = Mountain(NONE, outlook.burrows, *board)
            for form, lays_of_form in _all_lays(tile, catalogue):
                lays += [lays_of_form[bit.bit_length() - 1] for bit in _bits(legal_anchors(form, mountain))]
    return lays


def guess(lays: Sequence[Lay], board: Board, outlook: Outlook) -> list[int]:
    """About what the board is worth after each lay: marmots left out, rocks only counted."""
    found = []
    for start in range(0, len(lays), lanes.LANES):
        some = lays[start : start + lanes.LANES]
        count = len(some)
        old_holes = lanes.in_lanes(board.holes, count)
        covers = lanes.pack([lay.covers for lay in some])
        new_holes = lanes.pack([lay.holes for lay in some]) & ~old_holes
        holes = old_holes & ~covers | new_holes
        values = worths(lanes.in_lanes(board.covered, count) | covers, holes, count, outlook)
        sizes = group_sizes(holes, new_holes, count)
        found += [
            # the rock of a group is a space smaller than the group
            worth + outlook.rock[max(0, size - lay.groups)]
            for worth, size, lay in zip(values, sizes, some, strict=True)
        ]
    return found


def lay_tile(board: Board, lay: Lay, start_rock: int, outlook: Outlook, catalogue: Catalogue) -> Board:
    """The board after a tile, its marmots and its rocks."""
    covers, holes = int.from_bytes(lay.covers, "little"), int.from_bytes(lay.holes, "little")
    new_holes = holes & ~board.holes
    burrows_covered = (covers & outlook.burrows).bit_count()
    payable = board.holes & outlook.burrows & ~covers
    board = Board(board.covered | covers, board.holes & ~covers | new_holes, board.marmots)
    for _ in range(burrows_covered):
        burrow = marmot_burrow(board, payable, outlook)
        payable &= ~burrow
        board = with_marmot(board, burrow)
    sizes = sorted((rock_size(group.bit_count()) for group in groups_of(board.holes, new_holes)), reverse=True)
    rocks = [Rock(size) for size in sizes if size]
    if start_rock:
        rocks.append(Rock(start_rock, start=True))
    return lay_rocks(board, rocks, outlook, catalogue)


def with_marmot(board: Board, burrow: int) -> Board:
    """The board with a marmot on a cleared burrow."""
    return Board(board.covered, board.holes & ~burrow, board.marmots | burrow)


def marmot_burrow(board: Board, payable: int, outlook: Outlook) -> int:
    """The burrow, of those that can take a marmot, that leaves the best board."""
    burrows = list(_bits(payable))
    worth = weigh([with_marmot(board, burrow) for burrow in burrows], outlook)
    return burrows[worth.index(max(worth))]


def lay_rocks(board: Board, rocks: Sequence[Rock], outlook: Outlook, catalogue: Catalogue) -> Board:
    """The board after these rocks in turn, each laid as well as can be; one that fits nowhere is given up."""
    for rock in rocks:
        lays = rock_lays(board, rock, outlook, catalogue)
        if lays:
            worth = weigh([lay.board for lay in lays], outlook)
            board = lays[worth.index(max(worth))].board
    return board


def rock_lays(board: Board, rock: Rock, outlook: Outlook, catalogue: Catalogue) -> list[RockLay]:
    """Ways to lay a rock without covering a burrow, in the first unfinished rows if there are any."""
    gaps = FULL & ~(board.covered | outlook.burrows)
    first_row = ((gaps & -gaps).bit_length() - 1) // COLUMNS
    lays: list[RockLay] = []
    for within in (_first_rows(first_row + ROCK_ROWS), FULL):
        for place, form in forms_allowed(catalogue, rock).items():
            anchors = form.bounds & within
            for offset in form.covered_offsets:
                anchors &= gaps >> offset
            for bit in _bits(anchors):
                covers = form.covered_mask * bit
                after = Board(board.covered | covers, board.holes & ~covers, board.marmots)
                lays.append(RockLay(place * CELLS + bit.bit_length() - 1, after))
        if lays:
            break
    return lays


def _first_rows(rows: int) -> int:
    return (1 << min(rows, ROWS) * COLUMNS) - 1


def _bits(cells: int) -> Iterator[int]:
    while cells:
        bit = cells & -cells
        cells ^= bit
        yield bit


def _low_anchors(form: Form, board: Board, burrows: int, within: int) -> int:
    """Legal anchors within some spaces; left out are a few that cover several burrows, or a cleared one besides."""
    free = FULL & ~(board.covered | board.marmots)
    fits = form.bounds & within
    for offset in form.hole_offsets:
        fits &= free >> offset
    cleared = board.holes & burrows
    if not cleared:
        for offset in form.covered_offsets:
            fits &= (free & ~burrows) >> offset
        return fits
    one_burrow = more_burrows = on_cleared = 0
    for offset in form.covered_offsets:
        fits &= free >> offset
        burrow = burrows >> offset
        more_burrows |= one_burrow & burrow
        one_burrow |= burrow
        on_cleared |= cleared >> offset
    return fits & ~one_burrow | fits & ~more_burrows & ~on_cleared


@lru_cache(maxsize=512)
def _all_lays(tile: int, catalogue: Catalogue) -> tuple[tuple[Form, tuple[Lay, ...]], ...]:
    """A kind's forms, each with its lay at every anchor; what would leave the board is cut off."""
    found = []
    for form in catalogue.tiles[tile].forms:
        covers = [lanes.to_lane(form.covered_mask << anchor & FULL) for anchor in range(CELLS)]
        holes = [lanes.to_lane(form.hole_mask << anchor & FULL) for anchor in range(CELLS)]
        groups = sum(1 for _ in groups_of(form.hole_mask, form.hole_mask))
        first = form.index * CELLS
        found.append(
            (form, tuple(Lay(tile, first + anchor, covers[anchor], holes[anchor], groups) for anchor in range(CELLS)))
        )
    return tuple(found)
