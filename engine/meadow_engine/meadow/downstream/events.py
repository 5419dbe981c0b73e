"""What happens on the river board. All of it is open to everybody."""

from __future__ import annotations

from dataclasses import dataclass

from meadow_engine.kernel.events import Event


@dataclass(frozen=True, slots=True)
class WateryGroundChosen(Event):
    """Set-up: a seat put its watery starting ground card down, left (0) or right (1) of the other one."""

    seat: int
    card: int
    end: int


@dataclass(frozen=True, slots=True)
class KayakMoved(Event):
    """A seat's kayaker marker reached the next space.

    Attributes:
        space: where it is now.
        points: the highest number on its route so far.
    """

    seat: int
    space: int
    points: int


@dataclass(frozen=True, slots=True)
class PileCardTaken(Event):
    """A seat took the top sunset or beaver dam card."""

    seat: int
    card: int


@dataclass(frozen=True, slots=True)
class ExtraBonusPlaced(Event):
    """Lazy River: a seat placed its additional bonus token on the goal space."""

    seat: int


@dataclass(frozen=True, slots=True)
class PierTaken(Event):
    """Wild Rapids: a seat took a pier token.

    Attributes:
        token: which.
        face_down: whether it lay face down until now.
    """

    seat: int
    token: int
    face_down: bool


@dataclass(frozen=True, slots=True)
class TentTaken(Event):
    """Wild Rapids: a seat took a tent token.

    Attributes:
        token: which.
        face_down: whether it lay face down until now.
    """

    seat: int
    token: int
    face_down: bool


@dataclass(frozen=True, slots=True)
class WaterfallPassed(Event):
    """The round marker passed a waterfall token: the river card area was cleared."""

    swept: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class RoverOnRiver(Event):
    """Solo: Rover placed a river trail token.

    Attributes:
        colour: 1 to 3.
        card: the card of the solo game that told him where, by number.
        place: where it lies.
        swept: the cards that were discarded.
    """

    colour: int
    card: int
    place: int
    swept: tuple[int, ...]
