"""Reading the two kinds of files a pack consists of: tables (CSV) and documents (TOML).

Both remember where each value stands, so that a fault can name its row and column.
"""

from __future__ import annotations

import csv
import io
import re
import tomllib
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from meadow_engine.content.faults import ContentFault

COMMENT = "# "
"""A table row whose first cell starts so is a comment (a drawing may start with `#`, but never with a space)."""
MAX_TEXT = 80
"""Longest name, in characters: what a card can hold."""
HEADING = re.compile(r"\s*\[\[?\s*([\w.-]+)\s*\]\]?\s*(?:#.*)?")
TOML_LINE = re.compile(r"\(at line (\d+), column \d+\)")


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table."""

    line: int
    """Where it stands, from 1."""
    values: Mapping[str, str]
    """Column -> text, without space around it."""


@dataclass(frozen=True, slots=True)
class Table:
    """A CSV file: one row a card or tile."""

    file: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]

    def canonical(self) -> dict[str, Any]:
        """Return the contents without what does not matter: order of columns, comments, spacing, empty rows."""
        columns = sorted(self.columns)
        return {"columns": columns, "rows": [[row.values[name] for name in columns] for row in self.rows]}


@dataclass(frozen=True, slots=True)
class Document:
    """A TOML file: boards, tracks and everything else that is no table."""

    file: str
    data: Mapping[str, Any]
    lines: tuple[str, ...] = field(default=(), compare=False)

    def line(self, table: str, index: int, key: str = "") -> int:
        """Return the line of `key` in the `index`-th `[[table]]`, or of that heading; 0 when it is not found.

        With an empty `table` the key is looked for before the first heading.
        """
        headings = [number for number, text in enumerate(self.lines, 1) if HEADING.fullmatch(text)]
        own = [number for number in headings if _heading(self.lines[number - 1]) == table]
        if table and index >= len(own):
            return 0
        start = own[index] if table else 0
        end = next((number for number in headings if number > start), len(self.lines) + 1)
        for number in range(start + 1, end):
            if key and re.match(rf"\s*{re.escape(key)}\s*=", self.lines[number - 1]):
                return number
        return start


def read_text(file: str, raw: bytes, faults: list[ContentFault]) -> str | None:
    """Decode a file as UTF-8, with or without a byte order mark; on failure add a fault and return None."""
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        row = raw[: error.start].count(b"\n") + 1
        faults.append(ContentFault(file, row, "", "this is not UTF-8: save the file as UTF-8 text"))
        return None


def read_table(file: str, text: str, faults: list[ContentFault]) -> Table | None:
    """Read a CSV file whose first row, comments apart, names the columns.

    Cells are separated by commas, semicolons or tabs, whichever the first row uses: spreadsheets differ.
    """
    header: list[str] = []
    rows: list[Row] = []
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(text), strict=True)
    try:
        for raw in reader:
            cells = [cell.strip() for cell in raw]
            if not any(cells) or _is_comment(raw[0], cells):
                continue
            if not header:
                header = cells
                continue
            if any(cells[len(header) :]):
                message = f"{len(cells)} cells, but only {len(header)} columns"
                faults.append(ContentFault(file, reader.line_num, "", message))
            padded = cells + [""] * (len(header) - len(cells))
            rows.append(Row(reader.line_num, dict(zip(header, padded, strict=False))))
    except csv.Error as error:
        faults.append(ContentFault(file, reader.line_num, "", f"this is not a table: {error}"))
        return None
    if not header:
        faults.append(ContentFault(file, 0, "", "the table is empty: its first row must name the columns"))
        return None
    return Table(file, tuple(header), tuple(rows))


def read_document(file: str, text: str, faults: list[ContentFault]) -> Document | None:
    """Read a TOML file; on failure add a fault and return None."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        found = TOML_LINE.search(str(error))
        row = int(found[1]) if found else len(text.splitlines())
        faults.append(ContentFault(file, row, "", f"this is not TOML: {TOML_LINE.sub('', str(error)).strip()}"))
        return None
    except RecursionError:
        faults.append(ContentFault(file, 0, "", "this is not TOML that anybody could read: it is nested too deeply"))
        return None
    document = Document(file, data, tuple(text.splitlines()))
    if not _is_plain(data):
        message = "only text, whole numbers, true, false, lists and tables may stand in a pack"
        faults.append(ContentFault(file, 0, "", message))
        return None
    return document


def table_of(file: str, canonical: Mapping[str, Any]) -> Table:
    """Return the table that `Table.canonical` described; its rows get the lines they would have without comments."""
    columns = tuple(map(str, canonical["columns"]))
    rows = (dict(zip(columns, map(str, cells), strict=True)) for cells in canonical["rows"])
    return Table(file, columns, tuple(Row(line, values) for line, values in enumerate(rows, 2)))


def check_columns(
    table: Table, required: Collection[str], optional: Collection[str], faults: list[ContentFault]
) -> bool:
    """Add a fault for each missing, unknown or repeated column; tell whether all required ones are there."""
    known = {*required, *optional}
    for name, times in Counter(table.columns).items():
        if name not in known:
            expected = ", ".join([*required, *optional])
            faults.append(ContentFault(table.file, 1, name, f"unknown column; the columns are {expected}"))
        elif times > 1:
            faults.append(ContentFault(table.file, 1, name, "the column is there twice"))
    missing = [name for name in required if name not in table.columns]
    faults.extend(ContentFault(table.file, 1, name, "the column is missing") for name in missing)
    return not missing


def text_fault(text: str) -> str:
    """Return what is wrong with a name or id, or nothing: it must be there, printable and of a card's length."""
    if not text:
        return "a text is missing"
    if not text.isprintable() or text != text.strip():
        return f"{text!r} has characters that cannot be printed, or space around it"
    if len(text) > MAX_TEXT:
        return f"{len(text)} characters are too many: at most {MAX_TEXT}"
    return ""


def whole_number(text: str) -> int | None:
    """Return the number a cell holds, or None when it is not written in plain digits."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 6 else None


def _is_comment(first: str, cells: list[str]) -> bool:
    return first.startswith(COMMENT) or (cells[0] == COMMENT.strip() and not any(cells[1:]))


def _delimiter(text: str) -> str:
    lines = (line for line in text.splitlines() if line.strip() and not line.lstrip('"').startswith(COMMENT.strip()))
    header = next(lines, "")
    return max(",;\t", key=header.count)


def _heading(line: str) -> str:
    found = HEADING.fullmatch(line)
    return found[1] if found else ""


def _is_plain(value: object) -> bool:
    if isinstance(value, dict):
        return all(map(_is_plain, value.values()))
    if isinstance(value, list):
        return all(map(_is_plain, value))
    return isinstance(value, str | int)
