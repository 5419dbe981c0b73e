"""Games against the reference from their set-up."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from meadow_engine.api import meadow_events
from meadow_engine.content.library import builtin_pack
from meadow_engine.meadow import content
from meadow_engine.meadow.state import MeadowState
from meadow_engine.meadow.symbols import SYMBOLS

from tests.reference.meadow_game import Play, whole_game
from tests.reference.meadow_lockstep import FAMILY, Lockstep, box
from tests.reference.meadow_pack import DECKS
from tests.reference.meadow_table import Chance, Rover, Table

VARIANTS = {variant.id: variant for variant in FAMILY.variants}


def no_chance() -> Chance:
    """Stands in until the lockstep answers for chance itself."""
    return Chance(lambda deck, cards: cards, list)


def new_game(variant: str, seats: int, seed: int, options: dict[str, Any]) -> tuple[Lockstep, Play]:
    """A game from its set-up: the reference is told how decks, goals and starting cards were shuffled."""
    chosen = VARIANTS[variant]
    values = chosen.read_options(options)
    catalogue = content.catalogue(builtin_pack())
    state = FAMILY.new_state(chosen, catalogue, seats, values, seed.to_bytes(32, "big"))
    table = Table(box(), seats, _shuffled(state), no_chance())
    table.fill(range(16))
    envelopes = values["envelopes"]
    assert isinstance(envelopes, tuple)
    _check_sets(table, {"", *envelopes})
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
    return Lockstep(state, table), whole_game(table, starts, beginners=bool(values["beginners_deal"]))


def _shuffled(state: MeadowState) -> dict[str, list[str]]:
    """The decks as they lay before anything was drawn."""
    cards = state.catalogue.cards
    drawn: list[int] = []
    for event in state.out.events:
        match event:
            case meadow_events.BoardRefilled():
                drawn += event.cards
            case meadow_events.CardDrawn():
                drawn.append(event.card)
            case meadow_events.RoverDealt():
                drawn += [card for card in event.cards if cards[card].deck == 3]
    return {
        letter: [cards[c].id for c in pile.items] + [cards[c].id for c in reversed(drawn) if cards[c].deck == deck]
        for deck, (letter, pile) in enumerate(zip(DECKS, state.decks, strict=True))
    }


def _check_sets(table: Table, envelopes: Iterable[str]) -> None:
    """All cards of the base game and the envelopes are in play, each once, and no others."""
    in_play = [card for deck in table.decks.values() for card in deck] + [card for card in table.board if card]
    expected = [paper.id for paper in box().papers.values() if paper.deck and paper.envelope in envelopes]
    assert sorted(in_play) == sorted(expected)
