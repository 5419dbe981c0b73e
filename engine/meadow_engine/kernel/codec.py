"""Canonical bytes of typed dataclasses, and the hash over them.

The form is JSON with sorted keys and no spaces. A dataclass is an object whose key ``$`` holds the class name; bytes
are hexadecimal; tuples and lists are arrays. Equal values give equal bytes on every Python and platform. Fields marked
with `UNSAVED` (shared tables, passing output) are left out and handed back by the caller when decoding.
"""

from __future__ import annotations

import json
import re
import types
from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from functools import cache
from hashlib import blake2b
from typing import Any, Union, get_args, get_origin, get_type_hints

from meadow_engine.kernel.errors import BadEncoding

UNSAVED: Mapping[str, Any] = types.MappingProxyType({"unsaved": True})
"""Field metadata: not part of the value."""

HASH_BYTES = 32
_TAG = "$"
_HEXADECIMAL = re.compile(r"(?:[0-9a-f]{2})*")
Classes = Mapping[str, type]


def classes(*members: type) -> Classes:
    """A table of dataclasses by name, as `decode` wants it."""
    return {member.__name__: member for member in members}


def encode(value: object) -> bytes:
    """The canonical bytes of a dataclass or of plain data."""
    return json.dumps(_plain(value), sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode("ascii")


def digest(value: object) -> bytes:
    """BLAKE2b-256 over the canonical bytes."""
    return blake2b(encode(value), digest_size=HASH_BYTES).digest()


def decode(data: bytes, known: Classes, **unsaved: object) -> Any:
    """The value that `encode` wrote.

    Args:
        data: canonical bytes.
        known: the dataclasses that may occur, by name.
        unsaved: values of the fields marked `UNSAVED`, for every object that has them.

    Raises:
        BadEncoding: the bytes are no such value; the message names where.
    """
    return _Decoder(known, unsaved).tagged(decode_plain(data), "value")


def decode_plain(data: bytes) -> Any:
    """Plain data (objects, arrays, numbers, text) of canonical bytes; BadEncoding if they are none."""
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        raise BadEncoding("not JSON") from None


def unsaved_of(value: object) -> dict[str, object]:
    """The shared tables that `encode` leaves out, to be handed to `decode`; fields with a default begin anew."""
    assert is_dataclass(value)
    left_out = (f for f in fields(value) if f.metadata.get("unsaved") and f.default_factory is MISSING)
    return {f.name: getattr(value, f.name) for f in left_out}


@cache
def _saved_fields(cls: type) -> tuple[Field[Any], ...]:
    return tuple(f for f in fields(cls) if f.init and not f.metadata.get("unsaved"))


@cache
def _hints(cls: type) -> dict[str, Any]:
    return get_type_hints(cls)


def _plain(value: object) -> object:
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if is_dataclass(value) and not isinstance(value, type):
        plain: dict[str, object] = {f.name: _plain(getattr(value, f.name)) for f in _saved_fields(type(value))}
        plain[_TAG] = type(value).__name__
        return plain
    raise TypeError(f"{type(value).__name__} has no canonical form")


class _Decoder:
    """Walks plain data along the type hints; `where` is the path for error messages."""

    def __init__(self, known: Classes, unsaved: Mapping[str, object]) -> None:
        self._known = known
        self._unsaved = unsaved

    def tagged(self, plain: object, where: str, expected: type | tuple[type, ...] = object) -> Any:
        cls = self._class_of(plain, expected)
        if cls is None or not isinstance(plain, dict):
            raise BadEncoding(f"{where}: no object of a class that may stand here")
        saved = _saved_fields(cls)
        if plain.keys() != {f.name for f in saved} | {_TAG}:
            raise BadEncoding(f"{where}: {cls.__name__} with wrong fields")
        hints = _hints(cls)
        given = {f.name: self._unsaved[f.name] for f in fields(cls) if f.name in self._unsaved}
        return cls(**given, **{f.name: self.value(plain[f.name], hints[f.name], f"{where}.{f.name}") for f in saved})

    def _class_of(self, plain: object, expected: type | tuple[type, ...]) -> type | None:
        name = plain.get(_TAG) if isinstance(plain, dict) else None
        cls = self._known.get(name) if isinstance(name, str) else None
        return cls if cls is not None and issubclass(cls, expected) else None

    def value(self, plain: object, hint: Any, where: str) -> Any:
        origin = get_origin(hint)
        if origin in (Union, types.UnionType):
            return self._union(plain, get_args(hint), where)
        if origin in (list, tuple, dict):
            return self._container(plain, origin, get_args(hint), where)
        if hint is bytes:
            return self._bytes(plain, where)
        if hint in (int, str, bool):
            # bool is an int in Python; a state never means one by the other
            if type(plain) is not hint:
                raise BadEncoding(f"{where}: not {hint.__name__}")
            return plain
        return self.tagged(plain, where, origin or hint)

    def _union(self, plain: object, members: tuple[Any, ...], where: str) -> Any:
        if plain is None:
            if type(None) in members:
                return None
            raise BadEncoding(f"{where}: missing")
        rest = [member for member in members if member is not type(None)]
        return self.value(plain, rest[0], where) if len(rest) == 1 else self.tagged(plain, where, tuple(rest))

    def _container(self, plain: object, origin: type, args: tuple[Any, ...], where: str) -> Any:
        if origin is dict:
            if not isinstance(plain, dict):
                raise BadEncoding(f"{where}: not an object")
            return {key: self.value(item, args[1], f"{where}.{key}") for key, item in plain.items()}
        if not isinstance(plain, list):
            raise BadEncoding(f"{where}: not an array")
        hints = args[:1] * len(plain) if origin is list or args[-1] is Ellipsis else args
        if len(hints) != len(plain):
            raise BadEncoding(f"{where}: wrong length")
        build: Callable[[Any], Any] = origin
        return build(
            self.value(item, hint, f"{where}[{i}]") for i, (item, hint) in enumerate(zip(plain, hints, strict=True))
        )

    @staticmethod
    def _bytes(plain: object, where: str) -> bytes:
        # `fromhex` also reads spaces and capitals, which are not canonical
        if not isinstance(plain, str) or not _HEXADECIMAL.fullmatch(plain):
            raise BadEncoding(f"{where}: not hexadecimal")
        return bytes.fromhex(plain)
