"""What the river is worth to a seat: the judgement of the greedy bot for Downstream."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from meadow_engine.meadow.catalogue import Catalogue
from meadow_engine.meadow.downstream.catalogue import TENT_POINTS, Extra, Pier, Space, Tent
from meadow_engine.meadow.symbols import NATURE_MONUMENT
from meadow_engine.meadow.view import MeadowView

SPACE = 0.45
"""Worth of a space further, beside the numbers that are reached."""
NUMBER = 0.9
"""Share of a number's points that counts: others on the way would have brought some of them later."""
CARD = 1.0
"""Worth of an unknown card early in the game."""
PLAY = 1.1
"""Worth of a play more."""
ROAD = 0.5
EXTRA_BONUS = 3.0
EXTRAS: Mapping[int, float] = {
    Extra.NONE: 0.0,
    Extra.RIVER_OR_E: CARD,
    Extra.ROAD_OR_TWO_CARDS: CARD,
    Extra.FACE_UP: 1.3 * CARD,
    Extra.S_OR_W: CARD,
    Extra.LOOK_AT_N: 1.4 * CARD,
    Extra.ROAD_AND_FACE_UP: 1.3 * CARD + ROAD,
    Extra.PLAY: PLAY,
    Extra.ROAD: ROAD,
}
"""Worth of the extra actions that are always there."""
PIERS: Mapping[int, float] = {
    Pier.E_W_N: 3 * CARD,
    Pier.TWO_RIVER: 2 * CARD,
    Pier.TWO_ROADS: 2 * ROAD,
    Pier.LOOK_AT_E: 1.3 * CARD + PLAY,
    Pier.FACE_UP: 1.3 * CARD,
    Pier.TWO_CARDS: CARD,
}
TENTS: Mapping[int, float] = {
    Tent.FOUR_POINTS: 0.0,
    Tent.THREE_POINTS: 0.0,
    Tent.FACE_UP_AND_PLAY_ONE_POINT: 1.3 * CARD + PLAY,
    Tent.PLAY_TWO_POINTS: PLAY,
    Tent.FACE_UP_AND_PLAY: 1.3 * CARD + PLAY,
    Tent.TWO_PLAYS: 1.7 * PLAY,
}
"""What tents are worth beside their points."""
UNKNOWN_TOKEN = 1.6


class RiverWishes:
    """Judges the track for one seat in one view; in games without a river everything is worth nothing."""

    def __init__(self, view: MeadowView, catalogue: Catalogue, seat: int, time_left: float) -> None:
        self.river = view.river
        self._seat = seat
        self._visible = view.players[seat].visible
        self._downstream = catalogue.downstream
        self._cards = catalogue.cards
        # cards drawn late are hardly ever played
        self._use = 0.25 + 0.75 * time_left

    @cached_property
    def _spaces(self) -> tuple[Space, ...]:
        assert self.river is not None
        assert self._downstream is not None
        return self._downstream.sides[self.river.side].spaces

    def moving(self, spaces: int) -> float:
        """Worth of moving the kayak by so many spaces."""
        if self.river is None or not spaces:
            return 0.0
        return self._from(self.river.kayaks[self._seat], spaces, self.river.points[self._seat])

    def way_to(self, space: int) -> float:
        """Worth of going to this space at a fork, and somewhat beyond."""
        assert self.river is not None
        return self._entering(space, 3, self.river.points[self._seat])

    def _from(self, space: int, left: int, points: int) -> float:
        if not left:
            return 0.0
        triangle = self._visible[NATURE_MONUMENT]
        ways = [way.space for way in self._spaces[space].ways if triangle or not way.shortcut]
        return max((self._entering(way, left, points) for way in ways), default=0.0)

    def _entering(self, number: int, left: int, points: int) -> float:
        space = self._spaces[number]
        gain = max(0, space.points - points)
        onward = self._from(number, left - 1, points + gain)
        return SPACE + NUMBER * gain + self.at(space.extra) + onward

    def at(self, extra: int) -> float:
        """Worth of what a space offers."""
        river = self.river
        assert river is not None
        match extra:
            case Extra.SUNSET:
                return self._pile(river.sunset)
            case Extra.BEAVER_DAM:
                return self._pile(river.beaver_dams)
            case Extra.GOAL:
                return self._goal()
            case Extra.PIER:
                return max((self.pier(token) for token in river.piers.open), default=0.0)
            case Extra.TENT:
                return max((self.tent(token) for token in river.tents.open), default=0.0)
            case _:
                return EXTRAS[extra] * self._use

    def _pile(self, pile: tuple[int, ...]) -> float:
        return self._cards[pile[-1]].points * 0.6 * self._use if pile else 0.0

    def _goal(self) -> float:
        river = self.river
        assert river is not None
        if river.bonuses >> self._seat & 1 or not self._visible[NATURE_MONUMENT]:
            return 0.0
        return EXTRA_BONUS if any(self._visible[goal] for goal in river.goals) else 0.0

    def pier(self, token: int) -> float:
        """Worth of a pier token; one that lies face down is an average one."""
        return PIERS.get(token, UNKNOWN_TOKEN) * self._use

    def tent(self, token: int) -> float:
        """Worth of a tent token; one that lies face down is an average one."""
        if token not in TENTS:
            return UNKNOWN_TOKEN
        return TENTS[token] * self._use + TENT_POINTS[Tent(token)]

    def wanted(self) -> dict[int, float]:
        """What a triangle, and the goals beside the triangles, are worth before they are visible."""
        river = self.river
        if river is None or not river.goals or river.bonuses >> self._seat & 1:
            return {}
        triangle = self._visible[NATURE_MONUMENT]
        goals = any(self._visible[goal] for goal in river.goals)
        wanted = {NATURE_MONUMENT: 0.0 if triangle else (0.9 if goals else 0.4)}
        return wanted | dict.fromkeys(river.goals, 0.0 if goals else 0.7 if triangle else 0.2)
