"""Seats played by the server, and the packs they are played with."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest
from meadow_api.v1 import catalogue_pb2
from meadow_api.v1 import game_service_pb2 as pb
from meadow_engine import api
from meadow_server.bot_worker import Question, answer
from meadow_server.bots import BrokenThinker, Thinkers, decision_seed
from meadow_server.errors import ApiError
from meadow_server.main import start
from meadow_server.store.base import NewGame, StoredRequest, StoreUnavailable

from tests.content.pack_files import original, write
from tests.server.harness import GREEDY_BOT, RANDOM_BOT, Host, hosted, new_table, refused


def question(bot: str, seed: bytes = bytes(32)) -> Question:
    """A bot's first decision in a fixed game."""
    game = api.new_game("spring_meadow", seats=2, seed=1)
    assert game.decision is not None
    return Question(bot, "spring_meadow", None, game.view(game.decision.seat), game.legal_ids(), seed)


@pytest.mark.parametrize("bot", ["random", "greedy"])
async def test_a_process_answers_what_the_bot_answers(bot: str) -> None:
    """Asked in another process a bot chooses what it chooses in this one, again and again."""
    thinkers = Thinkers(1)
    seeds = [decision_seed(bytes(32), 0, version) for version in range(5)]
    here = [answer(question(bot, seed), api.builtin_pack()) for seed in seeds]
    assert [await thinkers.ask(question(bot, seed), api.builtin_pack()) for seed in seeds] == here
    await thinkers.close()


async def test_a_process_that_ends_is_replaced() -> None:
    """A question that breaks the process is told so, and the next is answered by a new one."""
    thinkers = Thinkers(1)
    with pytest.raises(BrokenThinker):
        await thinkers.ask(replace(question("random"), bot="nobody"), api.builtin_pack())
    assert await thinkers.ask(question("greedy"), api.builtin_pack()) in question("greedy").legal_ids
    await thinkers.close()


def test_every_decision_has_a_seed_of_its_own() -> None:
    """Seed, seat and version each give other randomness, and the same three the same."""
    seeds = {
        decision_seed(bytes([b]) * 32, seat, version) for b in (0, 1) for seat in range(4) for version in range(50)
    }
    assert len(seeds) == 400
    assert decision_seed(bytes(32), 1, 2) == decision_seed(bytes(32), 1, 2)


async def test_a_game_outlives_its_bots_process(host: Host) -> None:
    """When the process that bots think in is killed the game goes on in another."""
    table = await new_table(host.stub, GREEDY_BOT, RANDOM_BOT, GREEDY_BOT)
    killed = False
    async for message in host.stub.WatchGame(pb.WatchGameRequest(name=table.name, after_version=0)):
        process = host.server._bots._thinkers._all[0]._process
        if not killed and process is not None and message.update.record.version > 5:
            process.kill()
            killed = True
        last = message
    assert killed
    assert last.terminal.end == pb.WATCH_END_FINISHED


def renamed_pack(folder: Path) -> Path:
    """A pack of one's own: the built-in one with another id and another name for a tile."""
    files = original()
    files["pack.toml"] = files["pack.toml"].replace(b'id = "original"', b'id = "mine"')
    return write(folder, files)


async def test_a_private_pack_is_played_and_kept(tmp_path: Path) -> None:
    """A game of a pack from a folder is played by bots, and goes on when the folder is no longer offered."""
    folder = renamed_pack(tmp_path / "mine")
    async with hosted(tmp_path) as host:
        host.config = replace(host.config, packs=(folder,))
        await host.restart()
        info = await host.stub.GetServerInfo(pb.GetServerInfoRequest())
        assert [pack.pack for pack in info.packs] == ["original", "mine"]
        table = await new_table(host.stub, GREEDY_BOT, pb.SeatSpec(), pack="mine")
        assert table.created.game.pack_hash == info.packs[1].hash != info.packs[0].hash

        host.config = replace(host.config, packs=())
        await host.restart()
        table.stub = host.stub
        catalogue = await host.stub.GetCatalogue(
            pb.GetCatalogueRequest(
                pack_hash=table.created.game.pack_hash, family=catalogue_pb2.GAME_FAMILY_SPRING_MEADOW
            )
        )
        assert catalogue.catalogue.pack.pack == "mine"
        request = pb.SetSeatBotRequest(name=table.name, seat=1, bot="greedy")
        await host.stub.SetSeatBot(request, metadata=table.host)
        async for message in host.stub.WatchGame(pb.WatchGameRequest(name=table.name)):
            last = message
        assert last.terminal.end == pb.WATCH_END_FINISHED
        with refused("PACK_NOT_FOUND"):
            await new_table(host.stub, pack="mine")


async def test_a_faulty_pack_is_refused_with_its_fault(tmp_path: Path) -> None:
    """The server does not start with a folder that is no pack; the error names file and fault."""
    async with hosted(tmp_path) as host:
        (tmp_path / "empty").mkdir()
        config = replace(host.config, packs=(tmp_path / "empty",), journal=tmp_path / "other.db")
        with pytest.raises(api.ContentError, match=r"pack\.toml"):
            await start(config)


async def test_a_game_found_in_the_journal_while_it_is_created_is_one_game(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A sweep that finds it before its creation is answered gets the very game that everybody sees, and it goes on."""
    app, found = host.server.app, []
    create = app.store.create

    async def created_and_found(row: NewGame, request: StoredRequest | None, limit: int) -> bool:
        done = await create(row, request, limit)
        found.append(asyncio.create_task(app.games.get(row.game_id)))
        await asyncio.sleep(0.1)
        return done

    monkeypatch.setattr(app.store, "create", created_and_found)
    table = await new_table(host.stub, RANDOM_BOT, RANDOM_BOT)
    (live,) = [await task for task in found]

    assert app.games.held(live.game_id) is live
    async for message in host.stub.WatchGame(pb.WatchGameRequest(name=table.name, after_version=0)):
        ended = message.HasField("terminal")
    assert ended


async def test_a_game_that_could_not_be_created_was_never_there(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever waited for it hears that there is no such game."""
    app, asked = host.server.app, []

    async def refused_create(row: NewGame, request: StoredRequest | None, limit: int) -> bool:
        asked.append(asyncio.create_task(app.games.get(row.game_id)))
        await asyncio.sleep(0)
        raise StoreUnavailable

    monkeypatch.setattr(app.store, "create", refused_create)
    with refused("STORAGE_UNAVAILABLE"):
        await new_table(host.stub, RANDOM_BOT, RANDOM_BOT)
    with pytest.raises(ApiError) as unknown:
        await asked[0]
    assert unknown.value.reason == "GAME_NOT_FOUND"
    assert len(app.games) == 0
