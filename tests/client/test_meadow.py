"""Meadow through the client and the command line: whole games, the table, the story, the drawing."""

from __future__ import annotations

import io
import json
import random
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from meadow_api.v1 import game_pb2, meadow_pb2
from meadow_client import Client, Seat
from meadow_client.cli.meadow.questions import Questions, cards_called
from meadow_client.cli.meadow.words import why
from meadow_client.cli.table.prompts import Prompt
from meadow_client.cli.table.session import Session
from meadow_client.drawing.meadow import card
from meadow_client.errors import IllegalAction
from meadow_client.turn import Turn
from meadow_engine import api
from meadow_server.wire.catalogue import catalogue_to_message
from rich.console import Console

from tests.client.running import meadow
from tests.client.test_play import lines_from

# What each of the processes below runs: a seat claimed by the join code and played to the end, or a watcher.
PLAYER = """
import json, random, sys
from google.protobuf.json_format import MessageToDict
from meadow_client import Client, Seat

address, code, dice = sys.argv[1], sys.argv[2], random.Random(sys.argv[3])
with Client(address) as client:
    seat = Seat.join(client, code, display_name=sys.argv[3])
    seat.play(lambda turn: dice.choice(turn.actions))
    print(json.dumps(MessageToDict(seat.score_sheet()), sort_keys=True))
"""
WATCHER = """
import json, sys
from google.protobuf.json_format import MessageToDict
from meadow_client import Client

with Client(sys.argv[1]) as client:
    versions = []
    for message in client.watch_game(sys.argv[2], after_version=0):
        if message.HasField("update"):
            versions.append(message.update.record.version)
        if message.HasField("terminal"):
            print(json.dumps(MessageToDict(message.terminal.score_sheet), sort_keys=True))
    assert versions == list(range(1, len(versions) + 1)), "a gap or a repeat"
"""


