"""The greedy bot for Spring Meadow: it weighs its own board some turns ahead, with the tiles that lie open.

It looks at the view and the legal ids only. In the solo game everything but the box is open and nobody else takes a
tile, so its plans come true; with several seats they assume that the tiles it wants are still there.
`docs/bots.md` explains it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from meadow_engine.bots.bot import Bot
from meadow_engine.bots.spring_moves import (
    Lay,
    guess,
    lay_rocks,
    lay_tile,
    marmot_burrow,
    places_of,
    rock_lays,
    tile_lays,
    weigh,
)
from meadow_engine.bots.spring_stakes import Stakes
from meadow_engine.bots.spring_worth import POINT, Board, Outlook, full_rows
from meadow_engine.kernel.rng import Streams
from meadow_engine.spring_meadow.actions import (
    PLACE_MARMOT,
    PLACE_ROCK,
    PLACE_TILE,
    TAKE_TILE,
    ChooseBoard,
    action_space,
)
from meadow_engine.spring_meadow.catalogue import ROWS, Catalogue
from meadow_engine.spring_meadow.rocks import Rock
from meadow_engine.spring_meadow.solo import SOLO_TURNS, TILES_LEFT
from meadow_engine.spring_meadow.state import NONE
from meadow_engine.spring_meadow.view import PendingView, SpringView

CANDIDATES = 16
"""Ways to lay a tile that are looked at closely, rocks and all, of the hundreds that are guessed at."""
BEAM = 8
"""Boards that are followed from one turn to the next."""
SOLO_DEPTH = 6
"""Own turns a plan spans in the solo game."""
TABLE_DEPTH = 3
"""Own turns a plan spans with several seats, where others take tiles too."""
_PLANS = 32
"""Plans kept, so that the place of a tile need not be planned again after the tile was chosen."""


class Plan(NamedTuple):
    """What to do this turn: the space to take the tile from, and the tile's place (symmetry index * 90 + anchor)."""

    space: int
    place: int


class Node(NamedTuple):
    """A board after some turns.

    Attributes:
        score: its worth, and what was settled on the way.
        settled: points lost or likely won on the way, in units.
        board: the board.
        taken: spaces of the hiking map whose tiles it used, this turn's first.
        root: number of this turn's end it comes from.
    """

    score: int
    settled: int
    board: Board
    taken: tuple[int, ...]
    root: int


