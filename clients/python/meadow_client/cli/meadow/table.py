"""A table of Meadow as something that a rich console prints."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from meadow_api.v1 import game_pb2
from meadow_api.v1 import meadow_cards_pb2 as card_pb
from meadow_api.v1 import meadow_pb2 as pb
from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from meadow_client.cli.common import counted
from meadow_client.cli.meadow.grid import Notches, card_grid, placed_token
from meadow_client.cli.meadow.river import river_table, seat_line
from meadow_client.cli.meadow.words import (
    DIM,
    card_line,
    deck_letter,
    grants,
    obstacle,
    place_name,
    symbol,
    symbols,
    token_name,
)
from meadow_client.drawing.meadow.icons import name
from meadow_client.drawing.meadow.river import RIVER_PLACES, game_name
from meadow_client.drawing.scene import seat_colour, seat_name

SIDE = 4
_MEADOW_COLUMN = 17
"""Least width of a column of a meadow."""


def meadow_table(
    view: game_pb2.GameView, catalogue: pb.MeadowCatalogue, width: int, mine: int | None = None
) -> RenderableType:
    """Board, campfire and seats, one's own seat first.

    Args:
        view: what the viewer sees.
        catalogue: the components that the view's numbers refer to.
        width: of the console, in characters; the table is readable from 80 on.
        mine: the seat whose meadow comes first and is shown whole; all are if None.
    """
    meadow = view.meadow
    parts: list[RenderableType] = [
        Text(_title(view), style="bold"),
        _board(view, catalogue, width),
        _campfire(view, catalogue),
    ]
    if meadow.HasField("river"):
        parts.append(river_table(view, catalogue, width))
    seats = sorted(range(len(meadow.players)), key=lambda seat: seat != mine)
    parts += [_player(view, seat, catalogue, width if mine in {seat, None} else 0) for seat in seats]
    if meadow.HasField("rover"):
        rover = meadow.rover
        points = f"{counted(rover.points, 'point')} in " if rover.HasField("points") else ""
        parts.append(Text(f"Rover: {points}{counted(len(rover.cards), 'card')}", style=DIM))
    return Group(*parts)


def _title(view: game_pb2.GameView) -> str:
    meadow = view.meadow
    when = f"round {meadow.round} of {meadow.rounds}" if meadow.round else "set-up"
    half = ", second half" if meadow.halfway else ""
    return f"{game_name(meadow)}, {when}{half}; road tokens left: {meadow.road_supply}"


def _board(view: game_pb2.GameView, catalogue: pb.MeadowCatalogue, width: int) -> RenderableType:
    meadow = view.meadow
    counts = {count.deck: count.count for count in meadow.deck_counts}
    heads = []
    for deck in catalogue.board_columns:
        used = card_pb.MEADOW_DECK_N if meadow.halfway and deck == card_pb.MEADOW_DECK_S else deck
        heads.append(f"{deck_letter(used)} ({counts.get(used, 0)})")
    places = {notch.display_name: notch.place for notch in catalogue.notches}
    left, right, bottom = ([places[f"{side}{number + 1}"] for number in range(SIDE)] for side in "LRB")
    return card_grid(view, catalogue, heads, range(SIDE * SIDE), Notches(left, right, bottom), width)


def _campfire(view: game_pb2.GameView, catalogue: pb.MeadowCatalogue) -> RenderableType:
    meadow = view.meadow
    claims = {claim.pair: claim.seat for claim in meadow.claims}
    ring = Text("goals  ")
    for pair, goal in enumerate(meadow.goals):
        ring.append_text(symbol(goal))
        mark = f" -{seat_name(view, claims[pair])}- " if pair in claims else f" -{pair + 1}- "
        ring.append(mark, style=f"bold {seat_colour(view, claims[pair])}" if pair in claims else DIM)
    if not meadow.round:
        return ring
    placed = {token.place: token for token in meadow.placed_tokens}
    notches = len(catalogue.notches)
    shown = sorted([place for place in (*placed, *meadow.free_places) if notches <= place < RIVER_PLACES])
    spots = Text("campfire and benches  ")
    for place in shown:
        spots.append(f"{place_name(place, catalogue)} ", style=DIM)
        if place in placed:
            spots.append_text(placed_token(view, placed[place]))
            spots.append(" ")
    return Group(ring, spots)


def _player(view: game_pb2.GameView, seat: int, catalogue: pb.MeadowCatalogue, width: int) -> RenderableType:
    """A seat's panel; its columns are drawn card by card if a width is given for them, else told in lines."""
    player = view.meadow.players[seat]
    score = player.score
    tokens = " ".join(token_name(token) for token in player.tokens) or "none"
    left = ", ".join(str(value) for value in list(catalogue.bonus_values)[player.bonuses_placed :]) or "none"
    head = f"{seat_name(view, seat)}: {counted(score.total, 'point')}; tokens {tokens}; roads {player.roads}"
    head += f"; bonus tokens {left}"
    body = list(_meadow(player, catalogue, width))
    if view.meadow.HasField("river"):
        body.insert(-1, seat_line(view, seat))
    return Panel(Group(*body), title=Text(head), title_align="left", border_style=seat_colour(view, seat))


