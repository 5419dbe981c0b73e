"""What the terminal says: numbers too large, options that would be ignored, words for one and for many."""

from __future__ import annotations

from pathlib import Path

import pytest
from google.protobuf import json_format
from meadow_api.v1 import game_pb2, spring_meadow_pb2
from meadow_client import Client, Seat
from meadow_client.cli.common import counted
from meadow_client.cli.narrate import around_the_table
from meadow_client.cli.table.prompts import MOST, command_of
from meadow_client.cli.table.words import why
from meadow_client.errors import IllegalAction

from tests.client.running import meadow
from tests.client.test_play import Sitting

HUGE = "9" * 5000
"""More digits than Python reads as a number."""


@pytest.mark.parametrize("number", ["99999999999999999999", str(2**32), HUGE])
@pytest.mark.parametrize("variant", ["spring_meadow", "meadow"])
def test_a_number_beyond_all_bounds_is_answered(client: Client, variant: str, number: str) -> None:
    """The table bears any number at its prompts: nothing is taken back, and one is asked again."""
    seat = Seat.create(client, variant, ["me", "random"])
    seen = Sitting(seat, f"undo {number}", number, f"{number} c4", "scores").seen
    assert "that cannot be taken back" in seen
    assert " = 0" in seen


def test_commands_take_numbers_from_one_on() -> None:
    """Leading zeros do not matter; zero, signs and words are no numbers; too many are as many as can be."""
    assert [command_of(f"any {word}") for word in ("0", "-1", "x", "000")] == [None] * 4
    numbers = [command_of(f"any {word}") for word in ("7", "007", HUGE)]
    assert [command.number for command in numbers if command] == [7, 7, MOST]


def test_a_number_that_a_message_cannot_hold_is_an_error_of_the_caller(client: Client) -> None:
    """The library raises ValueError before anything is sent."""
    seat = Seat.create(client, "spring_meadow", ["me", "random"])
    for number in (2**32, -1):
        with pytest.raises(ValueError, match="out of range"):
            seat.submit(number)
        with pytest.raises(ValueError, match="out of range"):
            seat.undo(number)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--variant", "meadow_solo", "--seats", "2"], "meadow_solo has 1 seat, not 2"),
        (["--variant", "spring_meadow_solo", "--seats", "4"], "spring_meadow_solo has 1 seat, not 4"),
        (["--seats", "1"], "spring_meadow has 2 to 4 seats, not 1"),
        (["--seats", "5"], "spring_meadow has 2 to 4 seats, not 5"),
        (["--seed", str(2**256)], "a seed lies between"),
        (["--resume", "--seats", "2"], "--seats does not go with --resume"),
        (["--join", "ABCD-EFGH-JKLM", "--seed", "1"], "--seed does not go with --join"),
    ],
)
def test_options_that_would_be_ignored_are_refused(address: str, arguments: list[str], said: str) -> None:
    """What cannot be played as asked for is not played otherwise."""
    where = [] if "--resume" in arguments else ["-a", address]
    done = meadow("play", *arguments, *where)
    assert (done.exit_code, said in done.stderr) == (2, True), done.stderr


def test_a_drawing_has_the_version_and_the_seats_asked_for(tmp_path: Path) -> None:
    """A version that the replay does not have, or a source without versions, is refused; so are seats too many."""
    assert "not 2" in meadow("draw", "--variant", "meadow_solo", "--seats", "2", "-o", tmp_path / "x.svg").stderr
    asked = meadow("draw", "games/" + "0" * 32, "--version", "3")
    assert (asked.exit_code, "--version is for the file of a replay" in asked.stderr) == (2, True)


def test_a_version_beyond_the_last_is_refused(address: str, client: Client, tmp_path: Path) -> None:
    """The answer names the versions there are; what was drawn is told without naming tiles or cards."""
    made = client.create_game("meadow", ["random", "random"])
    for _ in client.watch_game(made.game.name):
        pass
    file = tmp_path / "game.json"
    assert meadow("replay", "save", f"{address}/{made.game.name}", file).exit_code == 0
    last = len(json_format.Parse(file.read_text("utf-8"), game_pb2.Replay()).records)
    done = meadow("draw", file, "--version", str(last + 1), "-o", tmp_path / "x.svg")
    assert (done.exit_code, f"versions 1 to {last}" in done.stderr) == (2, True)
    verified = meadow("replay", "verify", file).stdout
    assert "turned up what was hidden" in verified
    assert "tile" not in verified


def test_one_is_not_many() -> None:
    """Counted things stand in the plural only where there are several."""
    assert [counted(number, "choice") for number in (0, 1, 2)] == ["0 choices", "1 choice", "2 choices"]
    record = game_pb2.GameRecord()
    record.undo.seat, record.undo.count = 1, 1
    assert list(around_the_table(record, lambda seat, verb: f"seat {seat + 1} {verb}s")) == [
        "seat 2 takes back 1 choice"
    ]


@pytest.mark.parametrize(
    ("covered", "cleared", "said"),
    [
        (1, 0, "it would cover a burrow; that takes 1 cleared earlier, to put a marmot on, and there is none"),
        (2, 1, "it would cover 2 burrows; that takes 2 cleared earlier, to put marmots on, and there is only 1"),
    ],
)
def test_a_burrow_that_cannot_be_covered_is_told_in_a_sentence(covered: int, cleared: int, said: str) -> None:
    """Numbers of the refusal are put in words."""
    found = spring_meadow_pb2.SpringMeadowIllegalAction(
        rule=spring_meadow_pb2.SPRING_MEADOW_RULE_BURROW_NOT_PAID, burrows_covered=covered, burrows_cleared=cleared
    )
    assert why(IllegalAction("", details=[game_pb2.IllegalActionDetail(spring_meadow=found)])) == said


def test_help_speaks_of_both_games() -> None:
    """Where an option serves both families its help names tiles and cards, else the family that it is for."""
    told = " ".join(meadow("play", "--help").stdout.replace("│", " ").split())
    assert "same tiles or cards" in told
    assert "your own tiles, boards or cards" in told
    assert "each tile of Spring Meadow" in " ".join(meadow("content", "stats", "--help").stdout.split())
