from __future__ import annotations

import io
import os
import re
import shlex
from collections.abc import Iterator
from contextlib import redirect_stdout
from pathlib import Path
from typing import NamedTuple

import pytest
from meadow_client import play

from tests.client.running import meadow
from tests.support.source_tree import ROOT

pytestmark = pytest.mark.source

TUTORIALS = ROOT / "docs" / "tutorials"
NAMES = ("first-game", "bot", "drawing-your-own-table", "learning")
DOCUMENTS = [
    ROOT / "README.md",
    ROOT / "docs" / "clocks-and-resigning.md",
    ROOT / "docs" / "replay-files.md",
    *(TUTORIALS / f"{name}.md" for name in NAMES),
]
ADDRESS = "127.0.0.1:50051"
BLOCK = re.compile(r"^```(\w+)(?: file=(\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class Block(NamedTuple):
    """A block of code: its language, the file it is to be saved as, its text, and the line it begins at."""

    language: str
    file: str
    text: str
    line: int


def blocks(document: Path) -> Iterator[Block]:
    """The blocks of a document, in order."""
    text = document.read_text(encoding="utf-8")
    for found in BLOCK.finditer(text):
        line = text.count("\n", 0, found.start()) + 1
        yield Block(found[1], found[2] or "", found[3], line)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: document.stem)
def test_the_code_of_the_documents_runs(
    document: Path, address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All Python blocks of a document run in their order, and so does each `meadow` command, against a live server."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MEADOW_ADDRESS", address)
    monkeypatch.setenv("GAME", _finished_game(address))
    _meadow(["play"])  # leaves a game that `meadow play --resume` can go on with
    names: dict[str, object] = {"__name__": "__main__"}
    printed = io.StringIO()
    for block in blocks(document):
        text = block.text.replace(ADDRESS, address)
        if block.file:
            (tmp_path / block.file).write_text(text, encoding="utf-8")
        elif block.language == "python":
            code = compile("\n" * block.line + text, str(document), "exec")
            with redirect_stdout(printed):
                exec(code, names)
        elif block.language == "sh":
            for line in text.splitlines():
                if line.startswith("meadow "):
                    _meadow(shlex.split(line)[1:])
    assert bool(printed.getvalue()) == ("```python\n" in document.read_text(encoding="utf-8"))


def _finished_game(address: str) -> str:
    return play(address, lambda turn: turn.actions[0], opponents=["random"]).name


def _meadow(arguments: list[str]) -> None:
    done = meadow(*(os.path.expandvars(argument) for argument in arguments))
    assert done.exit_code == 0, f"meadow {' '.join(arguments)}: {done.stderr}"


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: document.stem)
def test_the_reader_is_told_what_to_save(document: Path) -> None:
    """The file that a block is to be saved as is named in the text right before it: a rendered page hides the mark."""
    text = document.read_text(encoding="utf-8")
    for found in BLOCK.finditer(text):
        if found[2]:
            before = text[: found.start()].rstrip().rpartition("\n\n")[2]
            assert re.search(rf"[Ss]ave\b[^.]*\s`{re.escape(found[2])}`", before), found[2]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: document.stem)
def test_links_lead_somewhere(document: Path) -> None:
    """Every relative link of a document names a file or folder of the project."""
    links = re.findall(r"\]\(([^)#:]+)\)", document.read_text(encoding="utf-8"))
    assert links
    for link in links:
        assert (document.parent / link).exists(), link


def test_the_readmes_bot_is_about_twenty_lines() -> None:
    """The bot of the README is as short as it says."""
    (bot,) = (block for block in blocks(ROOT / "README.md") if block.language == "python")
    assert sum(bool(line.strip()) for line in bot.text.splitlines()) <= 22


def test_the_readme_names_each_command() -> None:
    """The table of commands is complete."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    listed = meadow("--help").stdout
    for command in re.findall(r"^│ (\w+) ", listed, re.MULTILINE):
        assert f"`meadow {command}" in text, command


def test_commands_in_the_readme_are_targets_of_make() -> None:
    """`make serve`, `make test` and `make play` exist."""
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    used = re.findall(
        r"^    make ([a-z-]+)|`make ([a-z-]+)", (ROOT / "README.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert {"serve", "test", "play"} <= {name for pair in used for name in pair if name} <= targets | {"help"}


def test_the_readme_leads_to_each_tutorial() -> None:
    """No tutorial is hidden."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    for tutorial in TUTORIALS.glob("*.md"):
        assert f"(docs/tutorials/{tutorial.name})" in text, tutorial.name
