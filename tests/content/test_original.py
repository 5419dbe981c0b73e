"""What the built-in pack promises: the counts of the rulebook and of the reviews, and a varied, readable box."""

from __future__ import annotations

from collections import Counter

import pytest
from meadow_engine.content.library import builtin_pack
from meadow_engine.spring_meadow.catalogue import COLUMNS, ROWS, BoardFace, Catalogue
from meadow_engine.spring_meadow.content import catalogue

from tests.content.pack_files import ORIGINAL


@pytest.fixture(name="components")
def _components() -> Catalogue:
    return catalogue(builtin_pack())


def _squares(face: BoardFace) -> list[tuple[int, int]]:
    return [divmod(space, COLUMNS) for space in range(ROWS * COLUMNS) if face.burrows >> space & 1]


def test_there_are_100_tiles_in_46_kinds(components: Catalogue) -> None:
    """Rulebook, Components, and a review."""
    assert len(components.tiles) == 46
    assert sum(tile.copies for tile in components.tiles) == 100


def test_most_tiles_have_a_hole_and_some_have_two(components: Catalogue) -> None:
    """Rulebook, Rock Tiles: some tiles have two holes."""
    holes = Counter(len(components.tiles[number].holes) for number in components.box)
    assert set(holes) == {0, 1, 2}
    assert holes[1] > 50
    assert 10 <= holes[2] <= 30


def test_tiles_cover_about_four_spaces(components: Catalogue) -> None:
    """Twenty tiles, the most a solo game has, nearly fill a board."""
    covered = [len(components.tiles[number].cells) for number in components.box]
    assert 3.5 <= sum(covered) / len(covered) <= 4.5
    assert min(covered) >= 2
    assert max(covered) <= 7


def test_there_are_72_rocks_in_five_shapes(components: Catalogue) -> None:
    """Rulebook, Components, and a review."""
    assert len(components.rocks) == 5
    assert sum(rock.count for rock in components.rocks) == 72


def test_there_are_four_boards_with_two_faces_each(components: Catalogue) -> None:
    """Rulebook, Components."""
    assert [face.id for face in components.faces] == ["1A", "1B", "2A", "2B", "3A", "3B", "4A", "4B"]
    assert [face.board for face in components.faces] == [0, 0, 1, 1, 2, 2, 3, 3]


def test_each_face_has_11_burrows_and_none_in_the_first_row(components: Catalogue) -> None:
    """Two reviews."""
    for face in components.faces:
        assert face.burrows.bit_count() == 11
        assert min(row for row, _ in _squares(face)) == 1


def test_burrows_are_spread_over_rows_and_columns(components: Catalogue) -> None:
    """Every row but the first has one or two burrows, no column more than two."""
    for face in components.faces:
        rows = Counter(row for row, _ in _squares(face))
        columns = Counter(column for _, column in _squares(face))
        assert {rows[row] for row in range(1, ROWS)} == {1, 2}, face.id
        assert max(columns.values()) == 2, face.id


def test_no_face_gives_a_start(components: Catalogue) -> None:
    """Burrows count as covered, so every two rows, from the second on, hold as many on each face: three, then two."""
    for face in components.faces:
        rows = Counter((row - 1) // 2 for row, _ in _squares(face))
        assert [rows[pair] for pair in range(4)] == [3, 3, 3, 2], face.id


def test_faces_differ_even_when_mirrored(components: Catalogue) -> None:
    """Eight layouts, none the mirror image of another."""
    layouts = {tuple(_squares(face)) for face in components.faces}
    mirrored = {tuple(sorted((row, COLUMNS - 1 - column) for row, column in layout)) for layout in layouts}
    assert len(layouts | mirrored) == 16


def test_every_name_is_the_components_own(components: Catalogue) -> None:
    """Each tile shows another plant, with its scientific name in two words, and each face another place."""
    assert len({tile.name for tile in components.tiles}) == 46
    scientific = [tile.scientific_name for tile in components.tiles]
    assert len(set(scientific)) == 46
    for name in scientific:
        genus, species = name.split()
        assert genus.istitle()
        assert species.islower()
    assert len({face.name for face in components.faces}) == 8


def test_assumptions_are_marked_in_the_files() -> None:
    """What the rulebook does not print stands in the pack and says so."""
    assert "Assumed" in (ORIGINAL / "spring_maps.toml").read_text()
