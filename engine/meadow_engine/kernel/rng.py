"""Seeded randomness in named streams.

The seed is 256 bits. Stream ``name`` is the sequence of 64-bit numbers made from the blocks

    BLAKE2b(data = counter as 8 bytes, big-endian; key = seed; person = name padded with zeros to 16 bytes; 64 bytes)

for counter = 0, 1, 2, ..., each block read as eight big-endian words. Seeing numbers of a stream tells nothing about
the later ones or about other streams. `docs/determinism.md` describes this for other languages, with test vectors.
"""

from __future__ import annotations

from collections.abc import MutableSequence
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import blake2b
from struct import unpack
from typing import TypeVar

from meadow_engine.kernel.errors import BadOption

T = TypeVar("T")

SEED_BYTES = 32
_NAME_BYTES = 16
_WORDS_A_BLOCK = 8
_WORD = 1 << 64


def seed_bytes(seed: int | bytes) -> bytes:
    """The 32 bytes of a seed given as an integer (0 <= seed < 2**256, big-endian) or as the bytes themselves.

    Raises:
        BadOption: an integer out of range, or bytes of another length.
    """
    if isinstance(seed, int):
        if not 0 <= seed < 1 << (8 * SEED_BYTES):
            raise BadOption("a seed lies between 0 and 2**256 - 1", option="seed")
        return seed.to_bytes(SEED_BYTES, "big")
    if len(seed) != SEED_BYTES:
        raise BadOption(f"a seed has {SEED_BYTES} bytes, not {len(seed)}", option="seed")
    return bytes(seed)


@lru_cache(maxsize=64)  # the words of a block are wanted one after the other
def _block(seed: bytes, stream: str, counter: int) -> tuple[int, ...]:
    person = stream.encode("ascii").ljust(_NAME_BYTES, b"\0")
    return unpack(">8Q", blake2b(counter.to_bytes(8, "big"), key=seed, person=person).digest())


@dataclass(slots=True)
class Streams:
    """All random streams of one game: the seed, and how many words each stream has given.

    Attributes:
        seed: 32 bytes, never shown to a player while the game runs.
        used: words taken so far, by stream name.
    """

    seed: bytes = field(repr=False)
    used: dict[str, int] = field(default_factory=dict)

    def clone(self) -> Streams:
        """An independent copy that will give the same numbers."""
        return Streams(self.seed, dict(self.used))

    def word(self, stream: str) -> int:
        """The next 64-bit number of a stream."""
        index = self.used.get(stream, 0)
        self.used[stream] = index + 1
        block, place = divmod(index, _WORDS_A_BLOCK)
        return _block(self.seed, stream, block)[place]

    def below(self, stream: str, bound: int) -> int:
        """An unbiased number in ``range(bound)``; words of the last, incomplete run of ``bound`` are rejected."""
        limit = _WORD - _WORD % bound
        while True:
            word = self.word(stream)
            if word < limit:
                return word % bound

    def shuffle(self, stream: str, items: MutableSequence[T]) -> None:
        """Fisher-Yates in place, from the last place down to the second."""
        for last in range(len(items) - 1, 0, -1):
            other = self.below(stream, last + 1)
            items[last], items[other] = items[other], items[last]
