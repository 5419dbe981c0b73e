"""Compares what the engine and the brute-force reference have on the river board of Downstream."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from pathlib import Path

from meadow_engine.meadow.catalogue import Deck
from meadow_engine.meadow.downstream.catalogue import Extra
from meadow_engine.meadow.downstream.content_track import WORDS
from meadow_engine.meadow.downstream.view import RiverView
from meadow_engine.meadow.state import MeadowState
from meadow_engine.meadow.symbols import SYMBOLS
from meadow_engine.meadow.view import meadow_view

from tests.reference.downstream_pack import DownstreamBox, read_downstream
from tests.reference.meadow_pack import FISH, WATERY
from tests.reference.meadow_playing import Ask
from tests.reference.meadow_table import Table

RIVER_CHOICES = ("take_card", "choose_deck", "choose_way", "extra_action")


@cache
def river_box() -> DownstreamBox:
    """The built-in pack as the reference reads it."""
    return read_downstream(Path(str(files("meadow_engine.content").joinpath("original"))))


def compare_river(state: MeadowState, river: RiverView | None, table: Table) -> None:
    """Piles, tokens and kayaks of the river board, as everybody sees them."""
    mine = table.river
    assert mine is not None
    assert river is not None
    spaces = list(mine.side.spaces)
    assert river.side == ("lazy_river" if mine.lazy else "wild_rapids")
    assert [spaces[space] for space in river.kayaks] == mine.at
    assert list(river.points) == mine.best
    assert names(state, reversed(river.sunset)) == mine.sunset
    assert names(state, reversed(river.beaver_dams)) == mine.dams
    assert [SYMBOLS[symbol] for symbol in river.goals] == mine.goals
    assert {seat for seat in range(state.seats) if river.bonuses >> seat & 1} == mine.claimed
    assert mine.lazy or [sorted(kept) for kept in river.kept] == [sorted(kept) for kept in mine.kept]
    for tokens, area in ((mine.piers, river.piers), (mine.tents, river.tents)):
        assert sorted(tokens.open) == sorted(area.open)
        assert len(tokens.down) == area.down
    assert mine.dry == (not state.decks[Deck.RIVER])


def compare_river_choice(state: MeadowState, table: Table, ask: Ask) -> None:
    """What a seat is told about its choice on the river."""
    if ask.kind not in RIVER_CHOICES:
        return
    pending = meadow_view(state, ask.seat).pending
    river = table.river
    assert pending is not None
    assert river is not None
    words = [answer.split() for answer in ask.answers]
    if ask.kind == "take_card":
        assert sorted(pending.spots) == sorted(int(word[1]) for word in words if word[0] == "take")
    if ask.kind == "choose_deck":
        assert {Deck(deck).name for deck in pending.decks} == {word[1] for word in words if word[0] == "draw"}
    if ask.kind == "extra_action":
        assert WORDS[Extra(pending.extra)] == river.space(ask.seat).extra
    if ask.kind == "choose_way":
        ways = [river.space(ask.seat).ways[int(way)][0] for _, way in words]
        assert {list(river.side.spaces)[space] for space in pending.ways} == set(ways)


def names(state: MeadowState, cards: Iterable[int]) -> list[str]:
    """The ids of cards."""
    return [state.catalogue.cards[card].id for card in cards]


def note_river(table: Table, ask: Ask, choice: str, seen: Counter[str]) -> None:
    """Count what is done on the river, and how rare states of it come up."""
    river = table.river
    assert river is not None
    word, *rest = choice.split()
    space = river.space(ask.seat)
    if ask.kind == "extra_action":
        seen[f"{space.extra}: {'declined' if word == 'pass' else 'used'}"] += 1
        if word == "pick":
            seen[f"{space.extra} {rest[0]}"] += 1
        if word == "discard":
            seen["two cards for one"] += 1
    if ask.kind == "choose_way":
        seen["shortcut" if space.ways[int(rest[0])][1] else "fork"] += 1
    if word == "play" and ask.kind != "campfire":
        seen["fish played"] += FISH in table.paper(rest[0]).shows
        seen["watery ground played"] += WATERY in table.paper(rest[0]).grounds
        seen["play during a kayak's move"] += space.extra in ("play", "tent", "pier")
    seen["river deck out"] += river.dry
    seen["end of the track"] += not space.ways
    seen["gap on the river"] += None in river.area
