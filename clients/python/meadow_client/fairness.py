"""The proof that the seed was fixed before the first move; see `Fairness` in the API."""

from __future__ import annotations

from hashlib import blake2b

from meadow_api.v1 import game_pb2

_TITLE = b"meadow commitment 1"


def commitment_of(fairness: game_pb2.Fairness) -> bytes:
    """The commitment that configuration, seed and nonce of an ended game make: 32 bytes."""
    parts = (_TITLE, fairness.configuration.encode(), fairness.seed, fairness.nonce)
    return blake2b(b"".join(len(part).to_bytes(8, "big") + part for part in parts), digest_size=32).digest()


def is_opened(fairness: game_pb2.Fairness) -> bool:
    """Whether seed and nonce are published and make the commitment."""
    return bool(fairness.seed) and commitment_of(fairness) == fairness.commitment
