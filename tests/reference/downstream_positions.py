"""Random positions of Downstream, on random tracks: forks, shortcuts and extra actions everywhere, decks run out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from random import Random

from meadow_engine.meadow import catalogue as engine
from meadow_engine.meadow.downstream.catalogue import Extra, RiverSide
from meadow_engine.meadow.downstream.catalogue import Space as EngineSpace
from meadow_engine.meadow.downstream.catalogue import Way as EngineWay
from meadow_engine.meadow.downstream.content_track import WORDS

from tests.reference.downstream_lockstep import river_box
from tests.reference.downstream_pack import OUT_OF_PLAY, RIVER, Side, Space
from tests.reference.downstream_table import FIRST_RIVER_SPOT, RIVER_SPOTS, River, Tokens
from tests.reference.downstream_track import follow_oar
from tests.reference.meadow_game import from_position
from tests.reference.meadow_lockstep import FAMILY, Lockstep
from tests.reference.meadow_pack import DECKS, Paper
from tests.reference.meadow_playing import Play
from tests.reference.meadow_positions import add_rover, deal, lay_goals, place_tokens, position_text
from tests.reference.meadow_printing import random_river_cards
from tests.reference.meadow_shuffles import Shuffles
from tests.reference.meadow_table import RIVER_TRAIL, Table

EXTRAS = {
    "lazy_river": ("river or E", "road or two cards", "face-up card", "beaver dam", "goal"),
    "wild_rapids": ("S or W", "look at N", "road and face-up card", *["pier"] * 3, *["tent"] * 3),
}
"""How often they come up: each pier and tent token does something else."""
BOTH_SIDES = ("road", "sunset", "play")
TOKEN_KINDS = 6


def random_river_position(rng: Random, name: str, seats: int, cards: int) -> tuple[Lockstep, Play]:
    """A game that begins with some seat's turn in the middle of a round, with the random cards of a number."""
    printer, papers, catalogue = random_river_cards(cards)
    table = Table(replace(river_box().box, papers=papers), seats, {deck: [] for deck in (*DECKS, RIVER)}, list)
    side = random_side(rng, name)
    table.river = random_river(rng, side, name, seats)
    table.after_play = lambda seat, paper: follow_oar(table, seat, paper)
    pile_up(table, papers, rng)
    deal(table, rng, rng.choice((3, 10)))
    fill_river(table, rng)
    lay_goals(table, printer.symbols, rng)
    table.roads = rng.choice((0, 1, 2, 20))
    table.round = rng.randrange(1, table.rounds + 1)
    table.halfway = table.round > table.box.campfires[seats].hourglass
    table.first = rng.randrange(seats)
    place_tokens(table, rng)
    while not enough_notches(table):
        place_tokens(table, rng)
    if seats == 1:
        add_rover(table, rng)
    shuffles = Shuffles()
    with shuffles.listen():
        state = FAMILY.parse_position(with_side(catalogue, side, name), position_text(table))[-1]
    return Lockstep(state, table, shuffles), from_position(table, table.first)


def enough_notches(table: Table) -> bool:
    """Whether each river trail token that is left finds a notch: alone, also those of Rover."""
    taken = sum(place in table.river_notches() for place in table.places)
    left = sum(RIVER_TRAIL in hand.tokens for hand in table.hands)
    return taken + left + 3 * (table.seats == 1) <= len(table.river_notches())


# ---- the river


def random_side(rng: Random, name: str) -> Side:
    """A track with an extra action on most spaces, and forks and shortcuts on many."""
    extras = (*BOTH_SIDES, *EXTRAS[name])
    length = rng.randrange(12, 40)
    spaces = {}
    for number in range(length):
        ways = [(f"s{number + 1}", False)]
        ways += [(f"s{number + ahead}", rng.random() < 0.5) for ahead in (2, 3) if rng.random() < 0.25]
        spaces[f"s{number}"] = Space(
            id=f"s{number}",
            extra=rng.choice(extras) if number and rng.random() < 0.7 else "",
            points=rng.choice((0, 0, 3, 5, 8, 20)) if number else 0,
            ways=tuple(way for way in ways if int(way[0][1:]) < length),
        )
    return Side("s0", spaces, river_box().sides[name].notches)


def with_side(catalogue: engine.Catalogue, side: Side, name: str) -> engine.Catalogue:
    """The same side of the river board for the engine."""
    assert catalogue.downstream is not None
    drawn = catalogue.downstream.sides[name]
    places = {space: number for number, space in enumerate(side.spaces)}
    extras = {word: extra for extra, word in WORDS.items()} | {"": Extra.NONE}
    spaces = tuple(
        EngineSpace(
            number,
            space.id,
            extras[space.extra],
            space.points,
            tuple(EngineWay(places[way], shortcut) for way, shortcut in space.ways),
            (0, 0),
        )
        for number, space in enumerate(side.spaces.values())
    )
    sides: Mapping[str, RiverSide] = {**catalogue.downstream.sides, name: replace(drawn, spaces=spaces)}
    return replace(catalogue, downstream=replace(catalogue.downstream, sides=sides))


def random_river(rng: Random, side: Side, name: str, seats: int) -> River:
    """Kayaks anywhere, with any points; some tokens gone."""
    river = River(
        lazy=name == "lazy_river",
        side=side,
        at=[rng.choice(list(side.spaces)) for _ in range(seats)],
        sunset=[],
        dams=[],
        best=[rng.choice((0, 3, 5, 8)) for _ in range(seats)],
        kept=[[] for _ in range(seats)],
        solo_cards=river_box().solo_cards,
        waterfalls=river_box().waterfalls[seats],
    )
    if river.lazy:
        river.claimed = {seat for seat in range(seats) if rng.random() < 0.2}
    else:
        river.piers, river.tents = (random_tokens(rng, seats) for _ in range(2))
    if seats == 1:
        order = rng.sample(range(len(river.solo_cards)), rng.randrange(len(river.solo_cards) + 1))
        river.solo = [f"solo card {number}" for number in order]
    return river


def random_tokens(rng: Random, seats: int) -> Tokens:
    """As many tokens as seats, or fewer; alone one face up, one face down, or none."""
    drawn = rng.sample(range(TOKEN_KINDS), TOKEN_KINDS)
    return Tokens(drawn[: rng.randrange(seats + 1)], drawn[5:] if seats == 1 and rng.random() < 0.7 else [])


def pile_up(table: Table, papers: dict[str, Paper], rng: Random) -> None:
    """The sunset pile and, on Lazy River, the beaver dam pile, from which the top cards may have been taken."""
    river = table.river
    assert river is not None
    river.sunset, river.dams = (
        [card for card, paper in papers.items() if paper.deck == OUT_OF_PLAY and paper.kind == kind][rng.randrange(5) :]
        for kind in ("landscape", "observation")
    )
    if not river.lazy:
        river.dams = []


def fill_river(table: Table, rng: Random) -> None:
    """Cards on the river card area, perhaps with gaps; the river deck full, short or out; perhaps no S deck either."""
    river = table.river
    assert river is not None
    for deck in DECKS:
        table.decks[deck] = table.decks[deck][: rng.choice((0, 1, 3, *[100] * 6))]
    for spot in range(FIRST_RIVER_SPOT, FIRST_RIVER_SPOT + RIVER_SPOTS):
        if rng.random() < 0.9:
            table.put_at(spot, table.draw(RIVER))
    table.decks[RIVER] = table.decks[RIVER][: rng.choice((0, 1, 2, 3, *[100] * 6))]
    table.watch_river()
