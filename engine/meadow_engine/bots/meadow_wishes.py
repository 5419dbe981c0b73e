"""What a seat's cards and symbols are worth to it: the judgement of the greedy bot for Meadow."""

from __future__ import annotations

from functools import cached_property

from meadow_engine.bots.river_wishes import RiverWishes
from meadow_engine.meadow.catalogue import Card, Catalogue, Kind
from meadow_engine.meadow.requirements import missing_requirements, needs_table
from meadow_engine.meadow.state import MAX_GROUNDS
from meadow_engine.meadow.symbols import SYMBOL_COUNT
from meadow_engine.meadow.view import MeadowView

SYMBOL = 0.10
"""Worth of any symbol more."""
WANTED_BY_HAND = 0.55
"""Worth of a symbol that a card in hand misses."""
WANTED_BY_BOARD = 0.07
"""Worth of a symbol that a card on the board misses."""
GOAL_NEAR, GOAL_FAR = 0.8, 0.25
"""Worth of a goal's symbol when the other one is visible, and when not."""
SECOND_COPY = 0.35
"""Share of a symbol's worth when it is visible already."""
DISCARD_COST = 0.8
ROAD_COST = 0.5
COLUMN = 0.9
"""Worth of a further column in the first round; it falls to nothing."""
PATIENCE = 0.72
"""Share of a card's worth when it is only held, not played."""


class Wishes:
    """Judges cards for one seat in one view."""

    def __init__(self, view: MeadowView, catalogue: Catalogue, seat: int) -> None:
        self.view = view
        self.catalogue = catalogue
        self.player = view.players[seat]
        self.needs = needs_table(catalogue)
        rounds = max(view.rounds, 1)
        self.time_left = 1 - (max(view.round, 1) - 1) / rounds
        self.river = RiverWishes(view, catalogue, seat, self.time_left)
        self._held: dict[int, float] = {}

    @cached_property
    def wanted(self) -> list[float]:
        """For each symbol what one more of it is worth."""
        worth = [SYMBOL] * SYMBOL_COUNT
        for cards, weight in ((self.player.hand, WANTED_BY_HAND), (self.view.board, WANTED_BY_BOARD)):
            for number in cards:
                if number >= 0:
                    card = self.catalogue.cards[number]
                    for requirement in self._missing(card):
                        for symbol in card.requirements[requirement].symbols:
                            worth[symbol] += weight * (card.points + card.oar) / 2.5
        goals, visible = self.view.goals, self.player.visible
        if self.player.bonuses < len(self.catalogue.bonus_values):
            for pair, claim in enumerate(self.view.claims):
                one, other = goals[pair], goals[(pair + 1) % len(goals)]
                if claim < 0:
                    worth[one] += GOAL_NEAR if visible[other] and not visible[one] else GOAL_FAR
                    worth[other] += GOAL_NEAR if visible[one] and not visible[other] else GOAL_FAR
        for symbol, more in self.river.wanted().items():
            worth[symbol] += more
        return [w * (0.3 + 0.7 * self.time_left) for w in worth]

    def _missing(self, card: Card) -> tuple[int, ...]:
        return missing_requirements(card, self.needs[card.number], self.player.visible)

    def symbol(self, symbol: int) -> float:
        """Worth of one more of a symbol."""
        return self.wanted[symbol] * (SECOND_COPY if self.player.visible[symbol] else 1.0)

    def symbols_worth(self, card: Card) -> float:
        """Worth of all symbols a card brings."""
        return sum(self.symbol(symbol) for symbol in card.symbols + card.grounds)

    def claim_now(self) -> float:
        """The value of the bonus token that a goal could be claimed with now; 0 if none can."""
        values, goals, visible = self.catalogue.bonus_values, self.view.goals, self.player.visible
        if self.player.bonuses == len(values):
            return 0.0
        for pair, claim in enumerate(self.view.claims):
            if claim < 0 and visible[goals[pair]] and visible[goals[(pair + 1) % len(goals)]]:
                return float(values[self.player.bonuses])
        return 0.0

    def roads(self) -> float:
        """Worth of two road tokens: for each one as many as there are landscapes in hand without a road."""
        landscapes = sum(self.catalogue.cards[card].kind is Kind.LANDSCAPE for card in self.player.hand)
        short = max(0, landscapes - self.player.roads)
        return 1.1 * min(2, short) + (0.5 if self.player.roads == 0 else 0.1) * self.time_left

    def could_play(self, number: int) -> float:
        """Worth of playing a card now, wherever; 0 or less if it cannot or should not be."""
        card = self.catalogue.cards[number]
        if card.kind is Kind.GROUND:
            return 0.0 if len(self.player.columns) >= MAX_GROUNDS else self._ground(card)
        missing = len(self._missing(card))
        needed = len(card.requirements)
        blocked = (
            2 * missing > len(self.player.hand) - 1
            or (card.kind is Kind.OBSERVATION and missing == needed)
            or (card.kind is Kind.LANDSCAPE and not self.player.roads)
            or (card.kind is Kind.DISCOVERY and -1 not in self.player.discoveries)
        )
        return 0.0 if blocked else self._worth(card, missing)

    def playing(self, number: int, place: int) -> float:
        """Worth of playing a card to a place: symbols covered there are lost."""
        card = self.catalogue.cards[number]
        if card.kind is Kind.GROUND:
            return self._ground(card)
        worth = self._worth(card, len(self._missing(card)))
        if card.kind is Kind.OBSERVATION:
            top = self.catalogue.cards[self.player.columns[place][-1]]
            worth -= sum(self._lost(symbol) for symbol in top.symbols)
        return worth

    def _lost(self, symbol: int) -> float:
        return self.wanted[symbol] * (SECOND_COPY if self.player.visible[symbol] > 1 else 1.0)

    def _ground(self, card: Card) -> float:
        column = COLUMN * self.time_left * (1 - len(self.player.columns) / MAX_GROUNDS)
        return self.symbols_worth(card) + column + self.river.moving(card.oar)

    def _worth(self, card: Card, missing: int) -> float:
        road = ROAD_COST if card.kind is Kind.LANDSCAPE else 0.0
        points = card.points + self.river.moving(card.oar)
        return points + self.symbols_worth(card) - 2 * DISCARD_COST * missing - road

    def holding(self, number: int) -> float:
        """Worth of having a card in hand."""
        if number not in self._held:
            card = self.catalogue.cards[number]
            if card.kind is Kind.GROUND:
                worth = self._ground(card)
            else:
                missing = len(self._missing(card))
                worth = self._worth(card, 0) - 0.75 * missing
                if card.kind is Kind.DISCOVERY and -1 not in self.player.discoveries:
                    worth -= 0.8
            self._held[number] = max(0.05, worth * PATIENCE * (0.4 + 0.6 * self.time_left))
        return self._held[number]
