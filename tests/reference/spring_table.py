"""Spring Meadow by brute force, first part: boards, pieces, and the steps of a turn.

Written from the rulebook and `docs/rulings.md` alone, as a second opinion on the engine. It shares no code and no table
with it: a board is sets of (row, column) pairs, every list is made by trying everything, and the flow of the game is a
plain generator that yields each question and is sent the answer. It is slow, and meant to be obvious.

Rows count from the start edge, columns from the left, both from 0.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache

Cell = tuple[int, int]
Cells = frozenset[Cell]
Action = tuple[str, tuple[int, ...]]
"""Kind of answer and its numbers, such as ("place_tile", (form, row, column))."""
Pieces = dict[Action, tuple[Cells, Cells]]
"""Legal placements: the answer, the spaces it covers and the spaces its holes lie over."""

ROWS, COLUMNS = 9, 10


@dataclass(frozen=True)
class Kind:
    """A kind of Meadow tile as the pack writes it: name, spaces, holes, and how many there are in the box."""

    name: str
    cells: Cells
    holes: Cells
    copies: int


@dataclass(frozen=True)
class Contents:
    """What is in the box, everything by number: tile kinds, shapes of rocks, burrows and board of every face."""

    kinds: Sequence[Kind]
    rocks: Sequence[Cells]
    faces: Sequence[str]
    burrows: Sequence[Cells]
    board_of_face: Sequence[int]


@dataclass(frozen=True)
class Ask:
    """A question to a seat; `pieces` says, for placements, what each answer would cover."""

    seat: int
    kind: str
    answers: frozenset[Action]
    pieces: Pieces = field(default_factory=dict)


Play = Generator[Ask, Action, None]


@dataclass
class Chance:
    """What the shuffles gave, answered by the caller: tiles for spaces of the map, for the queue, for a new pile."""

    refill: Callable[[list[int]], list[int]]
    queue: Callable[[int], list[int]]
    pile: Callable[[], list[int]]


def orientations(cells: Cells, holes: Cells) -> list[tuple[int, Cells, Cells]]:
    """Every way of laying a piece that looks different, each with the first of the eight symmetries that gives it."""
    found: list[tuple[int, Cells, Cells]] = []
    for symmetry in range(8):
        # As complex numbers, right being 1 and up being i, a quarter turn clockwise is a multiplication by -i.
        turn = (-1j) ** (symmetry % 4)
        spots: list[list[complex]] = []
        for part in (cells, holes):
            numbers = (complex(-column if symmetry >= 4 else column, row) for row, column in part)
            spots.append([number * turn for number in numbers])
        low = min(round(spot.imag) for spot in spots[0] + spots[1])
        left = min(round(spot.real) for spot in spots[0] + spots[1])
        solid, open_ = (frozenset((round(s.imag) - low, round(s.real) - left) for s in part) for part in spots)
        if all((solid, open_) != (a, b) for _, a, b in found):
            found.append((symmetry, solid, open_))
    return found


def shifted(cells: Cells, row: int, column: int) -> Cells:
    """The spaces moved up and right."""
    return frozenset((r + row, c + column) for r, c in cells)


@cache
def everywhere(cells: Cells, holes: Cells) -> tuple[tuple[int, int, int, Cells, Cells], ...]:
    """Every place on an empty board: form, row, column, and the spaces that are covered and opened there."""
    return tuple(
        (form, row, column, shifted(solid, row, column), shifted(open_, row, column))
        for form, solid, open_ in orientations(cells, holes)
        for row in range(ROWS)
        for column in range(COLUMNS)
        if all(r + row < ROWS and c + column < COLUMNS for r, c in solid | open_)
    )


def signpost_paths(*, diagonals: bool) -> list[list[int]]:
    """The paths in the order the signpost visits them, each as the map spaces it runs over (ruling S10)."""
    columns = [[row * 5 + column for row in range(5)] for column in range(5)]
    rows = [[row * 5 + column for column in range(5)] for row in range(5)]
    falling = [[row * 5 + row for row in range(5)]] if diagonals else []
    rising = [[row * 5 + 4 - row for row in range(5)]] if diagonals else []
    return columns + rising + rows + falling + columns[::-1] + rising + rows[::-1] + falling


@dataclass
class Board:
    """A mountain board: what lies on it, and the counts that the rules ask for."""

    burrows: Cells
    covered: set[Cell] = field(default_factory=set)
    holes: set[Cell] = field(default_factory=set)
    """Spaces seen through a hole of a tile: snow, or a burrow without a marmot."""
    marmots: set[Cell] = field(default_factory=set)

    def cleared(self) -> set[Cell]:
        """Burrows seen through a hole, without a marmot."""
        return {cell for cell in self.burrows if cell in self.holes and cell not in self.marmots}

    def allows(self, cells: Cells, holes: Cells) -> bool:
        """Whether a piece may lie there (The Placement Rules, Burrows; rulings S2, S3)."""
        for taken in (self.covered, self.marmots):
            if not (cells.isdisjoint(taken) and holes.isdisjoint(taken)):
                return False
        buried = cells & self.burrows
        return not buried or len(buried) <= len(self.cleared() - cells)

    def counts(self, row: int) -> int:
        """How many spaces of a row count as covered; a burrow always does."""
        return sum((row, column) in self.covered or (row, column) in self.burrows for column in range(COLUMNS))

    def full_run(self) -> int:
        """How many rows are full without a gap, from the start edge."""
        run = 0
        while run < ROWS and self.counts(run) == COLUMNS:
            run += 1
        return run

    def group_of(self, start: Cell) -> Cells:
        """The holes joined to this one edge by edge."""
        group = {start}
        while True:
            joined = {
                (row, column)
                for row, column in self.holes
                if {(row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)} & group
            }
            if joined <= group:
                return frozenset(group)
            group |= joined

    def seat_marmot(self, cell: Cell) -> None:
        """Put a marmot on a cleared burrow, which is no hole any more."""
        self.holes.remove(cell)
        self.marmots.add(cell)


class Table:
    """What every kind of game has: a hiking map, boards, and the placing of tiles, marmots and rocks."""

    def __init__(self, contents: Contents, seats: int, chance: Chance) -> None:
        """An empty table; the game proper fills it."""
        self.contents = contents
        self.seats = seats
        self.chance = chance
        self.paths = signpost_paths(diagonals=seats in (1, 3))
        self.path = 0
        self.map: list[int | None] = [None] * 25
        self.queue: list[int] = []
        self.unseen = Counter({number: kind.copies for number, kind in enumerate(contents.kinds)})
        self.boards: list[Board | None] = [None] * seats
        self.faces = [-1] * seats

    def board(self, seat: int) -> Board:
        """The seat's board; it must have one."""
        board = self.boards[seat]
        assert board is not None
        return board

    def take_board(self, seat: int, face: int) -> None:
        """Lay a fresh board of this face before the seat."""
        self.faces[seat] = face
        self.boards[seat] = Board(self.contents.burrows[face])

    def kind_on(self, space: int) -> Kind:
        """The kind of the tile on a space of the map; there must be one."""
        tile = self.map[space]
        assert tile is not None
        return self.contents.kinds[tile]

    def draw(self, tiles: Iterable[int]) -> list[int]:
        """Note tiles that came out of the box, and that there were such tiles in it."""
        drawn = list(tiles)
        self.unseen.subtract(drawn)
        assert min(self.unseen.values(), default=0) >= 0, "a tile came once too often"
        return drawn

    def left_on_path(self) -> int:
        """How many tiles lie on the signpost's path."""
        return sum(self.map[space] is not None for space in self.paths[self.path])

    def tile_spots(self, seat: int, tile: int) -> Pieces:
        """Every legal placement of a tile."""
        board, kind = self.board(seat), self.contents.kinds[tile]
        return {
            ("place_tile", (form, row, column)): (cells, holes)
            for form, row, column, cells, holes in everywhere(kind.cells, kind.holes)
            if board.allows(cells, holes)
        }

    def rock_spots(self, seat: int, size: int, start: int) -> Pieces:
        """Every legal placement of a rock that is due: the start rock in its size, an earned one also smaller (S14)."""
        board = self.board(seat)
        return {
            ("place_rock", (shape, form, row, column)): (cells, holes)
            for shape, rock in enumerate(self.contents.rocks)
            if len(rock) == size or (len(rock) < size and not start)
            for form, row, column, cells, holes in everywhere(rock, frozenset())
            if board.allows(cells, holes)
        }

    def put(self, seat: int, cells: Cells, holes: Cells) -> Play:
        """Lay a piece, then place a marmot for each burrow it hides, on burrows that were cleared before (S2)."""
        board = self.board(seat)
        due = len(cells & board.burrows)
        payers = board.cleared() - cells
        board.covered |= cells
        board.holes = (board.holes - cells) | holes
        for _ in range(due):
            _, (row, column) = yield Ask(seat, "place_marmot", frozenset(("place_marmot", cell) for cell in payers))
            payers.remove((row, column))
            board.seat_marmot((row, column))

    def tile_step(self, seat: int) -> Generator[Ask, Action, list[int] | None]:
        """Choose and place a tile of the path if any fits; answers the sizes of the rocks earned, else None."""
        tiles = {space: self.map[space] for space in self.paths[self.path]}
        spots = {space: self.tile_spots(seat, tile) for space, tile in tiles.items() if tile is not None}
        takes = frozenset(("take_tile", (space,)) for space in spots if spots[space])
        if not takes:
            return None
        _, (space,) = yield Ask(seat, "choose_tile", takes)
        choice = yield Ask(seat, "place_tile", frozenset(spots[space]), spots[space])
        self.map[space] = None
        cells, holes = spots[space][choice]
        new_holes = holes - self.board(seat).holes
        yield from self.put(seat, cells, holes)
        groups = {self.board(seat).group_of(cell) for cell in new_holes}
        return [min(len(group) - 1, 4) for group in groups if len(group) >= 2]

    def rock_step(self, seat: int, start: int, earned: Sequence[int]) -> Play:
        """Place the rocks that are due in the order the seat likes; one that fits nowhere is dropped (S1, S7, S21)."""
        due = [(0, size) for size in earned] + ([(1, start)] if start else [])
        while due := [(is_start, size) for is_start, size in due if self.rock_spots(seat, size, is_start)]:
            is_start, size = due[0]
            if len(set(due)) > 1:
                _, (is_start, size) = yield Ask(seat, "choose_rock", frozenset(("choose_rock", rock) for rock in due))
            due.remove((is_start, size))
            spots = self.rock_spots(seat, size, is_start)
            choice = yield Ask(seat, "place_rock", frozenset(spots), spots)
            yield from self.put(seat, *spots[choice])
