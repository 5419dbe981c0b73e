"""The river track of Downstream, for the brute-force reference: kayaks, extra actions, pier and tent tokens."""

from __future__ import annotations

from collections.abc import Callable

from tests.reference.downstream_pack import RIVER
from tests.reference.downstream_table import TENT_POINTS, River
from tests.reference.meadow_pack import Paper
from tests.reference.meadow_playing import Play, ask, look, may_play
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
    river = the_river(table)
    for _ in range(paper.oar):
        ways = river.ways(seat, triangle=TRIANGLE in table.visible(seat))
        if not ways:
            return
        if len(ways) > 1:
            _, chosen = yield from ask(seat, "choose_way", {f"way {way}" for way in ways})
        else:
            (chosen,) = ways
        river.go(seat, chosen)
        if extra := river.space(seat).extra:
            yield from EXTRAS[extra](table, seat)


def offer(table: Table, seat: int, kind: str, answers: set[str]) -> Play:
    """A choice that may be declined, not asked if there is nothing to choose, and its consequence."""
    if answers:
        words = yield from ask(seat, kind, answers | {"pass"})
        yield from accept(table, seat, words)


def accept(table: Table, seat: int, words: list[str]) -> Play:
    """Do what was chosen on a space, or by a token."""
    river, hand = the_river(table), table.hands[seat]
    match words:
        case ["road"]:
            table.take_roads(seat, 1)
        case ["sunset"]:
            hand.cards.append(river.sunset.pop(0))
        case ["dam"]:
            hand.cards.append(river.dams.pop(0))
        case ["draw", deck]:
            table.draw_to(seat, deck)
        case ["take", spot]:
            card = table.take(int(spot))
            assert card is not None
            hand.cards.append(card)
        case ["exchange", card]:
            yield from two_for_one(table, seat, card)
        case ["look"]:
            yield from look(table, seat, table.decks["N"], 2)
        case ["bonus"]:
            river.claimed.add(seat)


# ---- the extra actions, in the words of both sides


def road(table: Table, seat: int) -> Play:
    """Take a road token."""
    yield from offer(table, seat, "space", {"road"} if table.roads else set())


def sunset(table: Table, seat: int) -> Play:
    """Take the top sunset card."""
    yield from offer(table, seat, "space", {"sunset"} if the_river(table).sunset else set())


def beaver_dam(table: Table, seat: int) -> Play:
    """Take the top beaver dam card."""
    yield from offer(table, seat, "space", {"dam"} if the_river(table).dams else set())


def play(table: Table, seat: int) -> Play:
    """You may play a card."""
    yield from may_play(table, seat)


def top_card(table: Table, seat: int, decks: list[str]) -> Play:
    """Take the top card of one of two decks."""
    yield from offer(table, seat, "space", {f"draw {deck}" for deck in decks if table.decks[deck]})


def river_or_e(table: Table, seat: int) -> Play:
    """The river deck or the E deck."""
    yield from top_card(table, seat, ["S" if the_river(table).dry else RIVER, "E"])


def s_or_w(table: Table, seat: int) -> Play:
    """The S deck or the W deck."""
    yield from top_card(table, seat, ["S", "W"])


def road_or_two_cards(table: Table, seat: int) -> Play:
    """A road token, or a card discarded and the top two cards of a deck (D13)."""
    answers = {f"exchange {card}" for card in table.hands[seat].cards} | ({"road"} if table.roads else set())
    yield from offer(table, seat, "space", answers)


def two_for_one(table: Table, seat: int, card: str) -> Play:
    """A card is discarded first, then the deck is chosen unseen (D13)."""
    table.hands[seat].cards.remove(card)
    table.put_under(card)
    decks = table.decks_in_use()
    if decks:
        _, deck = yield from ask(seat, "choose_deck", {f"draw {deck}" for deck in decks})
        table.draw_to(seat, deck, 2)


def face_up(table: Table, seat: int) -> Play:
    """Take a face-up card of the main board or the river card area."""
    yield from offer(table, seat, "space", {f"take {spot}" for spot in table.face_up()})


def road_and_face_up(table: Table, seat: int) -> Play:
    """Take a road token and a face-up card."""
    spots = {f"take {spot}" for spot in table.face_up()}
    if not spots:
        yield from road(table, seat)
        return
    words = yield from ask(seat, "space", spots | {"pass"})
    if words != ["pass"]:
        table.take_roads(seat, 1)
        yield from accept(table, seat, words)


def look_at_n(table: Table, seat: int) -> Play:
    """Look at the top two cards of the N deck."""
    yield from offer(table, seat, "space", {"look"} if table.decks["N"] else set())


def goal(table: Table, seat: int) -> Play:
    """Place the additional bonus token, if one of both pairs is visible."""
    claimable = the_river(table).claimable(seat, table.visible(seat))
    yield from offer(table, seat, "space", {"bonus"} if claimable else set())


# ---- tokens


def must_take(table: Table, seat: int) -> Play:
    """Take a face-up card, if there is one."""
    if spots := {f"take {spot}" for spot in table.face_up()}:
        words = yield from ask(seat, "token_take", spots)
        yield from accept(table, seat, words)


def pier(table: Table, seat: int) -> Play:
    """Take a token of the pier area, do what it says, and return it to the box (D12)."""
    piers = the_river(table).piers
    if not piers:
        return
    words = yield from ask(seat, "space", {f"pier {token}" for token in piers} | {"pass"})
    if words != ["pass"]:
        token = int(words[1])
        piers.remove(token)
        yield from (e_w_n, two_river, two_roads, look_at_e_and_play, must_take, must_exchange)[token](table, seat)


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


def must_exchange(table: Table, seat: int) -> Play:
    """A card discarded, if there is one, for two of a deck."""
    if cards := {f"discard {card}" for card in table.hands[seat].cards}:
        _, card = yield from ask(seat, "discard", cards)
        yield from two_for_one(table, seat, card)


def tent(table: Table, seat: int) -> Play:
    """Take a token of the tent area, do what it says, and keep it if it is worth points (D12)."""
    river = the_river(table)
    if not river.tents:
        return
    words = yield from ask(seat, "space", {f"tent {token}" for token in river.tents} | {"pass"})
    if words == ["pass"]:
        return
    token = int(words[1])
    river.tents.remove(token)
    if TENT_POINTS[token]:
        river.kept[seat].append(token)
    if token in (2, 4):
        yield from must_take(table, seat)
    yield from may_play(table, seat, (0, 0, 1, 1, 1, 2)[token])


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
