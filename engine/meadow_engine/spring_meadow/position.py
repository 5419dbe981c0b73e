"""A position written as text, to start a scenario or a study from.

    spring_meadow seats 2 active 1 signpost 4 turn 9
    map T01 T02 --- --- T05      (five such lines)
    box T07 T08                  (top last; the rest of the box stays away)
    queue T09 T10                (expert variant only, next tile first)
    board 1A pins 1 start 2      (one per seat, then nine lines, row 9 first)
    9 ..........
    ...
    1 ##o#bc.mx.

Characters of a board: ``.`` snow, ``b`` burrow, ``#`` covered, ``o`` hole over snow, ``c`` cleared burrow, ``m`` marmot
on a burrow, ``x`` covered burrow. The burrows are those drawn. The position begins with the active seat's turn, before
the test for a scoring phase; ``idle`` in its first line is how many turns went by without a tile. With one seat it is
a solo game, whose rows full at the beginning have been scored.
"""

from __future__ import annotations

from collections.abc import Mapping

from meadow_engine.kernel.errors import BadNotation
from meadow_engine.kernel.rng import SEED_BYTES, Streams
from meadow_engine.kernel.stack import Frame, run
from meadow_engine.kernel.zones import HiddenPile
from meadow_engine.spring_meadow.actions import START_ROCKS
from meadow_engine.spring_meadow.catalogue import COLUMNS, MAP_SPACES, ROWS, Catalogue
from meadow_engine.spring_meadow.notation import (
    BURROW,
    CLEARED,
    COVERED,
    COVERED_BURROW,
    HOLE,
    MARMOT,
    SNOW,
)
from meadow_engine.spring_meadow.scoring import PINS_TO_WIN, full_rows
from meadow_engine.spring_meadow.solo import SoloTurn
from meadow_engine.spring_meadow.state import NONE, Mountain, RowScore, SoloGame, SpringState
from meadow_engine.spring_meadow.turn import StartTurn
from meadow_engine.spring_meadow.view import MAX_SEATS

_SYMBOLS = {SNOW, BURROW, COVERED, HOLE, CLEARED, MARMOT, COVERED_BURROW}
_GAP = "---"
_HEAD = {"seats": (1, MAX_SEATS), "active": (0, MAX_SEATS), "signpost": (0, 99), "turn": (1, 999), "idle": (0, 999)}
_BOARD = {"pins": (0, PINS_TO_WIN - 1), "start": (0, START_ROCKS)}
"""The numbers a line may name, each with its least and its greatest value."""


def parse_position(catalogue: Catalogue, text: str) -> SpringState:
    """The state of a position's text, run to its first decision.

    Raises:
        BadNotation: naming the line that is wrong.
    """
    lines = [line.strip() for line in text.strip().splitlines() if line.strip()]
    name, *words = lines[0].split() if lines else [""]
    if name != "spring_meadow":
        raise BadNotation("a position begins with: spring_meadow seats N active N signpost N turn N")
    numbers = _numbers(words, _HEAD)
    state = SpringState(catalogue, numbers.get("seats", 2), Streams(bytes(SEED_BYTES)))
    state.active = numbers.get("active", 0)
    state.signpost = numbers.get("signpost", 0)
    state.turn = numbers.get("turn", 1) - 1
    state.idle_turns = numbers.get("idle", 0)
    if state.active >= state.seats or state.signpost >= len(state.hiking_map.paths):
        raise BadNotation(f"there is no seat {state.active}, or no path {state.signpost}, with {state.seats} seats")
    _read_body(state, lines[1:])
    if len(state.mountains) != state.seats or len(state.meadow_map) != MAP_SPACES:
        raise BadNotation(f"{len(state.mountains)} boards and {len(state.meadow_map)} spaces of the map are given")
    first: Frame[SpringState] = StartTurn(state.active)
    if state.seats == 1:
        state.solo = SoloGame([RowScore(row, turn=0, value=0) for row in range(full_rows(state.mountains[0]))])
        first = SoloTurn()
    state.push(first)
    run(state)
    return state


def _read_body(state: SpringState, lines: list[str]) -> None:
    rest = iter(lines)
    for line in rest:
        word, *words = line.split()
        if word == "map":
            state.meadow_map += [NONE if name == _GAP else _tile(state.catalogue, name) for name in words]
        elif word == "box":
            state.box = HiddenPile([_tile(state.catalogue, name) for name in words])
        elif word == "queue":
            state.expert = True
            state.queue = [_tile(state.catalogue, name) for name in words]
        elif word == "board":
            state.mountains.append(_mountain(state.catalogue, words, [next(rest, "") for _ in range(ROWS)]))
        else:
            raise BadNotation(f"line {line!r}: expected map, box, queue or board")


def _numbers(words: list[str], known: Mapping[str, tuple[int, int]]) -> dict[str, int]:
    """Names and numbers in turn."""
    if len(words) % 2 or not set(words[::2]) <= known.keys():
        raise BadNotation(f"{' '.join(words)!r}: expected numbers, each after its name: {', '.join(known)}")
    numbers = {}
    for name, word in zip(words[::2], words[1::2], strict=True):
        least, greatest = known[name]
        if not (word.isascii() and word.isdigit() and len(word) < 5 and least <= int(word) <= greatest):
            raise BadNotation(f"{name} {word}: a number from {least} to {greatest}")
        numbers[name] = int(word)
    return numbers


def _tile(catalogue: Catalogue, name: str) -> int:
    if name not in catalogue.tile_ids:
        raise BadNotation(f"no tile {name!r}")
    return catalogue.tile_ids[name]


def _mountain(catalogue: Catalogue, words: list[str], rows: list[str]) -> Mountain:
    if not words or words[0] not in catalogue.face_ids:
        raise BadNotation(f"board {' '.join(words)}: no such face")
    numbers = _numbers(words[1:], _BOARD)
    board = Mountain(catalogue.face_ids[words[0]], pins=numbers.get("pins", 0), start_rock=numbers.get("start", 0))
    for row, line in zip(reversed(range(ROWS)), rows, strict=True):
        number, _, cells = line.partition(" ")
        if number != str(row + 1) or len(cells) != COLUMNS or not set(cells) <= _SYMBOLS:
            raise BadNotation(f"line {line!r}: expected {row + 1} and {COLUMNS} spaces")
        for column, symbol in enumerate(cells):
            _lay(board, symbol, 1 << row * COLUMNS + column)
    return board


def _lay(board: Mountain, symbol: str, bit: int) -> None:
    if symbol in (BURROW, CLEARED, MARMOT, COVERED_BURROW):
        board.burrows |= bit
    if symbol in (COVERED, COVERED_BURROW):
        board.covered |= bit
    if symbol in (HOLE, CLEARED):
        board.holes |= bit
    if symbol == MARMOT:
        board.marmots |= bit
