"""The river board as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from meadow_engine.meadow.catalogue import Catalogue, Deck
from meadow_engine.meadow.downstream.catalogue import LAZY_RIVER, Extra, Pier, Tent
from meadow_engine.meadow.downstream.view import RiverView, TokenAreaView
from meadow_engine.meadow.symbols import SYMBOLS

if TYPE_CHECKING:
    from meadow_engine.meadow.pending_view import PendingView


def river_text(river: RiverView, catalogue: Catalogue) -> list[str]:
    """Lines about the river board."""
    cards = catalogue.cards
    kayaks = [
        f"{seat} at {space} ({points})"
        for seat, (space, points) in enumerate(zip(river.kayaks, river.points, strict=True))
    ]
    lines = [f"{river.side}: kayaks " + ", ".join(kayaks)]
    lines.append("sunset " + (" ".join(cards[card].id for card in river.sunset) or "none"))
    if river.side == LAZY_RIVER:
        lines.append("dams " + (" ".join(cards[card].id for card in river.beaver_dams) or "none"))
        placed = [str(seat) for seat in range(len(river.kayaks)) if river.bonuses >> seat & 1]
        lines.append(f"extra goals {', '.join(SYMBOLS[goal] for goal in river.goals)} ({' '.join(placed)})")
    else:
        lines.append("piers " + _area_text(river.piers, [pier.name for pier in Pier]))
        lines.append("tents " + _area_text(river.tents, [tent.name for tent in Tent]))
        lines += [
            f"kept by {seat}: {' '.join(Tent(t).name for t in kept)}" for seat, kept in enumerate(river.kept) if kept
        ]
    return lines


def _area_text(area: TokenAreaView, names: list[str]) -> str:
    words = [names[token].lower() for token in area.open] + ["face down"] * area.down
    return ", ".join(words) or "none"


def pending_river_text(waiting: PendingView) -> str:
    """What a choice on the river is about."""
    if waiting.extra:
        return f", {Extra(waiting.extra).name.lower()}"
    if waiting.ways:
        return f", to {' or '.join(map(str, waiting.ways))}"
    if waiting.decks:
        return f", {' or '.join(Deck(deck).name for deck in waiting.decks)}"
    return ""
