"""Pages of lists: sizes are clamped, negative ones refused; tokens are opaque and sealed: nobody invents one."""

from __future__ import annotations

import hmac
from base64 import urlsafe_b64decode, urlsafe_b64encode

from meadow_server.errors import ApiError, bad_field
from meadow_server.tokens import Mint

SEAL_BYTES = 8


def page_size(asked: int, default: int, maximum: int) -> int:
    """How many items a page has.

    Raises:
        ApiError: a negative size was asked for.
    """
    if asked < 0:
        raise bad_field("page_size", "must not be negative")
    return min(asked or default, maximum)


def page_token(mint: Mint, binding: bytes, cursor: bytes) -> str:
    """A token that continues a list at a cursor; it fits only a list with the same binding (its filter, say)."""
    return urlsafe_b64encode(mint.page_seal(_body(binding, cursor)) + cursor).decode().rstrip("=")


def read_page_token(mint: Mint, binding: bytes, token: str) -> bytes | None:
    """The cursor in a token; None for an empty one.

    Raises:
        ApiError: the token is not one of this list.
    """
    if not token:
        return None
    try:
        raw = urlsafe_b64decode(token + "=" * (-len(token) % 4))
    except ValueError:
        raw = b""
    seal, cursor = raw[:SEAL_BYTES], raw[SEAL_BYTES:]
    if not hmac.compare_digest(mint.page_seal(_body(binding, cursor)), seal):
        raise ApiError("BAD_PAGE_TOKEN", "the page token is not one of this list with these filters")
    return cursor


def _body(binding: bytes, cursor: bytes) -> bytes:
    return len(binding).to_bytes(4, "big") + binding + cursor
