"""Goals: pairs of neighbouring goal tokens around the campfire (rulebook: Goals)."""

from __future__ import annotations

from meadow_engine.meadow.events import GoalClaimed
from meadow_engine.meadow.parts import Part
from meadow_engine.meadow.places import EMPTY
from meadow_engine.meadow.state import MeadowState

GOAL_STREAM = "goals"


class Goals(Part):
    """The ring of goal tokens, and the bonus tokens placed between them."""

    def __init__(self, sets: tuple[str, ...]) -> None:
        """With the goal tokens of these sets in the pool."""
        self._sets = sets

    def set_up(self, state: MeadowState) -> None:
        pool = [token.symbol for token in state.catalogue.goal_tokens if token.card_set in self._sets]
        state.streams.shuffle(GOAL_STREAM, pool)
        squares = len(state.catalogue.campfires[state.seats].goals)
        state.goals = pool[:squares]
        state.claims = [EMPTY] * squares

    def points(self, state: MeadowState, seat: int) -> dict[str, int]:
        values = state.catalogue.bonus_values
        return {"goals": sum(values[: state.players[seat].bonuses])}


def claimable(state: MeadowState, seat: int) -> list[int]:
    """Pairs that a seat may claim now: both symbols visible, nobody's bonus token there, one of its own left."""
    player = state.players[seat]
    if player.bonuses == len(state.catalogue.bonus_values):
        return []
    visible, goals = player.visible, state.goals
    return [
        pair
        for pair, claim in enumerate(state.claims)
        if claim == EMPTY and visible[goals[pair]] and visible[goals[(pair + 1) % len(goals)]]
    ]


def claim(state: MeadowState, seat: int, pair: int) -> None:
    """Place the seat's lowest unused bonus token on the space between two goal tokens."""
    player = state.players[seat]
    value = state.catalogue.bonus_values[player.bonuses]
    player.bonuses += 1
    state.claims[pair] = seat
    state.out.emit(GoalClaimed(seat, pair, value))
