"""What a viewer does not know, shuffled among itself: determinizations (rulings M15)."""

from __future__ import annotations

from meadow_engine.kernel.rng import Streams
from meadow_engine.kernel.zones import knows
from meadow_engine.meadow.decks import DECK_STREAMS
from meadow_engine.meadow.downstream.state import PIER_STREAM, SOLO_STREAM, TENT_STREAM
from meadow_engine.meadow.rover import ROVER_STREAM
from meadow_engine.meadow.state import MeadowState


def resample(state: MeadowState, viewer: int | None, streams: Streams) -> None:
    """Exchange hidden cards with the same back between decks and other seats' hands; shuffle the hidden piles."""
    for deck, stream in zip(range(len(state.decks)), DECK_STREAMS.values(), strict=False):
        _resample_back(state, deck, viewer, streams, stream)
    if state.rover is not None:
        state.rover.pile.resample(viewer, streams, ROVER_STREAM)
    if state.river is not None:
        state.river.solo.resample(viewer, streams, SOLO_STREAM)
        state.river.piers.hidden.resample(viewer, streams, PIER_STREAM)
        state.river.tents.hidden.resample(viewer, streams, TENT_STREAM)


def _resample_back(state: MeadowState, deck: int, viewer: int | None, streams: Streams, stream: str) -> None:
    pile, cards = state.decks[deck], state.catalogue.cards
    zones = [(pile.items, pile.unknown_to(viewer))]
    for player in state.players:
        hand = enumerate(zip(player.hand, player.seen, strict=True))
        unknown = [p for p, (card, seen) in hand if cards[card].deck == deck and not knows(seen, viewer)]
        zones.append((player.hand, unknown))
    pool = sorted(items[place] for items, places in zones for place in places)
    streams.shuffle(stream, pool)
    for items, places in zones:
        for place in places:
            items[place] = pool.pop()
