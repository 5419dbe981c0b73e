"""When a call is tried again.

Every mutation carries a `request_id`, so repeating it is safe: the service answers what it answered first. Reads are
safe anyway. So everything that may have lost an answer is retried, with the same request, until the policy's patience
ends.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from uuid import uuid4

from meadow_client.errors import (
    ConnectionLost,
    DeadlineExceeded,
    MeadowError,
    RateLimited,
    ServerDeadline,
    StreamBroken,
    Unavailable,
    retry_delay,
)

RETRIED: tuple[type[MeadowError], ...] = (
    ConnectionLost,
    DeadlineExceeded,
    StreamBroken,
    Unavailable,
    ServerDeadline,
    RateLimited,
)
"""Errors after which the same call may succeed."""


def new_request_id() -> str:
    """A request_id that no other call has: a UUID, version 4."""
    return str(uuid4())


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """How long a client bears with a server that does not answer.

    Attributes:
        attempts: how often a call is sent at most; 1 never retries.
        first_delay: seconds before the second attempt; each further delay is twice as long.
        longest_delay: most seconds between two attempts.
    """

    attempts: int = 6
    first_delay: float = 0.1
    longest_delay: float = 3.0

    def delays(self) -> Iterator[float]:
        """Seconds to wait before each further attempt, each drawn from its upper half so that clients spread."""
        delay = self.first_delay
        for _ in range(self.attempts - 1):
            yield min(delay, self.longest_delay) * random.uniform(0.5, 1.0)  # noqa: S311 (spreads load, hides nothing)
            delay *= 2

    def pause(self, error: MeadowError, delay: float) -> float:
        """Seconds to wait after an error: what the service asks for, if it asks, else the policy's delay."""
        asked = retry_delay(error)
        return delay if asked is None else asked
