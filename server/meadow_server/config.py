"""Configuration: every option is a flag and an environment variable, both listed by --help."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path

from meadow_server.limits import Limits
from meadow_server.store.address import JournalAddress, read_address

ENV_PREFIX = "MEADOW_"
DEFAULT_LISTEN = "127.0.0.1:50051"
DEFAULT_JOURNAL = "var/meadow.db"
LOG_FORMATS = ("auto", "json", "console")
LOG_LEVELS = ("debug", "info", "warning", "error")
MAX_PORT = 65535


@dataclass(frozen=True, slots=True)
class Config:
    """What a server is started with.

    Attributes:
        listen: HOST:PORT to serve on; port 0 takes any free one.
        journal: file of the SQLite journal, created when missing, with its folder; or the URL of a PostgreSQL database.
        journal_connections: most connections to the database, beside one that listens.
        journal_listen: whether servers wake each other through the database; not possible through a transaction pooler.
        journal_poll_ms: after how many milliseconds changes of other servers are found that nobody told of.
        packs: folders of content packs to offer beside the built-in one.
        log_format: `json`, `console`, or `auto`: console on a terminal, else JSON.
        log_level: least severe messages to write.
        reflection: whether clients may ask for the schema.
        bot_processes: worker processes that bots think in.
        limits: see `Limits`.
    """

    listen: str = DEFAULT_LISTEN
    journal: JournalAddress = Path(DEFAULT_JOURNAL)
    journal_connections: int = 8
    journal_listen: bool = True
    journal_poll_ms: int = 1000
    packs: tuple[Path, ...] = ()
    log_format: str = "auto"
    log_level: str = "info"
    reflection: bool = True
    bot_processes: int = 1
    limits: Limits = field(default_factory=Limits)


def parse_config(argv: Sequence[str] | None = None, environ: Mapping[str, str] | None = None) -> Config:
    """Read flags, then variables, then defaults. Prints help or a usage error and exits, as argparse does."""
    environ = os.environ if environ is None else environ
    parser = _parser(environ)
    given = parser.parse_args(sys.argv[1:] if argv is None else argv)
    return Config(
        listen=given.listen,
        journal=given.journal,
        journal_connections=given.journal_connections,
        journal_listen=given.journal_listen,
        journal_poll_ms=given.journal_poll_ms,
        packs=tuple(given.packs),
        log_format=given.log_format,
        log_level=given.log_level,
        reflection=given.reflection,
        bot_processes=given.bot_processes,
        limits=Limits(**{limit.name: getattr(given, limit.name) for limit in fields(Limits)}),
    )


def _parser(environ: Mapping[str, str]) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="meadow serve",
        description="Serves games of the Meadow family over gRPC.",
        epilog="Every option is also an environment variable, named beside it; a flag goes before its variable.",
    )

    def option(name: str, about: str, default: str, **more: object) -> None:
        variable = ENV_PREFIX + name.upper()
        flag = "--" + name.replace("_", "-")
        text = f"{about} [{variable}] (default: {default})"
        parser.add_argument(flag, help=text, default=environ.get(variable, default), **more)  # type: ignore[arg-type]

    option("listen", "address to serve on, HOST:PORT; port 0 takes a free one", DEFAULT_LISTEN, type=_address)
    about = "file of the SQLite journal, or URL of a PostgreSQL database (postgresql://...; better in the variable)"
    option("journal", about, DEFAULT_JOURNAL, type=_journal, metavar="FILE|URL")
    option("journal_connections", "most connections to the database", "8", type=_positive, metavar="N")
    about = "whether servers on one database wake each other by LISTEN; a transaction pooler makes that impossible"
    _switch(parser, environ, "journal_listen", about)
    about = "after how many milliseconds changes by other servers are found that LISTEN did not tell of"
    option("journal_poll_ms", about, "1000", type=_positive, metavar="N")
    _packs_option(parser, environ)
    option("log_format", "form of the log: auto is console on a terminal, else json", "auto", choices=LOG_FORMATS)
    option("log_level", "least severe messages to write", "info", choices=LOG_LEVELS)
    _switch(parser, environ, "reflection", "whether clients may ask the server for its schema")
    option("bot_processes", "processes that bots think in", "1", type=_positive, metavar="N")
    limits = parser.add_argument_group("limits")
    for name, default, about in Limits().table():
        variable = ENV_PREFIX + name.upper()
        limits.add_argument(
            "--" + name.replace("_", "-"),
            type=_not_negative,
            metavar="N",
            default=environ.get(variable, str(default)),
            help=f"{about} [{variable}] (default: {default})",
        )
    return parser


def _packs_option(parser: argparse.ArgumentParser, environ: Mapping[str, str]) -> None:
    from_environment = [Path(part) for part in environ.get(ENV_PREFIX + "PACKS", "").split(os.pathsep) if part]
    parser.add_argument(
        "--packs",
        action="append",
        type=Path,
        metavar="FOLDER",
        default=from_environment,
        help=f"folder of a content pack to offer too; may be repeated [{ENV_PREFIX}PACKS, separated by {os.pathsep!r}]",
    )


def _switch(parser: argparse.ArgumentParser, environ: Mapping[str, str], name: str, about: str) -> None:
    variable = ENV_PREFIX + name.upper()
    default = environ.get(variable, "1").lower() not in {"0", "false", "no", "off"}
    text = f"{about} [{variable}] (default: yes)"
    flag = "--" + name.replace("_", "-")
    parser.add_argument(flag, action=argparse.BooleanOptionalAction, default=default, help=text)


def _address(text: str) -> str:
    host, colon, port = text.rpartition(":")
    if not (host and colon and port.isascii() and port.isdigit() and int(port) <= MAX_PORT):
        raise argparse.ArgumentTypeError(f"{text!r} is not HOST:PORT")
    return text


def _journal(text: str) -> JournalAddress:
    try:
        return read_address(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _not_negative(text: str) -> int:
    if not (text.isascii() and text.isdigit()):
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 0")
    return int(text)


def _positive(text: str) -> int:
    number = _not_negative(text)
    if number == 0:
        raise argparse.ArgumentTypeError("at least 1")
    return number
