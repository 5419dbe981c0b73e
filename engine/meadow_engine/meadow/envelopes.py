"""Rules that come with the cards of envelopes (rulebook: Envelopes)."""

from __future__ import annotations

from meadow_engine.meadow.parts import Part
from meadow_engine.meadow.state import MeadowState
from meadow_engine.meadow.symbols import BIG_ENCOUNTER


class BigEncounters(Part):
    """Envelope U: nothing may be placed on a card with its symbol, by whatever requirement (ruling M24)."""

    def may_cover(self, state: MeadowState, seat: int, column: int) -> bool:
        return not state.players[seat].shows[column] >> BIG_ENCOUNTER & 1
