"""What several commands share: their options, their console, names for people."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from meadow_api.v1 import common_pb2, downstream_pb2, meadow_pb2, spring_meadow_pb2
from rich.console import Console

from meadow_client.cli.connecting import GIVEN
from meadow_client.cli.failure import Failure
from meadow_client.client import Client
from meadow_client.messages import value_name
from meadow_client.retry import RetryPolicy

if TYPE_CHECKING:
    from meadow_api.v1 import game_pb2

DEFAULT_ADDRESS = "127.0.0.1:50051"
_WIDE = 160
"""Columns of output that goes to a file or another program."""
IMPATIENT = RetryPolicy(attempts=3, first_delay=0.2)
"""Somebody waits at the terminal, and may have mistyped the address."""
AT_THE_TABLE = RetryPolicy(attempts=16, first_delay=0.2)
"""The server was there, and is probably being restarted: half a minute or so."""

Address = Annotated[
    str, typer.Option("--address", "-a", envvar="MEADOW_ADDRESS", help="Server, HOST:PORT.", show_default=True)
]
Token = Annotated[
    str, typer.Option("--token", envvar="MEADOW_TOKEN", help="Token of a seat or the host; none is a spectator.")
]


def console() -> Console:
    """The console that a command writes to: one per command, so that redirected output is noticed.

    It takes strings as they are: names are other people's, and no markup. What is to have a style is a `Text`.
    """
    width = None if sys.stdout.isatty() or "COLUMNS" in os.environ else _WIDE
    return Console(highlight=False, markup=False, emoji=False, width=width)


def is_interactive() -> bool:
    """Whether somebody sits at a terminal on both ends."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def connect(address: str, token: str = "") -> Client:
    """A client for somebody who waits."""
    return Client(address, token=token, credentials=GIVEN.get().credentials(), retry=IMPATIENT)


def state_name(state: common_pb2.GameState.ValueType) -> str:
    """A game's state in lower case."""
    return value_name(common_pb2.GameState, state).lower()


def state_of(name: str) -> common_pb2.GameState.ValueType:
    """The game state of a name; empty is any."""
    return common_pb2.GameState.Value(f"GAME_STATE_{name.upper()}") if name else common_pb2.GAME_STATE_UNSPECIFIED


def counted(number: int, word: str) -> str:
    """A number with what it counts, in the plural where that is due: 1 choice, 2 choices."""
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def write(file: Path, data: bytes) -> None:
    """Write what somebody asked for to a file that they named.

    Raises:
        Failure: it cannot be written.
    """
    try:
        file.write_bytes(data)
    except OSError as refused:
        raise Failure(f"{file} cannot be written: {refused.strerror}") from None


def seat_title(seat: common_pb2.Seat) -> str:
    """What to call a seat in a line of text."""
    if seat.display_name:
        return seat.display_name
    if seat.bot.bot:
        return f"{seat.bot.bot} bot"
    return f"seat {seat.seat + 1}" if seat.occupied else f"seat {seat.seat + 1} (open)"


def standing(game: game_pb2.Game) -> str:
    """The outcome of a game in a line; empty while there is none."""
    if not game.HasField("outcome"):
        return ""
    ranked = sorted(game.outcome.results, key=lambda result: result.rank)
    if len(ranked) == 1:
        return counted(ranked[0].points, "point") + objective(game.outcome) + ending(game)
    measure = "pin" if game.variant == "spring_meadow" else "point"
    return ", ".join(
        f"{result.rank}. {seat_title(game.seats[result.seat])} ({counted(result.points, measure)})" for result in ranked
    ) + ending(game)


def ending(game: game_pb2.Game) -> str:
    """Who ended a game before its rules did, in brackets; empty when it was played to its end."""
    causes = {
        common_pb2.GAME_ENDING_RESIGNED: "resigned",
        common_pb2.GAME_ENDING_TIMED_OUT: "ran out of time",
    }
    cause = causes.get(game.outcome.ending)
    return f" ({seat_title(game.seats[game.outcome.ending_seat])} {cause})" if cause else ""


def objective(outcome: game_pb2.Outcome) -> str:
    """The objective or line of the solo table that was reached, in brackets; empty when none was."""
    if outcome.HasField("meadow"):
        name = value_name(meadow_pb2.MeadowSoloResult, outcome.meadow)
    elif outcome.HasField("downstream"):
        name = value_name(downstream_pb2.DownstreamSoloResult, outcome.downstream)
    else:
        name = value_name(spring_meadow_pb2.SpringMeadowObjective, outcome.spring_meadow)
    word = name.replace("_", " ").lower()
    return "" if word in {"unspecified", "missed"} else f" ({word})"


def target(text: str, default_address: str) -> tuple[str, str]:
    """Address and game of a text: `games/ID`, `ID`, or either behind `HOST:PORT/`."""
    if ":" in text.partition("/")[0]:
        address, _, rest = text.partition("/")
    else:
        address, rest = default_address, text
    return address, rest if rest.startswith("games/") else f"games/{rest}"
