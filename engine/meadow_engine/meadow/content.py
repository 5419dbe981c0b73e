"""Meadow's part of a content pack: which files it has, what they must hold, and the catalogue made of them.

Downstream's part joins it when a pack has one: the cards of both make one catalogue.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from meadow_engine.content.faults import ContentError, ContentFault
from meadow_engine.content.pack import Pack
from meadow_engine.content.tables import Table
from meadow_engine.meadow.catalogue import (
    BASE,
    DOWNSTREAM,
    ENVELOPE_U,
    ENVELOPE_Z,
    ENVELOPES,
    Card,
    Catalogue,
    Deck,
    GoalToken,
)
from meadow_engine.meadow.content_boards import main_board, read_boards
from meadow_engine.meadow.content_cards import (
    CardReader,
    none_taken,
    read_deck,
    read_envelopes,
    read_goal_tokens,
    read_start_cards,
)
from meadow_engine.meadow.downstream import content as downstream
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
COMPANIONS = {
    BASE: (BASE,),
    **{envelope: (BASE, envelope) for envelope in ENVELOPES},
    DOWNSTREAM: (BASE, ENVELOPE_U, DOWNSTREAM),
    ENVELOPE_Z: (BASE, ENVELOPE_U, DOWNSTREAM, ENVELOPE_Z),
}
"""For each set, those that are in play whenever it is: its cards may ask for what these grant."""


class Printed(NamedTuple):
    """What the rows of the tables say, number by number."""

    cards: tuple[Card, ...]
    goal_tokens: tuple[GoalToken, ...]


def check(pack: Pack) -> list[ContentFault]:
    """Return everything wrong with the pack's components of this game, in the order of files and rows.

    Downstream's are among them if the pack has any.
    """
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
    has_downstream = downstream.GAME in pack.games
    _check_presence(pack, GAME, FILES, faults)
    if has_downstream:
        _check_presence(pack, downstream.GAME, downstream.FILES, faults)
    if faults:
        return None
    taken = none_taken()
    cards = _read_cards(pack, taken, faults)
    tokens = read_goal_tokens(CardReader(pack.tables[GOALS], faults, none_taken()), _sets(cards))
    campfires, solo_token = read_boards(pack.documents[BOARDS], faults)
    expansion = None
    if has_downstream:
        if ENVELOPE_U not in _sets(cards):
            message = f"envelope {ENVELOPE_U} is missing: Downstream is played with it"
            faults.append(ContentFault(ENVELOPE, 0, "set", message))
        cards += (river := downstream.read_cards(pack, taken, len(cards), faults)).all
        tokens += downstream.read_goal_tokens(pack, tokens, faults)
        expansion = downstream.read_components(pack, river, faults)
    if not faults:  # while cards are missing, so are symbols: that would be no news
        _check_symbols(pack, Printed(cards, tokens), faults)
    if faults:
        return None
    sets = _sets(cards)
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
        start_cards=tuple(
            (card.number, card.other_side) for card in cards if card.card_set == BASE and card.number < card.other_side
        ),
        card_ids={card.id: card.number for card in cards},
        goal_token_ids={token.id: token.number for token in tokens},
        downstream=expansion,
    )


def _check_presence(pack: Pack, game: str, files: tuple[str, ...], faults: list[ContentFault]) -> None:
    """Add a fault for each file that a game lacks, and for each setting: it has none."""
    faults.extend(
        ContentFault(file, 0, "", f"the file is missing: {game} needs it")
        for file in files
        if file not in pack.tables and file not in pack.documents
    )
    for key in pack.settings.get(game, {}):
        row = pack.manifest.line(game, 0, key)
        faults.append(ContentFault(pack.manifest.file, row, key, "unknown entry; this game has no settings"))


def _sets(cards: tuple[Card, ...]) -> tuple[str, ...]:
    return tuple(name for name in COMPANIONS if any(card.card_set == name for card in cards))


def _read_cards(pack: Pack, taken: dict[str, dict[str, str]], faults: list[ContentFault]) -> tuple[Card, ...]:
    def reader(table: Table) -> CardReader:
        return CardReader(table, faults, taken)

    cards: tuple[Card, ...] = ()
    for deck, file in DECK_FILES.items():
        cards += read_deck(reader(pack.tables[file]), deck, len(cards))
    cards += read_start_cards(reader(pack.tables[START]), len(cards))
    return cards + read_envelopes(reader(pack.tables[ENVELOPE]), len(cards))


def _check_symbols(pack: Pack, printed: Printed, faults: list[ContentFault]) -> None:
    """Add a fault for each symbol asked for that no card grants which is in play whenever it is."""
    granted = {
        name: _granted(card for card in printed.cards if card.card_set in companions)
        for name, companions in COMPANIONS.items()
    }
    rows = {row.values["id"]: (file, row.line) for file, table in _card_tables(pack) for row in table.rows}
    for card in printed.cards:
        for requirement in card.requirements:
            for symbol in requirement.symbols:
                if symbol not in granted[card.card_set]:
                    file, row = rows[card.id]
                    message = f"no card grants {SYMBOLS[symbol]!r}, so nobody could fulfil this"
                    faults.append(ContentFault(file, row, "requires", message))
    for token in printed.goal_tokens:
        if token.symbol not in granted[token.card_set]:
            file = downstream.GOALS if token.card_set == DOWNSTREAM else GOALS
            message = f"no card grants {SYMBOLS[token.symbol]!r}, so nobody could fulfil this goal"
            faults.append(ContentFault(file, 0, "symbol", message))


def _card_tables(pack: Pack) -> Iterable[tuple[str, Table]]:
    files = [file for file in (*FILES, *downstream.FILES) if file not in (GOALS, downstream.GOALS)]
    return ((file, pack.tables[file]) for file in files if file in pack.tables)


def _granted(cards: Iterable[Card]) -> frozenset[int]:
    return frozenset(symbol for card in cards for symbol in (*card.grounds, *card.symbols))
