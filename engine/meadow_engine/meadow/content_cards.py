"""Reading and checking Meadow's tables of cards and goal tokens.

The grammar of the cells: granted symbols are joined by ` + `, and so are requirements. A requirement is a symbol
(`tree`), two of which either will do (`bird / paw`), or either with arrows (`<house>`, `<bird / paw>`); `road` and
`landscape` stand among them as they are printed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import ClassVar, Final, NamedTuple

from meadow_engine.content.faults import ContentFault
from meadow_engine.content.rows import RowReader
from meadow_engine.content.tables import Row, Table, check_columns
from meadow_engine.meadow.catalogue import (
    BASE,
    ENVELOPE_T,
    ENVELOPE_U,
    ENVELOPES,
    Card,
    Deck,
    GoalToken,
    Kind,
    Requirement,
)
from meadow_engine.meadow.symbols import (
    BIG_ENCOUNTER,
    FISH,
    GROUNDS,
    NATURE_MONUMENT,
    SYMBOL_NUMBERS,
    SYMBOLS,
    WATERY,
)

DECK_COLUMNS = ("id", "name", "kind", "grants", "requires", "points")
START_COLUMNS = ("id", "card", "name", "grants")
ENVELOPE_COLUMNS = ("set", "deck", *DECK_COLUMNS)
GOAL_COLUMNS = ("id", "symbol")
SCIENTIFIC_NAME = "scientific_name"
"""Optional column of all cards."""
SET = "set"
"""Optional column of the goal tokens."""
DECK_CARDS = 45
"""Cards of each deck (rulebook: Components)."""
ENVELOPE_CARDS = 6
"""Cards of each envelope (rulebook: Components)."""
START_CARDS = 4
"""Two-sided starting ground cards (rulebook: Components)."""
BASE_GOALS = 11
"""Basic goal tokens (rulebook: Components)."""
MAX_POINTS = 9
MAX_GRANTS = 2
"""Most card symbols, and most grounds, on one card."""
MAX_REQUIREMENTS = 6
ROAD = "road"
LANDSCAPE = "landscape"
KINDS: Final[Mapping[str, Kind]] = {kind.name.lower(): kind for kind in Kind}
DECKS: Final[Mapping[str, Deck]] = {deck.name: deck for deck in (Deck.W, Deck.S, Deck.E, Deck.N)}
PLACE_NEEDED: Final[Mapping[Kind, str]] = {Kind.LANDSCAPE: ROAD, Kind.DISCOVERY: LANDSCAPE}
"""What a card of the surroundings is laid on, and must ask for."""
EXPANSION_SYMBOLS: Final = frozenset((WATERY, NATURE_MONUMENT, FISH))
"""Symbols that only the Downstream expansion knows what to do with."""
ARROWS = re.compile(r"<(.*)>")


Wrong = list[tuple[object, str, str]]
"""What would be a fault, in which column, and the words for it."""
Taken = dict[str, dict[str, str]]
"""For `id` and for `name`, the file in which each one stands that no other card may have."""


def none_taken() -> Taken:
    """Return what is taken before the first table is read."""
    return {"id": {}, "name": {}}


class Needs(NamedTuple):
    """What a cell of requirements says."""

    requirements: tuple[Requirement, ...]
    places: tuple[str, ...]
    """`road` and `landscape`, as often as they stand there."""


class CardReader(RowReader):
    """Reads the cards of one table."""

    refused: ClassVar[frozenset[int]] = EXPANSION_SYMBOLS
    """Symbols that may not stand in the table."""

    def __init__(self, table: Table, faults: list[ContentFault], taken: Taken) -> None:
        super().__init__(table, faults)
        self._taken = taken

    def name(self, row: Row, column: str) -> str:
        """Return an id or a name that no card of any table may share."""
        text = self.id(row) if column == "id" else self.text(row, column)
        file = self._taken[column].setdefault(text, self.table.file) if text else self.table.file
        if file != self.table.file:
            self.fault(row, column, f"{text!r} stands already in {file}")
        return text

    def choice(self, row: Row, column: str, choices: Mapping[str, int]) -> str:
        """Return one of several words, or nothing after adding a fault."""
        text = row.values[column]
        if text not in choices:
            self.fault(row, column, f"{text!r} must be one of {', '.join(choices)}")
            return ""
        return text

    def symbol(self, row: Row, column: str, text: str) -> int | None:
        """Return a symbol's number, or None after adding a fault."""
        if text not in SYMBOL_NUMBERS:
            self.fault(row, column, f"{text!r} is no symbol; there are {', '.join(SYMBOLS)}")
            return None
        if SYMBOL_NUMBERS[text] in self.refused:
            self.fault(row, column, f"{text!r} belongs to the Downstream expansion")
        return SYMBOL_NUMBERS[text]

    def grants(self, row: Row) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return the grounds and the card symbols a card shows."""
        texts = [text.strip() for text in row.values["grants"].split("+")] if row.values["grants"] else []
        found = sorted(s for text in texts if (s := self.symbol(row, "grants", text)) is not None)
        grounds = tuple(symbol for symbol in found if symbol in GROUNDS)
        symbols = tuple(symbol for symbol in found if symbol not in GROUNDS)
        for what, some in (("grounds", grounds), ("card symbols", symbols)):
            if len(some) > MAX_GRANTS:
                self.fault(row, "grants", f"{len(some)} {what} are too many: at most {MAX_GRANTS}")
        return grounds, symbols

    def requires(self, row: Row) -> Needs:
        """Return what a card asks for."""
        texts = [text.strip() for text in row.values["requires"].split("+")] if row.values["requires"] else []
        places = tuple(text for text in texts if text in PLACE_NEEDED.values())
        others = [text for text in texts if text not in PLACE_NEEDED.values()]
        if len(others) > MAX_REQUIREMENTS:
            self.fault(row, "requires", f"{len(others)} requirements are too many: at most {MAX_REQUIREMENTS}")
        found = (self._requirement(row, text) for text in others)
        return Needs(tuple(requirement for requirement in found if requirement), places)

    def _requirement(self, row: Row, text: str) -> Requirement | None:
        arrows = ARROWS.fullmatch(text)
        halves = [half.strip() for half in (arrows[1] if arrows else text).split("/")]
        if len(halves) > 2 or len(set(halves)) < len(halves):
            self.fault(row, "requires", f"{text!r}: a slash stands between exactly two different symbols")
            return None
        symbols = [self.symbol(row, "requires", half) for half in halves]
        known = sorted(symbol for symbol in symbols if symbol is not None)
        return Requirement(tuple(known), adjacent=bool(arrows)) if len(known) == len(symbols) else None

    def card(self, row: Row, number: int, deck: Deck, card_set: str) -> Card | None:
        """Return the card of a row, or None after adding a fault that leaves it without a kind."""
        kind = self.choice(row, "kind", KINDS)
        grounds, symbols = self.grants(row)
        needs = self.requires(row)
        common = self.name(row, "id"), self.name(row, "name"), self.text(row, SCIENTIFIC_NAME, required=False)
        points = self.number(row, "points", MAX_POINTS, least=0)
        if not kind:
            return None
        card = Card(number, *common, deck, KINDS[kind], grounds, symbols, needs.requirements, points, card_set)
        self._check_kind(row, card, needs.places)
        self.faults_among(row, self.home_faults(card))
        return card

    def _check_kind(self, row: Row, card: Card, places: tuple[str, ...]) -> None:
        """Add a fault for everything a card of its kind cannot be (rulebook: Rules for Playing Cards)."""
        kind = card.kind
        ground, observation = kind is Kind.GROUND, kind is Kind.OBSERVATION
        nothing_to_cover = all(requirement.symbols == (BIG_ENCOUNTER,) for requirement in card.requirements)
        wrong: Wrong = [
            (ground != bool(card.grounds), "grants", "a ground card shows a ground, and no other card does"),
            (observation and not card.symbols, "grants", "an observation shows a card symbol"),
            (kind in PLACE_NEEDED and card.symbols, "grants", "a card outside the meadow shows no symbol"),
            (ground and card.requirements, "requires", "a ground card asks for nothing"),
            (observation and nothing_to_cover, "requires", "an observation asks for something it can be placed on"),
        ]
        wrong += [
            (
                places.count(place) != (kind is needing),
                "requires",
                f"a {needing.name.lower()} asks for one {place}, and no other card does",
            )
            for needing, place in PLACE_NEEDED.items()
        ]
        self.faults_among(row, wrong)

    def home_faults(self, card: Card) -> Wrong:
        """Return everything that belongs to another deck or envelope (rulebook: Envelopes)."""
        two_grounds = len(card.grounds) == 2 and not card.symbols
        encounters = card.symbols.count(BIG_ENCOUNTER)
        return [
            (
                (card.deck is Deck.E) != (card.kind is Kind.GROUND),
                "kind",
                "the E deck consists of ground cards, and no other deck has any",
            ),
            (
                card.card_set == ENVELOPE_T and not two_grounds,
                "grants",
                "a card of envelope T shows two grounds and nothing else",
            ),
            (
                encounters != (card.card_set == ENVELOPE_U),
                "grants",
                f"a card of envelope U shows one {SYMBOLS[BIG_ENCOUNTER]}, and no other card does",
            ),
        ]

    def start_side(self, row: Row) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return the grounds and the card symbols of a side of a starting ground card."""
        grounds, symbols = self.grants(row)
        if not grounds:
            self.fault(row, "grants", "a ground card shows a ground")
        return grounds, symbols

    def faults_among(self, row: Row, wrong: Wrong) -> None:
        """Add the faults whose first entry is true."""
        for found, column, message in wrong:
            if found:
                self.fault(row, column, message)


