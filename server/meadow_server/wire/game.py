"""Games, records, views, scores: the neutral frame around a family's messages."""

from __future__ import annotations

import json

from meadow_api.v1 import common_pb2, game_pb2
from meadow_engine import api

from meadow_server.header import GameHeader, first_seats, seats_after
from meadow_server.live import LiveGame, Moment, Step, game_name
from meadow_server.store.base import ListedGame
from meadow_server.wire.common import STATES, bot_identity, seat_to_message, timestamp
from meadow_server.wire.families import family_of, known_variant
from meadow_server.wire.leaving import clock_rules_to_message, resign_rules_to_message

_ENDINGS = {
    type(None): common_pb2.GAME_ENDING_PLAYED,
    api.SeatResigned: common_pb2.GAME_ENDING_RESIGNED,
    api.ClockExpired: common_pb2.GAME_ENDING_TIMED_OUT,
}


def game_to_message(live: LiveGame, moment: Moment) -> game_pb2.Game:
    """A game, without its position, as it was at a moment."""
    header = live.header
    message = _head_to_message(live.name, header)
    message.version, message.state = moment.version, STATES[moment.status]
    message.update_time.CopyFrom(timestamp(live.steps[moment.version - 1].time if moment.version else header.time))
    message.playable = live.history is not None
    message.seats.extend(
        seat_to_message(number, seat, header.variant, live) for number, seat in enumerate(moment.seats)
    )
    if moment.status is api.Status.FINISHED and moment.game is not None:
        message.outcome.CopyFrom(outcome_to_message(moment.game, moment.ending))
    return message


def listed_to_message(listed: ListedGame) -> game_pb2.Game:
    """A game as a lobby lists it, out of the journal: without outcome, and without who is connected."""
    header = GameHeader.from_bytes(listed.header)
    seats = first_seats(header.seats)
    for stored in listed.lobby:
        seats = seats_after(seats, api.decode_record(stored.payload))
    message = _head_to_message(game_name(listed.game_id), header)
    message.version, message.state = listed.version, STATES[api.Status(listed.state)]
    message.update_time.CopyFrom(timestamp(listed.updated))
    known = known_variant(header.variant)
    message.playable = known is not None and known.rules_revision == header.rules_revision
    message.seats.extend(seat_to_message(number, seat, header.variant) for number, seat in enumerate(seats))
    return message


def _head_to_message(name: str, header: GameHeader) -> game_pb2.Game:
    """What never changes about a game."""
    message = game_pb2.Game(
        name=name,
        variant=header.variant,
        pack_hash=header.pack_hash,
        rules_revision=header.rules_revision,
        visibility=common_pb2.VISIBILITY_PUBLIC if header.public else common_pb2.VISIBILITY_PRIVATE,
        seeded=header.seeded,
        commitment=header.commitment,
        create_time=timestamp(header.time),
        display_name=header.display_name,
        resign_rules=resign_rules_to_message(header.resign_rules),
        clock_rules=clock_rules_to_message(header.clock_rules),
    )
    if known_variant(header.variant) is not None:
        family_of(header.variant).options_to(header.options, message.options)
    return message


def outcome_to_message(game: api.Game, ending: api.Departure | None) -> game_pb2.Outcome:
    """How a finished game ended; `ending` is what ended it before its rules did."""
    outcome, points = api.outcome_of(game, ending), game.returns()
    message = game_pb2.Outcome(
        results=[
            game_pb2.SeatResult(seat=seat, rank=rank, points=points[seat]) for seat, rank in enumerate(outcome.ranks)
        ],
        ending=_ENDINGS[type(ending)],
    )
    if ending is None:
        family_of(game.variant.id).outcome_to(game, message)
    else:
        message.ending_seat = ending.seat
    return message


def record_to_message(
    live: LiveGame, version: int, viewer: int | None, *, everything: bool = False
) -> game_pb2.GameRecord:
    """The record that made a version, as a viewer may see it, or with everything."""
    return step_to_message(live, version, live.steps[version - 1], viewer, everything=everything)


