"""Plays a finished game again from its replay, and compares everything that can be compared."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from meadow_api.v1 import common_pb2, game_pb2

from meadow_client.cli.common import counted, objective
from meadow_client.cli.engine import action_message, event_message, options_of, outcome_message
from meadow_client.cli.failure import Failure
from meadow_client.fairness import is_opened
from meadow_client.messages import value_name

if TYPE_CHECKING:
    from meadow_engine import api


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was compared, whether it is as it should be, and what was found."""

    name: str
    passed: bool
    found: str


def verify(replay: game_pb2.Replay, pack: api.Pack) -> list[Check]:
    """Compare a replay with the game played again.

    Raises:
        Failure: there is nothing to compare with: the game has not ended, its content is not this pack's, or its rules
            are of another revision.
    """
    if not replay.game.name:
        raise Failure("this holds no replay of a game")
    if not replay.complete:
        raise Failure("the game has not ended: its seed is still secret")
    game = replay.game
    if game.pack_hash != pack.hash:
        raise Failure("the game was played with another content pack; name its folder with --pack")
    config = config_of(replay, pack)
    return [_commitment(replay), _configuration(replay, config), *_played_again(replay, config)]


def _commitment(replay: game_pb2.Replay) -> Check:
    fairness = replay.fairness
    same = fairness.commitment == replay.game.commitment
    return Check("commitment", same and is_opened(fairness), fairness.commitment.hex()[:16] + "...")


def _configuration(replay: game_pb2.Replay, config: api.GameConfig) -> Check:
    """Whether the game is shown with what was committed to, options included."""
    fairness, game = replay.fairness, replay.game
    configuration = _committed(fairness)
    claimed = {
        "variant": game.variant,
        "seats": len(game.seats),
        "pack": game.pack_hash.hex(),
        "rules_revision": game.rules_revision,
    }
    different = [key for key, value in claimed.items() if configuration.get(key) != value]
    if options_of(config) != game.options:
        different.append("options")
    return Check(
        "configuration", not different, ", ".join(different) or f"{game.variant}, {counted(len(game.seats), 'seat')}"
    )


def _committed(fairness: game_pb2.Fairness) -> dict[str, object]:
    """The configuration that was committed to; empty if its text is none."""
    try:
        found = json.loads(fairness.configuration)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def config_of(replay: game_pb2.Replay, pack: api.Pack) -> api.GameConfig:
    """What the game was made with, seed included.

    Raises:
        Failure: the engine does not have these rules.
    """
    from meadow_engine import api

    fairness, game = replay.fairness, replay.game
    options = _committed(fairness).get("options")
    if not isinstance(options, dict):
        raise Failure("the game cannot be set up again: its configuration is damaged")
    try:
        config = api.game_config(game.variant, seats=len(game.seats), seed=fairness.seed, options=options, pack=pack)
    except (api.EngineError, ValueError) as refused:
        raise Failure(f"the game cannot be set up again: {refused}") from None
    if config.rules_revision != game.rules_revision:
        raise Failure(f"the game was played by rules revision {game.rules_revision}, not {config.rules_revision}")
    return config


def record_of(message: game_pb2.GameRecord) -> api.Record:
    """A record as the engine takes it.

    Raises:
        Failure: it is of a kind that this version does not know.
    """
    from meadow_engine import api

    makers: dict[str, Callable[[], api.Record]] = {
        "action": lambda: api.ActionTaken(message.action.seat, message.action.action_id),
        "undo": lambda: api.ActionsUndone(message.undo.seat, message.undo.count),
        "started": api.Started,
        "seat_claimed": lambda: api.SeatClaimed(message.seat_claimed.seat, message.seat_claimed.display_name, ""),
        "seat_released": lambda: api.SeatReleased(message.seat_released.seat, 0),
        "seat_bot": lambda: api.SeatBot(message.seat_bot.seat, message.seat_bot.bot.bot, 0),
        "aborted": lambda: api.Aborted(message.aborted.explanation),
        "host_token_replaced": lambda: api.HostTokenReplaced(0),
        "seat_resigned": lambda: api.SeatResigned(message.seat_resigned.seat),
        "clock_expired": lambda: api.ClockExpired(message.clock_expired.seat),
        "ended": api.GameEnded,
    }
    kind = message.WhichOneof("record") or "of no kind"
    if kind not in makers:
        raise Failure(f"this version of meadow does not know the record {kind} at version {message.version}")
    return makers[kind]()


def games_of(replay: game_pb2.Replay, pack: api.Pack) -> Iterator[api.Game | None]:
    """The position after each record, played again; None before the start.

    Raises:
        Failure: the replay cannot be played again.
    """
    from meadow_engine import api

    history = api.History(config_of(replay, pack))
    for message in replay.records:
        try:
            history.apply(record_of(message))
        except api.EngineError as refused:
            raise Failure(f"version {message.version} cannot be played again: {refused}") from None
        yield history.game


def _played_again(replay: game_pb2.Replay, config: api.GameConfig) -> Iterator[Check]:
    from meadow_engine import api

    history = api.History(config)
    drawn, written = 0, (0, 0)
    for place, message in enumerate(replay.records, start=1):
        try:
            applied = history.apply(record_of(message))
        except api.EngineError as refused:
            yield Check("records", False, f"version {place}: {refused}")
            return
        drawn += bool(applied.reveals)
        wrong = _difference(history, applied, message)
        if message.version != place:
            wrong = f"version {message.version} stands at place {place}"
        # compared as they stand: in a file of anybody's making they may be no times at all
        time = (message.create_time.seconds, message.create_time.nanos)
        if time < written:
            wrong = f"version {place} was written before the one before it"
        if wrong:
            yield Check("records", False, wrong)
            return
        written = time
    yield Check("records", True, f"{len(replay.records)} played again, each with its action, events and state hash")
    yield Check("shuffles", True, f"{counted(drawn, 'record')} turned up what was hidden, all as the seed says")
    yield _stage(replay.game, history)
    yield _outcome(replay.game, history)


def _difference(history: api.History, applied: api.Applied, message: game_pb2.GameRecord) -> str:
    """What a record says otherwise than the game played again; empty if nothing."""
    game = history.game
    if game is None:
        return ""
    if game.state_hash() != message.state_hash:
        return f"version {message.version}: another position"
    if [event_message(game, event) for event in applied.events] != list(message.events):
        return f"version {message.version}: other events"
    if message.HasField("action") and message.action.action != action_message(game, message.action.action_id):
        return f"version {message.version}: the typed action is not that of its id"
    return ""


def _stage(game: game_pb2.Game, history: api.History) -> Check:
    """Whether the game says truly how far it came."""
    state = value_name(common_pb2.GameState, game.state)
    same = (game.version, state) == (history.version, history.status.value)
    return Check("game", same, f"version {game.version}, {state.lower()}")


def _outcome(game: game_pb2.Game, history: api.History) -> Check:
    from meadow_engine import api

    if history.status is not api.Status.FINISHED or history.game is None:
        return Check("outcome", not game.HasField("outcome"), "aborted, without outcome")
    said, true = game.outcome, outcome_message(history.game, history.ending)
    words = _outcome_words(said)
    if said != true:
        words += f"; played again: {_outcome_words(true)}"
    return Check("outcome", said == true, words)


def _outcome_words(outcome: game_pb2.Outcome) -> str:
    """All that an outcome says."""
    results = [f"seat {result.seat + 1} rank {result.rank} with {result.points}" for result in outcome.results]
    return ", ".join(results or ["none"]) + objective(outcome)
