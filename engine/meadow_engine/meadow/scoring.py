"""Points, the result, and the solo table (rulebook: End of Game and Scoring)."""

from __future__ import annotations

from dataclasses import dataclass

from meadow_engine.kernel.variant import Outcome
from meadow_engine.meadow.parts import Part, first_answer
from meadow_engine.meadow.state import NO_CARD, MeadowState, Player


class PlayedCards(Part):
    """Points of the cards in the meadow and surroundings areas; cards in hand count nothing."""

    def points(self, state: MeadowState, seat: int) -> dict[str, int]:
        player, cards = state.players[seat], state.catalogue.cards
        return {
            "meadow": sum(cards[card].points for column in player.columns for card in column),
            "landscapes": sum(cards[card].points for card in player.landscapes),
            "discoveries": sum(cards[card].points for card in player.discoveries if card != NO_CARD),
        }


@dataclass(frozen=True, slots=True)
class SeatScore:
    """A seat's points.

    Attributes:
        sources: points by source, in the order of the variant's parts.
        discoveries: discovery cards played, which break ties.
    """

    sources: tuple[tuple[str, int], ...]
    discoveries: int

    @property
    def total(self) -> int:
        """All points."""
        return sum(points for _, points in self.sources)


@dataclass(frozen=True, slots=True)
class MeadowScoreSheet:
    """Points by source, running or final.

    Attributes:
        seats: by seat.
        rover: Rover's points, -1 where nobody has to reach them.
    """

    seats: tuple[SeatScore, ...]
    rover: int = -1


def score_sheet(state: MeadowState) -> MeadowScoreSheet:
    """The sheet of a game, running or ended."""
    seats = tuple(_seat_score(state, seat) for seat in range(state.seats))
    rover = first_answer(state.parts.rover_points, state)
    return MeadowScoreSheet(seats) if rover is None else MeadowScoreSheet(seats, rover)


def _seat_score(state: MeadowState, seat: int) -> SeatScore:
    sources = tuple(source for points in state.parts.points for source in points(state, seat).items())
    return SeatScore(sources, discoveries_played(state.players[seat]))


def discoveries_played(player: Player) -> int:
    """How many discovery cards lie in the surroundings area."""
    return sum(card != NO_CARD for card in player.discoveries)


def outcome(state: MeadowState) -> Outcome:
    """Ranks by points, then by discovery cards; whoever is equal in both shares the rank. Alone, the band reached."""
    sheet = score_sheet(state)
    band = first_answer(state.parts.solo_band, state, sheet.seats[0].total)
    if band is not None:
        return Outcome((1,), band)
    keys = [(score.total, score.discoveries) for score in sheet.seats]
    return Outcome(tuple(1 + sum(other > own for other in keys) for own in keys))
