"""Runs commands of `meadow` in the tests' own process."""

from __future__ import annotations

import io
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

from meadow_client.cli.app import app


class Answer(NamedTuple):
    """What a command answers."""

    exit_code: int
    stdout: str
    stderr: str


def meadow(*arguments: str | Path, typed: str = "") -> Answer:
    """Run a command with what somebody types; nothing but its own ways to end it are allowed."""
    out, error = io.StringIO(), io.StringIO()
    code = 0
    with redirect_stdout(out), redirect_stderr(error), patch.object(sys, "stdin", io.StringIO(typed)):
        try:
            app([str(argument) for argument in arguments], prog_name="meadow")
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else 0
    return Answer(code, out.getvalue(), error.getvalue())
