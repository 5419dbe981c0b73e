"""Tokens and join codes: made from the server's key, never stored.

A token is base64url of a body (kind, game, seat, generation) and an HMAC-SHA-256 over it. So it can be checked without
looking at the game, made again for a repeated call, and shared by all servers that share the key. Releasing a seat
raises its generation, which voids every earlier token.
"""

from __future__ import annotations

import hashlib
import hmac
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as Base64Error
from struct import Struct
from typing import NamedTuple

KEY_BYTES = 32
GAME_ID_BYTES = 16
_BODY = Struct(f">B{GAME_ID_BYTES}sII")
_MAC_BYTES = 20
_HOST = 1
_SEAT = 2
TOKEN_CHARS = 4 * -(-(_BODY.size + _MAC_BYTES) // 3)

MAX_KEPT = 10_000
"""Genuine tokens that are kept, so that their seals are not computed again for each call."""

JOIN_ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
"""Letters and digits that people do not mix up: no 0, O, 1, I."""
JOIN_CHARS = 12
_JOIN_GROUP = 4


class Token(NamedTuple):
    """What a genuine token says.

    Attributes:
        game_id: 16 bytes.
        seat: the seat it plays, None for the host's.
        generation: of the seat, or of the host, when it was made.
    """

    game_id: bytes
    seat: int | None
    generation: int

    def is_for(self, game_id: bytes) -> bool:
        """Whether it says anything about a game."""
        return self.game_id == game_id or self is OPERATOR


OPERATOR = Token(b"", None, 0)
"""What an operator's key says: it is for every game."""


class Mint:
    """Makes and checks tokens and join codes with the server's key."""

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._genuine: dict[str, Token] = {}

    def host_token(self, game_id: bytes, generation: int) -> str:
        """The token of a game's host."""
        return self._sealed(_BODY.pack(_HOST, game_id, 0, generation))

    def seat_token(self, game_id: bytes, seat: int, generation: int) -> str:
        """The token of a seat."""
        return self._sealed(_BODY.pack(_SEAT, game_id, seat, generation))

    def read(self, text: str) -> Token | None:
        """What a token says, or None if this server's key did not make it; as slow for any wrong one of its length."""
        # only genuine tokens are kept, so a wrong one always goes the slow way, in constant time
        if (known := self._genuine.get(text)) is not None:
            return known
        if len(text) != TOKEN_CHARS or not text.isascii():
            return None
        try:
            raw = urlsafe_b64decode(text)
        except (ValueError, Base64Error):
            return None
        # one spelling each: the decoder also takes other alphabets, and skips what is of none
        if len(raw) != _BODY.size + _MAC_BYTES or urlsafe_b64encode(raw).decode() != text:
            return None
        body, seal = raw[: _BODY.size], raw[_BODY.size :]
        if not hmac.compare_digest(seal, self._seal(b"token", body)):
            return None
        kind, game_id, seat, generation = _BODY.unpack(body)
        token = Token(game_id, seat if kind == _SEAT else None, generation)
        if len(self._genuine) >= MAX_KEPT:
            self._genuine.clear()
        self._genuine[text] = token
        return token

    def join_code(self, game_id: bytes) -> str:
        """The code that claims open seats of a game, in groups of four."""
        number = int.from_bytes(self._seal(b"join", game_id), "big")
        chars = ""
        for _ in range(JOIN_CHARS):
            number, place = divmod(number, len(JOIN_ALPHABET))
            chars += JOIN_ALPHABET[place]
        return "-".join(chars[start : start + _JOIN_GROUP] for start in range(0, JOIN_CHARS, _JOIN_GROUP))

    def join_hash(self, code: str) -> bytes:
        """What the journal finds a game by, when somebody brings a join code as people write it."""
        kept = "".join(char for char in code.upper() if char in JOIN_ALPHABET)
        return self._seal(b"join hash", kept.encode())

    def address_hash(self, address: str) -> bytes:
        """What the journal counts an address's games by, without knowing the address."""
        return self._seal(b"address", address.encode())

    def page_seal(self, cursor: bytes) -> bytes:
        """Proof that a page token is this server's own."""
        return self._seal(b"page", cursor)[:8]

    def _sealed(self, body: bytes) -> str:
        return urlsafe_b64encode(body + self._seal(b"token", body)).decode()

    def _seal(self, purpose: bytes, body: bytes) -> bytes:
        return hmac.digest(self._key, purpose + b"\0" + body, hashlib.sha256)[:_MAC_BYTES]
