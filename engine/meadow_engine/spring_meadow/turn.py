"""A player's turn (rulebook: The Player Turn): signpost, tile, rocks, moving on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from meadow_engine.kernel.actions import ids_of
from meadow_engine.kernel.errors import IllegalAction
from meadow_engine.kernel.stack import Decision, Step
from meadow_engine.spring_meadow.actions import PLACE_MARMOT, PLACE_TILE, TAKE_TILE
from meadow_engine.spring_meadow.burrows import cover, owe_marmots
from meadow_engine.spring_meadow.catalogue import CELLS, COLUMNS, TileKind
from meadow_engine.spring_meadow.events import (
    SignpostMoved,
    SkipReason,
    TilePlaced,
    TileSkipped,
    TileTaken,
    TurnStarted,
)
from meadow_engine.spring_meadow.placement import explain, fits, legal_anchors
from meadow_engine.spring_meadow.refill import Refill
from meadow_engine.spring_meadow.rocks import ClaimRocks, place_rocks
from meadow_engine.spring_meadow.scoring import Score, scoring_triggered, stalemate
from meadow_engine.spring_meadow.state import NONE, SpringState, tile_piece


@dataclass(frozen=True, slots=True)
class StartTurn(Step[SpringState]):
    """Begin a seat's turn.

    Whether a scoring phase comes first is tested once, here; the turn goes on after its refill.
    """

    seat: int

    def run(self, state: SpringState) -> None:
        state.active = self.seat
        state.turn += 1
        state.out.emit(TurnStarted(self.seat, state.signpost))
        state.push(TakeTurn(self.seat))
        if scoring_triggered(state):
            state.push(Refill())
            state.push(Score(self.seat))
        elif stalemate(state):
            state.push(Refill())
            state.push(Score(self.seat, stalemate=True))


@dataclass(frozen=True, slots=True)
class TakeTurn(Step[SpringState]):
    """The turn itself, up to moving the signpost on."""

    seat: int

    def run(self, state: SpringState) -> None:
        state.push(MoveOn(self.seat))
        offer_tiles(state, self.seat)


@dataclass(frozen=True, slots=True)
class MoveOn(Step[SpringState]):
    """Move the signpost to the next path clockwise; the next seat begins (rulebook: Move On)."""

    seat: int

    def run(self, state: SpringState) -> None:
        state.signpost = (state.signpost + 1) % len(state.hiking_map.paths)
        state.out.emit(SignpostMoved(state.signpost))
        state.push(StartTurn((self.seat + 1) % state.seats))


def offer_tiles(state: SpringState, seat: int) -> None:
    """Ask which tile of the signpost path to take (rulebook: Signpost Path).

    The step is skipped only if none of them can be placed.
    """
    mountain, tiles, meadow_map = state.mountains[seat], state.catalogue.tiles, state.meadow_map
    on_path = state.path_spaces()
    placeable = tuple(space for space in on_path if fits(tiles[meadow_map[space]].forms, mountain))
    if placeable:
        state.push(ChoosingTile(seat, placeable))
        return
    state.idle_turns += 1
    state.out.emit(TileSkipped(seat, SkipReason.NONE_FITS if on_path else SkipReason.NO_TILE))
    place_rocks(state, seat, ())


@dataclass(frozen=True, slots=True)
class ChoosingTile(Decision[SpringState]):
    """Choose a tile of the signpost path.

    Attributes:
        spaces: those whose tile can be placed.
    """

    kind: ClassVar[str] = "choose_tile"
    seat: int
    spaces: tuple[int, ...]

    def legal_ids(self, state: SpringState) -> list[int]:
        return sorted(self.spaces)

    def check(self, state: SpringState, action_id: int) -> int:
        if not TAKE_TILE <= action_id < PLACE_TILE:
            raise IllegalAction("WRONG_DECISION", "a tile has to be chosen", expected=self.kind)
        space = action_id - TAKE_TILE
        if space in self.spaces:
            return action_id
        if space not in state.hiking_map.paths[state.signpost]:
            raise IllegalAction("NOT_ON_PATH", "the space is not on the signpost path", space=space)
        if state.meadow_map[space] == NONE:
            raise IllegalAction("EMPTY_SPACE", "no tile is left on the space", space=space)
        raise IllegalAction("TILE_DOES_NOT_FIT", "the tile cannot be placed anywhere on the board", space=space)

    def take(self, state: SpringState, action_id: int) -> None:
        space = action_id - TAKE_TILE
        state.out.emit(TileTaken(self.seat, space, state.meadow_map[space]))
        state.push(PlacingTile(self.seat, space))


@dataclass(frozen=True, slots=True)
class PlacingTile(Decision[SpringState]):
    """Lay the chosen tile, flipped and turned at will.

    Attributes:
        space: where on the hiking map the tile lies until then.
    """

    kind: ClassVar[str] = "place_tile"
    seat: int
    space: int

    def tile(self, state: SpringState) -> TileKind:
        """The tile to be laid."""
        return state.catalogue.tiles[state.meadow_map[self.space]]

    def legal_ids(self, state: SpringState) -> list[int]:
        mountain = state.mountains[self.seat]
        anchors = 0
        for form in self.tile(state).forms:
            anchors |= legal_anchors(form, mountain) << form.index * CELLS
        return ids_of(anchors, PLACE_TILE)

    def check(self, state: SpringState, action_id: int) -> int:
        if not PLACE_TILE <= action_id < PLACE_MARMOT:
            raise IllegalAction("WRONG_DECISION", "the chosen tile has to be placed", expected=self.kind)
        symmetry, anchor = divmod(action_id - PLACE_TILE, CELLS)
        tile = self.tile(state)
        form = tile.forms[tile.form_of[symmetry]]
        mountain = state.mountains[self.seat]
        if not legal_anchors(form, mountain) >> anchor & 1:
            refusal = explain(form, anchor, mountain)
            assert refusal is not None
            raise refusal
        return PLACE_TILE + form.index * CELLS + anchor

    def take(self, state: SpringState, action_id: int) -> None:
        symmetry, anchor = divmod(action_id - PLACE_TILE, CELLS)
        tile, mountain = self.tile(state), state.mountains[self.seat]
        form = tile.forms[tile.form_of[symmetry]]
        # a hole over an open hole adds none
        new_holes = form.hole_mask << anchor & ~mountain.holes
        count, places = cover(mountain, form.covered_mask << anchor)
        mountain.holes |= new_holes
        mountain.pieces.append(tile_piece(tile.number, symmetry, anchor))
        state.meadow_map[self.space] = NONE
        state.idle_turns = 0
        row, column = divmod(anchor, COLUMNS)
        state.out.emit(TilePlaced(self.seat, self.space, tile.number, symmetry, row, column, new_holes, count))
        state.push(ClaimRocks(self.seat, new_holes))
        owe_marmots(state, self.seat, count, places)
