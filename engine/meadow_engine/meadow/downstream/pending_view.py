"""What a viewer sees of a choice on the river: all of it is open to everybody."""

from __future__ import annotations

from meadow_engine.kernel.stack import Decision
from meadow_engine.meadow.downstream.extras import AtExtraAction
from meadow_engine.meadow.downstream.kayak import ChoosingWay, open_ways, space_of
from meadow_engine.meadow.downstream.taking import ChoosingDeck, TakingCard, decks_with_cards
from meadow_engine.meadow.pending_view import PendingView
from meadow_engine.meadow.state import MeadowState


def river_pending_view(state: MeadowState, decision: Decision[MeadowState]) -> PendingView:
    """The view of a choice on the river, and of any that has nothing more to say than its kind."""
    seat, kind = decision.seat, decision.kind
    match decision:
        case TakingCard():
            return PendingView(seat, kind, spots=decision.spots)
        case AtExtraAction():
            return PendingView(seat, kind, extra=decision.extra)
        case ChoosingWay():
            ways = space_of(state, seat).ways
            return PendingView(seat, kind, ways=tuple(ways[way].space for way in open_ways(state, seat)))
        case ChoosingDeck():
            return PendingView(seat, kind, decks=tuple(map(int, decks_with_cards(state))))
        case _:
            return PendingView(seat, kind)
