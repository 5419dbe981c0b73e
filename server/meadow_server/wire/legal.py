"""Lists of legal actions: the plain way to make one."""

from __future__ import annotations

from collections.abc import Sequence

from meadow_api.v1 import game_pb2, game_service_pb2
from meadow_engine import api

from meadow_server.live import Moment
from meadow_server.wire.families import FamilyWire, family_of

IDS = game_service_pb2.LEGAL_ACTION_FORMAT_IDS
MASK = game_service_pb2.LEGAL_ACTION_FORMAT_MASK


def legal_list(moment: Moment, form: game_service_pb2.LegalActionFormat.ValueType) -> game_pb2.LegalActionList:
    """All legal actions of the seat to move."""
    if moment.game is None or moment.pending_seat is None:
        return game_pb2.LegalActionList(version=moment.version)
    ids = moment.game.legal_ids()
    message = game_pb2.LegalActionList(version=moment.version, pending_seat=moment.pending_seat, total_size=len(ids))
    fill(message, moment.game, ids, form)
    return message


def fill(
    message: game_pb2.LegalActionList,
    game: api.Game,
    ids: Sequence[int],
    form: game_service_pb2.LegalActionFormat.ValueType,
) -> None:
    """Write ids into a list, in the form asked for."""
    if form == MASK:
        message.action_mask = api.packed_mask(ids, game.action_space.size)
    elif form == IDS:
        message.action_ids.extend(ids)
    else:
        family = family_of(game.variant.id)
        message.actions.extend(legal_action(game, family, action_id) for action_id in ids)


def legal_action(game: api.Game, family: FamilyWire, action_id: int) -> game_pb2.LegalAction:
    """One legal action: id, typed action, label."""
    message = unlabelled_action(game, family, action_id)
    message.label = game.label(action_id)
    return message


def unlabelled_action(game: api.Game, family: FamilyWire, action_id: int) -> game_pb2.LegalAction:
    """One action without its label: what never depends on the position."""
    message = game_pb2.LegalAction(action_id=action_id)
    family.action_to(game.action(action_id), message.action)
    return message