class Search:
    """The search for one decision of one seat."""

    def __init__(self, view: SpringView, seat: int, catalogue: Catalogue) -> None:
        self.view, self.seat, self.catalogue = view, seat, catalogue
        self.board = Board.of(view.mountains[seat])
        self.outlook = Outlook.of(view, seat)
        self._map = catalogue.map_for(view.seats)
        self._stakes = Stakes(view, seat, catalogue, TABLE_DEPTH)
        self._emptied: Sequence[int] = ()

    def plan(self, spaces: Sequence[int]) -> Plan:
        """The best tile of these spaces, and where it goes."""
        board, start_rock = self.board, self.view.mountains[self.seat].start_rock
        lays = tile_lays(list(self._by_tile(spaces)), board, self.outlook, self.catalogue)
        lays = [lays[place] for place in places_of(guess(lays, board, self.outlook), CANDIDATES)]
        ends = [lay_tile(board, lay, start_rock, self.outlook, self.catalogue) for lay in lays]
        taken = [self._best_space(spaces, lay, end) for lay, end in zip(lays, ends, strict=True)]
        best = self.best_end(ends, taken)
        return Plan(taken[best], lays[best].place)

    def _best_space(self, spaces: Sequence[int], lay: Lay, end: Board) -> int:
        """The space to take a tile from, if several hold its kind: with others at the table it may matter."""
        alike = [space for space in spaces if self.view.meadow_map[space] == lay.tile]
        if len(alike) == 1 or self.view.solo is not None:
            return alike[0]
        return max(alike, key=lambda space: self._stakes.worth(end, space, 0))

    def best_end(self, ends: Sequence[Board], spaces: Sequence[int] = ()) -> int:
        """Which board is the best to end this turn with.

        Args:
            ends: the boards.
            spaces: for each the space its tile is taken from; left out when that tile has left the map already.
        """
        self._emptied = spaces
        nodes = []
        for root, end in enumerate(ends):
            taken = (spaces[root],) if spaces else ()
            nodes.append(Node(0, self._settle(end, root, 0), end, taken, root))
        nodes = self._best_nodes(nodes, self.outlook)
        for later in range(1, self._depth):
            nodes = self._next_turn(nodes, later)
        return nodes[0].root

    @property
    def _depth(self) -> int:
        """Own turns to plan, the present one included."""
        solo = self.view.solo
        return TABLE_DEPTH if solo is None else min(SOLO_DEPTH, SOLO_TURNS - solo.turn + 1)

    def _next_turn(self, nodes: Sequence[Node], later: int) -> list[Node]:
        """The best boards one turn on."""
        outlook = Outlook.of(self.view, self.seat, later)
        options: list[tuple[int, Node, Lay | None, int]] = []
        for node in nodes:
            space_of = self._by_tile(self._spaces(node, later))
            lays = tile_lays(list(space_of), node.board, outlook, self.catalogue)
            if not lays:
                options.append((node.settled + weigh([node.board], outlook)[0], node, None, 0))
            guesses = guess(lays, node.board, outlook)
            options += [
                (node.settled + guesses[place], node, lays[place], space_of[lays[place].tile])
                for place in places_of(guesses, BEAM)
            ]
        ends: dict[tuple[Board, frozenset[int]], Node] = {}
        for place in places_of([option[0] for option in options], CANDIDATES):
            _, node, lay, space = options[place]
            board, taken = node.board, node.taken
            if lay is not None:
                board, taken = lay_tile(board, lay, 0, outlook, self.catalogue), (*taken, space)
            settled = node.settled + self._settle(board, node.root, later)
            ends.setdefault((board, frozenset(taken)), Node(0, settled, board, taken, node.root))
        return self._best_nodes(list(ends.values()), outlook)

    def _spaces(self, node: Node, later: int) -> list[int]:
        """Spaces of the path some own turns later that still hold a tile; none once the solo game is over."""
        meadow_map, paths = self.view.meadow_map, self._map.paths
        if self.view.solo is not None and sum(tile != NONE for tile in meadow_map) - len(node.taken) <= TILES_LEFT:
            return []
        path = paths[(self.view.path + later * self.view.seats) % len(paths)]
        return [space for space in path if meadow_map[space] != NONE and space not in node.taken]

    def _by_tile(self, spaces: Sequence[int]) -> dict[int, int]:
        """For each kind of tile on these spaces one that holds it."""
        return {self.view.meadow_map[space]: space for space in spaces}

    def _best_nodes(self, nodes: Sequence[Node], outlook: Outlook) -> list[Node]:
        worth = weigh([node.board for node in nodes], outlook)
        scores = [value + node.settled for value, node in zip(worth, nodes, strict=True)]
        return [nodes[place]._replace(score=scores[place]) for place in places_of(scores, BEAM)]

    def _settle(self, board: Board, root: int, later: int) -> int:
        """What a turn settles for good, in units: solo, the points that waiting rows lose; else the chance of a pin."""
        if self.view.solo is None:
            emptied = self._emptied[root] if self._emptied else NONE
            return self._stakes.worth(board, emptied, later)
        values = (*self._map.solo_values, 0)
        turn = self.view.path + later
        waiting = ROWS - full_rows(board.covered | self.outlook.burrows)
        return -POINT * waiting * (values[turn] - values[turn + 1])


@lru_cache(maxsize=_PLANS)
def _plan(view: SpringView, seat: int, spaces: tuple[int, ...], catalogue: Catalogue) -> Plan:
    return Search(view, seat, catalogue).plan(spaces)


