"""Random positions with random cards, written as text for the engine: corners of the rules that games hardly reach."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from random import Random

from tests.meadow.cards import box_of
from tests.reference.meadow_game import COLOURS, from_position
from tests.reference.meadow_lockstep import FAMILY, Lockstep, box
from tests.reference.meadow_pack import DECKS, ENCOUNTER, GROUNDS, Paper, need_of
from tests.reference.meadow_playing import Play
from tests.reference.meadow_table import BONUSES, Hand, Rover, Table

SYMBOLS = ("tree", "bird", "paw", "fence", "house", "flower", "berries", "mushroom", "butterfly", "predator", "larva")
KINDS = ("ground", "observation", "landscape", "discovery")
CARDS, MAX_SEATS = 110, 4


@dataclass
class Printer:
    """Prints cards with few different symbols, so that requirements and meadows often meet."""

    rng: Random
    symbols: list[str]
    grounds: list[str]
    encounters: float

    def card(self, number: int) -> Paper:
        """A card of any kind; its id says what is printed on it, as `tests.meadow.cards` reads it."""
        kind = self.rng.choices(KINDS, (3, 9, 2, 2))[0]
        deck = self.rng.choice(DECKS)
        if kind == "ground":
            shows = self.some(self.grounds, (0, 4, 1)) + self.some(self.symbols, (2, 5, 1))
            needs = []
        else:
            shows = self.some(self.symbols, (0, 4, 2)) if kind == "observation" else []
            needs = [self.need() for _ in range(self.rng.choice((1, 1, 2, 2, 2, 3, 3, 4, 5)))]
            needs = needs if kind == "observation" else needs[1:]
        if kind == "observation" and self.rng.random() < self.encounters:
            shows = [*shows[:1], ENCOUNTER]
        return self.paper(number, deck, kind, shows, needs)

    def paper(self, number: int, deck: str, kind: str, shows: list[str], needs: list[str]) -> Paper:
        """A card with this on it."""
        points = self.rng.randrange(6)
        front = "+".join(shows) if kind in ("ground", "observation") else kind
        name = f"{deck}.{front}({'+'.join(needs)}){points}~{number}".replace(" ", "-")
        return Paper(name, deck, kind, tuple(shows), tuple(map(need_of, needs)), points)

    def need(self) -> str:
        """A requirement: a third of them with a slash, a quarter with arrows."""
        symbols = self.rng.sample([*self.symbols, *self.grounds], 2)
        text = symbols[0] if self.rng.random() < 0.65 else "/".join(symbols)
        return f"<{text}>" if self.rng.random() < 0.25 else text

    def some(self, symbols: list[str], weights: tuple[int, int, int]) -> list[str]:
        """None, one or two symbols, perhaps twice the same."""
        return self.rng.choices(symbols, k=self.rng.choices((0, 1, 2), weights)[0])


@lru_cache(maxsize=64)
def random_cards(seed: int) -> tuple[Printer, dict[str, Paper]]:
    """A printer and its cards by id, with four more grounds at the end, so that each seat has one."""
    rng = Random(seed)
    symbols, grounds = rng.sample(SYMBOLS, rng.choice((2, 3, 5))), rng.sample(GROUNDS, rng.choice((1, 2, 3)))
    printer = Printer(rng, symbols, grounds, rng.random() / 4)
    papers = [printer.card(number) for number in range(CARDS)]
    papers += [printer.paper(CARDS + n, "E", "ground", [rng.choice(grounds)], []) for n in range(MAX_SEATS)]
    return printer, {paper.id: paper for paper in papers}


def random_position(rng: Random, seats: int, cards: int, most_columns: int = 10) -> tuple[Lockstep, Play]:
    """A game that begins with some seat's turn in the middle of a round, with the random cards of a number."""
    printer, papers = random_cards(cards)
    table = Table(replace(box(), papers=papers), seats, {deck: [] for deck in DECKS}, list)
    _deal(table, rng, most_columns)
    _lay_goals(table, printer.symbols, rng)
    table.roads = rng.choice((0, 1, 2, 20))
    table.round = rng.randrange(1, table.rounds + 1)
    table.halfway = table.round > table.box.campfires[seats].hourglass
    table.first = rng.randrange(seats)
    _place_tokens(table, rng)
    if seats == 1:
        _add_rover(table, rng)
    state = FAMILY.parse_position(box_of(tuple(papers)), position_text(table))[-1]
    return Lockstep(state, table), from_position(table, table.first)


