"""What the server is and what there is to play: GetServerInfo, ListVariants, GetVariant, GetCatalogue."""

from __future__ import annotations

from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version

from meadow_api.v1 import catalogue_pb2
from meadow_api.v1 import game_service_pb2 as pb
from meadow_engine import api

from meadow_server.app import App
from meadow_server.errors import ApiError, bad_field
from meadow_server.live import now
from meadow_server.paging import page_size, page_token, read_page_token
from meadow_server.rpc import Call
from meadow_server.wire.catalogue import catalogue_to_message, pack_to_message, variant_to_message
from meadow_server.wire.common import timestamp
from meadow_server.wire.families import FAMILIES, variant, variants

HASH_BYTES = 32
_NUMBERS = {wire.number: name for name, wire in FAMILIES.items()}


def build() -> str:
    """Version of this build."""
    try:
        return version("meadow-engine")
    except PackageNotFoundError:
        return "unknown"


class Info:
    """Handlers that need no game and no token."""

    def __init__(self, app: App) -> None:
        self._app = app

    async def GetServerInfo(self, call: Call, request: pb.GetServerInfoRequest) -> pb.GetServerInfoResponse:
        """See the service."""
        return pb.GetServerInfoResponse(
            build=build(),
            rules_revisions=[
                pb.RulesRevision(variant=known.id, rules_revision=known.rules_revision) for known in variants()
            ],
            packs=[pack_to_message(pack) for pack in self._app.shelf.offered],
            limits=[
                pb.Limit(name=name, value=value, description=about) for name, value, about in self._app.limits.table()
            ],
            server_time=timestamp(now()),
        )

    async def ListVariants(self, call: Call, request: pb.ListVariantsRequest) -> pb.ListVariantsResponse:
        """See the service."""
        limits = self._app.limits
        size = page_size(request.page_size, limits.page_size, limits.max_page_size)
        cursor = read_page_token(self._app.mint, b"variants", request.page_token)
        start = int.from_bytes(cursor or b"", "big")
        known = variants()
        response = pb.ListVariantsResponse(variants=[variant_to_message(v) for v in known[start : start + size]])
        if start + size < len(known):
            response.next_page_token = page_token(self._app.mint, b"variants", (start + size).to_bytes(4, "big"))
        return response

    async def GetVariant(self, call: Call, request: pb.GetVariantRequest) -> pb.GetVariantResponse:
        """See the service."""
        if not request.variant:
            raise bad_field("variant", "is required")
        return pb.GetVariantResponse(variant=variant_to_message(variant(request.variant)))

    async def GetCatalogue(self, call: Call, request: pb.GetCatalogueRequest) -> pb.GetCatalogueResponse:
        """See the service."""
        for field in ("pack_hash", "known_pack_hash"):
            if len(getattr(request, field)) not in {0, HASH_BYTES}:
                raise bad_field(field, f"a hash has {HASH_BYTES} bytes")
        if request.pack_hash:
            pack = await self._app.shelf.by_hash(request.pack_hash)
        else:
            pack = self._app.shelf.by_id(request.pack)
        family = _family(request.family, pack)
        if request.known_pack_hash == pack.hash:
            return pb.GetCatalogueResponse(pack_hash=pack.hash)
        return pb.GetCatalogueResponse(pack_hash=pack.hash, catalogue=_catalogue(pack, family))


def _family(number: int, pack: api.Pack) -> str:
    """Name of the family asked for; of the only one there is, if none was."""
    name = _NUMBERS.get(number)  # type: ignore[call-overload]
    families = [game for game in pack.games if game in FAMILIES]  # an expansion is not one
    if number == catalogue_pb2.GAME_FAMILY_UNSPECIFIED and len(families) == 1:
        name = families[0]
    if name is None:
        raise bad_field("family", "must be one of the families of the pack")
    if name not in pack.games:
        raise ApiError("PACK_NOT_FOUND", "the pack has no components for this family")
    return str(name)


@lru_cache(maxsize=16)
def _catalogue(pack: api.Pack, family: str) -> catalogue_pb2.Catalogue:
    return catalogue_to_message(pack, family)
