"""What a journal stores and promises, whatever keeps it.

Appending records with the expected version is the one write of a game, and the uniqueness of (game, version) is its one
lock. A refused write changes nothing and hurts no other.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

AT_ONCE = 0
"""The time at which work is due that waits for nothing."""
LEASE_SECONDS = 10
"""How long a server may be silent before another takes on the work that it has the lease of."""


class StoreUnavailable(Exception):
    """The journal cannot be read or written now. A write may or may not have happened."""


class VersionTaken(Exception):
    """The game is not at the expected version, or is gone."""


class RequestTaken(Exception):
    """The request id was used before.

    Attributes:
        request: what it did.
    """

    def __init__(self, request: StoredRequest) -> None:
        super().__init__("request id used before")
        self.request = request


class JournalInUse(Exception):
    """Another server has the journal open; the message names both."""


class JournalFormat(Exception):
    """What is there is no journal, or one of a newer format; the message says which."""


class Rules(NamedTuple):
    """What a game is played by: its variant, and the revision of that variant's rules."""

    variant: str
    revision: int


class StoredRequest(NamedTuple):
    """A mutation that succeeded.

    Attributes:
        request_id: 16 bytes.
        fingerprint: hash of call, caller and body: the same id with another fingerprint is refused.
        game_id: the game that it changed, 16 bytes.
        base_version: the game's version before it.
        version: the game's version after it.
    """

    request_id: bytes
    fingerprint: bytes
    game_id: bytes
    base_version: int
    version: int


class StoredRecord(NamedTuple):
    """A record as the journal keeps it.

    Attributes:
        payload: canonical bytes of the engine's record.
        time: when it was written, microseconds since 1970.
        lobby: whether it is about seats and the game's life; those alone say what a lobby shows.
    """

    payload: bytes
    time: int
    lobby: bool = False


class Summary(NamedTuple):
    """What of a game changes and can be searched for.

    Attributes:
        state: name of the game's state.
        due: from when on the server itself has something to do for the game, such as a bot's move, in microseconds
            since 1970; None for never.
    """

    state: str
    due: int | None


@dataclass(frozen=True, slots=True)
class NewGame:
    """A game to create.

    Attributes:
        game_id: 16 random bytes.
        header: everything that never changes, as bytes that only the server reads.
        variant, rules_revision, public, join_hash, creator: for searching; see the columns of the same names.
        time: microseconds since 1970.
        records: those written at once, such as the start.
        pack: hash and bytes of the content pack.
    """

    game_id: bytes
    header: bytes
    variant: str
    rules_revision: int
    public: bool
    join_hash: bytes
    creator: bytes
    time: int
    summary: Summary
    records: Sequence[StoredRecord]
    pack: tuple[bytes, bytes]


class Append(NamedTuple):
    """Records to add to a game.

    Attributes:
        game_id: 16 bytes.
        base_version: the version the game must have.
        records: one or more.
        summary: what the game is afterwards.
        request: the request that asked for it, None for the server's own.
    """

    game_id: bytes
    base_version: int
    records: Sequence[StoredRecord]
    summary: Summary
    request: StoredRequest | None


class Age(NamedTuple):
    """How old a game is.

    Attributes:
        state: name of the game's state.
        updated: when the last record was written, or the game created; microseconds since 1970.
    """

    game_id: bytes
    version: int
    state: str
    updated: int


@dataclass(frozen=True, slots=True)
class StoredGame:
    """A game with its records and requests.

    Attributes:
        header: as in `NewGame`.
        state: name of the game's state.
        version: number of all its records.
        records: those asked for, in order.
        requests: every request that made one of them.
    """

    game_id: bytes
    header: bytes
    state: str
    version: int
    records: Sequence[StoredRecord]
    requests: Sequence[StoredRequest]


@dataclass(frozen=True, slots=True)
class ListedGame:
    """What a lobby shows of a game.

    Attributes:
        header, state: as in `StoredGame`.
        version: number of records.
        created: microseconds since 1970.
        updated: when the last record was written, or the game created.
        lobby: its records about seats and life, in order.
    """

    game_id: bytes
    header: bytes
    state: str
    version: int
    created: int
    updated: int
    lobby: Sequence[StoredRecord]


class Pause(NamedTuple):
    """A time while no server was up, in microseconds since 1970."""

    start: int
    end: int


PATIENCE = 10_000_000
"""Microseconds of silence after which all servers of a shared journal are taken to have been away."""


MOST_PAUSES = 10_000
"""How many are kept, so that a server that is started over and over does not fill the journal."""


