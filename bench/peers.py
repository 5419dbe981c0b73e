"""Comparable engines, measured in the same run where they are installed (`make bench-peers`), and ratios to them.

OpenSpiel's games are written in C++ and called from Python; catanatron is Python throughout. Decisions of different
games are not the same work: the shapes stand beside the numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from random import Random
from time import process_time
from typing import Any

from bench.playouts import SECTION as ENGINE
from bench.report import Report
from bench.shape import Shape
from bench.timing import microseconds

SECTION = "peers"
OURS = ("meadow", "spring_meadow")
"""Our games of four seats, each compared with each peer."""
Playout = Callable[[Random, Shape], None]


def measure(report: Report, seconds: float) -> None:
    """Random games of each peer that is installed."""
    for name, measured in (("OpenSpiel gin_rummy", _open_spiel), ("catanatron 4 players", _catanatron)):
        try:
            playout, middle = measured()
        except ImportError as missing:
            report.notes.append(f"{name}: {missing.name or missing} is not installed")
            continue
        _compare(report, name, playout, middle, seconds)


def _compare(report: Report, name: str, playout: Playout, clone: Callable[[], object], seconds: float) -> None:
    shape, games, spent = Shape(), 0, 0.0
    while spent < seconds:
        random = Random(report.seed + games)
        begin = process_time()
        playout(random, shape)
        spent += process_time() - begin
        games += 1
    shape.games = games
    per_second, cloned = len(shape.listed) / spent, microseconds(clone, seconds=min(seconds, 0.2))
    report.add(SECTION, f"{name}: decisions", per_second, "/s", str(shape))
    report.add(SECTION, f"{name}: clone", cloned, "us")
    for variant in OURS:
        ours = report.value(ENGINE, f"{variant} 4 seats: decisions")
        our_clone = report.value(ENGINE, f"{variant}: clone")
        if ours and our_clone:
            report.add(SECTION, f"{variant} / {name}: decisions", ours / per_second, "times", "more is better")
            report.add(SECTION, f"{variant} / {name}: clone", our_clone / cloned, "times", "less is better")


def _open_spiel() -> tuple[Playout, Callable[[], object]]:
    rummy: Any = import_module("pyspiel").load_game("gin_rummy")

    def advance(state: Any, random: Random, shape: Shape) -> None:
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(random.choices(outcomes, chances)[0])
            return
        actions = state.legal_actions()
        shape.listed.append(len(actions))
        state.apply_action(actions[int(random.random() * len(actions))])

    def playout(random: Random, shape: Shape) -> None:
        state = rummy.new_initial_state()
        while not state.is_terminal():
            advance(state, random, shape)

    middle = rummy.new_initial_state()
    for _ in range(60):
        advance(middle, Random(0), Shape())
    return playout, middle.clone


def _catanatron() -> tuple[Playout, Callable[[], object]]:
    catan: Any = import_module("catanatron")

    def new_game(random: Random) -> Any:
        players = [catan.RandomPlayer(color) for color in catan.Color]
        return catan.Game(players, seed=random.randrange(1, 1 << 30))

    def playout(random: Random, shape: Shape) -> None:
        game = new_game(random)

        def decide(_player: object, _game: object, actions: list[Any]) -> Any:
            shape.listed.append(len(actions))
            return actions[int(random.random() * len(actions))]

        game.play(decide_fn=decide)

    middle, random = new_game(Random(0)), Random(0)
    for _ in range(200):
        middle.play_tick(decide_fn=lambda _p, _g, actions: random.choice(actions))
    return playout, middle.copy
