"""Games of Downstream against the reference from their set-up."""

from __future__ import annotations

from typing import Any

from meadow_engine.content.library import builtin_pack
from meadow_engine.meadow import content
from meadow_engine.meadow.downstream.state import River as EngineRiver
from meadow_engine.meadow.downstream.state import TokenArea
from meadow_engine.meadow.symbols import SYMBOLS

from tests.reference.downstream_lockstep import river_box
from tests.reference.downstream_pack import RIVER
from tests.reference.downstream_table import River, Tokens
from tests.reference.downstream_track import follow_oar
from tests.reference.meadow_game import Starts, whole_game
from tests.reference.meadow_lockstep import FAMILY, Lockstep
from tests.reference.meadow_pack import DECKS
from tests.reference.meadow_playing import Play
from tests.reference.meadow_shuffles import Shuffles
from tests.reference.meadow_starts import VARIANTS
from tests.reference.meadow_table import MORE_ROAD_TOKENS, Rover, Table

GOALS_BY_THE_RIVER, GOAL_TOKENS = 2, 13
ALWAYS_IN_PLAY = ("", "U")
"""Downstream is played with Big Encounters."""


def new_river_game(variant: str, seats: int, seed: int, options: dict[str, Any]) -> tuple[Lockstep, Play]:
    """A game from its set-up: the reference is told how everything was shuffled."""
    chosen = VARIANTS[variant]
    values = chosen.read_options(options)
    shuffles = Shuffles()
    with shuffles.listen():
        catalogue = content.catalogue(builtin_pack())
        state = FAMILY.new_state(chosen, catalogue, seats, values, seed.to_bytes(32, "big"))
    table = Table(river_box().box, seats, {}, list)
    game = Lockstep(state, table, shuffles)
    envelopes = values["envelopes"]
    assert isinstance(envelopes, tuple)
    table.decks = {deck: table.shuffle(_cards(deck, {*ALWAYS_IN_PLAY, *envelopes})) for deck in (*DECKS, RIVER)}
    assert state.river is not None
    table.river = _river(table, state.river, lazy="lazy" in variant)
    table.after_play = lambda seat, paper: follow_oar(table, seat, paper)
    table.fill(table.spots())
    table.goals = [SYMBOLS[symbol] for symbol in state.goals]
    _check_goals(table)
    table.first = state.first_seat
    table.roads += MORE_ROAD_TOKENS - seats
    for hand in table.hands:
        hand.roads = 1
    if state.rover:
        table.rover = Rover(list(state.rover.markers))
    grounds = [river_box().box.starts[start] for start in state.starts]
    watery = [river_box().starts[start] for start in state.river.starts]
    assert len(set(grounds)) == len(set(watery)) == seats
    return game, whole_game(table, Starts(grounds, watery, beginners=bool(values["beginners_deal"])))


def _cards(deck: str, sets: set[str]) -> list[str]:
    """The cards of a deck that are in play: every one of them, each once."""
    return [paper.id for paper in river_box().box.papers.values() if paper.deck == deck and paper.envelope in sets]


def _river(table: Table, its: EngineRiver, *, lazy: bool) -> River:
    """The river board as it is set up; what was drawn for it at random is taken over."""
    box = river_box()
    side = box.sides["lazy_river" if lazy else "wild_rapids"]
    river = River(
        lazy=lazy,
        side=side,
        at=[side.start] * table.seats,
        sunset=list(box.sunset),
        dams=list(box.dams) if lazy else [],
        best=[0] * table.seats,
        kept=[[] for _ in range(table.seats)],
        solo_cards=box.solo_cards,
        waterfalls=box.waterfalls[table.seats],
    )
    if lazy:
        river.goals = [SYMBOLS[symbol] for symbol in its.goals]
    else:
        river.piers, river.tents = (_tokens(area, table.seats) for area in (its.piers, its.tents))
    return river


def _tokens(its: TokenArea, seats: int) -> Tokens:
    """As many tokens as players face up; alone, one face up and one face down."""
    tokens = Tokens(list(its.open), its.hidden.items[len(its.hidden) - its.down :])
    drawn = tokens.open + tokens.down
    assert (len(tokens.open), len(tokens.down)) == (seats, int(seats == 1))
    assert len(set(drawn)) == len(drawn)
    assert set(drawn) <= set(range(6))
    return tokens


def _check_goals(table: Table) -> None:
    """All goal tokens are different ones, drawn from all boxes; two of them lie by the lazy river."""
    river = table.river
    assert river is not None
    pool = [symbol for symbol, envelope in river_box().box.goals if envelope in ALWAYS_IN_PLAY] + river_box().goals
    drawn = table.goals + river.goals
    assert len(table.goals) == {1: 3, 2: 5, 3: 8, 4: 11}[table.seats]
    assert len(river.goals) == GOALS_BY_THE_RIVER * river.lazy
    assert len(set(drawn)) == len(drawn)
    assert set(drawn) <= set(pool)
    assert len(pool) == GOAL_TOKENS
