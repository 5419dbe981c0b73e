"""The balance tables of Meadow's components."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from meadow_engine.content.pack import Pack
from meadow_engine.content.stats import Section, TilePlay, share
from meadow_engine.meadow.catalogue import BASE, ENVELOPES, Card, Catalogue, Deck, Kind, Requirement
from meadow_engine.meadow.content import catalogue
from meadow_engine.meadow.symbols import SYMBOLS

TableRow = tuple[str | int | float, ...]
Groups = list[tuple[str, list[Card]]]
"""Cards under the names by which they are counted."""
BASE_DECKS = (Deck.W, Deck.S, Deck.E, Deck.N, Deck.START)
PLACE = {Kind.LANDSCAPE: ("road",), Kind.DISCOVERY: ("landscape",)}
"""What a card asks for beside symbols."""


def stats(pack: Pack, play: Mapping[str, TilePlay]) -> list[Section]:
    """Return the balance tables of a pack without faults.

    Args:
        pack: the pack.
        play: card id -> how the card fared in games the caller had played; may be empty.
    """
    components = catalogue(pack)
    groups = _groups(components)
    cards = [card for card in components.cards if card.card_set in (BASE, *ENVELOPES)]
    return [
        deck_table("Meadow: decks", groups),
        points_table("Meadow: points", groups),
        _symbols(components),
        card_table("Meadow: cards", cards, play),
    ]


def card_text(card: Card) -> tuple[str, str]:
    """Return what a card grants and what it requires, in the words of a content pack."""
    grants = " + ".join(SYMBOLS[symbol] for symbol in (*card.grounds, *card.symbols))
    requires = " + ".join((*PLACE.get(card.kind, ()), *map(requirement_text, card.requirements)))
    return grants, requires


def requirement_text(requirement: Requirement) -> str:
    """Return a requirement in the words of a content pack: `tree`, `bird / paw`, `<house>`."""
    text = " / ".join(SYMBOLS[symbol] for symbol in requirement.symbols)
    return f"<{text}>" if requirement.adjacent else text


def _groups(components: Catalogue) -> Groups:
    """Return the base cards deck by deck, then the envelopes."""
    decks = [(deck.name, [components.cards[n] for n in components.decks[BASE][deck]]) for deck in BASE_DECKS]
    envelopes = [
        (f"envelope {name}", [card for card in components.cards if card.card_set == name])
        for name in ENVELOPES
        if name in components.sets
    ]
    return [*decks, *envelopes]


def deck_table(title: str, groups: Groups) -> Section:
    """Return what kinds of cards there are, and how much they ask for."""
    kinds = tuple(kind.name.lower() for kind in Kind)
    rows: list[TableRow] = []
    for name, cards in groups:
        asking = [card for card in cards if card.kind is not Kind.GROUND]
        needs = [requirement for card in cards for requirement in card.requirements]
        rows.append(
            (
                name,
                len(cards),
                *(sum(card.kind is kind for card in cards) for kind in Kind),
                sum(len(card.symbols) > 1 for card in cards),
                mean([len(card.requirements) for card in asking]),
                sum(len(requirement.symbols) > 1 for requirement in needs),
                sum(requirement.adjacent for requirement in needs),
                mean([card.points for card in asking]),
            )
        )
    return Section(
        title,
        "Kinds of cards; cards of two symbols; the means leave ground cards out, and requirements leave out road and "
        "landscape.",
        ("deck", "cards", *kinds, "two symbols", "requirements", "slashes", "arrows", "points"),
        tuple(rows),
    )


def points_table(title: str, groups: Groups) -> Section:
    """Return how many cards there are of each value."""
    values = sorted({card.points for _, cards in groups for card in cards})
    rows: list[TableRow] = [
        (name, *(sum(card.points == value for card in cards) for value in values)) for name, cards in groups
    ]
    return Section(title, "Cards by points.", ("deck", *map(str, values)), tuple(rows))


def _symbols(components: Catalogue) -> Section:
    """Return how often each symbol is granted and asked for by base cards, deck by deck."""
    decks = (Deck.W, Deck.S, Deck.E, Deck.N)
    granted = {deck: granted_symbols(components.cards[n] for n in components.decks[BASE][deck]) for deck in decks}
    needs = [need for card in components.cards if card.card_set == BASE for need in card.requirements]
    asked: Counter[int] = Counter()
    for need in needs:
        asked.update(need.symbols)
    either = Counter(symbol for need in needs if len(need.symbols) > 1 for symbol in need.symbols)
    arrows = Counter(symbol for need in needs if need.adjacent for symbol in need.symbols)
    goals = {token.symbol: token.card_set for token in components.goal_tokens}
    rows: list[TableRow] = [
        (
            name,
            *(granted[deck][symbol] for deck in decks),
            asked[symbol],
            either[symbol],
            arrows[symbol],
            goals.get(symbol, ""),
        )
        for symbol, name in enumerate(SYMBOLS)
        if asked[symbol] or any(granted[deck][symbol] for deck in decks)
    ]
    return Section(
        "Meadow: symbols",
        "Base cards: how often a symbol is granted, by deck, and how often it is asked for; of these how often with a "
        "slash and with arrows; whether a goal token shows it.",
        ("symbol", *(f"granted {deck.name}" for deck in decks), "asked", "slash", "arrows", "goal"),
        tuple(rows),
    )


def granted_symbols(cards: Iterable[Card]) -> Counter[int]:
    """Return how often each symbol is granted."""
    return Counter(symbol for card in cards for symbol in (*card.grounds, *card.symbols))


def card_table(title: str, cards: list[Card], play: Mapping[str, TilePlay]) -> Section:
    """Return all cards, with their oars if any has one, and with how they fared in play if that is known."""
    oars = any(card.oar for card in cards)
    columns = ("id", "name", "kind", "grants", "requires", "points", *(("oar",) if oars else ()))
    rows: list[TableRow] = [
        (card.id, card.name, card.kind.name.lower(), *card_text(card), card.points, *((card.oar,) if oars else ()))
        for card in cards
    ]
    if not play:
        return Section(title, "A slash means either, arrows a column beside.", columns, tuple(rows))
    return Section(
        title,
        "A slash means either, arrows a column beside. Played: share of the games that saw the card in which it was "
        "played, with a 95 % confidence interval.",
        (*columns, "seen", "played %", "low %", "high %"),
        tuple((*row, *_played(play.get(str(row[0]), TilePlay(0, 0)))) for row in rows),
    )


def _played(card: TilePlay) -> tuple[int, float, float, float]:
    played, low, high = (round(100 * value, 1) for value in share(card.played, card.seen))
    return card.seen, played, low, high


def mean(values: list[int]) -> float:
    """Return the mean, or 0 of nothing."""
    return round(sum(values) / len(values), 2) if values else 0.0
