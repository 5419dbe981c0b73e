"""Starting the server, with nothing loaded that only draws tables."""

from __future__ import annotations

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
    return serve(config)
