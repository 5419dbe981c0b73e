"""The state of a game of Spring Meadow: plain, typed, mutable data."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from meadow_engine.kernel.codec import UNSAVED
from meadow_engine.kernel.rng import Streams
from meadow_engine.kernel.stack import Frame, Output
from meadow_engine.kernel.zones import HiddenPile
from meadow_engine.spring_meadow.catalogue import CELLS, FULL, Catalogue, HikingMap

NONE = -1
"""No tile, no board face, no seat."""
SYMMETRIES = 8
PLACEMENTS = SYMMETRIES * CELLS
"""How many (symmetry index, anchor) pairs there are."""
ROCK_PIECES = 1 << 20
"""Pieces from here on are rocks."""


def tile_piece(tile: int, form: int, anchor: int) -> int:
    """A placed tile as one number."""
    return (tile * SYMMETRIES + form) * CELLS + anchor


def rock_piece(shape: int, form: int, anchor: int) -> int:
    """A placed rock as one number."""
    return ROCK_PIECES + tile_piece(shape, form, anchor)


def piece_parts(piece: int) -> tuple[bool, int, int, int]:
    """Of a placed piece: whether it is a rock, its kind or shape, its form's symmetry index, its anchor."""
    rock = piece >= ROCK_PIECES
    rest, anchor = divmod(piece - ROCK_PIECES if rock else piece, CELLS)
    kind, form = divmod(rest, SYMMETRIES)
    return rock, kind, form, anchor


@dataclass(slots=True)
class Mountain:
    """A seat's Mountain board and what lies on it. Sets of spaces are bit masks (bit = row * 10 + column).

    Attributes:
        face: number of the board face in the catalogue, NONE before it is chosen.
        burrows: all burrows printed on the face.
        covered: spaces under a tile or a rock.
        holes: open holes: over snow, or over a burrow that is thereby cleared. Never a covered space, never a marmot.
        marmots: burrows with a marmot on them.
        start_rock: size of the rock still to be placed on the first turn; 0 for none.
        pins: hiking pins won.
        pieces: placed tiles and rocks in order, as `tile_piece` and `rock_piece` number them.
    """

    face: int = NONE
    burrows: int = 0
    covered: int = 0
    holes: int = 0
    marmots: int = 0
    start_rock: int = 0
    pins: int = 0
    pieces: list[int] = field(default_factory=list)

    @property
    def cleared(self) -> int:
        """Burrows that show through a hole and have no marmot (rulebook: Burrows)."""
        return self.holes & self.burrows

    @property
    def free(self) -> int:
        """Spaces a tile or rock may lie on, burrows still to be paid for."""
        return FULL & ~(self.covered | self.marmots)

    def clone(self) -> Mountain:
        """An independent copy."""
        return Mountain(
            self.face,
            self.burrows,
            self.covered,
            self.holes,
            self.marmots,
            self.start_rock,
            self.pins,
            self.pieces.copy(),
        )


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """One seat's points in a scoring phase (rulebook: Scoring).

    Attributes:
        rows: fully covered rows from the start edge up to the first incomplete one.
        partial: covered spaces of that first incomplete row.
        burrows: cleared burrows.
        picnic: 2 for the seat whose turn was interrupted, else 0.
    """

    rows: int
    partial: int
    burrows: int
    picnic: int

    @property
    def total(self) -> int:
        """The points."""
        return 10 * self.rows + self.partial + self.burrows + self.picnic


@dataclass(frozen=True, slots=True)
class ScoringPhase:
    """A scoring phase that took place.

    Attributes:
        active: the seat whose turn was interrupted.
        lines: points of each seat.
        winner: the seat that won the hiking pin.
    """

    active: int
    lines: tuple[ScoreLine, ...]
    winner: int


@dataclass(frozen=True, slots=True)
class RowScore:
    """A row that joined the full run in a solo game.

    Attributes:
        row: counted from the start edge, 0 the lowest.
        turn: 1 to 24.
        value: points of that turn's signpost path.
    """

    row: int
    turn: int
    value: int


