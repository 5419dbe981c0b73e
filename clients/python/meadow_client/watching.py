"""Where a watcher stands in a game's records: what resuming, repeats and the end have in common in both clients."""

from __future__ import annotations

from collections.abc import Iterator

from meadow_api.v1 import game_service_pb2

from meadow_client.errors import MeadowError, StreamBroken


class Cursor:
    """Follows one watch over as many streams as it takes.

    Attributes:
        ended: whether the terminal message came: only then is the watch complete.
        pause: seconds that a draining server asks to wait before the next stream; None when it said nothing.
    """

    def __init__(self, request: game_service_pb2.WatchGameRequest) -> None:
        self._request = request
        self.ended = False
        self.pause: float | None = None

    def next_request(self) -> game_service_pb2.WatchGameRequest:
        """The request that goes on where the last stream stopped."""
        self.pause = None
        request = game_service_pb2.WatchGameRequest()
        request.CopyFrom(self._request)
        return request

    def take(self, message: game_service_pb2.WatchGameResponse) -> bool:
        """Note a message, and answer whether the caller should see it.

        A heartbeat and the notice of a draining server concern the connection only. An update that was seen before is
        dropped, so that no server can make a caller count twice.
        """
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

    def pause_before_next(self, delays: Iterator[float], error: MeadowError | None) -> float:
        """Seconds until the next stream: what a draining server asks for, else the next of the policy's delays.

        Raises:
            StreamBroken: there are no delays left; `error` broke the last stream.
        """
        delay = next(delays, None)
        if delay is None:
            raise StreamBroken("the watch could not be resumed") from error
        return delay if self.pause is None else self.pause
