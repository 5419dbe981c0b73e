"""The operator's key: who may create games where there is one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import grpc
import pytest
from meadow_api.v1 import common_pb2
from meadow_api.v1 import game_service_pb2 as pb
from meadow_client import AsyncClient
from meadow_client.errors import RoleNotAllowed, TokenMissing, TokenUnknown
from meadow_server.config import Config
from meadow_server.logs import configure_logs
from meadow_server.operators import Operators
from meadow_server.watched import BadFile

from tests.server.every_call import METHODS, one_request
from tests.server.harness import OPEN, RESERVED, bearer, hosted, new_table, refused, request_id
from tests.server.processes import spawn

KEY = "correct-horse-battery"
OTHER_KEY = "another-key-of-the-operator"


@pytest.fixture(name="key_file")
def _key_file(tmp_path: Path) -> Path:
    file = tmp_path / "operator.keys"
    file.write_text(f"{KEY}\n{OTHER_KEY}\n")
    return file


def creation() -> pb.CreateGameRequest:
    """A request for a game of two."""
    return pb.CreateGameRequest(variant="spring_meadow", seats=[RESERVED, RESERVED], request_id=request_id())


async def test_creating_takes_a_key_where_there_is_one(tmp_path: Path, key_file: Path) -> None:
    """Each key creates games; none, a wrong one and a player's token are refused each in their way; playing is free."""
    async with hosted(tmp_path, replace(Config(), operator_key_file=key_file)) as host:
        made = [await host.stub.CreateGame(creation(), metadata=bearer(key)) for key in (KEY, OTHER_KEY)]
        for metadata, reason, code in (
            ((), "TOKEN_MISSING", grpc.StatusCode.UNAUTHENTICATED),
            (bearer(KEY + "x"), "TOKEN_UNKNOWN", grpc.StatusCode.UNAUTHENTICATED),
            (bearer(KEY[:-1]), "TOKEN_UNKNOWN", grpc.StatusCode.UNAUTHENTICATED),
            ((("authorization", KEY),), "TOKEN_UNKNOWN", grpc.StatusCode.UNAUTHENTICATED),
            (bearer(f"{KEY} {OTHER_KEY}"), "TOKEN_UNKNOWN", grpc.StatusCode.UNAUTHENTICATED),
            (bearer(""), "TOKEN_UNKNOWN", grpc.StatusCode.UNAUTHENTICATED),
            (bearer(made[0].host_token), "ROLE_NOT_ALLOWED", grpc.StatusCode.PERMISSION_DENIED),
            (bearer(made[0].seat_tokens[0].token), "ROLE_NOT_ALLOWED", grpc.StatusCode.PERMISSION_DENIED),
        ):
            with refused(reason) as refusal:
                await host.stub.CreateGame(creation(), metadata=metadata)
            assert refusal.code is code
            assert KEY not in str(refusal.status)
        seat = bearer(made[0].seat_tokens[0].token)
        await host.stub.ListLegalActions(pb.ListLegalActionsRequest(name=made[0].game.name), metadata=seat)


async def test_the_operator_manages_every_game(tmp_path: Path, key_file: Path) -> None:
    """A key does what a host may, on private games too, sees no more than a spectator, and plays for nobody."""
    settings = replace(Config(), operator_key_file=key_file, operator_creates=False)
    async with hosted(tmp_path, settings) as host:
        stub, key = host.stub, bearer(KEY)
        table = await new_table(stub, RESERVED, OPEN, visibility=common_pb2.VISIBILITY_PRIVATE)
        found = await stub.GetGame(pb.GetGameRequest(name=table.name), metadata=key)
        assert found.join_code == table.created.join_code
        listed = [
            [game.name for game in (await stub.ListGames(pb.ListGamesRequest(), metadata=token)).games]
            for token in (key, table.host, ())
        ]
        assert listed == [[table.name], [], []]
        with refused("TOKEN_UNKNOWN"):
            await stub.ListGames(pb.ListGamesRequest(), metadata=bearer(KEY + "x"))
        started = await stub.StartGame(pb.StartGameRequest(name=table.name, fill_bot="random"), metadata=key)
        assert started.game.state == common_pb2.GAME_STATE_RUNNING
        view = (await stub.GetGameView(pb.GetGameViewRequest(name=table.name), metadata=key)).view
        assert not view.HasField("viewer_seat")
        for method in ("ListLegalActions", "SubmitAction", "UndoAction", "Play", "ResignSeat"):
            with refused("ROLE_NOT_ALLOWED"):
                await METHODS[method].first(host.channel, one_request(method, table.name), key)
        await stub.ReleaseSeat(pb.ReleaseSeatRequest(name=table.name, seat=0), metadata=key)
        await stub.AbortGame(pb.AbortGameRequest(name=table.name), metadata=key)
        gone = pb.DeleteGameRequest(name=table.name, request_id=request_id())
        first = await stub.DeleteGame(gone, metadata=key)
        assert await stub.DeleteGame(gone, metadata=key) == first
        with refused("GAME_NOT_FOUND"):
            await stub.GetGame(pb.GetGameRequest(name=table.name), metadata=key)