@dataclass(slots=True)
class SoloGame:
    """What only the solo game has (rulebook: Solo Rules).

    Attributes:
        rows: the rows scored so far, in order.
        burrow_points: cleared burrows at the end; 0 while the game runs.
    """

    rows: list[RowScore] = field(default_factory=list)
    burrow_points: int = 0

    @property
    def points(self) -> int:
        """All points noted so far."""
        return sum(row.value for row in self.rows) + self.burrow_points

    def clone(self) -> SoloGame:
        """An independent copy."""
        return SoloGame(self.rows.copy(), self.burrow_points)


@dataclass(frozen=True, slots=True)
class CampaignGame:
    """One finished game of a campaign.

    Attributes:
        face: the board face it was played on.
        rows: the rows scored.
        burrow_points: cleared burrows at its end.
        points: its total.
    """

    face: int
    rows: tuple[RowScore, ...]
    burrow_points: int
    points: int


@dataclass(slots=True)
class SpringState:
    """A whole game.

    Attributes:
        catalogue: the shared tables of the content pack.
        seats: number of seats.
        faces: board faces named at creation for games whose boards are otherwise asked for, in order of use.
        streams: the seed and what was drawn from it.
        stack: pending work, the next on top.
        box: the tiles in the box, shuffled; the last is drawn next. Nobody knows their order.
        meadow_map: for each of the 25 spaces of the hiking map the tile's kind, or NONE.
        signpost: number of the signpost path, clockwise from the start.
        active: the seat whose turn it is.
        turn: turns begun so far.
        idle_turns: consecutive turns in which no seat placed a tile (ruling on stalemates).
        expert: whether refills come from the open queue.
        queue: the open queue of the expert variant, next tile first.
        mountains: the boards by seat.
        scorings: scoring phases so far.
        solo: the solo game's own part, or None with more players.
        campaign: finished games of a campaign, or None outside one.
        out: what the latest action gave; not part of the state.
    """

    catalogue: Catalogue = field(metadata=UNSAVED, repr=False, compare=False)
    seats: int
    streams: Streams
    faces: tuple[int, ...] = ()
    stack: list[Frame[Any]] = field(default_factory=list)
    box: HiddenPile = field(default_factory=HiddenPile)
    meadow_map: list[int] = field(default_factory=list)
    signpost: int = 0
    active: int = 0
    turn: int = 0
    idle_turns: int = 0
    expert: bool = False
    queue: list[int] = field(default_factory=list)
    mountains: list[Mountain] = field(default_factory=list)
    scorings: list[ScoringPhase] = field(default_factory=list)
    solo: SoloGame | None = None
    campaign: list[CampaignGame] | None = None
    out: Output = field(default_factory=Output, metadata=UNSAVED, repr=False, compare=False)

    @property
    def hiking_map(self) -> HikingMap:
        """The face of the hiking map in use."""
        return self.catalogue.map_for(self.seats)

    def path_spaces(self) -> list[int]:
        """Spaces of the signpost path that still hold a tile, in walking order."""
        meadow_map = self.meadow_map
        return [space for space in self.hiking_map.paths[self.signpost] if meadow_map[space] >= 0]

    def push(self, frame: Frame[Any]) -> None:
        """Put work on top of what is pending."""
        self.stack.append(frame)

    def clone(self) -> SpringState:
        """An independent copy; the tables are shared."""
        return SpringState(
            self.catalogue,
            self.seats,
            self.streams.clone(),
            self.faces,
            self.stack.copy(),
            self.box.clone(),
            self.meadow_map.copy(),
            self.signpost,
            self.active,
            self.turn,
            self.idle_turns,
            self.expert,
            self.queue.copy(),
            [mountain.clone() for mountain in self.mountains],
            self.scorings.copy(),
            self.solo.clone() if self.solo else None,
            self.campaign.copy() if self.campaign is not None else None,
        )
