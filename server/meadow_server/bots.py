"""Seats played by the server: bots think in processes of their own and act like any player, by records.

A bot's randomness comes from the game's own bot seed, the seat and the version, so its choices are the same whenever
and wherever it thinks: a restarted server goes on as if nothing had happened.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import pickle
import sys
from asyncio.subprocess import PIPE, Process
from typing import NamedTuple

import structlog
from meadow_engine import api

from meadow_server.bot_worker import LENGTH_BYTES, Question, frame
from meadow_server.changes import Changes
from meadow_server.live import LiveGame

log = structlog.get_logger()
RETRY_SECONDS = 1.0
SEED_BYTES = 32


class Thinkers:
    """Processes that answer questions, started when first needed.

    Attributes:
        asked: questions that are being thought about, or wait for a process.
    """

    def __init__(self, processes: int) -> None:
        self.asked = 0
        self._idle: asyncio.Queue[Thinker] = asyncio.Queue()
        self._all = [Thinker() for _ in range(processes)]
        for thinker in self._all:
            self._idle.put_nowait(thinker)

    async def ask(self, question: Question, pack: api.Pack) -> int:
        """A bot's choice.

        Raises:
            BrokenThinker: the process ended; ask again.
        """
        self.asked += 1
        try:
            thinker = await self._idle.get()
            try:
                return await thinker.ask(question, pack)
            finally:
                self._idle.put_nowait(thinker)
        finally:
            self.asked -= 1

    async def close(self) -> None:
        """End the processes."""
        for thinker in self._all:
            await thinker.close()


class BrokenThinker(Exception):
    """A thinking process ended in the middle of a question."""


class Thinker:
    """One process."""

    def __init__(self) -> None:
        self._process: Process | None = None
        self._pack_hash = b""

    async def ask(self, question: Question, pack: api.Pack) -> int:
        """Send a question and wait for the answer; see `Thinkers.ask`."""
        process = await self._running()
        if process.stdin is None or process.stdout is None:
            raise BrokenThinker
        try:
            process.stdin.write(frame(self._with_pack(question, pack)))
            await process.stdin.drain()
            head = await process.stdout.readexactly(LENGTH_BYTES)
            body = await process.stdout.readexactly(int.from_bytes(head, "big"))
        except (asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError) as error:
            # whoever is interrupted leaves an answer in the pipe that belongs to nobody
            await self.close()
            if isinstance(error, asyncio.CancelledError):
                raise
            raise BrokenThinker from error
        choice: int = pickle.loads(body)  # nosec B301 # noqa: S301 (from our own child)
        return choice

    async def close(self) -> None:
        """End the process."""
        process, self._process = self._process, None
        if process is not None and process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()

    async def _running(self) -> Process:
        if self._process is None or self._process.returncode is not None:
            self._pack_hash = api.builtin_pack().hash
            self._process = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "meadow_server.bot_worker", stdin=PIPE, stdout=PIPE
            )
        return self._process

    def _with_pack(self, question: Question, pack: api.Pack) -> Question:
        if pack.hash == self._pack_hash:
            return question
        self._pack_hash = pack.hash
        content = b"" if pack.hash == api.builtin_pack().hash else pack.to_bytes()
        return Question(question.bot, question.family, content, question.view, question.legal_ids, question.seed)


class Bots:
    """Plays the seats that are the server's."""

    def __init__(self, changes: Changes, thinkers: Thinkers) -> None:
        self._changes = changes
        self._thinkers = thinkers
        self._tasks: dict[bytes, asyncio.Task[None]] = {}
        self._closed = False

    def wake(self, live: LiveGame) -> None:
        """Let a bot think, if the game waits for one, that is this server's to do, and none does yet."""
        if self._closed or live.game_id in self._tasks or _waiting(live) is None:
            return
        task = asyncio.create_task(self._play(live))
        self._tasks[live.game_id] = task
        live.busy += 1

        def done(_: asyncio.Task[None]) -> None:
            live.busy -= 1
            self._tasks.pop(live.game_id, None)
            self.wake(live)

        task.add_done_callback(done)

    async def close(self) -> None:
        """Stop thinking; what has not been played is played by the next server."""
        self._closed = True
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._thinkers.close()

    async def _play(self, live: LiveGame) -> None:
        """Play until somebody else has to choose."""
        while (turn := _waiting(live)) is not None and not live.deleted:
            try:
                await self._choose(live, turn)
            except Exception as error:  # noqa: BLE001 (whatever it is, the game must not stand still for good)
                log.warning("bot waits", game=live.name, version=turn.version, error=repr(error))
                await asyncio.sleep(RETRY_SECONDS)

    async def _choose(self, live: LiveGame, turn: BotTurn) -> None:
        bot, seat, version, game = turn
        seed = decision_seed(live.header.bot_seed, seat, version)
        question = Question(bot, live.family, None, game.view(seat), game.legal_ids(), seed)
        choice = await self._thinkers.ask(question, game.config.pack)
        await self._changes.act(live, version, [api.ActionTaken(seat, choice)])


class BotTurn(NamedTuple):
    """A decision that a bot has to make."""

    bot: str
    seat: int
    version: int
    game: api.Game


def decision_seed(bot_seed: bytes, seat: int, version: int) -> bytes:
    """The seed of one decision of one bot."""
    data = seat.to_bytes(4, "big") + version.to_bytes(8, "big")
    return hashlib.blake2b(data, key=bot_seed, digest_size=SEED_BYTES).digest()


def _waiting(live: LiveGame) -> BotTurn | None:
    """The decision of a bot that the game waits for, if it does and the decision is this server's to make."""
    moment = live.moment()
    seat, game = moment.pending_seat, moment.game
    if not live.leased or seat is None or game is None or not moment.seats[seat].bot:
        return None
    return BotTurn(moment.seats[seat].bot, seat, moment.version, game)
