"""What the page on operations says is so: its options exist, and its database works."""

from __future__ import annotations

import re

import psycopg
import pytest
from meadow_server.config import make_parser
from meadow_server.store.address import PostgresUrl
from meadow_server.store.postgres import open_store

from tests.support.postgres import Cluster
from tests.support.source_tree import ROOT

pytestmark = pytest.mark.source

TEXT = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")


def test_its_options_exist() -> None:
    """Each flag and variable that the page names is one of the server's."""
    known = make_parser({}).format_help()
    named = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+|MEADOW_[A-Z_]+", TEXT))
    assert {"--journal", "MEADOW_JOURNAL", "--workers"} <= named
    assert not {name for name in named if not re.search(re.escape(name) + r"(?![\w-])", known)}


async def test_its_database_is_enough(cluster: Cluster, database: PostgresUrl) -> None:
    """A server can make its journal in a database made as the page says."""
    (statements,) = re.findall(r"^```sql\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
    # the tests have a database of that name
    statements = statements.replace("DATABASE meadow", "DATABASE of_the_page").split(";\n")
    with psycopg.connect(database.secret, autocommit=True) as connection:
        for statement in filter(None, statements):
            connection.execute(statement.encode())
        url = database.secret.rpartition("@")[2].partition("/")[0]
        try:
            store = await open_store(
                PostgresUrl(f"postgresql://meadow:change%20me@{url}/of_the_page"), connections=1, listens=True
            )
            assert len(await store.server_key()) == 32
            await store.close()
        finally:
            connection.execute("DROP DATABASE of_the_page WITH (FORCE)")
            connection.execute("DROP ROLE meadow")
