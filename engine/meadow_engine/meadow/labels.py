"""Short English descriptions of actions in a position, for people and debugging."""

from __future__ import annotations

from meadow_engine.kernel.stack import pending
from meadow_engine.meadow.actions import (
    ChooseGround,
    ChooseRow,
    ChooseSpecial,
    ClaimGoal,
    Discard,
    KeepCard,
    LookAtDeck,
    MeadowAction,
    Pass,
    PlaceToken,
    PlayCard,
    PutUnder,
    TakeCard,
    TakeRoads,
)
from meadow_engine.meadow.catalogue import Catalogue, Deck, Kind
from meadow_engine.meadow.downstream.labels import river_label
from meadow_engine.meadow.notation import place_names
from meadow_engine.meadow.places import BENCH, CAMPFIRE, RIVER, token_name
from meadow_engine.meadow.playability import LEFT
from meadow_engine.meadow.setup import ChoosingGround
from meadow_engine.meadow.state import NO_CARD, MeadowState
from meadow_engine.meadow.symbols import SYMBOLS

_FIXED = {Pass: "pass, doing nothing more", TakeRoads: "take road tokens"}
_SPECIALS = ("take a face-up card", "take 2 road tokens", "look at 3 cards of a deck", "play up to 2 cards")


def label(state: MeadowState, action: MeadowAction) -> str:
    """What an action does, with the names of the content pack.

    It tells nothing that the seat to choose does not know.
    """
    catalogue = state.catalogue
    match action:
        case PlaceToken(token, place):
            return f"token {token_name(token)} {_where(catalogue, place)}"
        case TakeCard(spot):
            card = state.board[spot] if spot < len(state.board) else NO_CARD
            return f"take {catalogue.cards[card].name if card != NO_CARD else 'nothing'} from spot {spot}"
        case ClaimGoal(pair):
            return f"claim the goal {_goal(state, pair)}"
        case Discard(card):
            return f"discard {catalogue.cards[card].name}"
        case PlayCard(card, place):
            return _play(catalogue, card, place)
        case _:
            return _plain(state, action)


def _plain(state: MeadowState, action: MeadowAction) -> str:
    match action:
        case ChooseGround(side):
            return f"start with {_start(state, side)}"
        case ChooseRow(row):
            return f"take row {row} of the board"
        case LookAtDeck(deck):
            return f"look at deck {Deck(deck).name}"
        case ChooseSpecial(number):
            return _SPECIALS[number - 1]
        case KeepCard(index) | PutUnder(index):
            words = ("keep", "of those looked at") if isinstance(action, KeepCard) else ("put", "under the deck first")
            return f"{words[0]} card {index} {words[1]}"
        case _:
            return _FIXED.get(type(action)) or river_label(state, action)


def _where(catalogue: Catalogue, place: int) -> str:
    name = place_names(catalogue)[place]
    if place >= RIVER:
        return f"at river notch {name}"
    if place >= BENCH:
        return f"on bench {name}"
    return f"at campfire notch {name}" if place >= CAMPFIRE else f"at notch {name}"


def _start(state: MeadowState, side: int) -> str:
    """The side of the ground card of the seat that has to choose; both are open to all (ruling M13)."""
    decision = pending(state)
    if not isinstance(decision, ChoosingGround):
        return f"side {'AB'[side]}"
    return state.catalogue.cards[state.catalogue.start_cards[state.starts[decision.seat]][side]].name


def _goal(state: MeadowState, pair: int) -> str:
    goals = state.goals
    if pair >= len(goals):
        return str(pair)
    return f"{SYMBOLS[goals[pair]]} and {SYMBOLS[goals[(pair + 1) % len(goals)]]}"


def _play(catalogue: Catalogue, number: int, place: int) -> str:
    card = catalogue.cards[number]
    match card.kind:
        case Kind.GROUND:
            return f"play {card.name} at the {'left' if place == LEFT else 'right'} end"
        case Kind.OBSERVATION:
            return f"play {card.name} on column {place}"
        case Kind.DISCOVERY:
            return f"play {card.name} on landscape {place}"
        case _:
            return f"play {card.name}"
