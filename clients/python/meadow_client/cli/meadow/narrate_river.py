"""What happened on the river, told in lines for people."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise

from meadow_api.v1 import meadow_pb2 as pb

from meadow_client.cli.common import counted
from meadow_client.cli.meadow.words import place_name
from meadow_client.drawing.meadow.river_signs import PIERS, TENTS

Does = Callable[[int, str], str]
"""A seat and what it does: "you take", "Ada takes"."""


def last_strokes(events: Sequence[pb.MeadowEvent]) -> Iterator[pb.MeadowEvent]:
    """The events, but of a kayak that moves on at once only where it comes to rest."""
    for event, after in pairwise([*events, pb.MeadowEvent()]):
        moved = event.HasField("kayak_moved") and after.HasField("kayak_moved")
        if not (moved and event.kayak_moved.seat == after.kayak_moved.seat):
            yield event


def river_tellers(
    does: Does, cards: Callable[[Sequence[int]], str], catalogue: pb.MeadowCatalogue
) -> Mapping[str, Callable[[pb.MeadowEvent], str]]:
    """How each event of the river is told."""

    def paddles(event: pb.MeadowEvent) -> str:
        moved = event.kayak_moved
        points = f", {counted(moved.points, 'point')} so far" if moved.points else ""
        return f"{does(moved.seat, 'paddle')} to space {moved.space}{points}"

    def rover(event: pb.MeadowEvent) -> str:
        moved = event.rover_on_river
        swept = f" and clears away {cards(moved.swept_cards)}" if moved.swept_cards else ""
        return f"Rover places a river trail token at {place_name(moved.place, catalogue)}{swept}"

    def ground(event: pb.MeadowEvent) -> str:
        chosen = event.watery_ground_chosen
        side = "right" if chosen.end else "left"
        return f"{does(chosen.seat, 'put')} {cards([chosen.card])} at the {side} of the other ground"

    return {
        "watery_ground_chosen": ground,
        "kayak_moved": paddles,
        "pile_card_taken": lambda e: f"{does(e.pile_card_taken.seat, 'take')} {cards([e.pile_card_taken.card])}",
        "extra_bonus_placed": lambda e: (
            f"{does(e.extra_bonus_placed.seat, 'place')} the additional bonus token"
            f" for {counted(catalogue.downstream.extra_bonus_value, 'point')}"
        ),
        "pier_taken": lambda e: f"{does(e.pier_taken.seat, 'take')} the pier token: {PIERS[e.pier_taken.pier].words}",
        "tent_taken": lambda e: f"{does(e.tent_taken.seat, 'take')} the tent token: {TENTS[e.tent_taken.tent].words}",
        "waterfall_passed": lambda _: "a waterfall: the cards of the river are laid out anew",
        "rover_on_river": rover,
    }
