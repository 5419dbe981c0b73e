"""`meadow replay`: keep finished games, tell and show them, and check that nobody cheated."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from meadow_api.v1 import game_pb2
from rich.table import Table
from rich.text import Text

from meadow_client.cli.common import DEFAULT_ADDRESS, Address, Token, connect, console, counted, standing, target, write
from meadow_client.cli.engine import family_of, pack_catalogue, pack_in
from meadow_client.cli.faces import face_of
from meadow_client.cli.failure import Failure, undamaged
from meadow_client.cli.steps import Steps
from meadow_client.cli.verify import Check, verify
from meadow_client.replay_file import BadReplayFile, replay_from_bytes, replay_to_bytes

Source = Annotated[str, typer.Argument(help="A file that `meadow replay save` wrote, or [HOST:PORT/]games/ID.")]
PackFolder = Annotated[
    Path | None, typer.Option("--pack", help="Folder of the content pack; the built-in one if none.")
]

commands = typer.Typer(help="Keep, tell, show and verify games.", no_args_is_help=True)


def load(source: str, address: str, token: str = "") -> game_pb2.Replay:
    """The replay in a file, or of a game on a server.

    Raises:
        Failure: the file holds no replay.
    """
    file = Path(source)
    if not file.is_file():
        if "games/" not in source:
            raise Failure(f"{source} is neither a file nor a game such as games/ID")
        where, name = target(source, address)
        with connect(where, token) as client:
            return client.get_replay(name)
    try:
        return replay_from_bytes(file.read_bytes())
    except BadReplayFile as wrong:
        raise Failure(f"{file} holds no replay: it is {wrong}") from None


@commands.command("verify")
def verify_replay(
    source: Source, address: Address = DEFAULT_ADDRESS, token: Token = "", pack: PackFolder = None
) -> None:
    """Play a finished game again and check the commitment, every shuffle and every state hash.

    Exit code 0 means that all is as published, 1 that something is not.

    Examples:
      meadow replay verify game.json

      meadow replay verify 10.0.0.7:50051/games/8f0c...
    """
    checks = verify(load(source, address, token), pack_in(pack))
    console().print(check_table(checks))
    if not all(check.passed for check in checks):
        raise typer.Exit(1)


def check_table(checks: list[Check]) -> Table:
    """Checks as a table."""
    table = Table(box=None, show_header=False, pad_edge=False)
    for check in checks:
        mark = Text("ok", style="bold green") if check.passed else Text("WRONG", style="bold red")
        table.add_row(mark, check.name, check.found)
    return table


@commands.command("save")
def save_replay(
    game: Annotated[str, typer.Argument(help="[HOST:PORT/]games/ID.")],
    file: Annotated[Path, typer.Argument(help="Where to; a name ending in .json is written as JSON.")],
    address: Address = DEFAULT_ADDRESS,
    token: Token = "",
) -> None:
    """Write a game's replay to a file.

    Examples:
      meadow replay save games/8f0c... game.json
    """
    replay = load(game, address, token)
    write(file, replay_to_bytes(replay, as_json=file.suffix == ".json"))
    state = "complete" if replay.complete else "as far as it may be seen while the game runs"
    console().print(f"{counted(len(replay.records), 'record')}, {state}: {file}", soft_wrap=True)


@commands.command("tell")
def tell_replay(source: Source, address: Address = DEFAULT_ADDRESS, token: Token = "", pack: PackFolder = None) -> None:
    """Tell a game move by move.

    Examples:
      meadow replay tell game.json
    """
    replay = load(source, address, token)
    story = face_of(pack_catalogue(pack_in(pack), family_of(replay.game.variant))).story(replay.game.seats)
    out = console()
    with undamaged(source):
        for record in replay.records:
            for line in story.record(record):
                out.print(Text.assemble((f"{record.version:4}", "dim"), f"  {line}"))
        out.print(Text(standing(replay.game)))


Seat = Annotated[
    int | None, typer.Option("--seat", "-s", help="Show what this seat saw, from 1; what everybody saw if none.")
]


@commands.command("show")
def show_replay(
    source: Source,
    version: Annotated[int | None, typer.Option(help="Which version; the last if none.")] = None,
    *,
    seat: Seat = None,
    address: Address = DEFAULT_ADDRESS,
    token: Token = "",
    pack: PackFolder = None,
) -> None:
    """Show the table of a finished game at a version, played again from its replay.

    Examples:
      meadow replay show game.json --version 40

      meadow replay show game.json --seat 2
    """
    replay = load(source, address, token)
    with undamaged(source):
        steps = Steps(replay, pack_in(pack))
        steps.show(console(), steps.last if version is None else version, seat)


@commands.command("step")
def step_replay(
    source: Source,
    version: Annotated[int, typer.Option(help="Where to begin.")] = 1,
    *,
    seat: Seat = None,
    address: Address = DEFAULT_ADDRESS,
    token: Token = "",
    pack: PackFolder = None,
) -> None:
    """Walk through a finished game, forwards and backwards, seen by any seat.

    Examples:
      meadow replay step game.json
    """
    replay = load(source, address, token)
    with undamaged(source):
        Steps(replay, pack_in(pack)).walk(console(), version, seat)


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.add_typer(commands, name="replay")