def started(program: str, *arguments: str) -> subprocess.Popen[str]:
    """A process of its own that runs a program."""
    command = [sys.executable, "-c", program, *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def said(process: subprocess.Popen[str]) -> str:
    """What a process printed, once it has ended well."""
    out, error = process.communicate(timeout=100)
    assert process.returncode == 0, error
    return out.strip()


def test_four_processes_play_and_a_fifth_watches(address: str, client: Client, tmp_path: Path) -> None:
    """All five end with the same score sheet, the watcher without gap or repeat, and the replay verifies."""
    options = meadow_pb2.MeadowOptions(envelopes=["T", "U", "W", "X", "Y"])
    made = client.create_game("meadow", ["open"] * 4, options=options)
    watcher = started(WATCHER, address, made.game.name)
    players = [started(PLAYER, address, made.join_code, f"player {number}") for number in range(4)]

    sheets = [said(process) for process in (*players, watcher)]

    assert len(set(sheets)) == 1
    sheet = json.loads(sheets[0])
    assert [sum(seat.get(source, 0) for source in SOURCES) for seat in sheet["meadow"]["seats"]] == sheet["points"]
    file = tmp_path / "game.replay"
    assert meadow("replay", "save", f"{address}/{made.game.name}", file).exit_code == 0
    verified = meadow("replay", "verify", file)
    assert verified.exit_code == 0, verified.stdout


SOURCES = ("meadowPoints", "landscapePoints", "discoveryPoints", "goalPoints")


@pytest.fixture(name="seat")
def _seat(client: Client) -> Seat:
    """The first seat of a seeded game against a random bot."""
    made = client.create_game("meadow", ["me", "random"], options=meadow_pb2.MeadowOptions(first_seat=0), seed=5)
    return Seat(client, made.game.name, 0, made.seat_tokens[0].token)


def sat(seat: Seat, *lines: str, width: int = 170) -> tuple[bool, str]:
    """Whether a person who typed these lines saw the game's end, and all they saw."""
    out = io.StringIO()
    ended = Session(seat, Console(file=out, width=width), lines_from(*lines), random.Random(1)).run()
    return ended, out.getvalue()


def test_a_game_is_played_in_the_terminal(seat: Seat) -> None:
    """Rows, grounds, tokens by name, a card in full, scores, and chance to the end."""
    ended, seen = sat(seat, "1", "1", "card W-001", "1 L1", "scores", "any 900", "any 900")

    assert ended
    for words in (
        "row 1: ",
        "token 1: ",
        "needs",
        "goals  ",
        "campfire and benches",
    ):
        assert words in seen
    assert "you place token 1 at L1" in seen
    assert "meadow 0 + landscapes 0 + discoveries 0 + goals 0 = 0" in seen
    assert "points)" in seen.splitlines()[-1]


def test_what_cannot_be_placed_is_asked_again(seat: Seat) -> None:
    """A place that is taken or unknown, a token that is not there, a number beyond the list."""
    ended, seen = sat(seat, "9", "1", "1", "1 Q7", "9 L1", "L1")

    assert not ended
    assert seen.count("a token of yours and a free place") == 3
    assert "type a number from 1 to 4" in seen


def test_a_hand_card_says_why_it_cannot_be_played(seat: Seat) -> None:
    """The list of hand cards names obstacles and the discards that missing symbols cost."""
    _, seen = sat(seat, "1", "1", "1 L1")

    assert "cannot be played: " in seen or "discards" in seen


@pytest.mark.parametrize("width", [80, 100, 120, 170])
def test_the_table_fits_the_window(seat: Seat, width: int) -> None:
    """From 80 columns up all notches and the tokens on them are seen, and no line is longer than the window."""
    _, seen = sat(seat, "1", "1", "1 L1", "table", width=width)

    table = seen[seen.rindex("Meadow, round") :]
    notches = {f"{side}{number}" for side in "LRB" for number in range(1, 5)}
    placed = set(re.findall(r"(?:token \d|token \?) at ([LRB]\d)", seen))
    assert {notch for notch in notches if not re.search(rf"│ *{notch} *│", table)} <= placed
    assert "L1" in placed
    assert re.search(r"│ *\(1\) *│", table)
    assert max(map(len, table[: table.index("goals ")].splitlines())) <= width


def test_every_seats_columns_are_seen(seat: Seat) -> None:
    """The columns of the others are told with tops and points."""
    _, seen = sat(seat, "any 12")

    view = seat.view().view.meadow
    cards = seat.catalogue().meadow.cards
    told = " ".join(seen[seen.rindex("Meadow, round") :].replace("│", " ").split())
    for column in view.players[1].columns:
        points = sum(cards[card].points for card in column.cards[1:])
        assert re.search(rf"{column.column + 1} {re.escape(cards[column.cards[-1]].display_name)} ", told)
        assert len(column.cards) == 1 or f" {points}p on " in told


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("card w-001", "W-001 "),
        ("card zzz", "no card is called zzz"),
        ("card", "which card"),
        ("card a", "more of the name"),
    ],
)
def test_cards_are_shown_by_id_or_name(seat: Seat, line: str, said: str) -> None:
    """At the list as at the token's prompt, with a word about what was not found."""
    assert said in sat(seat, line)[1]
    assert said in sat(seat, "1", "1", line)[1]


def test_a_card_is_found_by_the_name_on_the_table(seat: Seat) -> None:
    """A whole name shows that card, part of a name each card that has it."""
    cards = seat.catalogue().meadow.cards
    species = next(one for one in cards if one.scientific_name)
    assert cards_called(species.display_name.lower(), seat.catalogue().meadow)[0].id == species.id
    assert species in cards_called(species.scientific_name.lower(), seat.catalogue().meadow)


def test_a_discard_says_what_it_pays_for() -> None:
    """The question names the card to be played and how many cards it still costs."""
    catalogue = catalogue_to_message(api.builtin_pack(), "meadow").meadow
    view = game_pb2.GameView()
    view.pending.meadow.kind = meadow_pb2.MEADOW_DECISION_KIND_DISCARD
    view.pending.meadow.card, view.pending.meadow.discards = 7, 2
    out = io.StringIO()
    Questions(Prompt(lines_from("1"), Console(file=out, width=100)), catalogue).ask(view, [game_pb2.LegalAction()])
    assert f"To play {catalogue.cards[7].display_name}: 2 cards still to discard." in out.getvalue()


