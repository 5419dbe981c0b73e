"""Questions to the person at the table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from meadow_api.v1 import game_pb2
from meadow_api.v1 import spring_meadow_pb2 as pb
from rich.console import Console
from rich.text import Text

from meadow_client.cli.narrate import space_name
from meadow_client.drawing.scene import Cell

_LETTERS = "abcdefghij"
_WORDS = {
    "help": "help",
    "?": "help",
    "h": "help",
    "table": "table",
    "t": "table",
    "any": "any",
    "undo": "undo",
    "u": "undo",
    "back": "undo",
    "scores": "scores",
    "resign": "resign",
    "quit": "quit",
    "q": "quit",
    "exit": "quit",
}


MOST = 10**9
"""Larger than any number of choices in a game, and small enough for a message's field."""


class LeaveTable(Exception):
    """The person leaves; the game stays where it is."""


class SeatLost(Exception):
    """The person has resigned, and a bot plays on: there is nothing to come back to."""


@dataclass(frozen=True, slots=True)
class Command:
    """Something that is understood at every prompt; `number` is 1 where none was given, `MOST` for any larger one."""

    name: str
    number: int = 1


def command_of(line: str) -> Command | None:
    """The command that a line is, if it is one."""
    words = line.split()
    if not words or words[0] not in _WORDS or len(words) > 2:
        return None
    if len(words) == 1:
        return Command(_WORDS[words[0]])
    digits = words[1].lstrip("0")
    if not digits.isdecimal():
        return None
    return Command(_WORDS[words[0]], int(digits) if len(digits) < len(str(MOST)) else MOST)


def cell_of(text: str) -> Cell | None:
    """The space of a name such as c4; None if it is none."""
    if len(text) == 2 and text[0] in _LETTERS and text[1] in "123456789":
        return int(text[1]) - 1, _LETTERS.index(text[0])
    return None


class Prompt:
    """Asks until it understands.

    Args:
        read: asks for a line with a prompt; raises EOFError when there are no more.
        console: where to say what was not understood.
    """

    def __init__(self, read: Callable[[str], str], console: Console) -> None:
        self._read = read
        self.console = console

    def line(self, question: str) -> str:
        """A line, in lower case and without spaces around it."""
        return self._read(f"{question} > ").strip().lower()

    def puzzled(self, hint: str) -> None:
        """Say that a line was not understood, and what would be."""
        self.console.print(Text(f"  {hint}; help tells more", style="yellow"))

    def tile(
        self, view: game_pb2.GameView, actions: Sequence[game_pb2.LegalAction], catalogue: pb.SpringMeadowCatalogue
    ) -> game_pb2.LegalAction | Command:
        """Which tile of the path to take."""
        spring = view.spring_meadow
        path = catalogue.hiking_maps[spring.hiking_map].paths[spring.path].spaces
        places = {space: str(place) for place, space in enumerate(path, start=1)}
        by_place = {places[action.action.spring_meadow.take_tile.space]: action for action in actions}
        names = ", ".join(
            f"{place} {catalogue.tiles[spring.map_tiles[action.action.spring_meadow.take_tile.space]].display_name}"
            for place, action in sorted(by_place.items())
        )
        self.console.print(Text(f"Take a tile: {names}", style="bold"))
        return self._pick(f"tile {'/'.join(sorted(by_place))}", by_place)

    def marmot(self, actions: Sequence[game_pb2.LegalAction]) -> game_pb2.LegalAction | Command:
        """Which cleared burrow gets a marmot."""
        places = [(action, action.action.spring_meadow.place_marmot) for action in actions]
        by_name = {space_name(place.row, place.column): action for action, place in places}
        self.console.print(Text("You covered a burrow: put a marmot on a burrow cleared before.", style="bold"))
        return self._pick(f"marmot on {', '.join(by_name)}", by_name)

    def one_of(self, actions: Sequence[game_pb2.LegalAction]) -> game_pb2.LegalAction | Command:
        """Any other choice, from a numbered list."""
        by_number = {str(number): action for number, action in enumerate(actions, start=1)}
        for number, action in by_number.items():
            self.console.print(Text(f"  {number}  {action.label}"))
        return self._pick(f"1 to {len(by_number)}", by_number)

    def _pick(self, question: str, choices: dict[str, game_pb2.LegalAction]) -> game_pb2.LegalAction | Command:
        while True:
            line = self.line(question)
            command = command_of(line)
            if command:
                return command
            if line in choices:
                return choices[line]
            self.puzzled(f"choose one of {', '.join(choices)}")
