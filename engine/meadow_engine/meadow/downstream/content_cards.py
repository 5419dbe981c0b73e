"""Reading and checking Downstream's tables of cards and its goal token.

They are written like Meadow's, with a column more: `oar`, the arrows on a card's oar.
"""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from meadow_engine.content.tables import Row, check_columns
from meadow_engine.meadow.catalogue import DOWNSTREAM, ENVELOPE_Z, Card, Deck, GoalToken, Kind
from meadow_engine.meadow.content_cards import (
    DECK_COLUMNS,
    DECKS,
    ENVELOPE_CARDS,
    GOAL_COLUMNS,
    SCIENTIFIC_NAME,
    CardReader,
    Wrong,
    read_cards,
)
from meadow_engine.meadow.symbols import BIG_ENCOUNTER, FENCE, FISH, GROUNDS, NATURE_MONUMENT, SYMBOLS, WATERY

OAR = "oar"
RIVER_COLUMNS = (*DECK_COLUMNS, OAR)
BASE_COLUMNS = ("deck", *RIVER_COLUMNS)
RIVER_CARDS = 55
"""Cards of the river deck (rulebook: Components)."""
BASE_CARDS = 3
"""Cards for each of the base game's decks (rulebook: Components)."""
PILE_CARDS = 4
"""Sunset cards, and beaver dam cards (rulebook: Components)."""
MAX_OAR = 4
"""Most arrows on an oar (rulebook: River Deck)."""


class WaterReader(CardReader):
    """Reads the cards of one of Downstream's tables."""

    refused: ClassVar[frozenset[int]] = frozenset()

    def card(self, row: Row, number: int, deck: Deck, card_set: str) -> Card | None:
        """Return the card of a row with its oar, or None after adding a fault that leaves it without a kind."""
        card = super().card(row, number, deck, card_set)
        return replace(card, oar=self._oar(row, card)) if card else None

    def home_faults(self, card: Card) -> Wrong:
        """Return everything that belongs to another deck."""
        dam = card.deck is Deck.BEAVER_DAM
        encounters = card.symbols.count(BIG_ENCOUNTER)
        return [
            (
                card.deck in DECKS.values() and (card.deck is Deck.E) != (card.kind is Kind.GROUND),
                "kind",
                "the E deck consists of ground cards, and no other deck of the base game has any",
            ),
            (
                FISH in card.symbols and card.kind is not Kind.OBSERVATION,
                "grants",
                f"only an observation shows a {SYMBOLS[FISH]}: it is placed on {SYMBOLS[WATERY]} ground",
            ),
            (card.deck is Deck.RIVER and card.points, "points", "a card of the river deck is worth no points"),
            (
                card.deck is Deck.SUNSET and card.kind is not Kind.LANDSCAPE,
                "kind",
                "a sunset card is a landscape",
            ),
            (dam and card.kind is not Kind.OBSERVATION, "kind", "a beaver dam card is an observation"),
            (dam and FENCE not in card.symbols, "grants", f"a beaver dam card shows a {SYMBOLS[FENCE]}"),
            (
                encounters > (card.card_set == ENVELOPE_Z),
                "grants",
                f"only a card of envelope U or Z shows a {SYMBOLS[BIG_ENCOUNTER]}",
            ),
        ]

    def start_side(self, row: Row) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return the grounds and the card symbols of a side of a watery starting ground card."""
        grounds, symbols = super().start_side(row)
        if grounds and WATERY not in grounds:
            self.fault(row, "grants", f"Downstream's starting ground cards are {SYMBOLS[WATERY]}")
        if FISH in symbols:
            self.fault(row, "grants", f"only an observation shows a {SYMBOLS[FISH]}")
        return grounds, symbols

    def _oar(self, row: Row, card: Card) -> int:
        """Return the arrows on a card's oar (rulebook: River Deck; New Card Symbols, Nature monument)."""
        if card.deck is Deck.RIVER or (card.deck in (Deck.S, Deck.N) and NATURE_MONUMENT in card.symbols):
            return self.number(row, OAR, MAX_OAR)
        if row.values.get(OAR, "") not in ("", "0"):
            message = f"only river cards have an oar, and cards of the S and N decks with a {SYMBOLS[NATURE_MONUMENT]}"
            self.fault(row, OAR, message)
        return 0


