"""The river track of Downstream, for the brute-force reference: kayaks, extra actions, pier and tent tokens."""

from __future__ import annotations

from collections.abc import Callable, Generator

from tests.reference.downstream_pack import RIVER
from tests.reference.downstream_table import TENT_POINTS, River
from tests.reference.meadow_pack import Paper
from tests.reference.meadow_playing import Ask, Play, ask, look, may_play
from tests.reference.meadow_table import Table

TRIANGLE = "nature monument"


def the_river(table: Table) -> River:
    """The river board, which is there."""
    assert table.river is not None
    return table.river


def follow_oar(table: Table, seat: int, paper: Paper) -> Play:
    """Move the kayak as far as the oar of a played card says.

    What happens on a space, another play and its own move included, comes before the next step (D1). What a space
    offers may be declined (D2); steps that are left at the end are lost (D8).
    """
    for _ in range(paper.oar):
        yield from step(table, seat)


def step(table: Table, seat: int) -> Play:
    """One space further: at a fork its owner chooses, the shortcut only with a visible triangle (D10)."""
    river = the_river(table)
    ways = [
        f"way {number}"
        for number, (_, shortcut) in enumerate(river.space(seat).ways)
        if not shortcut or TRIANGLE in table.visible(seat)
    ]
    if len(ways) > 1:
        _, way = yield from ask(seat, "choose_way", set(ways))
        river.go(seat, int(way))
    elif ways:
        river.go(seat, int(ways[0].split()[1]))
    else:
        return
    if extra := river.space(seat).extra:
        yield from EXTRAS[extra](table, seat)


def offer(seat: int, answers: set[str]) -> Generator[Ask, str, list[str]]:
    """Ask what to do on a space, which may be declined; not if there is nothing that could be done (D11, D12)."""
    if not answers:
        return ["pass"]
    return (yield from ask(seat, "extra_action", answers | {"pass"}))


def take(table: Table, seat: int, spot: int) -> None:
    """Take a face-up card."""
    card = table.take(spot)
    assert card is not None
    table.hands[seat].cards.append(card)


def takes(table: Table) -> set[str]:
    """All face-up cards of the main board and the river card area."""
    return {f"take {spot}" for spot in table.face_up()}


# ---- the extra actions, in the words of both sides


def road(table: Table, seat: int) -> Play:
    """Take a road token."""
    if (yield from offer(seat, {"use"} if table.roads else set())) != ["pass"]:
        table.take_roads(seat, 1)


def sunset(table: Table, seat: int) -> Play:
    """Take the top sunset card."""
    yield from pile_card(table, seat, the_river(table).sunset)


def beaver_dam(table: Table, seat: int) -> Play:
    """Take the top beaver dam card."""
    yield from pile_card(table, seat, the_river(table).dams)


def pile_card(table: Table, seat: int, pile: list[str]) -> Play:
    """Take the top card of a pile into the hand (D3)."""
    if (yield from offer(seat, {"use"} if pile else set())) != ["pass"]:
        table.hands[seat].cards.append(pile.pop(0))


def play(table: Table, seat: int) -> Play:
    """You may play a card."""
    yield from may_play(table, seat)


def top_card(table: Table, seat: int, decks: list[str]) -> Play:
    """Take the top card of one of two decks."""
    words = yield from offer(seat, {f"draw {deck}" for deck in decks if table.decks[deck]})
    if words != ["pass"]:
        table.draw_to(seat, words[1])


def river_or_e(table: Table, seat: int) -> Play:
    """The river deck or the E deck."""
    yield from top_card(table, seat, ["S" if the_river(table).dry else RIVER, "E"])


def s_or_w(table: Table, seat: int) -> Play:
    """The S deck or the W deck."""
    yield from top_card(table, seat, ["S", "W"])


def road_or_two_cards(table: Table, seat: int) -> Play:
    """A road token, or a card discarded and the top two cards of a deck (D13)."""
    words = yield from offer(seat, discards(table, seat) | ({"roads"} if table.roads else set()))
    if words == ["roads"]:
        table.take_roads(seat, 1)
    elif words != ["pass"]:
        yield from two_for_one(table, seat, words[1])


def discards(table: Table, seat: int) -> set[str]:
    """The cards that can be discarded for two others; without a deck to take them from it would have no effect."""
    return {f"discard {card}" for card in table.hands[seat].cards} if table.decks_in_use() else set()


