"""Nothing hidden can be told from anything a player gets: secrecy by swapping the hidden zones."""

from __future__ import annotations

from dataclasses import fields
from random import Random

import pytest
from meadow_engine import api
from meadow_engine.api import ActionsUndone, ActionTaken, History, Started
from meadow_engine.kernel.zones import HiddenPile

from tests.engine import secrecy
from tests.engine.conformance import any_legal, outcome_of, sampled, viewers, walk
from tests.engine.families import Case, main_cases

each_main_case = pytest.mark.parametrize("case", main_cases(), ids=str)


@each_main_case
def test_what_is_hidden_cannot_be_told(case: Case) -> None:
    """With hidden zones and seed swapped, views, texts, legal lists, labels, errors, scores and events are the same.

    Every zone that the variant lists as hidden must have been swapped at least once, or the test has proved nothing.
    """
    swapped: set[str] = set()
    for game, twin, viewer, zones in secrecy.lockstep(case, seed=21):
        secrecy.check_alike(game, twin, viewer, seed=21)
        swapped |= zones
    assert swapped == set(case.variant.hidden_zones)


@each_main_case
def test_bots_do_not_see_what_is_hidden(case: Case) -> None:
    """No bot chooses otherwise when what is hidden lies otherwise."""
    random = Random(22)
    for ply, game in enumerate(walk(case, seed=22)):
        if ply % 9 == 0 and game.decision is not None:
            twin, _ = secrecy.twin_of(case, game, (game.decision.seat,), random)
            assert secrecy.choices_of_bots(game) == secrecy.choices_of_bots(twin)


@each_main_case
def test_reveals_are_told_as_such(case: Case) -> None:
    """An action that makes the twins differ says that it reveals; where something is drawn, some twin does differ."""
    random, drew, differed = Random(23), 0, 0
    for game in walk(case, seed=23):
        if game.is_over:
            break
        action_id = any_legal(game, random)
        twin = secrecy.acting_twin(case, game, action_id, None, random)
        result = game.clone().apply(action_id)
        assert result.reveals or not result.chance
        drew += bool(result.chance)
        differed += secrecy.check_until_reveal(case, game, twin, action_id, None)
    assert (differed > 0) == (drew > 0)


@each_main_case
def test_taking_back_tells_nothing(case: Case) -> None:
    """Undo, refused undo, batches stopped by a reveal and validations are the same whatever is hidden."""
    config = api.game_config(case.variant.id, seats=case.seats, seed=24, options=case.options)
    random, asked = Random(24), Random(25)
    history = History(config)
    history.apply(Started())
    for _ in range(60):
        game = history.game
        assert game is not None
        decision = game.decision
        if decision is None:
            break
        twin = History(config)
        twin.apply(Started())
        twin.records, twin.undo_points = history.records.copy(), history.undo_points
        twin.game, _ = secrecy.twin_of(case, game, (decision.seat,), random)
        ids = [any_legal(game, asked) for _ in range(2)]
        acts = [ActionTaken(decision.seat, action_id) for action_id in ids]
        for tried in ([ActionsUndone(seat, 1)] for seat in range(case.seats)):
            assert _refused(history, tried) == _refused(twin, tried)
        assert _refused(history, acts) == _refused(twin, acts)
        assert _refused(history, acts[:1], validate=True) == _refused(twin, acts[:1], validate=True)
        assert [history.undoable(seat) for seat in range(case.seats)] == [twin.undoable(s) for s in range(case.seats)]
        count = history.undoable(decision.seat)
        history.apply(ActionsUndone(decision.seat, count) if count > 1 and asked.random() < 0.3 else acts[0])


def _refused(history: History, records: list[ActionTaken] | list[ActionsUndone], *, validate: bool = False) -> object:
    """How a change is refused; None if it is not."""
    answer = outcome_of(lambda: history.prepare(records, stop_at_reveal=validate))
    return answer if isinstance(answer, tuple) else None


@each_main_case
def test_every_hidden_pile_is_listed(case: Case) -> None:
    """A pile that a game keeps face down is among the zones its variant calls hidden."""
    state = case.new_game(0).state
    piles = {field.name for field in fields(state) if isinstance(getattr(state, field.name), HiddenPile)}
    assert piles <= set(case.variant.hidden_zones)


@each_main_case
def test_a_sample_looks_the_same_and_hides_something_else(case: Case) -> None:
    """Its viewer cannot tell a determinized game from the true one; where nobody has seen it lies differently."""
    different = 0
    for ply, game in enumerate(walk(case, seed=26)):
        if not sampled(ply, 6):
            continue
        before = game.encode()
        for viewer in viewers(game):
            sample = game.determinize(viewer, seed=ply)
            assert secrecy.visible(sample, viewer) == secrecy.visible(game, viewer)
            assert case.checks.in_play(sample) == case.checks.in_play(game)
            assert game.config.seed.hex().encode() not in sample.encode()
            different += case.checks.hidden(sample) != case.checks.hidden(game)
        assert game.encode() == before
    assert different


@each_main_case
def test_a_sample_does_not_depend_on_what_is_truly_hidden(case: Case) -> None:
    """From the true game and from any twin the same seed makes the same sample, now and in all its future."""
    for ply, (game, twin, viewer, _) in enumerate(secrecy.lockstep(case, seed=27)):
        if sampled(ply, 7):
            samples = [origin.determinize(viewer, seed=ply) for origin in (game, twin)]
            assert samples[0].encode() == samples[1].encode()
            random = Random(ply)
            for _ in range(3):
                if not samples[0].is_over:
                    action_id = any_legal(samples[0], random)
                    assert samples[0].apply(action_id) == samples[1].apply(action_id)


@each_main_case
def test_a_sample_can_be_played_to_its_end(case: Case) -> None:
    """A determinized game is a whole game."""
    random, middle = Random(28), case.new_game(28)
    for _ in range(20):
        middle.apply(any_legal(middle, random))
    sample = middle.determinize(0, seed=b"\x55" * 32)
    while not sample.is_over:
        sample.apply(any_legal(sample, random))
    assert min(sample.outcome().ranks) == 1


def test_neither_seed_nor_order_is_in_a_repr() -> None:
    """What is printed for debugging - configuration, game, state - gives nothing away."""
    seed = bytes(range(200, 232))
    game = api.new_game("spring_meadow", seats=2, seed=seed)
    shown = "".join(map(repr, (game, game.config, game.state, History(game.config))))
    assert seed.hex() not in shown
    assert repr(seed) not in shown
    assert str(game.state.box.items)[1:-1] not in shown


@pytest.mark.long
@each_main_case
def test_what_is_hidden_cannot_be_told_in_many_games(case: Case) -> None:
    """The same over many games."""
    for seed in range(300, 305):
        for game, twin, viewer, _ in secrecy.lockstep(case, seed):
            secrecy.check_alike(game, twin, viewer, seed)
            assert game.determinize(viewer, seed).encode() == twin.determinize(viewer, seed).encode()