def read_river(reader: WaterReader, first: int) -> tuple[Card, ...]:
    """Return the cards of the river deck, numbered from `first`, adding a fault for everything wrong."""
    return _of_one_deck(reader, first, RIVER_COLUMNS, Deck.RIVER, RIVER_CARDS)


def read_base(reader: WaterReader, first: int) -> tuple[Card, ...]:
    """Return the cards for the base game's decks, numbered from `first`, adding a fault for everything wrong."""
    table = reader.table
    if not check_columns(table, BASE_COLUMNS, (SCIENTIFIC_NAME,), reader.faults):
        return ()
    names = [reader.choice(row, "deck", DECKS) for row in table.rows]
    for name in DECKS:
        if names.count(name) != BASE_CARDS:
            reader.fault(None, "deck", f"deck {name} must get {BASE_CARDS} cards, not {names.count(name)}")
    return read_cards(reader, first, [(DECKS.get(name, Deck.W), DOWNSTREAM) for name in names])


def read_pile(reader: WaterReader, first: int, deck: Deck) -> tuple[Card, ...]:
    """Return the sunset or the beaver dam cards, numbered from `first`, adding a fault for everything wrong.

    The top one, which is worth the most, comes first.
    """
    cards = _of_one_deck(reader, first, DECK_COLUMNS, deck, PILE_CARDS)
    for row, card, above in zip(reader.table.rows[1:], cards[1:], cards, strict=False):
        if card.points > above.points:
            message = f"{card.points} points are more than those of the card above: the best lies on top"
            reader.fault(row, "points", message)
    return cards


def read_envelope(reader: WaterReader, first: int) -> tuple[Card, ...]:
    """Return the cards of envelope Z, or none if the table is empty, adding a fault for everything wrong."""
    if not check_columns(reader.table, RIVER_COLUMNS, (SCIENTIFIC_NAME,), reader.faults):
        return ()
    found = len(reader.table.rows)
    if found not in (0, ENVELOPE_CARDS):
        message = f"envelope {ENVELOPE_Z} must have {ENVELOPE_CARDS} cards, or be left out, not {found}"
        reader.fault(None, "", message)
    return read_cards(reader, first, [(Deck.RIVER, ENVELOPE_Z)] * found)


def _of_one_deck(reader: WaterReader, first: int, columns: tuple[str, ...], deck: Deck, count: int) -> tuple[Card, ...]:
    table = reader.table
    if not check_columns(table, columns, (SCIENTIFIC_NAME,), reader.faults):
        return ()
    if len(table.rows) != count:
        reader.fault(None, "", f"there must be {count} cards, not {len(table.rows)}")
    return read_cards(reader, first, [(deck, DOWNSTREAM)] * len(table.rows))


def read_goal_tokens(reader: WaterReader, others: tuple[GoalToken, ...]) -> tuple[GoalToken, ...]:
    """Return the additional goal token, adding a fault for everything wrong.

    Args:
        reader: a table of id and symbol.
        others: the goal tokens that it joins.
    """
    if not check_columns(reader.table, GOAL_COLUMNS, (), reader.faults):
        return ()
    rows = reader.table.rows
    if len(rows) != 1:
        reader.fault(None, "", f"there must be one goal token, not {len(rows)}")
    tokens: list[GoalToken] = []
    for row in rows:
        token_id, symbol = reader.id(row), reader.symbol(row, "symbol", row.values["symbol"])
        for other in others:
            if token_id == other.id:
                reader.fault(row, "id", f"{token_id!r} is Meadow's already")
            if symbol == other.symbol:
                reader.fault(row, "symbol", f"{SYMBOLS[symbol]!r} is on one of Meadow's goal tokens already")
        if symbol in GROUNDS:
            reader.fault(row, "symbol", "a goal is a card symbol")
        if symbol is not None:
            tokens.append(GoalToken(len(others) + len(tokens), token_id, symbol, DOWNSTREAM))
    return tuple(tokens)
