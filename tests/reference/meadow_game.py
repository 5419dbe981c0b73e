"""A game of Meadow from its first choice to its end, for the brute-force reference: a straight reading of the book."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass

from tests.reference.meadow_table import MAIN_NOTCHES, Table, reach

COLOURS = (1, 2, 3)
LOOKED_AT = 3


@dataclass(frozen=True)
class Ask:
    """A question to a seat, with all its answers in the engine's notation."""

    seat: int
    kind: str
    answers: frozenset[str]


Play = Generator[Ask, str, None]


def ask(seat: int, kind: str, answers: set[str]) -> Generator[Ask, str, list[str]]:
    """Ask; the answer comes in words."""
    answer = yield Ask(seat, kind, frozenset(answers))
    return answer.split()


# ---- set-up


def starting_cards(table: Table, starts: list[tuple[str, str]], *, beginners: bool) -> Play:
    """Rows counter-clockwise from the first player's right (M1), or a random deal (M14); then the grounds (M2)."""
    for step in range(table.seats):
        seat = (table.first - 1 - step) % table.seats
        if beginners:
            table.hands[seat].cards += [table.decks[deck].pop() for deck in "WSSEN"]
            continue
        _, row = yield from ask(seat, "choose_row", {f"row {row}" for row in range(4)})
        table.hands[seat].cards += [*table.take_row(int(row)), table.decks["N"].pop()]
        table.fill(range(4 * int(row), 4 * int(row) + 4))
    if table.rover:
        table.rover.cards += [*table.take_row(0), table.decks["N"].pop()]
        table.fill(range(4))
    for step in range(table.seats):
        seat = (table.first + step) % table.seats
        _, side = yield from ask(seat, "choose_ground", {"ground 0", "ground 1"})
        table.lay_ground(seat, starts[seat][int(side)], 1)


# ---- rounds


def whole_game(table: Table, starts: list[tuple[str, str]], *, beginners: bool) -> Play:
    """From the first starting card to the end."""
    yield from starting_cards(table, starts, beginners=beginners)
    while table.round < table.rounds:
        begin_round(table)
        yield from rest_of_round(table, table.first)


def from_position(table: Table, seat: int) -> Play:
    """From a seat's turn in some round to the end."""
    yield from rest_of_round(table, seat)
    while table.round < table.rounds:
        begin_round(table)
        yield from rest_of_round(table, table.first)


def begin_round(table: Table) -> None:
    """All tokens come back."""
    table.round += 1
    table.places = {}
    for hand in table.hands:
        hand.tokens = set("1234") if table.seats == 4 else set("1234?")
    if table.rover:
        table.rover.pile = table.chance.pile()


def rest_of_round(table: Table, seat: int) -> Play:
    """Turns clockwise until the tokens are placed; then the first player changes, and once N comes for S."""
    while table.hands[seat].tokens:
        if table.rover:
            rover_turn(table)
        yield from turn(table, seat)
        seat = (seat + 1) % table.seats
    if table.round < table.rounds:
        table.first = (table.first + 1) % table.seats
        if table.round == table.box.campfires[table.seats].hourglass:
            table.sweep()


def turn(table: Table, seat: int) -> Play:
    """Place a token and do what the place says."""
    hand = table.hands[seat]
    free = table.free_places()
    answers = {f"token {token} {place}" for token in hand.tokens for place in free}
    _, token, place = yield from ask(seat, "place_token", answers)
    hand.tokens.remove(token)
    table.places[place] = f"{seat}:{token}"
    if place[0] == "C":
        yield from campfire(table, seat, token)
        return
    if place[0] != "S":
        yield from main_board(table, seat, token, reach(place))
    yield from may_play(table, seat)


def main_board(table: Table, seat: int, token: str, spots: list[int]) -> Play:
    """Take the card at the token's reach; ? reaches as far as its owner likes."""
    if token == "?":
        _, chosen = yield from ask(seat, "choose_spot", {f"take {spot}" for spot in spots})
        spot = int(chosen)
    else:
        spot = spots[int(token) - 1]
    if card := table.take(spot):
        table.hands[seat].cards.append(card)


