"""The greedy bot for Meadow: one turn ahead, minding which symbols its hand, the board and the goals ask for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from meadow_engine.bots.bot import Bot
from meadow_engine.bots.meadow_wishes import Wishes
from meadow_engine.kernel.rng import Streams
from meadow_engine.meadow.actions import (
    CHOOSE_GROUND,
    CHOOSE_ROW,
    CHOOSE_SPECIAL,
    CHOOSE_WATERY_GROUND,
    CHOOSE_WAY,
    CLAIM_GOAL,
    DISCARD,
    DRAW_FROM,
    ENDS,
    KEEP_CARD,
    LOOK_AT_DECK,
    PASS,
    PLACE_TOKEN,
    TAKE_CARD,
    TAKE_ROADS,
    TAKE_TOKEN,
    USE_SPACE,
    play_starts,
    played,
)
from meadow_engine.meadow.catalogue import BOARD_SIDE, BOARD_SPOTS, Catalogue
from meadow_engine.meadow.downstream.catalogue import Extra
from meadow_engine.meadow.places import BENCH, CAMPFIRE, PLACES, QUESTION, RIVER
from meadow_engine.meadow.view import MeadowView

FACE_UP, ROADS, LOOK, TWO_PLAYS = 0, 1, 2, 3
"""The special actions by their token."""
CARD_WORTH = 1.0
"""Worth of an unknown card."""
LOOK_WORTH = 1.3
"""Worth of the best of three unknown cards."""


class Greedy:
    """One decision: the view, and what it makes each card worth."""

    def __init__(self, view: MeadowView, catalogue: Catalogue) -> None:
        assert view.pending is not None
        self._pending = view.pending
        self.view = view
        self.catalogue = catalogue
        self.seat = view.pending.seat
        self.player = view.players[self.seat]
        self.wishes = Wishes(view, catalogue, self.seat)

    def choose(self, legal_ids: Sequence[int]) -> int:
        """The id of the most worth; the lowest among equals."""
        return max(legal_ids, key=lambda action_id: (self.worth(action_id), -action_id))

    def worth(self, action_id: int) -> float:
        """Worth of an action, comparable within one decision."""
        for start, worth in self._blocks():
            if action_id >= start:
                return worth(action_id - start)
        raise AssertionError(action_id)

    def _blocks(self) -> tuple[tuple[int, Callable[[int], float]], ...]:
        return (
            (play_starts(self.catalogue)[0], self._play),
            (DISCARD, self._discard),
            (TAKE_TOKEN, self._token_of_area),
            (DRAW_FROM, lambda deck: CARD_WORTH + 0.1 * deck),
            (USE_SPACE, lambda _: 0.01 + self._extra()),
            (CHOOSE_WAY, lambda way: self.wishes.river.way_to(self._pending.ways[way])),
            (CHOOSE_WATERY_GROUND, self._watery),
            (PASS, lambda _: 0.0),
            (CLAIM_GOAL, lambda pair: 10.0 + self._spare(pair)),
            (KEEP_CARD, self._keep),
            (CHOOSE_SPECIAL, self._special),
            (LOOK_AT_DECK, lambda deck: LOOK_WORTH + 0.1 * deck),
            (TAKE_ROADS, lambda _: self.wishes.roads()),
            (TAKE_CARD, lambda spot: self._taking(self.view.board[spot])),
            (PLACE_TOKEN, self._token),
            (CHOOSE_GROUND, self._ground),
            (CHOOSE_ROW, self._row),
        )

    def _play(self, number: int) -> float:
        card, place = played(self.catalogue, number + play_starts(self.catalogue)[0])
        return self.wishes.playing(card, place)

    def _discard(self, card: int) -> float:
        """Of a card for its discard: it is paid for a play, or for two cards of a deck."""
        gain = 2 * CARD_WORTH * self.wishes.time_left if self._pending.extra else 0.0
        return gain - self.wishes.holding(card)

    def _extra(self) -> float:
        return self.wishes.river.at(self._pending.extra)

    def _token_of_area(self, token: int) -> float:
        at_pier = self._pending.extra == Extra.PIER
        return 0.01 + (self.wishes.river.pier(token) if at_pier else self.wishes.river.tent(token))

    def _watery(self, number: int) -> float:
        side, end = divmod(number, ENDS)
        assert self.view.river is not None
        assert self.catalogue.downstream is not None
        pair = self.catalogue.downstream.start_cards[self.view.river.starts[self.seat]]
        return self.wishes.symbols_worth(self.catalogue.cards[pair[side]]) + 0.01 * end

    def _spare(self, pair: int) -> float:
        """A pair is worth claiming first when others are unlikely to be claimed later: keep the common symbols."""
        goals = self.view.goals
        return -sum(self.wishes.player.visible[s] for s in (goals[pair], goals[(pair + 1) % len(goals)])) / 10

    def _keep(self, number: int) -> float:
        looked_at = self.view.pending.looked_at if self.view.pending else ()
        return self._taking(looked_at[number]) if number < len(looked_at) else 0.0

    def _taking(self, card: int) -> float:
        return self.wishes.holding(card) if card >= 0 else 0.0

    def _row(self, row: int) -> float:
        return sum(self._taking(card) for card in self.view.board[row * BOARD_SIDE : (row + 1) * BOARD_SIDE])

    def _ground(self, side: int) -> float:
        return self.wishes.symbols_worth(self.catalogue.cards[self.catalogue.start_cards[self.player.start][side]])

    def _best_play(self, extra: Iterable[int] = ()) -> list[float]:
        worths = [self.wishes.could_play(card) for card in (*self.player.hand, *extra)]
        return sorted((worth for worth in worths if worth > 0), reverse=True)

    def _token(self, number: int) -> float:
        token, place = divmod(number, PLACES)
        # a token is spent: the ? token and the 4 are worth most at the right moment
        price = 0.6 if token == QUESTION else 0.0
        if place < CAMPFIRE:
            spots = self.catalogue.main_board.notches[place].spots
            reach = spots if token == QUESTION else (spots[token],)
            return max(self._main(self.view.board[spot]) for spot in reach) - price
        if place >= RIVER:
            return self._river_notch(place - RIVER) - price
        if place >= BENCH:
            return sum(self._best_play()[:1]) - price
        goal = 0.9 * self.wishes.claim_now()
        specials = range(4) if token == QUESTION else (token,)
        return max(self._special(special) for special in specials) + goal - price

    def _river_notch(self, notch: int) -> float:
        """Worth of taking a card of the row or column and then playing the best one."""
        assert self.view.river is not None
        assert self.catalogue.downstream is not None
        spots = self.catalogue.downstream.sides[self.view.river.side].notches[notch].spots
        return max(self._main(self.view.board[BOARD_SPOTS + spot]) for spot in spots)

    def _main(self, card: int) -> float:
        """Worth of taking a card and then playing the best one."""
        if card < 0:
            return sum(self._best_play()[:1])
        best = sum(self._best_play((card,))[:1])
        return max(self._taking(card), 0.2) * 0.75 + best

    def _special(self, special: int) -> float:
        if special == FACE_UP:
            return max((self._taking(card) for card in self.view.board), default=0.0)
        if special == ROADS:
            return self.wishes.roads()
        if special == LOOK:
            return LOOK_WORTH
        return sum(self._best_play()[:2])


def choose_greedily(
    view: MeadowView,
    legal_ids: Sequence[int],
    catalogue: Catalogue,
    streams: Streams,  # noqa: ARG001
) -> int:
    """The action of the most worth."""
    return legal_ids[0] if len(legal_ids) == 1 else Greedy(view, catalogue).choose(legal_ids)


GREEDY_MEADOW = Bot(
    "greedy",
    1,
    "One turn ahead, weighing points against the symbols its hand, the board and the goals ask for.",
    choose_greedily,
)
