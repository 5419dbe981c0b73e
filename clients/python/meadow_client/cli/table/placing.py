"""Placing a tile or a rock: look at every way to turn it, name a space, see where it leads, confirm."""

from __future__ import annotations

from collections.abc import Sequence

from meadow_api.v1 import game_pb2
from meadow_api.v1 import spring_meadow_pb2 as pb
from rich.columns import Columns
from rich.table import Table
from rich.text import Text

from meadow_client.cli.common import counted
from meadow_client.cli.narrate import space_name
from meadow_client.cli.table.boards import board_panel, form_lines
from meadow_client.cli.table.choices import Orientation, orientations, turned
from meadow_client.cli.table.glyphs import GOLD, glyphs_for
from meadow_client.cli.table.prompts import Command, Prompt, cell_of, command_of
from meadow_client.cli.table.words import why
from meadow_client.drawing.scene import Cell, scene_of
from meadow_client.errors import IllegalAction, RevealBarrier
from meadow_client.seat import Seat


class Placing:
    """The question where the pending piece goes.

    Args:
        seat: whose piece it is.
        view: what the seat sees.
        catalogue: the components that the view's numbers refer to.
        prompt: how to ask.
        actions: the legal placements.
    """

    def __init__(
        self,
        seat: Seat,
        view: game_pb2.GameView,
        catalogue: pb.SpringMeadowCatalogue,
        prompt: Prompt,
        actions: Sequence[game_pb2.LegalAction],
    ) -> None:
        self._seat = seat
        self._view = view
        self._catalogue = catalogue
        self._prompt = prompt
        self._console = prompt.console
        self._decision = view.pending.spring_meadow
        self._options = orientations(self._decision, actions, catalogue)
        self._ways = {str(number + 1): number for number in range(len(self._options))}
        self._current = next(n for n, option in enumerate(self._options) if option.corners)

    @property
    def _option(self) -> Orientation:
        return self._options[self._current]

    def ask(self) -> game_pb2.LegalAction | Command | None:
        """A placement or a command; None when the person thought better of it."""
        self._show()
        while True:
            line = self._prompt.line(f"place, way {self._current + 1} of {len(self._options)}")
            command = command_of(line)
            if command:
                return command
            if line in {"r", "f"}:
                self._current = turned(self._options, self._current, self._forms(), flip=line == "f")
                self._show()
            elif line in self._ways:
                self._current = self._ways[line]
                self._show()
            else:
                found = self._placement(line)
                if found is not None:
                    return found

    def _forms(self) -> Sequence[pb.SpringMeadowForm]:
        catalogue = self._catalogue
        kinds = catalogue.tiles[self._decision.tile] if self._option.shape < 0 else catalogue.rocks[self._option.shape]
        return kinds.forms

    # ---- showing -----------------------------------------------------------------------------------------------

    def _show(self) -> None:
        console, glyphs = self._console, glyphs_for(self._console)
        ways = []
        for number, option in enumerate(self._options, start=1):
            chosen = number - 1 == self._current
            head = Text(f"{'>' if chosen else ' '}{number} ", style=f"bold {GOLD}" if chosen else "")
            head.append(counted(len(option.corners), "place") if option.corners else "fits nowhere", style="dim")
            ways.append(Text("\n").join([head, *form_lines(option.form, option.piece, glyphs)]))
        console.print(Text(f"Place {self._option.piece.name}: way {self._current + 1}", style="bold"))
        scene = scene_of(self._view, self._catalogue)
        board = board_panel(scene.boards[self._seat.seat], glyphs, self._option.corners)
        row = Table.grid(padding=(0, 2))
        row.add_row(board, Columns(ways, padding=(1, 3), equal=True))
        console.print(row)

    # ---- placing -----------------------------------------------------------------------------------------------

    def _placement(self, line: str) -> game_pb2.LegalAction | None:
        """The placement that a line names, once it is confirmed; None if there is none."""
        at_once = line.endswith("!")
        words = line.removesuffix("!").split()
        if len(words) == 2 and words[0] in self._ways:
            self._current = self._ways[words.pop(0)]
        corner = cell_of(words[0]) if len(words) == 1 else None
        if corner is None:
            self._prompt.puzzled("name a space such as c4, a way such as 2, or both: 2 c4")
            return None
        if corner not in self._option.corners:
            self._explain(corner)
            return None
        action = self._option.corners[corner]
        return action if at_once or self._confirmed(action, corner) else None

    def _explain(self, corner: Cell) -> None:
        name = space_name(*corner)
        try:
            self._seat.validate(self._option.action_at(corner))
        except IllegalAction as refused:
            self._console.print(Text(f"  not on {name}: {why(refused)}", style="yellow"))

    def _confirmed(self, action: game_pb2.LegalAction, corner: Cell) -> bool:
        try:
            answer = self._seat.validate(action)
        except RevealBarrier:
            self._console.print(Text("  After this, tiles are drawn: it cannot be taken back."))
        else:
            change = answer.points_change[self._seat.seat] if answer.points_change else 0
            scene = scene_of(answer.view, self._catalogue)
            board = board_panel(scene.boards[self._seat.seat], glyphs_for(self._console))
            self._console.print(board, Text(f"  {change:+d} {'point' if abs(change) == 1 else 'points'}"))
        return self._prompt.line(f"Enter places it on {space_name(*corner)}, n goes back") in {"", "y", "yes"}
