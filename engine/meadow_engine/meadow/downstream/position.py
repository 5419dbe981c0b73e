"""The lines that Downstream adds to a position written as text.

side lazy_river                        (which side of the river board; right behind the first line)
river R-001 R-002 ----- R-004          (two such lines, row by row)
deck RIVER R-010 R-011                 (as the other decks: top last)
kayak 0 at 5 points 8                  (seat, number of the space, highest number on its route; 0 at 0 if left out)
sunset D-4 D-3                         (top last; likewise `dams`)
extra goals tree, fish                 (Lazy River: the tokens beside the triangles)
extra bonus 0 1                        (Lazy River: seats that have placed theirs)
piers 0 3                              (Wild Rapids: tokens face up, by number; likewise `tents`)
piers 0 under 3 1 2                    (alone: behind `under` the hidden ones, the one on the board last)
kept 0 1 3                             (Wild Rapids: seat, then the tent tokens it keeps)
solo 0 3 5                             (alone: the cards that tell where Rover's tokens go, top last)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import chain

from meadow_engine.kernel.errors import BadNotation
from meadow_engine.kernel.zones import HiddenPile
from meadow_engine.meadow.catalogue import Deck
from meadow_engine.meadow.downstream.catalogue import (
    EXTRA_ROADS,
    LAZY_RIVER,
    RIVER_SPOTS,
    SOLO_CARDS,
    WILD_RAPIDS,
    Pier,
    RiverSide,
    Tent,
)
from meadow_engine.meadow.downstream.lazy_river import EXTRA_GOALS
from meadow_engine.meadow.downstream.state import River, TokenArea
from meadow_engine.meadow.places import QUESTION, RIVER_MASK, RIVER_TRAIL, piece_parts
from meadow_engine.meadow.state import NO_CARD, MeadowState
from meadow_engine.meadow.symbols import SYMBOL_NUMBERS

SIDE = "side"
GAP = "-----"
RIVER_DECKS = (Deck.RIVER, Deck.SUNSET, Deck.BEAVER_DAM)
"""The backs of cards that only positions with a river board have."""
UNDER = "under"
MOST_POINTS = 200


class RiverReader:
    """Reads the lines about the river board.

    Attributes:
        readers: by the line's first word.
    """

    def __init__(self, state: MeadowState, card: Callable[[str], int]) -> None:
        """Into a state; ``card`` gives a card's number and sees to it that no card is in two places."""
        self._state = state
        self._card = card
        self._spots: list[int] = []
        self.readers: Mapping[str, Callable[[list[str]], None]] = {
            SIDE: self._side,
            "river": self._row,
            "kayak": self._kayak,
            "sunset": lambda words: self._pile(self._river().sunset, Deck.SUNSET, words),
            "dams": lambda words: self._pile(self._river(LAZY_RIVER).beaver_dams, Deck.BEAVER_DAM, words),
            "extra": self._extra,
            "piers": lambda words: setattr(self._river(WILD_RAPIDS), "piers", self._area(words, len(Pier))),
            "tents": lambda words: setattr(self._river(WILD_RAPIDS), "tents", self._area(words, len(Tent))),
            "kept": self._kept,
            "solo": self._solo,
        }

    def finish(self) -> None:
        """Put the river cards behind those of the main board, and check that every token finds a notch.

        Raises:
            BadNotation: naming what is missing or too much.
        """
        state = self._state
        if state.river is None:
            return
        if len(self._spots) != RIVER_SPOTS:
            raise BadNotation("a position on the river needs two lines of river cards")
        state.board += self._spots
        tents = [*state.river.tents.open, *state.river.tents.hidden.items, *chain(*state.river.kept)]
        if len(set(tents)) < len(tents):
            raise BadNotation("a tent token is in two places")
        left = sum(player.tokens >> RIVER_TRAIL & 1 for player in state.players)
        if state.rover is not None:
            left += sum(piece_parts(piece)[1] == QUESTION for piece in state.rover.pile.items)
        if left > (state.free & RIVER_MASK).bit_count():
            raise BadNotation(f"{left} river trail tokens are left for the free notches of the river board")

    def _side(self, words: list[str]) -> None:
        state = self._state
        if len(state.decks) != Deck.RIVER:
            raise ValueError("the side is named once, right behind the first line")
        (side,) = words
        river = state.river = River(side)
        river.starts = list(range(state.seats))
        river.kayaks, river.points = [0] * state.seats, [0] * state.seats
        river.kept = [()] * state.seats
        state.decks.append(HiddenPile())
        state.road_supply += EXTRA_ROADS

    def _river(self, side: str = "") -> River:
        """The river board, which has to lie on a side if the line is about that one alone."""
        river = self._state.river
        if river is None:
            raise ValueError("a line about the side of the river board comes first")
        if side and river.side != side:
            raise ValueError(f"only {side} has this")
        return river

    def _row(self, words: list[str]) -> None:
        self._river()
        self._spots += [NO_CARD if word == GAP else self._card(word) for word in words]

    def _pile(self, pile: list[int], deck: Deck, words: list[str]) -> None:
        cards = [self._card(word) for word in words]
        if any(self._state.catalogue.cards[card].deck is not deck for card in cards):
            raise ValueError("a card with another back")
        pile += cards

    def _track(self) -> RiverSide:
        components = self._state.catalogue.downstream
        assert components is not None
        return components.sides[self._river().side]

    def _kayak(self, words: list[str]) -> None:
        river = self._river()
        seat, at, space, behind, points = words
        if (at, behind) != ("at", "points"):
            raise ValueError("kayak, the seat, at, the space, points, the highest number on its route")
        number = self._seat(seat)
        river.kayaks[number] = _number(space, len(self._track().spaces), "space")
        river.points[number] = _number(points, MOST_POINTS, "number of points")

    def _extra(self, words: list[str]) -> None:
        river = self._river(LAZY_RIVER)
        if words[:1] == ["goals"]:
            river.goals = [SYMBOL_NUMBERS[name.strip()] for name in " ".join(words[1:]).split(",")]
            if len(set(river.goals)) != EXTRA_GOALS or len(river.goals) != EXTRA_GOALS:
                raise ValueError(f"there are {EXTRA_GOALS} goals, each another one")
        elif words[:1] == ["bonus"]:
            river.bonuses = sum(1 << seat for seat in {self._seat(word) for word in words[1:]})
        else:
            raise ValueError("extra goals, or extra bonus")

    def _kept(self, words: list[str]) -> None:
        seat, *tokens = words
        self._river(WILD_RAPIDS).kept[self._seat(seat)] = tuple(_distinct(tokens, len(Tent)))

    def _solo(self, words: list[str]) -> None:
        if self._state.seats > 1:
            raise ValueError("only Rover, who plays against one seat, has these cards")
        self._river().solo = HiddenPile(_distinct(words, SOLO_CARDS))

    def _area(self, words: list[str], kinds: int) -> TokenArea:
        """Tokens face up and, behind ``under``, hidden ones."""
        place = words.index(UNDER) if UNDER in words else len(words)
        numbers = _distinct(words[:place] + words[place + 1 :], kinds)
        if len(numbers) > place and self._state.seats > 1:
            raise ValueError("only alone does a token lie face down")
        return TokenArea(numbers[:place], int(len(numbers) > place), HiddenPile(numbers[place:]))

    def _seat(self, word: str) -> int:
        return _number(word, self._state.seats, "seat")


def _distinct(words: list[str], kinds: int) -> list[int]:
    """Numbers of tokens or cards."""
    if len(set(words)) < len(words):
        raise ValueError("one of them is named twice")
    return [_number(word, kinds, "number") for word in words]


def _number(word: str, count: int, what: str) -> int:
    if not (word.isascii() and word.isdigit() and len(word) < 4 and int(word) < count):
        raise ValueError(f"there is no {what} {word}: they run from 0 to {count - 1}")
    return int(word)
