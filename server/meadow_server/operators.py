"""The keys of whoever runs the server."""

from __future__ import annotations

import hashlib
import hmac
from pathlib import Path

from meadow_server.watched import BadFile, Watched, unreadable

LEAST_CHARS = 16
MOST_CHARS = 512


class Operators:
    """Knows an operator by a key out of a file, one key a line. The file is read again when it changes.

    Raises:
        BadFile: the file holds no key, or a poor one.
    """

    def __init__(self, file: Path | None) -> None:
        self._keys = None if file is None else Watched([file], lambda: _digests(file))

    @property
    def known(self) -> bool:
        """Whether there is any key at all."""
        return self._keys is not None

    def has(self, key: str) -> bool:
        """Whether this is one of the keys; takes the same time whichever it is, and for any wrong one."""
        given, found = _digest(key), False
        for digest in self._keys.value() if self._keys else ():
            found |= hmac.compare_digest(given, digest)
        return found


def _digests(file: Path) -> tuple[bytes, ...]:
    try:
        keys = file.read_text("ascii").split()
    except OSError as error:
        raise unreadable(file, error) from None
    except UnicodeDecodeError:
        raise BadFile(f"{file}: a key has printable ASCII characters only") from None
    if not keys:
        raise BadFile(f"{file} holds no key")
    if not all(LEAST_CHARS <= len(key) <= MOST_CHARS and key.isprintable() for key in keys):
        raise BadFile(f"{file}: a key has {LEAST_CHARS} to {MOST_CHARS} printable characters")
    return tuple(_digest(key) for key in keys)


def _digest(key: str) -> bytes:
    return hashlib.sha256(key.encode()).digest()
