"""The components of Meadow as immutable tables that every state of a game shares.

Built from a content pack by `meadow_engine.meadow.content.catalogue`. Everything is counted from 0: cards, tokens,
spots and notches are known by their positions in these tables.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from typing import ClassVar

from meadow_engine.meadow.downstream.catalogue import Downstream
from meadow_engine.meadow.symbols import BIG_ENCOUNTER

BOARD_SIDE = 4
"""Spots along a side of the main board (rulebook: Game Setup)."""
BOARD_SPOTS = BOARD_SIDE * BOARD_SIDE
"""Spots of the main board, numbered row by row from the top left."""
BASE = "base"
"""The set of everything that is not in an envelope."""
ENVELOPE_T = "T"
"""The envelope of ground cards with two grounds (rulebook: Envelopes)."""
ENVELOPE_U = "U"
"""The envelope that brings a goal token (rulebook: Envelopes)."""
ENVELOPES = (ENVELOPE_T, ENVELOPE_U, "W", "X", "Y")
"""The sets of six cards that may join the base cards in any mix."""
DOWNSTREAM = "downstream"
"""The set of everything that comes with Downstream, but its envelope."""
ENVELOPE_Z = "Z"
"""The envelope of Downstream (rulebook: Envelope Z)."""

Point = tuple[float, float]
"""A place on a board: x to the right, y down."""


class Deck(IntEnum):
    """A card's back; a game's decks to draw from are numbered by it. The numbers are stable."""

    W = 0
    S = 1
    E = 2
    N = 3
    RIVER = 4
    START = 5
    """The two-sided starting ground cards: no deck is drawn from, but it is what kind of back they have."""
    SUNSET = 6
    BEAVER_DAM = 7
    """The sunset and the beaver dam cards lie face up; discarded ones go back to the box (ruling D11)."""


class Kind(IntEnum):
    """How a card is played (rulebook: Rules for Playing Cards)."""

    GROUND = 0
    OBSERVATION = 1
    LANDSCAPE = 2
    """Needs a road token, beside its requirements."""
    DISCOVERY = 3
    """Needs a landscape with its road symbol open, beside its requirements."""


class Side(IntEnum):
    """A side of the main board that has notches, clockwise."""

    LEFT = 0
    RIGHT = 1
    BOTTOM = 2


@dataclass(frozen=True, slots=True)
class Requirement:
    """One symbol that a card asks for."""

    symbols: tuple[int, ...]
    """The symbol, or the two of which either will do (rulebook: Choice of a Requirement), in ascending order."""
    adjacent: bool
    """Whether it has arrows (rulebook: Required Adjacent Columns)."""


@dataclass(frozen=True, slots=True)
class Card:
    """A card, or one side of a starting ground card."""

    number: int
    """Index in `Catalogue.cards`."""
    id: str
    """Stable name, such as `W-017`; the two sides of a starting ground card are `G1A` and `G1B`."""
    name: str
    """Name for people."""
    scientific_name: str
    """Scientific name of the species shown, or empty."""
    deck: Deck
    kind: Kind
    grounds: tuple[int, ...]
    """Ground symbols in ascending order: one or two on a ground card, none on any other."""
    symbols: tuple[int, ...]
    """Card symbols it grants while visible, in ascending order; none on landscapes and discoveries."""
    requirements: tuple[Requirement, ...]
    """Symbols it asks for as printed; the road of a landscape and the landscape of a discovery are not among them."""
    points: int
    card_set: str
    """`base`, `downstream`, or the letter of an envelope."""
    oar: int = 0
    """Arrows on its oar (Downstream), 0 for none."""
    other_side: int = -1
    """The number of a starting ground card's other side; -1 for any other card."""

    @property
    def uncoverable(self) -> bool:
        """Whether nothing may be placed on it (rulebook: Envelopes, U)."""
        return BIG_ENCOUNTER in self.symbols


@dataclass(frozen=True, slots=True)
class GoalToken:
    """A goal token of the campfire board."""

    number: int
    """Index in `Catalogue.goal_tokens`."""
    id: str
    symbol: int
    card_set: str
    """`base`, `downstream`, or the letter of the envelope it comes with."""


