"""The symbols on Meadow's cards and goal tokens, as small numbers.

The numbers are part of saved games and of the service's messages: new symbols join at the end. What a card asks for
beside symbols, a road or a landscape, follows from its kind and is no symbol here: nobody counts it in a meadow.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

SYMBOLS: Final = (
    "litterfall",
    "grass",
    "sands",
    "rocks",
    "wetlands",
    "watery",
    "larva",
    "beetle",
    "butterfly",
    "frog",
    "bird",
    "bird of prey",
    "paw",
    "predator",
    "mushroom",
    "tree",
    "berries",
    "flower",
    "fence",
    "house",
    "big encounter",
    "nature monument",
    "fish",
)
"""Name of each symbol, as a content pack writes it (rulebook: Ground Cards, Observation Cards)."""
SYMBOL_COUNT: Final = len(SYMBOLS)
SYMBOL_NUMBERS: Final[Mapping[str, int]] = MappingProxyType({name: number for number, name in enumerate(SYMBOLS)})
"""Name -> number."""

LITTERFALL: Final = 0
GRASS: Final = 1
SANDS: Final = 2
ROCKS: Final = 3
WETLANDS: Final = 4
WATERY: Final = 5
"""The sixth ground, which comes with Downstream."""
LARVA: Final = 6
BEETLE: Final = 7
BUTTERFLY: Final = 8
FROG: Final = 9
BIRD: Final = 10
BIRD_OF_PREY: Final = 11
PAW: Final = 12
PREDATOR: Final = 13
MUSHROOM: Final = 14
TREE: Final = 15
BERRIES: Final = 16
FLOWER: Final = 17
FENCE: Final = 18
HOUSE: Final = 19
BIG_ENCOUNTER: Final = 20
"""The symbol of envelope U: nothing may be placed on a card that shows it."""
NATURE_MONUMENT: Final = 21
"""The triangle of Downstream."""
FISH: Final = 22

GROUNDS: Final = range(WATERY + 1)
"""The symbols at the bottom of ground cards, which stay visible; all others are card symbols."""
