"""Scoring phases and the hiking pins (rulebook: Signpost, Scoring, Game End)."""

from __future__ import annotations

from dataclasses import dataclass

from meadow_engine.kernel.stack import Step
from meadow_engine.spring_meadow.burrows import cover_with_marmots
from meadow_engine.spring_meadow.catalogue import COLUMNS, ROW, ROWS
from meadow_engine.spring_meadow.events import GameEnded, MarmotsCovered, Scored, ScoringTriggered
from meadow_engine.spring_meadow.state import Mountain, ScoreLine, ScoringPhase, SpringState

PICNIC_POINTS = 2
PINS_TO_WIN = 2


def trigger_tiles(seats: int) -> int:
    """With how many tiles left on the signpost path, or fewer, a scoring phase is triggered."""
    return 2 if seats == 2 else 1


def scoring_triggered(state: SpringState) -> bool:
    """Whether too few tiles are left on the signpost path."""
    return len(state.path_spaces()) <= trigger_tiles(state.seats)


def stalemate(state: SpringState) -> bool:
    """Whether no seat has placed a tile for a whole circuit of the signpost (a ruling: the book is silent)."""
    return state.idle_turns >= len(state.hiking_map.paths)


def full_rows(mountain: Mountain) -> int:
    """Complete rows from the start edge up to the first incomplete one; burrows count as covered."""
    counted = mountain.covered | mountain.burrows
    rows = 0
    while rows < ROWS and counted >> rows * COLUMNS & ROW == ROW:
        rows += 1
    return rows


def score_line(mountain: Mountain, picnic: int) -> ScoreLine:
    """The points of a board: full rows, the first incomplete row's covered spaces, cleared burrows, picnic."""
    rows = full_rows(mountain)
    counted = mountain.covered | mountain.burrows
    partial = (counted >> rows * COLUMNS & ROW).bit_count()
    return ScoreLine(rows, partial, mountain.cleared.bit_count(), picnic)


def pin_winner(lines: tuple[ScoreLine, ...], active: int) -> int:
    """The seat with the most points; of tied seats the first one clockwise after the active one, who comes last."""
    clockwise = [(active + step) % len(lines) for step in range(1, len(lines) + 1)]
    return max(clockwise, key=lambda seat: lines[seat].total)


@dataclass(frozen=True, slots=True)
class Score(Step[SpringState]):
    """Count a scoring phase: the winner takes a hiking pin and puts marmots on all its cleared burrows."""

    seat: int
    stalemate: bool = False

    def run(self, state: SpringState) -> None:
        state.out.emit(ScoringTriggered(self.seat, self.stalemate))
        state.idle_turns = 0
        lines = tuple(
            score_line(mountain, PICNIC_POINTS if seat == self.seat else 0)
            for seat, mountain in enumerate(state.mountains)
        )
        winner = pin_winner(lines, self.seat)
        board = state.mountains[winner]
        board.pins += 1
        state.scorings.append(ScoringPhase(self.seat, lines, winner))
        state.out.emit(Scored(self.seat, lines, winner, board.pins))
        if board.pins == PINS_TO_WIN:
            state.stack.clear()
            state.out.emit(GameEnded())
        elif board.cleared:
            state.out.emit(MarmotsCovered(winner, board.cleared))
            cover_with_marmots(board, board.cleared)
