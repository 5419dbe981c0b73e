"""The places a path token can lie on, and how tokens are numbered.

Tokens: 0 to 3 are the path tokens 1 to 4, 4 is the ``?`` token. Places: the notches of the main board, those of the
campfire board, and the benches.
"""

from __future__ import annotations

from collections.abc import Iterator

NUMBERED_TOKENS = 4
QUESTION = 4
TOKENS = 5

MAIN_NOTCHES = 12
CAMPFIRE_NOTCHES = 5
BENCHES = 4
CAMPFIRE = MAIN_NOTCHES
BENCH = CAMPFIRE + CAMPFIRE_NOTCHES
PLACES = BENCH + BENCHES

MAIN_MASK = (1 << MAIN_NOTCHES) - 1
CAMPFIRE_MASK = ((1 << CAMPFIRE_NOTCHES) - 1) << CAMPFIRE
BENCH_MASK = ((1 << BENCHES) - 1) << BENCH

EMPTY = -1


def token_piece(seat: int, token: int) -> int:
    """A token of a seat (or, alone, of a colour) as one number."""
    return seat * TOKENS + token


def piece_parts(piece: int) -> tuple[int, int]:
    """The seat and the token of a piece."""
    return divmod(piece, TOKENS)


def token_name(token: int) -> str:
    """1 to 4, or ?."""
    return "?" if token == QUESTION else str(token + 1)


def bits(mask: int) -> Iterator[int]:
    """The set bits, ascending."""
    while mask:
        bit = mask & -mask
        mask ^= bit
        yield bit.bit_length() - 1
