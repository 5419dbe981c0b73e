from __future__ import annotations

import io
import json
import os
import pty
import random
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from meadow_api.v1 import spring_meadow_pb2
from meadow_client import Client, Seat, on_resignation
from meadow_client.cli import saved
from meadow_client.cli.table.session import Session
from meadow_client.cli.table.words import HELP
from rich.console import Console

from tests.client.running import meadow


def lines_from(*lines: str) -> Callable[[str], str]:
    """What somebody types, who gets up when there is nothing left to type."""
    left = iter(lines)

    def read(prompt: str) -> str:
        for line in left:
            return line
        raise EOFError

    return read


class Sitting:
    """A person at a table: what they typed and what they saw."""

    def __init__(self, seat: Seat, *lines: str, colour: bool = False, width: int = 140) -> None:
        self.out = io.StringIO()
        console = Console(
            file=self.out, width=width, force_terminal=colour, color_system="truecolor" if colour else None
        )
        self.session = Session(seat, console, lines_from(*lines), random.Random(1))
        self.ended = self.session.run()

    @property
    def seen(self) -> str:
        """All that was printed."""
        return self.out.getvalue()


@pytest.fixture
def seat(client: Client) -> Iterator[Seat]:
    """The first seat of a seeded game against a random bot, at its first choice."""
    options = spring_meadow_pb2.SpringMeadowOptions(first_seat=0, faces=["1A", "2A"])
    made = client.create_game("spring_meadow", ["me", "random"], options=options, seed=3)
    yield Seat(client, made.game.name, 0, made.seat_tokens[0].token)
    client.abort_game(made.game.name, token=made.host_token) if client.get_game(
        made.game.name
    ).game.state == 2 else None


def test_the_table_shows_map_boards_and_points(seat: Seat) -> None:
    """The map with its path, each board with its seat, rows, columns, burrows and points are there without colour."""
    seen = Sitting(seat).seen
    assert "hiking map: top 1" in seen
    assert "random bot" in seen
    assert "9 . . b . . . . . . ." in seen
    assert "a b c d e f g h i j" in seen
    assert "0 + 0 + 0 = 0" in seen
    assert "Take a tile: 1 " in seen


def test_help_and_scores_and_nonsense_are_answered(seat: Seat) -> None:
    """Help shows what can be typed, scores the sources of points; what is not understood gets a hint."""
    seen = Sitting(seat, "help", "scores", "9", "dance").seen
    assert HELP.splitlines()[0] in seen
    assert "rows 0 + next row 0 + burrows 0 = 0" in seen
    assert seen.count("choose one of 1, 2, 3, 4, 5; help tells more") == 2


def test_a_tile_is_taken_looked_at_previewed_and_placed(seat: Seat) -> None:
    """A choice from the path shows each way to turn the tile; a space is previewed, then confirmed with Enter."""
    sitting = Sitting(seat, "1", "2", "1 g1", "", "undo")
    assert re.search(r">2 \d+ places", sitting.seen)
    assert re.search(r"[+-]\d+ points?$", sitting.seen, re.MULTILINE)
    placed = [record for record in seat.replay().records if record.action.action.spring_meadow.HasField("place_tile")]
    assert placed[0].action.seat == 0
    assert (placed[0].action.action.spring_meadow.place_tile.row, sitting.ended) == (0, False)


def test_no_is_no(seat: Seat) -> None:
    """A preview that is not confirmed places nothing."""
    Sitting(seat, "1", "1 g1", "n")
    assert seat.view().view.pending.spring_meadow.HasField("tile")


def test_a_place_that_is_not_allowed_is_explained(seat: Seat) -> None:
    """A space where the piece may not lie is answered with the rule that forbids it."""
    assert "not on j9: it would reach over the edge" in Sitting(seat, "1", "1 j9").seen


def test_turning_and_flipping_go_round(seat: Seat) -> None:
    """Four quarter turns, and two flips, lead back to the way one began with."""
    prompts: list[str] = []

    def read(prompt: str) -> str:
        prompts.append(prompt)
        return answers.pop(0) if answers else "quit"

    answers = ["1", "r", "r", "r", "r", "f", "f"]
    Session(seat, Console(file=io.StringIO(), width=100), read, random.Random(1)).run()
    ways = [int(re.findall(r"way (\d+)", prompt)[0]) for prompt in prompts if "way" in prompt]
    assert ways[0] == ways[4] == ways[6]
    assert len(set(ways[:4])) == 4


def test_taking_back(seat: Seat) -> None:
    """Undo takes the last choice back; with none left it says that it cannot."""
    seen = Sitting(seat, "1", "undo", "undo").seen
    assert "that cannot be taken back" in seen
    assert seat.view().view.pending.spring_meadow.kind == spring_meadow_pb2.SPRING_MEADOW_DECISION_KIND_CHOOSE_TILE


@pytest.mark.parametrize("colour", [False, True])
def test_chance_plays_a_game_to_its_end(seat: Seat, colour: bool) -> None:
    """`any 500` makes every choice by chance, tells what happens, and ends with the result, in colour too."""
    sitting = Sitting(seat, "any 500", colour=colour, width=90)
    assert sitting.ended
    assert "the game is over" in sitting.seen
    assert re.search(r"1\. .* \(2 pins\)", sitting.seen)
    assert ("\x1b[" in sitting.seen) == colour


@pytest.mark.parametrize("variant", ["spring_meadow_solo", "spring_meadow_campaign"])
def test_solo_games_have_their_own_line(client: Client, variant: str) -> None:
    """Alone, one sees the turn and what a row is worth, and chooses the board from a list."""
    seat = Seat.create(client, variant, ["me"])
    sitting = Sitting(seat, "1", "any 5")
    assert "play on board" in sitting.seen
    assert "a row is now worth 24" in sitting.seen
    assert ("campaign: 0 points" in sitting.seen) == (variant == "spring_meadow_campaign")


