"""The balance tables of Downstream's components."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping

from meadow_engine.content.pack import Pack
from meadow_engine.content.stats import Section, TilePlay
from meadow_engine.meadow.catalogue import BASE, DOWNSTREAM, ENVELOPE_Z, Card, Catalogue, Deck, Kind
from meadow_engine.meadow.content import catalogue
from meadow_engine.meadow.content_stats import (
    Groups,
    TableRow,
    card_table,
    deck_table,
    granted_symbols,
    mean,
    points_table,
)
from meadow_engine.meadow.downstream.catalogue import RiverSide
from meadow_engine.meadow.downstream.content_cards import MAX_OAR
from meadow_engine.meadow.downstream.content_track import EXTRAS, POINTS, WORDS
from meadow_engine.meadow.symbols import SYMBOLS

SETS = (DOWNSTREAM, ENVELOPE_Z)


def stats(pack: Pack, play: Mapping[str, TilePlay]) -> list[Section]:
    """Return the balance tables of a pack without faults that has Downstream.

    Args:
        pack: the pack.
        play: card id -> how the card fared in games the caller had played; may be empty.
    """
    components = catalogue(pack)
    assert components.downstream is not None
    groups = _groups(components)
    cards = [card for _, group in groups for card in group]
    return [
        deck_table("Downstream: decks", groups),
        points_table("Downstream: points", groups),
        _oars(groups),
        _symbols(components, cards),
        *(_track(side) for side in components.downstream.sides.values()),
        card_table("Downstream: cards", cards, play),
    ]


def _groups(components: Catalogue) -> Groups:
    """Return the cards deck by deck, then the envelope."""
    decks = components.decks[DOWNSTREAM]
    groups = [(deck.name, [components.cards[number] for number in decks[deck]]) for deck in Deck]
    envelope = [card for card in components.cards if card.card_set == ENVELOPE_Z]
    return [*groups, (f"envelope {ENVELOPE_Z}", envelope)] if envelope else groups


def _oars(groups: Groups) -> Section:
    """Return how many arrows the oars have, and what they cost."""
    rows: list[TableRow] = []
    for name, cards in groups:
        oars = [card for card in cards if card.oar]
        asking = [card for card in oars if card.kind is not Kind.GROUND]
        needs = sum(len(card.requirements) for card in asking)
        rows.append(
            (
                name,
                *(sum(card.oar == arrows for card in oars) for arrows in range(1, MAX_OAR + 1)),
                mean([card.oar for card in oars]),
                round(sum(card.oar for card in asking) / needs, 2) if needs else 0.0,
            )
        )
    return Section(
        "Downstream: oars",
        "Cards by arrows on the oar; their mean; arrows for each requirement, where ground cards, roads and landscapes "
        "do not count.",
        ("deck", *map(str, range(1, MAX_OAR + 1)), "arrows", "a requirement"),
        tuple(rows),
    )


def _symbols(components: Catalogue, cards: list[Card]) -> Section:
    """Return how often Downstream's cards grant and ask for each symbol, beside the base cards."""
    base = [card for card in components.cards if card.card_set == BASE]
    own, others = (granted_symbols(some) for some in (cards, base))
    asked = _asked(cards), _asked(base)
    rows: list[TableRow] = [
        (name, own[symbol], others[symbol], asked[0][symbol], asked[1][symbol])
        for symbol, name in enumerate(SYMBOLS)
        if own[symbol] or asked[0][symbol]
    ]
    return Section(
        "Downstream: symbols",
        "How often a symbol is granted and asked for, by Downstream's cards and by the base cards.",
        ("symbol", "granted", "granted by base", "asked", "asked by base"),
        tuple(rows),
    )


def _asked(cards: Iterable[Card]) -> Counter[int]:
    return Counter(symbol for card in cards for need in card.requirements for symbol in need.symbols)


def _track(side: RiverSide) -> Section:
    """Return how far it is to each number, and to each extra action."""
    fewest, most = _steps(side, min), _steps(side, max)
    wanted = [(f"{points} points", [s for s in side.spaces if s.points == points]) for points in POINTS[side.name]]
    wanted += [(WORDS[extra], [s for s in side.spaces if s.extra is extra]) for extra in EXTRAS[side.name]]
    return Section(
        f"Downstream: {side.name.replace('_', ' ')}",
        "Spaces with each number and extra action; the fewest arrows that reach one of them from the start, and the "
        "most that reach the last of them.",
        ("space", "spaces", "fewest arrows", "most arrows"),
        tuple(
            (name, len(spaces), min(fewest[s.number] for s in spaces), max(most[s.number] for s in spaces))
            for name, spaces in wanted
        ),
    )


def _steps(side: RiverSide, choose: Callable[[int, int], int]) -> list[int]:
    """Return the arrows that lead to each space by the ways that a player chooses."""
    steps: list[int] = [0] * len(side.spaces)
    for space in side.spaces:  # every way leads to a higher number
        for way in space.ways:
            arrows = steps[space.number] + 1
            steps[way.space] = choose(steps[way.space], arrows) if steps[way.space] else arrows
    return steps
