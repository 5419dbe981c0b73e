"""What a bot decides on: one choice of its seat."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from meadow_api.v1 import catalogue_pb2, downstream_pb2, game_pb2, meadow_cards_pb2, meadow_pb2, spring_meadow_pb2

from meadow_client.messages import Choice


@dataclass(frozen=True, slots=True)
class Turn:
    """One choice that a seat has to make.

    Attributes:
        seat: the seat.
        view: what it sees.
        actions: its legal actions, by rising id.
        catalogue: the components that the view's indices refer to.
    """

    seat: int
    view: game_pb2.GameView
    actions: Sequence[game_pb2.LegalAction]
    catalogue: catalogue_pb2.Catalogue

    @property
    def spring_meadow(self) -> spring_meadow_pb2.SpringMeadowView:
        """The table of a game of Spring Meadow; LookupError in another game."""
        self._need("spring_meadow")
        return self.view.spring_meadow

    @property
    def board(self) -> spring_meadow_pb2.SpringMeadowBoard:
        """The seat's own board in Spring Meadow; LookupError in another game."""
        return self.spring_meadow.boards[self.seat]

    @property
    def decision(self) -> spring_meadow_pb2.SpringMeadowDecision:
        """What has to be chosen in Spring Meadow; LookupError in another game."""
        self._need("spring_meadow")
        return self.view.pending.spring_meadow

    def tile_on(self, space: int) -> spring_meadow_pb2.SpringMeadowTile:
        """The tile on a space of Spring Meadow's hiking map.

        Raises:
            LookupError: the space is empty, or it is another game.
        """
        tile = self.spring_meadow.map_tiles[space]
        if tile < 0:
            raise LookupError(f"space {space} is empty")
        return self.catalogue.spring_meadow.tiles[tile]

    @property
    def meadow(self) -> meadow_pb2.MeadowView:
        """The table of a game of Meadow; LookupError in another game."""
        self._need("meadow")
        return self.view.meadow

    @property
    def river(self) -> downstream_pb2.DownstreamRiver:
        """The river board of Downstream; LookupError in a game without one."""
        if not self.meadow.HasField("river"):
            raise LookupError("this game has no river")
        return self.view.meadow.river

    @property
    def player(self) -> meadow_pb2.MeadowPlayer:
        """What lies before the seat in Meadow, its hand included; LookupError in another game."""
        return self.meadow.players[self.seat]

    @property
    def meadow_decision(self) -> meadow_pb2.MeadowDecision:
        """What has to be chosen in Meadow, and which hand cards can be played; LookupError in another game."""
        self._need("meadow")
        return self.view.pending.meadow

    def card(self, number: int) -> meadow_cards_pb2.MeadowCard:
        """A card of Meadow by its number; LookupError for a number that is none, or in another game."""
        self._need("meadow")
        cards = self.catalogue.meadow.cards
        if not 0 <= number < len(cards):
            raise LookupError(f"there is no card {number}")
        return cards[number]

    def _need(self, family: str) -> None:
        played = self.view.WhichOneof("family")
        if played != family:
            raise LookupError(f"this is a game of {played}, not of {family}")


Choose = Callable[[Turn], Choice]
"""A bot: its choice for a turn, as an entry of `Turn.actions`, an id or a typed action."""
