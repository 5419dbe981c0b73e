"""Where a journal is: a file, or a PostgreSQL database by its URL, whose password no log and no error may show."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote, urlsplit

POSTGRES_SCHEMES = ("postgresql://", "postgres://")
_HOST = r"(\[[0-9a-fA-F:.]+\]|[^:,\[\]]*)(:[0-9]+)?"
_HOSTS = re.compile(f"{_HOST}(,{_HOST})*")


@dataclass(frozen=True, slots=True)
class PostgresUrl:
    """The URL of a database as libpq reads it; as text it shows who and where, and nothing that may be secret.

    Attributes:
        secret: the URL itself, which may hold a password.
    """

    secret: str = field(repr=False)

    def __str__(self) -> str:
        netloc = urlsplit(self.secret).netloc
        user, at, hosts = netloc.rpartition("@")
        # the query is left out, as it may hold a password too
        return f"postgresql://{user.partition(':')[0]}{at}{hosts}/{self.database}"

    @property
    def database(self) -> str:
        """Name of the database, empty where the URL leaves it open."""
        return unquote(urlsplit(self.secret).path.lstrip("/"))


JournalAddress = Path | PostgresUrl


def read_address(text: str) -> JournalAddress:
    """A journal's address as people write it: a URL that begins with postgresql://, else the name of a file.

    Raises:
        ValueError: it is a URL that cannot be read; the message does not repeat it.
    """
    if not text.startswith(POSTGRES_SCHEMES):
        if "://" in text:
            raise ValueError("a journal is a file, or a URL that begins with postgresql://")
        return Path(text)
    if not _is_as_written(text):
        raise ValueError(
            "the URL of the journal must be postgresql://USER:PASSWORD@HOST:PORT/DATABASE; "
            "in user and password, other characters than letters and digits are written as %XX"
        )
    return PostgresUrl(text)


def _is_as_written(text: str) -> bool:
    """Whether a URL's parts are what they seem: what is shown of it must not be a bit of a password."""
    try:
        url = urlsplit(text)
    except ValueError:
        return False
    user, _, hosts = url.netloc.rpartition("@")
    return _HOSTS.fullmatch(hosts) is not None and (bool(user) or "@" not in url.path + url.query + url.fragment)
