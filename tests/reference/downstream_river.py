"""The river card area of Downstream, for the brute-force reference: river trail tokens, Rover's too, and waterfalls."""

from __future__ import annotations

from tests.reference.downstream_table import FIRST_RIVER_SPOT, RIVER_SPOTS
from tests.reference.downstream_track import the_river
from tests.reference.meadow_playing import Play, ask
from tests.reference.meadow_table import RIVER_TRAIL, Table


def river_turn(table: Table, seat: int, notch: str) -> Play:
    """A card of the row or column that the token points at must be taken, if there is one (D18)."""
    spots = {f"take {spot}" for spot in pointed_at(table, notch) if table.card_at(spot) is not None}
    if spots:
        _, spot = yield from ask(seat, "take_card", spots)
        card = table.take(int(spot))
        assert card is not None
        table.hands[seat].cards.append(card)


def pointed_at(table: Table, notch: str) -> list[int]:
    """The spots of a notch's row or column."""
    return [FIRST_RIVER_SPOT + spot for spot in the_river(table).side.notches[notch]]


def sweep_river(table: Table) -> None:
    """A waterfall is passed: all cards of the area go under the river deck in random order, new ones come (D19)."""
    spots = range(FIRST_RIVER_SPOT, FIRST_RIVER_SPOT + RIVER_SPOTS)
    table.put_under(*table.shuffle(table.clear(spots)))
    table.fill(spots)


def rover_on_the_river(table: Table) -> None:
    """Rover lays a river trail token where his next card says, and sweeps its row or column away (D20).

    The spaces are filled before the cards are put under the deck, as the book has it.
    """
    river = the_river(table)
    if not river.solo:
        river.solo = table.shuffle([f"solo card {number}" for number in range(len(river.solo_cards))])
    named = river.solo_cards[int(river.solo.pop().split()[-1])]
    notches = table.river_notches()
    start = notches.index(named)
    notch = next(place for place in notches[start:] + notches[:start] if place not in table.places)
    unused = (f"{colour}:{RIVER_TRAIL}" for colour in (1, 2, 3))
    table.places[notch] = next(token for token in unused if token not in table.places.values())
    swept = table.clear(pointed_at(table, notch))
    table.fill(pointed_at(table, notch))
    table.put_under(*table.shuffle(swept))
