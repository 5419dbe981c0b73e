"""Where a watcher stands in a game's records: what resuming, repeats and the end have in common in both clients."""

from __future__ import annotations

import time
from collections.abc import Iterator

from meadow_api.v1 import game_service_pb2

from meadow_client.errors import StreamBroken
from meadow_client.retry import RetryPolicy


class Cursor:
    """Follows one watch over as many streams as it takes.

    Attributes:
        ended: whether the terminal message came: only then is the watch complete.
        pause: seconds that a draining server asks to wait before the next stream; None when it said nothing.
        heard: whether anything has come on the current stream, be it a heartbeat.
    """

    def __init__(self, request: game_service_pb2.WatchGameRequest, give_up_after: float | None = None) -> None:
        self._request = request
        self._deadline = None if give_up_after is None else time.monotonic() + give_up_after
        self.ended = False
        self.pause: float | None = None
        self.heard = False

    @property
    def seconds_left(self) -> float | None:
        """Until the caller gives up; None if never."""
        return None if self._deadline is None else max(self._deadline - time.monotonic(), 0.0)

    def next_request(self) -> game_service_pb2.WatchGameRequest:
        """The request that goes on where the last stream stopped."""
        self.pause, self.heard = None, False
        request = game_service_pb2.WatchGameRequest()
        request.CopyFrom(self._request)
        return request

    def take(self, message: game_service_pb2.WatchGameResponse) -> bool:
        """Note a message, and answer whether the caller should see it.

        A heartbeat and the notice of a draining server concern the connection only. An update that was seen before is
        dropped, so that no server can make a caller count twice.
        """
        self.heard = True
        kind = message.WhichOneof("message")
        if kind == "snapshot":
            self._request.after_version = message.snapshot.game.version
        elif kind == "update":
            version = message.update.record.version
            if self._request.HasField("after_version") and version <= self._request.after_version:
                return False
            self._request.after_version = version
        elif kind == "terminal":
            self.ended = True
        elif kind == "draining":
            delay = message.draining.retry_delay
            self.pause = delay.seconds + delay.nanos / 1e9
            return False
        return kind not in (None, "heartbeat")

    def pause_before_next(self, policy: RetryPolicy, delays: Iterator[float]) -> tuple[float, Iterator[float]]:
        """Seconds until the next stream, and the delays that are left: all of them if the last stream brought anything.

        Raises:
            StreamBroken: there are none left.
        """
        if self.heard:
            delays = policy.delays()
        delay = next(delays, None)
        if delay is None:
            raise StreamBroken("the watch could not be resumed", reason="STREAM_BROKEN")
        return delay if self.pause is None else self.pause, delays
