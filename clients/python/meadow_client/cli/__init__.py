"""The command line `meadow`: one module for each command.

Engine and server are loaded only by the commands that need them; a package that is missing is named with the extra that
brings it.
"""

from __future__ import annotations

import sys

from meadow_client.cli.extras import missing_package


def main() -> None:
    """Run the command line."""
    try:
        from meadow_client.cli.app import app
    except ModuleNotFoundError as missing:
        sys.stderr.write(missing_package(missing, "client") + "\n")
        raise SystemExit(2) from None
    app()


__all__ = ["main"]
