"""Groups of holes and the rocks they earn (rulebook: Rock Tiles)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

from meadow_engine.kernel.actions import ids_of
from meadow_engine.kernel.errors import IllegalAction
from meadow_engine.kernel.stack import Decision, Step
from meadow_engine.spring_meadow.actions import (
    CHOOSE_ROCK,
    PLACE_ROCK,
    ChooseRock,
    rock_choice,
    rock_forms,
)
from meadow_engine.spring_meadow.burrows import cover, owe_marmots
from meadow_engine.spring_meadow.catalogue import CELLS, COLUMNS, FULL, MAX_ROCK, ROWS, Catalogue, Form
from meadow_engine.spring_meadow.events import RockDropped, RockEarned, RockPlaced
from meadow_engine.spring_meadow.placement import explain, fits, legal_anchors
from meadow_engine.spring_meadow.state import SpringState, rock_piece

_FIRST_COLUMN = sum(1 << row * COLUMNS for row in range(ROWS))
_LAST_COLUMN = _FIRST_COLUMN << COLUMNS - 1
_NOT_FIRST = FULL & ~_FIRST_COLUMN
_NOT_LAST = FULL & ~_LAST_COLUMN


def neighbours(cells: int) -> int:
    """All spaces horizontally or vertically beside these ones."""
    return (cells << COLUMNS | cells >> COLUMNS | (cells & _NOT_LAST) << 1 | (cells & _NOT_FIRST) >> 1) & FULL


def groups_of(holes: int, touched: int) -> Iterator[int]:
    """The connected sets of holes, single holes included, that contain at least one of the touched holes."""
    left = touched & holes
    while left:
        group, grown = 0, left & -left
        while grown != group:
            group = grown
            grown |= neighbours(group) & holes
        left &= ~group
        yield group


def rock_size(holes: int) -> int:
    """The size of the rock that a group of so many holes earns; 0 for a single hole."""
    return min(holes - 1, MAX_ROCK)


@dataclass(frozen=True, slots=True)
class Rock:
    """A rock to be placed: an earned one may be exchanged for a smaller one, the start rock keeps its size."""

    size: int
    start: bool = False

    @property
    def sizes(self) -> range:
        """The sizes that may be placed for it."""
        return range(self.size if self.start else 1, self.size + 1)

    @property
    def choice(self) -> int:
        """The id of choosing it as the next one."""
        return CHOOSE_ROCK + rock_choice(ChooseRock(self.start, self.size))


@lru_cache(maxsize=512)
def forms_allowed(catalogue: Catalogue, rock: Rock) -> dict[int, Form]:
    """The forms that may be placed for a rock, by their place in the order of ids."""
    forms = enumerate(rock_forms(catalogue))
    return {place: form for place, (shape, form) in forms if catalogue.rocks[shape].size in rock.sizes}


@dataclass(frozen=True, slots=True)
class ClaimRocks(Step[SpringState]):
    """Take a rock for each group that the new holes created or expanded; the first turn's rock joins them.

    Attributes:
        new_holes: spaces that this turn's tile made holes, marmots meanwhile excluded by the rules of burrows.
    """

    seat: int
    new_holes: int

    def run(self, state: SpringState) -> None:
        mountain = state.mountains[self.seat]
        earned = []
        for group in groups_of(mountain.holes, self.new_holes):
            size = rock_size(group.bit_count())
            if size:
                earned.append(Rock(size))
                state.out.emit(RockEarned(self.seat, size, group))
        place_rocks(state, self.seat, tuple(earned))


def place_rocks(state: SpringState, seat: int, earned: tuple[Rock, ...]) -> None:
    """Have earned rocks placed, and the rock taken at the start with the first turn's (rulebook: Set-up)."""
    mountain = state.mountains[seat]
    start = (Rock(mountain.start_rock, start=True),) if mountain.start_rock else ()
    mountain.start_rock = 0
    if start or earned:
        state.push(PlaceRocks(seat, start + earned))


