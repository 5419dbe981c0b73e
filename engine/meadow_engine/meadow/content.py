"""Meadow's part of a content pack: which files it has, what they must hold, and the catalogue made of them."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from meadow_engine.content.faults import ContentError, ContentFault
from meadow_engine.content.pack import Pack
from meadow_engine.content.tables import Table
from meadow_engine.meadow.catalogue import BASE, ENVELOPES, Card, Catalogue, Deck, GoalToken
from meadow_engine.meadow.content_boards import main_board, read_boards
from meadow_engine.meadow.content_cards import (
    CardReader,
    read_deck,
    read_envelopes,
    read_goal_tokens,
    read_start_cards,
)
from meadow_engine.meadow.symbols import SYMBOLS

GAME = "meadow"
"""How a pack names this game."""
DECK_FILES = {
    Deck.W: "meadow_w.csv",
    Deck.S: "meadow_s.csv",
    Deck.E: "meadow_e.csv",
    Deck.N: "meadow_n.csv",
}
START = "meadow_start.csv"
ENVELOPE = "meadow_envelopes.csv"
GOALS = "meadow_goals.csv"
BOARDS = "meadow_boards.toml"
FILES = (*DECK_FILES.values(), START, ENVELOPE, GOALS, BOARDS)
"""The files a pack needs for this game."""


def check(pack: Pack) -> list[ContentFault]:
    """Return everything wrong with the pack's components of this game, in the order of files and rows."""
    faults: list[ContentFault] = []
    _read(pack, faults)
    return sorted(faults)


@lru_cache(maxsize=64)
def catalogue(pack: Pack) -> Catalogue:
    """Return the components of a pack; equal packs share one catalogue.

    Raises:
        ContentError: the pack is faulty.
    """
    faults: list[ContentFault] = []
    built = _read(pack, faults)
    if faults or built is None:
        raise ContentError(faults)
    return built


def _read(pack: Pack, faults: list[ContentFault]) -> Catalogue | None:
    faults.extend(
        ContentFault(file, 0, "", f"the file is missing: {GAME} needs it")
        for file in FILES
        if file not in pack.tables and file not in pack.documents
    )
    for key in pack.settings.get(GAME, {}):
        row = pack.manifest.line(GAME, 0, key)
        faults.append(ContentFault(pack.manifest.file, row, key, "unknown entry; this game has no settings"))
    if faults:
        return None
    cards = _read_cards(pack, faults)
    sets = tuple(name for name in (BASE, *ENVELOPES) if any(card.card_set == name for card in cards))
    goals = CardReader(pack.tables[GOALS], faults, {}, {})
    tokens = read_goal_tokens(goals, sets)
    campfires, solo_token = read_boards(pack.documents[BOARDS], faults)
    if not faults:  # while cards are missing, so are symbols: that would be no news
        _check_symbols(pack, cards, goals, tokens)
    if faults:
        return None
    return Catalogue(
        pack_hash=pack.hash,
        cards=cards,
        goal_tokens=tokens,
        main_board=main_board(),
        campfires=campfires,
        solo_token=solo_token,
        sets=sets,
        decks={
            name: tuple(
                tuple(card.number for card in cards if card.deck is deck and card.card_set == name) for deck in Deck
            )
            for name in sets
        },
        start_cards=tuple((card.number, card.other_side) for card in cards if card.number < card.other_side),
        card_ids={card.id: card.number for card in cards},
        goal_token_ids={token.id: token.number for token in tokens},
    )


def _read_cards(pack: Pack, faults: list[ContentFault]) -> tuple[Card, ...]:
    ids: dict[str, str] = {}
    names: dict[str, str] = {}

    def reader(table: Table) -> CardReader:
        return CardReader(table, faults, ids, names)

    cards: tuple[Card, ...] = ()
    for deck, file in DECK_FILES.items():
        cards += read_deck(reader(pack.tables[file]), deck, len(cards))
    cards += read_start_cards(reader(pack.tables[START]), len(cards))
    return cards + read_envelopes(reader(pack.tables[ENVELOPE]), len(cards))


def _check_symbols(pack: Pack, cards: tuple[Card, ...], goals: CardReader, tokens: tuple[GoalToken, ...]) -> None:
    """Add a fault for each symbol asked for that no card grants.

    A base card must do without the envelopes, and each envelope without the others.
    """
    granted = {name: _granted(card for card in cards if card.card_set in (BASE, name)) for name in (BASE, *ENVELOPES)}
    files = [file for file in FILES if file in pack.tables]
    rows = {row.values.get("id"): (file, row.line) for file in files for row in pack.tables[file].rows}
    for card in cards:
        for requirement in card.requirements:
            for symbol in requirement.symbols:
                if symbol not in granted.get(card.card_set, granted[BASE]):
                    file, row = rows[card.id]
                    message = f"no card grants {SYMBOLS[symbol]!r}, so nobody could fulfil this"
                    goals.faults.append(ContentFault(file, row, "requires", message))
    for token in tokens:
        if token.symbol not in granted.get(token.card_set, granted[BASE]):
            goals.fault(None, "symbol", f"no card grants {SYMBOLS[token.symbol]!r}, so nobody could fulfil this goal")


def _granted(cards: Iterable[Card]) -> frozenset[int]:
    return frozenset(symbol for card in cards for symbol in (*card.grounds, *card.symbols))