def two_for_one(table: Table, seat: int, card: str) -> Play:
    """A card is discarded first, then the deck is chosen unseen (D13)."""
    table.hands[seat].cards.remove(card)
    table.put_under(card)
    _, deck = yield from ask(seat, "choose_deck", {f"draw {deck}" for deck in table.decks_in_use()})
    table.draw_to(seat, deck, 2)


def face_up(table: Table, seat: int) -> Play:
    """Take a face-up card of the main board or the river card area."""
    words = yield from offer(seat, takes(table))
    if words != ["pass"]:
        take(table, seat, int(words[1]))


def road_and_face_up(table: Table, seat: int) -> Play:
    """Take a road token and a face-up card, or what there is of both."""
    if not takes(table):
        yield from road(table, seat)
        return
    words = yield from offer(seat, takes(table))
    if words != ["pass"]:
        table.take_roads(seat, 1)
        take(table, seat, int(words[1]))


def look_at_n(table: Table, seat: int) -> Play:
    """Look at the top two cards of the N deck."""
    deck = table.decks["N"]
    if (yield from offer(seat, {"use"} if deck else set())) != ["pass"]:
        yield from look(table, seat, deck, 2)


def goal(table: Table, seat: int) -> Play:
    """Place the additional bonus token, if one of both pairs is visible."""
    river = the_river(table)
    claimable = river.claimable(seat, table.visible(seat))
    if (yield from offer(seat, {"use"} if claimable else set())) != ["pass"]:
        river.claimed.add(seat)


# ---- tokens


def pier(table: Table, seat: int) -> Play:
    """Take a token of the pier area, do what it says, and return it to the box (D12)."""
    piers = the_river(table).piers
    words = yield from offer(seat, piers.choices())
    if words != ["pass"]:
        yield from PIERS[piers.take(int(words[1]))](table, seat)


def e_w_n(table: Table, seat: int) -> Play:
    """The top cards of the E, W and N decks."""
    for deck in "EWN":
        table.draw_to(seat, deck)
    yield from ()


def two_river(table: Table, seat: int) -> Play:
    """The top two cards of the river deck."""
    table.draw_to(seat, RIVER, 2)
    yield from ()


def two_roads(table: Table, seat: int) -> Play:
    """Two road tokens."""
    table.take_roads(seat, 2)
    yield from ()


def look_at_e_and_play(table: Table, seat: int) -> Play:
    """Keep one of the top three cards of the E deck; then a card may be played."""
    if table.decks["E"]:
        yield from look(table, seat, table.decks["E"], 3)
    yield from may_play(table, seat)


def must_take(table: Table, seat: int) -> Play:
    """Take a face-up card, if there is one."""
    if spots := takes(table):
        _, spot = yield from ask(seat, "take_card", spots)
        take(table, seat, int(spot))


def must_exchange(table: Table, seat: int) -> Play:
    """A card discarded, if there is one, for two of a deck."""
    if cards := discards(table, seat):
        _, card = yield from ask(seat, "trade", cards)
        yield from two_for_one(table, seat, card)


def tent(table: Table, seat: int) -> Play:
    """Take a token of the tent area, do what it says, and keep it if it is worth points (D12)."""
    river = the_river(table)
    words = yield from offer(seat, river.tents.choices())
    if words == ["pass"]:
        return
    token = river.tents.take(int(words[1]))
    if TENT_POINTS[token]:
        river.kept[seat].append(token)
    if token in TENTS_WITH_CARD:
        yield from must_take(table, seat)
    yield from may_play(table, seat, TENT_PLAYS[token])


PIERS = (e_w_n, two_river, two_roads, look_at_e_and_play, must_take, must_exchange)
"""In the order of the book."""
TENTS_WITH_CARD = (2, 4)
TENT_PLAYS = (0, 0, 1, 1, 1, 2)
EXTRAS: dict[str, Callable[[Table, int], Play]] = {
    "road": road,
    "sunset": sunset,
    "play": play,
    "river or E": river_or_e,
    "road or two cards": road_or_two_cards,
    "face-up card": face_up,
    "beaver dam": beaver_dam,
    "goal": goal,
    "S or W": s_or_w,
    "look at N": look_at_n,
    "road and face-up card": road_and_face_up,
    "pier": pier,
    "tent": tent,
}
"""By the pack's word for it."""
