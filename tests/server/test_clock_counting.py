"""How the time of seats is counted, record by record."""

from __future__ import annotations

import pytest
from meadow_engine import api
from meadow_server.clocks import Clocks, Pauses, TimeLeft
from meadow_server.header import ClockRules, Seat
from meadow_server.store.base import MOST_PAUSES, PATIENCE, Pause, Pulse

SEATS = (Seat("RESERVED", True, "", "RED", ""), Seat("RESERVED", True, "", "TEAL", ""))
WITH_BOT = (SEATS[0], Seat("BOT", True, "", "TEAL", "greedy"))


def counted(decision: int = 30, bank: int = 100, pauses: Pauses | None = None) -> Clocks:
    """Clocks of two seats, the first of which has to choose since the moment 1000."""
    clocks = Clocks(ClockRules(decision, bank, "ACT", ""), 2, pauses or Pauses())
    clocks.note(api.Applied(api.Started(), pending=0, settled=True), 1000, SEATS)
    return clocks


def acted(seat: int, pending: int | None, *, settled: bool = False) -> api.Applied:
    """A choice, after which a seat has to choose."""
    return api.Applied(api.ActionTaken(seat, 1), pending=pending, settled=settled)


def undone(seat: int) -> api.Applied:
    """A choice taken back."""
    return api.Applied(api.ActionsUndone(seat, 1))


def test_the_decision_goes_before_the_bank() -> None:
    """Time is taken from the decision first, then from the bank; when both are gone the clock has run out."""
    clocks = counted()
    assert clocks.due(1000) == 1130
    assert clocks.left(0, 1010) == TimeLeft(20, 100, running=True)
    assert clocks.left(0, 1030) == TimeLeft(0, 100, running=True)
    assert clocks.left(0, 1031) == TimeLeft(0, 99, running=True)
    assert clocks.left(0, 1140) == TimeLeft(0, -10, running=True)
    assert clocks.due(1140) == 1130
    assert clocks.left(1, 1140) == TimeLeft(30, 100, running=False)


def test_each_decision_has_its_own_time() -> None:
    """After a choice the next decision has its whole time again, whoever has to choose; banks are not filled up."""
    clocks = counted()
    clocks.note(acted(0, 0), 1050, SEATS)
    assert clocks.left(0, 1050) == TimeLeft(30, 80, running=True)
    clocks.note(acted(0, 1), 1060, SEATS)
    assert (clocks.running, clocks.left(0, 1100)) == (1, TimeLeft(30, 80, running=False))
    clocks.note(acted(1, 0), 1200, SEATS)
    assert clocks.left(1, 1200).bank == 0
    clocks.note(acted(0, 1), 1500, SEATS)
    assert clocks.left(0, 1500).bank == 0


def test_taking_back_wins_no_time() -> None:
    """However often a seat takes back and chooses again, its time runs on as if it were one decision."""
    clocks, now = counted(decision=30, bank=0), 1000
    clocks.note(acted(0, 0), now, SEATS)
    for _ in range(10):
        clocks.note(undone(0), now := now + 2, SEATS)
        clocks.note(acted(0, 0), now := now + 1, SEATS)
    assert clocks.left(0, now) == TimeLeft(0, 0, running=True)
    assert clocks.due(now) is not None
    clocks.note(acted(0, 0, settled=True), now, SEATS)
    assert clocks.left(0, now).decision == 30


def test_taking_back_after_the_turn_has_passed_wins_no_time_either() -> None:
    """A seat that takes its turn back from the next seat goes on with the time it had left."""
    clocks = counted(decision=30, bank=0)
    clocks.note(acted(0, 1), 1020, SEATS)
    clocks.note(undone(0), 1025, SEATS)
    assert clocks.left(0, 1025) == TimeLeft(10, 0, running=True)
    clocks.note(acted(0, 1), 1028, SEATS)
    clocks.note(acted(1, 0), 1030, SEATS)
    assert clocks.left(0, 1030) == TimeLeft(30, 0, running=True)


def test_a_bots_clock_stands_still() -> None:
    """Nothing runs while a bot has to choose; when a player gets the seat back its clock runs from then on."""
    clocks = counted()
    clocks.note(acted(0, 1), 1010, WITH_BOT)
    assert (clocks.running, clocks.due(5000)) == (None, None)
    clocks.note(api.Applied(api.SeatReleased(1, 2)), 2000, SEATS)
    assert clocks.left(1, 2010) == TimeLeft(20, 100, running=True)


@pytest.mark.parametrize("record", [api.Aborted(""), api.GameEnded()])
def test_nothing_runs_after_the_end(record: api.Record) -> None:
    """An ended game has no clock that runs."""
    clocks = counted()
    clocks.note(api.Applied(record), 1040, SEATS)
    assert (clocks.running, clocks.due(9999)) == (None, None)
    over = counted()
    over.note(acted(0, None), 1040, SEATS)
    assert over.running is None


def test_pauses_do_not_count() -> None:
    """Whatever of a time lies in pauses is left out, whether they began before it, end after it or lie within."""
    pauses = Pauses([Pause(100, 200), Pause(300, 400), Pause(500, 600)])
    assert pauses.within(0, 1000) == 300
    assert pauses.within(150, 350) == 100
    assert pauses.within(200, 300) == 0
    assert pauses.within(320, 330) == 10
    assert pauses.within(700, 800) == 0
    clocks = counted(pauses=Pauses([Pause(1020, 1520)]))
    assert clocks.left(0, 1530) == TimeLeft(0, 100, running=True)
    assert clocks.due(1530) == 1630
    clocks.note(acted(0, 1), 1540, SEATS)
    assert clocks.left(0, 1540).bank == 90


def test_a_clock_of_a_server_that_is_behind_takes_nothing() -> None:
    """A record that another server wrote with a clock some time behind neither gives nor takes time."""
    clocks = counted()
    clocks.note(acted(0, 1), 990, SEATS)
    assert clocks.left(0, 990).bank == 100
    assert clocks.left(1, 1010) == TimeLeft(20, 100, running=True)


def test_clocks_that_go_on_on_their_own() -> None:
    """A copy counts by itself."""
    clocks = counted()
    copy = clocks.copy()
    copy.note(acted(0, 1), 1090, SEATS)
    assert clocks.left(0, 1000) == TimeLeft(30, 100, running=True)
    assert copy.left(0, 1090).bank == 40


def test_silence_is_a_pause() -> None:
    """The time since the last beat is a pause when it is longer than servers may be silent."""
    pulse = Pulse(0).beat(PATIENCE, PATIENCE)
    assert pulse == Pulse(PATIENCE)
    later = 3 * PATIENCE
    pulse = pulse.beat(later, PATIENCE)
    assert pulse == Pulse(later, (Pause(PATIENCE, later),))
    assert pulse.beat(later - 5, PATIENCE).last == later
    assert pulse.beat(later + 2, PATIENCE).beat(later + 7, 0).pauses == (*pulse.pauses, Pause(later + 2, later + 7))
    assert Pulse.from_bytes(pulse.to_bytes()) == pulse


def test_pauses_that_touch_are_one() -> None:
    """A server that beat only once was not up: the pauses before and after it are one. Only so many are kept."""
    pulse = Pulse(0)
    for now in range(10, 100, 10):
        pulse = pulse.beat(now, 0)
    assert pulse == Pulse(90, (Pause(0, 90),))
    for now in range(100, 100 + 20 * MOST_PAUSES, 10):
        pulse = pulse.beat(now, 10 if now % 20 else 0).beat(now + 5, 10)
    assert len(pulse.pauses) == MOST_PAUSES