def _plan_turn(view: SpringView, seat: int, catalogue: Catalogue, space: int) -> Plan:
    """The plan of a turn: for the tile taken from a space, or NONE if it is still to be chosen."""
    view = replace(view, pending=None)
    path = catalogue.map_for(view.seats).paths[view.path]
    plan = _plan(view, seat, tuple(sorted(there for there in path if view.meadow_map[there] != NONE)), catalogue)
    return plan if space in (NONE, plan.space) else _plan(view, seat, (space,), catalogue)


def choose_greedily(
    view: SpringView,
    legal_ids: Sequence[int],
    catalogue: Catalogue,
    streams: Streams,  # noqa: ARG001
) -> int:
    """The action at the head of the best plan."""
    waiting = view.pending
    assert waiting is not None
    if len(legal_ids) == 1:
        return legal_ids[0]
    match waiting.kind:
        case "choose_board":
            chosen = _choose_board(legal_ids, catalogue)
        case "choose_tile":
            chosen = TAKE_TILE + _plan_turn(view, waiting.seat, catalogue, NONE).space
        case "place_tile":
            chosen = PLACE_TILE + _plan_turn(view, waiting.seat, catalogue, waiting.space).place
        case "place_marmot":
            chosen = _place_marmot(legal_ids, Search(view, waiting.seat, catalogue))
        case "choose_rock":
            chosen = _choose_rock(waiting, Search(view, waiting.seat, catalogue))
        case _:
            chosen = _place_rock(waiting, legal_ids, Search(view, waiting.seat, catalogue))
    return chosen


def _place_marmot(legal_ids: Sequence[int], search: Search) -> int:
    """The cleared burrow that is missed least."""
    payable = sum(1 << action_id - PLACE_MARMOT for action_id in legal_ids)
    return PLACE_MARMOT + marmot_burrow(search.board, payable, search.outlook).bit_length() - 1


def _choose_rock(waiting: PendingView, search: Search) -> int:
    """The rock to begin with so that all of them lie best."""
    start = [Rock(waiting.start_rock, start=True)] if waiting.start_rock else []
    rocks = [*(Rock(size) for size in sorted(waiting.earned_rocks, reverse=True)), *start]
    ends = []
    for number, first in enumerate(rocks):
        order = [first, *rocks[:number], *rocks[number + 1 :]]
        ends.append(lay_rocks(search.board, order, search.outlook, search.catalogue))
    return rocks[search.best_end(ends)].choice


def _place_rock(waiting: PendingView, legal_ids: Sequence[int], search: Search) -> int:
    """The best place; if only burrows are left to lie on, the first one."""
    rock = Rock(waiting.rock_size, waiting.rock_is_start)
    lays = rock_lays(search.board, rock, search.outlook, search.catalogue)
    if not lays:
        return legal_ids[0]
    worth = weigh([lay.board for lay in lays], search.outlook)
    lays = [lays[place] for place in places_of(worth, CANDIDATES)]
    return PLACE_ROCK + lays[search.best_end([lay.board for lay in lays])].place


def _choose_board(legal_ids: Sequence[int], catalogue: Catalogue) -> int:
    """The face that looks best while it is empty: its burrows save spaces low down and leave the rest easy to fill."""
    first = action_space(catalogue).start(ChooseBoard)
    worth = []
    for action_id in legal_ids:
        burrows = catalogue.faces[action_id - first].burrows
        outlook = Outlook.on(burrows, 0, SOLO_TURNS, several=False)
        worth += weigh([Board(0, 0, 0)], outlook)
    return legal_ids[worth.index(max(worth))]


GREEDY_SPRING = Bot(
    "greedy",
    2,
    "Plans its own board three turns ahead, alone six, with the tiles that lie open; some milliseconds a decision.",
    choose_greedily,
)
