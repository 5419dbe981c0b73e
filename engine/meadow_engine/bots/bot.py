"""What a bot is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from meadow_engine.kernel.rng import Streams

BOT_STREAM = "bot"


class Chooser(Protocol):
    """The thinking part of a bot."""

    def __call__(self, view: Any, legal_ids: Sequence[int], catalogue: Any, streams: Streams) -> int:
        """One of the legal ids, from the seat's view alone; randomness comes from the stream ``bot`` only."""


@dataclass(frozen=True, slots=True)
class Bot:
    """A bot for a family of games.

    Attributes:
        name: such as ``greedy``.
        version: raised whenever it would choose differently.
        about: how it thinks, and its budget.
        choose: its choice for the seat to move.
    """

    name: str
    version: int
    about: str
    choose: Chooser


def choose_at_random(view: object, legal_ids: Sequence[int], catalogue: object, streams: Streams) -> int:  # noqa: ARG001
    """Any legal action, each as likely as the others."""
    return legal_ids[streams.below(BOT_STREAM, len(legal_ids))]


RANDOM = Bot("random", 1, "Any legal action, each as likely as the others.", choose_at_random)
