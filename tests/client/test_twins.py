from __future__ import annotations

import inspect

import pytest
from meadow_api.v1 import game_service_pb2
from meadow_client import AsyncClient, AsyncSeat, Client, Seat


def _public(kind: type) -> dict[str, list[str]]:
    return {
        name: [
            f"{given.name}: {given.kind} = {given.default}" for given in inspect.signature(member).parameters.values()
        ]
        for name, member in inspect.getmembers(kind, callable)
        if not name.startswith("_")
    }


@pytest.mark.parametrize(("sync", "asynchronous"), [(Client, AsyncClient), (Seat, AsyncSeat)])
def test_the_asyncio_twin_has_the_same_methods(sync: type, asynchronous: type) -> None:
    """Both stacks have the same methods with the same arguments and defaults."""
    assert _public(sync) == _public(asynchronous)


def test_each_rpc_has_its_method() -> None:
    """Each RPC of the service is a method of the client, under its name in snake case."""
    rpcs = game_service_pb2.DESCRIPTOR.services_by_name["GameService"].methods_by_name
    names = {"".join("_" + char.lower() if char.isupper() else char for char in rpc).lstrip("_") for rpc in rpcs}
    assert names <= set(_public(Client))
    assert set(_public(Client)) - names == {"close"}


@pytest.mark.parametrize("kind", [Client, AsyncClient, Seat, AsyncSeat])
def test_each_method_says_what_it_does(kind: type) -> None:
    """Each public method has a docstring."""
    for name in _public(kind):
        assert getattr(kind, name).__doc__, name
