"""Short English descriptions of the choices that Downstream adds."""

from __future__ import annotations

from meadow_engine.kernel.stack import pending
from meadow_engine.meadow.actions import (
    FACE_DOWN,
    ChooseWateryGround,
    ChooseWay,
    DrawFrom,
    MeadowAction,
    TakeToken,
)
from meadow_engine.meadow.catalogue import Deck
from meadow_engine.meadow.downstream.catalogue import Extra
from meadow_engine.meadow.downstream.extras import AtExtraAction
from meadow_engine.meadow.downstream.kayak import ChoosingWay, space_of
from meadow_engine.meadow.downstream.state import river_of
from meadow_engine.meadow.downstream.taking import ChoosingDeck
from meadow_engine.meadow.downstream.watery_ground import ChoosingWateryGround
from meadow_engine.meadow.playability import LEFT
from meadow_engine.meadow.state import MeadowState

EXTRA_WORDS = {
    Extra.ROAD: "take a road token",
    Extra.SUNSET: "take the top sunset card",
    Extra.BEAVER_DAM: "take the top beaver dam card",
    Extra.GOAL: "place the additional bonus token",
    Extra.LOOK_AT_N: "look at 2 cards of deck N",
    Extra.ROAD_AND_FACE_UP: "take a road token",
}
"""What `UseSpace` does at a space."""
PIER_WORDS = (
    "draw from E, W and N",
    "draw 2 river cards",
    "take 2 road tokens",
    "look at 3 cards of deck E, then a play",
    "take a face-up card",
    "discard a card for 2 of a deck",
)
TENT_WORDS = (
    "4 points",
    "3 points",
    "take a face-up card, then a play, 1 point",
    "a play, 2 points",
    "take a face-up card, then a play",
    "up to 2 plays",
)


def river_label(state: MeadowState, action: MeadowAction) -> str:
    """What an action on the river does. It tells nothing that the seat to choose does not know."""
    decision = pending(state)
    match action:
        case ChooseWateryGround(side, end):
            name = f"side {'AB'[side]}"
            if isinstance(decision, ChoosingWateryGround) and state.catalogue.downstream is not None:
                pair = state.catalogue.downstream.start_cards[river_of(state).starts[decision.seat]]
                name = state.catalogue.cards[pair[side]].name
            return f"put {name} {'left' if end == LEFT else 'right'} of the other ground"
        case ChooseWay(way):
            if isinstance(decision, ChoosingWay) and way < len(space_of(state, decision.seat).ways):
                return f"paddle to space {space_of(state, decision.seat).ways[way].space}"
            return f"take way {way}"
        case DrawFrom(deck):
            return f"draw {'2 cards' if isinstance(decision, ChoosingDeck) else 'a card'} from deck {Deck(deck).name}"
        case TakeToken(token):
            return f"take the token: {_token_words(decision, token)}"
        case _:
            return (
                EXTRA_WORDS.get(Extra(decision.extra), "use the space")
                if isinstance(decision, AtExtraAction)
                else "use the space"
            )


def _token_words(decision: object, token: int) -> str:
    if token == FACE_DOWN:
        return "the one face down"
    at_pier = isinstance(decision, AtExtraAction) and decision.extra == Extra.PIER
    return (PIER_WORDS if at_pier else TENT_WORDS)[token]
