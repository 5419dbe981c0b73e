"""Tiles onto the hiking map (rulebook: Refill, Expert Variant)."""

from __future__ import annotations

from dataclasses import dataclass

from meadow_engine.kernel.stack import Step
from meadow_engine.spring_meadow.events import MapRefilled, QueueExtended
from meadow_engine.spring_meadow.state import NONE, SpringState

QUEUE_LENGTH = 20
"""Tiles that lie open in the expert variant's queue."""


@dataclass(frozen=True, slots=True)
class Refill(Step[SpringState]):
    """Fill the empty spaces of the hiking map row by row from the top left, as far as there are tiles."""

    def run(self, state: SpringState) -> None:
        spaces, tiles, joined = [], [], []
        for space, tile in enumerate(state.meadow_map):
            if tile != NONE:
                continue
            if state.expert and not state.queue:
                joined += extend_queue(state)
            if not (state.queue if state.expert else state.box):
                break
            state.meadow_map[space] = state.queue.pop(0) if state.expert else state.out.draw(state.box)
            spaces.append(space)
            tiles.append(state.meadow_map[space])
        if spaces:
            state.out.emit(MapRefilled(tuple(spaces), tuple(tiles)))
        if state.expert:
            joined += extend_queue(state)
        if joined:
            state.out.emit(QueueExtended(tuple(joined)))


def extend_queue(state: SpringState) -> list[int]:
    """Top the expert variant's queue up from the box; near the end of the box it stays shorter."""
    joined = []
    while len(state.queue) < QUEUE_LENGTH and state.box:
        joined.append(state.out.draw(state.box))
        state.queue.append(joined[-1])
    return joined
