"""The port: gRPC's server with the service, health and reflection on it."""

from __future__ import annotations

import socket

import grpc
from grpc_health.v1 import health_pb2_grpc  # type: ignore[import-untyped]
from grpc_health.v1._async import HealthServicer  # type: ignore[import-untyped]

from meadow_server import tls
from meadow_server.app import App
from meadow_server.config import Config, TlsFiles
from meadow_server.rpc import Transport
from meadow_server.safe_service import SafeService
from meadow_server.service import SERVICE, handlers

HARD_LIMIT_FACTOR = 4
"""Requests this many times larger than the limit are refused by gRPC itself; smaller ones are refused by name."""


class AddressInUse(Exception):
    """The address to serve on cannot be had; the message names it."""

    def __init__(self, address: str) -> None:
        super().__init__(f"the address {address} cannot be had: another server has it, or it is not of this machine")


def grpc_server(app: App, transport: Transport) -> tuple[grpc.aio.Server, HealthServicer]:
    """A server with everything that it answers, on no port yet."""
    server = grpc.aio.server(
        options=[
            # else a second server on the port would silently take part of the calls; workers are meant to do so
            ("grpc.so_reuseport", int(app.config.workers > 1)),
            ("grpc.max_receive_message_length", HARD_LIMIT_FACTOR * app.limits.message_bytes),
            ("grpc.max_concurrent_streams", app.limits.streams_per_connection),
            # clients may ping an idle connection every 30 seconds, of which the network may take some away
            ("grpc.http2.min_ping_interval_without_data_ms", 20_000),
            ("grpc.keepalive_permit_without_calls", 1),
        ]
    )
    server.add_generic_rpc_handlers((handlers(app, transport),))
    others, health = SafeService(transport), HealthServicer()
    health_pb2_grpc.add_HealthServicer_to_server(health, others)
    if app.config.reflection:
        _add_reflection(others)
    others.add_to(server)
    return server, health


def _add_reflection(others: SafeService) -> None:
    from grpc_reflection.v1alpha import (  # type: ignore[import-untyped]  # noqa: PLC0415 (only when it is on)
        _async,
        reflection_pb2_grpc,
    )

    names = (SERVICE, "grpc.health.v1.Health", "grpc.reflection.v1alpha.ServerReflection")
    servicer = _async.ReflectionServicer(names)
    reflection_pb2_grpc.add_ServerReflectionServicer_to_server(servicer, others)


def bind(server: grpc.aio.Server, config: Config) -> str:
    """Take the configured address; answers it with the true port. One that workers share is taken already.

    A name may stand for several addresses, of which gRPC is content with any one: here all of them must be free, or
    clients of the same name would meet different servers.

    Raises:
        AddressInUse: one of them is not free.
        BadFile: the certificates are none.
    """
    listen = config.listen
    host, port = split_address(listen)
    for address in addresses(host):
        if config.workers == 1:
            _probe(address, port, listen)
        try:
            port = _add(server, f"{address}:{port}", config.tls)
        except RuntimeError:
            raise AddressInUse(listen) from None
    return f"{host}:{port}"


def split_address(listen: str) -> tuple[str, int]:
    """Host and port of HOST:PORT."""
    host, _, port = listen.rpartition(":")
    return host, int(port)


def _add(server: grpc.aio.Server, address: str, files: TlsFiles | None) -> int:
    # credentials of its own for each address: they tell gRPC of a change once
    return (
        server.add_insecure_port(address) if files is None else server.add_secure_port(address, tls.credentials(files))
    )


def _probe(address: str, port: int, listen: str) -> None:
    """Try an address before gRPC does, which would complain in the log in words of its own.

    Raises:
        AddressInUse: it is not free.
    """
    host = address.strip("[]")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError:
            raise AddressInUse(listen) from None


def addresses(host: str) -> list[str]:
    """The addresses that a host name stands for; an address stands for itself."""
    if not any(character.isalpha() for character in host) or ":" in host:
        return [host]
    try:
        found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except OSError:
        return [host]
    names = (str(info[4][0]) for info in found)
    return list(dict.fromkeys(f"[{name}]" if ":" in name else name for name in names))
