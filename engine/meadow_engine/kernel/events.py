"""What happened, told to everyone who may know it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened while an action was applied.

    Every viewer gets every event, in order, each in the form that viewer may see: `seen_by` answers another event (or
    this one), never nothing, so that no viewer finds a gap.
    """

    name: ClassVar[str] = ""

    def seen_by(self, viewer: int | None) -> Event:
        """The event as a seat (or, with None, a spectator) may know it."""
        return self
