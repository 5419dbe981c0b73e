"""`meadow draw`: a table as SVG."""

from __future__ import annotations

import sys
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from meadow_api.v1 import game_pb2

from meadow_client.cli.common import DEFAULT_ADDRESS, Address, Token, connect, console, target, write
from meadow_client.cli.engine import family_of, pack_catalogue, pack_in, view_message
from meadow_client.cli.faces import Face, face_of, face_of_game
from meadow_client.cli.failure import Failure, undamaged
from meadow_client.cli.replay import PackFolder, load
from meadow_client.cli.verify import games_of

if TYPE_CHECKING:
    from meadow_engine import api

Drawing = tuple[game_pb2.GameView, Face]


def draw(  # noqa: PLR0913 (each is an option)
    source: Annotated[
        str, typer.Argument(help="[HOST:PORT/]games/ID, a replay, or a text file with a position; none plays by bot.")
    ] = "",
    *,
    output: Annotated[Path, typer.Option("--output", "-o", help="File to write; - is standard output.")] = Path(
        "meadow.svg"
    ),
    address: Address = DEFAULT_ADDRESS,
    token: Token = "",
    version: Annotated[
        int | None, typer.Option(min=1, help="Of a replay: the version to show; the last if none.")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Without source: seed of the game.")] = 1,
    turns: Annotated[int, typer.Option(min=0, help="Without source: turns that bots play first.")] = 20,
    variant: Annotated[str, typer.Option(help="Without source: what they play.")] = "spring_meadow",
    seats: Annotated[int, typer.Option(help="Without source: how many they are; the fewest if 0.")] = 0,
    bot: Annotated[str, typer.Option(help="Without source: which bot plays.")] = "greedy",
    title: Annotated[str, typer.Option(help="A line above the table; says whose choice it is if empty.")] = "",
    catalogue: Annotated[
        bool, typer.Option("--catalogue", help="Draw all tiles or cards of the pack instead of a table.")
    ] = False,
    pack: PackFolder = None,
) -> None:
    """Draw a table: a game on a server, a replay at any version, a position from a text file, or a game of bots.

    Examples:
      meadow draw games/8f0c... -o now.svg

      meadow draw game.json --version 40 -o then.svg

      meadow draw position.txt

      meadow draw --seed 7 --turns 30 --seats 4 -o four.svg

      meadow draw --variant meadow --seats 3 -o meadow.svg

      meadow draw --catalogue -o tiles.svg
    """
    if catalogue:
        svg = _pack_face(variant, pack_in(pack)).components_svg()
    elif source:
        view, face = _of_source(source, address, token, version, pack)
        with undamaged(source):
            svg = face.svg(view, title)
    else:
        game = _played_by_bots(variant, seats, seed, turns, bot, pack_in(pack))
        svg = _pack_face(variant, pack_in(pack)).svg(view_message(game), title)
    if str(output) == "-":
        sys.stdout.write(svg)
    else:
        write(output, svg.encode())
        console().print(f"drawn: {output}", soft_wrap=True)


def _of_source(source: str, address: str, token: str, version: int | None, pack: Path | None) -> Drawing:
    file = Path(source)
    position = file.is_file() and _is_plain_text(file.read_bytes())
    if version is not None and (position or not file.is_file()):
        raise Failure("--version is for the file of a replay, which meadow replay save writes", exit_code=2)
    if not file.is_file():
        return _of_live_game(source, address, token)
    if position:
        game = _of_position(file, pack_in(pack))
        return view_message(game), _pack_face(game.variant.id, pack_in(pack))
    return _of_replay(load(source, address), version, pack)


def _is_plain_text(data: bytes) -> bool:
    """Whether a file can only be meant as a position: a replay is JSON, or has hashes in it."""
    return data.isascii() and not data.lstrip().startswith(b"{")


def _of_live_game(source: str, address: str, token: str) -> Drawing:
    if "games/" not in source:
        raise Failure(f"{source} is neither a file nor a game such as games/ID")
    where, name = target(source, address)
    with connect(where, token) as client:
        view = client.get_game_view(name).view
        face = face_of_game(client, client.get_game(name).game)
        if not face.has_table(view):
            raise Failure("the game has not started")
        return view, face


def _of_position(file: Path, pack: api.Pack) -> api.Game:
    from meadow_engine import api

    try:
        return api.parse_position(file.read_text(encoding="utf-8"), pack)
    except (api.BadNotation, UnicodeDecodeError) as wrong:
        raise Failure(f"{file} holds no position: {wrong}") from None


def _of_replay(replay: game_pb2.Replay, version: int | None, pack: Path | None) -> Drawing:
    if not replay.complete:
        raise Failure("the game has not ended: only its seed lets it be played again")
    content = pack_in(pack)
    last = len(replay.records)
    shown = last if version is None else version
    if shown > last:
        raise Failure(f"the game has versions 1 to {last}", exit_code=2)
    game = next(islice(games_of(replay, content), shown - 1, None), None)
    if game is None:
        raise Failure(f"at version {shown} the game had not started")
    view = view_message(game, version=shown)
    view.seats.extend(replay.game.seats)
    return view, _pack_face(replay.game.variant, content)


def _pack_face(variant: str, pack: api.Pack) -> Face:
    """How a variant looks with a pack's content."""
    return face_of(pack_catalogue(pack, family_of(variant)))


def _played_by_bots(variant: str, seats: int, seed: int, turns: int, bot: str, pack: api.Pack) -> api.Game:
    from meadow_engine import api

    try:
        game = api.new_game(variant, seats=seats or api.variant(variant).min_seats, seed=seed, pack=pack)
        chooser = api.bot(bot, game.variant.family)
    except api.EngineError as refused:
        raise Failure(str(refused), exit_code=2) from None
    dice = api.Streams(seed.to_bytes(api.SEED_BYTES, "big"))
    while game.decision is not None and _turns_begun(game) <= turns:
        game.apply(chooser.choose(game.view(game.decision.seat), game.legal_ids(), game.catalogue, dice))
    return game


def _turns_begun(game: api.Game) -> int:
    """Turns of Spring Meadow; in Meadow, path tokens that the seats placed."""
    view = game.view(None)
    if game.variant.family == "spring_meadow":
        return int(view.turn)
    tokens = (4 if view.seats == 4 else 5) + (view.river is not None)
    left = sum(player.tokens.bit_count() for player in view.players)
    return int(view.round * tokens * view.seats - left) if view.round else 0


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(draw)
