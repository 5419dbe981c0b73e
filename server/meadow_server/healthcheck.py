"""`python -m meadow_server.healthcheck [ADDRESS]`: exit code 0 if the server is serving, for containers.

The address is that of MEADOW_LISTEN when it is not given; a server that listens on every interface is asked on this
machine.
"""

from __future__ import annotations

import os
import sys

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc  # type: ignore[import-untyped]

from meadow_server.config import DEFAULT_LISTEN, ENV_PREFIX

TIMEOUT_SECONDS = 3.0
_EVERYWHERE = {"0.0.0.0": "127.0.0.1", "[::]": "[::1]"}  # noqa: S104 (compared with, not bound to)


def is_serving(address: str) -> bool:
    """Whether a server says that it serves."""
    with grpc.insecure_channel(address) as channel:
        try:
            response = health_pb2_grpc.HealthStub(channel).Check(
                health_pb2.HealthCheckRequest(), timeout=TIMEOUT_SECONDS
            )
        except grpc.RpcError:
            return False
    return bool(response.status == health_pb2.HealthCheckResponse.SERVING)


def main(argv: list[str]) -> int:
    """Check the address given, or the configured one."""
    address = argv[0] if argv else os.environ.get(ENV_PREFIX + "LISTEN", DEFAULT_LISTEN)
    host, _, port = address.rpartition(":")
    return 0 if is_serving(f"{_EVERYWHERE.get(host, host)}:{port}") else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
