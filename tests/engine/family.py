"""What conformance has to be told about a family of games, since no test can find it out by itself.

A new game adds its `FamilyChecks` to `tests/engine/families.py`; everything else is game-neutral.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

from meadow_engine.api import Game, OptionValue, Result, Variant

Options = dict[str, OptionValue]
Viewer = int | None
"""A seat, or a spectator."""
Swap = Callable[[Game, tuple[Viewer, ...], Random], bool]
"""Rearranges a hidden zone in place, leaving alone what one of the viewers knows; tells whether anything changed."""


@dataclass(frozen=True)
class FamilyChecks:
    """A family of games as the conformance tests see it.

    Attributes:
        options: the sets of options to try, for a variant and a number of seats; the first are the defaults.
        components: everything there is in the box of the game, by name.
        in_play: where each component is now, counted by name; those that left the game are not counted.
        leaves: the components that leave the game with an action, told from the game before it and its result.
        consistent: raises AssertionError if a state contradicts itself.
        swaps: for each hidden zone how to rearrange it.
        mixing: the zones whose swap exchanges what lies there with what may be drawn from a pile.
        hidden: everything that some viewer does not know, for comparison.
        view_fields: for each class that may occur in a view the fields it may have.
        revealing: names of the events that tell what was drawn.
        observation_size: numbers in an observation.
        most_decisions: no game has more.
    """

    options: Callable[[Variant, int], list[Options]]
    components: Callable[[Any], Counter[str]]
    in_play: Callable[[Game], Counter[str]]
    leaves: Callable[[Game, Result], Counter[str]]
    consistent: Callable[[Game], None]
    swaps: Mapping[str, Swap]
    mixing: frozenset[str]
    hidden: Callable[[Game], object]
    view_fields: Mapping[str, frozenset[str]]
    revealing: frozenset[str]
    observation_size: int
    most_decisions: int
