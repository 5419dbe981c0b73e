"""Who may call how often: the gate that every call comes through, before anything of it is read."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from google.protobuf.duration_pb2 import Duration
from google.rpc import error_details_pb2  # type: ignore[import-untyped]

from meadow_server.addresses import Addresses, Metadata
from meadow_server.errors import ApiError, over_limit
from meadow_server.limits import Limits

BURST_SECONDS = 2.0
"""Whoever has been silent for so long may make up for it at once."""
MOST_KEYS = 100_000
_SCHEME = "bearer "
MOST_AUTHORIZATION = 1_000
"""Characters of the longest authorization that is looked at."""
NANOSECONDS = 1_000_000_000


class Rates:
    """How often each of many callers calls.

    For each there is one number: when all that it has called for is paid for, at the rate allowed. It may lie in the
    future by `BURST_SECONDS` at most. So nothing has to be refilled, and a caller whose time is past is one of whom
    nothing is known.
    """

    def __init__(self, per_second: int) -> None:
        self._gap = 1 / per_second
        self._paid: dict[str, float] = {}

    def delay(self, key: str, now: float) -> float:
        """Count a call; or, if that would be one too many, answer the seconds after which it would not be."""
        paid = max(self._paid.get(key, now), now) + self._gap
        if paid - now > BURST_SECONDS:
            return paid - now - BURST_SECONDS
        if len(self._paid) > MOST_KEYS:
            self._forget(now)
        self._paid[key] = paid
        return 0.0

    def pace(self, key: str, now: float) -> float:
        """Count a call that cannot be refused, and answer the seconds that it has to wait."""
        self._paid[key] = paid = max(self._paid.get(key, now), now) + self._gap
        return max(0.0, paid - now - BURST_SECONDS)

    def _forget(self, now: float) -> None:
        """Forget callers whose time is past; all of them if that is not enough."""
        self._paid = {key: paid for key, paid in self._paid.items() if paid > now}
        if len(self._paid) > MOST_KEYS // 2:
            self._paid.clear()


class Origin(NamedTuple):
    """Where a call comes from.

    Attributes:
        address: network address; see `Addresses`.
        authorization: the token or key that it carries; None without any, empty for what cannot be one. It has one
            spelling, so that nobody is counted as several.
    """

    address: str
    authorization: str | None


class Gate:
    """Counts calls and streams by token and by address."""

    def __init__(self, addresses: Addresses, limits: Limits) -> None:
        self._addresses = addresses
        self._limits = limits
        self._by_token = Rates(limits.requests_per_token)
        self._by_address = Rates(limits.requests_per_address)
        self._streams: Counter[tuple[str, str]] = Counter()

    def origin(self, peer: str, metadata: Metadata) -> Origin:
        """Where a call comes from."""
        for key, value in metadata:
            if key == "authorization":
                return Origin(self._addresses.of(peer, metadata), _bearer(value))
        return Origin(self._addresses.of(peer, metadata), None)

    def admit(self, origin: Origin) -> None:
        """Let a call in.

        Raises:
            ApiError: too many came from there.
        """
        now = time.monotonic()
        delay = self._by_address.delay(origin.address, now)
        if delay:
            raise _too_often("requests_per_address", self._limits.requests_per_address, "from this address", delay)
        if origin.authorization and (delay := self._by_token.delay(origin.authorization, now)):
            raise _too_often("requests_per_token", self._limits.requests_per_token, "with this token", delay)

    def pace(self, origin: Origin) -> float:
        """Count a request of an open stream, and answer the seconds that it has to wait."""
        now = time.monotonic()
        wait = self._by_address.pace(origin.address, now)
        return max(wait, self._by_token.pace(origin.authorization, now)) if origin.authorization else wait

    @contextmanager
    def stream(self, origin: Origin) -> Iterator[None]:
        """Hold a place for an open stream.

        Raises:
            ApiError: too many are open.
        """
        places = [("watchers_per_address", origin.address)]
        if origin.authorization:
            places.append(("watchers_per_token", origin.authorization))
        for place in places:
            most = getattr(self._limits, place[0])
            if self._streams[place] >= most:
                whose = place[0].removeprefix("watchers_per_")
                raise over_limit(place[0], most, f"as many streams as the server allows are open for this {whose}")
        self._streams.update(places)
        try:
            yield
        finally:
            for place in places:
                self._streams[place] -= 1
                if not self._streams[place]:
                    del self._streams[place]


def _bearer(authorization: str | bytes) -> str:
    """What follows the word Bearer in an authorization; empty if it is none, or too long to be anybody's."""
    if not isinstance(authorization, str) or len(authorization) > MOST_AUTHORIZATION:
        return ""
    return authorization[len(_SCHEME) :].strip() if authorization[: len(_SCHEME)].lower() == _SCHEME else ""


def _too_often(limit: str, value: int, whence: str, delay: float) -> ApiError:
    message = f"more than {value} calls a second came {whence}; repeat the call in {delay:.3f} seconds"
    seconds, rest = divmod(int(delay * NANOSECONDS) + 1, NANOSECONDS)
    retry = error_details_pb2.RetryInfo(retry_delay=Duration(seconds=seconds, nanos=rest))
    error = over_limit(limit, value, message, "RATE_LIMITED")
    error.details = (*error.details, retry)
    return error