@dataclass(frozen=True, slots=True)
class Notch:
    """A notch at the edge of the main board."""

    number: int
    """Index in `MainBoard.notches`."""
    id: str
    """`L1` to `L4` and `R1` to `R4` by rows from the top, `B1` to `B4` by columns from the left."""
    side: Side
    spots: tuple[int, int, int, int]
    """The spots that path tokens 1 to 4 reach from here (ruling M3)."""
    point: Point
    """Where to draw a token, in `MainBoard`'s units."""


@dataclass(frozen=True, slots=True)
class MainBoard:
    """The board with the cards on offer.

    Drawn with one spot as the unit, from the top left corner of the spots: spot 0 has its centre at (0.5, 0.5).
    """

    columns: tuple[Deck, Deck, Deck, Deck]
    """The deck that fills each column before the halfway point; afterwards N takes the place of S."""
    notches: tuple[Notch, ...]
    """Clockwise: up the left side, down the right side, along the bottom from right to left (ruling M33)."""


@dataclass(frozen=True, slots=True)
class CampfireBoard:
    """The face of a campfire board for one number of players.

    Drawn in a square with sides of one unit, from its top left corner.
    """

    players: int
    open_notches: int
    """Notches in use: the first ones clockwise. Block tokens lie in the others (ruling M30)."""
    rounds: int
    hourglass: int
    """The halfway point comes when this many rounds are over."""
    notches: tuple[Point, ...]
    """All notches, clockwise."""
    goals: tuple[Point, ...]
    """The squares for goal tokens, clockwise, in a closed ring."""
    bonuses: tuple[Point, ...]
    """The spaces for bonus tokens: space k lies between goal squares k and k + 1, the last between last and first."""
    benches: tuple[Point, ...]
    rocks: tuple[Point, ...]
    """The round tracker."""
    hourglass_point: Point
    """Where the hourglass stands, between two rocks."""

    def pair(self, space: int) -> tuple[int, int]:
        """Return the two goal squares on either side of a bonus space (rulebook: Goals)."""
        return space, (space + 1) % len(self.goals)


@dataclass(frozen=True, slots=True)
class SoloToken:
    """Rover's token, which says where Rover's path tokens go (ruling M11).

    One colour marker lies at each of its places.
    """

    places: tuple[tuple[int, int, int, int], ...]
    """For each place, the notch of the main board for a path token 1 to 4 of the colour there. A taken notch passes
    the token on to the next free one clockwise."""


@dataclass(frozen=True, slots=True, eq=False)
class Catalogue:
    """Everything a content pack says about Meadow. Compared and hashed by identity."""

    pack_hash: bytes
    """Hash of the pack it comes from."""
    cards: tuple[Card, ...]
    """Deck by deck (W, S, E, N, starting cards) as the pack lists them, then the envelopes, then Downstream: its river
    deck, cards for the base game's decks, starting, sunset and beaver dam cards, envelope Z."""
    goal_tokens: tuple[GoalToken, ...]
    main_board: MainBoard
    campfires: Mapping[int, CampfireBoard]
    """By number of players."""
    solo_token: SoloToken
    sets: tuple[str, ...]
    """The sets it has cards of: `base`, then the envelopes, then `downstream` and its envelope."""
    decks: Mapping[str, tuple[tuple[int, ...], ...]] = field(repr=False)
    """Set -> for each deck, its card numbers in ascending order."""
    start_cards: tuple[tuple[int, int], ...]
    """The two sides of each starting ground card."""
    card_ids: Mapping[str, int] = field(repr=False)
    """Card id -> index in `cards`."""
    goal_token_ids: Mapping[str, int] = field(repr=False)
    """Goal token id -> index in `goal_tokens`."""
    downstream: Downstream | None = None
    """What the pack says of Downstream, or None."""

    road_tokens: ClassVar[int] = 28
    """Road tokens in the box, those the players start with among them (rulebook: Components)."""
    bonus_values: ClassVar[tuple[int, ...]] = (2, 3, 4)
    """A player's bonus tokens in the order of their use (rulebook: Goals)."""
