from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from meadow_api.v1 import common_pb2
from meadow_client import Client
from meadow_client.cli.local_server import LocalServer
from meadow_client.errors import GameNotFound, TokenUnknown

from tests.client.running import Answer, meadow

KEY = "a-key-of-the-operator-of-the-tests"


@pytest.fixture(scope="module", name="folder")
def _folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the operator's key."""
    folder = tmp_path_factory.mktemp("operator")
    (folder / "keys").write_text(KEY + "\n")
    return folder


@pytest.fixture(scope="module", name="server")
def _server(folder: Path) -> Iterator[LocalServer]:
    """A server with an operator."""
    with LocalServer(folder / "journal.db", operator_key_file=folder / "keys") as server:
        yield server


@pytest.fixture(name="key")
def _key(folder: Path) -> list[str]:
    """The option that names the key."""
    return ["--operator-key-file", str(folder / "keys")]


@pytest.fixture(name="owner")
def _owner(server: LocalServer) -> Iterator[Client]:
    """A client of whoever may create games."""
    with Client(server.address, token=KEY) as client:
        yield client


def admin(server: LocalServer, key: list[str], command: str, *arguments: str | Path) -> Answer:
    """A command to a running server."""
    return meadow(*key, "admin", command, *arguments, "--address", server.address)


def test_a_private_game_is_listed_aborted_and_deleted(server: LocalServer, key: list[str], owner: Client) -> None:
    """The operator sees every game, ends it, writes its replay, and deletes it."""
    game = owner.create_game("spring_meadow", ["me", "open"], private=True).game.name
    listed = admin(server, key, "list")
    assert listed.exit_code == 0, listed.stderr
    (line,) = (line for line in listed.stdout.splitlines() if game in line)
    assert all(word in line for word in ("spring_meadow", "open", "its players"))
    assert game not in admin(server, key, "list", "--state", "running").stdout
    assert game not in meadow("games", "--address", server.address).stdout

    done = admin(server, key, "abort", game.removeprefix("games/"), "--explanation", "the hall closes")
    assert (done.exit_code, game in done.stdout) == (0, True), done.stderr
    assert owner.get_game(game).game.state == common_pb2.GAME_STATE_ABORTED
    again = admin(server, key, "abort", game)
    assert (again.exit_code, "aborted" in again.stderr) == (1, True)

    assert admin(server, key, "delete", game).exit_code == 0
    with pytest.raises(GameNotFound):
        owner.get_game(game)
    assert admin(server, key, "delete", game).exit_code == 1


def test_a_host_gets_a_new_token(server: LocalServer, key: list[str], owner: Client) -> None:
    """The token that is printed manages the game; the one before no longer does."""
    made = owner.create_game("spring_meadow", ["me", "open"])
    done = admin(server, key, "host-token", made.game.name)
    token = done.stdout.strip()
    assert done.exit_code == 0, done.stderr
    with pytest.raises(TokenUnknown):
        owner.abort_game(made.game.name, token=made.host_token)
    assert owner.abort_game(made.game.name, token=token).state == common_pb2.GAME_STATE_ABORTED


def test_a_game_is_exported(server: LocalServer, key: list[str], owner: Client, tmp_path: Path) -> None:
    """The file is a replay as `meadow replay` reads it; one that is there is not overwritten."""
    game = owner.create_game("spring_meadow", ["random", "random"]).game.name
    for message in owner.watch_game(game):
        last = message
    assert last.HasField("terminal")
    file = tmp_path / "game.replay"
    assert admin(server, key, "export", game, file).exit_code == 0
    assert meadow("replay", "verify", file).exit_code == 0
    kept = file.read_bytes()
    refused = admin(server, key, "export", game, file)
    assert (refused.exit_code, "exists" in refused.stderr, file.read_bytes()) == (1, True, kept)


def test_a_journal_without_a_server_is_managed_too(folder: Path, tmp_path: Path) -> None:
    """With --journal a server is started for the command; a journal in use, and one that is not there, are refused."""
    journal = tmp_path / "own.db"
    with LocalServer(journal) as server, server.connect() as client:
        game = client.create_game("spring_meadow", ["me", "open"], private=True).game.name
        busy = meadow("admin", "list", "--journal", journal)
        assert busy.exit_code == 1
        assert f"process {server.process_id}" in busy.stderr
        assert "--address" in busy.stderr
    done = meadow("admin", "abort", game, "--journal", journal)
    assert (done.exit_code, game in done.stdout) == (0, True), done.stderr
    missing = meadow("admin", "list", "--journal", tmp_path / "missing.db")
    assert (missing.exit_code, "missing.db" in missing.stderr) == (1, True)
    assert not (tmp_path / "missing.db").exists()


def test_commands_say_what_they_need(server: LocalServer, key: list[str], tmp_path: Path) -> None:
    """No key, an empty one, a wrong one, a journal beside an address, an unknown state: each is told in a line."""
    empty, wrong = tmp_path / "empty", tmp_path / "wrong"
    empty.write_text("\n")
    wrong.write_text("a-wrong-key-of-somebody")
    for options, code, words in (
        ([], 2, "--operator-key-file"),
        (["--operator-key-file", str(tmp_path / "missing")], 2, "missing"),
        (["--operator-key-file", str(empty)], 2, "no key"),
        (["--operator-key-file", str(wrong)], 1, "token"),
    ):
        # a public list is everybody's; the operator's calls are not
        done = admin(server, options, "abort", "games/" + "0" * 32)
        assert (done.exit_code, words in done.stderr) == (code, True), done.stderr
        assert done.stderr.count("\n") == 1
    both = meadow(*key, "admin", "list", "--address", server.address, "--journal", "x.db")
    assert (both.exit_code, "name one" in both.stderr) == (2, True)
    assert admin(server, key, "list", "--state", "lost").exit_code == 2


def test_a_wrong_key_is_told_by_the_list_too(server: LocalServer, tmp_path: Path) -> None:
    """Whoever thinks to be the operator and is not learns so, rather than seeing a short list."""
    wrong = tmp_path / "wrong"
    wrong.write_text("a-wrong-key-of-somebody")
    done = admin(server, ["--operator-key-file", str(wrong)], "list")
    assert (done.exit_code, done.stderr.count("\n")) == (1, 1), done.stderr


def test_every_command_has_help_with_an_example() -> None:
    """What --help says of each command has an example that names it."""
    for command in ("list", "abort", "delete", "host-token", "export", "backup"):
        text = meadow("admin", command, "--help").stdout
        assert f"admin {command}" in text.partition("Examples")[2], command


def test_who_has_the_key_may_play_and_examine(server: LocalServer, key: list[str]) -> None:
    """Commands that create games bring the key, where they are given one; without it they say what is missing."""
    play = ["play", "--address", server.address]
    examine = ["conformance", server.address, "--variant", "spring_meadow_solo"]
    for command in (play, examine):
        refused = meadow(*command)
        said = " ".join((refused.stdout + refused.stderr).split())
        assert (refused.exit_code, "created by the operator" in said) == (1, True), said
        done = meadow(*key, *command)
        assert done.exit_code == 0, done.stdout + done.stderr
