"""A little box of cards for the tests of Meadow's rules: a card is named by what is printed on it.

`grass+flower` is a ground card, `bird(larva+<tree/fence>)2` an observation of two points that shows a bird and asks for
a larva and, beside it, a tree or a fence; `landscape(tree)3` and `discovery()2` are cards of the surroundings. `N.` in
front names the card's back (else W for the surroundings, S for observations, E for grounds), `~2` at the end makes
another card of the same kind, and hyphens join words: `bird-of-prey`. `W1`, `S1`, `E1`, `N1` and so on are cards that
hardly anybody can play: they fill board and decks. Of Downstream, `R.` names the river deck, `T.` a sunset card, `D.` a
beaver dam, `^2` an oar with two arrows, and `R1` fills the river.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from functools import cache

from meadow_engine.content.library import builtin_pack
from meadow_engine.meadow import content
from meadow_engine.meadow.catalogue import BASE, ENVELOPE_U, Card, Catalogue, Deck, Kind, Requirement
from meadow_engine.meadow.symbols import BIG_ENCOUNTER, GROUNDS, SYMBOL_NUMBERS

CARD = re.compile(r"(?:([WSENRTD])\.)?([a-z+-]+)(?:\(([^)]*)\))?(\d*)(?:\^(\d))?(?:~\w+)?")
FILLER = re.compile(r"([WSENR])\d+")
FILLERS = {
    "W": "house(big-encounter)",
    "S": "paw(big-encounter)",
    "E": "sands",
    "N": "predator(big-encounter)",
    "R": "frog(big-encounter)",
}
BACKS = {deck.name: deck for deck in (Deck.W, Deck.S, Deck.E, Deck.N)}
BACKS |= {"R": Deck.RIVER, "T": Deck.SUNSET, "D": Deck.BEAVER_DAM}
DEFAULT_DECKS = {Kind.GROUND: Deck.E, Kind.OBSERVATION: Deck.S, Kind.LANDSCAPE: Deck.W, Kind.DISCOVERY: Deck.W}


def symbols(text: str) -> tuple[int, ...]:
    """The numbers of symbols such as `bird+bird-of-prey`."""
    return tuple(sorted(SYMBOL_NUMBERS[name.replace("-", " ")] for name in text.split("+") if name))


def requirement(text: str) -> Requirement:
    """A requirement such as `tree`, `bird/paw` or `<house>`."""
    return Requirement(symbols(text.strip("<>").replace("/", "+")), text.startswith("<"))


def card(number: int, name: str) -> Card:
    """The card of a name."""
    filler = FILLER.fullmatch(name)
    found = CARD.fullmatch(f"{filler[1]}.{FILLERS[filler[1]]}" if filler else name)
    assert found, f"{name} is no card"
    deck, grants, needs, points, oar = found.groups()
    surroundings = grants in ("landscape", "discovery")
    shown = () if surroundings else symbols(grants)
    kind = Kind.GROUND if any(symbol in GROUNDS for symbol in shown) else Kind.OBSERVATION
    kind = Kind[grants.upper()] if surroundings else kind
    return Card(
        number,
        name,
        name,
        "",
        BACKS[deck] if deck else DEFAULT_DECKS[kind],
        kind,
        grounds=tuple(symbol for symbol in shown if symbol in GROUNDS),
        symbols=tuple(symbol for symbol in shown if symbol not in GROUNDS),
        requirements=tuple(requirement(text) for text in (needs or "").split("+") if text),
        points=int(points or 0),
        card_set=ENVELOPE_U if BIG_ENCOUNTER in shown else BASE,
        oar=int(oar or 0),
    )


@cache
def box_of(names: tuple[str, ...]) -> Catalogue:
    """Boards, goal tokens and Rover's token of the built-in pack, with the cards of these names."""
    cards = tuple(card(number, name) for number, name in enumerate(names))
    return replace(
        content.catalogue(builtin_pack()),
        cards=cards,
        card_ids={one.id: one.number for one in cards},
        start_cards=(),
        sets=(BASE, ENVELOPE_U),
        decks={},
    )


def names_in(lines: Iterable[str]) -> tuple[str, ...]:
    """All cards named in a position's lines, once each."""
    found = set()
    for line in lines:
        word, *words = line.split() or [""]
        if word in ("board", "hand", "column", "landscape", "dealt", "river", "sunset", "dams"):
            found.update(words)
        elif word == "deck":
            found.update(words[1:])
    return tuple(sorted({name.rstrip("!") for name in found} - {"-----"}))
