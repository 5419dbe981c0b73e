"""What lies on the table in a game of Meadow and what seats can do with it, for the brute-force reference."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from typing import Any

from tests.reference.meadow_pack import Box, Paper
from tests.reference.meadow_piles import Piles, Shuffle
from tests.reference.meadow_plays import Way, best_ways, plays, visible_symbols

MAIN_NOTCHES = [*(f"L{row}" for row in (4, 3, 2, 1)), *(f"R{row}" for row in (1, 2, 3, 4)), *("B4", "B3", "B2", "B1")]
"""Clockwise, beginning at the bottom left."""
BONUSES = (2, 3, 4)
ROAD_TOKENS, MORE_ROAD_TOKENS = 28, 8
RIVER_TRAIL = "R"
"""The river trail token."""


def reach(notch: str) -> list[int]:
    """The spots that path tokens 1 to 4 reach from a notch of the main board (M3)."""
    side, line = notch[0], int(notch[1]) - 1
    if side == "B":
        return [row * 4 + line for row in (3, 2, 1, 0)]
    row = [line * 4 + column for column in range(4)]
    return row if side == "L" else row[::-1]


@dataclass
class Hand:
    """Everything that belongs to a seat.

    Attributes:
        cards: in hand, in the order they came.
        columns: the meadow from left to right, each from its ground card up.
        laid: for each column, how many were there before it.
        landscapes: each with its discovery, or none.
    """

    cards: list[str] = field(default_factory=list)
    columns: list[list[str]] = field(default_factory=list)
    laid: list[int] = field(default_factory=list)
    landscapes: list[list[str]] = field(default_factory=list)
    roads: int = 0
    tokens: set[str] = field(default_factory=set)
    bonuses: int = 0


@dataclass
class Rover:
    """Rover: tokens such as `1:3` (first colour, token 3), the top one last; the place of each colour's marker."""

    markers: list[int]
    pile: list[str] = field(default_factory=list)
    cards: list[str] = field(default_factory=list)


