"""Files that are read again when they have changed, so that a server need not be restarted for them."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Generic, TypeVar

import structlog

log = structlog.get_logger()
T = TypeVar("T")
_Stamp = tuple[tuple[int, int, int], ...]


class BadFile(Exception):
    """A file cannot be read, or does not hold what it should; the message names it and says nothing of its content."""


class Watched(Generic[T]):
    """What some files say.

    A change that cannot be read keeps what was read before, and is tried again when somebody asks next: files are
    replaced one after the other, and somebody may ask in between.

    Args:
        files: read together.
        read: reads them; raises `BadFile`.

    Raises:
        BadFile: they cannot be read at the start.
    """

    def __init__(self, files: Sequence[Path], read: Callable[[], T]) -> None:
        self._files = files
        self._read = read
        self._lock = threading.Lock()
        self._refused: _Stamp | None = None
        self._stamp = self._look()
        self._value = read()

    def value(self) -> T:
        """What they say now."""
        self.changed()
        return self._value

    def changed(self) -> T | None:
        """What they say now, if that is new since they were asked last. May be called from any thread."""
        with self._lock:
            stamp = self._stamp
            try:
                stamp = self._look()
                if stamp == self._stamp:
                    return None
                value = self._read()
                if self._look() != stamp:
                    # replaced while they were read: somebody will ask again
                    return None
            except BadFile as fault:
                self._complain(stamp, fault)
                return None
            self._stamp, self._value = stamp, value
        log.info("files read again", files=[str(file) for file in self._files])
        return value

    def _complain(self, stamp: _Stamp, fault: BadFile) -> None:
        """Log a fault, once for each state of the files."""
        if stamp != self._refused:
            self._refused = stamp
            log.warning("changed files are not used", error=str(fault))

    def _look(self) -> _Stamp:
        return tuple(_stamp(file) for file in self._files)


def _stamp(file: Path) -> tuple[int, int, int]:
    try:
        found = file.stat()
    except OSError as error:
        raise unreadable(file, error) from None
    return found.st_mtime_ns, found.st_size, found.st_ino


def unreadable(file: Path, error: OSError) -> BadFile:
    """What to say of a file that the system does not give."""
    return BadFile(f"{file} cannot be read: {error.strerror}")
