"""The state of a game of Meadow: plain, typed, mutable data."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from meadow_engine.kernel.codec import UNSAVED
from meadow_engine.kernel.rng import Streams
from meadow_engine.kernel.stack import Frame, Output
from meadow_engine.kernel.zones import EVERYBODY, HiddenPile
from meadow_engine.meadow.catalogue import Catalogue
from meadow_engine.meadow.downstream.state import River
from meadow_engine.meadow.parts import Parts
from meadow_engine.meadow.places import EMPTY
from meadow_engine.meadow.symbols import SYMBOL_COUNT

NO_CARD = -1
MAX_GROUNDS = 10
"""Ground cards that a meadow area can have (rulebook: Ground Cards)."""


@dataclass(slots=True)
class Player:
    """What lies before a seat.

    Attributes:
        hand: cards in hand, in the order they came.
        seen: for each of them the mask of seats that know it.
        columns: the meadow's columns by number, in the order their grounds were played; each from its ground card up.
        tops: for each column the symbols it shows: its top card's and its ground's.
        shows: the same as sets (bit = symbol).
        row: column numbers from left to right.
        landscapes: landscape cards in the surroundings area, in the order played.
        discoveries: for each landscape the discovery card on it, or NO_CARD.
        roads: unused road tokens.
        tokens: the set of unused tokens (bit = token).
        bonuses: how many bonus tokens were placed.
        visible: how often each symbol is visible in the meadow.
    """

    hand: list[int] = field(default_factory=list, repr=False)
    seen: list[int] = field(default_factory=list)
    columns: list[tuple[int, ...]] = field(default_factory=list)
    tops: list[tuple[int, ...]] = field(default_factory=list)
    shows: list[int] = field(default_factory=list)
    row: list[int] = field(default_factory=list)
    landscapes: list[int] = field(default_factory=list)
    discoveries: list[int] = field(default_factory=list)
    roads: int = 0
    tokens: int = 0
    bonuses: int = 0
    visible: list[int] = field(default_factory=lambda: [0] * SYMBOL_COUNT)

    def clone(self) -> Player:
        """An independent copy."""
        return Player(
            self.hand.copy(),
            self.seen.copy(),
            self.columns.copy(),
            self.tops.copy(),
            self.shows.copy(),
            self.row.copy(),
            self.landscapes.copy(),
            self.discoveries.copy(),
            self.roads,
            self.tokens,
            self.bonuses,
            self.visible.copy(),
        )

    def gain(self, card: int, seen: int) -> None:
        """Take a card into the hand."""
        self.hand.append(card)
        self.seen.append(seen)

    def show(self, card: int) -> bool:
        """Let everybody know that a card is in the hand; answers whether that is new to anybody."""
        place = self.hand.index(card)
        new = self.seen[place] != EVERYBODY
        self.seen[place] = EVERYBODY
        return new

    def lose(self, card: int) -> int:
        """Take a card out of the hand; answers who knows it."""
        place = self.hand.index(card)
        self.hand.pop(place)
        return self.seen.pop(place)


@dataclass(slots=True)
class Rover:
    """The dummy player of the solo game (rulebook: Solo Variant).

    Attributes:
        pile: path tokens of the other three colours, face down; numbered by `places.token_piece` with colours 1 to 3.
        markers: for each of these colours the place of its marker at the solo token.
        cards: the cards he took.
    """

    pile: HiddenPile = field(default_factory=HiddenPile)
    markers: tuple[int, ...] = ()
    cards: list[int] = field(default_factory=list)

    def clone(self) -> Rover:
        """An independent copy."""
        return Rover(self.pile.clone(), self.markers, self.cards.copy())


@dataclass(slots=True)
class MeadowState:
    """A whole game.

    Attributes:
        catalogue: the shared tables of the content pack.
        parts: the rules that make this variant, in order.
        seats: number of seats.
        streams: the seed and what was drawn from it.
        stack: pending work, the next on top.
        decks: the decks by `catalogue.Deck`, face down.
        board: the card on each spot of the main board and, behind them, of the river card area, or NO_CARD.
        halfway: whether the hourglass was passed: the N deck has replaced the S deck.
        places: for each place the token on it, or EMPTY.
        free: the set of places that can take a token now.
        goals: symbols of the goal tokens around the campfire, in ring order.
        claims: for each pair of neighbouring goal tokens the seat that claimed it, or EMPTY.
        round: 1 to `rounds`; 0 during the set-up.
        rounds: how many rounds are played.
        first_seat: the seat with the first player token.
        road_supply: road tokens left.
        starts: the starting ground card of each seat, by number of the pair.
        beginners: whether the starting cards are dealt at random.
        players: by seat.
        rover: the dummy player, or None.
        river: the river board of Downstream, or None.
        out: what the latest action gave; not part of the state.
    """

    catalogue: Catalogue = field(metadata=UNSAVED, repr=False, compare=False)
    parts: Parts = field(metadata=UNSAVED, repr=False, compare=False)
    seats: int
    streams: Streams
    stack: list[Frame[Any]] = field(default_factory=list)
    decks: list[HiddenPile] = field(default_factory=list)
    board: list[int] = field(default_factory=list)
    halfway: bool = False
    places: list[int] = field(default_factory=list)
    free: int = 0
    goals: list[int] = field(default_factory=list)
    claims: list[int] = field(default_factory=list)
    round: int = 0
    rounds: int = 0
    first_seat: int = 0
    road_supply: int = 0
    starts: list[int] = field(default_factory=list)
    beginners: bool = False
    players: list[Player] = field(default_factory=list)
    rover: Rover | None = None
    river: River | None = None
    out: Output = field(default_factory=Output, metadata=UNSAVED, repr=False, compare=False)

    def push(self, frame: Frame[Any]) -> None:
        """Put work on top of what is pending."""
        self.stack.append(frame)

    def occupy(self, place: int, piece: int) -> None:
        """Lay a token on a place."""
        self.places[place] = piece
        self.free &= ~(1 << place)

    def is_free(self, place: int) -> bool:
        """Whether a place can take a token."""
        return self.places[place] == EMPTY and bool(self.free >> place & 1)

    def clone(self) -> MeadowState:
        """An independent copy; the tables and rules are shared."""
        return MeadowState(
            self.catalogue,
            self.parts,
            self.seats,
            self.streams.clone(),
            self.stack.copy(),
            [deck.clone() for deck in self.decks],
            self.board.copy(),
            self.halfway,
            self.places.copy(),
            self.free,
            self.goals.copy(),
            self.claims.copy(),
            self.round,
            self.rounds,
            self.first_seat,
            self.road_supply,
            self.starts.copy(),
            self.beginners,
            [player.clone() for player in self.players],
            self.rover.clone() if self.rover else None,
            self.river.clone() if self.river else None,
        )
