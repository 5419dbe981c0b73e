"""Downstream's part of a content pack: which files it has, and what is made of them.

It is an expansion: `meadow_engine.meadow.content` reads it together with Meadow's cards into one catalogue.
"""

from __future__ import annotations

from typing import NamedTuple

from meadow_engine.content.faults import ContentFault
from meadow_engine.content.pack import Pack
from meadow_engine.meadow.catalogue import DOWNSTREAM, Card, Deck, GoalToken
from meadow_engine.meadow.content_cards import Taken, none_taken, read_start_cards
from meadow_engine.meadow.downstream import content_cards
from meadow_engine.meadow.downstream.catalogue import Downstream
from meadow_engine.meadow.downstream.content_boards import read_boards
from meadow_engine.meadow.downstream.content_cards import WaterReader, read_base, read_envelope, read_pile, read_river

GAME = "downstream"
"""How a pack names this game."""
RIVER = "downstream_river.csv"
BASE_DECKS = "downstream_base.csv"
START = "downstream_start.csv"
SUNSET = "downstream_sunset.csv"
BEAVER_DAM = "downstream_dam.csv"
ENVELOPE = "downstream_z.csv"
GOALS = "downstream_goals.csv"
BOARDS = "downstream_boards.toml"
FILES = (RIVER, BASE_DECKS, START, SUNSET, BEAVER_DAM, ENVELOPE, GOALS, BOARDS)
"""The files a pack needs for this game, beside Meadow's."""


class WaterCards(NamedTuple):
    """All cards of Downstream."""

    decks: tuple[Card, ...]
    """Those of the river deck, and those that join the base game's decks."""
    start: tuple[Card, ...]
    sunset: tuple[Card, ...]
    beaver_dams: tuple[Card, ...]
    envelope: tuple[Card, ...]

    @property
    def all(self) -> tuple[Card, ...]:
        """In the order of their numbers."""
        return (*self.decks, *self.start, *self.sunset, *self.beaver_dams, *self.envelope)


def read_cards(pack: Pack, taken: Taken, first: int, faults: list[ContentFault]) -> WaterCards:
    """Return the cards, numbered from `first`, adding a fault for everything wrong.

    Args:
        pack: a pack with all of `FILES`.
        taken: the ids and names of Meadow's cards; those of Downstream's join them.
        first: the number of the first card.
        faults: gets whatever is wrong.
    """

    def reader(file: str) -> WaterReader:
        return WaterReader(pack.tables[file], faults, taken)

    river = read_river(reader(RIVER), first)
    decks = river + read_base(reader(BASE_DECKS), first + len(river))
    number = first + len(decks)
    start = read_start_cards(reader(START), number, DOWNSTREAM)
    number += len(start)
    sunset = read_pile(reader(SUNSET), number, Deck.SUNSET)
    number += len(sunset)
    beaver_dams = read_pile(reader(BEAVER_DAM), number, Deck.BEAVER_DAM)
    number += len(beaver_dams)
    return WaterCards(decks, start, sunset, beaver_dams, read_envelope(reader(ENVELOPE), number))


def read_goal_tokens(pack: Pack, others: tuple[GoalToken, ...], faults: list[ContentFault]) -> tuple[GoalToken, ...]:
    """Return the goal token that joins the others, adding a fault for everything wrong."""
    return content_cards.read_goal_tokens(WaterReader(pack.tables[GOALS], faults, none_taken()), others)


def read_components(pack: Pack, cards: WaterCards, faults: list[ContentFault]) -> Downstream:
    """Return everything beside cards and goal token, adding a fault for everything wrong.

    The result is meaningful only when nothing is.
    """
    boards = read_boards(pack.documents[BOARDS], faults)
    return Downstream(
        sides=boards.sides,
        waterfalls=boards.waterfalls,
        solo_notches=boards.solo_notches,
        start_cards=tuple((card.number, card.other_side) for card in cards.start if card.number < card.other_side),
        sunset=tuple(card.number for card in cards.sunset),
        beaver_dams=tuple(card.number for card in cards.beaver_dams),
    )
