"""`meadow play`: a game in this terminal."""

from __future__ import annotations

import getpass
import random
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import typer
from meadow_api.v1 import catalogue_pb2, common_pb2, game_service_pb2, meadow_pb2, spring_meadow_pb2
from rich.console import Console
from rich.text import Text

from meadow_client.cli import saved
from meadow_client.cli.common import AT_THE_TABLE, connect, console, counted
from meadow_client.cli.connecting import GIVEN
from meadow_client.cli.engine import pack_in
from meadow_client.cli.failure import Failure
from meadow_client.cli.local_server import LocalServer
from meadow_client.cli.saved import SavedSeat
from meadow_client.cli.table.prompts import SeatLost
from meadow_client.cli.table.session import Session
from meadow_client.client import Client
from meadow_client.errors import ConnectionProblem, Unavailable
from meadow_client.messages import reserved
from meadow_client.replay_file import replay_to_bytes
from meadow_client.seat import Seat

_MOST_SEED = 2**256 - 1
_OF_NEW_GAMES = ("variant", "seats", "bot", "expert", "envelopes", "beginners", "seed", "pack")
Options = spring_meadow_pb2.SpringMeadowOptions | meadow_pb2.MeadowOptions


def play(  # noqa: PLR0913 (each is an option)
    ctx: typer.Context,
    *,
    address: Annotated[
        str,
        typer.Option(
            "--address", "-a", envvar="MEADOW_ADDRESS", help="Server, HOST:PORT; without it, one of your own."
        ),
    ] = "",
    variant: Annotated[str, typer.Option(help="What to play.")] = "spring_meadow",
    seats: Annotated[int, typer.Option(min=0, help="Number of seats; bots take the others. The fewest if 0.")] = 0,
    bot: Annotated[str, typer.Option(help="Bot for the other seats, or 'open' to let others join.")] = "greedy",
    expert: Annotated[
        bool, typer.Option("--expert", help="Spring Meadow: refill from an open queue of tiles.")
    ] = False,
    envelopes: Annotated[str, typer.Option(help="Meadow: letters of the envelopes to shuffle in, such as TU.")] = "",
    beginners: Annotated[
        bool, typer.Option("--beginners", help="Meadow: deal the starting cards at random, for a first game.")
    ] = False,
    seed: Annotated[
        int | None, typer.Option(min=0, help="Same number, same tiles or cards; the game is marked seeded.")
    ] = None,
    name: Annotated[str, typer.Option(help="Your name, for the others to see.")] = "",
    pack: Annotated[str, typer.Option(help="Content pack: its id on the server, or its folder for your own one.")] = "",
    join: Annotated[str, typer.Option(help="Join code of a game on the server.")] = "",
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the game you left last.")] = False,
) -> None:
    """Play in this terminal. Without --address it starts a server of your own, and your game is kept when you quit.

    Examples:
      meadow play                                         two seats, against the greedy bot

      meadow play --seats 4 --expert

      meadow play --variant spring_meadow_solo

      meadow play --variant meadow --seats 3 --beginners

      meadow play --variant downstream_lazy_river --envelopes UZ

      meadow play --pack my_box                           your own tiles, boards or cards

      meadow play -a 10.0.0.7:50051 --bot open            others join with the code that is shown

      meadow play -a 10.0.0.7:50051 --join ABCD-EFGH-JKLM

      meadow play --resume
    """
    _check_together(ctx, resume=resume, join=join)
    if seed is not None and seed > _MOST_SEED:
        raise Failure("a seed lies between 0 and 2**256 - 1", exit_code=2)
    with ExitStack() as stack:
        if resume:
            kept = _latest()
            seat = _sit_down_again(stack, kept)
        else:
            journal = "" if address else str(stack.enter_context(saved.new_journal()))
            packs = [Path(pack)] if pack and not address else []
            client = _connected(stack, address, journal, packs)
            if join:
                seat = Seat.join(client, join, display_name=name)
            else:
                options = _options(variant, expert=expert, envelopes=envelopes, beginners=beginners)
                made = client.create_game(
                    variant,
                    [reserved(name or _login()), *_others(client.get_variant(variant), seats, bot)],
                    options=options,
                    seed=seed,
                    pack=pack_in(packs[0]).id if packs else pack,
                    token=GIVEN.get().operator_key() if address else "",
                )
                token = made.seat_tokens[0]
                seat = Seat(client, made.game.name, token.seat, token.token)
                _invite(made, client.address)
            kept = SavedSeat(seat.name, variant, seat.seat, seat.token, address, journal)
        saved.save(kept)
        _play(seat, kept, random.Random(seed))  # noqa: S311 (chooses moves for the command "any")


