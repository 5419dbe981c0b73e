from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from meadow_engine.kernel.errors import BadOption
from meadow_engine.kernel.variant import BoolOption, IntOption, ListOption, Variant

VARIANT = Variant(
    id="v",
    title="V",
    about="",
    family="f",
    min_seats=2,
    max_seats=4,
    options=(
        BoolOption("expert", ""),
        IntOption("first", "", default=-1, minimum=-1, maximum=3),
        ListOption("faces", "", "faces", lengths=(0, 2)),
    ),
    rules_revision=1,
    hidden_zones=("box",),
)
DEFAULTS = {"expert": False, "first": -1, "faces": ()}


def test_options_left_out_have_their_defaults() -> None:
    """Every option is present in what was read, in the order the variant lists them."""
    assert VARIANT.read_options(None) == DEFAULTS
    assert VARIANT.read_options({}) == DEFAULTS
    assert list(VARIANT.read_options({"faces": ["1A", "2A"], "first": 0})) == ["expert", "first", "faces"]


def test_given_options_are_taken() -> None:
    """Values within the bounds are taken; a list becomes a tuple, which nobody can change later."""
    read = VARIANT.read_options({"expert": True, "first": 3, "faces": ["1A", "2A"]})
    assert read == {"expert": True, "first": 3, "faces": ("1A", "2A")}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("expert", 1),
        ("expert", "true"),
        ("expert", None),
        ("first", -2),
        ("first", 4),
        ("first", True),
        ("first", 1.0),
        ("first", "1"),
        ("faces", "1A"),
        ("faces", ["1A"]),
        ("faces", ["1A", 2]),
        ("faces", {"1A": 1, "2A": 2}),
        ("unknown", 1),
    ],
)
def test_an_impossible_value_is_refused_by_the_name_of_its_option(name: str, value: object) -> None:
    """A wrong type, a value out of bounds, a wrong length or an unknown name is refused, and the error says which."""
    with pytest.raises(BadOption) as refusal:
        VARIANT.read_options({name: value})
    assert refusal.value.details == {"option": name}


@pytest.mark.parametrize("seats", [-1, 0, 1, 5, 2**70])
def test_a_seat_count_out_of_range_is_refused(seats: int) -> None:
    """Only so many may play as the variant says."""
    with pytest.raises(BadOption) as refusal:
        VARIANT.check_seats(seats)
    assert refusal.value.details == {"option": "seats"}
    for possible in (2, 3, 4):
        VARIANT.check_seats(possible)


def test_a_refused_seat_count_is_told_how_many_may_play() -> None:
    """A game alone is for one seat."""
    with pytest.raises(BadOption, match="v is for 2 to 4 seats, not 5"):
        VARIANT.check_seats(5)
    with pytest.raises(BadOption, match="v is for one seat, not 2"):
        replace(VARIANT, min_seats=1, max_seats=1).check_seats(2)


values = st.none() | st.booleans() | st.integers() | st.text() | st.lists(st.text()) | st.floats()


@given(st.dictionaries(st.sampled_from(["expert", "first", "faces", "other"]), values))
def test_options_are_read_or_refused_as_a_bad_option(given_options: dict[str, object]) -> None:
    """No value of any type gets through wrongly or comes out as another error."""
    try:
        read = VARIANT.read_options(given_options)
    except BadOption:
        return
    assert read.keys() == DEFAULTS.keys()
    assert isinstance(read["expert"], bool)
    assert type(read["first"]) is int
    assert isinstance(read["faces"], tuple)
