"""Servers that are killed, drained, started twice."""

from __future__ import annotations

import asyncio
import json
import random
import sqlite3
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest
import trustme
from meadow_api.v1 import common_pb2
from meadow_api.v1 import game_service_pb2 as pb
from meadow_server.healthcheck import healthy

from tests.server.harness import new_table
from tests.server.processes import ServerProcess, refused_start, spawn
from tests.server.writers import Writer

WRITERS = 6
CA = trustme.CA()


async def kill_often(journal: Path, kills: int, seed: int) -> tuple[int, int]:
    """Play with several writers while the server is killed again and again; answers actions and games."""
    chance = random.Random(seed)
    writers: list[Writer] = []
    games = actions = 0
    for _ in range(kills):
        server = await spawn(journal)
        channel, stub = server.connect()
        for writer in writers:
            await writer.check(stub)
        actions += sum(len(writer.acknowledged) for writer in writers if writer.over)
        writers = [writer for writer in writers if not writer.over]
        while len(writers) < WRITERS:
            writers.append(Writer(await new_table(stub, seed=chance.randbytes(32)), random.Random(chance.random())))
            games += 1
        playing = [asyncio.create_task(writer.play(stub)) for writer in writers]
        await asyncio.sleep(0.02 + 0.25 * chance.random())
        await server.kill()
        await asyncio.gather(*playing)
        await channel.close()
    server = await spawn(journal)
    channel, stub = server.connect()
    for writer in writers:
        await writer.check(stub)
        actions += len(writer.acknowledged)
    await channel.close()
    assert await server.terminate() == 0
    with closing(sqlite3.connect(journal)) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    return actions, games


async def test_acknowledged_actions_survive_kill_9(tmp_path: Path) -> None:
    """Killed in the middle of concurrent writes, the server has every acknowledged action once, and no other."""
    actions, _ = await kill_often(tmp_path / "journal.db", kills=3, seed=1)
    assert actions


@pytest.mark.long
async def test_acknowledged_actions_survive_a_hundred_kills(tmp_path: Path) -> None:
    """The same, a hundred times."""
    kills, began = 100, time.monotonic()
    actions, games = await kill_often(tmp_path / "journal.db", kills, seed=2)
    took = time.monotonic() - began
    print(f"\n{kills} kills in {took:.0f} s, {games} games, {actions} acknowledged actions: none lost, none twice")


async def test_bots_go_on_after_kill_9(tmp_path: Path) -> None:
    """A game of bots that was cut off by kill -9 is finished by the next server without being asked."""
    bot = pb.SeatSpec(kind=common_pb2.SEAT_KIND_BOT, bot="greedy")
    first = await spawn(tmp_path / "journal.db")
    channel, stub = first.connect()
    table = await new_table(stub, bot, bot, bot)
    await first.kill()
    await channel.close()

    second = await spawn(tmp_path / "journal.db")
    channel, stub = second.connect()
    async for message in stub.WatchGame(pb.WatchGameRequest(name=table.name)):
        last = message
    assert last.terminal.end == pb.WATCH_END_FINISHED
    await channel.close()
    assert await second.terminate() == 0


async def drained_under_load(server: ServerProcess) -> int:
    """Send SIGTERM while writers write; every acknowledged action must be in the journal. Answers the exit code."""
    channel, stub = server.connect()
    writers = [Writer(await new_table(stub), random.Random(number)) for number in range(WRITERS)]
    playing = [asyncio.create_task(writer.play(stub)) for writer in writers]
    watching = stub.WatchGame(pb.WatchGameRequest(name=writers[0].table.name))
    await watching.read()
    await asyncio.sleep(0.2)
    code = await server.terminate()
    await asyncio.gather(*playing)
    last = None
    while isinstance(message := await watching.read(), pb.WatchGameResponse):
        last = message
    assert last is not None
    assert last.HasField("draining")
    await channel.close()

    again = await spawn(journal_of(server))
    channel, stub = again.connect()
    for writer in writers:
        await writer.check(stub)
        assert writer.acknowledged
    await channel.close()
    await again.terminate()
    return code


def journal_of(server: ServerProcess) -> Path:
    """The journal that a server said it serves from."""
    said = next(json.loads(line) for line in server.log if '"serving"' in line)
    return Path(said["journal"])


async def test_sigterm_under_load_loses_nothing(tmp_path: Path) -> None:
    """On SIGTERM the server finishes what is under way, tells its watchers, and ends with code 0."""
    server = await spawn(tmp_path / "journal.db")
    assert await drained_under_load(server) == 0
    assert '"drained"' in server.log[-1]


async def test_a_second_server_on_the_journal_is_refused_by_name(tmp_path: Path) -> None:
    """Two servers never share a journal: the second says which file and which process, and the first goes on."""
    journal = tmp_path / "journal.db"
    first = await spawn(journal)
    code, said = await refused_start("--listen", "127.0.0.1:0", "--journal", str(journal))
    assert code == 1
    assert str(journal) in said
    assert f"process {first.process.pid}" in said
    channel, stub = first.connect()
    await stub.GetServerInfo(pb.GetServerInfoRequest())
    await channel.close()
    assert await first.terminate() == 0


