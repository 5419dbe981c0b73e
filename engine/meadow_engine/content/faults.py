"""What is wrong with a content pack, and where."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from meadow_engine.kernel.errors import EngineError


@dataclass(frozen=True, slots=True, order=True)
class ContentFault:
    """One thing to put right in a pack."""

    file: str
    """File name inside the pack, or empty for the pack as a whole."""
    row: int
    """Line of the file as an editor counts it, from 1; 0 for the file as a whole."""
    column: str
    """Name of the column or field, or empty for the whole row."""
    message: str
    """What is wrong, and what would be right."""

    def __str__(self) -> str:
        """Return the fault in one line, place first: `spring_tiles.csv:12: copies: ...`."""
        place = f"{self.file}:{self.row}" if self.row else self.file
        return ": ".join(part for part in (place, self.column, self.message) if part)


class ContentError(EngineError):
    """A content pack cannot be used.

    Attributes:
        faults: everything that is wrong with it, in the order of files and rows.
    """

    code = "BAD_CONTENT"

    def __init__(self, faults: Iterable[ContentFault]) -> None:
        self.faults = tuple(sorted(faults))
        super().__init__("\n".join(map(str, self.faults)), faults=len(self.faults))
