"""The Lazy River side of the board (rulebook: Lazy River)."""

from __future__ import annotations

from meadow_engine.meadow.downstream.catalogue import EXTRA_BONUS, Downstream
from meadow_engine.meadow.downstream.state import river_of
from meadow_engine.meadow.parts import Part
from meadow_engine.meadow.state import MeadowState

EXTRA_GOALS_STREAM = "river goals"
EXTRA_GOALS = 2


class LazyRiver(Part):
    """Beaver dams, and goals beside the nature monuments."""

    def __init__(self, components: Downstream, sets: tuple[str, ...]) -> None:
        """With the goal tokens of these sets in the pool."""
        self._components = components
        self._sets = sets

    def set_up(self, state: MeadowState) -> None:
        """Draw two of the goal tokens that do not lie around the campfire."""
        river = river_of(state)
        river.beaver_dams = list(reversed(self._components.beaver_dams))
        pool = [token.symbol for token in state.catalogue.goal_tokens if token.card_set in self._sets]
        rest = [symbol for symbol in pool if symbol not in state.goals]
        state.streams.shuffle(EXTRA_GOALS_STREAM, rest)
        river.goals = rest[:EXTRA_GOALS]

    def points(self, state: MeadowState, seat: int) -> dict[str, int]:
        return {"river_goal": EXTRA_BONUS if river_of(state).bonuses >> seat & 1 else 0}
