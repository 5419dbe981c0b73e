from __future__ import annotations

import pytest
from meadow_engine import api
from meadow_engine.api import (
    Aborted,
    ActionsUndone,
    ActionTaken,
    ClockExpired,
    GameEnded,
    GameNotRunning,
    GameOver,
    History,
    IllegalAction,
    NotYourTurn,
    Record,
    RevealBarrier,
    RulesRevisionUnsupported,
    SeatBot,
    SeatClaimed,
    SeatReleased,
    SeatResigned,
    Started,
    Status,
    UndoBarrier,
)

from tests.support.frozen import frozen_pack


def opened(seats: int = 2, seed: int = 7) -> History:
    """A game nobody has started; seat 0 will begin it."""
    config = api.game_config("spring_meadow", seats=seats, seed=seed, options={"first_seat": 0}, pack=frozen_pack())
    return History(config)


def running(seats: int = 2, seed: int = 7) -> History:
    """A game at its first decision."""
    history = opened(seats, seed)
    history.apply(Started())
    return history


def next_action(history: History, place: int = 0) -> ActionTaken:
    """A legal action of the seat to choose."""
    assert history.game is not None
    decision = history.game.decision
    assert decision is not None
    return ActionTaken(decision.seat, history.game.legal_ids()[place])


def act(history: History, place: int = 0) -> ActionTaken:
    """Take a legal action."""
    record = next_action(history, place)
    history.apply(record)
    return record


def play_to_reveal(history: History) -> None:
    """Play on until the next action is one that reveals something; that one is not taken."""
    while True:
        assert history.game is not None
        probe = history.game.clone()
        if probe.apply(next_action(history).action_id).reveals:
            return
        act(history)


def finished() -> History:
    """A game played to its end."""
    history = running()
    while history.status is Status.RUNNING:
        act(history)
    return history


def facts(history: History) -> tuple[object, ...]:
    """All that a change could change."""
    state = history.game.state_hash() if history.game else None
    return history.version, tuple(history.records), history.status, state, history.undo_points


def test_the_version_is_the_number_of_records() -> None:
    """Each record, of whatever kind, raises the version by one, also those that only concern seats."""
    history = opened()
    assert (history.version, history.status, history.game) == (0, Status.OPEN, None)
    for number, record in enumerate(
        [SeatClaimed(0, "Ada", ""), SeatReleased(0, 1), SeatBot(0, "greedy", 2), Started()]
    ):
        history.apply(record)
        assert history.version == number + 1
    act(history)
    history.apply(ActionsUndone(0, 1))
    assert history.version == 6


def test_the_start_gives_the_events_of_the_set_up() -> None:
    """Starting makes the game and tells what the set-up laid out, which is a reveal."""
    applied = opened().apply(Started())
    assert [type(event).__name__ for event in applied.events][-2:] == ["MapRefilled", "TurnStarted"]
    assert applied.reveals


def test_an_action_is_recorded_as_it_is_listed() -> None:
    """An equivalent form of a placement goes into the records under the id that is listed."""
    history = running()
    game = history.game
    assert game is not None
    tiles = game.catalogue.tiles
    symmetric = [len(tiles[game.view().meadow_map[space]].forms) < 8 for space in game.legal_ids()]
    act(history, symmetric.index(True))
    game = history.game
    assert game is not None
    legal = set(game.legal_ids())
    alias = next(i for i in range(game.action_space.size) if i not in legal and _listed(game, i) in legal)
    applied = history.apply(ActionTaken(0, alias))
    assert applied.record == history.records[-1] == ActionTaken(0, game.check(alias))


def _listed(game: api.Game, action_id: int) -> int | None:
    try:
        return game.check(action_id)
    except IllegalAction:
        return None


def test_a_history_replays_to_the_same_game() -> None:
    """The records alone, undone actions among them, lead to the same state, version and undo points."""
    history = running()
    for turn in range(30):
        act(history, turn % 2)
        if turn % 5 == 2 and (count := history.undoable(history.undo_points[-1].seat if history.undo_points else 0)):
            history.apply(ActionsUndone(history.undo_points[-1].seat, count))
    again = History(history.config)
    for record in history.records:
        again.apply(record)
    assert again.game is not None
    assert history.game is not None
    assert again.game.encode() == history.game.encode()
    assert (again.version, again.status) == (history.version, history.status)
    assert [point.seat for point in again.undo_points] == [point.seat for point in history.undo_points]


