"""`python -m meadow_server.healthcheck [ADDRESS]`: exit code 0 if the server is serving, for containers.

Without an address it asks where the configuration says: over HTTP at MEADOW_METRICS_LISTEN if there is one, which works
with TLS too, else over gRPC at MEADOW_LISTEN. A server that listens on every interface is asked on this machine.
"""

from __future__ import annotations

import http.client
import os
import sys
from collections.abc import Mapping
from contextlib import closing

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc  # type: ignore[import-untyped]

from meadow_server.config import DEFAULT_LISTEN, ENV_PREFIX, OFF

TIMEOUT_SECONDS = 3.0
_EVERYWHERE = {"0.0.0.0": "127.0.0.1", "[::]": "[::1]"}  # noqa: S104 (compared with, not bound to)


def is_serving(address: str) -> bool:
    """Whether a server says over gRPC that it serves."""
    with grpc.insecure_channel(address) as channel:
        try:
            response = health_pb2_grpc.HealthStub(channel).Check(
                health_pb2.HealthCheckRequest(), timeout=TIMEOUT_SECONDS
            )
        except grpc.RpcError:
            return False
    return bool(response.status == health_pb2.HealthCheckResponse.SERVING)


def is_ready(address: str) -> bool:
    """Whether a server says over HTTP that it serves."""
    with closing(http.client.HTTPConnection(address, timeout=TIMEOUT_SECONDS)) as connection:
        try:
            connection.request("GET", "/readyz")
            return connection.getresponse().status == http.client.OK
        except (OSError, http.client.HTTPException):
            return False


def healthy(argv: list[str], environ: Mapping[str, str]) -> bool:
    """Whether the server at the address given, or the configured one, is of use."""
    metrics = environ.get(ENV_PREFIX + "METRICS_LISTEN", OFF)
    if not argv and metrics not in {"", OFF}:
        return is_ready(_here(metrics))
    return is_serving(_here(argv[0] if argv else environ.get(ENV_PREFIX + "LISTEN", DEFAULT_LISTEN)))


def _here(address: str) -> str:
    host, _, port = address.rpartition(":")
    return f"{_EVERYWHERE.get(host, host)}:{port}"


if __name__ == "__main__":
    sys.exit(0 if healthy(sys.argv[1:], os.environ) else 1)
