"""The random bot: any legal action, each as likely as the others."""

from __future__ import annotations

from collections import Counter

import pytest
from meadow_engine import api

from tests.engine.families import FAMILIES

DRAWS = 3000


@pytest.mark.parametrize("family", FAMILIES)
def test_each_action_is_as_likely_as_the_others(family: str) -> None:
    """Of seven actions each is chosen about a seventh of the time (chi-square, far beyond one in a million)."""
    bot, legal, streams = api.bot("random", family), [3, 5, 8, 13, 21, 34, 55], api.Streams(bytes(32))
    chosen = Counter(bot.choose(None, legal, None, streams) for _ in range(DRAWS))
    assert set(chosen) == set(legal)
    even = DRAWS / len(legal)
    assert sum((chosen[action_id] - even) ** 2 / even for action_id in legal) < 40


def test_it_draws_from_its_own_stream_only() -> None:
    """The bot's dice are a stream of their own, so that watching a bot tells nothing of the game's."""
    streams = api.Streams(bytes(32))
    api.bot("random", "spring_meadow").choose(None, [1, 2, 3], None, streams)
    assert set(streams.used) == {"bot"}
