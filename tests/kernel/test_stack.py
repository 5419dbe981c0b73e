from __future__ import annotations

import pytest
from meadow_engine.kernel import codec, stack
from meadow_engine.kernel.errors import BadChance, GameOver, IllegalAction
from meadow_engine.kernel.stack import Decision, Step
from meadow_engine.kernel.zones import HiddenPile, seat_bit

from tests.kernel.games import TURN_UP, Choice, Heap, ShowCard, Shown, Taken, Turn, heap


def started(counters: int = 7, *cards: int) -> Heap:
    """A game at its first decision."""
    state = heap(counters, *cards)
    stack.run(state)
    return state


def test_steps_run_until_a_seat_has_to_choose() -> None:
    """Work that needs no choice is done at once; what follows the choice waits below it."""
    state = started()
    assert state.stack == [Turn(1), Choice(0)]
    assert stack.pending(state) == Choice(0)


def test_an_action_runs_on_to_the_next_decision() -> None:
    """After an action the next seat's decision is on top, and the output tells what happened."""
    state = started()
    output = stack.apply(state, 1)
    assert (output.action_id, output.events, output.chance, output.revealed) == (1, [Taken(0, 2)], [], False)
    assert state.heap == 5
    assert stack.pending(state) == Choice(1)


def test_the_game_is_over_when_nothing_is_pending() -> None:
    """An empty stack is the end: no decision, and every action is refused as such."""
    state = started(2)
    stack.apply(state, 1)
    assert state.stack == []
    assert stack.pending(state) is None
    with pytest.raises(GameOver):
        stack.apply(state, 0)


@pytest.mark.parametrize("action_id", [2, TURN_UP, 99, -1])
def test_a_refused_action_leaves_the_state_untouched(action_id: int) -> None:
    """Not even the output of the action before is lost when an action is refused."""
    state = started(3)
    stack.apply(state, 0)
    before, output = codec.digest(state), state.out
    with pytest.raises(IllegalAction) as refusal:
        stack.apply(state, action_id)
    assert refusal.value.rule == "NOT_THERE"
    assert codec.digest(state) == before
    assert state.out is output


def test_steps_pushed_by_steps_run_at_once() -> None:
    """Nested work is the same stack: cards above 0 turn up further cards before the turn passes."""
    state = started(7, 9, 0, 4, 3)
    output = stack.apply(state, TURN_UP)
    assert output.events == [Shown(3), Shown(4), Shown(0)]
    assert state.cards.items == [9]
    assert stack.pending(state) == Choice(1)


def test_what_is_drawn_is_an_outcome_and_reveals() -> None:
    """Components drawn are listed in order, and the action counts as one that revealed something."""
    output = stack.apply(started(7, 0, 4), TURN_UP)
    assert output.chance == [4, 0]
    assert output.revealed


def test_given_outcomes_replace_the_piles_order() -> None:
    """With outcomes given, those come up, and the pile keeps the rest."""
    state = started(7, 1, 2, 0, 5)
    output = stack.apply(state, TURN_UP, [2, 0])
    assert output.chance == [2, 0]
    assert sorted(state.cards.items) == [1, 5]


def test_the_outcomes_of_an_action_given_again_give_the_same_state() -> None:
    """What `apply` drew, handed to another copy, leads to the same state to the last bit."""
    one, other = started(7, 5, 2, 0, 5), started(7, 5, 2, 0, 5)
    drawn = stack.apply(one, TURN_UP).chance
    stack.apply(other, TURN_UP, drawn)
    assert codec.encode(one) == codec.encode(other)


def test_a_look_is_an_outcome_too() -> None:
    """What a seat is shown of a pile is listed like what is drawn, reveals, and can be given."""
    pile, output = HiddenPile([1, 2, 3]), stack.Output()
    assert output.look(pile, 0, 5) == output.chance == [3, 2, 1]
    assert output.revealed
    assert pile.seen == [seat_bit(0)] * 3
    given, again = stack.Output(given=[3, 1]), HiddenPile([1, 2, 3])
    assert given.look(again, 0, 2) == given.chance == [1, 3]
    assert again.items == [2, 3, 1]
    with pytest.raises(BadChance):
        stack.Output(given=[7]).look(HiddenPile([1, 2, 3]), 0, 1)


@pytest.mark.parametrize("given", [[], [2], [9], [2, 0, 1]])
def test_impossible_outcomes_are_refused(given: list[int]) -> None:
    """Too few outcomes, too many, or such as the pile does not hold cannot happen."""
    with pytest.raises(BadChance):
        stack.apply(started(7, 1, 2, 0), TURN_UP, given)


def test_outcomes_for_an_action_that_draws_nothing_are_refused() -> None:
    """An action without chance takes no outcomes."""
    with pytest.raises(BadChance):
        stack.apply(started(), 0, [1])
    assert stack.apply(started(), 0, []).chance == []


def test_a_frame_that_does_not_say_what_it_does_is_noticed() -> None:
    """The base classes refuse to stand for a rule somebody forgot to write."""
    state = started()

    class Forgotten(Decision[Heap]):
        kind = "forgotten"
        seat = 0

    with pytest.raises(TypeError, match="Step does not say"):
        Step[Heap]().run(state)
    for use in (Forgotten().check, Forgotten().take):
        with pytest.raises(TypeError, match="Forgotten does not"):
            use(state, 0)
    with pytest.raises(TypeError, match="Forgotten does not"):
        Forgotten().legal_ids(state)


def test_a_frame_is_a_value() -> None:
    """Frames are equal when they say the same, and cannot be changed: a copied list is a copied stack."""
    assert ShowCard() == ShowCard()
    assert Choice(0) != Choice(1)
    with pytest.raises(AttributeError):
        Choice(0).seat = 1  # type: ignore[misc]
