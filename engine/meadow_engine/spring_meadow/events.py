"""What happens in a game of Spring Meadow. Everything happens in the open: every viewer sees every event as it is."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from meadow_engine.kernel.events import Event
from meadow_engine.spring_meadow.state import ScoreLine


@dataclass(frozen=True, slots=True)
class BoardChosen(Event):
    """A seat took a mountain board."""

    seat: int
    face: int


@dataclass(frozen=True, slots=True)
class MapRefilled(Event):
    """Tiles were laid on empty spaces of the hiking map, in this order."""

    spaces: tuple[int, ...]
    tiles: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class QueueExtended(Event):
    """Tiles joined the end of the expert variant's queue."""

    tiles: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TurnStarted(Event):
    """A seat's turn began beside a signpost path."""

    seat: int
    path: int


@dataclass(frozen=True, slots=True)
class TileTaken(Event):
    """A seat chose a tile from a space of the signpost path; it lies there until it is placed."""

    seat: int
    space: int
    tile: int


@dataclass(frozen=True, slots=True)
class TilePlaced(Event):
    """A tile was laid.

    Attributes:
        space: the space of the hiking map it came from.
        form, row, column: its orientation and lower left corner.
        holes: spaces that became holes.
        covered_burrows: how many burrows it covered: so many marmots follow.
    """

    seat: int
    space: int
    tile: int
    form: int
    row: int
    column: int
    holes: int
    covered_burrows: int


@dataclass(frozen=True, slots=True)
class MarmotPlaced(Event):
    """A marmot was put on a cleared burrow."""

    seat: int
    row: int
    column: int


@dataclass(frozen=True, slots=True)
class RockEarned(Event):
    """A group of holes was created or expanded.

    Attributes:
        size: of the rock earned.
        group: spaces of the group.
    """

    seat: int
    size: int
    group: int


@dataclass(frozen=True, slots=True)
class RockPlaced(Event):
    """A rock was laid; `start` tells the first turn's rock from an earned one."""

    seat: int
    shape: int
    form: int
    row: int
    column: int
    start: bool
    covered_burrows: int


@dataclass(frozen=True, slots=True)
class RockDropped(Event):
    """A rock fits nowhere in any size allowed and is given up."""

    seat: int
    size: int
    start: bool


class SkipReason(Enum):
    """Why a turn went by without a tile."""

    NO_TILE = "NO_TILE"
    NONE_FITS = "NONE_FITS"


@dataclass(frozen=True, slots=True)
class TileSkipped(Event):
    """A seat placed no tile this turn."""

    seat: int
    reason: SkipReason


@dataclass(frozen=True, slots=True)
class SignpostMoved(Event):
    """The signpost now marks another path."""

    path: int


@dataclass(frozen=True, slots=True)
class ScoringTriggered(Event):
    """A scoring phase interrupts a seat's turn.

    Attributes:
        stalemate: whether only because nobody could place a tile for a whole circuit of the signpost.
    """

    seat: int
    stalemate: bool


@dataclass(frozen=True, slots=True)
class Scored(Event):
    """A scoring phase was counted; the winner takes a hiking pin and now has `pins`."""

    active: int
    lines: tuple[ScoreLine, ...]
    winner: int
    pins: int


@dataclass(frozen=True, slots=True)
class MarmotsCovered(Event):
    """The winner of a scoring phase put marmots on all its cleared burrows."""

    seat: int
    burrows: int


@dataclass(frozen=True, slots=True)
class RowsCompleted(Event):
    """Solo: rows joined the full run and scored the current path's value each.

    Attributes:
        rows: how many.
        value: points of each.
        points: all points so far.
    """

    rows: int
    value: int
    points: int


@dataclass(frozen=True, slots=True)
class SoloGameEnded(Event):
    """A solo game ended, or one game (from 0) of a campaign.

    Attributes:
        burrow_points: one for each cleared burrow.
        points: the game's total.
    """

    game: int
    burrow_points: int
    points: int


@dataclass(frozen=True, slots=True)
class CampaignGameStarted(Event):
    """The next game (from 0) of a campaign begins."""

    game: int


@dataclass(frozen=True, slots=True)
class GameEnded(Event):
    """The whole game is over."""
