"""Typed clients of the Meadow service, sync and asyncio, and the command line.

    from meadow_client import play

    def choose(turn):
        return turn.actions[0]

    print(play("127.0.0.1:50051", choose).outcome)

`Client` and `AsyncClient` have one method for each RPC. `Seat` and `AsyncSeat` bind a client to one seat of one game,
and play a bot. `meadow_client.errors` has one exception for each reason that the service can refuse a call for.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from meadow_api.v1.catalogue_pb2 import GAME_FAMILY_MEADOW as MEADOW
    from meadow_api.v1.catalogue_pb2 import GAME_FAMILY_SPRING_MEADOW as SPRING_MEADOW

    from meadow_client import errors
    from meadow_client.aio import AsyncClient
    from meadow_client.aio_playing import AsyncPlayStream
    from meadow_client.aio_seat import AsyncSeat
    from meadow_client.client import Client
    from meadow_client.credentials import tls_credentials
    from meadow_client.messages import bot_seat, members, open_seat, packed, reserved
    from meadow_client.playing import PlayStream
    from meadow_client.replay_file import BadReplayFile, replay_from_bytes, replay_to_bytes
    from meadow_client.requests import FULL, IDS, MASK, clocks, on_resignation
    from meadow_client.retry import RetryPolicy
    from meadow_client.seat import PATIENT, Seat, play
    from meadow_client.turn import Turn

_HOMES = {
    "AsyncClient": "aio",
    "AsyncPlayStream": "aio_playing",
    "AsyncSeat": "aio_seat",
    "BadReplayFile": "replay_file",
    "Client": "client",
    "FULL": "requests",
    "IDS": "requests",
    "MASK": "requests",
    "PATIENT": "seat",
    "PlayStream": "playing",
    "RetryPolicy": "retry",
    "Seat": "seat",
    "Turn": "turn",
    "bot_seat": "messages",
    "clocks": "requests",
    "members": "messages",
    "on_resignation": "requests",
    "open_seat": "messages",
    "packed": "messages",
    "play": "seat",
    "replay_from_bytes": "replay_file",
    "replay_to_bytes": "replay_file",
    "reserved": "messages",
    "tls_credentials": "credentials",
}


_FAMILIES = ("MEADOW", "SPRING_MEADOW")


def __getattr__(name: str) -> object:
    """Load a name from its module when it is first used, so that the command line starts without gRPC."""
    if name == "errors":
        return import_module("meadow_client.errors")
    if name in _FAMILIES:
        return import_module("meadow_api.v1.catalogue_pb2").GameFamily.Value(f"GAME_FAMILY_{name}")
    if name not in _HOMES:
        raise AttributeError(f"module 'meadow_client' has no attribute {name!r}")
    return getattr(import_module(f"meadow_client.{_HOMES[name]}"), name)


__all__ = [
    "FULL",
    "IDS",
    "MASK",
    "MEADOW",
    "PATIENT",
    "SPRING_MEADOW",
    "AsyncClient",
    "AsyncPlayStream",
    "AsyncSeat",
    "BadReplayFile",
    "Client",
    "PlayStream",
    "RetryPolicy",
    "Seat",
    "Turn",
    "bot_seat",
    "clocks",
    "errors",
    "members",
    "on_resignation",
    "open_seat",
    "packed",
    "play",
    "replay_from_bytes",
    "replay_to_bytes",
    "reserved",
    "tls_credentials",
]
