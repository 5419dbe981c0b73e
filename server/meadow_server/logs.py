"""Logging with structlog: JSON lines for machines, colours for terminals; never a seed, a token or hidden information.

Whoever logs names what happened in a few words and adds `game`, `version`, `request_id` and the like as keys. Request
and response messages are never logged whole.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import MutableMapping
from typing import Any

import structlog

SECRET_KEYS = frozenset({"token", "seed", "nonce", "join_code", "host_token", "authorization", "server_key"})
HIDDEN = "(hidden)"


def configure_logs(log_format: str, level: str) -> None:
    """Set logging up for this process; messages go to standard error."""
    terminal = sys.stderr.isatty()
    console = log_format == "console" or (log_format == "auto" and terminal)
    renderer: Any = structlog.dev.ConsoleRenderer(colors=terminal) if console else structlog.processors.JSONRenderer()
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            hide_secrets,
            structlog.processors.format_exc_info,
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(getattr(logging, level.upper())),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=False,
    )


def hide_secrets(_logger: Any, _method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Blank out keys that must never be written: a net under the rule that nobody logs them."""
    for key in SECRET_KEYS & event.keys():
        event[key] = HIDDEN
    return event