async def test_a_journal_is_one_by_whatever_name(tmp_path: Path) -> None:
    """A link to a journal in use is that journal; one with several names is refused: SQLite would take it for two."""
    journal, symbolic, hard = tmp_path / "journal.db", tmp_path / "symbolic.db", tmp_path / "hard.db"
    first = await spawn(journal)
    symbolic.symlink_to(journal)
    hard.hardlink_to(journal)
    for link, words in ((symbolic, "hard links"), (hard, "hard links")):
        code, said = await refused_start("--listen", "127.0.0.1:0", "--journal", str(link))
        assert (code, words in said) == (1, True), said
    hard.unlink()
    code, said = await refused_start("--listen", "127.0.0.1:0", "--journal", str(symbolic))
    assert (code, f"process {first.process.pid}" in said) == (1, True), said
    assert await first.terminate() == 0


async def test_a_name_is_had_with_all_its_addresses_or_not_at_all(tmp_path: Path) -> None:
    """A name that stands for several addresses is refused when one of them is taken."""
    first = await spawn(tmp_path / "one.db")
    port = first.address.rpartition(":")[2]
    code, said = await refused_start("--listen", f"localhost:{port}", "--journal", str(tmp_path / "two.db"))
    assert (code, f"localhost:{port}" in said) == (1, True), said
    assert await first.terminate() == 0


async def test_a_second_server_on_the_port_is_refused_by_name(tmp_path: Path) -> None:
    """Two servers never share a port: the second says which address it could not have."""
    first = await spawn(tmp_path / "one.db")
    code, said = await refused_start("--listen", first.address, "--journal", str(tmp_path / "two.db"))
    assert code == 1
    assert first.address in said
    assert await first.terminate() == 0


async def test_a_file_that_is_no_journal_is_refused_by_name(tmp_path: Path) -> None:
    """A server does not touch a file that is something else, and says so in a line."""
    text = tmp_path / "text.db"
    text.write_text("no database, and longer than the header of one would be " * 20)
    code, said = await refused_start("--listen", "127.0.0.1:0", "--journal", str(text))
    assert (code, said.count("\n")) == (1, 1)
    assert str(text) in said
    assert text.read_text().startswith("no database")


async def test_configuration_by_environment(tmp_path: Path) -> None:
    """Variables configure the server as flags do, and a wrong one is refused with usage."""
    code, said = await refused_start(MEADOW_LISTEN="nowhere", MEADOW_JOURNAL=str(tmp_path / "journal.db"))
    assert code == 2
    assert "nowhere" in said


async def test_the_log_keeps_secrets(tmp_path: Path) -> None:
    """A whole game leaves no token, seed, join code or request id in the log, which is JSON line by line."""
    server = await spawn(tmp_path / "journal.db", "--log-level", "debug")
    channel, stub = server.connect()
    table = await new_table(stub, pb.SeatSpec(kind=common_pb2.SEAT_KIND_RESERVED), pb.SeatSpec())
    claimed = await stub.ClaimSeat(pb.ClaimSeatRequest(join_code=table.created.join_code))
    table.tokens[1] = claimed.seat_token.token
    await table.play(10)
    await stub.AbortGame(pb.AbortGameRequest(name=table.name), metadata=table.host)
    await channel.close()
    await server.terminate()

    log = "\n".join(server.log)
    assert all(json.loads(line)["event"] for line in server.log)
    secrets = [table.created.host_token, table.created.join_code, *table.tokens.values(), bytes(range(32)).hex()]
    assert not [secret for secret in secrets if secret in log]


async def test_the_health_check_follows_the_server(tmp_path: Path) -> None:
    """The health check program answers 0 while the server serves, and 1 when there is none."""

    async def check(address: str) -> int:
        process = await asyncio.create_subprocess_exec(sys.executable, "-m", "meadow_server.healthcheck", address)
        return await process.wait()

    server = await spawn(tmp_path / "journal.db")
    assert await check(server.address) == 0
    await server.terminate()
    assert await check(server.address) == 1


async def test_the_health_check_asks_over_http_where_it_can(tmp_path: Path) -> None:
    """With a port for health the check asks there: so it works with TLS, whose certificate it does not know."""
    CA.issue_cert("localhost").private_key_and_cert_chain_pem.write_to_path(tmp_path / "both.pem")
    both = str(tmp_path / "both.pem")
    tls = ["--tls-cert", both, "--tls-key", both]
    server = await spawn(tmp_path / "journal.db", *tls, "--metrics-listen", "127.0.0.1:0")
    metrics = json.loads(server.log[-1])["metrics"]
    environment = {"MEADOW_LISTEN": server.address, "MEADOW_METRICS_LISTEN": metrics}
    assert await asyncio.to_thread(healthy, [], environment)
    assert not await asyncio.to_thread(healthy, [], {"MEADOW_LISTEN": server.address})
    await server.terminate()
    assert not await asyncio.to_thread(healthy, [], environment)


async def test_a_signal_right_after_the_start_ends_it_well(tmp_path: Path) -> None:
    """Whoever reads that it serves may end it at once; it drains, and exits with 0."""
    for number in range(3):
        server = await spawn(tmp_path / f"{number}.db")
        assert await server.terminate() == 0
        assert any('"drained"' in line for line in server.log)
