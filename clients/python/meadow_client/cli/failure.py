"""How a command ends when it cannot do what it was asked."""

from __future__ import annotations


class Failure(Exception):
    """Ends the command with a message on standard error and an exit code; the user needs no traceback."""

    def __init__(self, message: str, *, exit_code: int = 1) -> None:
        super().__init__(message)
        self.exit_code = exit_code
