"""The engine by itself: random games with every legal list made, and what one call costs in the middle of a game."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from time import process_time
from typing import Any

from meadow_engine import api

from bench.report import Report, Target
from bench.shape import Shape
from bench.timing import microseconds

SECTION = "engine"
SPRING_TURNS, SPRING_TURNS_STRETCH = 10_000, 20_000
"""Turns a second; a turn is tile, place, marmots and rocks."""
MEADOW_DECISIONS, MEADOW_DECISIONS_STRETCH = 30_000, 45_000
DOWNSTREAM_DECISIONS = 20_000
CLONE_MICROSECONDS = 10
MIDDLES = {"spring_meadow": 45, "meadow": 150, "downstream_wild_rapids": 220}
"""Decisions after which a game of four seats is in its middle."""


TURN_EVENTS = ("TurnStarted", "TokenPlaced")
"""The event that each turn has once."""


def tables() -> Iterator[tuple[str, str, int, dict[str, Any]]]:
    """Every variant with every number of seats and each switch: name, variant, seats, options."""
    for variant in api.variants():
        switches = [option.name for option in variant.options if isinstance(option, api.BoolOption)]
        for seats in range(variant.min_seats, variant.max_seats + 1):
            many = f" {seats} seats" if variant.max_seats > 1 else ""
            yield variant.id + many, variant.id, seats, {}
            for switch in switches:
                yield f"{variant.id}{many} {switch}", variant.id, seats, {switch: True}


def playout(game: api.Game, random: Random, shape: Shape | None = None) -> int:
    """Play a game to its end, choosing at random from each legal list; answers the number of decisions."""
    decisions, draw = 0, random.random
    while not game.is_over:
        ids = game.legal_ids()
        result = game.apply(ids[int(draw() * len(ids))])
        decisions += 1
        if shape is not None:
            shape.listed.append(len(ids))
            shape.turns += sum(type(event).__name__ in TURN_EVENTS for event in result.events)
    return decisions


def measure(report: Report, seconds: float) -> None:
    """Random games of every kind of table, then single calls."""
    turns_of_spring, decisions_of_meadow, decisions_of_downstream = [], [], []
    for name, variant, seats, options in tables():
        per_second, shape = _speed(variant, seats, options, report.seed, seconds)
        report.add(SECTION, f"{name}: decisions", per_second, "/s", str(shape))
        if shape.turns:
            turns = per_second * shape.turns / len(shape.listed)
            report.add(SECTION, f"{name}: turns", turns, "/s")
            if variant == "spring_meadow" and not options:
                turns_of_spring.append(turns)
        if variant == "meadow" and not options:
            decisions_of_meadow.append(per_second)
        if variant.startswith("downstream") and not options:
            decisions_of_downstream.append(per_second)
    turns, decisions = min(turns_of_spring), min(decisions_of_meadow)
    report.targets += [
        Target("Spring Meadow turns, slowest seat count", turns, SPRING_TURNS, "/s"),
        Target("Spring Meadow turns, stretch", turns, SPRING_TURNS_STRETCH, "/s"),
        Target("Meadow decisions, slowest seat count", decisions, MEADOW_DECISIONS, "/s"),
        Target("Meadow decisions, stretch", decisions, MEADOW_DECISIONS_STRETCH, "/s"),
        Target("Downstream decisions, slowest table", min(decisions_of_downstream), DOWNSTREAM_DECISIONS, "/s"),
    ]
    for variant in MIDDLES:
        _single_calls(report, variant, min(seconds, 0.2))


def _speed(variant: str, seats: int, options: dict[str, Any], seed: int, seconds: float) -> tuple[float, Shape]:
    """Decisions per second of processor time over whole games, and the shape of those games, found in a second pass."""
    games = decisions = 0
    spent = 0.0
    while spent < seconds:
        game, random = api.new_game(variant, seats=seats, seed=seed + games, options=options), Random(seed + games)
        begin = process_time()
        decisions += playout(game, random)
        spent += process_time() - begin
        games += 1
    shape = Shape(games)
    for number in range(games):
        game = api.new_game(variant, seats=seats, seed=seed + number, options=options)
        playout(game, Random(seed + number), shape)
    return decisions / spent, shape


def middle_game(seed: int, variant: str = "spring_meadow") -> api.Game:
    """A game of four seats in its middle."""
    game, random = api.new_game(variant, seats=4, seed=seed), Random(seed)
    for _ in range(MIDDLES[variant]):
        game.apply(random.choice(game.legal_ids()))
    return game


def _single_calls(report: Report, variant: str, seconds: float) -> None:
    game = middle_game(report.seed, variant)
    data, about = game.encode(), f"4 seats, after {MIDDLES[variant]} decisions"
    calls = {
        "clone": game.clone,
        "legal_ids": game.legal_ids,
        "view": lambda: game.view(0),
        "observation": lambda: game.observation(0),
        "encode": game.encode,
        "state_hash": game.state_hash,
        "decode": lambda: api.decode(data),
        "determinize": lambda: game.determinize(0, 1),
        "text": lambda: game.text(0),
    }
    for name, call in calls.items():
        spent = microseconds(call, seconds=seconds)
        report.add(SECTION, f"{variant}: {name}", spent, "us", about if name == "clone" else "")
    clone = report.value(SECTION, f"{variant}: clone")
    assert clone is not None
    name = f"clone of {variant}, 4 seats, middle of a game"
    report.targets.append(Target(name, clone, CLONE_MICROSECONDS, "us", at_most=True))