def test_a_batch_is_applied_as_a_whole() -> None:
    """Several records prepared together and committed are the same as one after the other."""
    one, other = running(), running()
    first = act(one)
    second = act(one)
    change = other.prepare([first, second])
    assert [applied.record for applied in change.applied] == [first, second]
    assert other.version == 1
    other.commit(change)
    assert facts(other)[:4] == facts(one)[:4]


def test_a_batch_with_a_bad_record_changes_nothing() -> None:
    """If any record of a batch is refused, none of it happens, and the error names the record's place."""
    history = running()
    before = facts(history)
    with pytest.raises(IllegalAction) as refusal:
        history.prepare([next_action(history), ActionTaken(0, 24)])
    assert refusal.value.details["index"] == "1"
    assert facts(history) == before


def test_a_batch_stops_at_a_reveal() -> None:
    """Nothing may follow a reveal in a batch, else a refused rest would be a free look; the error names the place."""
    history = running()
    play_to_reveal(history)
    revealing = next_action(history)
    probe = History(history.config)
    for record in [*history.records, revealing]:
        probe.apply(record)
    before = facts(history)
    with pytest.raises(RevealBarrier) as refusal:
        history.prepare([revealing, next_action(probe)])
    assert refusal.value.details == {"index": "0"}
    assert facts(history) == before
    history.commit(history.prepare([revealing]))
    assert facts(history)[:4] == facts(probe)[:4]


def test_a_validation_does_not_look_behind_a_reveal() -> None:
    """Whoever only asks what an action would do is not told what it would reveal, even by the last action."""
    history = running()
    act(history)
    history.prepare([next_action(history)], stop_at_reveal=True)
    play_to_reveal(history)
    with pytest.raises(RevealBarrier):
        history.prepare([next_action(history)], stop_at_reveal=True)


def test_own_actions_are_taken_back_until_another_seat_acts() -> None:
    """A seat takes back one or all of its latest actions; once another seat has acted it cannot."""
    history = running()
    start = history.game
    assert start is not None
    act(history)
    act(history)
    assert [history.undoable(seat) for seat in (0, 1)] == [2, 0]
    history.apply(ActionsUndone(0, 2))
    assert history.game is not None
    assert history.game.state_hash() == start.state_hash()
    assert history.undoable(0) == 0
    act(history)
    act(history)
    history.apply(ActionsUndone(0, 1))
    assert history.undoable(0) == 1
    _end_turn(history, 0)
    assert history.undoable(0) > 0, "the other seat has not acted yet"
    act(history)
    assert [history.undoable(seat) for seat in (0, 1)] == [0, 1]
    with pytest.raises(UndoBarrier):
        history.apply(ActionsUndone(0, 1))


def _end_turn(history: History, seat: int) -> None:
    while next_action(history).seat == seat:
        act(history)


@pytest.mark.parametrize(("seat", "count"), [(0, 0), (0, -1), (0, 3), (1, 1), (9, 1)])
def test_no_more_is_taken_back_than_one_has_done(seat: int, count: int) -> None:
    """A count below one or above the number of own actions is refused, and so is another seat's undo."""
    history = running()
    act(history)
    act(history)
    before = facts(history)
    with pytest.raises(UndoBarrier) as refusal:
        history.apply(ActionsUndone(seat, count))
    assert refusal.value.details["possible"] == ("2" if seat == 0 else "0")
    assert facts(history) == before


def test_nothing_is_taken_back_behind_a_reveal() -> None:
    """Once something was drawn, no action before it can be taken back, by anybody."""
    history = running()
    play_to_reveal(history)
    act(history)
    assert [history.undoable(seat) for seat in (0, 1)] == [0, 0]
    for seat in (0, 1):
        with pytest.raises(UndoBarrier):
            history.apply(ActionsUndone(seat, 1))


def test_only_the_seat_to_choose_may_act() -> None:
    """Another seat's action is refused whether or not it would be legal."""
    history = running()
    before = facts(history)
    with pytest.raises(NotYourTurn):
        history.apply(ActionTaken(1, next_action(history).action_id))
    assert facts(history) == before


def test_a_game_that_is_not_running_takes_no_action() -> None:
    """Before its start and after its abortion a game refuses actions and undo; it is started once only."""
    history = opened()
    for early in (ActionTaken(0, 0), ActionsUndone(0, 1)):
        with pytest.raises(GameNotRunning):
            history.apply(early)
    history.apply(Started())
    with pytest.raises(GameNotRunning):
        history.apply(Started())
    act(history)
    history.apply(Aborted("the host left"))
    assert history.status is Status.ABORTED
    assert history.undoable(0) == 0
    for record in (next_action(history), ActionsUndone(0, 1), Started()):
        with pytest.raises(GameNotRunning):
            history.apply(record)


