"""Configuration: every option is a flag and an environment variable, both listed by --help."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import partial
from pathlib import Path
from typing import Any

from meadow_server.addresses import FORWARDED_HEADERS, X_FORWARDED_FOR, Network, read_network
from meadow_server.limits import Limits
from meadow_server.store.address import JournalAddress, read_address

ENV_PREFIX = "MEADOW_"
DEFAULT_LISTEN = "127.0.0.1:50051"
DEFAULT_JOURNAL = "var/meadow.db"
LOG_FORMATS = ("auto", "json", "console")
LOG_LEVELS = ("debug", "info", "warning", "error")
MAX_PORT = 65535
OFF = "off"
NEVER = "never"


@dataclass(frozen=True, slots=True)
class TlsFiles:
    """Where certificates lie, all as PEM.

    Attributes:
        certificate: the server's, with its chain.
        key: its private key, not encrypted.
        client_ca: who signs the certificates that clients must show; None asks for none.
    """

    certificate: Path
    key: Path
    client_ca: Path | None = None

    def all(self) -> list[Path]:
        """The files that there are."""
        return [self.certificate, self.key, *([self.client_ca] if self.client_ca else [])]


@dataclass(frozen=True, slots=True)
class Config:
    """What a server is started with.

    Attributes:
        listen: HOST:PORT to serve on; port 0 takes any free one.
        metrics_listen: HOST:PORT for metrics and health over plain HTTP; empty for none.
        journal: file of the SQLite journal, created when missing, with its folder; or the URL of a PostgreSQL database.
        journal_connections: most connections to the database, beside one that listens.
        journal_listen: whether servers wake each other through the database; not possible through a transaction pooler.
        journal_poll_ms: after how many milliseconds changes of other servers are found that nobody told of.
        packs: folders of content packs to offer beside the built-in one.
        log_format: `json`, `console`, or `auto`: console on a terminal, else JSON.
        log_level: least severe messages to write.
        reflection: whether clients may ask for the schema.
        workers: server processes that share the address and the journal, which has to be a database for more than one.
        bot_processes: processes that the bots of each of them think in.
        tls: certificates; None serves plain text.
        trusted_proxies: networks of proxies that are believed where a call comes from.
        forwarded_header: the header that they say it in.
        operator_key_file: keys of whoever runs the server, one a line; None for none.
        operator_creates: whether creating a game takes such a key, if there is one.
        abandoned_days: days after which an open or running game that nobody has touched is aborted; None for never.
        ended_days: days after which a game that has ended is deleted; None for never.
        limits: see `Limits`.
    """

    listen: str = DEFAULT_LISTEN
    metrics_listen: str = ""
    journal: JournalAddress = Path(DEFAULT_JOURNAL)
    journal_connections: int = 8
    journal_listen: bool = True
    journal_poll_ms: int = 1000
    packs: tuple[Path, ...] = ()
    log_format: str = "auto"
    log_level: str = "info"
    reflection: bool = True
    workers: int = 1
    bot_processes: int = 1
    tls: TlsFiles | None = None
    trusted_proxies: tuple[Network, ...] = ()
    forwarded_header: str = X_FORWARDED_FOR
    operator_key_file: Path | None = None
    operator_creates: bool = True
    abandoned_days: int | None = None
    ended_days: int | None = None
    limits: Limits = field(default_factory=Limits)


def parse_config(argv: Sequence[str] | None = None, environ: Mapping[str, str] | None = None) -> Config:
    """Read flags, then variables, then defaults. Prints help or a usage error and exits, as argparse does."""
    parser = make_parser(os.environ if environ is None else environ)
    given = parser.parse_args(sys.argv[1:] if argv is None else argv)
    if given.workers > 1 and isinstance(given.journal, Path):
        parser.error("several workers take a PostgreSQL journal (--journal postgresql://...): a file is for one server")
    return Config(
        listen=given.listen,
        metrics_listen=given.metrics_listen,
        journal=given.journal,
        journal_connections=given.journal_connections,
        journal_listen=given.journal_listen,
        journal_poll_ms=given.journal_poll_ms,
        packs=tuple(given.packs),
        log_format=given.log_format,
        log_level=given.log_level,
        reflection=given.reflection,
        workers=given.workers,
        bot_processes=given.bot_processes,
        tls=_tls(parser, given),
        trusted_proxies=given.trusted_proxies,
        forwarded_header=given.forwarded_header,
        operator_key_file=given.operator_key_file,
        operator_creates=given.operator_creates,
        abandoned_days=given.abandoned_days,
        ended_days=given.ended_days,
        limits=Limits(**{limit.name: getattr(given, limit.name) for limit in fields(Limits)}),
    )


def make_parser(environ: Mapping[str, str]) -> argparse.ArgumentParser:
    """The parser of all options; what it does not find among the flags it takes from the environment."""
    parser = argparse.ArgumentParser(
        prog="meadow serve",
        description="Serves games of the Meadow family over gRPC.",
        epilog="Every option is also an environment variable, named beside it; a flag goes before its variable.",
    )
    options = _Options(parser, environ)
    about = "address to serve on; port 0 takes a free one"
    options.add("listen", about, DEFAULT_LISTEN, type=_address, metavar="HOST:PORT")
    about = "file of the SQLite journal, or URL of a PostgreSQL database (postgresql://...; better in the variable)"
    options.add("journal", about, DEFAULT_JOURNAL, type=_journal, metavar="FILE|URL")
    options.add("journal_connections", "most connections to the database", "8", type=_positive, metavar="N")
    about = "whether servers on one database wake each other by LISTEN; a transaction pooler makes that impossible"
    options.switch("journal_listen", about)
    about = "after how many milliseconds changes by other servers are found that LISTEN did not tell of"
    options.add("journal_poll_ms", about, "1000", type=_positive, metavar="N")
    options.packs()
    options.add("log_format", "form of the log: auto is console on a terminal, else json", "auto", choices=LOG_FORMATS)
    options.add("log_level", "least severe messages to write", "info", choices=LOG_LEVELS)
    options.switch("reflection", "whether clients may ask the server for its schema")
    about = "server processes that share the address; more than one takes a PostgreSQL journal"
    options.add("workers", about, "1", type=_positive, metavar="N")
    options.add("bot_processes", "processes that the bots of each worker think in", "1", type=_positive, metavar="N")
    about = "address for metrics and health over plain HTTP (/metrics, /healthz, /readyz)"
    options.add("metrics_listen", about, OFF, type=_address_or_off, metavar="HOST:PORT")
    _add_security(_Options(parser.add_argument_group("security"), environ))
    retention = _Options(parser.add_argument_group("retention"), environ)
    about = "days after which an open or running game that nobody has touched is aborted"
    retention.add("abandoned_days", about, NEVER, type=_days, metavar="N")
    retention.add("ended_days", "days after which a game that has ended is deleted", NEVER, type=_days, metavar="N")
    limits = _Options(parser.add_argument_group("limits"), environ)
    for name, default, about in Limits().table():
        limits.add(name, about, str(default), type=partial(_number, least=Limits.least(name)), metavar="N")
    return parser


def _add_security(options: _Options) -> None:
    options.file("tls_cert", "the server's certificate with its chain, PEM; makes the port TLS")
    options.file("tls_key", "its private key, PEM, not encrypted")
    options.file("tls_client_ca", "certificates, PEM; clients must show one that these have signed")
    about = "networks of proxies that are believed whom they speak for, as CIDR, separated by commas"
    options.add("trusted_proxies", about, "", shown="none", type=_networks, metavar="NETWORKS")
    about = "header that the trusted proxies say it in"
    options.add("forwarded_header", about, X_FORWARDED_FOR, choices=FORWARDED_HEADERS)
    options.file("operator_key_file", "file with the operator's keys, one a line, of 16 characters or more")
    options.switch("operator_creates", "whether creating games takes an operator's key, where there is one")


class _Options:
    """Adds options to a parser or a group of one, each with its environment variable."""

    def __init__(self, parser: argparse._ActionsContainer, environ: Mapping[str, str]) -> None:
        self._parser = parser
        self._environ = environ

    def add(self, name: str, about: str, default: str, *, shown: str = "", **more: Any) -> None:
        """An option with a value; `shown` is what help says of a default that is empty."""
        variable = ENV_PREFIX + name.upper()
        text = f"{about} [{variable}] (default: {shown or default})"
        self._parser.add_argument(_flag(name), help=text, default=self._environ.get(variable, default), **more)

    def file(self, name: str, about: str) -> None:
        """An option that names a file, or none."""
        self.add(name, about, "", shown="none", type=_file, metavar="FILE")

    def switch(self, name: str, about: str) -> None:
        """An option that is yes, or no by its flag's other form."""
        variable = ENV_PREFIX + name.upper()
        default = self._environ.get(variable, "1").lower() not in {"0", "false", "no", "off"}
        text = f"{about} [{variable}] (default: yes)"
        self._parser.add_argument(_flag(name), action=argparse.BooleanOptionalAction, default=default, help=text)

    def packs(self) -> None:
        """The folders of content packs."""
        variable = ENV_PREFIX + "PACKS"
        found = [Path(part) for part in self._environ.get(variable, "").split(os.pathsep) if part]
        text = f"folder of a content pack to offer too; may be repeated [{variable}, separated by {os.pathsep!r}]"
        self._parser.add_argument("--packs", action="append", type=Path, metavar="FOLDER", default=found, help=text)


def _flag(name: str) -> str:
    return "--" + name.replace("_", "-")


def _tls(parser: argparse.ArgumentParser, given: argparse.Namespace) -> TlsFiles | None:
    if given.tls_cert and given.tls_key:
        return TlsFiles(given.tls_cert, given.tls_key, given.tls_client_ca)
    if given.tls_cert or given.tls_key or given.tls_client_ca:
        parser.error("TLS takes both --tls-cert and --tls-key; --tls-client-ca goes with them")
    return None


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


def _address_or_off(text: str) -> str:
    return "" if text in {"", OFF} else _address(text)


def _days(text: str) -> int | None:
    if text in {"", NEVER}:
        return None
    try:
        return _positive(text)
    except argparse.ArgumentTypeError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 1, nor {NEVER!r}") from None


def _file(text: str) -> Path | None:
    return Path(text) if text else None


def _networks(text: str) -> tuple[Network, ...]:
    try:
        return tuple(read_network(part) for part in text.split(",") if part.strip())
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _number(text: str, least: int) -> int:
    if not (text.isascii() and text.isdigit() and int(text) >= least):
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from {least}")
    return int(text)


_positive: Callable[[str], int] = partial(_number, least=1)
