"""A game of Meadow from its first choice to its end, for the brute-force reference: a straight reading of the book."""

from __future__ import annotations

from dataclasses import dataclass

from tests.reference.downstream_river import river_turn, rover_on_the_river, sweep_river
from tests.reference.meadow_playing import Play, ask, look, may_play, play_card
from tests.reference.meadow_table import MAIN_NOTCHES, RIVER_TRAIL, Table, reach

COLOURS = (1, 2, 3)
LOOKED_AT = 3


@dataclass(frozen=True)
class Starts:
    """The two-sided ground cards that each seat has to begin with, and how the other cards are dealt."""

    grounds: list[tuple[str, str]]
    watery: list[tuple[str, str]]
    """None for the base game."""
    beginners: bool


# ---- set-up


def starting_cards(table: Table, starts: Starts) -> Play:
    """Rows counter-clockwise from the first player's right (M1), or a random deal (M14); then the grounds (M2)."""
    for step in range(table.seats):
        seat = (table.first - 1 - step) % table.seats
        if starts.beginners:
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
        table.lay_ground(seat, starts.grounds[seat][int(side)], 1)
        if starts.watery:
            answers = {f"watery {side} {end}" for side in (0, 1) for end in (0, 1)}
            _, side, end = yield from ask(seat, "choose_watery_ground", answers)
            table.lay_ground(seat, starts.watery[seat][int(side)], int(end))


# ---- rounds


def whole_game(table: Table, starts: Starts) -> Play:
    """From the first starting card to the end."""
    yield from starting_cards(table, starts)
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
    tokens = "1234" if table.seats == 4 else "1234?"
    for hand in table.hands:
        hand.tokens = set(tokens + RIVER_TRAIL if table.river else tokens)
    if table.rover:
        table.rover.pile = table.shuffle([f"{colour}:{token}" for colour in COLOURS for token in "1234?"])


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
        if table.river and table.round in table.river.waterfalls:
            sweep_river(table)


def turn(table: Table, seat: int) -> Play:
    """Place a token and do what the place says."""
    hand = table.hands[seat]
    answers = {f"token {token} {place}" for token, place in table.placements(seat)}
    _, token, place = yield from ask(seat, "place_token", answers)
    hand.tokens.remove(token)
    table.places[place] = f"{seat}:{token}"
    if place[0] == "C":
        yield from campfire(table, seat, token)
        return
    if place in table.river_notches():
        yield from river_turn(table, seat, place)
    elif place[0] != "S":
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
    match action:
        case "1":
            return {f"take {spot}" for spot in table.face_up()}
        case "2":
            return {"roads"}
        case "3":
            return {f"look {deck}" for deck in table.decks_in_use()}
        case "4":
            return table.all_plays(seat)
        case _:
            return {f"special {number}" for number in (1, 2, 3, 4)}


def act(table: Table, seat: int, words: list[str]) -> Play:
    """Carry a special action out."""
    match words:
        case ["take", spot]:
            card = table.take(int(spot))
            assert card is not None
            table.hands[seat].cards.append(card)
        case ["roads"]:
            table.take_roads(seat, 2)
        case ["look", deck]:
            yield from look(table, seat, table.decks[deck], LOOKED_AT)
        case ["play", card, place]:
            yield from play_card(table, seat, card, int(place))


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
        if table.river:
            rover_on_the_river(table)
        return
    named = table.box.solo[rover.markers[int(colour) - 1]][int(token) - 1]
    start = MAIN_NOTCHES.index(named)
    notch = next(place for place in MAIN_NOTCHES[start:] + MAIN_NOTCHES[:start] if place in free)
    table.places[notch] = piece
    if card := table.take(reach(notch)[int(token) - 1]):
        rover.cards.append(card)