def test_a_finished_game_stays_as_it_is() -> None:
    """With the last action the game is finished: no action, no undo."""
    history = finished()
    assert history.status is Status.FINISHED
    assert history.game is not None
    assert history.game.is_over
    before = facts(history)
    records: list[Record] = [ActionTaken(0, 0), ActionsUndone(0, 1), Started()]
    for record in records:
        with pytest.raises((GameOver, GameNotRunning)):
            history.apply(record)
    assert history.undoable(0) == history.undoable(1) == 0
    assert facts(history) == before


def test_a_change_is_committed_to_the_version_it_was_prepared_on() -> None:
    """Between preparing and committing nothing else may have happened."""
    history = running()
    change = history.prepare([next_action(history)])
    act(history, 1)
    before = facts(history)
    with pytest.raises(ValueError, match="another version"):
        history.commit(change)
    assert facts(history) == before


def test_preparing_leaves_the_history_alone() -> None:
    """Until it is committed, a prepared change can be thrown away without a trace."""
    history = running()
    before = facts(history)
    history.prepare([next_action(history)])
    assert facts(history) == before


def test_a_game_of_another_rules_revision_is_not_started() -> None:
    """A configuration recorded under rules this engine does not have is refused by that name."""
    config = opened().config
    old = api.GameConfig(config.variant, 2, config.options, config.pack, config.seed, config.rules_revision + 1)
    with pytest.raises(RulesRevisionUnsupported) as refusal:
        History(old).apply(Started())
    assert refusal.value.details == {"supported": "1", "recorded": "2", "index": "0"}


@pytest.mark.parametrize("departure", [SeatResigned(1), ClockExpired(1)])
def test_a_departure_can_end_a_game(departure: SeatResigned | ClockExpired) -> None:
    """The record of a seat that left and that of the end finish a game where it stands; nothing can follow."""
    history = running(seats=3)
    for _ in range(12):
        act(history)
    assert history.game is not None
    position = history.game.state_hash()
    ended: list[Record] = [departure, GameEnded()]
    for record in ended:
        assert history.apply(record).events == ()
    assert (history.status, history.ending) == (Status.FINISHED, departure)
    assert history.game.state_hash() == position
    records: list[Record] = [departure, GameEnded(), next_action(history), ActionsUndone(0, 1)]
    before = facts(history)
    for record in records:
        with pytest.raises(GameOver):
            history.apply(record)
    assert facts(history) == before


def test_only_a_departure_ends_a_game_early() -> None:
    """An end that follows on anything else is refused, and nobody leaves a game that does not run."""
    history = running()
    act(history)
    before = facts(history)
    with pytest.raises(GameNotRunning):
        history.apply(GameEnded())
    assert facts(history) == before
    history.apply(SeatResigned(0))
    act(history)
    with pytest.raises(GameNotRunning):
        history.apply(GameEnded())
    for early in (SeatResigned(0), ClockExpired(0)):
        with pytest.raises(GameNotRunning):
            opened().apply(early)


def test_a_game_goes_on_after_a_departure_without_an_end() -> None:
    """A bot that plays on, or an action taken for a seat, follow a departure as records like any other."""
    history = running()
    history.apply(SeatResigned(1))
    history.apply(SeatBot(1, "greedy", 1))
    history.apply(ClockExpired(0))
    while history.status is Status.RUNNING:
        act(history)
    assert history.ending is None
    assert history.game is not None
    assert api.outcome_of(history.game, history.ending) == history.game.outcome()


class Points(api.Game):
    """A game whose seats have points as wanted."""

    __slots__ = ("given",)
    given: tuple[int, ...]

    def returns(self) -> tuple[int, ...]:
        """The points given."""
        return self.given


@pytest.mark.parametrize(
    ("points", "seat", "ranks"),
    [
        ((5, 3), 0, (2, 1)),
        ((0, 0, 0), 1, (1, 3, 1)),
        ((4, 9, 4, 7), 1, (2, 4, 2, 1)),
        ((4, 9, 4, 7), 0, (4, 1, 3, 2)),
        ((3,), 0, (1,)),
    ],
)
def test_who_ends_a_game_is_last(points: tuple[int, ...], seat: int, ranks: tuple[int, ...]) -> None:
    """The seat that left has the last rank for itself; the others are ranked by points, and equal points share."""
    model = api.new_game("spring_meadow", seats=2, seed=1, pack=frozen_pack())
    game = Points(model.config, model._family, model.catalogue, model.state)
    game.given = points
    assert api.outcome_of(game, SeatResigned(seat)) == api.Outcome(ranks)
