from __future__ import annotations

import re
from pathlib import Path

import pytest
from meadow_engine.content.library import builtin_pack, check_folder, load_pack, new_folder
from meadow_engine.meadow.content import catalogue

from tests.content.pack_files import ORIGINAL
from tests.support.source_tree import ROOT

TUTORIAL = ROOT / "docs" / "tutorials" / "transcribe-a-box.md"


def test_a_new_pack_lacks_only_what_one_must_fill_in(tmp_path: Path) -> None:
    """Cards and tracks, and Meadow's: card area, notches, waterfalls and the goal token are there and right."""
    new_folder(tmp_path / "mine", "downstream")
    faults = check_folder(tmp_path / "mine")
    assert {fault.file for fault in faults if fault.file.startswith("downstream_")} == {
        "downstream_river.csv",
        "downstream_base.csv",
        "downstream_start.csv",
        "downstream_sunset.csv",
        "downstream_dam.csv",
        "downstream_boards.toml",
    }
    boards = {fault.column for fault in faults if fault.file == "downstream_boards.toml"}
    assert boards == {"lazy_river", "wild_rapids"}
    assert any("envelope U is missing" in fault.message for fault in faults)


def test_it_has_the_files_of_meadow_too(tmp_path: Path) -> None:
    """Downstream's cards join Meadow's, so that one folder has both, and its pack.toml names both."""
    downstream = new_folder(tmp_path / "mine", "downstream")
    meadow = new_folder(tmp_path / "other", "meadow")
    assert downstream == sorted(path.name for path in (tmp_path / "mine").iterdir())
    assert set(meadow) < set(downstream)
    assert 'games = ["meadow", "downstream"]' in (tmp_path / "mine" / "pack.toml").read_text()


def test_a_new_pack_that_is_filled_in_can_be_played(tmp_path: Path) -> None:
    """Rows appended below the comments make it a sound pack of its own, with the same cards and boards."""
    folder = tmp_path / "mine"
    for name in new_folder(folder, "downstream"):
        text = (ORIGINAL / name).read_text()
        if name.endswith(".csv") and "start" not in name and "goals" not in name:
            header, *rows = [row for row in text.splitlines() if not row.startswith('"# ')]
            assert (folder / name).read_text().splitlines()[-1] == header
            with (folder / name).open("a") as table:
                table.write("\n".join(rows) + "\n")
        elif name != "pack.toml":
            (folder / name).write_text(text)
    assert check_folder(folder) == []
    pack = load_pack(folder)
    assert (pack.id, pack.games) == ("my-meadow", ("meadow", "downstream"))
    mine, builtin = catalogue(pack), catalogue(builtin_pack())
    assert mine.cards == builtin.cards
    assert mine.downstream == builtin.downstream


def test_every_file_of_a_new_pack_explains_itself(tmp_path: Path) -> None:
    """Each begins with a comment, so that nobody needs to look elsewhere."""
    for name in new_folder(tmp_path / "mine", "downstream"):
        assert (tmp_path / "mine" / name).read_text().lstrip('"').startswith("# ")


@pytest.mark.source
def test_the_tutorial_shows_the_built_in_cards_and_spaces() -> None:
    """What one is told to type stands in the built-in pack, letter for letter."""
    page = TUTORIAL.read_text()
    shown = re.findall(r"^R-\d{3},.*$", page, re.MULTILINE)
    assert len(shown) == 3
    assert set(shown) <= set((ORIGINAL / "downstream_river.csv").read_text().splitlines())
    (space,) = re.findall(r"^\[\[lazy_river\]\]\n(?:.+\n)+?(?=```)", page, re.MULTILINE)
    assert space in (ORIGINAL / "downstream_boards.toml").read_text()


@pytest.mark.source
def test_the_tutorial_quotes_real_faults(tmp_path: Path) -> None:
    """An empty pack of Downstream has them."""
    new_folder(tmp_path / "mine", "downstream")
    quoted = re.findall(r"^downstream_.*\.toml:.*$", TUTORIAL.read_text(), re.MULTILINE)
    assert len(quoted) == 2
    assert set(quoted) <= set(map(str, check_folder(tmp_path / "mine")))
