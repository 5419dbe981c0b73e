"""What to say when a package is missing that one of the extras brings."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from meadow_client.cli.failure import Failure

OWN = ("meadow_api", "meadow_client", "meadow_engine", "meadow_server")


def missing_package(missing: ModuleNotFoundError, extra: str) -> str:
    """A message that names the missing package and the command that installs it.

    Raises:
        ModuleNotFoundError: it is a module of this project, which no installation would bring.
    """
    name = (missing.name or "").partition(".")[0]
    if name in OWN:
        raise missing
    return f"meadow: this needs {name or missing}, which is not installed. Run: pip install 'meadow-engine[{extra}]'"


@contextmanager
def needs(extra: str) -> Iterator[None]:
    """Turn a missing package into a message that names the extra."""
    try:
        yield
    except ModuleNotFoundError as missing:
        raise Failure(missing_package(missing, extra).removeprefix("meadow: "), exit_code=2) from None
