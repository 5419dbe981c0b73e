"""How a game changes: one at a time, journal first, and never half.

Under the game's lock a change is prepared on a copy, appended to the journal, made true in memory and announced. Once
the journal is asked, nothing stops it: a caller who goes away loses only the answer. Checks come in the published
order: token, request id, version, turn, legality.
"""

from __future__ import annotations

import asyncio
import hashlib
import re
import time
from collections.abc import Callable, Coroutine, Sequence
from functools import lru_cache
from typing import Any, NamedTuple, TypeVar

import structlog
from meadow_engine import api

from meadow_server.auth import Caller, Role, identify
from meadow_server.errors import ApiError, bad_field, stale_version
from meadow_server.games import Games
from meadow_server.live import LiveGame, Moment, now
from meadow_server.store.base import (
    Append,
    RequestTaken,
    Store,
    StoredRecord,
    StoredRequest,
    StoreUnavailable,
    Summary,
    VersionTaken,
    Write,
)
from meadow_server.tokens import Token

log = structlog.get_logger()
T = TypeVar("T")
UUID4 = re.compile(r"[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-4[0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}")
FINGERPRINT_BYTES = 16
KEPT_CALLERS = 1024


class Effect(NamedTuple):
    """What a change did.

    Attributes:
        before, after: the game around it.
    """

    before: Moment
    after: Moment


Plan = Callable[[Moment, Caller], Sequence[api.Record]]
"""Says which records a call adds to the game as it is, or refuses."""
Answer = Callable[[Effect, Caller], T]
"""Makes the response out of what a change did, now or when it is asked for again."""


class Request(NamedTuple):
    """What every mutation carries.

    Attributes:
        method: name of the call.
        message: its request message.
        token: the caller's genuine token.
        request_id: 16 bytes; None if the call cannot be repeated.
        expected_version: None for whatever it is.
        roles: who may make the call.
        as_caller: who calls, where the token does not say it.
    """

    method: str
    message: Any
    token: Token | None
    request_id: bytes | None
    expected_version: int | None
    roles: tuple[Role, ...]
    as_caller: Caller | None

    def fingerprint(self, caller: Caller) -> bytes:
        """Hash of call, caller and body."""
        body = self.message.SerializeToString(deterministic=True)
        head = _fingerprint_head(self.method, caller.role, caller.seat, caller.generation)
        return hashlib.blake2b(head + body, digest_size=FINGERPRINT_BYTES).digest()


@lru_cache(maxsize=KEPT_CALLERS)
def _fingerprint_head(method: str, role: Role, seat: int | None, generation: int) -> bytes:
    return f"{method}\n{role.value} {seat} {generation}\n".encode()


def read_request(
    method: str,
    message: Any,
    token: Token | None,
    *,
    roles: tuple[Role, ...] = tuple(Role),
    as_caller: Caller | None = None,
    version_required: bool = False,
) -> Request:
    """What a mutation's message says about request id and version.

    Raises:
        ApiError: a malformed request id, a negative or missing version.
    """
    expected = message.expected_version if message.HasField("expected_version") else None
    if expected is None and version_required:
        raise bad_field("expected_version", "is required")
    if expected is not None and expected < 0:
        raise bad_field("expected_version", "must not be negative")
    return Request(method, message, token, read_request_id(message.request_id), expected, roles, as_caller)


def read_request_id(text: str) -> bytes | None:
    """The 16 bytes of a request id; None for an empty one.

    Raises:
        ApiError: it is no UUID of version 4.
    """
    if not text:
        return None
    if UUID4.fullmatch(text) is None:
        raise bad_field("request_id", "must be a UUID of version 4 as text of 36 characters")
    return bytes.fromhex(text.replace("-", ""))


def request_reused() -> ApiError:
    """The same request id came with another call, body or caller."""
    return ApiError("REQUEST_ID_REUSED", "this request_id was used before, for another call, body or caller")


def _nobody(_: LiveGame) -> None:
    """Nobody listens."""


