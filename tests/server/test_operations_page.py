"""`docs/operations.md`: its tables are what the server has, its commands exist, its Python runs, its database works."""

from __future__ import annotations

import argparse
import re
import shlex
from pathlib import Path

import psycopg
import pytest
from meadow_server.config import ENV_PREFIX, Config, make_parser, parse_config
from meadow_server.limits import Limits
from meadow_server.metrics import Metrics
from meadow_server.store.address import PostgresUrl
from meadow_server.store.postgres import open_store
from prometheus_client.metrics import MetricWrapperBase

from tests.client.running import meadow
from tests.server.test_tls import CA
from tests.support.postgres import Cluster
from tests.support.source_tree import ROOT

pytestmark = pytest.mark.source

PAGE = (ROOT / "docs" / "operations.md").read_text("utf-8")
OF_CLIENTS = {"MEADOW_CA_FILE", "MEADOW_CLIENT_CERT", "MEADOW_CLIENT_KEY", "MEADOW_TLS"}
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def table(heading: str) -> list[list[str]]:
    """The cells of the table that begins with some columns, without its head."""
    rows = PAGE.partition(f"| {heading} |")[2].partition("\n\n")[0].splitlines()[2:]
    return [[cell.strip().strip("`") for cell in row.strip("| ").split(" | ")] for row in rows]


def options() -> list[argparse.Action]:
    """The server's options but for its limits."""
    limits = {name for name, _, _ in Limits().table()}
    return [action for action in make_parser({})._actions if action.dest not in {"help", *limits}]


def test_the_table_of_options_is_that_of_help() -> None:
    """Each option is in the table with its variable, its default and what help says of it, in the same order."""
    expected = []
    for action in options():
        found = re.fullmatch(r"(.*?)(; may be repeated)? \[(\w+).*?\]( \(default: (.*)\))?", str(action.help))
        assert found, action.help
        expected.append([action.option_strings[0], found[3], found[5] or "none", found[1]])
    assert table("flag | variable | default |") == expected


def test_the_table_of_limits_is_that_of_the_server() -> None:
    """Each limit is in the table with its default and its meaning, in the same order; help says the same."""
    assert table("limit | default |") == [[name, str(value), about] for name, value, about in Limits().table()]
    text = " ".join(make_parser({}).format_help().split())
    for name, value, about in Limits().table():
        flag = name.replace("_", "-")
        assert f"--{flag} N {about} [{ENV_PREFIX}{name.upper()}] (default: {value})" in text


def instruments() -> list[MetricWrapperBase]:
    """The server's own instruments."""
    return [found for found in vars(Metrics()).values() if isinstance(found, MetricWrapperBase)]


def test_the_table_of_metrics_is_that_of_the_server() -> None:
    """Each metric is in the table with its labels and its meaning."""
    expected = []
    for family in Metrics().registry.collect():
        if not family.name.startswith("process"):
            name = family.name + ("_total" if family.type == "counter" else "")
            kind = " (histogram)" if family.type == "histogram" else ""
            expected.append((name, family.documentation + kind))
    assert [(name, about) for name, _, about in table("metric | labels |")] == expected
    labels = {instrument._name: ", ".join(instrument._labelnames) for instrument in instruments()}
    for name, told, _ in table("metric | labels |"):
        assert labels[name.removesuffix("_total")] == told, name


def test_variables_that_are_named_exist() -> None:
    """No variable is made up."""
    known = OF_CLIENTS | {found[1] for found in re.finditer(r"\[(MEADOW_\w+)", make_parser({}).format_help())}
    assert set(re.findall(r"MEADOW_\w+", PAGE)) <= known
    assert set(re.findall(r"MEADOW_\w+", " ".join(meadow("--help").stdout.split()))) >= OF_CLIENTS


def commands() -> list[list[str]]:
    """The commands of the page, as their words."""
    lines = [line for found in BLOCK.finditer(PAGE) if found[1] == "sh" for line in found[2].splitlines()]
    return [shlex.split(line, comments=True)[1:] for line in lines if line.startswith("meadow ")]


@pytest.mark.parametrize("words", commands(), ids=" ".join)
def test_commands_are_commands(words: list[str]) -> None:
    """Each command exists and knows the options that it is given."""
    if words[0] == "serve":
        assert isinstance(parse_config(words[1:], {}), Config)
        return
    done = meadow(*words, "--help")
    assert done.exit_code == 0, done.stderr
    text = done.stdout + meadow("--help").stdout
    assert [word for word in words if word.startswith("--") and word not in text] == []


def test_the_python_of_the_page_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The blocks of Python run where the files that they name are."""
    monkeypatch.chdir(tmp_path)
    CA.cert_pem.write_to_path(tmp_path / "ca.pem")
    code = [found[2] for found in BLOCK.finditer(PAGE) if found[1] == "python"]
    assert code
    names: dict[str, object] = {}
    for block in code:
        exec(block, names)
    names["client"].close()  # type: ignore[attr-defined]


def test_links_lead_somewhere() -> None:
    """Every relative link names a file of the project."""
    links = re.findall(r"\]\(([^)#:]+)\)", PAGE)
    assert links
    for link in links:
        assert (ROOT / "docs" / link).exists(), link
    for path in re.findall(r"(?<=-f )deploy/\S+", PAGE):
        assert (ROOT / path).exists(), path


async def test_its_database_is_enough(cluster: Cluster, database: PostgresUrl) -> None:
    """A server can make its journal in a database made as the page says."""
    (statements,) = re.findall(r"^```sql\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
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
