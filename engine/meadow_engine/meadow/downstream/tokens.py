"""Pier and tent tokens (rulebook: Pier Token Actions, Tent Tokens; ruling D12)."""

from __future__ import annotations

from meadow_engine.meadow.actions import FACE_DOWN, TAKE_TOKEN
from meadow_engine.meadow.catalogue import Deck
from meadow_engine.meadow.decks import draw
from meadow_engine.meadow.downstream.catalogue import TENT_POINTS, Pier, Tent
from meadow_engine.meadow.downstream.events import PierTaken, TentTaken
from meadow_engine.meadow.downstream.state import TokenArea, river_of
from meadow_engine.meadow.downstream.taking import TakingCard, Trading, face_up_spots, tradable
from meadow_engine.meadow.looking import LookAt
from meadow_engine.meadow.playing import PlayingCard
from meadow_engine.meadow.roads import take_roads
from meadow_engine.meadow.state import MeadowState


def token_choices(area: TokenArea) -> list[int]:
    """The tokens of an area that can be taken, one that lies face down among them."""
    return [TAKE_TOKEN + token for token in sorted(area.open)] + [TAKE_TOKEN + FACE_DOWN] * area.down


def take_pier(state: MeadowState, seat: int, choice: int) -> None:
    """Take a pier token, do what it says, return it to the box."""
    river = river_of(state)
    token = Pier(_take(state, river.piers, choice))
    state.out.emit(PierTaken(seat, token, choice == FACE_DOWN))
    match token:
        case Pier.E_W_N:
            for deck in (Deck.E, Deck.W, Deck.N):
                draw(state, seat, deck)
        case Pier.TWO_RIVER:
            draw(state, seat, Deck.RIVER)
            draw(state, seat, Deck.RIVER)
        case Pier.TWO_ROADS:
            take_roads(state, seat, 2)
        case Pier.LOOK_AT_E:
            state.push(PlayingCard(seat))
            if state.decks[Deck.E]:
                state.push(LookAt(seat, Deck.E))
        case Pier.FACE_UP:
            _face_up(state, seat)
        case Pier.TWO_CARDS:
            if tradable(state, seat):
                state.push(Trading(seat))


def take_tent(state: MeadowState, seat: int, choice: int) -> None:
    """Take a tent token, do what it says, keep it if it is worth points."""
    river = river_of(state)
    token = Tent(_take(state, river.tents, choice))
    state.out.emit(TentTaken(seat, token, choice == FACE_DOWN))
    if TENT_POINTS[token]:
        river.kept[seat] += (token,)
    match token:
        case Tent.FACE_UP_AND_PLAY_ONE_POINT | Tent.FACE_UP_AND_PLAY:
            state.push(PlayingCard(seat))
            _face_up(state, seat)
        case Tent.PLAY_TWO_POINTS:
            state.push(PlayingCard(seat))
        case Tent.TWO_PLAYS:
            state.push(PlayingCard(seat, plays=2))


def _take(state: MeadowState, area: TokenArea, choice: int) -> int:
    """Take a token off its area; one that lay face down comes to light (ruling D21)."""
    if choice != FACE_DOWN:
        area.open.remove(choice)
        return choice
    area.down -= 1
    return state.out.draw(area.hidden)


def _face_up(state: MeadowState, seat: int) -> None:
    if spots := face_up_spots(state):
        state.push(TakingCard(seat, spots))
