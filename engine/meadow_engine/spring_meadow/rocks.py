"""Groups of holes and the rocks they earn (rulebook: Rock Tiles)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from meadow_engine.kernel.actions import ids_of
from meadow_engine.kernel.errors import IllegalAction
from meadow_engine.kernel.stack import Decision, Step
from meadow_engine.spring_meadow.actions import (
    CHOICES_OF_ROCK,
    CHOOSE_ROCK,
    PLACE_ROCK,
    rock_choice,
    rock_forms,
)
from meadow_engine.spring_meadow.burrows import cover, owe_marmots
from meadow_engine.spring_meadow.catalogue import CELLS, COLUMNS, FULL, MAX_ROCK, ROWS, Form
from meadow_engine.spring_meadow.events import RockDropped, RockEarned, RockPlaced
from meadow_engine.spring_meadow.placement import explain, legal_anchors
from meadow_engine.spring_meadow.state import Mountain, SpringState, rock_piece

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


def sizes_allowed(size: int, start: bool) -> tuple[int, ...]:
    """The sizes that may be placed for a rock: an earned rock may be smaller by choice, the start rock keeps its size."""
    return (size,) if start else tuple(range(1, size + 1))


def forms_allowed(state: SpringState, size: int, start: bool) -> Iterator[tuple[int, int, Form]]:
    """The forms that may be placed for a rock: place in the order of ids, number of the shape, form."""
    sizes = sizes_allowed(size, start)
    for place, (shape, form) in enumerate(rock_forms(state.catalogue)):
        if state.catalogue.rocks[shape].size in sizes:
            yield place, shape, form


def rock_fits(state: SpringState, mountain: Mountain, size: int, start: bool) -> bool:
    """Whether a rock can be placed anywhere in any size allowed."""
    return any(legal_anchors(form, mountain) for _, _, form in forms_allowed(state, size, start))


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
                earned.append(size)
                state.out.emit(RockEarned(self.seat, size, group))
        if earned or mountain.start_rock:
            state.push(PlaceRocks(self.seat, mountain.start_rock, tuple(earned)))
            mountain.start_rock = 0


@dataclass(frozen=True, slots=True)
class PlaceRocks(Step[SpringState]):
    """Place pending rocks one after the other, in any order; a rock that fits nowhere is given up.

    Attributes:
        start: size of the start rock, 0 for none.
        earned: sizes of the rocks earned this turn.
    """

    seat: int
    start: int
    earned: tuple[int, ...]

    def run(self, state: SpringState) -> None:
        start, earned = self._fitting(state)
        if start and not earned:
            state.push(PlacingRock(self.seat, start, True))
        elif start or len(set(earned)) > 1:
            state.push(ChoosingRock(self.seat, start, earned))
        elif earned:
            state.push(PlaceRocks(self.seat, 0, earned[1:]))
            state.push(PlacingRock(self.seat, earned[0], False))

    def _fitting(self, state: SpringState) -> tuple[int, tuple[int, ...]]:
        mountain = state.mountains[self.seat]
        start, earned = self.start, []
        if start and not rock_fits(state, mountain, start, True):
            state.out.emit(RockDropped(self.seat, start, True))
            start = 0
        for size in self.earned:
            if rock_fits(state, mountain, size, False):
                earned.append(size)
            else:
                state.out.emit(RockDropped(self.seat, size, False))
        return start, tuple(earned)


@dataclass(frozen=True, slots=True)
class ChoosingRock(Decision[SpringState]):
    """Choose which of several unequal rocks comes next."""

    kind: ClassVar[str] = "choose_rock"
    seat: int
    start: int
    earned: tuple[int, ...]

    def legal_ids(self, state: SpringState) -> list[int]:
        first = [CHOOSE_ROCK + rock_choice(True, self.start)] if self.start else []
        return first + [CHOOSE_ROCK + rock_choice(False, size) for size in sorted(set(self.earned))]

    def check(self, state: SpringState, action_id: int) -> int:
        if not CHOOSE_ROCK <= action_id < CHOOSE_ROCK + CHOICES_OF_ROCK:
            raise IllegalAction("WRONG_DECISION", "the next rock has to be chosen", expected=self.kind)
        if action_id not in self.legal_ids(state):
            raise IllegalAction("ROCK_NOT_PENDING", "no such rock is waiting to be placed")
        return action_id

    def take(self, state: SpringState, action_id: int) -> None:
        if self.start and action_id == CHOOSE_ROCK + rock_choice(True, self.start):
            state.push(PlaceRocks(self.seat, 0, self.earned))
            state.push(PlacingRock(self.seat, self.start, True))
            return
        size = action_id - CHOOSE_ROCK - rock_choice(False, 1) + 1
        rest = list(self.earned)
        rest.remove(size)
        state.push(PlaceRocks(self.seat, self.start, tuple(rest)))
        state.push(PlacingRock(self.seat, size, False))


@dataclass(frozen=True, slots=True)
class PlacingRock(Decision[SpringState]):
    """Lay a rock: an earned one of its size or smaller, the start rock of its size."""

    kind: ClassVar[str] = "place_rock"
    seat: int
    size: int
    start: bool

    def legal_ids(self, state: SpringState) -> list[int]:
        mountain = state.mountains[self.seat]
        anchors = 0
        for place, _, form in forms_allowed(state, self.size, self.start):
            anchors |= legal_anchors(form, mountain) << place * CELLS
        return ids_of(anchors, PLACE_ROCK)

    def check(self, state: SpringState, action_id: int) -> int:
        forms = rock_forms(state.catalogue)
        if not PLACE_ROCK <= action_id < PLACE_ROCK + len(forms) * CELLS:
            raise IllegalAction("WRONG_DECISION", "a rock has to be placed", expected=self.kind)
        place, anchor = divmod(action_id - PLACE_ROCK, CELLS)
        shape, form = forms[place]
        size = state.catalogue.rocks[shape].size
        if size not in sizes_allowed(self.size, self.start):
            allowed = f"exactly {self.size}" if self.start else f"{self.size} or smaller"
            raise IllegalAction("ROCK_SIZE", f"the rock has size {allowed}, not {size}", size=size, allowed=self.size)
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
        state.out.emit(RockPlaced(self.seat, shape, form.index, row, column, self.start, count))
        owe_marmots(state, self.seat, count, places)
