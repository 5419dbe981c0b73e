"""`meadow arena`: which bot is better, and by how much."""

from __future__ import annotations

import json
import os
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from meadow_client.cli.common import console
from meadow_client.cli.contest import Contest, Played, chooser, play_games
from meadow_client.cli.failure import Failure
from meadow_client.cli.replay import PackFolder
from meadow_client.cli.stats import mean, share

_BANDS = {
    "spring_meadow_solo": ("missed 140", "140 or more", "150 or more"),
    "spring_meadow_campaign": ("missed 600", "600 or more"),
}


def arena(  # noqa: PLR0913 (each is an option)
    bots: Annotated[list[str], typer.Argument(help="Names of bots, or file.py:function, or module:function.")],
    *,
    variant: Annotated[str, typer.Option(help="What they play.")] = "spring_meadow",
    seats: Annotated[int, typer.Option(help="Seats; the bots are repeated to fill them. One each if 0.")] = 0,
    games: Annotated[int, typer.Option("--games", "-n", min=1, help="How many; rounded up to whole rotations.")] = 1000,
    seed: Annotated[int, typer.Option(min=0, help="Same seed, same games, however many jobs.")] = 1,
    jobs: Annotated[int, typer.Option("--jobs", "-j", min=0, help="Processes; 0 is one for each core.")] = 0,
    expert: Annotated[
        bool, typer.Option("--expert", help="Spring Meadow: refill from an open queue of tiles.")
    ] = False,
    pack: PackFolder = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")] = False,
) -> None:
    """Let bots play many games in process, with rotating seats, and print who won how often.

    A bot of your own is a function of view, legal ids, catalogue and dice that returns one of the ids.

    Examples:
      meadow arena greedy random

      meadow arena greedy --seats 4 --games 2000           is any place at the table better?

      meadow arena my_bot.py:choose greedy --json

      meadow arena greedy --variant spring_meadow_solo
    """
    contest = _contest(bots, variant, seats, seed, {"expert": True} if expert else {}, pack)
    rounds = -(-games // len(contest.bots)) * len(contest.bots)
    played = _with_progress(contest, rounds, jobs or os.cpu_count() or 1)
    report = report_of(contest, played)
    if as_json:
        typer.echo(json.dumps(report, indent=1))
    else:
        _print(console(), report)


def _contest(
    bots: Sequence[str], variant: str, seats: int, seed: int, options: dict[str, object], pack: Path | None
) -> Contest:
    from meadow_engine import api

    try:
        rules = api.variant(variant)
        wanted = seats or max(len(bots), rules.min_seats)
        rules.check_seats(wanted)
        rules.read_options(options)
    except api.EngineError as refused:
        raise Failure(str(refused), exit_code=2) from None
    if len(bots) > wanted:
        raise Failure(f"{len(bots)} bots do not fit on {wanted} seats", exit_code=2)
    for bot in bots:
        chooser(bot, rules.family)
    line_up = tuple(bots[seat % len(bots)] for seat in range(wanted))
    return Contest(variant, line_up, seed, options, None if pack is None else str(pack))


def _with_progress(contest: Contest, games: int, jobs: int) -> list[Played]:
    """Play with a progress bar on standard error, so that standard output holds the result only."""
    columns = (TextColumn("games"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    out = Console(stderr=True)
    with Progress(*columns, console=out, transient=True, disable=not out.is_terminal) as progress:
        return list(progress.track(play_games(contest, games, jobs), total=games))


# ---- the result --------------------------------------------------------------------------------------------


def report_of(contest: Contest, played: Sequence[Played]) -> dict[str, Any]:
    """Shares and means of a contest, as plain data."""
    seats = len(contest.bots)
    report: dict[str, Any] = {
        "variant": contest.variant,
        "seats": seats,
        "games": len(played),
        "seed": contest.seed,
        "options": dict(contest.options),
        "even_share": round(1 / seats, 4),
        "bots": _by_bot(contest, played),
        "choices": mean([game.choices for game in played]).as_json(),
    }
    if seats > 1:
        report["places"] = _by_place(played, seats)
    if contest.variant in _BANDS:
        report["objectives"] = {
            words: share(sum(game.band == band for game in played), len(played)).as_json()
            for band, words in enumerate(_BANDS[contest.variant])
        }
    return report


def _win(game: Played, seat: int) -> float:
    """A win, or a part of one that is shared."""
    return 1 / game.ranks.count(1) if game.ranks[seat] == 1 else 0.0


def _by_bot(contest: Contest, played: Sequence[Played]) -> list[dict[str, object]]:
    """Each different bot, over all seats it played."""
    wins: defaultdict[str, list[float]] = defaultdict(list)
    points: defaultdict[str, list[float]] = defaultdict(list)
    boards: defaultdict[str, list[float]] = defaultdict(list)
    for game in played:
        for seat, player in enumerate(game.players):
            bot = contest.bots[player]
            wins[bot].append(_win(game, seat))
            points[bot].append(game.points[seat])
            boards[bot] += game.boards[seat : seat + 1]
    return [
        {
            "bot": bot,
            "played": len(wins[bot]),
            "win_share": share(sum(wins[bot]), len(wins[bot])).as_json(),
            "points": mean(points[bot]).as_json(),
            "board": mean(boards[bot]).as_json() if boards[bot] else None,
        }
        for bot in dict.fromkeys(contest.bots)
    ]


def _by_place(played: Sequence[Played], seats: int) -> list[dict[str, object]]:
    """Win share of each place in the order of play, whoever sat there."""
    rows = []
    for place in range(seats):
        wins = sum(_win(game, (game.first + place) % seats) for game in played)
        rows.append({"place": place + 1, "win_share": share(wins, len(played)).as_json()})
    return rows


def _print(out: Console, report: dict[str, Any]) -> None:
    seats = report["seats"]
    what = f"{report['variant']}, {seats} {'seat' if seats == 1 else 'seats'}, seed {report['seed']}"
    out.print(Text.assemble((str(report["games"]), "bold"), f" games of {what}; 95 % confidence intervals"))
    out.print(_bot_table(report["bots"], solo=seats == 1))
    for title, key, name in (("place in the order of play", "places", "place"), ("objective", "objectives", "")):
        if key in report:
            out.print(_shares(title, report[key], name))
    out.print(f"choices a game: {_words(report['choices'])}")


def _bot_table(rows: Sequence[Mapping[str, Any]], *, solo: bool) -> Table:
    """Wins and points of each bot; alone there is nobody to win against."""
    table = Table(box=None, header_style="bold", pad_edge=False)
    table.add_column("bot", overflow="fold")
    columns: dict[str, Callable[[Mapping[str, Any]], str]] = {"seats played": lambda row: str(row["played"])}
    if not solo:
        columns["win share"] = lambda row: _words(row["win_share"], percent=True)
    columns["points"] = lambda row: _words(row["points"])
    if rows[0]["board"]:
        columns["board at the end"] = lambda row: _words(row["board"])
    for column in columns:
        table.add_column(column, justify="right")
    for row in rows:
        table.add_row(row["bot"], *(cell(row) for cell in columns.values()))
    return table


def _shares(title: str, rows: Any, name: str) -> Table:
    table = Table(box=None, header_style="bold", pad_edge=False)
    table.add_column(title)
    table.add_column("share", justify="right")
    entries = rows.items() if isinstance(rows, dict) else [(row[name], row["win_share"]) for row in rows]
    for label, estimate in entries:
        table.add_row(str(label), _words(estimate, percent=True))
    return table


def _words(estimate: Mapping[str, float], *, percent: bool = False) -> str:
    scale, unit = (100, " %") if percent else (1, "")
    value, low, high = (estimate[key] * scale for key in ("value", "low", "high"))
    return f"{value:.1f}{unit}  ({low:.1f} to {high:.1f})"


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(arena)
