"""Records of actions, the fast way: joined from bytes of events and actions that were serialised before.

Every submission is answered with its records, and every watcher gets them. Events and actions are values, so their
bytes can be kept; a record that all viewers see alike is kept whole. The tests hold the result against the plain way,
`wire.game.step_to_message`.
"""

from __future__ import annotations

from functools import lru_cache

from google.protobuf.message import Message
from meadow_api.v1 import game_pb2
from meadow_engine import api

from meadow_server.live import MICROSECONDS, LiveGame, Step
from meadow_server.wire.families import FAMILIES, family_of
from meadow_server.wire.game import step_to_message
from meadow_server.wire.packed import field_bytes, kept_table, number_bytes, varint

KEPT_EVENTS = 16_384
KEPT_RECORDS = 64
"""Records kept whole for each game: what a watcher may be behind before it gets a snapshot."""


def _number(message: type[Message], field: str) -> int:
    return message.DESCRIPTOR.fields_by_name[field].number


_VERSION = _number(game_pb2.GameRecord, "version")
_EVENTS = _number(game_pb2.GameRecord, "events")
_ACTION = _number(game_pb2.GameRecord, "action")
_TIME = _number(game_pb2.GameRecord, "create_time")
_SEAT = _number(game_pb2.ActionRecord, "seat")
_ACTION_ID = varint(_number(game_pb2.ActionRecord, "action_id") << 3)
_TYPED = _number(game_pb2.ActionRecord, "action")


def record_bytes(live: LiveGame, version: int, viewer: int | None) -> bytes:
    """The record that made a version, as a viewer may see it, serialised."""
    kept = live.kept_records
    known = kept.get(version)
    if known is None:
        step = live.steps[version - 1]
        known = step_bytes(live, version, step, viewer)
        if _is_public(step):
            kept[version] = known
            kept.pop(version - KEPT_RECORDS, None)
    return known


def step_bytes(live: LiveGame, version: int, step: Step, viewer: int | None) -> bytes:
    """A record that made, or would make, a version, as a viewer may see it, serialised."""
    applied = step.applied
    if not isinstance(applied.record, api.ActionTaken) or live.history is None:
        return step_to_message(live, version, step, viewer).SerializeToString()
    family = family_of(live.header.variant)
    seconds, rest = divmod(step.time, MICROSECONDS)
    return b"".join(
        [
            number_bytes(_VERSION, version),
            *[_event_field(family.field, event.seen_by(viewer)) for event in applied.events],
            field_bytes(_ACTION, _action_record(live, applied.record, shown=applied.action_known_to(viewer))),
            field_bytes(_TIME, number_bytes(1, seconds) + number_bytes(2, rest * 1000)),
        ]
    )


def _is_public(step: Step) -> bool:
    """Whether everybody sees the whole record: a spectator does, and nobody sees less."""
    return step.applied.knowers is None and all(event.seen_by(None) is event for event in step.applied.events)


@lru_cache(maxsize=KEPT_EVENTS)
def _event_field(family: str, event: api.Event) -> bytes:
    return field_bytes(_EVENTS, FAMILIES[family].event_to(event).SerializeToString())


def _action_record(live: LiveGame, record: api.ActionTaken, *, shown: bool) -> bytes:
    seat = number_bytes(_SEAT, record.seat)
    if not shown:
        return seat
    return seat + _ACTION_ID + varint(record.action_id) + _typed_field(live, record.action_id)


def _typed_field(live: LiveGame, action_id: int) -> bytes:
    """The typed action as a field, where the action space is at hand."""
    if live.history is None or live.history.game is None:
        return b""
    family = family_of(live.header.variant)
    table = kept_table((family.field, live.header.pack_hash, "typed"))
    if action_id not in table:
        message = game_pb2.Action()
        family.action_to(live.history.game.action(action_id), message)
        table[action_id] = field_bytes(_TYPED, message.SerializeToString())
    return table[action_id]
