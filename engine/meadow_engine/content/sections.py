"""Reading the `[[heading]]` sections of a document, with faults that name the lines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from meadow_engine.content.faults import ContentFault
from meadow_engine.content.tables import Document, text_fault


class DocumentSection:
    """One `[[heading]]` section of a document."""

    def __init__(self, document: Document, heading: str, index: int, faults: list[ContentFault]) -> None:
        self.data: Mapping[str, Any] = document.data[heading][index]
        self._document, self._heading, self._index, self._faults = document, heading, index, faults

    def fault(self, key: str, message: str, line: int | None = None) -> None:
        """Add a fault at `key`, or at a line counted from 0 below it."""
        row = self._document.line(self._heading, self._index, key)
        self._faults.append(
            ContentFault(self._document.file, row + 1 + line if row and line is not None else row, key, message)
        )

    def keys(self, expected: Sequence[str]) -> None:
        """Add a fault for each entry that has no meaning here."""
        for key in self.data:
            if key not in expected:
                self.fault(key, f"unknown entry; there are {', '.join(expected)}")

    def text(self, key: str) -> str:
        """Return a text, or nothing after adding a fault."""
        value = self.data.get(key)
        wrong = text_fault(value) if isinstance(value, str) else "a text is missing"
        if wrong:
            self.fault(key, wrong)
            return ""
        return str(value)

    def number(self, key: str, most: int, least: int = 1) -> int:
        """Return a number from `least` to `most`, or `least - 1` after adding a fault."""
        value = self.data.get(key)
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            self.fault(key, f"this must be a whole number from {least} to {most}")
            return least - 1
        return value

    def list(self, key: str, kind: type) -> list[Any]:
        """Return a list of texts or numbers, or an empty one after adding a fault."""
        value = self.data.get(key)
        if not isinstance(value, list) or not all(type(item) is kind for item in value):
            self.fault(key, f"a list of {'texts' if kind is str else 'whole numbers'} is missing")
            return []
        return value


def read_sections(
    document: Document, headings: Sequence[str], faults: list[ContentFault]
) -> dict[str, list[DocumentSection]]:
    """Return a document's sections by heading, adding a fault for anything else at the top level.

    Each heading must be there, at least once.
    """
    faults.extend(
        ContentFault(document.file, document.line("", 0, key) or document.line(key, 0), key, "unknown entry")
        for key in document.data
        if key not in headings
    )
    found: dict[str, list[DocumentSection]] = {}
    for heading in headings:
        sections = document.data.get(heading)
        if not isinstance(sections, list) or not all(isinstance(section, dict) for section in sections):
            faults.append(ContentFault(document.file, 0, heading, f"sections headed [[{heading}]] are missing"))
            sections = []
        found[heading] = [DocumentSection(document, heading, index, faults) for index in range(len(sections))]
    return found
