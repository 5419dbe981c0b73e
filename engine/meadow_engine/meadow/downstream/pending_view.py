"""What a viewer sees of a choice on the river: all of it is open to everybody."""

from __future__ import annotations

from meadow_engine.kernel.stack import Decision
from meadow_engine.meadow.actions import DRAW_FROM, TAKE_CARD, TAKE_ROADS, TAKE_TOKEN
from meadow_engine.meadow.downstream.extras import EXTRA_ACTIONS, AtExtraAction
from meadow_engine.meadow.downstream.kayak import ChoosingWay, MoveKayak, open_ways, space_of
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
            return _extra_action_view(state, decision)
        case ChoosingWay():
            ways = space_of(state, seat).ways
            return PendingView(seat, kind, ways=tuple(ways[way].space for way in open_ways(state, seat)))
        case ChoosingDeck():
            return PendingView(seat, kind, decks=tuple(map(int, decks_with_cards(state))))
        case _:
            return PendingView(seat, kind)


def spaces_left(state: MeadowState) -> int:
    """How many spaces the kayak of the seat whose turn it is still has to move, nested moves included (ruling D1)."""
    return sum(frame.spaces for frame in state.stack if isinstance(frame, MoveKayak | ChoosingWay))


def _extra_action_view(state: MeadowState, decision: AtExtraAction) -> PendingView:
    """Hand cards that could be discarded are left out: they are nobody else's business."""
    choices = EXTRA_ACTIONS[decision.extra].choices(state, decision.seat)
    return PendingView(
        decision.seat,
        decision.kind,
        extra=decision.extra,
        spots=tuple(choice - TAKE_CARD for choice in choices if TAKE_CARD <= choice < TAKE_ROADS),
        decks=tuple(choice - DRAW_FROM for choice in choices if DRAW_FROM <= choice < TAKE_TOKEN),
    )
