"""Road tokens (rulebook: Performing Special Actions and Optional Goal Fulfillment, token 2)."""

from __future__ import annotations

from meadow_engine.meadow.events import RoadsTaken
from meadow_engine.meadow.state import MeadowState


def take_roads(state: MeadowState, seat: int, count: int) -> None:
    """Take road tokens from the supply, as many as are left (ruling M27)."""
    taken = min(count, state.road_supply)
    state.road_supply -= taken
    state.players[seat].roads += taken
    state.out.emit(RoadsTaken(seat, taken))
