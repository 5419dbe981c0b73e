"""Scenes for the tests of rules: a position written down, answers given as text, boards read back as text.

A scene has its own little box: a tile is named by its drawing, so `##o` is a tile of two spaces and a hole. Positions
go through the engine's own notation. Rows of a board are written as the notation does, highest row first; rows left out
are snow.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from random import Random
from typing import TypeVar

import pytest
from meadow_engine.content.library import builtin_pack
from meadow_engine.kernel import stack
from meadow_engine.kernel.errors import IllegalAction
from meadow_engine.kernel.events import Event
from meadow_engine.spring_meadow import content, notation
from meadow_engine.spring_meadow.actions import action_space
from meadow_engine.spring_meadow.assembly import SpringFamily
from meadow_engine.spring_meadow.catalogue import Catalogue, TileKind, forms_of
from meadow_engine.spring_meadow.position import parse_position
from meadow_engine.spring_meadow.shapes import parse_drawing
from meadow_engine.spring_meadow.state import SpringState
from meadow_engine.spring_meadow.view import spring_view

EMPTY = "---"
FILLER = "##"
COLUMN_1 = (0, 5, 10, 15, 20)
"""The path where the signpost starts."""
SNOW_ROW = "." * 10

E = TypeVar("E", bound=Event)

FAMILY = SpringFamily()
VARIANTS = {variant.id: variant for variant in FAMILY.variants}


@cache
def box_of(drawings: tuple[str, ...]) -> Catalogue:
    """Rocks, boards and maps of the built-in pack, with these drawings as the kinds of tiles."""
    kinds = [
        TileKind(number, drawing, drawing, "", 1, *forms_of(parse_drawing(drawing)))
        for number, drawing in enumerate(drawings)
    ]
    return replace(
        content.catalogue(builtin_pack()),
        tiles=tuple(kinds),
        tile_ids={kind.id: kind.number for kind in kinds},
        box=tuple(kind.number for kind in kinds),
    )


def board_text(rows: str) -> str:
    """All nine rows of a board of which some are written down."""
    given = dict(line.split() for line in rows.strip().splitlines())
    return "\n".join(f"{number} {given.get(str(number), SNOW_ROW)}" for number in range(9, 0, -1))


class Scene:
    """A game in a written position, at the beginning of the active seat's turn."""

    def __init__(self, state: SpringState) -> None:
        self.state = state
        self.catalogue = state.catalogue
        self.events: list[Event] = list(state.out.events)

    @property
    def asks(self) -> str:
        """Who has to choose what, such as `0 place_tile`; `end` when the game is over."""
        decision = stack.pending(self.state)
        return f"{decision.seat} {decision.kind}" if decision else "end"

    def legal(self) -> set[str]:
        """The legal actions as text."""
        decision = stack.pending(self.state)
        assert decision is not None
        space = action_space(self.catalogue)
        return {notation.action_text(self.catalogue, space.action(i)) for i in decision.legal_ids(self.state)}

    def do(self, *actions: str) -> Scene:
        """Take actions one after the other; each must be listed. `events` then holds what all of them made happen."""
        self.events = []
        for text in actions:
            assert text in self.legal(), f"{text} is not among {sorted(self.legal())}"
            self.events += stack.apply(self.state, self._id(text)).events
        return self

    def take(self, text: str) -> Scene:
        """Take an action that need not be listed in this form."""
        self.events = stack.apply(self.state, self._id(text)).events
        return self

    def refuses(self, text: str) -> str:
        """The rule that forbids an action; it must be neither listed nor accepted, and change nothing."""
        before = FAMILY.clone(self.state)
        assert text not in self.legal()
        with pytest.raises(IllegalAction) as refusal:
            stack.apply(self.state, self._id(text))
        assert self.state == before
        return refusal.value.rule

    def happened(self, kind: type[E]) -> list[E]:
        """The events of a kind among `events`."""
        return [event for event in self.events if isinstance(event, kind)]

    def board(self, seat: int = 0) -> str:
        """The rows of a board that are not all snow, highest first."""
        lines = notation.board_lines(spring_view(self.state).mountains[seat])
        return "\n".join(line for line in lines if not line.endswith(SNOW_ROW))

    def map(self) -> list[str]:
        """The tiles on the hiking map, by space."""
        return [EMPTY if tile < 0 else self.catalogue.tiles[tile].id for tile in self.state.meadow_map]

    def play_on(self, seed: int = 0) -> Scene:
        """Take random actions to the end of the game; `events` then holds everything that happened."""
        rng = Random(seed)
        self.events = []
        while decision := stack.pending(self.state):
            self.events += stack.apply(self.state, rng.choice(decision.legal_ids(self.state))).events
        return self

    def _id(self, text: str) -> int:
        return action_space(self.catalogue).action_id(notation.parse_action(self.catalogue, text))


def scene(
    *boards: str,
    path: str = f"{FILLER} {FILLER} {FILLER} {FILLER} {FILLER}",
    hiking_map: str = "",
    box: str = "",
    queue: str | None = None,
    pins: Sequence[int] = (),
    start: Sequence[int] = (),
    active: int = 0,
    signpost: int = 0,
    turn: int = 20,
    idle: int = 0,
) -> Scene:
    """A scene.

    Args:
        boards: rows of each seat's board; one board is a solo game.
        path: tiles on column 1 from the top, where the signpost stands by default; the rest of the map holds fillers.
        hiking_map: all 25 spaces instead.
        box: tiles in the box, the next one last.
        queue: tiles in the open queue, next first; None without the expert variant.
        pins: hiking pins of each seat.
        start: start rocks still due to each seat.
        active: the seat whose turn begins.
        signpost: number of the path.
        turn: number of the turn.
        idle: turns in a row without a tile.
    """
    spaces = hiking_map.split() or [FILLER] * 25
    for space, tile in zip(COLUMN_1, path.split() if not hiking_map else (), strict=False):
        spaces[space] = tile
    text = [f"spring_meadow seats {len(boards)} active {active} signpost {signpost} turn {turn} idle {idle}"]
    text += ["map " + " ".join(spaces[row : row + 5]) for row in range(0, 25, 5)]
    text += [f"box {box}"] if box else []
    text += [f"queue {queue}"] if queue is not None else []
    for seat, rows in enumerate(boards):
        pin, rock = (numbers[seat] if numbers else 0 for numbers in (pins, start))
        text += [f"board 1A pins {pin} start {rock}", board_text(rows)]
    drawings = {*spaces, *box.split(), *(queue or "").split()} - {EMPTY}
    return Scene(parse_position(box_of(tuple(sorted(drawings))), "\n".join(text)))


def rows(text: str) -> str:
    """An expected board, as `Scene.board` gives it."""
    return "\n".join(line.strip() for line in text.strip().splitlines())


def new_game(seats: int, seed: int = 0, variant: str = "spring_meadow", **options: object) -> Scene:
    """A game with the built-in pack, after its set-up."""
    chosen = VARIANTS[variant]
    catalogue = content.catalogue(builtin_pack())
    state = FAMILY.new_state(chosen, catalogue, seats, chosen.read_options(options), seed.to_bytes(32, "big"))
    return Scene(state)
