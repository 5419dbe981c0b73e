"""`meadow conformance`: whether a server keeps what the API promises."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.console import Console
from rich.progress import Progress
from rich.table import Table
from rich.text import Text

from meadow_client.cli.common import connect, console, counted
from meadow_client.cli.connecting import GIVEN
from meadow_client.cli.examination import CHECKS, Finding, cases_of, examine
from meadow_client.cli.replay import PackFolder


def conformance(
    address: Annotated[str, typer.Argument(help="Server, HOST:PORT.")],
    *,
    seed: Annotated[int, typer.Option(min=0, help="Of the choices made.")] = 1,
    variant: Annotated[str, typer.Option(help="Only this variant.")] = "",
    pack: PackFolder = None,
) -> None:
    """Play every variant with every number of seats on a server, and check what the API promises on the way.

    It creates public games, plays them by legal actions to the end and deletes them. Exit code 0 means that every
    promise was kept.

    Examples:
      meadow conformance 127.0.0.1:50051

      meadow conformance games.example.org:443 --variant spring_meadow_solo
    """
    out = console()
    with connect(address, GIVEN.get().operator_key()) as client:
        cases = [case for case in cases_of(client) if variant in {"", case.variant}]
        bar = Console(stderr=True)
        with Progress(console=bar, transient=True, disable=not bar.is_terminal) as progress:
            results = [examine(client, case, seed, pack) for case in progress.track(cases, description="games")]
    table = Table(box=None, header_style="bold", pad_edge=False)
    for column in ("variant", "seats", "options", *CHECKS):
        table.add_column(column)
    faults: list[Finding] = []
    for case, findings in zip(cases, results, strict=True):
        failed = {finding.check for finding in findings}
        marks = [Text("FAILED", "bold red") if name in failed else Text("ok", "green") for name in CHECKS]
        table.add_row(case.variant, str(case.seats), case.option_words, *marks)
        faults += findings
    out.print(table)
    for finding in faults:
        out.print(
            f"{finding.case.variant}, {counted(finding.case.seats, 'seat')}: {finding.check}: {finding.words}",
        )
    if faults or not cases:
        raise typer.Exit(1)


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(conformance)
