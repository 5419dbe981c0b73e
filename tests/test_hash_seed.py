"""Whole games do not depend on the hash seed, which Python draws anew for each process unless it is told."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from meadow_engine import api

# Plays a game by each bot of its family in turn, and prints a hash of every state on the way.
GAME = """
import hashlib, sys
from meadow_engine import api
variant, seats = api.variant(sys.argv[1]), int(sys.argv[2])
game = api.new_game(variant.id, seats=seats, seed=11)
bots, streams, digest = api.bots(variant.family), api.Streams(bytes(32)), hashlib.sha256()
while not game.is_over:
    seat = game.decision.seat
    chosen = bots[seat % len(bots)].choose(game.view(seat), game.legal_ids(), game.catalogue, streams)
    result = game.apply(chosen)
    digest.update(game.state_hash() + repr((result.events, result.chance)).encode())
print(digest.hexdigest(), game.returns())
"""


def _played(variant: str, seats: int, hash_seed: str) -> str:
    command = [sys.executable, "-c", GAME, variant, str(seats)]
    environment = os.environ | {"PYTHONHASHSEED": hash_seed}
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize("variant", [variant.id for variant in api.variants()])
def test_a_game_is_the_same_under_every_hash_seed(variant: str) -> None:
    """The same seed and bots give the same states, events and points under two hash seeds and without one."""
    seats = api.variant(variant).max_seats
    first, *others = (_played(variant, seats, hash_seed) for hash_seed in ("0", "1", "random"))
    assert first.strip()
    assert others == [first, first]
