"""Where a card may be placed (rulebook: Rules for Playing Cards; rulings M5 to M7, M18 to M24)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from meadow_engine.meadow.catalogue import Card, Kind
from meadow_engine.meadow.requirements import Needs, arrows_shown, met, most_met, needs_table, symbols_used
from meadow_engine.meadow.state import MAX_GROUNDS, NO_CARD, MeadowState, Player
from meadow_engine.meadow.symbols import SYMBOL_COUNT

LEFT, RIGHT = 0, 1
"""Places of a ground card: beside the leftmost or the rightmost column."""
SURROUNDINGS = 0
"""Place of a landscape."""
DISCARDS_A_SYMBOL = 2
"""Hand cards to discard for each symbol ignored (rulebook: Replacing a Missing Symbol)."""


@dataclass(frozen=True, slots=True)
class Playability:
    """Whether and where a seat can play a card now.

    Attributes:
        places: numbers of the places: LEFT or RIGHT for a ground, a column for an observation, SURROUNDINGS for a
            landscape, the landscape's number for a discovery. Empty: it cannot be played.
        discards: other hand cards to be discarded for missing symbols.
        obstacle: why there is no place; empty if there is one.
    """

    places: tuple[int, ...]
    discards: int = 0
    obstacle: str = ""


def playability(state: MeadowState, seat: int, card: Card) -> Playability:
    """Whether and where a seat can play a card that it holds in its hand."""
    player = state.players[seat]
    if card.kind is Kind.GROUND:
        return _ground(player)
    ways = needs_table(state.catalogue)[card.number]
    most = most_met(ways, player.visible)
    missing = len(card.requirements) - most
    discards = DISCARDS_A_SYMBOL * missing
    if discards > len(player.hand) - 1:
        return Playability((), discards, "SYMBOLS_MISSING")
    if card.kind is Kind.LANDSCAPE:
        return Playability((SURROUNDINGS,), discards) if player.roads else Playability((), discards, "NO_ROAD")
    if card.kind is Kind.DISCOVERY:
        bare = tuple(number for number, found in enumerate(player.discoveries) if found == NO_CARD)
        return Playability(bare, discards, "" if bare else "NO_LANDSCAPE")
    if not most:
        return Playability((), discards, "NOTHING_MET")
    bound = 0
    for bound_to in state.parts.bound_to:
        bound |= bound_to(card)
    columns = tuple(
        column
        for column in _columns(player, [needs for needs in ways if met(needs.total, player.visible) == most], bound)
        if all(may_cover(state, seat, column) for may_cover in state.parts.may_cover)
    )
    return Playability(columns, discards, "" if columns else "NO_COLUMN")


def _ground(player: Player) -> Playability:
    if len(player.columns) >= MAX_GROUNDS:
        return Playability((), 0, "TEN_GROUNDS")
    return Playability((LEFT, RIGHT))


def _columns(player: Player, best: list[Needs], bound: int) -> Iterator[int]:
    """Columns whose top an observation may cover, given the decisions of its slashes that meet the most.

    Where a card is bound to columns that show certain symbols, those take the place of the symbols it asks for without
    arrows: any such column will do once one of these is met (ruling D15).
    """
    on_symbol = 0
    for needs in best:
        on_symbol |= symbols_used(needs.plain, player.visible)
    with_arrows = [needs for needs in best if needs.arrows]
    for column, shown in enumerate(player.shows):
        if bound and not shown & bound:
            continue
        by_symbol = on_symbol if bound else shown & on_symbol
        if by_symbol or (with_arrows and _beside(player, column, with_arrows)):
            yield column


def _beside(player: Player, column: int, best: list[Needs]) -> bool:
    beside = symbols_beside(player, column)
    return any(arrows_shown(needs, player.visible, beside) for needs in best)


def symbols_beside(player: Player, column: int) -> list[int]:
    """How often each symbol shows in the columns next to one."""
    place = player.row.index(column)
    counts = [0] * SYMBOL_COUNT
    for neighbour in player.row[max(0, place - 1) : place] + player.row[place + 1 : place + 2]:
        for symbol in player.tops[neighbour]:
            counts[symbol] += 1
    return counts