async def test_a_new_host_token_voids_the_old(tmp_path: Path, key_file: Path) -> None:
    """Only the latest host token counts, also after a restart; players go on; asked again, the same token comes."""
    async with hosted(tmp_path, replace(Config(), operator_key_file=key_file, operator_creates=False)) as host:
        table = await new_table(host.stub)
        await table.play(2)
        old, request = table.host, pb.ReplaceHostTokenRequest(name=table.name, request_id=request_id())
        with refused("ROLE_NOT_ALLOWED"):
            await host.stub.ReplaceHostToken(request, metadata=table.seat(0))
        first = await host.stub.ReplaceHostToken(request, metadata=bearer(KEY))
        own = pb.ReplaceHostTokenRequest(name=table.name, request_id=request_id())
        second = await host.stub.ReplaceHostToken(own, metadata=bearer(first.host_token))
        assert second.game.version == first.game.version + 1
        await table.play(1)
        await host.restart()
        table.stub = stub = host.stub
        for void in (old, bearer(first.host_token)):
            for call in (
                stub.GetGame(pb.GetGameRequest(name=table.name), metadata=void),
                stub.AbortGame(pb.AbortGameRequest(name=table.name), metadata=void),
                stub.DeleteGame(pb.DeleteGameRequest(name=table.name), metadata=void),
            ):
                with refused("TOKEN_UNKNOWN") as refusal:
                    await call
                assert refusal.code is grpc.StatusCode.UNAUTHENTICATED
        assert (await stub.ReplaceHostToken(own, metadata=bearer(first.host_token))).host_token == second.host_token
        assert (await stub.ReplaceHostToken(request, metadata=bearer(KEY))).host_token == first.host_token
        records = (await stub.GetReplay(pb.GetReplayRequest(name=table.name))).replay.records
        assert [record.WhichOneof("record") for record in records].count("host_token_replaced") == 2
        await table.play(3)
        await stub.AbortGame(pb.AbortGameRequest(name=table.name), metadata=bearer(second.host_token))
        with refused("GAME_NOT_RUNNING"):
            await stub.ReplaceHostToken(pb.ReplaceHostTokenRequest(name=table.name), metadata=bearer(KEY))


async def test_creating_can_be_left_to_everybody(tmp_path: Path, key_file: Path) -> None:
    """A key does not close the server, if the operator says so."""
    settings = replace(Config(), operator_key_file=key_file, operator_creates=False)
    async with hosted(tmp_path, settings) as host:
        await host.stub.CreateGame(creation())


async def test_the_client_brings_the_key(tmp_path: Path, key_file: Path) -> None:
    """The client sends a key with the call, or with every call, and raises what the service refuses for."""
    async with hosted(tmp_path, replace(Config(), operator_key_file=key_file)) as host:
        async with AsyncClient(host.server.address) as client:
            made = await client.create_game("spring_meadow", ["me", "greedy"], token=KEY)
            for token, error in (("", TokenMissing), ("wrong", TokenUnknown), (made.host_token, RoleNotAllowed)):
                with pytest.raises(error):
                    await client.create_game("spring_meadow", ["me", "greedy"], token=token)
        async with AsyncClient(host.server.address, token=KEY) as client:
            await client.create_game("spring_meadow", ["me", "greedy"])


async def test_keys_are_changed_without_a_restart(tmp_path: Path, key_file: Path) -> None:
    """A new file counts from the next call on; one that is no good changes nothing."""
    async with hosted(tmp_path, replace(Config(), operator_key_file=key_file)) as host:
        _replace(key_file, "short")
        await host.stub.CreateGame(creation(), metadata=bearer(KEY))
        _replace(key_file, "a-new-key-of-the-operator\n")
        await host.stub.CreateGame(creation(), metadata=bearer("a-new-key-of-the-operator"))
        with refused("TOKEN_UNKNOWN"):
            await host.stub.CreateGame(creation(), metadata=bearer(KEY))


def _replace(file: Path, text: str) -> None:
    file.write_text(text)


async def test_the_key_reaches_no_log(tmp_path: Path, key_file: Path) -> None:
    """Neither a key nor a wrong one is ever written down."""
    server = await spawn(tmp_path / "journal.db", "--operator-key-file", str(key_file), "--log-level", "debug")
    channel, stub = server.connect()
    await stub.CreateGame(creation(), metadata=bearer(KEY))
    with refused("TOKEN_UNKNOWN"):
        await stub.CreateGame(creation(), metadata=bearer("a-wrong-key-of-somebody"))
    await channel.close()
    await server.terminate()
    log = "\n".join(server.log)
    assert "created" in log
    assert not [key for key in (KEY, OTHER_KEY, "a-wrong-key-of-somebody") if key in log]


@pytest.mark.parametrize("content", [b"", b"\n \n", b"short", b"long" * 200, b"not ascii \xc3\xa4\xc3\xb6 at all"])
def test_a_poor_file_of_keys_is_refused_by_name(tmp_path: Path, content: bytes) -> None:
    """A file without a key, or with one that could be guessed, is named, and what is in it is not told."""
    file = tmp_path / "operator.keys"
    file.write_bytes(content)
    with pytest.raises(BadFile, match=file.name) as refusal:
        Operators(file)
    assert not content.strip() or content.decode() not in str(refusal.value)


def test_every_key_is_compared_in_constant_time(key_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whichever key is brought, it is compared with all of them, by a comparison that does not stop early."""
    compared: list[tuple[Any, Any]] = []

    def compare(one: bytes, other: bytes) -> bool:
        compared.append((len(one), len(other)))
        return one == other

    operators = Operators(key_file)
    monkeypatch.setattr("meadow_server.operators.hmac.compare_digest", compare)
    answers = [operators.has(key) for key in (KEY, OTHER_KEY, "wrong", "")]
    assert answers == [True, True, False, False]
    assert compared == [(32, 32)] * 8


def test_without_a_file_nobody_is_the_operator() -> None:
    """No key is right where there is none."""
    configure_logs("json", "error")
    assert not Operators(None).has("")
    assert not Operators(None).known
