"""Random positions with random cards, written as text for the engine: corners of the rules that games hardly reach."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from tests.reference.downstream_table import River, Tokens
from tests.reference.meadow_game import COLOURS, from_position
from tests.reference.meadow_lockstep import FAMILY, Lockstep, box
from tests.reference.meadow_pack import DECKS
from tests.reference.meadow_playing import Play
from tests.reference.meadow_printing import KINDS, SYMBOLS, TRIANGLE, random_cards
from tests.reference.meadow_table import BONUSES, RIVER_TRAIL, Hand, Rover, Table

GAP = "-----"


def random_position(rng: Random, seats: int, cards: int, most_columns: int = 10) -> tuple[Lockstep, Play]:
    """A game that begins with some seat's turn in the middle of a round, with the random cards of a number."""
    printer, papers, catalogue = random_cards(cards)
    table = Table(replace(box(), papers=papers), seats, {deck: [] for deck in DECKS}, list)
    deal(table, rng, most_columns)
    lay_goals(table, printer.symbols, rng)
    table.roads = rng.choice((0, 1, 2, 20))
    table.round = rng.randrange(1, table.rounds + 1)
    table.halfway = table.round > table.box.campfires[seats].hourglass
    table.first = rng.randrange(seats)
    place_tokens(table, rng)
    if seats == 1:
        add_rover(table, rng)
    state = FAMILY.parse_position(catalogue, position_text(table))[-1]
    return Lockstep(state, table), from_position(table, table.first)


def deal(table: Table, rng: Random, most_columns: int) -> None:
    """Cards into meadows, surroundings and hands, onto the board and into decks that may be short."""
    piles: dict[str, list[str]] = {kind: [] for kind in KINDS}
    lying = {*table.river.sunset, *table.river.dams} if table.river else set()
    for paper in rng.sample(list(table.box.papers.values()), len(table.box.papers)):
        if paper.id not in lying:
            piles[paper.kind].append(paper.id)
    for seat in range(table.seats):
        _lay_out(table, seat, piles, rng, most_columns)
    rest = [card for pile in piles.values() for card in pile]
    rng.shuffle(rest)
    for hand in table.hands:
        hand.cards = [rest.pop() for _ in range(min(rng.randrange(10), len(rest)))]
        hand.roads = rng.randrange(3)
    rest = [card for card in rest if table.paper(card).deck in table.decks]
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


def lay_goals(table: Table, symbols: list[str], rng: Random) -> None:
    """As many goal tokens as with this number of players, those of the cards' symbols among them; some claimed."""
    number = {1: 3, 2: 5, 3: 8, 4: 11}[table.seats]
    others = [symbol for symbol in SYMBOLS if symbol not in symbols]
    table.goals = [*symbols, *rng.sample(others, len(others))][:number]
    rng.shuffle(table.goals)
    if table.river and table.river.lazy:
        table.river.goals = rng.sample([symbol for symbol in (*symbols, *SYMBOLS) if symbol != TRIANGLE], 2)
    for seat, hand in enumerate(table.hands):
        for _ in range(rng.randrange(len(BONUSES) + 1)):
            pair = rng.randrange(number)
            if pair not in table.claims:
                table.claims[pair] = seat
                hand.bonuses += 1


def place_tokens(table: Table, rng: Random) -> None:
    """Tokens of earlier turns of this round."""
    table.places = {}
    tokens = ("1234" if table.seats == 4 else "1234?") + (RIVER_TRAIL if table.river else "")
    used = rng.randrange(len(tokens))
    for seat, hand in enumerate(table.hands):
        hand.tokens = set(tokens)
        for token in rng.sample(tokens, used):
            places = sorted(place for placed, place in table.placements(seat) if placed == token)
            hand.tokens.remove(token)
            table.places[rng.choice(places)] = f"{seat}:{token}"


def add_rover(table: Table, rng: Random) -> None:
    """Rover has moved as often as the player, and is about to move again."""
    table.rover = Rover(rng.sample(range(3), 3))
    tokens = [f"{colour}:{token}" for colour in COLOURS for token in "1234?"]
    rng.shuffle(tokens)
    for _ in range((6 if table.river else 5) - len(table.hands[0].tokens)):
        piece = tokens.pop()
        sides = "C" if piece.endswith("?") else "LRB"
        free = [place for place in table.free_places() if place[0] in sides]
        if free:
            table.places[rng.choice(free)] = piece
        if table.river and piece.endswith("?"):
            rovers = sum(owner[0] in "123" for owner in table.places.values() if owner.endswith(RIVER_TRAIL))
            table.places[rng.choice([place for place in table.free_places() if place[0] == "V"])] = f"{rovers + 1}:R"
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
    if table.river:
        lines[1:1] = _river_lines(table, table.river)
    spots = [card or GAP for card in table.board]
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


def _river_lines(table: Table, river: River) -> list[str]:
    """The river board in the engine's notation."""
    spaces = list(river.side.spaces)
    lines = ["side lazy_river" if river.lazy else "side wild_rapids"]
    area = [card or GAP for card in river.area]
    lines += ["river " + " ".join(area[row : row + 4]) for row in (0, 4)]
    for seat in range(table.seats):
        lines.append(f"kayak {seat} at {spaces.index(river.at[seat])} points {river.best[seat]}")
    lines.append("sunset " + " ".join(reversed(river.sunset)))
    if river.lazy:
        lines.append("dams " + " ".join(reversed(river.dams)))
        lines.append("extra goals " + ", ".join(river.goals))
        lines.append("extra bonus " + " ".join(map(str, sorted(river.claimed))))
    else:
        lines += ["piers " + _tokens_text(river.piers), "tents " + _tokens_text(river.tents)]
    if table.seats == 1:
        lines.append("solo " + " ".join(card.split()[-1] for card in river.solo))
    return lines


def _tokens_text(tokens: Tokens) -> str:
    """Tokens face up, then those face down."""
    words = [*map(str, tokens.open), *(["under"] if tokens.down else []), *map(str, tokens.down)]
    return " ".join(words)