def may_play(table: Table, seat: int) -> Play:
    """One card, or none."""
    words = yield from ask(seat, "play_card", table.all_plays(seat) | {"pass"})
    if words[0] == "play":
        yield from play_card(table, seat, words[1], int(words[2]))


def play_card(table: Table, seat: int, card: str, place: int) -> Play:
    """Pay for what is missing, two cards for each, then lay the card."""
    hand = table.hands[seat]
    for _ in range(2 * table.ignored(seat, card)):
        others = {f"discard {other}" for other in hand.cards if other != card}
        _, paid = yield from ask(seat, "discard", others)
        hand.cards.remove(paid)
        table.decks[table.paper(paid).deck].insert(0, paid)
    table.lay(seat, card, place)


# ---- the campfire


def campfire(table: Table, seat: int, action: str) -> Play:
    """The special action, with at most one goal before it, after it, or between two plays (M8, M28)."""
    may_claim, left = True, 2 if action == "4" else 1
    while True:
        claims = {f"goal {pair}" for pair in table.claimable(seat)} if may_claim else set()
        if not left and not claims:
            return
        acts = special_actions(table, seat, action) if left else set()
        optional = {"pass"} if action == "4" or not acts else set()
        words = yield from ask(seat, "campfire", claims | acts | optional)
        if words[0] == "pass":
            return
        if words[0] == "goal":
            may_claim = False
            table.claims[int(words[1])] = seat
            table.hands[seat].bonuses += 1
        elif words[0] == "special":
            action = words[1]
            left = 2 if action == "4" else 1
        else:
            left -= 1
            yield from act(table, seat, words)


def special_actions(table: Table, seat: int, action: str) -> set[str]:
    """What the token at the campfire can do now."""
    on_board = "WNE" if table.halfway else "WSE"
    match action:
        case "1":
            return {f"take {spot}" for spot, card in enumerate(table.board) if card is not None}
        case "2":
            return {"roads"}
        case "3":
            return {f"look {deck}" for deck in on_board if table.decks[deck]}
        case "4":
            return table.all_plays(seat)
        case _:
            return {f"special {number}" for number in (1, 2, 3, 4)}


def act(table: Table, seat: int, words: list[str]) -> Play:
    """Carry a special action out."""
    hand = table.hands[seat]
    match words:
        case ["take", spot]:
            card = table.take(int(spot))
            assert card is not None
            hand.cards.append(card)
        case ["roads"]:
            taken = min(2, table.roads)
            table.roads -= taken
            hand.roads += taken
        case ["look", deck]:
            yield from look(table, seat, table.decks[deck])
        case ["play", card, place]:
            yield from play_card(table, seat, card, int(place))


def look(table: Table, seat: int, deck: list[str]) -> Play:
    """Keep one of the top three cards, the others go under the deck in the order their owner likes (M4)."""
    seen = deck[: -LOOKED_AT - 1 : -1]
    _, kept = yield from ask(seat, "keep_card", {f"keep {index}" for index in range(len(seen))})
    table.hands[seat].cards.append(seen.pop(int(kept)))
    deck.remove(table.hands[seat].cards[-1])
    if seen:
        _, index = yield from ask(seat, "put_under", {f"under {index}" for index in range(len(seen))})
        first = seen.pop(int(index))
        for card in (first, *seen):
            deck.remove(card)
            deck.insert(0, card)


# ---- Rover


def rover_turn(table: Table) -> None:
    """Flip a token: ? takes up a campfire notch, any other one takes a card for him (M11, M33)."""
    rover = table.rover
    assert rover is not None
    piece = rover.pile.pop()
    colour, token = piece.split(":")
    free = table.free_places()
    if token == "?":
        notches = [place for place in free if place[0] == "C"]
        if notches:
            table.places[notches[0]] = piece
        return
    named = table.box.solo[rover.markers[int(colour) - 1]][int(token) - 1]
    start = MAIN_NOTCHES.index(named)
    notch = next(place for place in MAIN_NOTCHES[start:] + MAIN_NOTCHES[:start] if place in free)
    table.places[notch] = piece
    if card := table.take(reach(notch)[int(token) - 1]):
        rover.cards.append(card)
