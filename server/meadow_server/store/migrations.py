"""Formats of journals: counted from 1, each made out of the one before it by one step."""

from __future__ import annotations

from collections.abc import Sequence

from meadow_server.store.base import JournalFormat


def pending(journal: str, found: int, steps: Sequence[str]) -> Sequence[str]:
    """The steps that a journal still needs.

    Args:
        journal: its name, for whoever reads the error.
        found: its format; 0 for a new one.
        steps: all there are.

    Raises:
        JournalFormat: it is newer than this server.
    """
    if found > len(steps):
        raise JournalFormat(f"{journal} has format {found}; this server knows formats up to {len(steps)}")
    return steps[found:]