def _meadow(player: pb.MeadowPlayer, catalogue: pb.MeadowCatalogue, width: int) -> Iterator[RenderableType]:
    columns = {column.column: column.cards for column in player.columns}
    if width and player.row:
        abreast = max(1, (width - 4) // (_MEADOW_COLUMN + 2))
        for first in range(0, len(player.row), abreast):
            grid = Table.grid(padding=(0, 2))
            shown = player.row[first : first + abreast]
            grid.add_row(*(_column(number, columns[number], catalogue) for number in shown))
            yield grid
    elif player.row:
        tops = (_column_line(number, columns[number], catalogue) for number in player.row)
        yield Text.assemble(("columns  ", DIM), Text("; ").join(tops))
    visible = [Text.assemble(symbol(count.symbol), f" {count.count}") for count in player.visible_symbols]
    yield Text.assemble(("shows  ", DIM), Text(", ").join(visible) if visible else "nothing")
    if player.landscapes:
        names = []
        for landscape in player.landscapes:
            found = (
                f" with {catalogue.cards[landscape.discovery].display_name}" if landscape.HasField("discovery") else ""
            )
            names.append(catalogue.cards[landscape.card].display_name + found)
        yield Text.assemble(("surroundings  ", DIM), ", ".join(names))
    hand = [catalogue.cards[number].display_name for number in player.hand_cards]
    hand += [f"{count.count} of deck {deck_letter(count.deck)}" for count in player.unknown_hand_cards]
    yield Text.assemble(("hand  ", DIM), ", ".join(hand) or "empty")


def _column(number: int, cards: Sequence[int], catalogue: pb.MeadowCatalogue) -> Text:
    """A column with its top card first, its ground last, its number above."""
    ground, *above = [catalogue.cards[card] for card in cards]
    lines = [Text(f"column {number + 1}", style=DIM)]
    for place, card in enumerate(reversed(above)):
        points = f"{card.points}p "
        shown = Text.assemble(points, grants(card)) if place == 0 else Text(points, style=DIM)
        lines += [Text(card.display_name, style="bold" if place == 0 else DIM), shown]
    lines.append(Text(ground.display_name, style=DIM if above else "bold"))
    lines.append(symbols(ground.grounds) if above else grants(ground))
    return Text("\n").join(lines)


def _column_line(number: int, cards: Sequence[int], catalogue: pb.MeadowCatalogue) -> Text:
    """A column in a few words: its number, its top card with what that shows, the points of all its cards."""
    ground, *above = [catalogue.cards[card] for card in cards]
    top = above[-1] if above else ground
    points = f" {sum(card.points for card in above)}p" if above else ""
    beneath = Text.assemble((" on ", DIM), symbols(ground.grounds)) if above else ""
    return Text.assemble((f"{number + 1} ", DIM), (top.display_name, "bold"), " ", grants(top), points, beneath)


def hand_lines(view: game_pb2.GameView, catalogue: pb.MeadowCatalogue) -> Iterator[Text]:
    """The hand with what each card asks for, and why it cannot be played."""
    for report in view.pending.meadow.hand:
        card = catalogue.cards[report.card]
        line = Text.assemble("  ", (f"{card.id:6}", DIM), card_line(card))
        missing = [name(card.requirements[number].symbols[0]) for number in report.missing_requirements]
        if report.obstacle:
            line.append(f"  cannot be played: {obstacle(report.obstacle)}", style="yellow")
        elif missing:
            line.append(f"  missing {', '.join(missing)}: costs {counted(report.discards, 'discard')}", style="yellow")
        yield line