# ---- the command -------------------------------------------------------------------------------------------


def run_meadow(*arguments: str, typed: str = "") -> str:
    """What `meadow` prints when somebody types into it; it must succeed."""
    command = [sys.executable, "-c", "from meadow_client.cli import main; main()", *arguments]
    done = subprocess.run(command, input=typed, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_game_of_ones_own_is_left_and_gone_on_with() -> None:
    """`meadow play` starts a server of its own; quit keeps the game, --resume ends it, its replay proves it fair."""
    left = run_meadow("play", "--seed", "5", "--bot", "random", typed="any 3\nquit\n")
    assert "meadow play --resume" in left
    assert len(saved.saved_seats()) == 1
    done = run_meadow("play", "--resume", typed="any 900\n")
    assert "(2 pins)" in done
    assert saved.saved_seats() == []
    replay = re.findall(r"meadow replay verify (\S+)", done)[0]
    checks = run_meadow("replay", "verify", replay)
    assert checks.count("ok") == 6
    assert not list((Path(replay).parents[1] / "tables").iterdir())


def test_a_person_resigns(client: Client) -> None:
    """`resign`, typed twice, gives the game up: it ends, or a bot plays on; typed once it does nothing."""
    made = client.create_game("spring_meadow", ["me", "me"], resign_rules=on_resignation("end"))
    pending = client.get_game_view(made.game.name).view.pending.seat
    seat = Seat(client, made.game.name, pending, made.seat_tokens[pending].token)
    kept = Sitting(seat, "resign", "no", "quit")
    assert not kept.ended
    assert "you play on" in kept.seen
    given_up = Sitting(seat, "resign", "resign")
    assert given_up.ended
    assert "resigned)" in given_up.seen
    assert seat.game().outcome.ending_seat == pending


def test_a_game_of_ones_own_that_is_given_up_is_gone() -> None:
    """Against bots a bot plays on for who resigns, and there is nothing to resume."""
    assert "You have resigned; the greedy bot plays on" in run_meadow("play", typed="resign\nresign\n")
    assert saved.saved_seats() == []


def test_a_pack_of_ones_own_is_played_with(tmp_path: Path) -> None:
    """`--pack FOLDER` gives a server of one's own that pack, and the game is played with it."""
    from importlib.resources import as_file, files

    with as_file(files("meadow_engine.content").joinpath("original")) as original:
        shutil.copytree(original, tmp_path / "box")
    manifest = tmp_path / "box" / "pack.toml"
    manifest.write_text(manifest.read_text("utf-8").replace('id = "original"', 'id = "my-box"'), "utf-8")
    tiles = tmp_path / "box" / "spring_tiles.csv"
    tiles.write_text(
        re.sub(r"^(T\d+),[^,]+,", r"\1,Pineapple \1,", tiles.read_text("utf-8"), flags=re.MULTILINE), "utf-8"
    )
    assert "Pineapple" in run_meadow("play", "--pack", str(tmp_path / "box"), "--bot", "random", typed="any 40\n")


def test_the_saved_seats_are_for_their_owner_only() -> None:
    """The file with the tokens can be read by its owner only."""
    saved.save(saved.SavedSeat("games/x", "spring_meadow", 0, "secret", "127.0.0.1:1"))
    assert (saved.home() / "seats.json").stat().st_mode & 0o077 == 0
    assert saved.saved_seats()[-1].token == "secret"


def test_a_damaged_file_of_saved_seats_is_named() -> None:
    """Damage is answered with the name of the file, not with a traceback."""
    saved.home().mkdir(parents=True)
    (saved.home() / "seats.json").write_text(json.dumps([{"who": 1}]), "utf-8")
    done = meadow("play", "--resume")
    assert done.exit_code == 1
    assert "seats.json is damaged" in done.stderr


def test_play_on_a_terminal(address: str) -> None:
    """On a terminal the table has colours, and what is typed is read from it."""
    parent, child = pty.openpty()
    code = "from meadow_client.cli import main; main()"
    environment = {**os.environ, "TERM": "xterm-256color", "COLORTERM": "truecolor", "PYTHONUTF8": "1"}
    process = subprocess.Popen(
        [sys.executable, "-c", code, "play", "-a", address, "--seed", "5"],
        stdin=child,
        stdout=child,
        stderr=child,
        env=environment,
    )
    os.close(child)
    os.write(parent, b"any 2\nquit\n")
    seen = b""
    while b"--resume" not in seen:
        seen += os.read(parent, 4096)
    assert process.wait(30) == 0
    os.close(parent)
    assert b"\x1b[" in seen
    assert "hiking map" in seen.decode("utf-8", "replace")


@pytest.mark.parametrize("options", [["--variant", "chess"], ["--seats", "9"], ["--bot", "nobody"]])
def test_a_game_that_is_refused_leaves_nothing(options: list[str], tmp_path: Path) -> None:
    """A server of one's own that was started for a game that cannot be leaves no journal behind."""
    done = meadow("play", *options)
    assert done.exit_code != 0
    assert not list(tmp_path.glob("home/tables/*"))


def test_a_server_of_ones_own_is_set_up_for_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the environment says of a server that others use is not for the one that a game in this terminal starts."""
    for name in ("TLS_CERT", "TLS_KEY", "OPERATOR_KEY_FILE", "CA_FILE"):
        monkeypatch.setenv(f"MEADOW_{name}", "missing.pem")
    done = meadow("play", "--variant", "spring_meadow")
    assert done.exit_code == 0, done.stderr
