"""When the next scoring phase may come, and who would win its hiking pin: what the greedy bot knows of the others."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from meadow_engine.bots.spring_worth import POINT, Board, full_rows
from meadow_engine.spring_meadow.catalogue import COLUMNS, ROW, Catalogue
from meadow_engine.spring_meadow.scoring import PICNIC_POINTS, trigger_tiles
from meadow_engine.spring_meadow.state import NONE
from meadow_engine.spring_meadow.view import SpringView

PIN = 12.0
"""Points that a hiking pin is worth; twice that if it wins the game."""
SPREAD = 5.0
"""Points of lead that make a pin three times as likely as not, while others still move."""
GROWTH = 5.0
"""Points that the best of the others adds in a turn."""
CERTAIN = 1.0
"""The chance of a scoring phase that begins the next seat's turn: nobody moves before it."""
LIKELY = 0.95
"""The chance of one further on when too few tiles are expected; others may still skip, or lay out anew."""
_TIE = 0.5
"""Added to the points of a seat that wins a tie."""


class Stakes:
    """The scoring phase ahead, seen from a seat.

    Attributes:
        turns: how many own turns ahead it is looked for.
    """

    def __init__(self, view: SpringView, seat: int, catalogue: Catalogue, turns: int) -> None:
        self.turns = turns
        self._view, self._seat = view, seat
        self._paths = catalogue.map_for(view.seats).paths
        self._chances: dict[int, tuple[float, ...]] = {}
        self._burrows = view.mountains[seat].burrows

    def worth(self, board: Board, emptied: int, later: int) -> int:
        """Units for the pin that may be won or lost between the end of a turn and the seat's next one.

        Args:
            board: the seat's board at the end of that turn.
            emptied: the space of the hiking map whose tile this turn uses; NONE if it has left the map already.
            later: how many own turns after the present one.
        """
        chance = self._scoring_chances(emptied)[later]
        if not chance:
            return 0
        counted = board.covered | self._burrows
        rows = full_rows(counted)
        cleared = (board.holes & self._burrows).bit_count()
        points = COLUMNS * rows + (counted >> rows * COLUMNS & ROW).bit_count() + cleared
        if chance == CERTAIN:
            to_beat, rival = self._to_beat_now
            wins = float(points >= to_beat)
        else:
            to_beat, rival = self._to_beat
            lead = points - to_beat - GROWTH * (later + 0.5)
            wins = 0.5 + 0.5 * lead / (abs(lead) + SPREAD)
        won, lost = self._pin_of(self._seat), self._pin_of(rival) / (self._view.seats - 1)
        return round(POINT * PIN * chance * (won * wins - lost * (1 - wins)))

    def _pin_of(self, seat: int) -> int:
        """What a pin counts for a seat: the one that wins the game twice."""
        return 1 + self._view.mountains[seat].pins

    @cached_property
    def _to_beat(self) -> tuple[float, int]:
        """The most points of another seat, and the seat."""
        return self._most(0.0, 0.0)

    @cached_property
    def _to_beat_now(self) -> tuple[float, int]:
        """The same if the next seat's turn begins with a scoring phase: it has the picnic, and loses ties.

        Of tied seats the first one clockwise after the active one wins: all others come before this one.
        """
        return self._most(float(PICNIC_POINTS), _TIE)

    def _most(self, next_seat_more: float, others_more: float) -> tuple[float, int]:
        seats = self._view.seats
        points, rival = max(
            (self._view.mountains[seat].score.total + (next_seat_more if step == 1 else others_more), -seat)
            for step, seat in ((step, (self._seat + step) % seats) for step in range(1, seats))
        )
        return points, -rival

    def _scoring_chances(self, emptied: int) -> tuple[float, ...]:
        """The chance of a scoring phase before the next own turn, between that and the one after, and so on."""
        if emptied not in self._chances:
            self._chances[emptied] = tuple(self._expected(emptied))
        return self._chances[emptied]

    def _expected(self, emptied: int) -> Iterator[float]:
        """Walk along the paths ahead, each seat taking any of a path's tiles, each as likely as the others."""
        view, seats = self._view, self._view.seats
        there = [float(tile != NONE and space != emptied) for space, tile in enumerate(view.meadow_map)]
        enough = trigger_tiles(seats)
        none_yet = 1.0
        for later in range(self.turns):
            before = none_yet
            for step in range(later * seats + 1, later * seats + seats + 1):
                path = self._paths[(view.path + step) % len(self._paths)]
                tiles = sum(there[space] for space in path)
                if step == 1:
                    none_yet -= CERTAIN if tiles <= enough else 0
                else:
                    none_yet *= 1 - min(LIKELY, max(0.0, enough + 1 - tiles))
                for space in path:
                    there[space] *= 1 - 1 / max(1.0, tiles)
            yield before - none_yet
