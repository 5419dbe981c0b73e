"""`meadow bench`: how fast it is. The benchmarks belong to the source tree and are no part of an installation."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import typer

from meadow_client.cli.failure import Failure
from meadow_client.cli.serve import RAW


def bench(ctx: typer.Context) -> None:
    """Measure engine and server against their floors and peers; needs a source checkout.

    Its own --help lists what can be measured.

    Examples:
      meadow bench

      meadow bench --help
    """
    root = _checkout()
    if root is None:
        raise Failure("the benchmarks are in the source tree, in bench/: run this in a checkout of the project")
    command = [sys.executable, str(root / "bench"), *ctx.args]
    raise typer.Exit(subprocess.call(command))  # noqa: S603 (this Python, on the project's own files)


def _checkout() -> Path | None:
    """The source tree that this package lies in, or else the one that one works in."""
    here = Path(__file__).resolve()
    for root in (*here.parents, Path.cwd(), *Path.cwd().parents):
        if (root / "bench" / "__main__.py").is_file() and (root / "pyproject.toml").is_file():
            return root
    return None


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(context_settings=RAW)(bench)
