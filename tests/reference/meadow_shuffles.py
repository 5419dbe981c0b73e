"""Listens to the engine's shuffles, so that the reference can be told what chance gave."""

from __future__ import annotations

from collections.abc import Callable, Iterator, MutableSequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from unittest.mock import patch

from meadow_engine.kernel.rng import Streams


@dataclass
class Shuffles:
    """The shuffles that nobody asked for yet, in order, each as it came out."""

    heard: list[tuple[str, list[Any]]] = field(default_factory=list)
    """Stream and outcome."""

    @contextmanager
    def listen(self) -> Iterator[None]:
        """Note every shuffle that happens meanwhile."""
        shuffle = Streams.shuffle

        def noted(streams: Streams, stream: str, items: MutableSequence[Any]) -> None:
            shuffle(streams, stream, items)
            self.heard.append((stream, list(items)))

        with patch.object(Streams, "shuffle", noted):
            yield

    def of(self, items: list[str], name: Callable[[str, Any], str | None]) -> list[str]:
        """How these came out, given what the engine's components are called; whoever shuffles one changes nothing.

        Args:
            items: what is shuffled, in any order.
            name: what a component is called that came out of a stream, None if nothing like these.
        """
        if len(items) < 2:
            return items
        for number, (stream, heard) in enumerate(self.heard):
            names = [name(stream, item) for item in heard]
            if None not in names and sorted(map(str, names)) == sorted(items):
                del self.heard[number]
                return [str(found) for found in names]
        raise AssertionError(f"nobody shuffled {len(items)} of these: {items[:3]} ...")
