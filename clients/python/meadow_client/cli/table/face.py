"""Spring Meadow in the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from meadow_api.v1 import common_pb2, game_pb2
from meadow_api.v1 import spring_meadow_pb2 as pb
from rich.console import Console, RenderableType

from meadow_client.cli.narrate import Narrator
from meadow_client.cli.table.boards import board_panel
from meadow_client.cli.table.glyphs import glyphs_for
from meadow_client.cli.table.placing import Placing
from meadow_client.cli.table.prompts import Command, Prompt
from meadow_client.cli.table.screen import table
from meadow_client.cli.table.words import HELP, why
from meadow_client.drawing import draw, draw_catalogue
from meadow_client.drawing.scene import scene_of
from meadow_client.errors import IllegalAction
from meadow_client.messages import Choice
from meadow_client.seat import Seat

_AT_THE_BOARD = (
    pb.SPRING_MEADOW_DECISION_KIND_PLACE_TILE,
    pb.SPRING_MEADOW_DECISION_KIND_PLACE_ROCK,
    pb.SPRING_MEADOW_DECISION_KIND_PLACE_MARMOT,
)
"""Choices that come with a drawing of the board of their own."""


class SpringFace:
    """Tables, questions and stories of Spring Meadow."""

    help = HELP

    def __init__(self, catalogue: pb.SpringMeadowCatalogue) -> None:
        self.catalogue = catalogue

    def has_table(self, view: game_pb2.GameView) -> bool:
        """Whether the game has begun."""
        return view.HasField("spring_meadow")

    def table(self, view: game_pb2.GameView, console: Console, mine: int | None = None) -> RenderableType:
        """Map, boards and scores."""
        return table(scene_of(view, self.catalogue), console, mine=mine)

    def turn(self, view: game_pb2.GameView) -> object:
        """The number of the turn."""
        return view.spring_meadow.turn

    def story(self, seats: Sequence[common_pb2.Seat], me: int | None = None) -> Narrator:
        """A narrator."""
        return Narrator(seats, self.catalogue, me)

    def ask(
        self, prompt: Prompt, seat: Seat, view: game_pb2.GameView, actions: Sequence[game_pb2.LegalAction]
    ) -> Choice | Command | None:
        """A choice, a command, or None for another question."""
        match view.pending.spring_meadow.kind:
            case pb.SPRING_MEADOW_DECISION_KIND_CHOOSE_TILE:
                return prompt.tile(view, actions, self.catalogue)
            case pb.SPRING_MEADOW_DECISION_KIND_PLACE_TILE | pb.SPRING_MEADOW_DECISION_KIND_PLACE_ROCK:
                return Placing(seat, view, self.catalogue, prompt, actions).ask()
            case pb.SPRING_MEADOW_DECISION_KIND_PLACE_MARMOT:
                self._show_burrows(prompt.console, seat, view, actions)
                return prompt.marmot(actions)
            case _:
                return prompt.one_of(actions)

    def _show_burrows(
        self, console: Console, seat: Seat, view: game_pb2.GameView, actions: Sequence[game_pb2.LegalAction]
    ) -> None:
        """Print the seat's board with the burrows that could take a marmot marked."""
        places = [action.action.spring_meadow.place_marmot for action in actions]
        board = scene_of(view, self.catalogue).boards[seat.seat]
        console.print(board_panel(board, glyphs_for(console), {(at.row, at.column) for at in places}))

    def shows_table_before(self, view: game_pb2.GameView) -> bool:
        """Placements draw the board that they are about."""
        return view.pending.spring_meadow.kind not in _AT_THE_BOARD

    def why(self, refused: IllegalAction) -> str:
        """Why the rules forbid an action."""
        return why(refused)

    def scores(self, view: game_pb2.GameView, sheet: game_pb2.ScoreSheet) -> Iterator[str]:
        """What a scoring would count now."""
        for line in sheet.spring_meadow.running:
            name = scene_of(view, self.catalogue).boards[line.seat].name
            parts = f"rows {line.row_points} + next row {line.partial_points} + burrows {line.burrow_points}"
            yield f"{name}: {parts} = {line.total}"

    def svg(self, view: game_pb2.GameView, title: str) -> str:
        """The table as a drawing."""
        return draw(view, self.catalogue, title)

    def components_svg(self) -> str:
        """All tiles."""
        return draw_catalogue(self.catalogue)