def _deal(table: Table, rng: Random, most_columns: int) -> None:
    """Cards into meadows, surroundings and hands, onto the board and into decks that may be short."""
    piles: dict[str, list[str]] = {kind: [] for kind in KINDS}
    for paper in rng.sample(list(table.box.papers.values()), len(table.box.papers)):
        piles[paper.kind].append(paper.id)
    for seat in range(table.seats):
        _lay_out(table, seat, piles, rng, most_columns)
    rest = [card for pile in piles.values() for card in pile]
    rng.shuffle(rest)
    for hand in table.hands:
        hand.cards = [rest.pop() for _ in range(min(rng.randrange(10), len(rest)))]
        hand.roads = rng.randrange(3)
    for spot in range(16):
        if rest and rng.random() < 0.9:
            table.board[spot] = rest.pop()
    for card in rest:
        if rng.random() < 0.7:
            table.decks[table.paper(card).deck].append(card)


def _lay_out(table: Table, seat: int, piles: dict[str, list[str]], rng: Random, most_columns: int) -> None:
    """A seat's meadow and surroundings; some cards of each kind are left for the others."""
    hand = table.hands[seat]
    for _ in range(rng.randrange(1, most_columns + 1)):
        if len(piles["ground"]) > table.seats - seat or not hand.columns:
            table.lay_ground(seat, piles["ground"].pop(), 1)
    for column in hand.columns:
        for _ in range(rng.choice((0, 0, 1, 1, 2))):
            if len(piles["observation"]) > 12:
                column.append(piles["observation"].pop())
    for _ in range(rng.randrange(3)):
        if piles["landscape"]:
            hand.landscapes.append([piles["landscape"].pop()])
            if rng.random() < 0.5 and piles["discovery"]:
                hand.landscapes[-1].append(piles["discovery"].pop())


def _lay_goals(table: Table, symbols: list[str], rng: Random) -> None:
    """As many goal tokens as with this number of players, those of the cards' symbols among them; some claimed."""
    number = {1: 3, 2: 5, 3: 8, 4: 11}[table.seats]
    others = [symbol for symbol in SYMBOLS if symbol not in symbols]
    table.goals = [*symbols, *rng.sample(others, len(others))][:number]
    rng.shuffle(table.goals)
    for seat, hand in enumerate(table.hands):
        for _ in range(rng.randrange(len(BONUSES) + 1)):
            pair = rng.randrange(number)
            if pair not in table.claims:
                table.claims[pair] = seat
                hand.bonuses += 1


def _place_tokens(table: Table, rng: Random) -> None:
    """Tokens of earlier turns of this round."""
    tokens = "1234" if table.seats == 4 else "1234?"
    used = rng.randrange(len(tokens))
    for seat, hand in enumerate(table.hands):
        hand.tokens = set(tokens)
        for token in rng.sample(tokens, used):
            hand.tokens.remove(token)
            table.places[rng.choice(table.free_places())] = f"{seat}:{token}"


def _add_rover(table: Table, rng: Random) -> None:
    """Rover has moved as often as the player, and is about to move again."""
    table.rover = Rover(rng.sample(range(3), 3))
    tokens = [f"{colour}:{token}" for colour in COLOURS for token in "1234?"]
    rng.shuffle(tokens)
    for _ in range(5 - len(table.hands[0].tokens)):
        piece = tokens.pop()
        sides = "C" if piece.endswith("?") else "LRB"
        free = [place for place in table.free_places() if place[0] in sides]
        if free:
            table.places[rng.choice(free)] = piece
    table.rover.pile = tokens
    spare = next(spot for spot in range(16) if table.board[spot] is not None)
    card = table.board[spare]
    assert card is not None
    table.rover.cards = [card]
    table.board[spare] = None


def position_text(table: Table) -> str:
    """The table in the engine's notation."""
    lines = [f"meadow seats {table.seats} first {table.first} turn {table.first} round {table.round}"]
    lines[0] += " halfway" if table.halfway else ""
    lines.append("envelopes U")
    spots = [card or "-----" for card in table.board]
    lines += ["board " + " ".join(spots[row : row + 4]) for row in range(0, 16, 4)]
    lines += [f"deck {letter} {' '.join(deck)}" for letter, deck in table.decks.items()]
    lines.append("goals " + ", ".join(table.goals))
    lines += [f"claim {pair} by {seat}" for pair, seat in table.claims.items()]
    lines.append(f"supply {table.roads}")
    for place, piece in table.places.items():
        owner, token = piece.split(":")
        lines.append(f"token {token} at {place} by {owner}")
    for seat, hand in enumerate(table.hands):
        lines += _hand_lines(seat, hand)
    if table.rover:
        lines.append("rover markers " + " ".join(map(str, table.rover.markers)))
        lines.append("pile " + " ".join(table.rover.pile))
        lines.append("dealt " + " ".join(table.rover.cards))
    return "\n".join(lines)


def _hand_lines(seat: int, hand: Hand) -> list[str]:
    lines = [f"seat {seat} tokens {''.join(sorted(hand.tokens))} roads {hand.roads} bonuses {hand.bonuses}"]
    lines.append("hand " + " ".join(hand.cards))
    lines += ["column " + " ".join(column) for column in hand.columns]
    return lines + ["landscape " + " ".join(landscape) for landscape in hand.landscapes]
