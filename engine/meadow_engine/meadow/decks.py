"""Taking cards from the decks and putting them back under (rulebook: Drawing and Playing Cards)."""

from __future__ import annotations

from meadow_engine.kernel.zones import HiddenPile, seat_bit
from meadow_engine.meadow.catalogue import Deck
from meadow_engine.meadow.events import CardDrawn
from meadow_engine.meadow.parts import first_answer
from meadow_engine.meadow.state import MeadowState

DECK_STREAMS = {
    Deck.W: "deck W",
    Deck.S: "deck S",
    Deck.E: "deck E",
    Deck.N: "deck N",
    Deck.RIVER: "deck river",
}
"""The random stream of each deck that can be drawn from."""


def decks_on_board(state: MeadowState) -> list[Deck]:
    """The decks in use, each once, in the order of their numbers."""
    return sorted({deck for decks in state.parts.decks_on_board for deck in decks(state)})


def deck_in_place(state: MeadowState, deck: Deck) -> Deck:
    """The deck to take from where this one belongs: itself, or what replaces it when it has run out."""
    if state.decks[deck]:
        return deck
    stand_in = first_answer(state.parts.stand_in, deck)
    return deck if stand_in is None else stand_in


def pile_in_place(state: MeadowState, deck: Deck) -> HiddenPile:
    """The pile to take from where a deck belongs."""
    return state.decks[deck_in_place(state, deck)]


def draw(state: MeadowState, seat: int, deck: Deck) -> None:
    """Draw the top card of a deck, seen by nobody else; nothing happens if the deck is empty."""
    source = deck_in_place(state, deck)
    if state.decks[source]:
        card = state.out.draw(state.decks[source])
        state.players[seat].gain(card, seat_bit(seat))
        state.out.emit(CardDrawn(seat, source, card, seat_bit(seat)))


def put_away(state: MeadowState, card: int, seen: int) -> None:
    """Lay a discarded card under the deck of its back, unless it leaves play; ``seen`` says who knows it."""
    if not first_answer(state.parts.put_away, state, card):
        state.decks[state.catalogue.cards[card].deck].put_under([card], seen)
