"""Events of Meadow, in the form that their viewer may see."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from meadow_api.v1 import game_pb2
from meadow_api.v1 import meadow_pb2 as pb
from meadow_engine.api import meadow_events as engine

from meadow_server.wire.meadow import downstream
from meadow_server.wire.meadow.numbers import DECK_OFFSET, known


def _moved(e: engine.RoverMoved) -> pb.MeadowEvent:
    return pb.MeadowEvent(
        rover_moved=pb.MeadowRoverMoved(
            colour=e.colour, token=e.token, place=known(e.place), spot=known(e.spot), card=known(e.card)
        )
    )


def _looked(e: engine.CardsLookedAt) -> pb.MeadowEvent:
    deck = e.deck + DECK_OFFSET
    return pb.MeadowEvent(
        cards_looked_at=pb.MeadowCardsLookedAt(seat=e.seat, deck=deck, count=e.count, cards=e.cards)  # type: ignore[arg-type]
    )


def _hidden(message: type, e: engine.HiddenCardEvent) -> Any:
    return message(seat=e.seat, deck=e.deck + DECK_OFFSET, card=known(e.card))


_WRITERS: Mapping[type, Callable[[Any], pb.MeadowEvent]] = {
    engine.RowTaken: lambda e: pb.MeadowEvent(row_taken=pb.MeadowRowTaken(seat=e.seat, row=e.row, cards=e.cards)),
    engine.CardDrawn: lambda e: pb.MeadowEvent(card_drawn=_hidden(pb.MeadowCardDrawn, e)),
    engine.GroundChosen: lambda e: pb.MeadowEvent(ground_chosen=pb.MeadowGroundChosen(seat=e.seat, card=e.card)),
    engine.BoardRefilled: lambda e: pb.MeadowEvent(board_refilled=pb.MeadowBoardRefilled(spots=e.spots, cards=e.cards)),
    engine.RoundStarted: lambda e: pb.MeadowEvent(
        round_started=pb.MeadowRoundStarted(round=e.round, first_seat=e.first_seat)
    ),
    engine.HalfwayReached: lambda e: pb.MeadowEvent(halfway_reached=pb.MeadowHalfwayReached(swept_cards=e.swept)),
    engine.TokenPlaced: lambda e: pb.MeadowEvent(
        token_placed=pb.MeadowTokenPlaced(seat=e.seat, token=e.token, place=e.place)
    ),
    engine.CardTaken: lambda e: pb.MeadowEvent(
        card_taken=pb.MeadowCardTaken(seat=e.seat, spot=e.spot, card=known(e.card))
    ),
    engine.RoadsTaken: lambda e: pb.MeadowEvent(roads_taken=pb.MeadowRoadsTaken(seat=e.seat, count=e.count)),
    engine.CardsLookedAt: _looked,
    engine.CardKept: lambda e: pb.MeadowEvent(card_kept=_hidden(pb.MeadowCardKept, e)),
    engine.CardPutUnder: lambda e: pb.MeadowEvent(card_put_under=_hidden(pb.MeadowCardPutUnder, e)),
    engine.CardDiscarded: lambda e: pb.MeadowEvent(card_discarded=_hidden(pb.MeadowCardDiscarded, e)),
    engine.CardPlayed: lambda e: pb.MeadowEvent(
        card_played=pb.MeadowCardPlayed(seat=e.seat, card=e.card, place=e.place)
    ),
    engine.GoalClaimed: lambda e: pb.MeadowEvent(
        goal_claimed=pb.MeadowGoalClaimed(seat=e.seat, pair=e.pair, value=e.value)
    ),
    engine.Passed: lambda e: pb.MeadowEvent(passed=pb.MeadowPassed(seat=e.seat)),
    engine.RoverDealt: lambda e: pb.MeadowEvent(rover_dealt=pb.MeadowRoverDealt(cards=e.cards)),
    engine.RoverMoved: _moved,
    engine.GameEnded: lambda _: pb.MeadowEvent(game_ended=pb.MeadowGameEnded()),
    **downstream.EVENT_WRITERS,
}
"""How each event is written; the tests hold it against the engine's list."""


def event_to_message(event: Any) -> game_pb2.GameEvent:
    """An event, in the form that its viewer may see."""
    return game_pb2.GameEvent(meadow=_WRITERS[type(event)](event))
