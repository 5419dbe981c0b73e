from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from meadow_engine.spring_meadow.shapes import (
    SYMMETRIES,
    Shape,
    canonical,
    draw,
    is_connected,
    orientations,
    parse_drawing,
    shape_of,
    transform,
)

CELLS = st.tuples(st.integers(-5, 5), st.integers(-5, 5))


@st.composite
def shapes(chooser: st.DrawFn) -> Shape:
    """Any set of squares, some of them holes."""
    squares = chooser(st.lists(CELLS, min_size=1, max_size=8, unique=True))
    holes = chooser(st.sets(st.sampled_from(squares)))
    return shape_of([square for square in squares if square not in holes], sorted(holes))


def test_a_drawing_is_read_from_the_top() -> None:
    """The last row of a drawing is row 0 of the shape, as one sees a tile lying on the board."""
    assert parse_drawing("#o/##.") == Shape(cells=((0, 0), (0, 1), (1, 0)), holes=((1, 1),))


def test_empty_rows_and_columns_around_a_drawing_do_not_matter() -> None:
    """A shape begins at its own lower left corner."""
    assert parse_drawing("..../.#o./.##./....") == parse_drawing("#o/##")


@pytest.mark.parametrize("text", ["", "...", "./."])
def test_an_empty_drawing_is_refused(text: str) -> None:
    """A tile has at least one square."""
    with pytest.raises(ValueError, match="empty"):
        parse_drawing(text)


def test_a_strange_mark_is_refused() -> None:
    """Only the three marks and the row break may stand in a drawing."""
    with pytest.raises(ValueError, match="'x'"):
        parse_drawing("#x")


def test_the_first_four_symmetries_are_quarter_turns_clockwise() -> None:
    """An L's foot points right, then down, left and up."""
    turned = [draw(transform(parse_drawing("#./#./#o"), symmetry)) for symmetry in range(4)]
    assert turned == ["#./#./#o", "###/o..", "o#/.#/.#", "..o/###"]


def test_the_last_four_symmetries_flip_before_they_turn() -> None:
    """The L mirrored left to right, then turned clockwise."""
    turned = [draw(transform(parse_drawing("#./#./#o"), symmetry)) for symmetry in range(4, 8)]
    assert turned == [".#/.#/o#", "o../###", "#o/#./#.", "###/..o"]


@pytest.mark.parametrize(
    ("drawing", "forms", "form_of"),
    [
        ("#", 1, (0, 0, 0, 0, 0, 0, 0, 0)),
        ("##", 2, (0, 1, 0, 1, 0, 1, 0, 1)),
        ("#o/##", 4, (0, 1, 2, 3, 3, 0, 1, 2)),
        ("o###", 4, (0, 1, 2, 3, 2, 3, 0, 1)),
        ("##./.##", 4, (0, 1, 0, 1, 2, 3, 2, 3)),
        ("#./#./#o", 8, (0, 1, 2, 3, 4, 5, 6, 7)),
    ],
)
def test_equal_orientations_are_listed_once(drawing: str, forms: int, form_of: tuple[int, ...]) -> None:
    """Each symmetry index leads to the one orientation it gives, and holes tell orientations apart."""
    oriented, positions = orientations(parse_drawing(drawing))
    assert len(oriented) == forms
    assert positions == form_of


@given(shapes())
def test_orientations_hold_every_symmetry_under_its_lowest_index(shape: Shape) -> None:
    """No orientation is missing or doubled, and each is listed under the first symmetry that gives it."""
    oriented, form_of = orientations(shape)
    assert len({turned for _, turned in oriented}) == len(oriented)
    for symmetry in range(SYMMETRIES):
        lowest, turned = oriented[form_of[symmetry]]
        assert turned == transform(shape, symmetry)
        assert lowest == min(index for index in range(SYMMETRIES) if transform(shape, index) == turned)


@given(shapes(), st.integers(0, 7))
def test_a_turned_or_flipped_copy_has_the_same_canonical_shape(shape: Shape, symmetry: int) -> None:
    """Two drawings of one tile are recognised as such."""
    assert canonical(transform(shape, symmetry)) == canonical(shape)


@given(shapes())
def test_a_drawn_shape_reads_back(shape: Shape) -> None:
    """The one-line drawing says everything about a shape."""
    assert parse_drawing(draw(shape)) == shape


@pytest.mark.parametrize(
    ("drawing", "connected"), [("#", True), ("#o#", True), ("#./.#", False), ("#.#", False), ("##./.o#", True)]
)
def test_squares_hang_together_by_edges_only(drawing: str, *, connected: bool) -> None:
    """A hole is part of the tile, so it connects its neighbours; corners do not."""
    assert is_connected(parse_drawing(drawing)) is connected
