"""Connections to the PostgreSQL journal: how they are made, kept, found broken, and what is said of it."""

from __future__ import annotations

import logging
import select
from typing import Any

import psycopg
import structlog
from psycopg import AsyncConnection
from psycopg_pool import AsyncConnectionPool, PoolClosed, PoolTimeout

from meadow_server.store.address import PostgresUrl
from meadow_server.store.base import StoreUnavailable

log = structlog.get_logger()
CONNECT_SECONDS = 3
"""How long one attempt to connect may take, and how long a call waits for a free connection."""
STATEMENT_SECONDS = 10
"""How long one statement may take before it is given up."""
TROUBLE = (psycopg.OperationalError, psycopg.InterfaceError, psycopg.InternalError, PoolTimeout, PoolClosed)
"""What a database that is away, or going away, makes calls fail with."""

# Its warnings repeat what is logged here, in another form.
logging.getLogger("psycopg").addHandler(logging.NullHandler())
logging.getLogger("psycopg").propagate = False


def new_pool(url: PostgresUrl, *, connections: int, listens: bool) -> AsyncConnectionPool[AsyncConnection]:
    """A pool of connections that is still to be opened; see `open_store`."""

    async def check(idle: AsyncConnection) -> None:
        # an idle connection says nothing, unless to say goodbye; then the others are gone as well
        if _speaks(idle):
            await pool.check()
            await pool.check_connection(idle)

    pool = AsyncConnectionPool(
        url.secret,
        check=check,
        kwargs=settings() | ({} if listens else {"prepare_threshold": None}),
        configure=_limit_statements if listens else None,
        min_size=1,
        max_size=connections,
        timeout=CONNECT_SECONDS,
        # then the next call tries again at once, rather than after a pause that has grown with the outage
        reconnect_timeout=CONNECT_SECONDS,
        open=False,
    )
    return pool


def _speaks(connection: AsyncConnection) -> bool:
    """Whether something has come on a connection that nobody has read."""
    poll = select.poll()
    poll.register(connection.fileno(), select.POLLIN)
    return bool(poll.poll(0))


def settings() -> dict[str, Any]:
    """How to connect: each statement is a transaction, and a dead database is noticed within seconds."""
    return {
        "autocommit": True,
        "client_encoding": "utf8",
        "application_name": "meadow",
        "connect_timeout": CONNECT_SECONDS,
        "keepalives_idle": 10,
        "keepalives_interval": 5,
        "keepalives_count": 3,
        "tcp_user_timeout": STATEMENT_SECONDS * 1000,
    }


async def _limit_statements(connection: AsyncConnection) -> None:
    """Let the database itself give up what takes too long, even when nobody is left to ask it to."""
    await connection.execute(f"SET statement_timeout = '{STATEMENT_SECONDS}s'")
    await connection.execute(f"SET idle_in_transaction_session_timeout = '{STATEMENT_SECONDS}s'")


async def warn_of_losses(connection: AsyncConnection, journal: str) -> None:
    """Say so when the database is set up to forget commits that it has confirmed."""
    for name in ("fsync", "synchronous_commit", "full_page_writes"):
        cursor = await connection.execute(f"SHOW {name}".encode())
        row = await cursor.fetchone()
        if row is not None and row[0] == "off":
            log.warning("the database may lose what it has confirmed", journal=journal, setting=f"{name} = off")


def unavailable(error: BaseException) -> StoreUnavailable:
    """What those who called hear of trouble."""
    return StoreUnavailable(f"the journal cannot be reached: {one_line(error)}")


def one_line(error: BaseException) -> str:
    """What went wrong, on one line."""
    return " ".join(str(error).split()) or type(error).__name__
