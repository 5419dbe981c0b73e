"""The components of Downstream as immutable tables that every state of a game shares."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum

Point = tuple[float, float]
"""A place on a board: x to the right, y down."""

LAZY_RIVER = "lazy_river"
WILD_RAPIDS = "wild_rapids"
SIDES = (LAZY_RIVER, WILD_RAPIDS)
"""The two sides of the river board (rulebook: River Board)."""
RIVER_ROWS = 2
RIVER_COLUMNS = 4
RIVER_SPOTS = RIVER_ROWS * RIVER_COLUMNS
"""Spots of the river card area, numbered row by row from the top left (ruling D5)."""
RIVER_NOTCHES = 6
"""Notches of the river board, clockwise (rulings D5, D20)."""
SOLO_CARDS = 6
"""Cards of the solo game (rulebook: Solo Variant)."""
MAX_SPACES = 60
"""Most spaces of a river track."""
MAX_WAYS = 4
"""Most ways that lead on from one space."""
EXTRA_ROADS = 8
"""Additional road tokens (rulebook: Components)."""
EXTRA_BONUS = 3
"""What the additional bonus token is worth (rulebook: End of Game and Scoring (Lazy River))."""


class Extra(IntEnum):
    """What a space of the river track offers (rulebook: Types of Extra Actions). The numbers are stable."""

    NONE = 0
    ROAD = 1
    """A road token."""
    SUNSET = 2
    """The top sunset card."""
    PLAY = 3
    """A card may be played."""
    RIVER_OR_E = 4
    """The top card of the river deck or of the E deck."""
    ROAD_OR_TWO_CARDS = 5
    """A road token, or a hand card discarded for the top two cards of a deck."""
    FACE_UP = 6
    """A face-up card from the main board or the river card area."""
    BEAVER_DAM = 7
    """The top beaver dam card."""
    GOAL = 8
    """The two goal pairs with the triangle: the additional bonus token may be placed."""
    S_OR_W = 9
    """The top card of the S deck or of the W deck."""
    LOOK_AT_N = 10
    """A look at the top two cards of the N deck, one of which is kept."""
    ROAD_AND_FACE_UP = 11
    """A road token and a face-up card."""
    PIER = 12
    """A token from the pier area."""
    TENT = 13
    """A token from the tent area."""


class Pier(IntEnum):
    """The pier tokens (rulebook: Pier Token Actions). The numbers are stable."""

    E_W_N = 0
    """The top cards of the E, W and N decks."""
    TWO_RIVER = 1
    """The top two cards of the river deck."""
    TWO_ROADS = 2
    LOOK_AT_E = 3
    """A look at the top three cards of the E deck, one of which is kept; then a play."""
    FACE_UP = 4
    TWO_CARDS = 5
    """A hand card discarded for the top two cards of a deck."""


class Tent(IntEnum):
    """The tent tokens (rulebook: Tent Tokens). The numbers are stable."""

    FOUR_POINTS = 0
    THREE_POINTS = 1
    FACE_UP_AND_PLAY_ONE_POINT = 2
    PLAY_TWO_POINTS = 3
    FACE_UP_AND_PLAY = 4
    TWO_PLAYS = 5


TENT_POINTS: Mapping[Tent, int] = {
    Tent.FOUR_POINTS: 4,
    Tent.THREE_POINTS: 3,
    Tent.FACE_UP_AND_PLAY_ONE_POINT: 1,
    Tent.PLAY_TWO_POINTS: 2,
    Tent.FACE_UP_AND_PLAY: 0,
    Tent.TWO_PLAYS: 0,
}


@dataclass(frozen=True, slots=True)
class Way:
    """How a kayak leaves a space of the river track."""

    space: int
    """Index of the next space in `RiverSide.spaces`."""
    shortcut: bool
    """Whether a triangle has to be visible in the meadow (rulebook: Shortcut)."""


@dataclass(frozen=True, slots=True)
class Space:
    """A space of the river track."""

    number: int
    """Index in `RiverSide.spaces`."""
    id: str
    extra: Extra
    points: int
    """The number beside it, 0 for none."""
    ways: tuple[Way, ...]
    """Forward, in the order of the board file; several at a fork, none at the end."""
    point: Point
    """Where to draw a kayak, in the units of the side."""


@dataclass(frozen=True, slots=True)
class RiverNotch:
    """A notch at the edge of the river card area."""

    number: int
    """Index in `RiverSide.notches`."""
    id: str
    """By which the cards of the solo game name it in a pack."""
    spots: tuple[int, ...]
    """The spots of the river card area that it points at, from the notch inwards."""
    point: Point
    """Where to draw a token."""


def notch_name(number: int) -> str:
    """What people call a notch of the river board: V1 to V6. L and B with a number are notches of the main board."""
    return f"V{number + 1}"


@dataclass(frozen=True, slots=True)
class RiverSide:
    """A side of the river board.

    Drawn in a frame 16 units wide and 9 high, from its top left corner.
    """

    name: str
    """One of `SIDES`."""
    spaces: tuple[Space, ...]
    """The river track; 0 is the start. A way always leads to a higher number."""
    notches: tuple[RiverNotch, ...]
    """Clockwise: up the left side, then along the bottom from right to left (ruling D20)."""
    spots: tuple[Point, ...]
    """The centres of the spots of the river card area."""
    piles: Mapping[str, Point]
    """Where to draw `river deck`, `sunset`, and `beaver dam` and `goals` or `pier` and `tent`."""


@dataclass(frozen=True, slots=True)
class Downstream:
    """Everything of Downstream that a content pack says, beside its cards and its goal token."""

    sides: Mapping[str, RiverSide]
    """By name."""
    waterfalls: Mapping[int, tuple[int, int]]
    """By number of players: the waterfall tokens are passed when so many rounds are over (ruling D4)."""
    solo_notches: tuple[int, ...]
    """For each card of the solo game, the notch it names."""
    start_cards: tuple[tuple[int, int], ...]
    """The two sides of each watery starting ground card."""
    sunset: tuple[int, ...]
    """The sunset cards, the one worth the most first."""
    beaver_dams: tuple[int, ...]
    """The beaver dam cards, the one worth the most first."""
