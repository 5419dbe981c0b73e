"""What a seat can choose, and the fixed numbers of those choices.

The tile is not part of `PlaceTile`: it is the one that was taken. That keeps the action space at some 1,750 ids
instead of more than twenty thousand.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from meadow_engine.kernel.actions import ActionSpace, Block
from meadow_engine.spring_meadow.catalogue import CELLS, COLUMNS, MAP_SPACES, MAX_ROCK, ROWS, Catalogue, Form
from meadow_engine.spring_meadow.state import PLACEMENTS, SYMMETRIES


@dataclass(frozen=True, slots=True)
class TakeTile:
    """Choose the tile on a space (0 to 24) of the signpost path."""

    space: int


@dataclass(frozen=True, slots=True)
class PlaceTile:
    """Lay the chosen tile: symmetry index 0 to 7, row and column of the lower left corner of its bounding box."""

    form: int
    row: int
    column: int


@dataclass(frozen=True, slots=True)
class PlaceMarmot:
    """Put a marmot on a cleared burrow."""

    row: int
    column: int


@dataclass(frozen=True, slots=True)
class ChooseRock:
    """Say which of several unequal rocks comes next: the start rock or an earned one, by size."""

    start: bool
    size: int


@dataclass(frozen=True, slots=True)
class PlaceRock:
    """Lay a rock: number of the shape, symmetry index, row and column of the lower left corner."""

    shape: int
    form: int
    row: int
    column: int


@dataclass(frozen=True, slots=True)
class ChooseBoard:
    """Take a mountain board with this face (number in the catalogue) up."""

    face: int


SpringAction = TakeTile | PlaceTile | PlaceMarmot | ChooseRock | PlaceRock | ChooseBoard

TAKE_TILE = 0
PLACE_TILE = TAKE_TILE + MAP_SPACES
PLACE_MARMOT = PLACE_TILE + PLACEMENTS
CHOOSE_ROCK = PLACE_MARMOT + CELLS
START_ROCKS = 3
CHOICES_OF_ROCK = START_ROCKS + MAX_ROCK
PLACE_ROCK = CHOOSE_ROCK + CHOICES_OF_ROCK


def cell_of(row: int, column: int) -> int:
    """The number of a space; ValueError off the board."""
    if not (0 <= row < ROWS and 0 <= column < COLUMNS):
        raise ValueError(f"row {row}, column {column} is not on the board")
    return row * COLUMNS + column


def rock_choice(action: ChooseRock) -> int:
    """The place of a choice of rock within its block; ValueError if there is no such rock."""
    if not 1 <= action.size <= (START_ROCKS if action.start else MAX_ROCK):
        raise ValueError(f"no {'start' if action.start else 'earned'} rock has size {action.size}")
    return action.size - 1 if action.start else START_ROCKS + action.size - 1


@lru_cache(maxsize=64)
def rock_forms(catalogue: Catalogue) -> tuple[tuple[int, Form], ...]:
    """All distinct forms of all rocks with their shape's number: the order of the ids of `PlaceRock`."""
    return tuple((rock.number, form) for rock in catalogue.rocks for form in rock.forms)


@lru_cache(maxsize=64)
def rock_form_places(catalogue: Catalogue) -> tuple[int, ...]:
    """For each shape * 8 + symmetry index, the place of its distinct form in `rock_forms`."""
    order = {(shape, form.index): place for place, (shape, form) in enumerate(rock_forms(catalogue))}
    return tuple(
        order[rock.number, rock.forms[rock.form_of[symmetry]].index]
        for rock in catalogue.rocks
        for symmetry in range(SYMMETRIES)
    )


@lru_cache(maxsize=64)
def action_space(catalogue: Catalogue) -> ActionSpace:
    """The action space of the family with this content."""
    return ActionSpace(
        [
            Block(TakeTile, MAP_SPACES, lambda a: _within(a.space, MAP_SPACES, "space"), TakeTile),
            Block(PlaceTile, PLACEMENTS, _tile_number, _tile_action),
            Block(PlaceMarmot, CELLS, lambda a: cell_of(a.row, a.column), lambda n: PlaceMarmot(*divmod(n, COLUMNS))),
            Block(ChooseRock, CHOICES_OF_ROCK, rock_choice, _rock_choice_action),
            _rock_block(catalogue),
            Block(
                ChooseBoard, len(catalogue.faces), lambda a: _within(a.face, len(catalogue.faces), "face"), ChooseBoard
            ),
        ]
    )


def _within(number: int, count: int, what: str) -> int:
    if not 0 <= number < count:
        raise ValueError(f"{what} {number} does not exist: they run from 0 to {count - 1}")
    return number


def _tile_number(action: PlaceTile) -> int:
    return _within(action.form, SYMMETRIES, "form") * CELLS + cell_of(action.row, action.column)


def _tile_action(number: int) -> PlaceTile:
    form, cell = divmod(number, CELLS)
    return PlaceTile(form, *divmod(cell, COLUMNS))


def _rock_choice_action(number: int) -> ChooseRock:
    return ChooseRock(True, number + 1) if number < START_ROCKS else ChooseRock(False, number - START_ROCKS + 1)


def _rock_block(catalogue: Catalogue) -> Block[PlaceRock]:
    forms, places = rock_forms(catalogue), rock_form_places(catalogue)

    def number(action: PlaceRock) -> int:
        shape = _within(action.shape, len(catalogue.rocks), "rock shape")
        place = places[shape * SYMMETRIES + _within(action.form, SYMMETRIES, "form")]
        return place * CELLS + cell_of(action.row, action.column)

    def action(number: int) -> PlaceRock:
        place, cell = divmod(number, CELLS)
        shape, form = forms[place]
        return PlaceRock(shape, form.index, *divmod(cell, COLUMNS))

    return Block(PlaceRock, len(forms) * CELLS, number, action)
