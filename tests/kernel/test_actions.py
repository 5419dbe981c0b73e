from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from meadow_engine.kernel.actions import UNKNOWN_ACTION, ids_of, packed_mask
from meadow_engine.kernel.errors import IllegalAction

from tests.kernel.games import SPACE, Take, TurnUp


def test_ids_and_actions_are_a_bijection() -> None:
    """Every id has one action and every action one id, block after block."""
    actions = [SPACE.action(action_id) for action_id in range(SPACE.size)]
    assert actions == [Take(1), Take(2), Take(3), TurnUp()]
    assert [SPACE.action_id(action) for action in actions] == list(range(SPACE.size))
    assert (SPACE.start(Take), SPACE.start(TurnUp)) == (0, 3)


@pytest.mark.parametrize("action_id", [-1, 4, 10**30])
def test_an_id_outside_the_space_is_refused(action_id: int) -> None:
    """The error says which ids there are."""
    with pytest.raises(IllegalAction) as refusal:
        SPACE.action(action_id)
    assert refusal.value.rule == UNKNOWN_ACTION
    assert refusal.value.details == {"action_id": str(action_id)}


@pytest.mark.parametrize("action", [Take(0), Take(4), "take", None])
def test_an_action_that_does_not_exist_is_refused(action: object) -> None:
    """A value out of range, or something that is no action at all, has no id."""
    with pytest.raises(IllegalAction) as refusal:
        SPACE.action_id(action)
    assert refusal.value.rule == UNKNOWN_ACTION


@given(st.sets(st.integers(0, 9000)), st.integers(0, 50))
def test_the_set_bits_become_ascending_ids(places: set[int], start: int) -> None:
    """A bit set lists the places of its bits, moved by the start of the block."""
    mask = sum(1 << place for place in places)
    assert ids_of(mask, start) == sorted(start + place for place in places)


@given(st.sets(st.integers(0, 30)), st.integers(31, 60))
def test_a_mask_has_a_bit_for_each_id(ids: set[int], size: int) -> None:
    """The lowest bit of the first byte is id 0, and the length is that of the whole space."""
    mask = packed_mask(sorted(ids), size)
    assert len(mask) == (size + 7) // 8
    assert {i for i in range(size) if mask[i // 8] >> i % 8 & 1} == ids
