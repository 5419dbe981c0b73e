"""`meadow content`: packs of one's own."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from meadow_client.cli.common import console
from meadow_client.cli.contest import Contest, play_games
from meadow_client.cli.engine import pack_in
from meadow_client.cli.failure import Failure

if TYPE_CHECKING:
    from meadow_engine import api

SPRING_MEADOW = "spring_meadow"
Folder = Annotated[Path, typer.Argument(help="Folder of the pack.")]

commands = typer.Typer(help="Write, check and judge content packs.", no_args_is_help=True)


@commands.command()
def new(
    folder: Folder,
    game: Annotated[str, typer.Option(help="Game that the pack is for.")] = "spring_meadow",
) -> None:
    """Write an empty, commented pack to fill in with any spreadsheet or editor.

    Examples:
      meadow content new my_box

      meadow content new my_cards --game meadow

      meadow content new my_river --game downstream
    """
    from meadow_engine import api

    try:
        written = api.new_folder(folder, game)
    except api.ContentError as refused:
        raise Failure(str(refused)) from None
    then = (f"meadow content check {folder}", "bold")
    console().print(Text.assemble(f"{folder}: {', '.join(written)}\nFill them in, then: ", then))


@commands.command()
def check(folder: Folder) -> None:
    """Name everything that is wrong with a pack, by file, row and column.

    Exit code 0 means that it can be played with.

    Examples:
      meadow content check my_box
    """
    from meadow_engine import api

    faults = api.check_folder(folder)
    out = console()
    for fault in faults:
        out.print(str(fault))
    if faults:
        raise typer.Exit(1)
    pack = api.load_pack(folder)
    out.print(f"{pack.title} {pack.version} is sound: {', '.join(pack.games)}; hash {pack.hash.hex()}")


@commands.command()
def stats(
    folder: Annotated[Path | None, typer.Argument(help="Folder of the pack; the built-in one if none.")] = None,
    games: Annotated[
        int, typer.Option("--games", "-n", min=0, help="Games of Spring Meadow to play, to see how each tile fares.")
    ] = 0,
    bot: Annotated[str, typer.Option(help="Bot that plays them.")] = "greedy",
    seats: Annotated[int, typer.Option(min=2, max=4, help="Seats of those games.")] = 4,
    seed: Annotated[int, typer.Option(min=0, help="Of those games.")] = 1,
) -> None:
    """Print a pack's balance tables; --games adds how often each tile of Spring Meadow could be chosen and was placed.

    Examples:
      meadow content stats

      meadow content stats my_box --games 200
    """
    from meadow_engine import api

    pack = pack_in(folder)
    if games and SPRING_MEADOW not in pack.games:
        raise Failure(f"--games plays Spring Meadow, and {pack.title} has no components for it", exit_code=2)
    play = _played(Contest(SPRING_MEADOW, (bot,) * seats, seed, {}, None if folder is None else str(folder)), games)
    out = console()
    for section in api.stats_table(pack, play):
        _print(out, section)


def _played(contest: Contest, games: int) -> dict[str, api.TilePlay]:
    """For each tile, in how many games it could be chosen, and was placed."""
    from meadow_engine import api

    seen: Counter[str] = Counter()
    placed: Counter[str] = Counter()
    for game in play_games(contest, games, jobs=1):
        seen.update(game.seen)
        placed.update(game.placed)
    return {tile: api.TilePlay(seen=seen[tile], played=placed[tile]) for tile in seen}


def _print(out: Console, section: api.Section) -> None:
    table = Table(title=section.title, title_justify="left", title_style="bold", box=None, pad_edge=False)
    for place, column in enumerate(section.columns):
        table.add_column(column, justify="right" if place else "left")
    for row in section.rows:
        table.add_row(*(f"{cell:.2f}" if isinstance(cell, float) else str(cell) for cell in row))
    out.print(table)
    out.print(section.note + "\n", style="dim")


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.add_typer(commands, name="content")
