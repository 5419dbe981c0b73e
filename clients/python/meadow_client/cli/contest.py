"""Games between bots, in process: what is played, by whom, from which seed.

A contest is repeatable: the deal and every bot's dice come from its seed and the number of the game alone, so neither
the number of processes nor their speed changes a result. Seats rotate: each deal is played once for every way to shift
the bots around the table. A bot against itself gets a new deal each game: shifted, it would play the same game again.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from hashlib import blake2b
from itertools import chain
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Any

from meadow_client.cli.engine import pack_in
from meadow_client.cli.failure import Failure

if TYPE_CHECKING:
    from meadow_engine import api

CHUNK = 8
"""Games that a process plays before it reports."""


@dataclass(frozen=True, slots=True)
class Contest:
    """What is played.

    Attributes:
        variant: such as "spring_meadow".
        bots: one for each seat, before seats rotate: a bot's name, or `module:function` or `file.py:function`.
        seed: of the whole contest.
        options: of the variant.
        pack: folder of the content pack; None is the built-in one.
    """

    variant: str
    bots: tuple[str, ...]
    seed: int
    options: Mapping[str, object] = field(default_factory=dict)
    pack: str | None = None


@dataclass(frozen=True, slots=True)
class Played:
    """How one game went.

    Attributes:
        players: for each seat, which of the contest's bots played it.
        ranks: of each seat.
        points: of each seat: pins in Spring Meadow, points elsewhere.
        choices: made by all seats together.
        band: of the objectives in the solo variants, 0 for none; -1 with several seats.
        first: seat of the first turn.
        boards: Spring Meadow: what each seat's board counted at the end. Empty in other families.
        seen, placed: Spring Meadow: ids of tiles that could be chosen, and that were placed.
    """

    players: tuple[int, ...]
    ranks: tuple[int, ...]
    points: tuple[int, ...]
    choices: int
    band: int
    first: int
    boards: tuple[int, ...]
    seen: frozenset[str]
    placed: frozenset[str]


def play_games(contest: Contest, games: int, jobs: int) -> Iterator[Played]:
    """Play a number of games, in this process or in several, and yield them in their order."""
    chunks = [range(start, min(start + CHUNK, games)) for start in range(0, games, CHUNK)]
    if jobs == 1:
        yield from (play_game(contest, number) for number in chain.from_iterable(chunks))
        return
    # Spawned, not forked: a fork of a process that has used gRPC may hang.
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        for played in pool.map(_play_chunk, [contest] * len(chunks), chunks):
            yield from played


def _play_chunk(contest: Contest, numbers: range) -> list[Played]:
    return [play_game(contest, number) for number in numbers]


def play_game(contest: Contest, number: int) -> Played:
    """Play the game of a number."""
    from meadow_engine import api

    seats = len(contest.bots)
    deal, shift = divmod(number, seats) if len(set(contest.bots)) > 1 else (number, 0)
    game = api.new_game(
        contest.variant,
        seats=seats,
        seed=_derived(contest.seed, "deal", deal),
        options=contest.options,
        pack=_pack(contest.pack),
    )
    players = tuple((seat + shift) % seats for seat in range(seats))
    choosers = [chooser(contest.bots[player], game.variant.family) for player in players]
    dice = [api.Streams(_derived(contest.seed, f"dice {seat}", number)) for seat in range(seats)]
    notes = _SpringNotes(game) if game.variant.family == "spring_meadow" else _Notes(game)
    choices = 0
    while (decision := game.decision) is not None:
        seat = decision.seat
        view = game.view(seat)
        notes.look(view)
        result = game.apply(choosers[seat](view, game.legal_ids(), game.catalogue, dice[seat]))
        notes.read(result.events)
        choices += 1
    outcome = game.outcome()
    return Played(
        players=players,
        ranks=outcome.ranks,
        points=game.returns(),
        choices=choices,
        band=outcome.band,
        first=notes.first,
        boards=notes.boards(),
        seen=notes.names(notes.seen),
        placed=notes.names(notes.placed),
    )


class _Notes:
    """What is written down while a game is played: in most families, who began."""

    def __init__(self, game: api.Game) -> None:
        self.game = game
        self.first = game.decision.seat if game.decision else 0
        self.seen: set[int] = set()
        self.placed: set[int] = set()

    def look(self, view: Any) -> None:
        """Note what can be chosen."""

    def read(self, events: Sequence[api.Event]) -> None:
        """Note what happened."""

    def boards(self) -> tuple[int, ...]:
        """What the boards of the finished game count."""
        return ()

    def names(self, tiles: set[int]) -> frozenset[str]:
        """Ids of tiles."""
        return frozenset()


class _SpringNotes(_Notes):
    """Spring Meadow: how the tiles fare, and what the boards count."""

    def look(self, view: Any) -> None:
        """Note the tiles that can be chosen."""
        if view.pending.kind == "choose_tile":
            path = self.game.catalogue.map_for(view.seats).paths[view.path]
            self.seen.update(view.meadow_map[space] for space in path)

    def read(self, events: Sequence[api.Event]) -> None:
        """Note the tiles that were placed."""
        from meadow_engine.api import spring_events

        self.placed.update(event.tile for event in events if isinstance(event, spring_events.TilePlaced))

    def boards(self) -> tuple[int, ...]:
        """What a scoring would count."""
        return tuple(board.score.total for board in self.game.view(None).mountains)

    def names(self, tiles: set[int]) -> frozenset[str]:
        """Ids of tiles, without the mark of an empty space."""
        return frozenset(self.game.catalogue.tiles[tile].id for tile in tiles if tile >= 0)


def _derived(seed: int, purpose: str, number: int) -> bytes:
    return blake2b(f"{seed} {purpose} {number}".encode(), digest_size=32).digest()


@cache
def _pack(folder: str | None) -> api.Pack:
    return pack_in(None if folder is None else Path(folder))


Choose = Callable[[Any, Sequence[int], Any, Any], int]
"""A bot in process: its choice, given view, legal ids, catalogue and dice."""


@cache
def chooser(bot: str, family: str) -> Choose:
    """What chooses for a bot.

    Raises:
        Failure: no bot has this name, or no function is at this place.
    """
    from meadow_engine import api

    place, colon, name = bot.rpartition(":")
    try:
        if not colon:
            return api.bot(bot, family).choose
        found: Choose = getattr(_module(place), name)
    except api.EngineError as unknown:
        raise Failure(str(unknown), exit_code=2) from None
    except (ImportError, AttributeError, OSError) as missing:
        raise Failure(f"no bot at {bot}: {missing}", exit_code=2) from None
    return found


def _module(place: str) -> object:
    if not place.endswith(".py"):
        return importlib.import_module(place)
    spec = importlib.util.spec_from_file_location(f"meadow bot {place}", place)
    if spec is None or spec.loader is None:
        raise ImportError(f"{place} is no Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module
