"""One game's records, applied in order: version, undo points, replay.

`History` is what a server keeps of a game and what a verifier re-runs. A change is *prepared* on a copy and *committed*
afterwards, so that a journal can be written in between and a refused or lost write leaves nothing half done.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from meadow_engine.game import Game, GameConfig
from meadow_engine.kernel.errors import EngineError, GameNotRunning, GameOver, NotYourTurn, UndoBarrier
from meadow_engine.kernel.events import Event
from meadow_engine.kernel.records import (
    Aborted,
    ActionsUndone,
    ActionTaken,
    ClockExpired,
    GameEnded,
    Record,
    SeatResigned,
    Started,
)
from meadow_engine.kernel.variant import Outcome
from meadow_engine.kernel.zones import knows


class Status(Enum):
    """Where a game stands."""

    OPEN = "OPEN"
    RUNNING = "RUNNING"
    FINISHED = "FINISHED"
    ABORTED = "ABORTED"


Departure = SeatResigned | ClockExpired
"""What can end a game before its rules do."""


class RevealBarrier(EngineError):
    """A batch or a validation would go on behind something revealed or drawn: it must stop there."""

    code = "REVEAL_BARRIER"


@dataclass(frozen=True, slots=True)
class Applied:
    """What one record did.

    Attributes:
        record: the record.
        events: what happened, in order; project them with `Event.seen_by`.
        chance: outcomes drawn, in order.
        reveals: whether something hidden from the acting seat came to light.
        knowers: the mask of seats that may know which action was taken; None for everybody.
        pending: after the start or an action, the seat that has to choose next; None for nobody.
        settled: whether nothing up to this action can be taken back any more.
    """

    record: Record
    events: tuple[Event, ...] = ()
    chance: tuple[int, ...] = ()
    reveals: bool = False
    knowers: int | None = None
    pending: int | None = None
    settled: bool = False

    def action_known_to(self, viewer: int | None) -> bool:
        """Whether a seat (None: a spectator) may know which action was taken, not only its events."""
        return self.knowers is None or knows(self.knowers, viewer)


@dataclass(frozen=True, slots=True)
class UndoPoint:
    """The game as it was before an action of a seat."""

    seat: int
    game: Game


@dataclass(frozen=True, slots=True)
class Change:
    """A prepared change: commit it to the history it was prepared on, at the same version."""

    base_version: int
    applied: tuple[Applied, ...]
    game: Game | None
    status: Status
    undo_points: tuple[UndoPoint, ...]
    ending: Departure | None


class History:
    """A game and the records that made it.

    Attributes:
        config: variant, seats, options, content, rules revision and seed.
        records: all records so far.
        game: the running or finished game; None while the game is open (or was aborted before its start).
        status: where the game stands.
        undo_points: the actions that their seat may still take back, oldest first.
        ending: what ended the game before its rules did; None while it runs, and if it was played to its end.
    """

    def __init__(self, config: GameConfig) -> None:
        self.config = config
        self.records: list[Record] = []
        self.game: Game | None = None
        self.status = Status.OPEN
        self.undo_points: tuple[UndoPoint, ...] = ()
        self.ending: Departure | None = None

    @property
    def version(self) -> int:
        """How many records there are; never falls."""
        return len(self.records)

    def undoable(self, seat: int) -> int:
        """How many of its latest actions a seat may take back now."""
        if self.status is not Status.RUNNING:
            return 0
        return len(self.undo_points) if self.undo_points and self.undo_points[0].seat == seat else 0

    def prepare(self, records: Sequence[Record], *, stop_at_reveal: bool = False) -> Change:
        """Apply records to a copy.

        Args:
            records: in order; all or none.
            stop_at_reveal: refuse to look behind a reveal even after the last record (a validation).

        Raises:
            EngineError: whatever refused a record, its place under ``index`` in the details; REVEAL_BARRIER if
                something is revealed before the last one.
        """
        draft = _Draft(self)
        for index, record in enumerate(records):
            try:
                applied = draft.apply(record)
            except EngineError as refusal:
                refusal.details["index"] = str(index)
                raise
            if applied.reveals and (stop_at_reveal or index + 1 < len(records)):
                raise RevealBarrier("something is revealed or drawn here; submit up to this action first", index=index)
        return Change(self.version, tuple(draft.applied), draft.game, draft.status, draft.undo_points, draft.ending)

    def commit(self, change: Change) -> None:
        """Make a prepared change true."""
        if change.base_version != self.version:
            raise ValueError("the change was prepared on another version")
        self.records += [applied.record for applied in change.applied]
        self.game = change.game
        self.status = change.status
        self.undo_points = change.undo_points
        self.ending = change.ending

    def apply(self, record: Record) -> Applied:
        """Prepare and commit one record."""
        change = self.prepare([record])
        self.commit(change)
        return change.applied[0]


def outcome_of(game: Game, ending: Departure | None) -> Outcome:
    """The result of a finished game.

    Played to its end, it is the rules' own. Else whoever ended it has the last rank, and the others are ranked by the
    points they had at that moment; equal points share a rank.

    Args:
        game: its last position.
        ending: what ended it before its rules did, see `History.ending`.
    """
    if ending is None:
        return game.outcome()
    points = game.returns()
    others = [had for seat, had in enumerate(points) if seat != ending.seat]
    ranks = [1 + sum(better > had for better in others) for had in points]
    ranks[ending.seat] = len(points)
    return Outcome(tuple(ranks))


class _Draft:
    """A copy of a history's tip that records are tried on."""

    def __init__(self, history: History) -> None:
        self.config = history.config
        self.game = history.game
        self.status = history.status
        self.undo_points = history.undo_points
        self.ending = history.ending
        self.latest = history.records[-1] if history.records else None
        self.applied: list[Applied] = []

    def apply(self, record: Record) -> Applied:
        if isinstance(record, ActionTaken):
            applied = self._act(record)
        elif isinstance(record, ActionsUndone):
            applied = self._undo(record)
        elif isinstance(record, Started):
            applied = self._start(record)
        else:
            applied = self._note(record)
        self.latest = record
        self.applied.append(applied)
        return applied

    def _note(self, record: Record) -> Applied:
        """A record that leaves the position as it is."""
        match record:
            case Aborted():
                self.status = Status.ABORTED
            case SeatResigned() | ClockExpired():
                self._running()
            case GameEnded():
                self._running()
                if not isinstance(self.latest, SeatResigned | ClockExpired):
                    raise GameNotRunning("a game ends because a seat resigned or its clock ran out")
                self.status, self.ending = Status.FINISHED, self.latest
        return Applied(record)

    def _start(self, record: Started) -> Applied:
        if self.status is not Status.OPEN:
            raise GameNotRunning("the game has started already")
        self.game = self.config.new_game()
        self.status = Status.RUNNING
        return Applied(record, self.game.opening_events, reveals=True, pending=_seat_to_choose(self.game), settled=True)

    def _act(self, record: ActionTaken) -> Applied:
        game = self._running()
        decision = game.decision
        if decision is None or decision.seat != record.seat:
            raise NotYourTurn("another seat has to choose", seat=record.seat)
        after = game.clone()
        result = after.apply(record.action_id)
        if result.reveals or result.shows:
            # what has been seen cannot be unseen
            self.undo_points = ()
        else:
            own = self.undo_points if self.undo_points and self.undo_points[0].seat == record.seat else ()
            self.undo_points = (*own, UndoPoint(record.seat, game))
        self.game = after
        if after.is_over:
            self.status = Status.FINISHED
        listed = ActionTaken(record.seat, result.action_id)
        return Applied(
            listed,
            result.events,
            result.chance,
            result.reveals,
            result.knowers,
            _seat_to_choose(after),
            not self.undo_points,
        )

    def _undo(self, record: ActionsUndone) -> Applied:
        self._running()
        own = self.undo_points if self.undo_points and self.undo_points[0].seat == record.seat else ()
        if not 1 <= record.count <= len(own):
            raise UndoBarrier(
                f"{len(own)} actions can be taken back, not {record.count}", possible=len(own), asked=record.count
            )
        self.game = own[-record.count].game
        self.undo_points = own[: -record.count]
        return Applied(record)

    def _running(self) -> Game:
        if self.status is Status.FINISHED:
            raise GameOver("the game has ended")
        if self.status is not Status.RUNNING or self.game is None:
            raise GameNotRunning(f"the game is {self.status.value.lower()}")
        return self.game


def _seat_to_choose(game: Game) -> int | None:
    decision = game.decision
    return None if decision is None else decision.seat
