"""`meadow admin`: for whoever runs a server."""

from __future__ import annotations

import secrets
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from meadow_api.v1 import common_pb2
from rich.table import Table

from meadow_client.cli.common import DEFAULT_ADDRESS, IMPATIENT, console, counted, state_name, state_of, write
from meadow_client.cli.connecting import GIVEN
from meadow_client.cli.extras import needs
from meadow_client.cli.failure import Failure
from meadow_client.cli.games import STATES
from meadow_client.cli.local_server import LocalServer
from meadow_client.client import Client
from meadow_client.replay_file import replay_to_bytes

if TYPE_CHECKING:
    from google.protobuf.timestamp_pb2 import Timestamp

DEFAULT_JOURNAL = "var/meadow.db"
ABOUT = (
    "Manage the games of a server, private ones too, and copy its journal.\n\n"
    "A server that runs is asked at its --address, with the operator's key that it knows (meadow --operator-key-file "
    "FILE admin ..., or MEADOW_OPERATOR_KEY_FILE). For one that does not run, --journal names its journal; a server is "
    "then started for the command, so the games of bots go on meanwhile."
)

Game = Annotated[str, typer.Argument(help="games/ID, or ID.", show_default=False)]
Address = Annotated[
    str,
    typer.Option(
        "--address", "-a", envvar="MEADOW_ADDRESS", help="Server that runs, HOST:PORT.", show_default=DEFAULT_ADDRESS
    ),
]
Journal = Annotated[str, typer.Option(help="Journal of a server that does not run: a file, or postgresql://...")]

commands = typer.Typer(help=ABOUT, no_args_is_help=True)


@contextmanager
def operator(address: str, journal: str) -> Iterator[Client]:
    """A client of the operator: of the server that runs, or of one that is started on a journal.

    Raises:
        Failure: both are named, the journal is not there, or the key is missing.
    """
    if journal and address:
        raise Failure("--address is for a server that runs, --journal for one that does not: name one", exit_code=2)
    if journal:
        with _started_on(journal) as client:
            yield client
        return
    key = GIVEN.get().operator_key()
    if not key:
        message = "name the operator's key: meadow --operator-key-file FILE admin ..., or MEADOW_OPERATOR_KEY_FILE"
        raise Failure(f"{message}; or, if no server runs, its --journal", exit_code=2)
    credentials = GIVEN.get().credentials()
    with Client(address or DEFAULT_ADDRESS, token=key, credentials=credentials, retry=IMPATIENT) as client:
        yield client


@contextmanager
def _started_on(journal: str) -> Iterator[Client]:
    """A client of a server of one's own on somebody's journal, with a key of its own."""
    if "://" not in journal and not Path(journal).is_file():
        raise Failure(f"there is no journal {journal}")
    key = secrets.token_hex(32)
    with tempfile.TemporaryDirectory() as folder:
        keys = Path(folder) / "keys"
        keys.write_text(key, encoding="ascii")
        try:
            server = LocalServer(journal, operator_key_file=keys)
        except Failure as refused:
            raise Failure(f"{refused}\nA server that runs is asked at its --address.") from None
        with server, Client(server.address, token=key, retry=IMPATIENT) as client:
            yield client


