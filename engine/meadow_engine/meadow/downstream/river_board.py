"""The river card area and its notches (rulebook: River Board, River Trail Tokens, River Deck, Waterfall Tokens)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from meadow_engine.kernel.stack import Frame
from meadow_engine.kernel.zones import NOBODY, HiddenPile
from meadow_engine.meadow.catalogue import BOARD_SPOTS, Card, Deck
from meadow_engine.meadow.decks import DECK_STREAMS, deck_in_place, put_away
from meadow_engine.meadow.downstream.catalogue import EXTRA_ROADS, RIVER_SPOTS, Downstream, RiverSide
from meadow_engine.meadow.downstream.events import WaterfallPassed
from meadow_engine.meadow.downstream.kayak import MoveKayak
from meadow_engine.meadow.downstream.state import River, river_of
from meadow_engine.meadow.downstream.taking import TakingCard
from meadow_engine.meadow.downstream.watery_ground import ChoosingWateryGround
from meadow_engine.meadow.main_board import refill
from meadow_engine.meadow.parts import ALL_PLACES, Part
from meadow_engine.meadow.places import QUESTION, RIVER, RIVER_MASK, RIVER_TRAIL
from meadow_engine.meadow.playing import PlayingCard
from meadow_engine.meadow.state import NO_CARD, MeadowState
from meadow_engine.meadow.symbols import FISH, WATERY

SUPPLY_STREAM = "watery grounds"
WATERFALL_STREAM = "waterfall"
RIVER_AREA: Final = range(BOARD_SPOTS, BOARD_SPOTS + RIVER_SPOTS)
"""The spots of the river card area."""


class RiverBoard(Part):
    """What both sides share: the river deck, its cards on offer, river trail tokens, kayaks, waterfalls, fish."""

    def __init__(self, components: Downstream, side: str, sets: tuple[str, ...]) -> None:
        """With this side up, and the river cards of these sets."""
        self._components = components
        self._side: RiverSide = components.sides[side]
        self._sets = sets

    def set_up(self, state: MeadowState) -> None:
        river = state.river = River(self._side.name)
        starts = list(range(len(self._components.start_cards)))
        state.streams.shuffle(SUPPLY_STREAM, starts)
        river.starts = starts[: state.seats]
        river.kayaks = [0] * state.seats
        river.points = [0] * state.seats
        river.sunset = list(reversed(self._components.sunset))
        state.road_supply += EXTRA_ROADS
        cards = [card for name in self._sets for card in state.catalogue.decks[name][Deck.RIVER]]
        state.streams.shuffle(DECK_STREAMS[Deck.RIVER], cards)
        state.decks.append(HiddenPile(cards))
        state.board += [NO_CARD] * RIVER_SPOTS
        refill(state, RIVER_AREA)

    def starting_choices(self, state: MeadowState, seat: int) -> tuple[Frame[MeadowState], ...]:
        return (ChoosingWateryGround(seat),)

    def tokens(self, state: MeadowState) -> int:
        return 1 << RIVER_TRAIL

    def places(self, state: MeadowState) -> int:
        return RIVER_MASK

    def places_for(self, token: int) -> int:
        """River trail tokens lie on the river board only, the tokens 1 to 4 never do, the ? token anywhere."""
        if token == RIVER_TRAIL:
            return RIVER_MASK
        return ALL_PLACES if token == QUESTION else ALL_PLACES & ~RIVER_MASK

    def use_place(self, state: MeadowState, seat: int, token: int, place: int) -> bool | None:
        """A card of the row or column has to be taken if there is one; then a card may be played."""
        if place < RIVER:
            return None
        state.push(PlayingCard(seat))
        spots = self._side.notches[place - RIVER].spots
        offered = tuple(BOARD_SPOTS + spot for spot in spots if state.board[BOARD_SPOTS + spot] != NO_CARD)
        if offered:
            state.push(TakingCard(seat, offered))
        return True

    def decks_on_board(self, state: MeadowState) -> tuple[Deck, ...]:
        return (deck_in_place(state, Deck.RIVER),)

    def spot_deck(self, state: MeadowState, spot: int) -> Deck | None:
        return Deck.RIVER

    def stand_in(self, deck: Deck) -> Deck | None:
        """The S deck replaces the river deck when that has run out."""
        return Deck.S if deck is Deck.RIVER else None

    def put_away(self, state: MeadowState, card: int) -> bool | None:
        """River cards leave play once the S deck has replaced theirs; sunset and beaver dam cards always do (D11)."""
        deck = state.catalogue.cards[card].deck
        spent = deck is Deck.RIVER and not state.decks[Deck.RIVER]
        return True if spent or deck in (Deck.SUNSET, Deck.BEAVER_DAM) else None

    def bound_to(self, card: Card) -> int:
        """Fish are placed in columns with watery ground (rulebook: New Card Symbols; ruling D15)."""
        return 1 << WATERY if FISH in card.symbols else 0

    def card_played(self, state: MeadowState, seat: int, card: int) -> None:
        """An oar moves the kayak, after all that playing the card brings."""
        oar = state.catalogue.cards[card].oar
        if oar:
            state.push(MoveKayak(seat, oar))

    def marker_passes(self, state: MeadowState) -> None:
        """A waterfall: all cards of the river card area go under the deck in random order, new ones come."""
        if state.round in self._components.waterfalls[state.seats]:
            swept = sweep(state, RIVER_AREA)
            put_away_mixed(state, swept, WATERFALL_STREAM)
            state.out.emit(WaterfallPassed(swept))
            refill(state, RIVER_AREA)

    def points(self, state: MeadowState, seat: int) -> dict[str, int]:
        return {"river": river_of(state).points[seat]}


def sweep(state: MeadowState, spots: Iterable[int]) -> tuple[int, ...]:
    """Take all cards off some spots, which stay empty."""
    swept = tuple(state.board[spot] for spot in spots if state.board[spot] != NO_CARD)
    for spot in spots:
        state.board[spot] = NO_CARD
    return swept


def put_away_mixed(state: MeadowState, cards: tuple[int, ...], stream: str) -> None:
    """Discard cards of the river card area in random order."""
    mixed = list(cards)
    state.streams.shuffle(stream, mixed)
    for card in mixed:
        put_away(state, card, NOBODY)
