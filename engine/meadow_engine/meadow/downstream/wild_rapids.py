"""The Wild Rapids side of the board (rulebook: Wild Rapids)."""

from __future__ import annotations

from meadow_engine.kernel.zones import HiddenPile
from meadow_engine.meadow.downstream.catalogue import TENT_POINTS, Pier, Tent
from meadow_engine.meadow.downstream.state import PIER_STREAM, TENT_STREAM, TokenArea, river_of
from meadow_engine.meadow.parts import Part
from meadow_engine.meadow.state import MeadowState

SOLO_TOKENS = 2
"""Tokens on each area in the solo game, one of them face up (rulebook: Changes to the Setup)."""


class WildRapids(Part):
    """Piers and tents."""

    def set_up(self, state: MeadowState) -> None:
        river = river_of(state)
        river.kept = [()] * state.seats
        river.piers = _draw_tokens(state, PIER_STREAM, len(Pier))
        river.tents = _draw_tokens(state, TENT_STREAM, len(Tent))

    def points(self, state: MeadowState, seat: int) -> dict[str, int]:
        return {"tents": sum(TENT_POINTS[Tent(token)] for token in river_of(state).kept[seat])}


def _draw_tokens(state: MeadowState, stream: str, kinds: int) -> TokenArea:
    """As many tokens as there are players, face up; alone two, one of them face down."""
    tokens = list(range(kinds))
    state.streams.shuffle(stream, tokens)
    if state.rover is None:
        return TokenArea(tokens[: state.seats])
    shown = tokens.pop()
    return TokenArea([shown], SOLO_TOKENS - 1, HiddenPile(tokens))