@commands.command("list")
def list_games(
    address: Address = "",
    journal: Journal = "",
    state: Annotated[str, typer.Option(help=f"Only games in this state: {', '.join(STATES)}.")] = "",
    variant: Annotated[str, typer.Option(help="Only games of this variant.")] = "",
    limit: Annotated[int, typer.Option(min=1, max=10**9, help="Most games to list.")] = 1000,
) -> None:
    """List all games, newest first, one a line: name, variant, state, visibility, version, created, last changed.

    Examples:
      meadow --operator-key-file operator.keys admin list --state running

      meadow admin list --journal var/meadow.db
    """
    if state and state not in STATES:
        raise Failure(f"no state {state!r}; there are {', '.join(STATES)}", exit_code=2)
    table = Table(box=None, header_style="bold", pad_edge=False)
    for column in ("game", "variant", "state", "visible to", "version", "created", "changed"):
        table.add_column(column, no_wrap=column == "game", overflow="fold")
    with operator(address, journal) as client:
        for game in islice(client.list_games(state=state_of(state), variant=variant), limit):
            private = game.visibility == common_pb2.VISIBILITY_PRIVATE
            visible = "its players" if private else "everybody"
            times = _time(game.create_time), _time(game.update_time)
            table.add_row(game.name, game.variant, state_name(game.state), visible, str(game.version), *times)
    if table.row_count:
        console().print(table)
    else:
        console().print("no games")


@commands.command()
def abort(
    game: Game,
    address: Address = "",
    journal: Journal = "",
    explanation: Annotated[str, typer.Option(help="Reason, for the players to read.")] = "",
) -> None:
    """End an open or running game without a result; its seed is published, as always.

    Examples:
      meadow --operator-key-file operator.keys admin abort games/8f0c... --explanation "the hall closes"
    """
    with operator(address, journal) as client:
        ended = client.abort_game(_name(game), explanation=explanation)
        console().print(f"{ended.name} is aborted, after {counted(ended.version, 'record')}")


@commands.command()
def delete(game: Game, address: Address = "", journal: Journal = "") -> None:
    """Delete a game that has ended, for good.

    Examples:
      meadow --operator-key-file operator.keys admin delete games/8f0c...
    """
    with operator(address, journal) as client:
        client.delete_game(_name(game))
        console().print(f"{_name(game)} is deleted")


@commands.command("host-token")
def host_token(game: Game, address: Address = "", journal: Journal = "") -> None:
    """Make a new token for the host of an open or running game, and print it; earlier ones are void.

    Examples:
      meadow --operator-key-file operator.keys admin host-token games/8f0c...
    """
    with operator(address, journal) as client:
        print(client.replace_host_token(_name(game)).host_token)


@commands.command()
def export(
    game: Game,
    file: Annotated[Path, typer.Argument(help="Where to write it; must not exist.", show_default=False)],
    address: Address = "",
    journal: Journal = "",
) -> None:
    """Write the replay of a game to a file, as `meadow replay` reads it: all of it, once the game has ended.

    Examples:
      meadow --operator-key-file operator.keys admin export games/8f0c... game.replay
    """
    if file.exists():
        raise Failure(f"{file} exists already")
    with operator(address, journal) as client:
        replay = client.get_replay(_name(game))
    write(file, replay_to_bytes(replay, as_json=file.suffix == ".json"))
    console().print(f"{file}: {counted(len(replay.records), 'record')} of {replay.game.name}", soft_wrap=True)


@commands.command()
def backup(
    file: Annotated[Path, typer.Argument(help="The copy; must not exist.", show_default=False)],
    journal: Annotated[
        str, typer.Option(envvar="MEADOW_JOURNAL", help="The SQLite journal, on this machine.")
    ] = DEFAULT_JOURNAL,
) -> None:
    """Copy a journal as of one moment, while its server serves. To restore, serve the copy.

    Examples:
      meadow admin backup /backup/meadow-monday.db

      meadow serve --journal /backup/meadow-monday.db
    """
    with needs("server"):
        from meadow_server.backup import BackupRefused, back_up
    try:
        size = back_up(journal, file)
    except BackupRefused as refusal:
        raise Failure(str(refusal)) from None
    console().print(f"{file}: {counted(size, 'byte')}", soft_wrap=True)


def _name(text: str) -> str:
    return text if text.startswith("games/") else f"games/{text}"


def _time(moment: Timestamp) -> str:
    return datetime.fromtimestamp(moment.seconds, UTC).strftime("%Y-%m-%d %H:%M")


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.add_typer(commands, name="admin")
