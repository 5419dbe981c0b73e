"""Short English descriptions of actions in a position, for people and debugging."""

from __future__ import annotations

from meadow_engine.kernel.stack import pending
from meadow_engine.spring_meadow.actions import (
    ChooseBoard,
    ChooseRock,
    PlaceMarmot,
    PlaceRock,
    PlaceTile,
    SpringAction,
    TakeTile,
)
from meadow_engine.spring_meadow.notation import space_name
from meadow_engine.spring_meadow.state import NONE, SpringState
from meadow_engine.spring_meadow.turn import PlacingTile

_TURNS = ("", " turned 90°", " turned 180°", " turned 270°")


def orientation(form: int) -> str:
    """A symmetry index in words, empty for the piece as drawn."""
    return (" flipped" if form >= len(_TURNS) else "") + _TURNS[form % len(_TURNS)]


def label(state: SpringState, action: SpringAction) -> str:
    """What an action does, with the names of the content pack."""
    catalogue = state.catalogue
    match action:
        case TakeTile(space):
            tile = state.meadow_map[space]
            return f"take {catalogue.tiles[tile].name if tile != NONE else 'nothing'} from space {space}"
        case PlaceTile(form, row, column):
            decision = pending(state)
            name = decision.tile(state).name if isinstance(decision, PlacingTile) else "the tile"
            return f"place {name}{orientation(form)} at {space_name(row, column)}"
        case PlaceMarmot(row, column):
            return f"marmot on {space_name(row, column)}"
        case ChooseRock(start, size):
            return f"next the {'start' if start else 'earned'} rock of size {size}"
        case PlaceRock(shape, form, row, column):
            return f"place rock {catalogue.rocks[shape].name}{orientation(form)} at {space_name(row, column)}"
        case ChooseBoard(face):
            return f"play on board {catalogue.faces[face].id}, {catalogue.faces[face].name}"