def _check_together(ctx: typer.Context, *, resume: bool, join: str) -> None:
    """Refuse options that would be ignored: a game that one joins or goes on with is made already.

    Raises:
        Failure: such an option was given.
    """
    if not (resume or join):
        return
    fixed = ("address", "join", "name", *_OF_NEW_GAMES) if resume else _OF_NEW_GAMES
    for option in fixed:
        source = ctx.get_parameter_source(option)
        if source is not None and source.name == "COMMANDLINE":
            raise Failure(f"--{option} does not go with --{'resume' if resume else 'join'}", exit_code=2)


def _others(variant: catalogue_pb2.Variant, seats: int, bot: str) -> list[str]:
    """Who takes the seats beside one's own.

    Raises:
        Failure: the variant is not for so many.
    """
    fewest, most = variant.min_seats, variant.max_seats
    if seats and not fewest <= seats <= most:
        room = counted(fewest, "seat") if fewest == most else f"{fewest} to {most} seats"
        raise Failure(f"{variant.variant} has {room}, not {seats}", exit_code=2)
    return [bot] * ((seats or fewest) - 1)


def _options(variant: str, *, expert: bool, envelopes: str, beginners: bool) -> Options | None:
    """The options of the variant's family; None if none is given."""
    if variant.startswith(("meadow", "downstream")):
        if expert:
            raise Failure("--expert is an option of Spring Meadow", exit_code=2)
        letters = [letter for letter in envelopes.upper() if letter.isalpha()]
        given = bool(letters or beginners)
        return meadow_pb2.MeadowOptions(envelopes=letters, beginners_deal=beginners) if given else None
    if envelopes or beginners:
        raise Failure("--envelopes and --beginners are options of Meadow", exit_code=2)
    return spring_meadow_pb2.SpringMeadowOptions(expert=True) if expert else None


def _login() -> str:
    """What the person is called on this machine."""
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return "player"


def _latest() -> SavedSeat:
    seats = saved.saved_seats()
    if not seats:
        raise Failure("no game was left; meadow play starts one")
    return seats[-1]


def _sit_down_again(stack: ExitStack, kept: SavedSeat) -> Seat:
    return Seat(_connected(stack, kept.address, kept.journal), kept.name, kept.seat, kept.token)


def _connected(stack: ExitStack, address: str, journal: str, packs: Sequence[Path] = ()) -> Client:
    """A client of the server at an address, or without one, of a server of one's own."""
    if address:
        return stack.enter_context(connect(address))
    return stack.enter_context(stack.enter_context(LocalServer(Path(journal), packs=packs)).connect())


_RESUME = ("meadow play --resume", "bold")


def _invite(made: game_service_pb2.CreateGameResponse, address: str) -> None:
    """Show the code that open seats are claimed with, if there are any."""
    if any(seat.kind == common_pb2.SEAT_KIND_OPEN for seat in made.game.seats):
        join = (f"meadow play -a {address} --join {made.join_code}", "bold")
        console().print(Text.assemble("Others join with ", join), soft_wrap=True)


def _play(seat: Seat, kept: SavedSeat, dice: random.Random) -> None:
    out = console()
    out.print("help lists what you can type; quit leaves and keeps the game", style="dim")
    session = Session(seat, out, input, dice)
    seat.client.retry = AT_THE_TABLE
    try:
        if session.run():
            _finish(seat, kept, out)
            return
    except SeatLost as lost:
        saved.forget(kept.name)
        out.print(f"\nYou have resigned; the {lost} bot plays on.")
        return
    except (ConnectionProblem, Unavailable) as lost:
        out.print(Text.assemble("\nThe game is kept. Once the server is back: ", _RESUME))
        raise Failure(f"the server does not answer: {lost.message}") from None
    out.print(Text.assemble("\nThe game is kept. Go on with: ", _RESUME))


def _finish(seat: Seat, kept: SavedSeat, out: Console) -> None:
    file = saved.keep_replay(kept.name, replay_to_bytes(seat.replay()))
    saved.forget(kept.name)
    check = (f"meadow replay verify {file}", "bold")
    out.print(Text.assemble("Check that nobody cheated: ", check), soft_wrap=True)


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(play)
