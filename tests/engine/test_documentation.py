"""The page about the engine's door says what is true: its examples run, and what it names exists."""

from __future__ import annotations

import re

import pytest
from meadow_engine import api

from tests.support.source_tree import ROOT

pytestmark = pytest.mark.source

PAGE = ROOT / "docs" / "engine-api.md"


def test_the_examples_run_one_after_the_other() -> None:
    """All blocks of Python of the page run in order, as a reader would type them."""
    blocks = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    assert len(blocks) >= 10
    names: dict[str, object] = {"print": lambda *_: None}
    for block in blocks:
        exec(compile(block, str(PAGE), "exec"), names)


def test_the_page_names_what_exists() -> None:
    """Whatever the page calls `api.something` is at the door."""
    named = set(re.findall(r"\bapi\.([A-Za-z_]+)", PAGE.read_text(encoding="utf-8")))
    assert named <= set(api.__all__)


@pytest.mark.parametrize("page", ["architecture.md", "engine-api.md", "determinism.md"])
def test_files_and_links_of_the_pages_exist(page: str) -> None:
    """Every link to another page, and every path of the source tree that a page names, leads somewhere."""
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    for link in re.findall(r"\]\(([\w./-]+)\)", text):
        assert (ROOT / "docs" / link).exists(), link
    for path in re.findall(r"`((?:engine|server|clients|proto|tests|docs|bench)/[\w./-]*)`", text):
        assert (ROOT / path).exists(), path
