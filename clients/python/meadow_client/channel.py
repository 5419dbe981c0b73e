"""How a channel to a Meadow server is set up, whichever client uses it."""

from __future__ import annotations

from meadow_client.errors import BadArgument

CALL_TIMEOUT = 15.0
"""Seconds that one attempt of a unary call may take."""
_MAX_ANSWER_BYTES = 32 << 20
CHANNEL_OPTIONS: tuple[tuple[str, int], ...] = (
    # A replay's page may be larger than gRPC's default of 4 MiB.
    ("grpc.max_receive_message_length", _MAX_ANSWER_BYTES),
    # Notices a dead connection under a silent watch, or under a wait on a Play stream, which may be silent for hours.
    # The server takes pings that are so far apart.
    ("grpc.keepalive_time_ms", 30_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.http2.max_pings_without_data", 0),
    # A restarted server is back within a second or two; gRPC would wait up to two minutes.
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.min_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 2_000),
    # The retries of this library know request_ids; gRPC's own would multiply them.
    ("grpc.enable_retries", 0),
)


def authorization(token: str) -> tuple[tuple[str, str], ...]:
    """Metadata that carries a token; none for a spectator.

    Raises:
        BadArgument: no token looks like that.
    """
    if not (token.isascii() and token.isprintable()):
        raise BadArgument("token", "a token has printable ASCII characters only")
    return (("authorization", f"Bearer {token}"),) if token else ()
