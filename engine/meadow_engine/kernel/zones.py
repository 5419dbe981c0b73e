"""Hidden piles, and who has seen what lies in them."""

from __future__ import annotations

from dataclasses import dataclass, field

from meadow_engine.kernel.rng import Streams

NOBODY = 0
EVERYBODY = -1
"""The mask of what lay open: all seats know it, and so do spectators."""


def seat_bit(seat: int) -> int:
    """The bit of a seat in a ``seen`` mask."""
    return 1 << seat


def knows(seen: int, viewer: int | None) -> bool:
    """Whether a seat (None: a spectator, who knows only what lay open) is among those who have seen something."""
    return seen == EVERYBODY if viewer is None else bool(seen >> viewer & 1)


@dataclass(slots=True)
class HiddenPile:
    """A face-down pile. The last element is the top.

    Attributes:
        items: component numbers from the bottom to the top.
        seen: for each place, the mask of seats that know what lies there. Empty means that nobody knows anything, which
            spares most games a second list.
    """

    items: list[int] = field(default_factory=list, repr=False)
    seen: list[int] = field(default_factory=list)

    def clone(self) -> HiddenPile:
        """An independent copy."""
        return HiddenPile(self.items.copy(), self.seen.copy())

    def __len__(self) -> int:
        return len(self.items)

    def pop(self) -> int:
        """Take the top component off."""
        if self.seen:
            self.seen.pop()
        return self.items.pop()

    def look(self, seat: int, count: int) -> list[int]:
        """Show a seat the top ``count`` components (or all there are), topmost first, and remember that it knows."""
        self._track()
        places = range(len(self.items) - 1, max(-1, len(self.items) - 1 - count), -1)
        for place in places:
            self.seen[place] |= seat_bit(seat)
        return [self.items[place] for place in places]

    def take_from_top(self, depth: int) -> tuple[int, int]:
        """Take out the component ``depth`` below the top one; answers it and the mask of seats that know it."""
        place = len(self.items) - 1 - depth
        seen = self.seen.pop(place) if self.seen else NOBODY
        return self.items.pop(place), seen

    def put_under(self, items: list[int], seen: int) -> None:
        """Lay components under the pile, the first one lowest; ``seen`` is the mask of seats that know their order."""
        if seen:
            self._track()
        if self.seen:
            self.seen[:0] = [seen] * len(items)
        self.items[:0] = items

    def hoist(self, item: int, depth: int = 0) -> bool:
        """Bring a component to the place ``depth`` below the top one, in exchange for what lies there.

        Only for replaying given chance outcomes: the order of what nobody has seen is not a fact yet, that of what
        somebody has seen is.

        Returns:
            False if it cannot lie there.
        """
        place = len(self.items) - 1 - depth
        if place < 0 or item == self.items[place]:
            return place >= 0
        if not self._open(place):
            return False
        for other in range(place):
            if self.items[other] == item and self._open(other):
                self.items[other], self.items[place] = self.items[place], item
                return True
        return False

    def _open(self, place: int) -> bool:
        return not self.seen or self.seen[place] == NOBODY

    def resample(self, viewer: int | None, streams: Streams, stream: str) -> None:
        """Shuffle among themselves the places that the viewer does not know (nobody's view: all of them)."""
        hidden = self.unknown_to(viewer)
        contents = sorted(self.items[p] for p in hidden)
        streams.shuffle(stream, contents)
        for place, item in zip(hidden, contents, strict=True):
            self.items[place] = item

    def unknown_to(self, viewer: int | None) -> list[int]:
        """The places whose component the viewer does not know, from the bottom."""
        return [p for p in range(len(self.items)) if not (self.seen and knows(self.seen[p], viewer))]

    def _track(self) -> None:
        if not self.seen:
            self.seen = [NOBODY] * len(self.items)
