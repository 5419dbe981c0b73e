"""The places a path token can lie on, and how tokens are numbered.

Tokens: 0 to 3 are the path tokens 1 to 4, 4 is the ``?`` token, 5 the river trail token of Downstream. Places: the
notches of the main board, those of the campfire board, the benches, and the notches of the river board.
"""

from __future__ import annotations

from collections.abc import Iterator

from meadow_engine.meadow.downstream.catalogue import RIVER_NOTCHES

NUMBERED_TOKENS = 4
QUESTION = 4
PATH_TOKENS = 5
"""The tokens of the base game."""
RIVER_TRAIL = 5
TOKENS = 6

MAIN_NOTCHES = 12
CAMPFIRE_NOTCHES = 5
BENCHES = 4
CAMPFIRE = MAIN_NOTCHES
BENCH = CAMPFIRE + CAMPFIRE_NOTCHES
RIVER = BENCH + BENCHES
PLACES = RIVER + RIVER_NOTCHES

MAIN_MASK = (1 << MAIN_NOTCHES) - 1
CAMPFIRE_MASK = ((1 << CAMPFIRE_NOTCHES) - 1) << CAMPFIRE
BENCH_MASK = ((1 << BENCHES) - 1) << BENCH
RIVER_MASK = ((1 << RIVER_NOTCHES) - 1) << RIVER

EMPTY = -1
_NAMES = ("1", "2", "3", "4", "?", "R")


def token_piece(seat: int, token: int) -> int:
    """A token of a seat (or, alone, of a colour) as one number."""
    return seat * TOKENS + token


def piece_parts(piece: int) -> tuple[int, int]:
    """The seat and the token of a piece."""
    return divmod(piece, TOKENS)


def token_name(token: int) -> str:
    """1 to 4, ?, or R for the river trail token."""
    return _NAMES[token]


def bits(mask: int) -> Iterator[int]:
    """The set bits, ascending."""
    while mask:
        bit = mask & -mask
        mask ^= bit
        yield bit.bit_length() - 1