@dataclass(frozen=True, slots=True)
class PlaceRocks(Step[SpringState]):
    """Place pending rocks one after the other, in any order; a rock that fits nowhere is given up."""

    seat: int
    rocks: tuple[Rock, ...]

    def run(self, state: SpringState) -> None:
        rocks = self._fitting(state)
        if len(set(rocks)) > 1:
            state.push(ChoosingRock(self.seat, rocks))
        elif rocks:
            place_next(state, self.seat, rocks[0], rocks)

    def _fitting(self, state: SpringState) -> tuple[Rock, ...]:
        mountain, fitting = state.mountains[self.seat], []
        for rock in self.rocks:
            if fits(forms_allowed(state.catalogue, rock).values(), mountain):
                fitting.append(rock)
            else:
                state.out.emit(RockDropped(self.seat, rock.size, rock.start))
        return tuple(fitting)


def place_next(state: SpringState, seat: int, rock: Rock, rocks: tuple[Rock, ...]) -> None:
    """Have one of several rocks placed now, and the others after it."""
    rest = list(rocks)
    rest.remove(rock)
    if rest:
        state.push(PlaceRocks(seat, tuple(rest)))
    state.push(PlacingRock(seat, rock))


@dataclass(frozen=True, slots=True)
class ChoosingRock(Decision[SpringState]):
    """Choose which of several unequal rocks comes next."""

    kind: ClassVar[str] = "choose_rock"
    seat: int
    rocks: tuple[Rock, ...]

    def legal_ids(self, state: SpringState) -> list[int]:
        return sorted({rock.choice for rock in self.rocks})

    def check(self, state: SpringState, action_id: int) -> int:
        if not CHOOSE_ROCK <= action_id < PLACE_ROCK:
            raise IllegalAction("WRONG_DECISION", "the next rock has to be chosen", expected=self.kind)
        if action_id not in self.legal_ids(state):
            raise IllegalAction("ROCK_NOT_PENDING", "no such rock is waiting to be placed")
        return action_id

    def take(self, state: SpringState, action_id: int) -> None:
        chosen = next(rock for rock in self.rocks if rock.choice == action_id)
        place_next(state, self.seat, chosen, self.rocks)


@dataclass(frozen=True, slots=True)
class PlacingRock(Decision[SpringState]):
    """Lay a rock: an earned one of its size or smaller, the start rock of its size."""

    kind: ClassVar[str] = "place_rock"
    seat: int
    rock: Rock

    def legal_ids(self, state: SpringState) -> list[int]:
        mountain = state.mountains[self.seat]
        anchors = 0
        for place, form in forms_allowed(state.catalogue, self.rock).items():
            anchors |= legal_anchors(form, mountain) << place * CELLS
        return ids_of(anchors, PLACE_ROCK)

    def check(self, state: SpringState, action_id: int) -> int:
        forms = rock_forms(state.catalogue)
        if not PLACE_ROCK <= action_id < PLACE_ROCK + len(forms) * CELLS:
            raise IllegalAction("WRONG_DECISION", "a rock has to be placed", expected=self.kind)
        place, anchor = divmod(action_id - PLACE_ROCK, CELLS)
        shape, form = forms[place]
        size, rock = state.catalogue.rocks[shape].size, self.rock
        if size not in rock.sizes:
            allowed = f"exactly {rock.size}" if rock.start else f"{rock.size} or smaller"
            raise IllegalAction("ROCK_SIZE", f"the rock has size {allowed}, not {size}", size=size, allowed=rock.size)
        mountain = state.mountains[self.seat]
        if not legal_anchors(form, mountain) >> anchor & 1:
            refusal = explain(form, anchor, mountain)
            assert refusal is not None
            raise refusal
        return action_id

    def take(self, state: SpringState, action_id: int) -> None:
        place, anchor = divmod(action_id - PLACE_ROCK, CELLS)
        shape, form = rock_forms(state.catalogue)[place]
        mountain = state.mountains[self.seat]
        count, places = cover(mountain, form.covered_mask << anchor)
        mountain.pieces.append(rock_piece(shape, form.index, anchor))
        row, column = divmod(anchor, COLUMNS)
        state.out.emit(RockPlaced(self.seat, shape, form.index, row, column, self.rock.start, count))
        owe_marmots(state, self.seat, count, places)
