"""How `meadow conformance` says that a promise was not kept."""

from __future__ import annotations

from collections.abc import Callable

from meadow_client.errors import MeadowError


class Broken(Exception):
    """A promise was not kept."""


def expect(kept: bool, words: str) -> None:  # noqa: FBT001 (reads as an assertion)
    """Raise `Broken` with these words unless something is so."""
    if not kept:
        raise Broken(words)


def refused(kind: type[MeadowError], call: Callable[[], object]) -> None:
    """Expect a refusal of a kind."""
    try:
        call()
    except kind:
        return
    except MeadowError as other:
        raise Broken(f"expected {kind.REASON}, got {other}") from None
    raise Broken(f"expected {kind.REASON}, but the call was accepted")
