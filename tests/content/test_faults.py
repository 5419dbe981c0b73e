"""One broken pack for each kind of fault: the built-in pack with one thing spoilt."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st
from meadow_engine.content.library import check_folder, load_pack
from meadow_engine.spring_meadow.content import catalogue

from tests.content.pack_files import Edit, cell, content, every, line, original, swap, write

PACK = "pack.toml"
TILES = "spring_tiles.csv"
ROCKS = "spring_rocks.csv"
BOARDS = "spring_boards.toml"
MAPS = "spring_maps.toml"
SETTINGS = "\n[spring_meadow]\nburrows = 11\ntile_kinds = 46\n"

Place = tuple[str, int, str]


def _appended(file: str, text: str) -> Edit:
    def edit(files: dict[str, bytes]) -> None:
        files[file] += text.encode()

    return edit


FAULTS: dict[str, tuple[Edit, Place, str]] = {
    # the pack as a whole
    "no description": (content(PACK, None), (PACK, 0, ""), "the file is missing"),
    "a table is missing": (content(TILES, None), (TILES, 0, ""), "spring_meadow needs it"),
    "a board file is missing": (content(BOARDS, None), (BOARDS, 0, ""), "spring_meadow needs it"),
    "a file nobody reads": (content("spring_tile.csv", b"id\n"), ("spring_tile.csv", 0, ""), "no game of this pack"),
    # text, tables, documents
    "not UTF-8": (content(ROCKS, b"id,name\n1,K\xf6nig\n"), (ROCKS, 2, ""), "not UTF-8"),
    "not a table": (content(ROCKS, b'id,name\n1,"open'), (ROCKS, 2, ""), "not a table"),
    "an empty table": (content(ROCKS, b"# only a comment\n"), (ROCKS, 0, ""), "must name the columns"),
    "too many cells": (line(ROCKS, 2, "1,Pebble,24,#,5"), (ROCKS, 2, ""), "5 cells, but only 4 columns"),
    "an unknown column": (cell(ROCKS, 1, "name", "nane"), (ROCKS, 1, "nane"), "unknown column; the columns are id"),
    "a missing column": (cell(ROCKS, 1, "name", "nane"), (ROCKS, 1, "name"), "the column is missing"),
    "a repeated column": (cell(ROCKS, 1, "name", "id"), (ROCKS, 1, "id"), "twice"),
    "not TOML": (swap(BOARDS, 'name = "Larch Terrace"', "name = Larch"), (BOARDS, 7, ""), "not TOML"),
    "an open TOML text": (_appended(PACK, '\nend = "'), (PACK, 10, ""), "not TOML"),
    "TOML nested too deeply": (content(MAPS, b"a = " + b"[" * 9999), (MAPS, 0, ""), "nested too deeply"),
    "a fraction": (swap(MAPS, "[24, ", "[24.5, "), (MAPS, 0, ""), "only text, whole numbers"),
    # the description of the pack
    "no title": (swap(PACK, "title", "titel"), (PACK, 0, "title"), "a text is missing"),
    "an unknown entry": (swap(PACK, "title", "titel"), (PACK, 2, "titel"), "unknown entry"),
    "a bad pack id": (swap(PACK, '"original"', '"My Pack"'), (PACK, 1, "id"), "small letters"),
    "a long version": (swap(PACK, 'version = "', 'version = "' + "1" * 99), (PACK, 3, "version"), "too many"),
    "a long note": (swap(PACK, 'note = """', 'note = """' + "x" * 2000), (PACK, 6, "note"), "too many"),
    "no games": (
        swap(PACK, '["spring_meadow", "meadow", "downstream"]', "[]"),
        (PACK, 5, "games"),
        "a list of games is missing",
    ),
    "a game twice": (swap(PACK, '["', '["spring_meadow", "'), (PACK, 5, "games"), "named twice"),
    "an unknown game": (swap(PACK, '["', '["chess", "'), (PACK, 5, "games"), "there is no game 'chess'"),
    "a game's settings are no table": (
        swap(PACK, "games = ", "spring_meadow = 1\ngames = "),
        (PACK, 5, "spring_meadow"),
        "must be a table",
    ),
    "an unknown setting": (_appended(PACK, SETTINGS + "x = 1\n"), (PACK, 13, "x"), "there are tile_kinds, burrows"),
    "a setting out of range": (
        _appended(PACK, SETTINGS.replace("11", "0")),
        (PACK, 11, "burrows"),
        "a whole number from 1 to 100",
    ),
    # tiles
    "no tile id": (cell(TILES, 2, "id", ""), (TILES, 2, "id"), "a text is missing"),
    "a bad tile id": (cell(TILES, 2, "id", "T 1"), (TILES, 2, "id"), "letters, digits and hyphens"),
    "a tile id twice": (cell(TILES, 3, "id", "T01"), (TILES, 3, "id"), "'T01' stands already in row 2"),
    "no tile name": (cell(TILES, 2, "name", ""), (TILES, 2, "name"), "a text is missing"),
    "a tile name twice": (
        every(cell(TILES, 2, "name", "Daisy"), cell(TILES, 3, "name", "Daisy")),
        (TILES, 3, "name"),
        "'Daisy' stands already in row 2",
    ),
    "an unprintable name": (cell(TILES, 2, "name", "Cro\u200bcus"), (TILES, 2, "name"), "cannot be printed"),
    "a long name": (cell(TILES, 2, "name", "x" * 81), (TILES, 2, "name"), "81 characters are too many"),
    "an unprintable scientific name": (
        cell(TILES, 2, "scientific_name", "Crocus\x07"),
        (TILES, 2, "scientific_name"),
        "cannot be printed",
    ),
    "copies in words": (cell(TILES, 2, "copies", "two"), (TILES, 2, "copies"), "'two' must be a whole number from 1"),
    "no copies": (cell(TILES, 2, "copies", "0"), (TILES, 2, "copies"), "'0' must be a whole number from 1"),
    "an unreadable shape": (cell(TILES, 2, "shape", "#0"), (TILES, 2, "shape"), "uses only # o . and /, not '0'"),
    "no shape": (cell(TILES, 2, "shape", ""), (TILES, 2, "shape"), "the drawing is empty"),
    "a shape of holes": (cell(TILES, 2, "shape", "oo"), (TILES, 2, "shape"), "covers no space"),
    "a shape in two pieces": (cell(TILES, 2, "shape", "#./.#"), (TILES, 2, "shape"), "do not hang together"),
    "too many holes": (cell(TILES, 2, "shape", "oo#o"), (TILES, 2, "shape"), "3 holes are too many"),
    "too long a shape": (cell(TILES, 2, "shape", "#" * 10), (TILES, 2, "shape"), "longer than 9 squares"),
    "a shape twice": (
        every(cell(TILES, 2, "shape", "####/##o."), cell(TILES, 3, "shape", "##/##/#o/#.")),
        (TILES, 3, "shape"),
        "turned or flipped, stands already in row 2",
    ),
    "too few kinds": (line(TILES, 2, None), (TILES, 0, ""), "there must be 46 kinds of tiles, not 45"),
    "too few tiles": (line(TILES, 2, None), (TILES, 0, "copies"), "must add up to 100 tiles, not 9"),
    # rocks
    "a rock with a hole": (cell(ROCKS, 3, "shape", "#o"), (ROCKS, 3, "shape"), "a rock has no hole"),
    "too large a rock": (cell(ROCKS, 6, "shape", "#####"), (ROCKS, 6, "shape"), "at most 4 spaces"),
    "a long rock of four": (cell(ROCKS, 6, "shape", "####"), (ROCKS, 6, "shape"), "is a square"),
    "a size is missing": (line(ROCKS, 4, None), (ROCKS, 0, "shape"), "shapes of 3: there must be 2, not 1"),
    "too few rocks": (cell(ROCKS, 2, "count", "1"), (ROCKS, 0, "count"), "there must be 72 rocks, not"),
    # boards
    "no faces": (content(BOARDS, b""), (BOARDS, 0, "face"), "sections headed [[face]] are missing"),
    "an entry outside a face": (swap(BOARDS, "# The eight", "x = 1\n# The eight"), (BOARDS, 1, "x"), "unknown entry"),
    "an unknown entry of a face": (line(BOARDS, 6, "bored = 1"), (BOARDS, 6, "bored"), "there are id, board"),
    "no face id": (line(BOARDS, 5, None), (BOARDS, 4, "id"), "a text is missing"),
    "a face id twice": (swap(BOARDS, 'id = "1B"', 'id = "1A"'), (BOARDS, 21, "id"), "face '1A' has the same id"),
    "a face name twice": (
        every(line(BOARDS, 7, 'name = "Twin"'), line(BOARDS, 23, 'name = "Twin"')),
        (BOARDS, 23, "name"),
        "face '1A' has the same name",
    ),
    "no board of that number": (line(BOARDS, 6, "board = 5"), (BOARDS, 6, "board"), "a whole number from 1 to 4"),
    "a board with one face": (line(BOARDS, 6, "board = 2"), (BOARDS, 0, "board"), "board 1 must have 2 faces, not 1"),
    "no drawing": (line(BOARDS, 8, 'picture = """'), (BOARDS, 4, "drawing"), "9 lines is needed, not of 0"),
    "a short drawing": (line(BOARDS, 9, None), (BOARDS, 8, "drawing"), "9 lines is needed, not of 8"),
    "a long line": (line(BOARDS, 10, "." * 11), (BOARDS, 10, "drawing"), "has 11 spaces, not 10"),
    "a strange mark": (
        line(
            BOARDS,
            10,
            "x.........",
        ),
        (BOARDS, 10, "drawing"),
        "'x': a space is . for snow",
    ),
    "a burrow in the first row": (line(BOARDS, 17, "b........."), (BOARDS, 17, "drawing"), "in the first row"),
    "too many burrows": (line(BOARDS, 9, "bbbbbbbbbb"), (BOARDS, 8, "drawing"), "there must be 11 burrows, not"),
    # maps
    "an unknown map": (swap(MAPS, 'id = "2-4"', 'id = "5"'), (MAPS, 6, "id"), "'5': there is one map '2-4'"),
    "a map is missing": (swap(MAPS, 'id = "2-4"', 'id = "5"'), (MAPS, 0, "id"), "the map '2-4' is missing"),
    "no ring": (
        swap(MAPS, '"left 1",\n]\n\n[[map]]', '"left 1", 5,\n]\n\n[[map]]'),
        (MAPS, 7, "ring"),
        "a list of texts is missing",
    ),
    "a strange path": (swap(MAPS, '"left 1", "top left', '"left 9", "top left'), (MAPS, 16, "ring"), "'left 9' is no"),
    "a path is missing": (swap(MAPS, '"left 1", "top left', '"top left'), (MAPS, 16, "ring"), "'left 1' is missing"),
    "a path twice": (swap(MAPS, '"left 1", "top left', '"left 2", "top left'), (MAPS, 16, "ring"), "there 2 times"),
    "paths out of order": (
        swap(MAPS, '"left 2", "left 1", "top left', '"left 1", "left 2", "top left'),
        (MAPS, 16, "ring"),
        "'left 1' is out of place",
    ),
    "too few solo values": (swap(MAPS, "[24, ", "["), (MAPS, 22, "solo_values"), "24 values, one a path, not 23"),
    "a solo value out of range": (swap(MAPS, "2, 1]", "2, 0]"), (MAPS, 22, "solo_values"), "between 1 and 100"),
    "rising solo values": (swap(MAPS, "[24, ", "[4, "), (MAPS, 22, "solo_values"), "must not rise"),
    "solo values in words": (swap(MAPS, "[24, ", '["24", '), (MAPS, 22, "solo_values"), "whole numbers is missing"),
    "solo values on the other map": (
        swap(MAPS, 'id = "2-4"', 'id = "2-4"\nsolo_values = [1]'),
        (MAPS, 7, "solo_values"),
        "only the map '1-3'",
    ),
}