class Table(Piles):
    """Boards, decks and seats, with everything that takes no choice."""

    def __init__(self, box: Box, seats: int, decks: dict[str, list[str]], shuffle: Shuffle) -> None:
        """Decks as shuffled, an empty board, seats with nothing."""
        super().__init__(box, decks, shuffle)
        self.seats = seats
        self.hands = [Hand() for _ in range(seats)]
        self.places: dict[str, str] = {}
        """Place -> token such as `0:?`."""
        self.goals: list[str] = []
        self.claims: dict[int, int] = {}
        """Pair -> seat."""
        self.roads = ROAD_TOKENS
        self.round = 0
        self.first = 0
        self.rover: Rover | None = None
        self.after_play: Callable[[int, Paper], Generator[Any, str, None]] | None = None
        """What follows when a seat has laid a card."""

    @property
    def rounds(self) -> int:
        """Rounds of the whole game."""
        return 8 if self.seats == 4 else 6

    # ---- taking

    def draw_to(self, seat: int, deck: str, count: int = 1) -> None:
        """A seat takes the top cards of a deck, as far as there are any."""
        for _ in range(count):
            if card := self.draw(deck):
                self.hands[seat].cards.append(card)

    def take_roads(self, seat: int, count: int) -> None:
        """A seat takes road tokens, as far as there are any (M27)."""
        taken = min(count, self.roads)
        self.roads -= taken
        self.hands[seat].roads += taken

    # ---- places for tokens

    def all_places(self) -> list[str]:
        """Every place of this number of players."""
        fire = self.box.campfires[self.seats]
        campfire = [f"C{number + 1}" for number in range(fire.notches)]
        benches = [f"S{number + 1}" for number in range(fire.benches)]
        return MAIN_NOTCHES + campfire + benches + self.river_notches()

    def river_notches(self) -> list[str]:
        """The notches of the river board, clockwise."""
        return list(self.river.side.notches) if self.river else []

    def free_places(self) -> list[str]:
        """Those without a token."""
        return [place for place in self.all_places() if place not in self.places]

    def placements(self, seat: int) -> set[tuple[str, str]]:
        """Where a seat can place which token: river trail and ? tokens alone on the river (D18)."""
        river = self.river_notches()
        return {
            (token, place)
            for token in self.hands[seat].tokens
            for place in self.free_places()
            if token == "?" or (token == RIVER_TRAIL) == (place in river)
        }

    # ---- what a seat can do

    def meadow(self, seat: int) -> tuple[tuple[Paper, ...], ...]:
        """The columns of a seat from left to right."""
        return tuple(tuple(map(self.paper, column)) for column in self.hands[seat].columns)

    def visible(self, seat: int) -> list[str]:
        """All visible symbols of a meadow, each as often as it can be seen."""
        return [symbol for symbol, _ in visible_symbols(self.meadow(seat))]

    def best_ways(self, seat: int, card: str) -> tuple[Way, ...]:
        """The ways of meeting a card's requirements that ignore the fewest."""
        return best_ways(self.paper(card).needs, tuple(visible_symbols(self.meadow(seat))))

    def ignored(self, seat: int, card: str) -> int:
        """How many requirements of a card are missing."""
        return self.best_ways(seat, card)[0].count(None)

    def places_for(self, seat: int, card: str) -> list[int]:
        """Where a hand card can be played, as the engine numbers it."""
        hand, paper = self.hands[seat], self.paper(card)
        if paper.kind == "ground":
            return [0, 1] if len(hand.columns) < 10 else []
        if len(hand.cards) - 1 < 2 * self.ignored(seat, card):
            return []
        if paper.kind == "landscape":
            return [0] if hand.roads else []
        if paper.kind == "discovery":
            return [number for number, landscape in enumerate(hand.landscapes) if len(landscape) == 1]
        return [hand.laid[column] for column in plays(self.meadow(seat), paper)[0]]

    def all_plays(self, seat: int) -> set[str]:
        """Every play of every hand card."""
        return {f"play {card} {place}" for card in self.hands[seat].cards for place in self.places_for(seat, card)}

    def lay(self, seat: int, card: str, place: int) -> None:
        """Put a card, which is paid for, where it goes."""
        hand, paper = self.hands[seat], self.paper(card)
        hand.cards.remove(card)
        if paper.kind == "ground":
            self.lay_ground(seat, card, place)
        elif paper.kind == "landscape":
            hand.roads -= 1
            hand.landscapes.append([card])
        elif paper.kind == "discovery":
            hand.landscapes[place].append(card)
        else:
            hand.columns[hand.laid.index(place)].append(card)

    def lay_ground(self, seat: int, card: str, end: int) -> None:
        """Begin a column at the left (0) or the right (1)."""
        hand = self.hands[seat]
        where = len(hand.columns) if end else 0
        hand.laid.insert(where, len(hand.columns))
        hand.columns.insert(where, [card])

    def claimable(self, seat: int) -> list[int]:
        """Pairs of neighbouring goal tokens that a seat can claim."""
        if self.hands[seat].bonuses == len(BONUSES):
            return []
        seen = self.visible(seat)
        ring = list(zip(self.goals, self.goals[1:] + self.goals[:1], strict=True))
        return [k for k, (one, other) in enumerate(ring) if k not in self.claims and one in seen and other in seen]

    # ---- points

    def points(self, seat: int) -> dict[str, int]:
        """Points by source."""
        hand = self.hands[seat]
        return {
            "meadow": sum(self.paper(card).points for column in hand.columns for card in column),
            "landscapes": sum(self.paper(landscape[0]).points for landscape in hand.landscapes),
            "discoveries": sum(self.paper(card).points for landscape in hand.landscapes for card in landscape[1:]),
            "goals": sum(BONUSES[: hand.bonuses]),
            **(self.river.points(seat) if self.river else {}),
        }

    def discoveries(self, seat: int) -> int:
        """Discovery cards played."""
        return sum(len(landscape) - 1 for landscape in self.hands[seat].landscapes)

    def ranks(self) -> list[int]:
        """1 for the winner: points first, then discoveries; whoever is equal in both shares (M32)."""
        keys = [(sum(self.points(seat).values()), self.discoveries(seat)) for seat in range(self.seats)]
        return [1 + sum(other > own for other in keys) for own in keys]

    def band(self) -> int:
        """Solo: 0 if Rover has more, else the line of the table reached; with Downstream the line, from 0 (D21)."""
        assert self.rover is not None
        points = sum(self.points(0).values())
        if self.river:
            return (points >= 50) + (points >= 66) + (points >= 80)
        rover = sum(self.paper(card).points for card in self.rover.cards)
        return 0 if points < rover else 1 + (points >= 40) + (points >= 50) + (points >= 60)
