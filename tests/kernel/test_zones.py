from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st
from meadow_engine.kernel.rng import Streams
from meadow_engine.kernel.zones import EVERYBODY, NOBODY, HiddenPile, knows, seat_bit

STREAM = "tiles"
piles = st.lists(st.integers(0, 9), min_size=1, max_size=12)


def streams(number: int = 0) -> Streams:
    """Random streams of a numbered seed."""
    return Streams(number.to_bytes(32, "big"))


def test_the_last_element_is_the_top() -> None:
    """Components come off the end of the list."""
    pile = HiddenPile([1, 2, 3])
    assert [pile.pop(), pile.pop(), len(pile)] == [3, 2, 1]


def test_a_pile_nobody_looked_at_keeps_no_list_of_who_knows() -> None:
    """Most piles are never looked at; they carry no second list."""
    pile = HiddenPile([1, 2, 3])
    pile.pop()
    pile.put_under([7], NOBODY)
    assert pile.seen == []


def test_looking_tells_the_top_first_and_is_remembered() -> None:
    """A seat that looks at the top components knows them from then on; nobody else does."""
    pile = HiddenPile([1, 2, 3])
    assert pile.look(1, 2) == [3, 2]
    assert pile.seen == [NOBODY, seat_bit(1), seat_bit(1)]
    assert pile.look(0, 1) == [3]
    assert pile.seen == [NOBODY, seat_bit(1), seat_bit(0) | seat_bit(1)]


def test_looking_at_more_than_there_is_shows_all() -> None:
    """A short pile is looked through to its bottom."""
    assert HiddenPile([1, 2]).look(0, 5) == [2, 1]
    assert HiddenPile().look(0, 5) == []


def test_what_is_known_leaves_with_the_component() -> None:
    """Knowledge belongs to the component: it goes when the component is drawn."""
    pile = HiddenPile([1, 2, 3])
    pile.look(0, 1)
    pile.pop()
    assert pile.seen == [NOBODY, NOBODY]


def test_components_go_under_the_pile_with_those_who_know_them() -> None:
    """The first one laid under is the lowest, and what was known above stays known."""
    pile = HiddenPile([1, 2])
    pile.put_under([8, 9], seat_bit(0))
    assert (pile.items, pile.seen) == ([8, 9, 1, 2], [seat_bit(0), seat_bit(0), NOBODY, NOBODY])
    pile.put_under([7], NOBODY)
    assert (pile.items, pile.seen) == ([7, 8, 9, 1, 2], [NOBODY, seat_bit(0), seat_bit(0), NOBODY, NOBODY])


def test_a_component_is_hoisted_by_an_exchange_with_the_top() -> None:
    """To replay a given outcome, the component changes places with the top; a pile without it says so."""
    pile = HiddenPile([1, 2, 3])
    assert pile.hoist(1)
    assert pile.items == [3, 2, 1]
    assert not pile.hoist(9)
    assert pile.items == [3, 2, 1]


def test_a_component_is_hoisted_to_a_place_below_the_top() -> None:
    """Outcomes of a look are put in their places one by one; what lies above is not touched, nor searched."""
    pile = HiddenPile([1, 2, 3, 4])
    assert pile.hoist(1, depth=1)
    assert pile.items == [3, 2, 1, 4]
    assert not pile.hoist(4, depth=1)
    assert not pile.hoist(3, depth=4)
    assert pile.items == [3, 2, 1, 4]


def test_what_somebody_has_seen_is_a_fact() -> None:
    """A given outcome neither takes a component that a seat has seen from its place, nor displaces one."""
    pile = HiddenPile([1, 2, 3])
    pile.put_under([9], seat_bit(1))
    pile.look(0, 1)
    assert not pile.hoist(1)
    assert not pile.hoist(9, depth=1)
    assert pile.hoist(3)
    assert pile.hoist(1, depth=1)
    assert pile.items == [9, 2, 1, 3]


def test_everybody_knows_what_lay_open() -> None:
    """What lay open is known to every seat and to spectators; what a seat saw, to that seat only."""
    assert all(knows(EVERYBODY, viewer) for viewer in (None, 0, 3))
    assert not any(knows(NOBODY, viewer) for viewer in (None, 0, 3))
    assert [knows(seat_bit(1), viewer) for viewer in (None, 0, 1)] == [False, False, True]
    pile = HiddenPile([1, 2])
    pile.put_under([8, 9], EVERYBODY)
    pile.look(1, 1)
    assert [pile.unknown_to(viewer) for viewer in (None, 0, 1)] == [[2, 3], [2, 3], [2]]


def test_a_component_is_taken_out_with_those_who_know_it() -> None:
    """From anywhere near the top, with the mask of seats that have seen it."""
    pile = HiddenPile([1, 2, 3])
    assert pile.take_from_top(1) == (2, NOBODY)
    pile.look(1, 1)
    assert pile.take_from_top(0) == (3, seat_bit(1))
    assert (pile.items, pile.seen) == ([1], [NOBODY])


def test_hoisting_what_is_on_top_changes_nothing() -> None:
    """The true outcome, given again, leaves the pile as it lies, even when equal components lie below."""
    pile = HiddenPile([5, 1, 5])
    assert pile.hoist(5)
    assert pile.items == [5, 1, 5]


def test_a_copy_is_independent() -> None:
    """Neither order nor knowledge is shared with a clone."""
    pile = HiddenPile([1, 2, 3])
    pile.look(0, 1)
    copy = pile.clone()
    assert copy == pile
    copy.pop()
    copy.look(1, 2)
    assert (pile.items, pile.seen) == ([1, 2, 3], [NOBODY, NOBODY, seat_bit(0)])


def test_the_order_has_no_place_in_a_repr() -> None:
    """A repr ends up in logs and error reports; the order of a pile must not."""
    assert "4711" not in repr(HiddenPile([4711]))


@given(piles, st.integers(0, 12), st.sampled_from([None, 0, 1]))
def test_resampling_moves_only_what_the_viewer_does_not_know(items: list[int], looked: int, viewer: int | None) -> None:
    """What the viewer has seen stays in its place; the rest keeps its components in some order."""
    pile = HiddenPile(items.copy())
    pile.look(0, looked)
    sample = pile.clone()
    sample.resample(viewer, streams(), STREAM)
    assert Counter(sample.items) == Counter(items)
    known = min(looked, len(items)) if viewer == 0 else 0
    assert sample.items[len(items) - known :] == items[len(items) - known :]
    assert sample.seen == pile.seen


@given(st.permutations(range(8)), st.permutations(range(8)), st.integers(0, 2**64))
def test_a_sample_tells_nothing_of_the_true_order(one: list[int], other: list[int], seed: int) -> None:
    """Whatever order the hidden components truly have, the same seed makes the same sample of them."""
    piles = [HiddenPile(list(order)) for order in (one, other)]
    for pile in piles:
        pile.resample(None, streams(seed), STREAM)
    assert piles[0] == piles[1]