def test_goals_are_numbered_between_the_symbols(seat: Seat) -> None:
    """The spaces for bonus tokens stand between their two symbols, and help says so; no empty line in the set-up."""
    _, seen = sat(seat, "help")
    assert re.search(r"goals +[a-z ]+ -1- [a-z ]+ -2- ", seen)
    assert "-1- is the space" in seen
    assert "campfire and benches" not in seen


def test_every_rule_has_words() -> None:
    """A refusal is told in the person's words, whatever rule it names."""
    for number in meadow_pb2.MeadowRule.values():
        detail = game_pb2.IllegalActionDetail(meadow=meadow_pb2.MeadowIllegalAction(rule=number))
        refused = IllegalAction("the server's words", details=[detail])
        assert number == meadow_pb2.MEADOW_RULE_UNSPECIFIED or why(refused) != "the server's words", refused.rule


def test_a_game_is_watched_and_told(address: str, client: Client) -> None:
    """The story of a game of bots from its start, with tables."""
    made = client.create_game("meadow_solo", ["random"], seed=6)
    watched = meadow("watch", f"{address}/{made.game.name}", "--from-start")

    assert watched.exit_code == 0
    for words in ("Rover places token", "round 6 begins", "halfway", "the game is over", "Rover: "):
        assert words in watched.stdout


@pytest.mark.parametrize(("variant", "seats"), [("meadow", 2), ("meadow", 3), ("meadow", 4), ("meadow_solo", 1)])
def test_each_variant_is_drawn(variant: str, seats: int, tmp_path: Path) -> None:
    """A table after some turns is a well-formed picture that names every seat and shows cards."""
    file = tmp_path / "table.svg"
    drawn = meadow("draw", "--variant", variant, "--seats", str(seats), "--turns", "25", "--bot", "random", "-o", file)

    assert drawn.exit_code == 0, drawn.stderr
    texts = {element.text for element in ET.parse(file).iter() if element.text}
    assert {f"Seat {seat + 1}" for seat in range(seats)} <= texts or seats == 1
    assert any("Meadow, round" in text for text in texts)


def test_all_cards_are_drawn(tmp_path: Path) -> None:
    """The catalogue as a picture holds every card's face."""
    file = tmp_path / "cards.svg"
    assert meadow("draw", "--variant", "meadow", "--catalogue", "-o", file).exit_code == 0
    titles = [element for element in ET.parse(file).iter() if element.tag.endswith("title")]
    assert len(titles) > 200


def test_names_stay_on_their_cards(tmp_path: Path) -> None:
    """No line of a name is wider than its card, by the width of a bold letter."""
    file = tmp_path / "cards.svg"
    assert meadow("draw", "--variant", "meadow", "--catalogue", "-o", file).exit_code == 0
    for element in ET.parse(file).iter():
        if element.tag.endswith("text") and element.get("x") == "8" and element.text:
            assert 0.68 * float(element.get("font-size", "0")) * len(element.text) <= card.WIDTH - 10, element.text


def test_options_of_another_family_are_refused() -> None:
    """An option that the variant does not have is a mistake, said at once."""
    assert meadow("play", "--variant", "meadow", "--expert").exit_code == 2
    assert meadow("play", "--envelopes", "T").exit_code == 2


def test_a_bot_s_turn_knows_its_family(seat: Seat) -> None:
    """Cards, hand and decision of Meadow are at hand; what belongs to another game is refused by name."""
    found = seat.view()
    turn = Turn(seat.seat, found.view, found.legal_actions.actions, seat.catalogue())

    assert turn.meadow.rounds == 6
    assert turn.player.seat == seat.seat
    assert turn.meadow_decision.kind == meadow_pb2.MEADOW_DECISION_KIND_CHOOSE_ROW
    assert turn.card(0).id == "W-001"
    for wrong in (lambda: turn.decision, lambda: turn.board, lambda: turn.tile_on(0), lambda: turn.card(10_000)):
        with pytest.raises(LookupError):
            wrong()


def test_the_version_can_be_told() -> None:
    """A report of a fault can name the build."""
    assert meadow("--version").stdout.startswith("meadow-engine 0.")
