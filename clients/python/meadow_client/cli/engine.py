"""The engine for commands that need it: its games as the API's messages, and actions played back."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from meadow_api.v1 import catalogue_pb2, game_pb2

from meadow_client.cli.failure import Failure

if TYPE_CHECKING:
    from meadow_engine import api


def pack_in(folder: Path | None) -> api.Pack:
    """The content pack in a folder, or the built-in one.

    Raises:
        Failure: the pack is faulty.
    """
    from meadow_engine import api

    if folder is None:
        return api.builtin_pack()
    try:
        return api.load_pack(folder)
    except api.ContentError as faulty:
        raise Failure(f"the pack in {folder} is faulty:\n{faulty}") from None


def view_message(game: api.Game, *, version: int = 0) -> game_pb2.GameView:
    """A game as a spectator sees it, in the API's form."""
    from meadow_server.wire.families import FAMILIES

    view = game_pb2.GameView(version=version)
    FAMILIES[game.variant.family].view_to(game.view(None), view)
    if game.is_over:
        view.outcome.CopyFrom(outcome_message(game))
    return view


def family_of(variant: str) -> str:
    """The engine's name of the family that a variant belongs to; Failure if there is no such variant."""
    from meadow_engine import api

    try:
        return api.variant(variant).family
    except api.UnknownVariant as unknown:
        raise Failure(str(unknown), exit_code=2) from None


def pack_catalogue(pack: api.Pack, family: str) -> catalogue_pb2.Catalogue:
    """The components of a pack for a family of games, in the API's form."""
    from meadow_server.wire.catalogue import catalogue_to_message

    return catalogue_to_message(pack, family)


def options_of(config: api.GameConfig) -> game_pb2.GameOptions:
    """The options of a game as they hold, in the API's form."""
    from meadow_server.wire.families import FAMILIES

    found = game_pb2.GameOptions()
    FAMILIES[config.variant.family].options_to(config.options, found)
    return found


def action_message(game: api.Game, action_id: int) -> game_pb2.Action:
    """An action of a game, in the API's form."""
    from meadow_server.wire.families import FAMILIES

    found = game_pb2.Action()
    FAMILIES[game.variant.family].action_to(game.action(action_id), found)
    return found


def outcome_message(game: api.Game, ending: api.Departure | None = None) -> game_pb2.Outcome:
    """How a finished game ended, in the API's form; `ending` as in `History.ending`."""
    from meadow_server.wire.game import outcome_to_message

    return outcome_to_message(game, ending)


def event_message(game: api.Game, event: api.Event) -> game_pb2.GameEvent:
    """An event as it is, with what only some seats may see, in the API's form."""
    from meadow_server.wire.families import FAMILIES

    return FAMILIES[game.variant.family].event_to(event)
