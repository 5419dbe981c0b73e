"""What the terminal has to know about a family of games: how it looks, what is asked, how its story is told."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

from meadow_api.v1 import catalogue_pb2, common_pb2, game_pb2
from rich.console import Console, RenderableType

from meadow_client.cli.failure import Failure
from meadow_client.cli.meadow.face import MeadowFace
from meadow_client.cli.table.face import SpringFace
from meadow_client.cli.table.prompts import Command, Prompt
from meadow_client.client import Client
from meadow_client.errors import IllegalAction
from meadow_client.messages import Choice
from meadow_client.seat import Seat


class Story(Protocol):
    """Tells what happened."""

    def record(self, record: game_pb2.GameRecord) -> Iterator[str]:
        """Lines about one record."""


class Face(Protocol):
    """A family of games in the terminal, made of its catalogue.

    Attributes:
        help: what can be typed at its prompts.
    """

    help: str

    def has_table(self, view: game_pb2.GameView) -> bool:
        """Whether the game has begun."""

    def table(self, view: game_pb2.GameView, console: Console, mine: int | None = None) -> RenderableType:
        """The whole table, one's own seat first."""

    def turn(self, view: game_pb2.GameView) -> object:
        """Something that changes with each turn."""

    def story(self, seats: Sequence[common_pb2.Seat], me: int | None = None) -> Story:
        """A narrator; `me` is addressed as you."""

    def ask(
        self, prompt: Prompt, seat: Seat, view: game_pb2.GameView, actions: Sequence[game_pb2.LegalAction]
    ) -> Choice | Command | None:
        """A choice, a command, or None for another question."""

    def shows_table_before(self, view: game_pb2.GameView) -> bool:
        """Whether the table is printed before the decision is asked for; some questions draw what they need."""

    def why(self, refused: IllegalAction) -> str:
        """Why the rules forbid an action."""

    def scores(self, view: game_pb2.GameView, sheet: game_pb2.ScoreSheet) -> Iterator[str]:
        """Points by source, a line for each seat."""

    def svg(self, view: game_pb2.GameView, title: str) -> str:
        """The table as a drawing."""

    def components_svg(self) -> str:
        """All tiles or cards as a drawing."""


FACES: dict[catalogue_pb2.GameFamily.ValueType, Callable[[catalogue_pb2.Catalogue], Face]] = {
    catalogue_pb2.GAME_FAMILY_SPRING_MEADOW: lambda catalogue: SpringFace(catalogue.spring_meadow),
    catalogue_pb2.GAME_FAMILY_MEADOW: lambda catalogue: MeadowFace(catalogue.meadow),
}


def face_of(catalogue: catalogue_pb2.Catalogue) -> Face:
    """The face of the family whose components these are."""
    family = catalogue.WhichOneof("family") or ""
    return FACES[catalogue_pb2.GameFamily.Value(f"GAME_FAMILY_{family.upper()}")](catalogue)


def face_of_game(client: Client, game: game_pb2.Game) -> Face:
    """The face of a game on a server.

    Raises:
        Failure: this client is too old to show it.
    """
    family = client.get_variant(game.variant).family
    if family not in FACES:
        raise Failure(f"{game.variant} cannot be shown here: this client does not know its family of games")
    return face_of(client.get_catalogue(family, pack_hash=game.pack_hash))
