"""`meadow games`: what is being played on a server."""

from __future__ import annotations

from itertools import islice
from typing import Annotated

import typer
from meadow_api.v1 import common_pb2, game_pb2
from rich.table import Table
from rich.text import Text

from meadow_client.cli.common import (
    DEFAULT_ADDRESS,
    Address,
    connect,
    console,
    seat_title,
    standing,
    state_name,
    state_of,
)
from meadow_client.cli.failure import Failure
from meadow_client.client import Client
from meadow_client.errors import GameNotFound

STATES = ("open", "running", "finished", "aborted")
_STYLES = {"open": "yellow", "running": "green", "finished": "dim", "aborted": "dim red"}


def games(
    address: Address = DEFAULT_ADDRESS,
    state: Annotated[str, typer.Option(help=f"Only games in this state: {', '.join(STATES)}.")] = "",
    variant: Annotated[str, typer.Option(help="Only games of this variant.")] = "",
    limit: Annotated[int, typer.Option(min=1, max=10**9, help="Most games to list.")] = 30,
) -> None:
    """List a server's public games, newest first.

    Examples:
      meadow games

      meadow games --state running --address 10.0.0.7:50051
    """
    if state and state not in STATES:
        raise Failure(f"no state {state!r}; there are {', '.join(STATES)}", exit_code=2)
    table = Table(box=None, header_style="bold", pad_edge=False)
    for column in ("game", "variant", "state", "version", "seats", "result"):
        table.add_column(column, no_wrap=column == "game", overflow="fold")
    with connect(address) as client:
        for game in islice(client.list_games(state=state_of(state), variant=variant), limit):
            word = state_name(game.state)
            seats = ", ".join(seat_title(seat) for seat in game.seats)
            shown = Text(word, _STYLES.get(word, ""))
            table.add_row(game.name, game.variant, shown, str(game.version), seats, _result(client, game))
    if table.row_count:
        console().print(table)
    else:
        console().print(f"No games on {address}. Start one: meadow play --address {address}")


def _result(client: Client, game: game_pb2.Game) -> str:
    """The result of a listed game: lists leave it out, as a server would have to play every game again for them."""
    if game.state != common_pb2.GAME_STATE_FINISHED:
        return ""
    try:
        return standing(client.get_game(game.name).game)
    except GameNotFound:  # deleted meanwhile
        return ""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(games)
