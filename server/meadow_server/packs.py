"""The content packs at hand: the built-in one, those of folders, and those that only old games use."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from meadow_engine import api

from meadow_server.errors import ApiError
from meadow_server.store.base import Store


class Shelf:
    """Finds packs by id and by hash."""

    def __init__(self, folders: Sequence[Path], store: Store) -> None:
        self._store = store
        self.offered: tuple[api.Pack, ...] = (api.builtin_pack(), *(api.load_pack(folder) for folder in folders))
        """Packs that games can be created with, the default first."""
        self._known = {pack.hash: pack for pack in self.offered}
        self._contents: dict[bytes, bytes] = {}

    def by_id(self, pack_id: str) -> api.Pack:
        """A pack that games can be created with; the default for an empty id."""
        for pack in self.offered:
            if pack_id in {"", pack.id}:
                return pack
        raise ApiError("PACK_NOT_FOUND", "no pack with this id is offered", metadata={"pack": pack_id[:64]})

    def content(self, pack: api.Pack) -> bytes:
        """The bytes that the journal keeps of a pack."""
        if pack.hash not in self._contents:
            self._contents[pack.hash] = pack.to_bytes()
        return self._contents[pack.hash]

    async def by_hash(self, pack_hash: bytes) -> api.Pack:
        """A pack by its hash, out of the journal if need be."""
        if pack_hash not in self._known:
            content = await self._store.pack(pack_hash)
            if content is None:
                raise ApiError("PACK_NOT_FOUND", "no pack with this hash is known")
            try:
                self._known[pack_hash] = api.pack_from_bytes(content)
            except api.EngineError as error:
                message = "the pack was written for another version of the engine"
                raise ApiError("PACK_NOT_FOUND", message) from error
        return self._known[pack_hash]
