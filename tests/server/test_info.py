"""GetServerInfo, ListVariants, GetVariant, GetCatalogue."""

from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path

import grpc
from meadow_api.v1 import catalogue_pb2
from meadow_api.v1 import game_service_pb2 as pb
from meadow_engine import api
from meadow_server.limits import Limits

from tests.content.pack_files import every, original, swap, write
from tests.server.harness import AsyncStub, hosted, refused


async def test_server_info_says_what_can_be_played(stub: AsyncStub) -> None:
    """GetServerInfo lists a rules revision for each variant, the packs and every limit with its value."""
    info = await stub.GetServerInfo(pb.GetServerInfoRequest())

    assert info.build
    assert [r.variant for r in info.rules_revisions] == [v.id for v in api.variants()]
    assert info.packs[0].hash == api.builtin_pack().hash
    assert {limit.name: limit.value for limit in info.limits} == asdict(Limits())
    assert all(limit.description for limit in info.limits)


async def test_variants_come_in_pages(stub: AsyncStub) -> None:
    """ListVariants answers every variant once, however small the pages are."""
    whole = await stub.ListVariants(pb.ListVariantsRequest())
    found, token = list[catalogue_pb2.Variant](), ""
    while True:
        page = await stub.ListVariants(pb.ListVariantsRequest(page_size=1, page_token=token))
        found += page.variants
        token = page.next_page_token
        if not token:
            break

    assert found == list(whole.variants)
    assert [variant.variant for variant in found] == [variant.id for variant in api.variants()]


async def test_a_variant_says_everything_a_lobby_needs(stub: AsyncStub) -> None:
    """GetVariant answers seats, options with their limits, bots and the size of the action space."""
    variant = (await stub.GetVariant(pb.GetVariantRequest(variant="spring_meadow"))).variant

    assert (variant.min_seats, variant.max_seats) == (2, 4)
    assert variant.family == catalogue_pb2.GAME_FAMILY_SPRING_MEADOW
    assert {option.name: option.kind for option in variant.options} == {
        "expert": catalogue_pb2.OPTION_KIND_BOOL,
        "faces": catalogue_pb2.OPTION_KIND_STRING_LIST,
        "first_seat": catalogue_pb2.OPTION_KIND_INT,
    }
    assert {bot.bot for bot in variant.bots} == {"random", "greedy"}
    assert all(bot.bot_version > 0 and bot.description for bot in variant.bots)
    assert variant.action_space_size == api.action_space("spring_meadow").size
    assert variant.hidden_zones == ["box"]


async def test_unknown_variant(stub: AsyncStub) -> None:
    """A variant that does not exist is not found, and an empty name is a bad field."""
    with refused("VARIANT_NOT_FOUND") as refusal:
        await stub.GetVariant(pb.GetVariantRequest(variant="chess"))
    assert refusal.code is grpc.StatusCode.NOT_FOUND

    with refused("BAD_FIELD") as refusal:
        await stub.GetVariant(pb.GetVariantRequest())
    assert refusal.field == "variant"


async def test_bad_pages_of_variants(stub: AsyncStub) -> None:
    """A negative page size and an invented page token are refused."""
    with refused("BAD_FIELD") as refusal:
        await stub.ListVariants(pb.ListVariantsRequest(page_size=-1))
    assert (refusal.code, refusal.field) == (grpc.StatusCode.INVALID_ARGUMENT, "page_size")

    for token in ("x", "AAAA", "é", "A" * 200):
        with refused("BAD_PAGE_TOKEN") as refusal:
            await stub.ListVariants(pb.ListVariantsRequest(page_token=token))
        assert refusal.code is grpc.StatusCode.INVALID_ARGUMENT


async def test_the_catalogue_has_every_component(stub: AsyncStub) -> None:
    """GetCatalogue answers all tiles with their forms, rocks, boards with burrows and maps with drawing coordinates."""
    response = await stub.GetCatalogue(pb.GetCatalogueRequest(family=catalogue_pb2.GAME_FAMILY_SPRING_MEADOW))
    spring = response.catalogue.spring_meadow

    assert response.pack_hash == response.catalogue.pack.hash == api.builtin_pack().hash
    assert sum(tile.copies for tile in spring.tiles) == 100
    assert [tile.tile for tile in spring.tiles] == list(range(46))
    assert all(sorted(s for form in tile.forms for s in form.symmetries) == list(range(8)) for tile in spring.tiles)
    assert [rock.id for rock in spring.rocks] == ["1", "2", "3I", "3L", "4"]
    assert len(spring.boards) == 8
    assert all(sum(byte.bit_count() for byte in board.burrow_cells) == 11 for board in spring.boards)
    assert [len(hiking_map.paths) for hiking_map in spring.hiking_maps] == [20, 24]
    assert [path.solo_value for path in spring.hiking_maps[1].paths] == list(range(24, 0, -1))


async def test_a_known_catalogue_is_not_sent_again(stub: AsyncStub) -> None:
    """A caller who has the pack already gets the hash alone; by hash and by id one finds the same pack."""
    pack = api.builtin_pack()
    family = catalogue_pb2.GAME_FAMILY_SPRING_MEADOW

    response = await stub.GetCatalogue(
        pb.GetCatalogueRequest(pack_hash=pack.hash, family=family, known_pack_hash=pack.hash)
    )
    assert response.pack_hash == pack.hash
    assert not response.HasField("catalogue")

    by_id = await stub.GetCatalogue(pb.GetCatalogueRequest(pack=pack.id, family=family))
    by_hash = await stub.GetCatalogue(pb.GetCatalogueRequest(pack_hash=pack.hash, family=family))
    assert by_id == by_hash


async def test_a_pack_of_one_family_needs_no_family(tmp_path: Path) -> None:
    """Downstream's components are Meadow's family: a pack of the two has one catalogue, which goes without saying."""
    files = {name: raw for name, raw in original().items() if not name.startswith("spring_")}
    every(swap("pack.toml", '"spring_meadow", ', ""), swap("pack.toml", '"original"', '"river"'))(files)
    folder = write(tmp_path / "river", files)
    async with hosted(tmp_path) as host:
        host.config = replace(host.config, packs=(folder,))
        await host.restart()
        response = await host.stub.GetCatalogue(pb.GetCatalogueRequest(pack="river"))
        assert list(response.catalogue.pack.families) == [catalogue_pb2.GAME_FAMILY_MEADOW]
        assert {"base", "U", "downstream", "Z"} <= {card.card_set for card in response.catalogue.meadow.cards}
        with refused("BAD_FIELD") as refusal:
            await host.stub.GetCatalogue(pb.GetCatalogueRequest(pack="original"))
        assert refusal.field == "family"


async def test_unknown_packs(stub: AsyncStub) -> None:
    """A pack that is not there is not found, by id or hash; a hash of another length is a bad field."""
    for request in (pb.GetCatalogueRequest(pack="nope"), pb.GetCatalogueRequest(pack_hash=bytes(32))):
        with refused("PACK_NOT_FOUND") as refusal:
            await stub.GetCatalogue(request)
        assert refusal.code is grpc.StatusCode.NOT_FOUND

    with refused("BAD_FIELD") as refusal:
        await stub.GetCatalogue(pb.GetCatalogueRequest(pack_hash=b"short"))
    assert refusal.field == "pack_hash"

    with refused("BAD_FIELD") as refusal:
        await stub.GetCatalogue(pb.GetCatalogueRequest(family=99))  # type: ignore[arg-type]
    assert refusal.field == "family"