def read_deck(reader: CardReader, deck: Deck, first: int) -> tuple[Card, ...]:
    """Return the base cards of a deck, numbered from `first`, adding a fault for everything wrong."""
    table = reader.table
    if not check_columns(table, DECK_COLUMNS, (SCIENTIFIC_NAME,), reader.faults):
        return ()
    if len(table.rows) != DECK_CARDS:
        reader.fault(None, "", f"there must be {DECK_CARDS} cards, not {len(table.rows)}")
    return read_cards(reader, first, [(deck, BASE)] * len(table.rows))


def read_envelopes(reader: CardReader, first: int) -> tuple[Card, ...]:
    """Return the cards of the envelopes a pack has, numbered from `first`, adding a fault for everything wrong."""
    table = reader.table
    if not check_columns(table, ENVELOPE_COLUMNS, (SCIENTIFIC_NAME,), reader.faults):
        return ()
    places = [
        (DECKS.get(reader.choice(row, "deck", DECKS), Deck.W), reader.choice(row, SET, dict.fromkeys(ENVELOPES, 0)))
        for row in table.rows
    ]
    for envelope in ENVELOPES:
        found = sum(card_set == envelope for _, card_set in places)
        if found not in (0, ENVELOPE_CARDS):
            message = f"envelope {envelope} must have {ENVELOPE_CARDS} cards, or be left out, not {found}"
            reader.fault(None, SET, message)
    return read_cards(reader, first, places)


