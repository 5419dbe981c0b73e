from __future__ import annotations

import pytest
from meadow_engine.content.library import builtin_pack
from meadow_engine.spring_meadow.catalogue import (
    CELLS,
    COLUMNS,
    FULL,
    ROWS,
    Catalogue,
    Form,
    RockShape,
    TileKind,
    forms_of,
)
from meadow_engine.spring_meadow.content import catalogue
from meadow_engine.spring_meadow.hiking_map import FULL_RING, SHORT_RING
from meadow_engine.spring_meadow.shapes import parse_drawing


@pytest.fixture(name="components")
def _components() -> Catalogue:
    return catalogue(builtin_pack())


def _pieces(components: Catalogue) -> list[TileKind | RockShape]:
    return [*components.tiles, *components.rocks]


def _laid(form: Form, row: int, column: int) -> set[tuple[int, int]]:
    return {(row + cell_row, column + cell_column) for cell_row, cell_column in form.cells + form.holes}


def test_bounds_are_the_anchors_at_which_a_form_lies_on_the_board(components: Catalogue) -> None:
    """For each form of each tile and rock, square by square."""
    for piece in _pieces(components):
        for form in piece.forms:
            for anchor in range(CELLS):
                squares = _laid(form, *divmod(anchor, COLUMNS))
                inside = all(0 <= row < ROWS and 0 <= column < COLUMNS for row, column in squares)
                assert bool(form.bounds >> anchor & 1) == inside, (piece.id, form.index, anchor)


def test_masks_and_offsets_say_what_the_squares_say(components: Catalogue) -> None:
    """A form's bit sets, offsets and squares describe the same shape."""
    for piece in _pieces(components):
        for form in piece.forms:
            assert form.covered_offsets == tuple(row * COLUMNS + column for row, column in form.cells)
            assert form.hole_offsets == tuple(row * COLUMNS + column for row, column in form.holes)
            assert form.covered_mask == sum(1 << offset for offset in form.covered_offsets)
            assert form.hole_mask == sum(1 << offset for offset in form.hole_offsets)
            assert not form.covered_mask & form.hole_mask
            assert (form.height, form.width) == tuple(1 + max(axis) for axis in zip(*_laid(form, 0, 0), strict=True))


def test_the_first_form_is_the_piece_as_drawn() -> None:
    """Symmetry 0 leaves a shape alone, so its orientation comes first."""
    drawing = parse_drawing("#./#./#o")
    forms, form_of = forms_of(drawing)
    assert (forms[0].cells, forms[0].holes) == (drawing.cells, drawing.holes)
    assert [form.index for form in forms] == list(form_of) == list(range(8))


def test_numbers_are_positions_and_ids_lead_to_them(components: Catalogue) -> None:
    """Each component is found by its number and by its id."""
    for pieces, ids in (
        (components.tiles, components.tile_ids),
        (components.rocks, components.rock_ids),
        (components.faces, components.face_ids),
    ):
        assert [piece.number for piece in pieces] == list(range(len(pieces)))
        assert dict(ids) == {piece.id: piece.number for piece in pieces}


def test_the_box_holds_every_copy(components: Catalogue) -> None:
    """Rulebook, Components: 100 meadow tiles."""
    assert len(components.box) == 100
    for tile in components.tiles:
        assert components.box.count(tile.number) == tile.copies


def test_rocks_come_by_size(components: Catalogue) -> None:
    """Rulebook, Rock Tiles: sizes 1 to 4, the 4 only as a square; ruling S14: a 3 in either shape."""
    assert [rock.id for rock in components.rocks] == ["1", "2", "3I", "3L", "4"]
    assert components.rocks_of_size == ((), (0,), (1,), (2, 3), (4,))
    assert (components.rocks[4].forms[0].height, components.rocks[4].forms[0].width) == (2, 2)


def test_start_rocks_follow_turn_order() -> None:
    """Rulebook, Set-up: 2; 1 and 3; 1, 2 and 3 for the seats after the first."""
    assert Catalogue.start_rocks == {1: (0,), 2: (0, 2), 3: (0, 1, 3), 4: (0, 1, 2, 3)}


@pytest.mark.parametrize(("seats", "map_id", "paths"), [(1, "1-3", 24), (2, "2-4", 20), (3, "1-3", 24), (4, "2-4", 20)])
def test_each_number_of_players_has_its_map(components: Catalogue, seats: int, map_id: str, paths: int) -> None:
    """Rulebook, Set-up and Signpost Path: diagonals only with one and three players."""
    assert components.map_for(seats).id == map_id
    assert len(components.map_for(seats).paths) == paths


def test_the_ring_runs_clockwise_from_the_first_column() -> None:
    """Ruling S10, written out: the paths' spaces beginning at the border."""
    spaces = {path.name: path.spaces for path in FULL_RING}
    names = [path.name for path in FULL_RING]
    assert names == [
        *(f"top {number}" for number in (1, 2, 3, 4, 5)),
        "top right corner",
        *(f"right {number}" for number in (1, 2, 3, 4, 5)),
        "bottom right corner",
        *(f"bottom {number}" for number in (5, 4, 3, 2, 1)),
        "bottom left corner",
        *(f"left {number}" for number in (5, 4, 3, 2, 1)),
        "top left corner",
    ]
    assert spaces["top 2"] == (1, 6, 11, 16, 21)
    assert spaces["bottom 2"] == (21, 16, 11, 6, 1)
    assert spaces["left 4"] == (15, 16, 17, 18, 19)
    assert spaces["right 4"] == (19, 18, 17, 16, 15)
    assert spaces["top left corner"] == (0, 6, 12, 18, 24)
    assert spaces["bottom right corner"] == (24, 18, 12, 6, 0)
    assert spaces["top right corner"] == (4, 8, 12, 16, 20)
    assert spaces["bottom left corner"] == (20, 16, 12, 8, 4)
    assert [path.name for path in SHORT_RING] == [name for name in names if "corner" not in name]


def test_the_signpost_stands_outside_the_map_on_its_paths_line() -> None:
    """The next point along the line, before the first space, is where a drawing puts the signpost."""
    for path in FULL_RING:
        (x0, y0), (x1, y1) = ((space % 5 + 0.5, space // 5 + 0.5) for space in path.spaces[:2])
        assert path.signpost == (2 * x0 - x1, 2 * y0 - y1)


def test_solo_values_fall_from_24_to_1(components: Catalogue) -> None:
    """Ruling S9; the rulebook's one figure, 16, is then the value of the ninth path."""
    assert components.map_1_3.solo_values == tuple(range(24, 0, -1))
    assert components.map_1_3.solo_values[8] == 16
    assert components.map_2_4.solo_values == ()


def test_equal_packs_share_one_catalogue(components: Catalogue) -> None:
    """Thousands of states point to one catalogue, which is compared by identity."""
    assert catalogue(builtin_pack()) is components
    assert components.pack_hash == builtin_pack().hash
    assert FULL.bit_count() == CELLS
