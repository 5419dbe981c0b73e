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

from meadow_engine.kernel.errors import BadNotation
from meadow_engine.kernel.zones import HiddenPile
from meadow_engine.meadow.catalogue import Deck
from meadow_engine.meadow.downstream.catalogue import RIVER_SPOTS, SOLO_CARDS, Pier, RiverSide, Tent
from meadow_engine.meadow.downstream.state import River, TokenArea, river_of
from meadow_engine.meadow.places import QUESTION, RIVER_MASK, RIVER_TRAIL, piece_parts
from meadow_engine.meadow.state import NO_CARD, MeadowState
from meadow_engine.meadow.symbols import SYMBOL_NUMBERS

SIDE = "side"
GAP = "-----"


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
            "river": lambda words: self._spots.extend(NO_CARD if word == GAP else card(word) for word in words),
            "kayak": self._kayak,
            "sunset": lambda words: river_of(state).sunset.extend(map(card, words)),
            "dams": lambda words: river_of(state).beaver_dams.extend(map(card, words)),
            "extra": self._extra,
            "piers": lambda words: setattr(river_of(state), "piers", _area(words, len(Pier))),
            "tents": lambda words: setattr(river_of(state), "tents", _area(words, len(Tent))),
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

    def _track(self) -> RiverSide:
        components = self._state.catalogue.downstream
        assert components is not None
        return components.sides[river_of(self._state).side]

    def _kayak(self, words: list[str]) -> None:
        seat, _, space, _, points = words
        if not 0 <= int(space) < len(self._track().spaces):
            raise ValueError(f"there is no space {space}")
        river_of(self._state).kayaks[self._seat(seat)] = int(space)
        river_of(self._state).points[self._seat(seat)] = int(points)

    def _extra(self, words: list[str]) -> None:
        river = river_of(self._state)
        if words[0] == "goals":
            river.goals = [SYMBOL_NUMBERS[name.strip()] for name in " ".join(words[1:]).split(",")]
        elif words[0] == "bonus":
            river.bonuses = sum(1 << seat for seat in {self._seat(word) for word in words[1:]})
        else:
            raise ValueError("extra goals, or extra bonus")

    def _kept(self, words: list[str]) -> None:
        seat, *tokens = words
        river_of(self._state).kept[self._seat(seat)] = tuple(Tent(int(token)) for token in tokens)

    def _solo(self, words: list[str]) -> None:
        river_of(self._state).solo = HiddenPile(_distinct(words, SOLO_CARDS))

    def _seat(self, word: str) -> int:
        if not (word.isdigit() and int(word) < self._state.seats):
            raise ValueError(f"there is no seat {word}")
        return int(word)


def _area(words: list[str], kinds: int) -> TokenArea:
    """Tokens face up and, behind ``under``, hidden ones."""
    place = words.index("under") if "under" in words else len(words)
    _distinct([word for word in words if word != "under"], kinds)
    hidden = [int(word) for word in words[place + 1 :]]
    return TokenArea([int(word) for word in words[:place]], int(bool(hidden)), HiddenPile(hidden))


def _distinct(words: list[str], kinds: int) -> list[int]:
    numbers = [int(word) for word in words]
    if len(set(numbers)) < len(numbers) or not all(0 <= number < kinds for number in numbers):
        raise ValueError(f"numbers from 0 to {kinds - 1}, each once")
    return numbers
