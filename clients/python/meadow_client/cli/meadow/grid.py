"""Cards on offer as a grid, with the notches around them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from meadow_api.v1 import game_pb2
from meadow_api.v1 import meadow_pb2 as pb
from rich.table import Table
from rich.text import Text

from meadow_client.cli.meadow.words import DIM, grants, needs, place_name, token_name, worth
from meadow_client.drawing.scene import seat_colour

COLUMNS = 4
_NOTCH = 3
"""Width of a notch's name or of a token on it."""
_WIDEST_SPOT = 30
_NARROWEST_SPOT = 10
_ROOMY = 110
"""Width from which on there is room for blanks."""


@dataclass(frozen=True)
class Notches:
    """The places at the edges of a grid.

    Attributes:
        left, right: from the top down; a side without notches is empty.
        bottom: from the left.
    """

    left: Sequence[int]
    right: Sequence[int]
    bottom: Sequence[int]


def card_grid(
    view: game_pb2.GameView,
    catalogue: pb.MeadowCatalogue,
    heads: Sequence[str],
    spots: Sequence[int],
    notches: Notches,
    width: int,
) -> Table:
    """Some spots, row by row, with the notches around them and the tokens that lie there."""
    # Around the spots: seven lines and two notch columns; a narrow window has no room for blanks beside the lines.
    blanks = 1 if width >= _ROOMY else 0
    wide = max(_NARROWEST_SPOT, min(_WIDEST_SPOT, (width - 7 - 2 * _NOTCH - 12 * blanks) // COLUMNS))
    grid = Table(show_header=True, header_style=DIM, show_lines=True, expand=False, padding=(0, blanks))
    grid.add_column("", width=_NOTCH, no_wrap=True)
    for head in heads:
        grid.add_column(head, width=wide)
    if notches.right:
        grid.add_column("", width=_NOTCH, no_wrap=True)
    placed = {token.place: placed_token(view, token) for token in view.meadow.placed_tokens}

    def notch(place: int) -> Text:
        return placed.get(place) or Text(place_name(place, catalogue), style=DIM)

    for row, left in enumerate(notches.left):
        cells = [_spot(view.meadow.board_cards[spot], catalogue) for spot in spots[row * COLUMNS : (row + 1) * COLUMNS]]
        grid.add_row(notch(left), *cells, *(notch(place) for place in notches.right[row : row + 1]))
    grid.add_row("", *(notch(place) for place in notches.bottom))
    return grid


def placed_token(view: game_pb2.GameView, token: pb.MeadowPlacedToken) -> Text:
    """A token on its place, in the colour of its seat."""
    colour = "grey70" if token.HasField("rover_colour") else seat_colour(view, token.seat)
    return Text(f"({token_name(token.token)})", style=f"bold {colour}")


def _spot(number: int, catalogue: pb.MeadowCatalogue) -> Text:
    if number < 0:
        return Text("empty", style=DIM)
    card = catalogue.cards[number]
    lines = [Text(card.display_name, style="bold"), Text.assemble(worth(card), grants(card))]
    asked = needs(card)
    return Text("\n").join([*lines, Text.assemble(("needs ", DIM), asked)] if asked.plain else lines)
