"""What happens in a game of Meadow, told to each viewer as far as that viewer may know it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from meadow_engine.kernel.events import Event
from meadow_engine.kernel.zones import knows
from meadow_engine.meadow.state import NO_CARD


@dataclass(frozen=True, slots=True)
class HiddenCardEvent(Event):
    """Something about a card that not everybody knows.

    Attributes:
        seat: whose card it is.
        deck: the card's back, which everybody sees.
        card: the card, or NO_CARD for viewers who do not know it.
        knowers: the mask of seats that know it.
    """

    seat: int
    deck: int
    card: int
    knowers: int

    def seen_by(self, viewer: int | None) -> Event:
        if knows(self.knowers, viewer):
            return replace(self, knowers=0)
        return replace(self, card=NO_CARD, knowers=0)


@dataclass(frozen=True, slots=True)
class RowTaken(Event):
    """Set-up: a seat took a row's cards into its hand."""

    seat: int
    row: int
    cards: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class CardDrawn(HiddenCardEvent):
    """A seat drew the top card of a deck."""


@dataclass(frozen=True, slots=True)
class GroundChosen(Event):
    """Set-up: a seat put its starting ground card down."""

    seat: int
    card: int


@dataclass(frozen=True, slots=True)
class BoardRefilled(Event):
    """Cards were laid on empty spots of the main board, in this order."""

    spots: tuple[int, ...]
    cards: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class RoundStarted(Event):
    """A round began."""

    round: int
    first_seat: int


@dataclass(frozen=True, slots=True)
class HalfwayReached(Event):
    """The round marker passed the hourglass: the board was cleared, the N deck replaces the S deck."""

    swept: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TokenPlaced(Event):
    """A seat placed a path token."""

    seat: int
    token: int
    place: int


@dataclass(frozen=True, slots=True)
class CardTaken(Event):
    """A seat took a card from the main board; NO_CARD if the spot was empty."""

    seat: int
    spot: int
    card: int


@dataclass(frozen=True, slots=True)
class RoadsTaken(Event):
    """A seat took road tokens, fewer than two if the supply is short."""

    seat: int
    count: int


@dataclass(frozen=True, slots=True)
class CardsLookedAt(Event):
    """A seat looked at the top cards of a deck; the cards are empty for everybody else."""

    seat: int
    deck: int
    count: int
    cards: tuple[int, ...]

    def seen_by(self, viewer: int | None) -> Event:
        return self if viewer == self.seat else replace(self, cards=())


@dataclass(frozen=True, slots=True)
class CardKept(HiddenCardEvent):
    """A seat kept one of the cards it looked at."""


@dataclass(frozen=True, slots=True)
class CardPutUnder(HiddenCardEvent):
    """A card looked at went under its deck."""


@dataclass(frozen=True, slots=True)
class CardDiscarded(HiddenCardEvent):
    """A hand card went under its deck, to ignore a missing symbol."""


@dataclass(frozen=True, slots=True)
class CardPlayed(Event):
    """A seat played a card.

    Attributes:
        place: as `playability` numbers it; for a ground card the number of its new column.
    """

    seat: int
    card: int
    place: int


@dataclass(frozen=True, slots=True)
class GoalClaimed(Event):
    """A seat placed its bonus token of this value between two goal tokens."""

    seat: int
    pair: int
    value: int


@dataclass(frozen=True, slots=True)
class Passed(Event):
    """A seat did without what was optional."""

    seat: int


@dataclass(frozen=True, slots=True)
class RoverMoved(Event):
    """Solo: Rover flipped a token and placed it.

    Attributes:
        colour: 1 to 3.
        token: 0 to 3 are 1 to 4, 4 is ?.
        place: where it lies, -1 if it was discarded.
        spot, card: the card he took, -1 for none.
    """

    colour: int
    token: int
    place: int
    spot: int
    card: int


@dataclass(frozen=True, slots=True)
class RoverDealt(Event):
    """Solo, set-up: Rover's first cards."""

    cards: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class GameEnded(Event):
    """The whole game is over."""
