from __future__ import annotations

from pathlib import Path

import pytest
from meadow_engine.content.faults import ContentError
from meadow_engine.content.library import check_folder, load_pack, new_folder

from tests.content.pack_files import ORIGINAL


def test_a_new_pack_lacks_only_what_one_must_fill_in(tmp_path: Path) -> None:
    """Tiles, and names and burrows of the boards: everything else is there and right."""
    new_folder(tmp_path / "mine")
    faults = check_folder(tmp_path / "mine")
    assert {(fault.file, fault.column) for fault in faults} == {
        ("spring_boards.toml", "name"),
        ("spring_boards.toml", "drawing"),
        ("spring_tiles.csv", ""),
        ("spring_tiles.csv", "copies"),
    }


def test_a_new_pack_that_is_filled_in_can_be_played(tmp_path: Path) -> None:
    """Rows appended below the comments make it a sound pack of its own."""
    folder = tmp_path / "mine"
    assert new_folder(folder) == sorted(path.name for path in folder.iterdir())
    rows = (ORIGINAL / "spring_tiles.csv").read_text().partition("\n")[2]
    with (folder / "spring_tiles.csv").open("a") as tiles:
        tiles.write(rows)
    (folder / "spring_boards.toml").write_text((ORIGINAL / "spring_boards.toml").read_text())
    assert check_folder(folder) == []
    assert load_pack(folder).id == "my-meadow"


def test_every_file_of_a_new_pack_explains_itself(tmp_path: Path) -> None:
    """Each begins with a comment, so that nobody needs to look elsewhere."""
    for name in new_folder(tmp_path / "mine"):
        assert (tmp_path / "mine" / name).read_text().lstrip('"').startswith("# ")


def test_an_empty_folder_may_be_used(tmp_path: Path) -> None:
    """The folder may exist already, as long as nothing in it could be lost."""
    new_folder(tmp_path)
    assert (tmp_path / "pack.toml").is_file()


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    """A folder with anything in it, or a file of that name, is left alone."""
    (tmp_path / "notes.txt").write_text("mine")
    for target in (tmp_path, tmp_path / "notes.txt"):
        with pytest.raises(ContentError, match="not an empty folder"):
            new_folder(target)
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]
