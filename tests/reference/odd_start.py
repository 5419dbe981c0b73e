"""Starts that set-up never gives, the same on both sides: corners of the rules that ordinary games hardly reach."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from random import Random

from meadow_engine.kernel import stack
from meadow_engine.kernel.events import Event
from meadow_engine.spring_meadow.state import Mountain, SpringState
from meadow_engine.spring_meadow.turn import StartTurn

from tests.reference.spring_games import Match
from tests.reference.spring_table import COLUMNS, ROWS, Board, Cell, Table


@dataclass(frozen=True)
class OddStart:
    """What is odd.

    Attributes:
        box: how many tiles are left in the box, None for all: then it runs out in play.
        gaps: how many tiles are missing on the map, for refills larger than any in play.
        snow: the share of spaces still under snow when the game begins: full boards skip, drop rocks and end in
            stalemates.
    """

    box: int | None = None
    gaps: int = 0
    snow: float = 1.0

    def make(self, state: SpringState, table: Match, rng: Random) -> tuple[Event, ...]:
        """Change both sides and begin the first turn anew; what then happens on the engine's side is returned."""
        if self.box is not None:
            del state.box.items[self.box :]
            table.unseen = Counter(state.box.items)
        self.thin_out(state, table, rng)
        for seat, mountain in enumerate(state.mountains):
            self._fill(mountain, table.board(seat), rng)
        state.stack.clear()
        state.turn -= 1
        state.push(StartTurn(state.active))
        state.out = stack.Output()
        stack.run(state)
        return tuple(state.out.events)

    def thin_out(self, state: SpringState, table: Table, rng: Random) -> None:
        """Only take the missing tiles off the map; a lone player can begin so too, before choosing the board."""
        for space in rng.sample(range(25), self.gaps):
            state.meadow_map[space] = -1
            table.map[space] = None

    def _fill(self, mountain: Mountain, board: Board, rng: Random) -> None:
        for cell in ((row, column) for row in range(ROWS) for column in range(COLUMNS)):
            if rng.random() > self.snow:
                self._lay(mountain, board, cell, rng.random())

    @staticmethod
    def _lay(mountain: Mountain, board: Board, cell: Cell, lot: float) -> None:
        bit = 1 << cell[0] * COLUMNS + cell[1]
        if lot < 0.1:
            mountain.holes |= bit
            board.holes.add(cell)
        elif lot < 0.4 and cell in board.burrows:
            mountain.marmots |= bit
            board.marmots.add(cell)
        else:
            mountain.covered |= bit
            board.covered.add(cell)
