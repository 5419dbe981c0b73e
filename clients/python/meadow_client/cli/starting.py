"""Starting the server, with nothing loaded that only draws tables."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from meadow_client.cli.extras import needs


def start_server(arguments: Sequence[str]) -> int:
    """Serve until a signal comes, and answer the exit code; prints the server's own help on demand.

    Raises:
        Failure: the server extra is not installed.
    """
    from meadow_server.config import parse_config

    config = parse_config(list(arguments))
    with needs("server"):
        from meadow_server.main import serve
    if sys.stderr.isatty():
        sys.stderr.write(what_to_try(config.listen, sys.argv[0]))
    return serve(config)


def what_to_try(address: str, program: str) -> str:
    """What somebody can do in another terminal once the server is up.

    Args:
        address: where it will serve.
        program: how the command line was started.
    """
    return f"""Once it is serving, try in another terminal:
  {program} play --address {address}           a game against a bot
  {program} games --address {address}          what is being played
  {program} conformance {address}              whether every promise of the API is kept
Ctrl-C ends the server; its journal keeps the games.
"""
