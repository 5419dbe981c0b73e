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

from meadow_engine.kernel.errors import BadNotation
from meadow_engine.kernel.rng import SEED_BYTES, Streams
from meadow_engine.kernel.stack import Frame, run
from meadow_engine.kernel.zones import HiddenPile
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
from meadow_engine.spring_meadow.scoring import full_rows
from meadow_engine.spring_meadow.solo import SoloTurn
from meadow_engine.spring_meadow.state import NONE, Mountain, RowScore, SoloGame, SpringState
from meadow_engine.spring_meadow.turn import StartTurn

_SYMBOLS = {SNOW, BURROW, COVERED, HOLE, CLEARED, MARMOT, COVERED_BURROW}


def parse_position(catalogue: Catalogue, text: str) -> SpringState:
    """The state of a position's text, run to its first decision.

    Raises:
        BadNotation: naming the line that is wrong.
    """
    lines = [line.strip() for line in text.strip().splitlines() if line.strip()]
    head = lines[0].split()
    if not head or head[0] != "spring_meadow":
        raise BadNotation("a position begins with: spring_meadow seats N active N signpost N turn N")
    numbers = _pairs(head[1:], lines[0])
    state = SpringState(catalogue, numbers.get("seats", 2), Streams(bytes(SEED_BYTES)))
    state.active = numbers.get("active", 0)
    state.signpost = numbers.get("signpost", 0)
    state.turn = numbers.get("turn", 1) - 1
    state.idle_turns = numbers.get("idle", 0)
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
            state.meadow_map += _tiles(state.catalogue, words)
        elif word == "box":
            state.box = HiddenPile(_tiles(state.catalogue, words))
        elif word == "queue":
            state.expert = True
            state.queue = _tiles(state.catalogue, words)
        elif word == "board":
            state.mountains.append(_mountain(state.catalogue, words, [next(rest, "") for _ in range(ROWS)]))
        else:
            raise BadNotation(f"line {line!r}: expected map, box, queue or board")


def _pairs(words: list[str], line: str) -> dict[str, int]:
    try:
        return {name: int(number) for name, number in zip(words[::2], words[1::2], strict=True)}
    except ValueError:
        raise BadNotation(f"line {line!r}: names and numbers in turn") from None


def _tiles(catalogue: Catalogue, words: list[str]) -> list[int]:
    for word in words:
        if word != "---" and word not in catalogue.tile_ids:
            raise BadNotation(f"no tile {word!r}")
    return [NONE if word == "---" else catalogue.tile_ids[word] for word in words]


def _mountain(catalogue: Catalogue, words: list[str], rows: list[str]) -> Mountain:
    if not words or words[0] not in catalogue.face_ids:
        raise BadNotation(f"board {' '.join(words)}: no such face")
    numbers = _pairs(words[1:], " ".join(words))
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