def step_to_message(
    live: LiveGame, version: int, step: Step, viewer: int | None, *, everything: bool = False
) -> game_pb2.GameRecord:
    """A record that made, or would make, a version, as a viewer may see it, or with everything."""
    message = game_pb2.GameRecord(version=version, create_time=timestamp(step.time))
    if step.applied.events:
        write = family_of(live.header.variant).event_to
        seen = [event if everything else event.seen_by(viewer) for event in step.applied.events]
        message.events.extend([write(event) for event in seen])
    _kind_to_message(live, step, message, show_action=everything or step.applied.action_known_to(viewer))
    return message


def _kind_to_message(live: LiveGame, step: Step, out: game_pb2.GameRecord, *, show_action: bool) -> None:
    match step.applied.record:
        case api.ActionTaken(seat, action_id):
            out.action.seat = seat
            if show_action:
                out.action.action_id = action_id
                _action_to_message(live, action_id, out.action)
        case api.ActionsUndone(seat, count):
            out.undo.seat, out.undo.count = seat, count
        case record:
            _life_to_message(record, live.header.variant, out)


def _life_to_message(record: api.Record, variant: str, out: game_pb2.GameRecord) -> None:
    """Write a record about seats or the game's life."""
    match record:
        case api.Started():
            out.started.SetInParent()
        case api.SeatClaimed(seat, display_name, _):
            out.seat_claimed.SetInParent()
            out.seat_claimed.seat, out.seat_claimed.display_name = seat, display_name
        case api.SeatReleased(seat, _):
            out.seat_released.SetInParent()
            out.seat_released.seat = seat
        case api.SeatBot(seat, bot, _):
            out.seat_bot.seat = seat
            out.seat_bot.bot.CopyFrom(bot_identity(bot, variant))
        case api.Aborted(reason):
            out.aborted.SetInParent()
            out.aborted.explanation = reason
        case api.HostTokenReplaced():
            out.host_token_replaced.SetInParent()
        case api.SeatResigned(seat):
            out.seat_resigned.SetInParent()
            out.seat_resigned.seat = seat
        case api.ClockExpired(seat):
            out.clock_expired.SetInParent()
            out.clock_expired.seat = seat
        case api.GameEnded():
            out.ended.SetInParent()
        case _:
            raise TypeError(f"{type(record).__name__} has no message")


def _action_to_message(live: LiveGame, action_id: int, out: game_pb2.ActionRecord) -> None:
    """Add the typed action, where the action space is at hand."""
    if live.history is not None and live.history.game is not None:
        family_of(live.header.variant).action_to(live.history.game.action(action_id), out.action)


def view_to_message(live: LiveGame, moment: Moment, viewer: int | None) -> game_pb2.GameView:
    """What a viewer may see of a moment."""
    message = game_pb2.GameView(
        version=moment.version,
        state=STATES[moment.status],
        seats=[seat_to_message(number, seat, live.header.variant, live) for number, seat in enumerate(moment.seats)],
        seeded=live.header.seeded,
        viewer_seat=viewer,
    )
    if moment.game is not None:
        family_of(live.header.variant).view_to(moment.game.view(viewer), message)
        if moment.status is api.Status.FINISHED:
            message.outcome.CopyFrom(outcome_to_message(moment.game, moment.ending))
        if moment.status is not api.Status.RUNNING:
            message.ClearField("pending")
    return message


def score_sheet_to_message(live: LiveGame, moment: Moment) -> game_pb2.ScoreSheet:
    """Points by source at a moment."""
    message = game_pb2.ScoreSheet(version=moment.version)
    if moment.game is not None:
        family_of(live.header.variant).score_sheet_to(moment.game, message)
        if moment.status is api.Status.FINISHED:
            message.outcome.CopyFrom(outcome_to_message(moment.game, moment.ending))
    return message


def fairness_to_message(live: LiveGame) -> game_pb2.Fairness:
    """The commitment, opened once the game has ended."""
    header = live.header
    public = {
        "variant": header.variant,
        "seats": len(header.seats),
        "options": header.options,
        "pack": header.pack_hash.hex(),
        "rules_revision": header.rules_revision,
    }
    configuration = json.dumps(public, sort_keys=True, separators=(",", ":"))
    message = game_pb2.Fairness(commitment=header.commitment, configuration=configuration)
    if live.ended:
        message.seed, message.nonce = header.seed, header.nonce
    return message
