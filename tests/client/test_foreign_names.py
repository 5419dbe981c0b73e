"""Names are other people's: everybody reads them as they are, and nobody's terminal or drawing breaks."""

from __future__ import annotations

import time
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from meadow_api.v1.game_pb2 import Game
from meadow_api.v1.game_service_pb2 import SeatSpec
from meadow_api.v1.meadow_pb2 import MeadowOptions
from meadow_api.v1.spring_meadow_pb2 import SpringMeadowOptions
from meadow_client import Client, bot_seat, reserved
from meadow_client.replay_file import BadReplayFile, replay_from_bytes, replay_to_bytes

from tests.client.running import meadow

NAMES = ("[/red]", "[link=http://a.test]here[/link]", ":smile:", "</text>&<b> %s {0} \\n")


BOTS_FIRST = {"spring_meadow": SpringMeadowOptions(first_seat=0), "meadow": MeadowOptions(first_seat=2)}
"""With three seats, options that let the bots on the first two choose before the third one has to."""


def ended(client: Client, address: str, variant: str, seats: list[SeatSpec], title: str) -> Game:
    """A game that its host has ended after a few moves: its last seat is a person, who makes no move."""
    made = client.create_game(variant, seats=[*seats, reserved()], options=BOTS_FIRST[variant], display_name=title)
    while client.get_game(made.game.name).game.version < 3:
        time.sleep(0.02)
    with Client(address, token=made.host_token) as host:
        host.abort_game(made.game.name)
    return made.game


@pytest.mark.parametrize("variant", ["spring_meadow", "meadow"])
def test_names_are_read_as_they_are(
    variant: str, address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Lists, stories, tables and drawings show names letter by letter, with no styles, links or marks in them."""
    monkeypatch.setenv("COLUMNS", "400")
    with Client(address) as client:
        for first, second in zip(NAMES[::2], NAMES[1::2], strict=True):
            seats = [bot_seat("random", first), bot_seat("random", second)]
            game = ended(client, address, variant, seats, first)
            drawing = tmp_path / "drawn.svg"
            told = [
                meadow("games", "--address", address),
                meadow("watch", f"{address}/{game.name}"),
                meadow("replay", "tell", f"{address}/{game.name}"),
                meadow("replay", "show", f"{address}/{game.name}", "--version", "1"),
                meadow("draw", f"{address}/{game.name}", "-o", drawing),
            ]
            assert [answer.exit_code for answer in told] == [0] * len(told)
            assert all(first in answer.stdout and second in answer.stdout for answer in told[:1] + told[2:3])
            words = "".join(ET.fromstring(drawing.read_text("utf-8")).itertext())
            assert first in words or variant == "meadow"


def test_a_file_has_no_characters_that_would_command_a_terminal(address: str) -> None:
    """A replay file with names that no server would let through is no replay file."""
    with Client(address) as client:
        seats = [bot_seat("random"), bot_seat("random")]
        game = ended(client, address, "spring_meadow", seats, "")
        replay = client.get_replay(game.name)
    replay.game.seats[1].display_name = "Ada\x1b]0;root\x07"
    for as_json in (False, True):
        with pytest.raises(BadReplayFile, match="printed"):
            replay_from_bytes(replay_to_bytes(replay, as_json=as_json))
