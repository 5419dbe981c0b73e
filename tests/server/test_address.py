"""Where a journal is, and who is told of a database's password: nobody."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from meadow_server import store
from meadow_server.config import Config, parse_config
from meadow_server.store.address import PostgresUrl, read_address
from meadow_server.store.base import JournalFormat
from meadow_server.store.opening import open_journal

SECRET = "hunter2"
URLS = {
    f"postgresql://ann:{SECRET}@db.example:5433/games": "postgresql://ann@db.example:5433/games",
    f"postgres://ann:{SECRET}@db/games?sslmode=require": "postgresql://ann@db/games",
    f"postgresql://db/games?user=ann&password={SECRET}": "postgresql://db/games",
    f"postgresql://ann:{SECRET}%40%2F@one,two:5433/games": "postgresql://ann@one,two:5433/games",
    f"postgresql://ann:{SECRET}@[::1]:5432/games": "postgresql://ann@[::1]:5432/games",
    f"postgresql://:{SECRET}@/games": "postgresql://@/games",
    f"postgresql://ann:a@{SECRET}@db/games": "postgresql://ann@db/games",
    "postgresql:///games": "postgresql:///games",
}
UNREADABLE = (
    f"postgresql://ann:{SECRET}/x@db/games",
    f"postgresql://ann:{SECRET}?x@db/games",
    f"postgresql://ann:{SECRET}#x@db/games",
    f"postgresql://ann:{SECRET}",
    f"postgresql://[{SECRET}",
    f"mysql://ann:{SECRET}@db/games",
)


@pytest.mark.parametrize(("text", "shown"), URLS.items())
def test_a_url_shows_who_and_where_and_no_password(text: str, shown: str) -> None:
    """As text and in its representation a URL has no password, wherever it stood; libpq gets it as it was written."""
    url = read_address(text)
    assert isinstance(url, PostgresUrl)
    assert (str(url), url.secret) == (shown, text)
    assert SECRET not in repr(url) + repr(Config(journal=url))


@pytest.mark.parametrize("text", UNREADABLE)
def test_a_url_that_cannot_be_read_is_not_repeated(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The usage error says how a URL is written, and not what was given."""
    for argv, environ in ((["--journal", text], {}), ([], {"MEADOW_JOURNAL": text})):
        with pytest.raises(SystemExit) as ended:
            parse_config(argv, environ)
        said = capsys.readouterr().err
        assert ended.value.code == 2
        assert "postgresql://" in said
        assert SECRET not in said


def test_help_does_not_show_the_variable(capsys: pytest.CaptureFixture[str]) -> None:
    """`--help` tells the default, not what the environment holds."""
    with pytest.raises(SystemExit):
        parse_config(["--help"], {"MEADOW_JOURNAL": f"postgresql://ann:{SECRET}@db/games"})
    said = capsys.readouterr().out
    assert "MEADOW_JOURNAL" in said
    assert SECRET not in said


def test_anything_else_is_a_file() -> None:
    """A journal that is no URL is the name of a file, as it always was."""
    assert read_address("var/meadow.db") == Path("var/meadow.db")
    assert read_address("postgresql") == Path("postgresql")


async def test_a_refused_password_is_not_told(database: PostgresUrl) -> None:
    """A server that the database does not let in says which database that is, in a line without the password."""
    right = database.secret.split("@")[0].split(":")[2]
    for wrong in (database.secret.replace(right, SECRET), database.secret.replace("meadow", "no_such_database")):
        with pytest.raises(JournalFormat) as refusal:
            await open_journal(Config(journal=PostgresUrl(wrong)))
        said = str(refusal.value)
        assert str(PostgresUrl(wrong)) in said
        assert "\n" not in said
        assert SECRET not in said
        assert right not in said


async def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the extra a database is refused with what to install."""
    for name in [name for name in sys.modules if name.startswith("meadow_server.store.postgres")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.delattr(store, "postgres", raising=False)
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(JournalFormat, match=r"pip install 'meadow-engine\[postgres\]'"):
        await open_journal(Config(journal=PostgresUrl("postgresql://db/games")))
