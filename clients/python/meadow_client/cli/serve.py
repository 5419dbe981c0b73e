"""`meadow serve`: the server. It reads its own arguments, so that `python -m meadow_server` takes the same."""

from __future__ import annotations

import typer

from meadow_client.cli.starting import start_server

RAW = {"allow_extra_args": True, "ignore_unknown_options": True, "help_option_names": []}
"""Leaves all arguments, --help too, to whoever reads them."""


def serve(ctx: typer.Context) -> None:
    """Start a server; `meadow serve --help` lists its options and environment variables.

    Examples:
      meadow serve

      meadow serve --listen 0.0.0.0:50051 --journal games.db

      MEADOW_LISTEN=127.0.0.1:0 meadow serve
    """
    raise typer.Exit(start_server(ctx.args))


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(context_settings=RAW)(serve)
