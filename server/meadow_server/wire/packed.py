"""Lists of legal actions, the fast way: joined from bytes that were serialised before.

Building a message for each of some fifty actions costs more than everything else a call does. Id and typed action of an
entry never change, and its label depends on little of the position (`FamilyWire.label_key`), so their bytes are kept.
The tests hold the result against the plain way, `wire.legal`.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from functools import cache, lru_cache

from google.protobuf.descriptor import Descriptor
from google.protobuf.message import Message
from meadow_api.v1 import game_pb2, game_service_pb2
from meadow_engine import api

from meadow_server.live import Moment
from meadow_server.wire.families import FamilyWire, family_of
from meadow_server.wire.legal import IDS, MASK, fill, unlabelled_action

MAX_TABLES = 512
KEPT_NUMBERS = 8192
_LENGTH_DELIMITED = 2
_ACTIONS = game_pb2.LegalActionList.ACTIONS_FIELD_NUMBER
_LABEL = game_pb2.LegalAction.LABEL_FIELD_NUMBER

_tables: OrderedDict[object, dict[int, bytes]] = OrderedDict()
"""For a family, a pack and what labels depend on: the entry of each action, as a field of the list; for a family and a
pack alone, the part of an entry before its label."""


def legal_list_bytes(moment: Moment, form: game_service_pb2.LegalActionFormat.ValueType) -> bytes:
    """All legal actions of the seat to move, as `wire.legal.legal_list` has them, serialised."""
    head = game_pb2.LegalActionList(version=moment.version)
    if moment.game is None or moment.pending_seat is None:
        return head.SerializeToString()
    ids = moment.game.legal_ids()
    head.pending_seat, head.total_size = moment.pending_seat, len(ids)
    return listed(head, moment.game, ids, form)


def listed(
    head: game_pb2.LegalActionList,
    game: api.Game,
    ids: Sequence[int],
    form: game_service_pb2.LegalActionFormat.ValueType,
) -> bytes:
    """A list with these ids behind what its head says, serialised."""
    if form in {IDS, MASK}:
        fill(head, game, ids, form)
        return head.SerializeToString()
    family = family_of(game.variant.id)
    pack, key = game.config.pack.hash, family.label_key(game)
    table = {} if key is None else kept_table((family.field, pack, key))
    missing = [action_id for action_id in ids if action_id not in table]
    if missing:
        unlabelled = kept_table((family.field, pack))
        table.update((action_id, _entry(game, family, action_id, unlabelled)) for action_id in missing)
    return head.SerializeToString() + b"".join([table[action_id] for action_id in ids])


def field_bytes(number: int, body: bytes) -> bytes:
    """A message as a field of another."""
    return varint(number << 3 | _LENGTH_DELIMITED) + varint(len(body)) + body


def joined(message: Message, **fields: bytes | Sequence[bytes] | None) -> bytes:
    """A message, serialised, with more fields that are serialised already; None adds nothing, a sequence several."""
    parts = [message.SerializeToString()]
    for name, given in fields.items():
        if given is not None:
            number = field_number(message.DESCRIPTOR, name)
            bodies = [given] if isinstance(given, bytes) else given
            parts += [field_bytes(number, body) for body in bodies]
    return b"".join(parts)


@cache
def field_number(message: Descriptor, name: str) -> int:
    """The number of a message's field."""
    number: int = message.fields_by_name[name].number
    return number


def kept_table(key: object) -> dict[int, bytes]:
    """Bytes kept by action id, for a key; the tables used longest ago are dropped."""
    table = _tables.get(key)
    if table is None:
        table = _tables[key] = {}
        if len(_tables) > MAX_TABLES:
            _tables.popitem(last=False)
    else:
        _tables.move_to_end(key)
    return table


def _entry(game: api.Game, family: FamilyWire, action_id: int, unlabelled: dict[int, bytes]) -> bytes:
    part = unlabelled.get(action_id)
    if part is None:
        part = unlabelled[action_id] = unlabelled_action(game, family, action_id).SerializeToString()
    return field_bytes(_ACTIONS, part + field_bytes(_LABEL, game.label(action_id).encode()))


def number_bytes(number: int, value: int) -> bytes:
    """A number from 0 as a field of a message; zero is not written."""
    return varint(number << 3) + varint(value) if value else b""


@lru_cache(maxsize=KEPT_NUMBERS)
def varint(number: int) -> bytes:
    """A number from 0 as protobuf writes it."""
    if number < 1 << 7:
        return number.to_bytes(1, "little")
    out = bytearray()
    while number >= 1 << 7:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)