def read_cards(reader: CardReader, first: int, places: list[tuple[Deck, str]]) -> tuple[Card, ...]:
    """Return the cards of a table, numbered from `first`, given the deck and the set of each row."""
    cards: list[Card] = []
    for row, (deck, card_set) in zip(reader.table.rows, places, strict=True):
        if card := reader.card(row, first + len(cards), deck, card_set):
            cards.append(card)
    return tuple(cards)


def read_start_cards(reader: CardReader, first: int, card_set: str = BASE) -> tuple[Card, ...]:
    """Return the sides of the starting ground cards, numbered from `first`, adding a fault for everything wrong.

    The two sides of a card have the same number in the column `card`.
    """
    if not check_columns(reader.table, START_COLUMNS, (SCIENTIFIC_NAME,), reader.faults):
        return ()
    rows = reader.table.rows
    of_card = [reader.number(row, "card", START_CARDS) for row in rows]
    for card in range(1, START_CARDS + 1):
        if of_card.count(card) != 2:
            reader.fault(None, "card", f"starting ground card {card} must have 2 sides, not {of_card.count(card)}")
    sides: list[Card] = []
    for number, row in enumerate(rows):
        grounds, symbols = reader.start_side(row)
        twin = next((other for other, card in enumerate(of_card) if card == of_card[number] and other != number), 0)
        names = reader.name(row, "id"), reader.name(row, "name"), reader.text(row, SCIENTIFIC_NAME, required=False)
        sides.append(
            Card(
                first + number,
                *names,
                Deck.START,
                Kind.GROUND,
                grounds,
                symbols,
                requirements=(),
                points=0,
                card_set=card_set,
                other_side=first + twin,
            )
        )
    return tuple(sides)


def read_goal_tokens(reader: CardReader, sets: tuple[str, ...]) -> tuple[GoalToken, ...]:
    """Return the goal tokens, adding a fault for everything wrong.

    Args:
        reader: a table of id, symbol and, for a token that is not basic, the set.
        sets: the sets of cards the pack has: envelope U brings its token with it.
    """
    if not check_columns(reader.table, GOAL_COLUMNS, (SET,), reader.faults):
        return ()
    tokens: list[GoalToken] = []
    for row in reader.table.rows:
        token_id, symbol = reader.id(row), reader.symbol(row, "symbol", row.values["symbol"])
        card_set = row.values.get(SET) or BASE
        if card_set not in (BASE, ENVELOPE_U):
            reader.fault(row, SET, f"{card_set!r}: a goal token is basic (an empty cell) or belongs to {ENVELOPE_U}")
        if symbol is None:
            continue
        if symbol in GROUNDS:
            reader.fault(row, "symbol", "a goal is a card symbol")
        if (symbol == BIG_ENCOUNTER) != (card_set == ENVELOPE_U):
            reader.fault(row, "symbol", f"the token of envelope {ENVELOPE_U} shows a {SYMBOLS[BIG_ENCOUNTER]}")
        reader.unique(row, "symbol", symbol, repr(SYMBOLS[symbol]))
        tokens.append(GoalToken(len(tokens), token_id, symbol, card_set))
    for card_set, expected in ((BASE, BASE_GOALS), (ENVELOPE_U, int(ENVELOPE_U in sets))):
        found = sum(token.card_set == card_set for token in tokens)
        if found != expected:
            reader.fault(None, SET, f"set {card_set}: the goal tokens must number {expected}, not {found}")
    return tuple(tokens)
