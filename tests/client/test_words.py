"""What the terminal says: numbers too large, options that would be ignored, words for one and for many."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from google.protobuf import json_format
from meadow_api.v1 import game_pb2, spring_meadow_pb2
from meadow_client import Client, Seat
from meadow_client.cli.common import counted
from meadow_client.cli.narrate import around_the_table
from meadow_client.cli.table.prompts import MOST, command_of
from meadow_client.cli.table.session import Session
from meadow_client.cli.table.words import why
from meadow_client.errors import BadArgument, ConnectionLost, IllegalAction
from meadow_client.messages import choices_of

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


def test_an_argument_that_no_request_can_carry_is_named(client: Client) -> None:
    """The library names the argument before anything is sent, and it is a ValueError too."""
    seat = Seat.create(client, "spring_meadow", ["me", "random"])
    calls: list[tuple[str, Callable[[Any], object], list[Any]]] = [
        ("choice", seat.submit, [2**32, -1, None, 1.5, "1"]),
        ("choice", seat.validate, [None]),
        ("count", seat.undo, [2**32, -1, "1"]),
        ("expected_version", lambda wrong: seat.submit(1, expected_version=wrong), [-1, 2**63]),
        ("expected_version", lambda wrong: client.abort_game(seat.name, expected_version=wrong), [-1]),
        ("seat", lambda wrong: client.set_seat_bot(seat.name, wrong, "random"), [-1, 1.0]),
        ("seat", lambda wrong: client.claim_seat("ABCD-EFGH-JKLM", seat=wrong), [2**32]),
        ("min_version", lambda wrong: client.get_game_view(seat.name, min_version=wrong), [-1]),
        ("after_version", lambda wrong: client.watch_game(seat.name, after_version=wrong).__next__(), [-1]),
        ("page_size", lambda wrong: next(client.list_games(page_size=wrong)), [-1, 2**31]),
        ("seed", lambda wrong: client.create_game("spring_meadow", ["me", "me"], seed=wrong), [-5, 2**256]),
        ("token", lambda wrong: client.get_game(seat.name, token=wrong), ["a\nb", "ä"]),
    ]
    for argument, call, wrongs in calls:
        for wrong in wrongs:
            with pytest.raises(BadArgument, match=f"BAD_ARGUMENT: {argument}: ") as caught:
                call(wrong)
            assert (caught.value.argument, isinstance(caught.value, ValueError)) == (argument, True)


class Wide:
    """An integer that is no int, as NumPy's are."""

    def __init__(self, value: int) -> None:
        self.value = value

    def __index__(self) -> int:
        return self.value


def test_an_integer_of_any_library_is_an_action_id() -> None:
    """Learners pick ids with libraries that have integers of their own."""
    assert choices_of(Wide(7)) == choices_of(7)
    with pytest.raises(BadArgument, match="BAD_ARGUMENT: choice: "):
        choices_of(Wide(-1))


def test_a_server_that_is_gone_leaves_the_game_kept(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """When patience ends, one is told how to go on."""

    def gone(session: Session) -> bool:
        raise ConnectionLost("no route")

    monkeypatch.setattr(Session, "run", gone)
    done = meadow("play", "-a", address, "--bot", "random")
    assert (done.exit_code, "does not answer: no route" in done.stderr) == (1, True)
    assert "meadow play --resume" in done.stdout


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
    last = len(json_format.Parse(file.read_text("utf-8"), game_pb2.ReplayFile()).replay.records)
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
