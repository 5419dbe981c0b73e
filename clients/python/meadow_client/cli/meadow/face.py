"""Meadow in the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from meadow_api.v1 import common_pb2, game_pb2
from meadow_api.v1 import meadow_pb2 as pb
from rich.console import Console, RenderableType

from meadow_client.cli.meadow.narrate import MeadowNarrator
from meadow_client.cli.meadow.questions import Questions
from meadow_client.cli.meadow.table import meadow_table
from meadow_client.cli.meadow.words import HELP, why
from meadow_client.cli.table.prompts import Command, Prompt
from meadow_client.drawing.meadow.page import draw_cards, draw_meadow
from meadow_client.drawing.scene import seat_name
from meadow_client.errors import IllegalAction
from meadow_client.messages import Choice
from meadow_client.seat import Seat

_AFTER_TOKEN = (
    pb.MEADOW_DECISION_KIND_DISCARD,
    pb.MEADOW_DECISION_KIND_KEEP_CARD,
    pb.MEADOW_DECISION_KIND_PUT_UNDER,
    pb.MEADOW_DECISION_KIND_TAKE_CARD,
    pb.MEADOW_DECISION_KIND_CHOOSE_WAY,
    pb.MEADOW_DECISION_KIND_EXTRA_ACTION,
    pb.MEADOW_DECISION_KIND_TRADE,
    pb.MEADOW_DECISION_KIND_CHOOSE_DECK,
)
"""Choices within a turn that show all they are about."""


class MeadowFace:
    """Tables, questions and stories of Meadow."""

    help = HELP

    def __init__(self, catalogue: pb.MeadowCatalogue) -> None:
        self.catalogue = catalogue

    def has_table(self, view: game_pb2.GameView) -> bool:
        """Whether the game has begun."""
        return view.HasField("meadow")

    def table(self, view: game_pb2.GameView, console: Console, mine: int | None = None) -> RenderableType:
        """Boards and seats."""
        return meadow_table(view, self.catalogue, console.width, mine)

    def turn(self, view: game_pb2.GameView) -> object:
        """How many tokens lie, in which round."""
        return view.meadow.round, len(view.meadow.placed_tokens)

    def story(self, seats: Sequence[common_pb2.Seat], me: int | None = None) -> MeadowNarrator:
        """A narrator."""
        return MeadowNarrator(seats, self.catalogue, me)

    def ask(
        self,
        prompt: Prompt,
        seat: Seat,
        view: game_pb2.GameView,
        actions: Sequence[game_pb2.LegalAction],
    ) -> Choice | Command | None:
        """A choice or a command."""
        return Questions(prompt, self.catalogue).ask(view, actions)

    def shows_table_before(self, view: game_pb2.GameView) -> bool:
        """A choice whose list says all needs no table."""
        return view.pending.meadow.kind not in _AFTER_TOKEN

    def why(self, refused: IllegalAction) -> str:
        """Why the rules forbid an action."""
        return why(refused)

    def scores(self, view: game_pb2.GameView, sheet: game_pb2.ScoreSheet) -> Iterator[str]:
        """Points by source."""
        for score in sheet.meadow.seats:
            parts = f"meadow {score.meadow_points} + landscapes {score.landscape_points}"
            parts += f" + discoveries {score.discovery_points} + goals {score.goal_points}"
            if view.meadow.HasField("river"):
                parts += f" + river {score.river_points}"
                parts += f" + river goal {score.river_goal_points}" if score.river_goal_points else ""
                parts += f" + tents {score.tent_points}" if score.tent_points else ""
            yield f"{seat_name(view, score.seat)}: {parts} = {score.total}"
        if sheet.meadow.HasField("rover_points"):
            yield f"Rover: {sheet.meadow.rover_points}"

    def svg(self, view: game_pb2.GameView, title: str) -> str:
        """The table as a drawing."""
        return draw_meadow(view, self.catalogue, title)

    def components_svg(self) -> str:
        """All cards."""
        return draw_cards(self.catalogue)
