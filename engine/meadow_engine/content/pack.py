"""A content pack: everything printed on the components, for one or more games.

A pack is a folder of `pack.toml`, which says what the pack is, and one file per deck, board or kind of component.
This module knows nothing about any game: it reads files, and gives a pack its canonical bytes and its hash.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from importlib.resources.abc import Traversable
from typing import Any

from meadow_engine.content.faults import ContentError, ContentFault
from meadow_engine.content.tables import (
    Document,
    Table,
    read_document,
    read_table,
    read_text,
    table_of,
    text_fault,
)
from meadow_engine.kernel.errors import BadEncoding

MANIFEST = "pack.toml"
"""The file that says what a pack is."""
FORMAT = 1
"""Number of the canonical form; a change of it changes every hash."""
HASH_BYTES = 32
PACK_ID = re.compile(r"[a-z][a-z0-9-]{0,39}")
TEXT_FIELDS = ("id", "title", "version", "licence", "note")
MAX_NOTE = 2000
"""Longest note, in characters."""


@dataclass(frozen=True, slots=True)
class Pack:
    """The contents of a pack; two packs are equal when their hashes are."""

    id: str = field(compare=False)
    """Short stable name: small letters, digits and hyphens."""
    title: str = field(compare=False)
    version: str = field(compare=False)
    licence: str = field(compare=False)
    note: str = field(compare=False)
    """Where the contents come from."""
    games: tuple[str, ...] = field(compare=False)
    """The game families it has components for, such as `spring_meadow`."""
    settings: Mapping[str, Any] = field(compare=False, repr=False)
    """For each game, what `pack.toml` says about it in a table of that name."""
    tables: Mapping[str, Table] = field(compare=False, repr=False)
    """File name -> CSV table."""
    documents: Mapping[str, Document] = field(compare=False, repr=False)
    """File name -> TOML document, `pack.toml` not among them."""
    manifest: Document = field(compare=False, repr=False)
    """`pack.toml` itself, to find lines in."""
    hash: bytes = field(init=False)
    """BLAKE2b-256 over `to_bytes`: identifies the contents whatever the folder is called."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "hash", blake2b(self.to_bytes(), digest_size=HASH_BYTES).digest())

    def to_bytes(self) -> bytes:
        """Return the canonical form: the same for any line ends, comments, spacing and order of columns or keys."""
        form = {
            "format": FORMAT,
            "pack": self.manifest.data,
            "tables": {file: table.canonical() for file, table in self.tables.items()},
            "documents": {file: document.data for file, document in self.documents.items()},
        }
        return json.dumps(form, sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode()


def read_pack(folder: Traversable, faults: list[ContentFault]) -> Pack | None:
    """Read a pack's files without judging what a game will make of them.

    Args:
        folder: a directory, on disk or inside an installed package.
        faults: gets whatever is wrong.

    Returns:
        The pack, or None when it cannot be read far enough to be checked further.
    """
    before = len(faults)
    if not folder.is_dir():
        faults.append(ContentFault("", 0, "", "there is no such folder"))
        return None
    sources = {entry.name: entry for entry in folder.iterdir() if entry.name.endswith((".csv", ".toml"))}
    if MANIFEST not in sources:
        faults.append(ContentFault(MANIFEST, 0, "", "the file is missing: it says what the pack is"))
        return None
    tables: dict[str, Table] = {}
    documents: dict[str, Document] = {}
    for file in sorted(sources):
        if not sources[file].is_file():
            faults.append(ContentFault(file, 0, "", "this is no file"))
            continue
        text = read_text(file, sources[file].read_bytes(), faults)
        if text is None:
            continue
        if file.endswith(".csv"):
            if (table := read_table(file, text, faults)) is not None:
                tables[file] = table
        elif (document := read_document(file, text, faults)) is not None:
            documents[file] = document
    manifest = documents.pop(MANIFEST, None)
    if manifest is None or not _check_manifest(manifest, faults) or len(faults) > before:
        return None
    return _pack(manifest, tables, documents)


def pack_from_bytes(data: bytes) -> Pack:
    """Return the pack that `Pack.to_bytes` wrote.

    Raises:
        BadEncoding: these are not the canonical bytes of a pack.
        ContentError: the pack's own description is wrong.
    """
    faults: list[ContentFault] = []
    try:
        form = json.loads(data)
        if form["format"] != FORMAT:
            raise BadEncoding("this pack was written by another version of the engine", format=form["format"])
        manifest = Document(MANIFEST, form["pack"])
        tables = {file: table_of(file, content) for file, content in form["tables"].items()}
        documents = {file: Document(file, content) for file, content in form["documents"].items()}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise BadEncoding("these bytes are not a content pack") from error
    if not _check_manifest(manifest, faults):
        raise ContentError(faults)
    pack = _pack(manifest, tables, documents)
    if pack.to_bytes() != data:
        raise BadEncoding("these bytes are not in the canonical form of a content pack")
    return pack


def _pack(manifest: Document, tables: Mapping[str, Table], documents: Mapping[str, Document]) -> Pack:
    data = manifest.data
    games = tuple(data["games"])
    return Pack(
        **{name: data[name] for name in TEXT_FIELDS},
        games=games,
        settings={game: data.get(game, {}) for game in games},
        tables=tables,
        documents=documents,
        manifest=manifest,
    )


def _check_manifest(manifest: Document, faults: list[ContentFault]) -> bool:
    """Add a fault for everything wrong with the pack's description; tell whether nothing is."""
    wrong = [(key, _field_fault(key, manifest.data.get(key))) for key in TEXT_FIELDS]
    wrong += _games_faults(manifest.data)
    found = [
        ContentFault(manifest.file, manifest.line("", 0, key) or manifest.line(key, 0), key, message)
        for key, message in wrong
        if message
    ]
    faults.extend(found)
    return not found


def _field_fault(key: str, value: object) -> str:
    if not isinstance(value, str):
        return "a text is missing"
    if key == "note":
        return f"{len(value)} characters are too many: at most {MAX_NOTE}" if len(value) > MAX_NOTE else ""
    if key == "id" and value and not PACK_ID.fullmatch(value):
        return f"{value!r} must be small letters, digits and hyphens, at most 40"
    return text_fault(value)


def _games_faults(data: Mapping[str, Any]) -> list[tuple[str, str]]:
    games = data.get("games")
    if not isinstance(games, list) or not games or not all(isinstance(game, str) for game in games):
        return [("games", 'a list of games is missing, such as ["spring_meadow"]')]
    twice = [("games", "a game is named twice")] if len(set(games)) < len(games) else []
    unknown = [(key, "unknown entry") for key in data if key not in (*TEXT_FIELDS, "games", *games)]
    flat = [(game, "this must be a table of entries") for game in games if not isinstance(data.get(game, {}), dict)]
    return twice + unknown + flat