@pytest.mark.parametrize("kind", FAULTS)
def test_each_fault_is_named_with_file_row_and_column(tmp_path: Path, kind: str) -> None:
    """A spoilt pack is reported at the spoilt place, in words that say what is wrong."""
    edit, place, words = FAULTS[kind]
    files = original()
    edit(files)
    faults = check_folder(write(tmp_path / "pack", files))
    found = [fault.message for fault in faults if (fault.file, fault.row, fault.column) == place]
    assert any(words in message for message in found), "\n".join(map(str, faults))


def test_a_folder_that_is_not_there_is_a_fault(tmp_path: Path) -> None:
    """A mistyped path is told like any other fault."""
    assert [str(fault) for fault in check_folder(tmp_path / "nowhere")] == ["there is no such folder"]


def test_a_sound_pack_has_no_fault(tmp_path: Path) -> None:
    """The built-in pack, copied elsewhere, passes."""
    assert check_folder(write(tmp_path / "pack", original())) == []


def test_a_ring_may_begin_at_any_path(tmp_path: Path) -> None:
    """Ruling S10 is an assumption about the printed map: a pack may put the start elsewhere."""
    files = original()
    swap(
        MAPS, '"top 1", "top 2", "top 3", "top 4", "top 5",\n  "right', '"top 2", "top 3", "top 4", "top 5",\n  "right'
    )(files)
    swap(MAPS, '"left 2", "left 1",\n]\n\n', '"left 2", "left 1", "top 1",\n]\n\n')(files)
    folder = write(tmp_path / "pack", files)
    assert check_folder(folder) == []
    assert catalogue(load_pack(folder)).map_2_4.path_names[::19] == ("top 2", "top 1")


def test_counts_that_only_reviews_report_can_be_set(tmp_path: Path) -> None:
    """The owner of a box with other boards or kinds says so in the description."""
    files = original()
    every(_appended(PACK, SETTINGS.replace("11", "10")), cell(TILES, 2, "copies", "2"))(files)
    faults = check_folder(write(tmp_path / "pack", files))
    assert {fault.message for fault in faults if fault.file == BOARDS} == {"there must be 10 burrows, not 11"}


@given(st.sampled_from(sorted(original())), st.data())
def test_no_spoilt_byte_breaks_the_check(file: str, data: st.DataObject) -> None:
    """Whatever stands in a file, the answer is a list of faults, and a pack without faults can be used."""
    files = original()
    start = data.draw(st.integers(0, len(files[file])))
    spoilt = data.draw(st.one_of(st.binary(max_size=4), st.text("[]{}\"'=,#ob.1\n", max_size=4).map(str.encode)))
    files[file] = files[file][:start] + spoilt + files[file][start + data.draw(st.integers(0, 9)) :]
    with TemporaryDirectory() as folder:
        pack_folder = write(Path(folder) / "pack", files)
        if not check_folder(pack_folder):
            assert catalogue(load_pack(pack_folder)).tiles
