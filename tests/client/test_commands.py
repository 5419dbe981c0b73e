from __future__ import annotations

import json
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from meadow_api.v1 import common_pb2, game_pb2
from meadow_client import BadReplayFile, Client, play, replay_from_bytes, replay_to_bytes
from meadow_client.cli.contest import Contest, play_games
from meadow_client.cli.examination import CHECKS
from meadow_client.cli.extras import missing_package
from meadow_client.cli.stats import mean, share

from tests.client.running import meadow

NOBODY = "127.0.0.1:1"
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module", name="finished")
def _finished(address: str) -> game_pb2.Game:
    """A game that bots have played to its end."""
    return play(address, lambda turn: turn.actions[0], opponents=["random"], display_name="Ada")


@pytest.fixture(scope="module", name="replay_file")
def _replay_file(address: str, finished: game_pb2.Game, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Its replay as JSON."""
    file = tmp_path_factory.mktemp("replay") / "game.json"
    assert meadow("replay", "save", f"{address}/{finished.name}", file).exit_code == 0
    return file


# ---- help and failure --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "command",
    [
        "play",
        "watch",
        "games",
        "arena",
        "replay verify",
        "replay save",
        "replay show",
        "replay step",
        "draw",
        "content stats",
        "conformance",
    ],
)
def test_help_teaches_by_examples(command: str) -> None:
    """Each command's --help says what it does and shows examples that begin with its name."""
    done = meadow(*command.split(), "--help")
    assert done.exit_code == 0
    assert f"meadow {command}" in done.stdout.split("Examples:")[1]


def test_the_commands_are_listed() -> None:
    """`meadow` alone lists every command."""
    listed = meadow("--help").stdout
    for command in ("serve", "play", "watch", "games", "arena", "replay", "draw", "bench", "content", "conformance"):
        assert re.search(rf"│ {command} ", listed), command


@pytest.mark.parametrize("command", ["games", "watch"])
def test_a_server_that_is_not_there_is_named(command: str) -> None:
    """Without a server a command ends with one line on standard error that names the address."""
    done = meadow(command, "-a", NOBODY)
    assert done.exit_code == 1
    assert NOBODY.rpartition(":")[0] in done.stderr
    assert "Traceback" not in done.stderr


def test_a_refusal_of_the_server_is_told_by_its_reason(address: str) -> None:
    """What the service refuses ends the command with the reason's name."""
    done = meadow("watch", "games/" + "0" * 32, "-a", address)
    assert (done.exit_code, "GAME_NOT_FOUND" in done.stderr) == (1, True)


def test_a_missing_package_is_named_with_its_extra() -> None:
    """The message names the package and the pip command; a module of the project itself is a fault, not an extra."""
    assert "structlog" in missing_package(ModuleNotFoundError(name="structlog.contextvars"), "server")
    assert "pip install 'meadow-engine[server]'" in missing_package(ModuleNotFoundError(name="structlog"), "server")
    with pytest.raises(ModuleNotFoundError):
        missing_package(ModuleNotFoundError(name="meadow_engine.nothing"), "server")


def test_without_the_client_extra_the_command_line_names_it() -> None:
    """`meadow` on the bare wheel ends with the pip command for the client extra."""
    code = (
        "import sys; sys.modules['grpc'] = sys.modules['typer'] = None;"
        "sys.argv = ['meadow', 'play']; from meadow_client.cli import main; main()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "pip install 'meadow-engine[client]'" in done.stderr
    assert "Traceback" not in done.stderr


def test_serve_hands_its_arguments_to_the_server() -> None:
    """`meadow serve --help` is the server's own help, with its environment variables."""
    code = "from meadow_client.cli import main; main()"
    done = subprocess.run([sys.executable, "-c", code, "serve", "--help"], capture_output=True, text=True, check=True)
    assert "MEADOW_LISTEN" in done.stdout


# ---- games and watching ------------------------------------------------------------------------------------


def test_games_lists_names_states_and_results(address: str, finished: game_pb2.Game) -> None:
    """A finished game is listed with its seats and its result; other states are left out on demand."""
    listed = meadow("games", "-a", address, "--state", "finished", "--limit", "1000").stdout
    assert finished.name in listed
    assert "Ada" in listed
    assert "(2 pins)" in listed
    assert finished.name not in meadow("games", "-a", address, "--state", "open").stdout
    assert meadow("games", "-a", address, "--state", "lost").exit_code == 2


def test_watch_tells_a_game_to_its_end(address: str) -> None:
    """A game of bots is told line by line, with tables if wanted, up to its result."""
    with Client(address) as client:
        name = client.create_game("spring_meadow", ["random", "random"]).game.name
    told = meadow("watch", f"{address}/{name}", "--from-start").stdout
    assert "hiking map" in told
    assert "wins pin 2" in told
    assert "(2 pins)" in told.splitlines()[-1]
    assert "hiking map" not in meadow("watch", name, "-a", address, "--no-table").stdout


# ---- replays -----------------------------------------------------------------------------------------------


def test_a_replay_is_verified_from_server_and_file(address: str, finished: game_pb2.Game, replay_file: Path) -> None:
    """The game played again agrees with the server's replay and with the file: six checks, all ok."""
    for source in (f"{address}/{finished.name}", replay_file):
        done = meadow("replay", "verify", source)
        assert done.exit_code == 0, done.stdout
        assert re.findall(r"^ok +(\w+)", done.stdout, re.MULTILINE) == [
            "commitment",
            "configuration",
            "records",
            "shuffles",
            "game",
            "outcome",
        ]


def _forged(replay_file: Path, where: Path, forge: object) -> Path:
    replay = replay_from_bytes(replay_file.read_bytes())
    forge(replay)  # type: ignore[operator]
    file = where / "forged.replay"
    file.write_bytes(replay_to_bytes(replay))
    return file


def _other_hash(replay: game_pb2.Replay) -> None:
    replay.records[5].state_hash = bytes(32)


def _other_nonce(replay: game_pb2.Replay) -> None:
    replay.fairness.nonce = bytes(32)


def _other_winner(replay: game_pb2.Replay) -> None:
    for result in replay.game.outcome.results:
        result.rank = 3 - result.rank


def _other_draw(replay: game_pb2.Replay) -> None:
    drawn = [
        event for record in replay.records for event in record.events if event.spring_meadow.HasField("map_refilled")
    ]
    drawn[0].spring_meadow.map_refilled.tiles[0] += 1


def _other_points(replay: game_pb2.Replay) -> None:
    replay.game.outcome.results[0].points += 1


def _other_options(replay: game_pb2.Replay) -> None:
    replay.game.options.spring_meadow.expert = True


def _other_action(replay: game_pb2.Replay) -> None:
    for record in replay.records:
        if record.action.action.spring_meadow.HasField("take_tile"):
            record.action.action.spring_meadow.take_tile.space += 1


def _other_version(replay: game_pb2.Replay) -> None:
    replay.game.version = 5


def _other_state(replay: game_pb2.Replay) -> None:
    replay.game.state = common_pb2.GAME_STATE_RUNNING


def _other_time(replay: game_pb2.Replay) -> None:
    replay.records[5].create_time.seconds = 1


def _missing_record(replay: game_pb2.Replay) -> None:
    del replay.records[4]


@pytest.mark.parametrize(
    ("forge", "found"),
    [
        (_other_hash, "records"),
        (_other_nonce, "commitment"),
        (_other_winner, "outcome"),
        (_other_draw, "records"),
        (_missing_record, "records"),
        (_other_points, r"outcome .*rank .* played again: "),
        (_other_options, "configuration +options"),
        (_other_action, "records"),
        (_other_version, "game"),
        (_other_state, "game"),
        (_other_time, "records"),
    ],
)
def test_a_forged_replay_is_found_out(replay_file: Path, tmp_path: Path, forge: object, found: str) -> None:
    """Whatever is changed in the file, or a missing record, fails its check and the command."""
    done = meadow("replay", "verify", _forged(replay_file, tmp_path, forge))
    assert done.exit_code == 1
    assert re.search(rf"^WRONG +{found}", done.stdout, re.MULTILINE), done.stdout


@pytest.mark.parametrize("configuration", ["[]", "{", "{}", '{"options":3}', ""])
def test_a_damaged_configuration_is_named(replay_file: Path, tmp_path: Path, configuration: str) -> None:
    """A configuration that is none leaves nothing to play again."""

    def damage(replay: game_pb2.Replay) -> None:
        replay.fairness.configuration = configuration

    done = meadow("replay", "verify", _forged(replay_file, tmp_path, damage))
    assert (done.exit_code, "its configuration is damaged" in done.stderr) == (1, True)


def test_a_file_that_cannot_be_written_is_named(replay_file: Path, tmp_path: Path) -> None:
    """A folder that is not there ends the command with a line."""
    there = tmp_path / "nowhere" / "x"
    for command in (("draw", replay_file, "-o", there), ("replay", "save", replay_file, there)):
        done = meadow(*command)
        assert (done.exit_code, "x cannot be written" in done.stderr) == (1, True)


def test_a_mistyped_position_is_told_as_one(tmp_path: Path) -> None:
    """Plain text can only be meant as a position, and what is wrong with it is said."""
    (tmp_path / "study.txt").write_text("sprng_meadow seats 2\n", "utf-8")
    done = meadow("draw", tmp_path / "study.txt")
    assert (done.exit_code, "study.txt holds no position: " in done.stderr) == (1, True)


def test_a_running_game_cannot_be_verified(address: str) -> None:
    """While the seed is secret there is nothing to verify, and the command says so."""
    with Client(address) as client:
        name = client.create_game("spring_meadow", ["me", "me"]).game.name
    done = meadow("replay", "verify", f"{address}/{name}")
    assert (done.exit_code, "has not ended" in done.stderr) == (1, True)


def test_what_is_no_replay_is_named(tmp_path: Path) -> None:
    """A file that holds none, and a name that is neither file nor game, are answered by name."""
    for text in ("{tea", "", "{}", "[]", "{" * 50_000):
        (tmp_path / "tea.json").write_text(text, "utf-8")
        assert (
            "tea.json holds no replay: it is no replay file" in meadow("replay", "verify", tmp_path / "tea.json").stderr
        )
    assert "neither a file nor a game" in meadow("replay", "verify", "tea").stderr


@pytest.mark.parametrize("suffix", ["json", "replay"])
def test_a_replay_is_kept_in_both_forms(replay_file: Path, tmp_path: Path, suffix: str) -> None:
    """JSON and binary files hold the same replay, and each is written again from the other without a server."""
    copy = tmp_path / f"copy.{suffix}"
    assert meadow("replay", "save", replay_file, copy).exit_code == 0
    assert replay_from_bytes(copy.read_bytes()) == replay_from_bytes(replay_file.read_bytes())
    assert meadow("replay", "verify", copy, "-a", NOBODY).exit_code == 0
    assert (copy.read_bytes()[:1] == b"{") == (suffix == "json")


def test_a_replay_of_another_format_is_refused(replay_file: Path, tmp_path: Path) -> None:
    """A file of a newer format, or of something else in the same form, is named rather than misread."""
    text = replay_file.read_text("utf-8")
    for old, new, named in (
        ('"format_version": 1', '"format_version": 2', "a replay file of format 2; this version reads 1"),
        ('"meadow replay"', '"meadow holiday"', "no replay file"),
    ):
        (tmp_path / "new.json").write_text(text.replace(old, new), "utf-8")
        told = meadow("replay", "verify", tmp_path / "new.json")
        assert (told.exit_code, named in told.stderr) == (1, True)
    bare = replay_from_bytes(replay_file.read_bytes()).SerializeToString()
    with pytest.raises(BadReplayFile):
        replay_from_bytes(bare)


def test_a_replay_is_shown_at_any_version(replay_file: Path) -> None:
    """`replay show` tells what happened at a version and prints the table after it, offline."""
    replay = replay_from_bytes(replay_file.read_bytes())
    shown = meadow("replay", "show", replay_file, "--version", "5", "--seat", "1", "-a", NOBODY)
    assert shown.exit_code == 0, shown.stderr
    assert f"version 5 of {len(replay.records)}: action, seen by seat 1" in shown.stdout
    assert "board" in shown.stdout
    assert f"version {len(replay.records)} of" in meadow("replay", "show", replay_file).stdout
    for wrong in (["--version", "0"], ["--version", "9999"], ["--seat", "3"], ["--seat", "0"]):
        done = meadow("replay", "show", replay_file, *wrong)
        assert (done.exit_code, "the game has" in done.stderr) == (2, True)


def test_a_replay_is_walked_through(replay_file: Path) -> None:
    """`replay step` goes on, back, to a version and to another seat, and says what it does not understand."""
    typed = "\n\nb\n9\ns 2\ns\nx\n99999\ns 7\nq\n"
    walked = meadow("replay", "step", replay_file, typed=typed)
    assert walked.exit_code == 0
    shown = re.findall(r"version (\d+) of \d+: .* seen by (.+)", walked.stdout)
    assert shown == [
        ("1", "a spectator"),
        ("2", "a spectator"),
        ("3", "a spectator"),
        ("2", "a spectator"),
        ("9", "a spectator"),
        ("9", "seat 2"),
        ("9", "a spectator"),
    ]
    assert "'x' is none of these" in walked.stdout
    assert "seats 1 to 2" in walked.stdout
    assert meadow("replay", "step", replay_file, typed="").exit_code == 0


def test_a_replay_is_told(replay_file: Path) -> None:
    """`replay tell` has a line for every placed tile, with its version, and ends with the result."""
    told = meadow("replay", "tell", replay_file).stdout
    placed = replay_file.read_text("utf-8").count('"tile_placed"')
    assert told.count(" lays ") == placed
    assert "(2 pins)" in told.splitlines()[-1]


# ---- drawing -----------------------------------------------------------------------------------------------


def _drawn(file: Path) -> ET.Element:
    return ET.fromstring(file.read_text("utf-8"))


def _words(svg: ET.Element) -> str:
    return " ".join(text.text or "" for text in svg.iter(f"{SVG}text"))


def test_each_source_is_drawn(address: str, finished: game_pb2.Game, replay_file: Path, tmp_path: Path) -> None:
    """A game on a server, its replay at any version and a game of bots are well-formed SVG with the seats' names."""
    file = tmp_path / "table.svg"
    for source in ([f"{address}/{finished.name}"], [replay_file], [replay_file, "--version", "20"]):
        assert meadow("draw", *source, "-o", file).exit_code == 0
        assert "Ada" in _words(_drawn(file))
    assert meadow("draw", "--seats", "4", "--turns", "3", "-o", file).exit_code == 0
    assert "Seat 4" in _words(_drawn(file))


def test_the_drawing_of_the_last_version_is_that_of_the_live_game(
    address: str, finished: game_pb2.Game, replay_file: Path, tmp_path: Path
) -> None:
    """The replay played again draws the same table, to the byte, as the server's own view."""
    meadow("draw", f"{address}/{finished.name}", "-o", tmp_path / "live.svg")
    meadow("draw", replay_file, "-o", tmp_path / "again.svg")
    assert (tmp_path / "live.svg").read_bytes() == (tmp_path / "again.svg").read_bytes()


def test_a_drawing_goes_to_standard_output_too() -> None:
    """With -o - the drawing itself is printed."""
    done = meadow("draw", "--variant", "spring_meadow_solo", "--turns", "2", "-o", "-")
    assert ET.fromstring(done.stdout).tag == f"{SVG}svg"


def test_all_tiles_are_drawn_with_their_names(client: Client, tmp_path: Path) -> None:
    """The catalogue's drawing names each of the 46 kinds."""
    file = tmp_path / "tiles.svg"
    assert meadow("draw", "--catalogue", "-o", file).exit_code == 0
    words = _words(_drawn(file))
    from meadow_client import SPRING_MEADOW

    tiles = client.get_catalogue(SPRING_MEADOW).spring_meadow.tiles
    assert len(tiles) == 46
    assert all(tile.display_name in words for tile in tiles)


# ---- arena, content, conformance ---------------------------------------------------------------------------


def test_an_arena_is_repeatable_and_fair() -> None:
    """The same seed gives the same JSON; every bot sits on every seat equally often."""
    arguments = ("arena", "greedy", "random", "-n", "6", "--seed", "4", "-j", "1", "--json")
    first, second = meadow(*arguments), meadow(*arguments)
    assert first.stdout == second.stdout
    report = json.loads(first.stdout)
    assert report["games"] == 6
    assert [bot["played"] for bot in report["bots"]] == [6, 6]
    shares = [bot["win_share"]["value"] for bot in report["bots"]]
    assert sum(shares) == pytest.approx(1)
    assert sum(place["win_share"]["value"] for place in report["places"]) == pytest.approx(1)


def test_a_bot_against_itself_never_plays_a_game_twice() -> None:
    """With equal bots a rotation would repeat the game, and its interval would promise more than was played."""
    games = list(play_games(Contest("spring_meadow", ("greedy", "greedy"), 1), 6, jobs=1))
    assert len({(game.first, game.choices, game.boards) for game in games}) == 6


def test_more_processes_change_nothing() -> None:
    """Two processes play the games that one does."""
    arguments = ("arena", "random", "--seats", "3", "-n", "18", "--json")
    assert meadow(*arguments, "-j", "2").stdout == meadow(*arguments, "-j", "1").stdout


def test_a_bot_of_ones_own_takes_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A function in a file is a bot, whatever else the file defines; its table has shares with intervals."""
    (tmp_path / "mine.py").write_text(
        "from __future__ import annotations\nfrom dataclasses import dataclass\n\n"
        "@dataclass\nclass Move:\n    number: int\n\n"
        "def choose(view, legal, catalogue, dice):\n    return Move(legal[-1]).number\n",
        "utf-8",
    )
    monkeypatch.chdir(tmp_path)
    done = meadow("arena", "mine.py:choose", "random", "-n", "4", "-j", "1")
    assert done.exit_code == 0, done.stderr
    assert "mine.py:choose" in done.stdout
    assert re.search(r"\d+\.\d %  \(\d+\.\d to \d+\.\d\)", done.stdout)


@pytest.mark.parametrize(
    "arguments",
    [["nobody"], ["random", "--seats", "9"], ["random", "--variant", "chess"], ["nowhere.py:choose", "random"]],
)
def test_an_impossible_arena_says_why(arguments: list[str]) -> None:
    """An unknown bot, seat count or variant ends with exit code 2 and a line."""
    done = meadow("arena", *arguments, "-n", "2")
    assert done.exit_code == 2
    assert done.stderr.startswith("meadow: ")


def test_shares_and_means_have_their_intervals() -> None:
    """Wilson's interval of 8 in 10, and the normal one of 1, 2, 3, as the textbooks have them."""
    found = share(8, 10)
    assert (found.value, round(found.low, 3), round(found.high, 3)) == (0.8, 0.49, 0.943)
    found = mean([1, 2, 3])
    assert (found.value, round(found.low, 3), round(found.high, 3)) == (2.0, 0.868, 3.132)
    assert share(0, 0).high == mean([]).high == 0


def test_a_pack_is_written_checked_and_judged(tmp_path: Path) -> None:
    """A new pack is listed and faulty until filled in; the built-in one has its tables."""
    folder = tmp_path / "box"
    assert "spring_tiles.csv" in meadow("content", "new", folder).stdout
    assert meadow("content", "new", folder).exit_code == 1
    faults = meadow("content", "check", folder)
    assert (faults.exit_code, "spring_boards.toml:" in faults.stdout) == (1, True)
    assert "faulty" in meadow("content", "stats", folder).stderr
    assert "meadow_w.csv" in meadow("content", "new", tmp_path / "cards", "--game", "meadow").stdout
    judged = meadow("content", "stats", "-n", "1", "--bot", "random", "--seats", "2")
    assert judged.exit_code == 0
    assert "T01" in judged.stdout


def test_this_server_conforms(address: str) -> None:
    """A solo game keeps every promise that conformance checks, and the command says so."""
    done = meadow("conformance", address, "--variant", "spring_meadow_solo")
    assert done.exit_code == 0, done.stdout
    assert re.findall(r"  ok", done.stdout) == ["  ok"] * len(CHECKS)


def test_conformance_without_anything_to_check_fails(address: str) -> None:
    """A variant that the server does not have is no success."""
    assert meadow("conformance", address, "--variant", "chess").exit_code == 1


def test_bench_is_for_the_source_tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where there is no source tree, bench says where it is to be found."""
    from meadow_client.cli import bench

    monkeypatch.setattr(bench, "__file__", str(tmp_path / "bench.py"))
    monkeypatch.chdir(tmp_path)
    done = meadow("bench")
    assert (done.exit_code, "source tree" in done.stderr) == (1, True)
