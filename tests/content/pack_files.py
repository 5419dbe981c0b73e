"""The built-in pack as texts that a test may spoil."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import meadow_engine.content

ORIGINAL = Path(meadow_engine.content.__path__[0]) / "original"

Files = dict[str, bytes]
Edit = Callable[[Files], None]


def original() -> Files:
    """Return the files of the built-in pack."""
    return {path.name: path.read_bytes() for path in sorted(ORIGINAL.iterdir())}


def without_downstream() -> Files:
    """Return the files of the built-in pack as if there were no Downstream."""
    files = {name: raw for name, raw in original().items() if not name.startswith("downstream_")}
    swap("pack.toml", ', "downstream"]', "]")(files)
    return files


def write(folder: Path, files: Files) -> Path:
    """Write files into a new folder and return it."""
    folder.mkdir()
    for name, content in files.items():
        (folder / name).write_bytes(content)
    return folder


def cell(file: str, row: int, column: str, text: str) -> Edit:
    """Replace one cell of a table; rows count from 1, the header being the first that is no comment."""

    def edit(files: Files) -> None:
        lines = files[file].decode().splitlines()
        header = next(line for line in lines if not line.startswith('"# '))
        cells = lines[row - 1].split(",")
        cells[header.split(",").index(column)] = text
        lines[row - 1] = ",".join(cells)
        files[file] = "\n".join(lines).encode()

    return edit


def line(file: str, row: int, text: str | None) -> Edit:
    """Replace a line, or take it out."""

    def edit(files: Files) -> None:
        lines = files[file].decode().splitlines()
        lines[row - 1 : row] = [] if text is None else [text]
        files[file] = "\n".join(lines).encode()

    return edit


def swap(file: str, old: str, new: str) -> Edit:
    """Replace a text that stands in the file once."""

    def edit(files: Files) -> None:
        text = files[file].decode()
        assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {file}"
        files[file] = text.replace(old, new).encode()

    return edit


def section(file: str, heading: str, number: int, old: str, new: str) -> Edit:
    """Replace a text in one of a document's sections of a heading, counted from 0."""

    def edit(files: Files) -> None:
        before, *parts = files[file].decode().split(f"[[{heading}]]")
        own, end, after = parts[number].partition("[[")
        assert own.count(old) == 1, f"{old!r} stands {own.count(old)} times in section {number} of {heading}"
        parts[number] = own.replace(old, new) + end + after
        files[file] = f"[[{heading}]]".join([before, *parts]).encode()

    return edit


def appended(file: str, text: str) -> Edit:
    """Add a text at the end of a file."""

    def edit(files: Files) -> None:
        files[file] += text.encode()

    return edit


def content(file: str, raw: bytes | None) -> Edit:
    """Replace a whole file, or take it out."""

    def edit(files: Files) -> None:
        if raw is None:
            del files[file]
        else:
            files[file] = raw

    return edit


def every(*edits: Edit) -> Edit:
    """Make several edits, one after the other."""

    def edit(files: Files) -> None:
        for single in edits:
            single(files)

    return edit
