"""`meadow watch`: a game as it is played."""

from __future__ import annotations

from typing import Annotated

import typer
from meadow_api.v1 import game_pb2
from rich.console import Console
from rich.text import Text

from meadow_client.cli.common import (
    AT_THE_TABLE,
    DEFAULT_ADDRESS,
    Address,
    Token,
    connect,
    console,
    is_interactive,
    standing,
    state_of,
    target,
)
from meadow_client.cli.faces import face_of_game
from meadow_client.cli.failure import Failure
from meadow_client.client import Client


def watch(
    game: Annotated[
        str, typer.Argument(help="games/ID, or HOST:PORT/games/ID; without it, the newest that runs.")
    ] = "",
    address: Address = DEFAULT_ADDRESS,
    token: Token = "",
    *,
    from_start: Annotated[bool, typer.Option("--from-start", help="Tell what happened before, too.")] = False,
    table_each: Annotated[bool, typer.Option("--table/--no-table", help="Show the table after each turn.")] = True,
) -> None:
    """Watch a game to its end: who does what, and the table after each turn.

    Examples:
      meadow watch

      meadow watch games/8f0c... --from-start --no-table

      meadow watch 10.0.0.7:50051/games/8f0c...
    """
    where, name = target(game, address)
    with connect(where, token) as client:
        if not game:
            name = _newest(client, where)
        _follow(client, name, console(), after_version=0 if from_start else None, with_tables=table_each)


def _newest(client: Client, address: str) -> str:
    for found in client.list_games(state=state_of("running")):
        return found.name
    raise Failure(f"no game is running on {address}")


def _follow(client: Client, name: str, out: Console, *, after_version: int | None, with_tables: bool) -> None:
    """Print what happens; on a terminal each table begins a fresh screen."""
    game = client.get_game(name).game
    face = face_of_game(client, game)
    story = face.story(game.seats)
    client.retry = AT_THE_TABLE
    seen_turn: object = None
    for message in client.watch_game(name, after_version=after_version, include_view=True):
        view = game_pb2.GameView()
        match message.WhichOneof("message"):
            case "snapshot":
                view = message.snapshot.view
            case "update":
                view = message.update.view
                for line in story.record(message.update.record):
                    out.print(Text(f"  {line}", style="italic"))
            case "terminal":
                out.print(Text(standing(message.terminal.game) or "the game was ended by its host", style="bold"))
        if with_tables and face.has_table(view) and face.turn(view) != seen_turn:
            seen_turn = face.turn(view)
            if is_interactive():
                out.clear()
            out.print(face.table(view, out))


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(watch)
