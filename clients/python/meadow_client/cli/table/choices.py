"""The legal actions of a decision, in the form that a person chooses from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from meadow_api.v1 import game_pb2
from meadow_api.v1 import spring_meadow_pb2 as pb

from meadow_client.cli.table.boards import rock_piece, tile_piece
from meadow_client.drawing.scene import Cell, Piece, form_of

_TURNS = 4
"""Quarter turns; symmetries from here on are flipped left-right first."""


@dataclass(slots=True)
class Orientation:
    """One form of the piece to place, and the corners where it may lie.

    Attributes:
        piece: for its colours and name.
        shape: number of the rock, -1 for a tile.
        form: the distinct form.
        corners: legal actions by the space of the lower left corner.
    """

    piece: Piece
    shape: int
    form: pb.SpringMeadowForm
    corners: dict[Cell, game_pb2.LegalAction] = field(default_factory=dict)

    def action_at(self, corner: Cell) -> pb.SpringMeadowPlaceTile | pb.SpringMeadowPlaceRock:
        """The placement with its lower left corner on a space, legal or not."""
        row, column = corner
        if self.shape < 0:
            return pb.SpringMeadowPlaceTile(form=self.form.form, row=row, column=column)
        return pb.SpringMeadowPlaceRock(shape=self.shape, form=self.form.form, row=row, column=column)


def orientations(
    decision: pb.SpringMeadowDecision, actions: Sequence[game_pb2.LegalAction], catalogue: pb.SpringMeadowCatalogue
) -> list[Orientation]:
    """All ways to turn the piece that is to be placed; a rock may also be chosen smaller."""
    if decision.kind == pb.SPRING_MEADOW_DECISION_KIND_PLACE_TILE:
        tile = catalogue.tiles[decision.tile]
        found = [Orientation(tile_piece(tile), -1, form) for form in tile.forms]
    else:
        sizes = {decision.rock_size} if decision.rock_is_start else set(range(1, decision.rock_size + 1))
        rocks = [rock for rock in catalogue.rocks if rock.size in sizes]
        largest_first = sorted(rocks, key=lambda rock: -rock.size)
        found = [Orientation(rock_piece(rock), rock.rock, form) for rock in largest_first for form in rock.forms]
    by_form = {(option.shape, option.form.form): option for option in found}
    for action in actions:
        placed = action.action.spring_meadow
        if placed.HasField("place_tile"):
            tile_at = placed.place_tile
            by_form[-1, tile_at.form].corners[tile_at.row, tile_at.column] = action
        else:
            rock_at = placed.place_rock
            by_form[rock_at.shape, rock_at.form].corners[rock_at.row, rock_at.column] = action
    return found


def turned(options: Sequence[Orientation], current: int, forms: Sequence[pb.SpringMeadowForm], *, flip: bool) -> int:
    """Number of the orientation after a quarter turn clockwise or a flip left-right.

    Args:
        options: all orientations.
        current: number of the one to turn.
        forms: the distinct forms of its shape.
        flip: flip instead of turning.
    """
    option = options[current]
    flipped, turns = divmod(option.form.form, _TURNS)
    symmetry = _TURNS * (1 - flipped) + -turns % _TURNS if flip else _TURNS * flipped + (turns + 1) % _TURNS
    wanted = form_of(forms, symmetry).form
    return next(n for n, other in enumerate(options) if (other.shape, other.form.form) == (option.shape, wanted))
