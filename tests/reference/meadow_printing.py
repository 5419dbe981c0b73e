"""Random cards for random positions, for the reference and for the engine."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from random import Random

from meadow_engine.content.library import builtin_pack
from meadow_engine.meadow import content
from meadow_engine.meadow.catalogue import BASE, ENVELOPE_U, Card, Catalogue, Deck, Kind, Requirement
from meadow_engine.meadow.symbols import SYMBOL_NUMBERS

from tests.reference.downstream_pack import OUT_OF_PLAY, RIVER
from tests.reference.meadow_pack import DECKS, ENCOUNTER, FISH, GROUNDS, WATERY, Paper, need_of

SYMBOLS = ("tree", "bird", "paw", "fence", "house", "flower", "berries", "mushroom", "butterfly", "predator", "larva")
TRIANGLE = "nature monument"
KINDS = ("ground", "observation", "landscape", "discovery")
CARDS, MAX_SEATS, PILE = 110, 4, 4
BACKS = {"landscape": Deck.SUNSET, "observation": Deck.BEAVER_DAM}
"""Of the cards that leave the game when they are discarded."""


@dataclass
class Printer:
    """Prints cards with few different symbols, so that requirements and meadows often meet."""

    rng: Random
    symbols: list[str]
    grounds: list[str]
    encounters: float
    decks: str | tuple[str, ...] = DECKS
    oars: float = 0

    def card(self, number: int) -> Paper:
        """A card of any kind; its id says what is printed on it."""
        kind = self.rng.choices(KINDS, (3, 9, 2, 2))[0]
        return self.paper(number, self.rng.choice(self.decks), kind)

    def paper(self, number: int, deck: str, kind: str) -> Paper:
        """A card of a deck and a kind, with anything on it."""
        if kind == "ground":
            shows = self.some(self.grounds, (0, 4, 1)) + self.some(self.symbols, (2, 5, 1))
            needs = []
        else:
            shows = self.some(self.symbols, (0, 4, 2)) if kind == "observation" else []
            needs = [self.need() for _ in range(self.rng.choice((1, 1, 2, 2, 2, 3, 3, 4, 5)))]
            needs = needs if kind == "observation" else needs[1:]
        if kind == "observation" and self.rng.random() < self.encounters:
            shows = [*shows[:1], ENCOUNTER]
        points = self.rng.randrange(6)
        oar = self.rng.choice((1, 2, 3, 4)) if self.oars and self.rng.random() < self.oars else 0
        name = f"{number}-{deck}-{kind}:{'+'.join(shows)}({'+'.join(needs)}){points}^{oar}".replace(" ", "-")
        return Paper(name, deck, kind, tuple(shows), tuple(map(need_of, needs)), points, oar=oar)

    def need(self) -> str:
        """A requirement: a third of them with a slash, a quarter with arrows."""
        symbols = self.rng.sample([*self.symbols, *self.grounds], 2)
        text = symbols[0] if self.rng.random() < 0.65 else "/".join(symbols)
        return f"<{text}>" if self.rng.random() < 0.25 else text

    def some(self, symbols: list[str], weights: tuple[int, int, int]) -> list[str]:
        """None, one or two symbols, perhaps twice the same."""
        return self.rng.choices(symbols, k=self.rng.choices((0, 1, 2), weights)[0])

    def cards(self) -> dict[str, Paper]:
        """Many cards by id, among them so many grounds that each seat has one."""
        papers = [self.card(number) for number in range(CARDS)]
        papers += [self.paper(CARDS + n, "E", "ground") for n in range(MAX_SEATS)]
        return {paper.id: paper for paper in papers}


@lru_cache(maxsize=64)
def random_cards(seed: int) -> tuple[Printer, dict[str, Paper], Catalogue]:
    """A printer, and its cards by id and as the engine wants them."""
    rng = Random(seed)
    symbols, grounds = rng.sample(SYMBOLS, rng.choice((2, 3, 5))), rng.sample(GROUNDS, rng.choice((1, 2, 3)))
    printer = Printer(rng, symbols, grounds, rng.random() / 4)
    papers = printer.cards()
    return printer, papers, catalogue_of(papers.values())


@lru_cache(maxsize=64)
def random_river_cards(seed: int) -> tuple[Printer, dict[str, Paper], Catalogue]:
    """The same for Downstream: much water, fish and triangles, oars, and piles of sunset and beaver dam cards."""
    rng = Random(seed)
    symbols = [*rng.sample(SYMBOLS, rng.choice((1, 2, 4))), FISH, TRIANGLE]
    grounds = [WATERY, *rng.sample(GROUNDS, rng.choice((1, 2)))]
    printer = Printer(rng, symbols, grounds, rng.random() / 8, (*DECKS, RIVER, RIVER, RIVER), rng.random())
    papers = printer.cards()
    for number in range(PILE):
        for kind in BACKS:
            paper = replace(printer.paper(len(papers), OUT_OF_PLAY, kind), points=PILE - number)
            papers[paper.id] = paper
    return printer, papers, catalogue_of(papers.values())


def catalogue_of(papers: Iterable[Paper]) -> Catalogue:
    """Boards, tokens and Rover's token of the built-in pack, with these cards."""
    cards = tuple(card_of(number, paper) for number, paper in enumerate(papers))
    return replace(
        content.catalogue(builtin_pack()),
        cards=cards,
        card_ids={card.id: card.number for card in cards},
        start_cards=(),
        sets=(BASE, ENVELOPE_U),
        decks={},
    )


def card_of(number: int, paper: Paper) -> Card:
    """A card as the engine has it."""
    return Card(
        number,
        paper.id,
        paper.id,
        "",
        deck=BACKS[paper.kind] if paper.deck == OUT_OF_PLAY else Deck[paper.deck],
        kind=Kind[paper.kind.upper()],
        grounds=numbers(paper.grounds),
        symbols=numbers(paper.top),
        requirements=tuple(Requirement(numbers(need.symbols), need.arrows) for need in paper.needs),
        points=paper.points,
        card_set=ENVELOPE_U if ENCOUNTER in paper.shows else BASE,
        oar=paper.oar,
    )


def numbers(symbols: Iterable[str]) -> tuple[int, ...]:
    """The engine's numbers of symbols."""
    return tuple(sorted(SYMBOL_NUMBERS[symbol] for symbol in symbols))
