"""Reading the rows of a table, with faults that name row and column."""

from __future__ import annotations

import re

from meadow_engine.content.faults import ContentFault
from meadow_engine.content.tables import Row, Table, text_fault, whole_number

ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]{0,11}")


class RowReader:
    """Reads one table, remembering what may stand there once, so that a repeated value can name the first."""

    def __init__(self, table: Table, faults: list[ContentFault]) -> None:
        self.table = table
        self.faults = faults
        self.seen: dict[tuple[str, object], Row] = {}

    def fault(self, row: Row | None, column: str, message: str) -> None:
        """Add a fault at a row's column, or at the table as a whole."""
        self.faults.append(ContentFault(self.table.file, row.line if row else 0, column, message))

    def unique(self, row: Row, column: str, value: object, what: str) -> None:
        """Add a fault if an earlier row has the same value in this column."""
        first = self.seen.setdefault((column, value), row)
        if first is not row:
            self.fault(row, column, f"{what} stands already in row {first.line}")

    def text(self, row: Row, column: str, *, required: bool = True) -> str:
        """Return a name; one that is required must also be the only one of its kind."""
        text = row.values.get(column, "")
        if (text or required) and (wrong := text_fault(text)):
            self.fault(row, column, wrong)
        elif required:
            self.unique(row, column, text, repr(text))
        return text

    def id(self, row: Row) -> str:
        """Return the row's id."""
        text = self.text(row, "id")
        if text and not ID.fullmatch(text):
            self.fault(row, "id", f"{text!r} must be letters, digits and hyphens, at most 12")
        return text

    def number(self, row: Row, column: str, most: int, least: int = 1) -> int:
        """Return a number from `least` to `most`, or `least - 1` after adding a fault."""
        number = whole_number(row.values[column])
        if number is None or not least <= number <= most:
            self.fault(row, column, f"{row.values[column]!r} must be a whole number from {least} to {most}")
            return least - 1
        return number
