"""The commands in one table, and what happens to their errors."""

from __future__ import annotations

import platform
import sys
from importlib.metadata import version
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from meadow_client.cli import admin, arena, bench, conformance, content, draw, games, play, replay, serve, watch
from meadow_client.cli.connecting import GIVEN, CaFile, ClientCert, ClientKey, Connecting, OperatorKeyFile, Tls
from meadow_client.cli.failure import Failure

ABOUT = """Play, watch, serve and measure the Meadow games.

  meadow play                      a game in this terminal, against a bot
  meadow serve                     a server on 127.0.0.1:50051
  meadow arena greedy random       which bot is better, with confidence intervals
"""


class Group(TyperGroup):
    """A group of commands that ends with a message where the user can do something about it."""

    def invoke(self, ctx: Any) -> Any:
        """Run a command; failures and refusals become a line on standard error and an exit code."""
        try:
            return super().invoke(ctx)
        except Failure as failure:
            sys.stderr.write(f"meadow: {failure}\n")
            raise typer.Exit(failure.exit_code) from None
        except Exception as error:
            if not type(error).__module__.startswith("meadow_client.errors."):
                raise
            sys.stderr.write(f"meadow: {error}\n")
            raise typer.Exit(1) from None


app = typer.Typer(
    cls=Group,
    help=ABOUT,
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _show_version(*, wanted: bool) -> None:
    if wanted:
        typer.echo(f"meadow-engine {version('meadow-engine')}, Python {platform.python_version()}")
        raise typer.Exit


@app.callback()
def _options(
    *,
    version: Annotated[
        bool,
        typer.Option(
            "--version",
            "-V",
            help="Print the version and leave.",
            is_eager=True,
            callback=lambda wanted: _show_version(wanted=wanted),
        ),
    ] = False,
    tls: Tls = False,
    ca_file: CaFile = None,
    client_cert: ClientCert = None,
    client_key: ClientKey = None,
    operator_key_file: OperatorKeyFile = None,
) -> None:
    del version  # its callback has shown it
    GIVEN.set(Connecting(tls, ca_file, client_cert, client_key, operator_key_file))


serve.register(app)
admin.register(app)
play.register(app)
watch.register(app)
games.register(app)
arena.register(app)
replay.register(app)
draw.register(app)
bench.register(app)
content.register(app)
conformance.register(app)
