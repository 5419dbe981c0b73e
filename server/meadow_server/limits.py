"""Every limit of the server: name, default, meaning. GetServerInfo lists them, each has a flag and a variable."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any


def _limit(default: int, about: str, *, least: int = 0) -> Any:
    return field(default=default, metadata={"about": about, "least": least})


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits in force. All are whole numbers; a limit of 0 allows nothing of the kind."""

    message_bytes: int = _limit(1 << 20, "largest request, in bytes")
    page_size: int = _limit(50, "items on a page when the request names no size")
    max_page_size: int = _limit(1000, "most items on a page")
    legal_page_size: int = _limit(2000, "most legal actions on a page, and the default")
    replay_page_size: int = _limit(2000, "most records on a page of a replay, and the default")
    batch_size: int = _limit(64, "most choices in one submission")
    requests_per_token: int = _limit(5000, "calls a second with one token; twice as many at once", least=1)
    requests_per_address: int = _limit(20000, "calls a second from one address; twice as many at once", least=1)
    streams_per_connection: int = _limit(1000, "calls and streams under way on one connection", least=1)
    watchers_per_game: int = _limit(256, "open streams of spectators on one game")
    watchers_per_token: int = _limit(16, "open streams with one token")
    watchers_per_address: int = _limit(1000, "open streams from one address")
    undos_per_seat: int = _limit(1000, "times that a seat may take choices back in one game")
    seatings_per_game: int = _limit(1000, "claims of seats, and bots put on them, in one game")
    watch_queue: int = _limit(64, "records a watcher may be behind before it gets a snapshot instead")
    games_per_address: int = _limit(1000, "open or running games created from one address")
    heartbeat_seconds: int = _limit(15, "seconds of silence after which a stream gets a heartbeat")
    deadline_seconds: int = _limit(30, "seconds after which the server gives a unary call up")
    wait_for_turn_seconds: int = _limit(25, "longest wait of GetGameView for a turn, in seconds")
    idle_seconds: int = _limit(300, "seconds after which an unused game leaves memory; the journal keeps it")
    drain_seconds: int = _limit(8, "longest time that a shutdown waits for calls in flight, in seconds")
    clock_seconds: int = _limit(14 * 86_400, "longest time of a decision or bank of a game with clocks, in seconds")
    text_length: int = _limit(64, "most characters of a name shown to others")
    explanation_length: int = _limit(200, "most characters of a reason given for aborting")

    def table(self) -> list[tuple[str, int, str]]:
        """Name, value and meaning of each limit."""
        return [(f.name, getattr(self, f.name), f.metadata["about"]) for f in fields(self)]

    @classmethod
    def least(cls, name: str) -> int:
        """The least value that a limit may have."""
        return next(int(f.metadata["least"]) for f in fields(cls) if f.name == name)
