"""The solo game and the campaign of four of them (rulebook: Solo Rules)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from meadow_engine.kernel.errors import IllegalAction
from meadow_engine.kernel.stack import Decision, Step
from meadow_engine.spring_meadow.actions import ChooseBoard, action_space
from meadow_engine.spring_meadow.catalogue import MAP_SPACES
from meadow_engine.spring_meadow.events import (
    BoardChosen,
    CampaignGameStarted,
    GameEnded,
    RowsCompleted,
    SignpostMoved,
    SoloGameEnded,
    TurnStarted,
)
from meadow_engine.spring_meadow.refill import Refill
from meadow_engine.spring_meadow.scoring import full_rows
from meadow_engine.spring_meadow.state import NONE, CampaignGame, Mountain, RowScore, SoloGame, SpringState
from meadow_engine.spring_meadow.turn import offer_tiles

SOLO_TURNS = 24
TILES_LEFT = 5
"""With so many tiles left on the hiking map the game ends."""
SOLO_OBJECTIVES = (140, 150)
"""A good game, an extraordinary one."""
CAMPAIGN_OBJECTIVES = (600,)
CAMPAIGN_GAMES = 4


@dataclass(frozen=True, slots=True)
class StartSoloGame(Step[SpringState]):
    """Deal 25 tiles onto the hiking map, take a board up, and begin at the first path."""

    game: int

    def run(self, state: SpringState) -> None:
        if state.campaign is not None:
            state.out.emit(CampaignGameStarted(self.game))
        state.solo = SoloGame()
        state.signpost = 0
        state.meadow_map = [NONE] * MAP_SPACES
        state.mountains = [Mountain()]
        state.push(SoloTurn())
        if state.faces:
            take_board(state, 0, state.faces[self.game])
        else:
            state.push(ChoosingBoard(0))
        state.push(Refill())


@dataclass(frozen=True, slots=True)
class ChoosingBoard(Decision[SpringState]):
    """Choose a mountain board and its face; in a campaign one not played on yet."""

    kind: ClassVar[str] = "choose_board"
    seat: int

    def faces(self, state: SpringState) -> list[int]:
        """Numbers of the faces that can still be chosen."""
        faces = state.catalogue.faces
        used = {faces[game.face].board for game in state.campaign or ()}
        return [face.number for face in faces if face.board not in used]

    def legal_ids(self, state: SpringState) -> list[int]:
        start = action_space(state.catalogue).start(ChooseBoard)
        return [start + face for face in self.faces(state)]

    def check(self, state: SpringState, action_id: int) -> int:
        start = action_space(state.catalogue).start(ChooseBoard)
        if not start <= action_id < start + len(state.catalogue.faces):
            raise IllegalAction("WRONG_DECISION", "a mountain board has to be chosen", expected=self.kind)
        if action_id - start not in self.faces(state):
            raise IllegalAction("BOARD_USED", "this board was played on in an earlier game", face=action_id - start)
        return action_id

    def take(self, state: SpringState, action_id: int) -> None:
        take_board(state, self.seat, action_id - action_space(state.catalogue).start(ChooseBoard))


def take_board(state: SpringState, seat: int, face: int) -> None:
    """Give a seat a mountain board with this face up."""
    state.mountains[seat].face = face
    state.mountains[seat].burrows = state.catalogue.faces[face].burrows
    state.out.emit(BoardChosen(seat, face))


@dataclass(frozen=True, slots=True)
class SoloTurn(Step[SpringState]):
    """One of the at most 24 turns; a path without tiles, or without one that fits, uses its turn up (Game Flow)."""

    def run(self, state: SpringState) -> None:
        state.turn = state.signpost + 1
        state.out.emit(TurnStarted(0, state.signpost))
        state.push(EndSoloTurn())
        offer_tiles(state, 0)


@dataclass(frozen=True, slots=True)
class EndSoloTurn(Step[SpringState]):
    """Note points for rows completed this turn; then the game ends or the signpost moves on (Points, Game End)."""

    def run(self, state: SpringState) -> None:
        note_rows(state)
        tiles_left = sum(tile != NONE for tile in state.meadow_map)
        if tiles_left <= TILES_LEFT or state.turn == SOLO_TURNS:
            state.push(EndSoloGame())
            return
        state.signpost += 1
        state.out.emit(SignpostMoved(state.signpost))
        state.push(SoloTurn())


def note_rows(state: SpringState) -> None:
    """Each row that joined the full run from the start edge scores the value of the current path."""
    assert state.solo is not None
    value = state.hiking_map.solo_values[state.signpost]
    before, after = len(state.solo.rows), full_rows(state.mountains[0])
    if after > before:
        state.solo.rows += [RowScore(row, state.turn, value) for row in range(before, after)]
        state.out.emit(RowsCompleted(after - before, value, state.solo.points))


@dataclass(frozen=True, slots=True)
class EndSoloGame(Step[SpringState]):
    """Add a point for each cleared burrow; a campaign goes on with its next game."""

    def run(self, state: SpringState) -> None:
        solo, mountain = state.solo, state.mountains[0]
        assert solo is not None
        solo.burrow_points = mountain.cleared.bit_count()
        game = len(state.campaign or ())
        state.out.emit(SoloGameEnded(game, solo.burrow_points, solo.points))
        if state.campaign is not None:
            state.campaign.append(CampaignGame(mountain.face, tuple(solo.rows), solo.burrow_points, solo.points))
            if len(state.campaign) < CAMPAIGN_GAMES:
                state.push(StartSoloGame(game + 1))
                return
        state.out.emit(GameEnded())


def band(points: int, objectives: tuple[int, ...]) -> int:
    """How many of the book's objectives these points reach."""
    return sum(points >= objective for objective in objectives)