class Changes:
    """Carries changes out.

    Args:
        store: the journal.
        games: those in memory.
        appended: told how many seconds the journal took for each change.

    Attributes:
        on_change: called after every change, with the game.
    """

    def __init__(self, store: Store, games: Games, appended: Callable[[float], None]) -> None:
        self._store = store
        self._games = games
        self._appended = appended
        self._under_way: set[asyncio.Future[Any]] = set()
        self.on_change: Callable[[LiveGame], None] = _nobody

    async def shielded(self, work: Coroutine[Any, Any, T]) -> T:
        """Run work to its end, whatever becomes of the caller."""
        task = asyncio.create_task(work)
        self._under_way.add(task)
        task.add_done_callback(self._finished)
        return await asyncio.shield(task)

    def deleted(self, live: LiveGame) -> None:
        """Let everybody know that a game is gone from the journal. Needs the game's lock."""
        live.deleted = True
        self._games.drop(live)
        live.announce()
        self.on_change(live)

    async def settle(self) -> None:
        """Wait for the changes under way."""
        while self._under_way:
            await asyncio.wait(self._under_way)

    async def apply(self, live: LiveGame, request: Request, plan: Plan, answer: Answer[T]) -> T:
        """Change a game on somebody's request, once, and answer; a repeated request gets the first answer.

        Raises:
            ApiError, EngineError: the change is refused; nothing has happened.
        """
        async with live.lock:
            await self._games.catch_up(live)
            return await self._apply(live, request, plan, answer)

    async def act(self, live: LiveGame, version: int, records: Sequence[api.Record]) -> bool:
        """Change a game on the server's own account, a bot's; False if it is no longer at the version."""
        async with live.lock:
            await self._games.catch_up(live)
            if live.version != version or live.deleted:
                return False
            try:
                await self._write(live, live.playable().prepare(records), None)
            except VersionTaken:
                await self._games.catch_up(live)
                return False
            return True

    async def _apply(self, live: LiveGame, request: Request, plan: Plan, answer: Answer[T]) -> T:
        """Attempt a change, and again if another server went ahead: a refusal counts once memory is up to date."""
        while True:
            try:
                return await self._attempt(live, request, plan, answer)
            except VersionTaken:
                if not await self._games.refresh(live):
                    raise StoreUnavailable("the journal takes no change of this game") from None
            except (ApiError, api.EngineError):
                if not await self._games.refresh(live):
                    raise

    async def _attempt(self, live: LiveGame, request: Request, plan: Plan, answer: Answer[T]) -> T:
        caller = (request.as_caller or identify(live, request.token)).need_role(*request.roles)
        fingerprint = request.fingerprint(caller)
        if request.request_id is not None and (first := live.requests.get(request.request_id)) is not None:
            if first.fingerprint != fingerprint:
                raise request_reused()
            effect = Effect(await live.moment_at(first.base_version), await live.moment_at(first.version))
            return answer(effect, caller)
        caller.current()
        if request.expected_version is not None and request.expected_version != live.version:
            raise stale_version(request.expected_version, live.version)
        before = live.moment()
        change = live.playable().prepare(plan(before, caller))
        stored = None
        if request.request_id is not None:
            after = live.version + len(change.applied)
            stored = StoredRequest(request.request_id, fingerprint, live.game_id, live.version, after)
        await self._write(live, change, stored)
        return answer(Effect(before, live.moment()), caller)

    async def _write(self, live: LiveGame, change: api.Change, request: StoredRequest | None) -> None:
        # a clock that is set back, or another server's that is behind, makes no record older than the one before it
        when = max(now(), live.updated)
        records = [stored_record(applied.record, when) for applied in change.applied]
        summary = Summary(change.status.value, live.due_after(change, when))
        began = time.perf_counter()
        try:
            write = self._store.append(Append(live.game_id, live.version, records, summary, request))
            cancelled = await self._ended(write)
            write.result()
        except RequestTaken:
            raise request_reused() from None
        except VersionTaken:
            live.behind = True
            raise
        except StoreUnavailable as error:
            live.behind = True
            log.critical("the journal cannot be written", game=live.name, version=live.version, error=str(error))
            raise
        self._appended(time.perf_counter() - began)
        if request is not None:
            live.requests[request.request_id] = request
        live.leased = summary.due is not None and summary.due <= when
        live.commit(change, when)
        self.on_change(live)
        if cancelled is not None:
            raise cancelled

    async def _ended(self, write: Write) -> asyncio.CancelledError | None:
        """Wait for the end of a write, whatever its outcome; the cancellation that came meanwhile, if one did."""
        cancelled = None
        self._under_way.add(write)
        try:
            await write
        except asyncio.CancelledError as late:
            cancelled = late
        except Exception:  # noqa: BLE001, S110 (the write keeps it)
            pass
        self._under_way.discard(write)
        return cancelled

    def _finished(self, task: asyncio.Task[Any]) -> None:
        self._under_way.discard(task)
        if not task.cancelled():
            # asked for, so that a refusal whose caller went away is not reported as lost
            task.exception()


def stored_record(record: api.Record, when: int) -> StoredRecord:
    """A record as the journal keeps it."""
    lobby = not isinstance(record, api.ActionTaken | api.ActionsUndone)
    return StoredRecord(api.encode_record(record), when, lobby)
