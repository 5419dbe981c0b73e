"""The command line `meadow`: one module for each command.

Engine and server are loaded only by the commands that need them; a package that is missing is named with the extra that
brings it.
"""

from __future__ import annotations

import sys

from meadow_client.cli.extras import missing_package
from meadow_client.cli.failure import Failure


def main() -> None:
    """Run the command line."""
    try:
        _run(sys.argv[1:])
    except ModuleNotFoundError as missing:
        sys.stderr.write(missing_package(missing, "client") + "\n")
        raise SystemExit(2) from None
    except Failure as failure:
        sys.stderr.write(f"meadow: {failure}\n")
        raise SystemExit(failure.exit_code) from None


def _run(arguments: list[str]) -> None:
    """Run a command; the server, which must be up soon, without loading the others."""
    if arguments[:1] == ["serve"]:
        from meadow_client.cli.starting import start_server

        raise SystemExit(start_server(arguments[1:]))
    from meadow_client.cli.app import app

    app()


__all__ = ["main"]
