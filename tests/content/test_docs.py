from __future__ import annotations

import re
from pathlib import Path

import pytest
from meadow_engine.content.library import check_folder

from tests.content.pack_files import cell, every, line, original, write
from tests.support.source_tree import ROOT

pytestmark = pytest.mark.source

PAGE = ROOT / "docs" / "content-packs.md"


def test_the_program_on_the_page_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the page says about using a pack from a program is true."""
    programs = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)
    assert programs
    write(tmp_path / "my-meadow", original())
    monkeypatch.chdir(tmp_path)
    for program in programs:
        exec(compile(program, str(PAGE), "exec"), {})


def test_the_faults_on_the_page_are_those_of_such_a_pack(tmp_path: Path) -> None:
    """The page shows faults in the very words of the check."""
    page = PAGE.read_text()
    files = original()
    every(
        line("spring_boards.toml", 25, ".........."),
        cell("spring_tiles.csv", 6, "shape", "#o/##"),
        cell("spring_tiles.csv", 9, "shape", "#./.#"),
        cell("spring_tiles.csv", 12, "shape", "##/#o"),
        cell("spring_tiles.csv", 3, "shape", "o####"),
        cell("spring_tiles.csv", 6, "copies", "1"),
        cell("spring_tiles.csv", 4, "copies", "1"),
    )(files)
    faults = [str(fault) for fault in check_folder(write(tmp_path / "pack", files))]
    shown = re.findall(r"^spring_\w+\.\w+:.*$", page, re.MULTILINE)
    assert len(shown) == 4
    assert set(shown) <= set(faults), "\n".join(faults)
