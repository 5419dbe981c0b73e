"""Characters and colours of the terminal's drawings.

Every space is two characters wide, so that it looks square. Without colour, or on a terminal that cannot show other
characters, the symbols are those of the engine's text notation.
"""

from __future__ import annotations

from dataclasses import dataclass

from rich.console import Console

from meadow_client.drawing import flora
from meadow_client.drawing.scene import ROCK, UNKNOWN, Piece

SNOW_GROUND, ROCK_GROUND, CLEARED_GROUND, MARMOT_GROUND = "#e9f1f6", "#8b9095", "#f0d98c", "#8a5a34"
HOLE_GROUND, PAPER, TRAIL = "#d9e8c8", "#f3ead0", "#f2cf73"
GOLD, DIM = "#c08a14", "#8b8675"


@dataclass(frozen=True, slots=True)
class Glyphs:
    """One character for each thing, and whether there is colour to tell tiles apart."""

    snow: str = "·"
    burrow: str = "∩"
    tile: str = "✿"
    rock: str = "▪"
    hole: str = "○"
    cleared: str = "∩"
    marmot: str = "m"
    mark: str = "+"
    full: str = "✓"
    pin: str = "▲"
    arrows: str = "▼◀▲▶"
    colour: bool = True


PLAIN = Glyphs(
    snow=".",
    burrow="b",
    tile="#",
    rock="=",
    hole="o",
    cleared="c",
    marmot="m",
    mark="+",
    full="*",
    pin="^",
    arrows="v<^>",
    colour=False,
)


def glyphs_for(console: Console) -> Glyphs:
    """What a console can show."""
    fancy = console.color_system is not None and "utf" in (console.encoding or "").lower()
    return Glyphs() if fancy else PLAIN


def ground_of(piece: Piece) -> str:
    """Background of a piece."""
    if piece.kind == ROCK:
        return ROCK_GROUND
    return "#a9cf80" if piece.kind == UNKNOWN else flora.green_of(piece.kind)


def bloom_of(scientific_name: str) -> str:
    """Colour of a tile's flowers."""
    flower = flora.flower_of(scientific_name)
    return "#5d8f43" if flower is None else flower.petals