class Pulse(NamedTuple):
    """When servers were up, as a journal keeps it.

    Attributes:
        last: when one last said so, microseconds since 1970.
        pauses: the times while none was, in order.
    """

    last: int
    pauses: tuple[Pause, ...] = ()

    def beat(self, now: int, patience: int) -> Pulse:
        """The pulse after a server has said that it is up; silence for longer than `patience` was a pause."""
        if now - self.last <= patience:
            return self._replace(last=max(now, self.last))
        *before, latest = (*self.pauses, Pause(self.last, now))
        if before and before[-1].end == latest.start:
            # a server that came and was gone before its second beat
            latest = Pause(before.pop().start, now)
        return Pulse(now, (*before, latest)[-MOST_PAUSES:])

    def to_bytes(self) -> bytes:
        """The form in the journal."""
        return json.dumps(self).encode()

    @classmethod
    def from_bytes(cls, data: bytes) -> Pulse:
        """What `to_bytes` wrote."""
        last, pauses = json.loads(data)
        return cls(last, tuple(Pause(*pause) for pause in pauses))


class Write(asyncio.Future[Any]):
    """A write under way. It goes on whatever becomes of who waits for it, so it cannot be cancelled.

    A task that is cancelled while it waits for one is told so at its end.
    """

    def cancel(self, msg: Any | None = None) -> bool:
        """Refused."""
        return False


class Store(Protocol):
    """A journal. Every method may raise StoreUnavailable.

    Attributes:
        shared: whether other servers write to it at the same time.
    """

    shared: bool

    async def server_key(self) -> bytes:
        """The secret that tokens are made with; made and kept on first use."""

    async def create(self, game: NewGame, request: StoredRequest | None, creator_limit: int) -> bool:
        """Create a game; False if its creator has as many open or running games as the limit allows.

        Raises:
            RequestTaken: the request id was used before.
        """

    def append(self, append: Append) -> Write:
        """Add records to a game, durably.

        Raises:
            VersionTaken: the game is at another version.
            RequestTaken: the request id was used before.
        """

    async def delete(self, game_id: bytes, version: int, request: StoredRequest | None) -> None:
        """Delete a game for good; its requests stay known.

        Raises:
            VersionTaken: the game is at another version.
            RequestTaken: the request id was used before.
        """

    async def forget(self, game_id: bytes, version: int) -> None:
        """Delete a game for good, and what requests have done to it.

        Raises:
            VersionTaken: the game is at another version.
        """

    async def ages(self, after: bytes, limit: int) -> list[Age]:
        """Games in the order of their ids, from the one that follows an id."""

    async def load(self, game_id: bytes, after_version: int = 0) -> StoredGame | None:
        """A game with its records after a version; None if there is none."""

    async def versions(self, game_ids: Collection[bytes]) -> dict[bytes, int]:
        """The versions that games have now; those that are gone are left out."""

    async def find_request(self, request_id: bytes) -> StoredRequest | None:
        """What a request id did; None if it is new."""

    async def find_join(self, join_hash: bytes) -> bytes | None:
        """The game that a join code opens."""

    async def list_games(
        self, state: str | None, variant: str | None, before: tuple[int, bytes] | None, limit: int, *, private: bool
    ) -> list[ListedGame]:
        """Public games, or private ones too, newest first, after a cursor of time and id."""

    async def claim_due(self, now: int, limit: int, playable: Collection[Rules]) -> list[bytes]:
        """Games whose work is due and this server's to do, the longest due first.

        That are those whose lease this server has, and up to `limit` that no server has the lease of. A lease lasts
        `LEASE_SECONDS`; asking takes it and renews it, and so does a creation or an append whose work is due at once.

        Args:
            now: microseconds since 1970.
            limit: how many games to take at most.
            playable: the rules that this server plays by; other games are left to other servers.
        """

    async def correct_due(self, game_id: bytes, version: int, due: int | None) -> None:
        """Say when the work of a game at a version is due, if it is still at that version."""

    async def rules_in_use(self) -> dict[Rules, int]:
        """How many games there are of each variant and revision."""

    async def count(self, states: Sequence[str]) -> dict[str, int]:
        """How many games are in each of some states; a state without any may be left out."""

    async def beat(self, now: int, *, starting: bool) -> Sequence[Pause]:
        """Say that a server is up, and answer all times while none was.

        Args:
            now: microseconds since 1970.
            starting: whether this server says so for the first time. Where no other can have had the journal meanwhile,
                all the time since the last beat was a pause; else only a silence that is longer than `PATIENCE`.
        """

    async def pack(self, pack_hash: bytes) -> bytes | None:
        """The bytes of a content pack that some game was created with."""

    async def tell(self, news: Mapping[bytes, int]) -> None:
        """Tell the other servers which versions games have reached. The news may be lost on the way."""

    def news(self) -> AsyncGenerator[Mapping[bytes, int], None]:
        """What servers tell, this one included, from now on; empty news as soon as it listens.

        It ends at once where servers tell nothing, and raises StoreUnavailable when news may have been lost.
        """

    async def close(self) -> None:
        """Finish what was asked for, give up all leases and let go of the journal."""
