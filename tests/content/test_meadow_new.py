from __future__ import annotations

import re
from pathlib import Path

import pytest
from meadow_engine.content.faults import ContentError
from meadow_engine.content.library import builtin_pack, check_folder, load_pack, new_folder
from meadow_engine.meadow.content import catalogue

from tests.content.pack_files import ORIGINAL
from tests.support.source_tree import ROOT

TUTORIAL = ROOT / "docs" / "tutorials" / "transcribe-a-box.md"

TO_FILL_IN = ("meadow_w.csv", "meadow_s.csv", "meadow_e.csv", "meadow_n.csv", "meadow_envelopes.csv")


def _fill_in(folder: Path) -> None:
    """Do what the owner of a box does: write rows below the comments."""
    for file in TO_FILL_IN:
        rows = (ORIGINAL / file).read_text().splitlines()
        assert (folder / file).read_text().splitlines()[-1] == rows[0]
        with (folder / file).open("a") as table:
            table.write("\n".join(rows[1:]) + "\n")
    (folder / "meadow_start.csv").write_text((ORIGINAL / "meadow_start.csv").read_text())
    with (folder / "meadow_goals.csv").open("a") as goals:
        goals.write("encounter,big encounter,U\n")


def test_a_new_pack_lacks_only_what_one_must_fill_in(tmp_path: Path) -> None:
    """The cards: goals and boards are there and right."""
    new_folder(tmp_path / "mine", "meadow")
    faults = check_folder(tmp_path / "mine")
    assert {fault.file for fault in faults} == {
        "meadow_w.csv",
        "meadow_s.csv",
        "meadow_e.csv",
        "meadow_n.csv",
        "meadow_start.csv",
    }


def test_a_new_pack_that_is_filled_in_can_be_played(tmp_path: Path) -> None:
    """Rows appended below the comments make it a sound pack of its own, with the same cards."""
    folder = tmp_path / "mine"
    assert new_folder(folder, "meadow") == sorted(path.name for path in folder.iterdir())
    _fill_in(folder)
    assert check_folder(folder) == []
    pack = load_pack(folder)
    assert (pack.id, pack.games) == ("my-meadow", ("meadow",))
    cards = catalogue(pack).cards
    assert cards == catalogue(builtin_pack()).cards[: len(cards)]


def test_every_file_of_a_new_pack_explains_itself(tmp_path: Path) -> None:
    """Each begins with a comment, so that nobody needs to look elsewhere."""
    for name in new_folder(tmp_path / "mine", "meadow"):
        assert (tmp_path / "mine" / name).read_text().lstrip('"').startswith("# ")


def test_an_unknown_game_has_no_pack(tmp_path: Path) -> None:
    """Nothing is written for a game there is not."""
    with pytest.raises(ContentError, match=r"there is no game 'chess'; there are spring_meadow, meadow"):
        new_folder(tmp_path / "mine", "chess")
    assert not (tmp_path / "mine").exists()


@pytest.mark.source
def test_the_tutorial_shows_the_built_in_cards() -> None:
    """The rows one is told to type stand in the built-in pack, letter for letter."""
    shown = re.findall(r"^[WSEN]-\d{3},.*$", TUTORIAL.read_text(), re.MULTILINE)
    assert len(shown) >= 5
    for row in shown:
        assert row in (ORIGINAL / f"meadow_{row[0].lower()}.csv").read_text().splitlines()


@pytest.mark.source
def test_the_tutorial_quotes_real_faults(tmp_path: Path) -> None:
    """What the check says about such slips begins as the tutorial says."""
    new_folder(tmp_path / "mine", "meadow")
    slips = {
        "meadow_n.csv": "N-001,Fox,,observation,predator,hous,3",
        "meadow_s.csv": "S-001,Squirrel,,observation,paw,tree / mushroom / berries,2",
        "meadow_w.csv": "W-001,Lane,,landscape,,house,2",
        "meadow_e.csv": "E-001,Hay Meadow,ground,grass + flower,,0",
    }
    for file, row in slips.items():
        with (tmp_path / "mine" / file).open("a") as table:
            table.write(row + "\n")
    said = "\n".join(map(str, check_folder(tmp_path / "mine")))
    quoted = re.findall(r"^meadow_.*\.csv:.*$", TUTORIAL.read_text(), re.MULTILINE)
    assert len(quoted) == 4
    for line in quoted:
        assert line.removesuffix("grass, ...") in said
