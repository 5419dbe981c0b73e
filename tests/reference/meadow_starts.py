"""Games against the reference from their set-up."""

from __future__ import annotations

from typing import Any

from meadow_engine.content.library import builtin_pack
from meadow_engine.meadow import content
from meadow_engine.meadow.symbols import SYMBOLS

from tests.reference.meadow_game import Starts, whole_game
from tests.reference.meadow_lockstep import FAMILY, Lockstep, box
from tests.reference.meadow_pack import DECKS
from tests.reference.meadow_playing import Play
from tests.reference.meadow_shuffles import Shuffles
from tests.reference.meadow_table import Rover, Table

VARIANTS = {variant.id: variant for variant in FAMILY.variants}


def new_game(variant: str, seats: int, seed: int, options: dict[str, Any]) -> tuple[Lockstep, Play]:
    """A game from its set-up: the reference is told how decks, goals and starting cards were shuffled."""
    chosen = VARIANTS[variant]
    values = chosen.read_options(options)
    catalogue = content.catalogue(builtin_pack())
    shuffles = Shuffles()
    with shuffles.listen():
        state = FAMILY.new_state(chosen, catalogue, seats, values, seed.to_bytes(32, "big"))
    table = Table(box(), seats, {}, list)
    game = Lockstep(state, table, shuffles)
    envelopes = values["envelopes"]
    assert isinstance(envelopes, tuple)
    table.decks = {deck: table.shuffle(_cards(deck, {"", *envelopes})) for deck in DECKS}
    table.fill(range(16))
    table.goals = [SYMBOLS[symbol] for symbol in state.goals]
    pool = [symbol for symbol, envelope in box().goals if envelope in ("", *envelopes)]
    assert len(set(table.goals)) == len(table.goals) == {1: 3, 2: 5, 3: 8, 4: 11}[seats]
    assert set(table.goals) <= set(pool)
    table.first = state.first_seat
    table.roads -= seats
    for hand in table.hands:
        hand.roads = 1
    if state.rover:
        table.rover = Rover(list(state.rover.markers))
        assert sorted(table.rover.markers) == [0, 1, 2]
    starts = [box().starts[start] for start in state.starts]
    assert len(set(starts)) == seats
    return game, whole_game(table, Starts(starts, [], beginners=bool(values["beginners_deal"])))


def _cards(deck: str, sets: set[str]) -> list[str]:
    """The cards of a deck that are in play: every one of them, each once."""
    return [paper.id for paper in box().papers.values() if paper.deck == deck and paper.envelope in sets]
