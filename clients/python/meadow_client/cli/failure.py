"""How a command ends when it cannot do what it was asked."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


class Failure(Exception):
    """Ends the command with a message on standard error and an exit code; the user needs no traceback."""

    def __init__(self, message: str, *, exit_code: int = 1) -> None:
        super().__init__(message)
        self.exit_code = exit_code


@contextmanager
def undamaged(source: str) -> Iterator[None]:
    """Show what is in a replay that may be of anybody's making.

    Raises:
        Failure: it speaks of seats, cards or places that the game does not have.
    """
    try:
        yield
    except (LookupError, ValueError):
        raise Failure(f"{source} is damaged; `meadow replay verify` says more") from None
