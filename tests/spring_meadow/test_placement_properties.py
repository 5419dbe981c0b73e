"""Placement on random boards with random pieces: what is listed is just what the rules allow."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from meadow_engine.spring_meadow.burrows import cover
from meadow_engine.spring_meadow.catalogue import CELLS, Form, forms_of
from meadow_engine.spring_meadow.placement import explain, fits, legal_anchors
from meadow_engine.spring_meadow.shapes import Shape, transform
from meadow_engine.spring_meadow.state import Mountain

from tests.spring_meadow.boards import WHOLE_BOARD, boards, laid, pieces, shapes, squares

Piece = tuple[tuple[Form, ...], tuple[int, ...]]


def listed_placements(piece: Piece, board: Mountain) -> list[tuple[Form, int]]:
    """All listed placements of a piece: form and anchor."""
    anchors = [(form, legal_anchors(form, board)) for form in piece[0]]
    return [(form, anchor) for form, listed in anchors for anchor in range(CELLS) if listed >> anchor & 1]


def rule_broken(form: Form, anchor: int, board: Mountain) -> str | None:
    """The first rule of the book that a placement breaks, reckoned with sets of squares."""
    covers, holes = laid(form, anchor)
    burrows, cleared = squares(board.burrows), squares(board.cleared)
    if not covers | holes <= WHOLE_BOARD:
        return "OFF_BOARD"
    if (covers | holes) & squares(board.covered):
        return "OVERLAPS"
    if (covers | holes) & squares(board.marmots):
        return "COVERS_MARMOT"
    if len(covers & burrows) > len(cleared - covers):
        return "BURROW_NOT_PAID"
    return None


@given(boards, pieces)
def test_listed_anchors_are_those_that_break_no_rule(board: Mountain, piece: Piece) -> None:
    """For every form and every space as its corner: listed if no rule is broken, else refused by the rule's name."""
    for form in piece[0]:
        listed = legal_anchors(form, board)
        assert not listed >> CELLS
        for anchor in range(CELLS):
            refusal = explain(form, anchor, board)
            rule = refusal.rule if refusal else None
            assert rule == rule_broken(form, anchor, board)
            assert bool(listed >> anchor & 1) == (rule is None)


@given(boards, pieces)
def test_a_piece_fits_if_some_form_of_it_has_an_anchor(board: Mountain, piece: Piece) -> None:
    """Whether a tile can be placed at all agrees with its list of placements."""
    assert fits(piece[0], board) == any(legal_anchors(form, board) for form in piece[0])


@given(boards, pieces, st.data())
def test_a_laid_piece_lies_on_free_spaces(board: Mountain, piece: Piece, data: st.DataObject) -> None:
    """After a placement the piece's squares are covered, nothing else is, and its marmots have places that remain."""
    choices = listed_placements(piece, board)
    if not choices:
        return
    form, anchor = data.draw(st.sampled_from(choices))
    covers, _ = laid(form, anchor)
    before, after = board.clone(), board.clone()
    count, places = cover(after, form.covered_mask << anchor)
    assert squares(after.covered) == squares(before.covered) | covers
    assert not covers & (squares(before.covered) | squares(before.marmots))
    assert squares(after.holes) == squares(before.holes) - covers
    assert count == len(covers & squares(before.burrows)) <= len(squares(places))
    assert squares(places) == squares(before.cleared) - covers
    assert (after.burrows, after.marmots) == (before.burrows, before.marmots)


@given(boards, pieces)
def test_no_two_listed_placements_are_the_same(board: Mountain, piece: Piece) -> None:
    """Symmetric pieces are listed once: no two placements cover and open the same squares."""
    results = [laid(form, anchor) for form, anchor in listed_placements(piece, board)]
    assert len(set(results)) == len(results)


@given(shapes())
def test_the_forms_of_a_piece_are_all_its_orientations(shape: Shape) -> None:
    """Turning and flipping gives just the forms there are; each symmetry index has the form it gives."""
    forms, form_of = forms_of(shape)
    for symmetry in range(8):
        turned, form = transform(shape, symmetry), forms[form_of[symmetry]]
        assert (frozenset(turned.cells), frozenset(turned.holes)) == (frozenset(form.cells), frozenset(form.holes))
        assert form.index <= symmetry
        assert form_of[form.index] == form_of[symmetry]
    assert len(forms) == len({transform(shape, symmetry) for symmetry in range(8)})
    assert [form.index for form in forms] == sorted({form.index for form in forms})
    for form in forms:
        assert min(row for row, _ in form.cells + form.holes) == min(c for _, c in form.cells + form.holes) == 0


@given(boards, pieces)
def test_covering_more_never_opens_a_placement(board: Mountain, piece: Piece) -> None:
    """On a board with a space more covered, no placement is legal that was not before."""
    free = sorted(squares(board.free & ~board.burrows & ~board.holes))
    if not free:
        return
    row, column = free[len(free) // 2]
    fuller = board.clone()
    fuller.covered |= 1 << row * 10 + column
    for form in piece[0]:
        assert not legal_anchors(form, fuller) & ~legal_anchors(form, board)
