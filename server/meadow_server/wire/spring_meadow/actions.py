"""Actions, options, filters and refusals of Spring Meadow."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from meadow_api.v1 import game_pb2
from meadow_api.v1 import spring_meadow_pb2 as pb
from meadow_engine import api
from meadow_engine.api import spring_actions as engine
from meadow_engine.api import spring_catalogue

from meadow_server.errors import bad_field

COLUMNS, CELLS = spring_catalogue.COLUMNS, spring_catalogue.CELLS


_RULES = {name.removeprefix("SPRING_MEADOW_RULE_"): number for name, number in pb.SpringMeadowRule.items()}


def action_to_message(action: Any, out: game_pb2.Action) -> None:
    """Write a typed action into a message."""
    spring = out.spring_meadow
    match action:
        case engine.TakeTile(space):
            spring.take_tile.SetInParent()
            spring.take_tile.space = space
        case engine.PlaceTile(form, row, column):
            spring.place_tile.SetInParent()
            spring.place_tile.form, spring.place_tile.row, spring.place_tile.column = form, row, column
        case engine.PlaceMarmot(row, column):
            spring.place_marmot.SetInParent()
            spring.place_marmot.row, spring.place_marmot.column = row, column
        case engine.ChooseRock(start, size):
            spring.choose_rock.SetInParent()
            spring.choose_rock.start_rock, spring.choose_rock.size = start, size
        case engine.PlaceRock(shape, form, row, column):
            spring.place_rock.SetInParent()
            spring.place_rock.shape, spring.place_rock.form = shape, form
            spring.place_rock.row, spring.place_rock.column = row, column
        case engine.ChooseBoard(face):
            spring.choose_board.SetInParent()
            spring.choose_board.face = face
        case _:
            raise TypeError(f"{type(action).__name__} has no message")


def composite_to_message(take: engine.TakeTile, place: engine.PlaceTile, out: game_pb2.Action) -> None:
    """Write a take and its placement as one composite action."""
    both = out.spring_meadow.take_and_place_tile
    both.space, both.form, both.row, both.column = take.space, place.form, place.row, place.column
    both.SetInParent()


_READERS: Mapping[str, Callable[[Any], tuple[Any, ...]]] = {
    "take_tile": lambda m: (engine.TakeTile(m.space),),
    "place_tile": lambda m: (engine.PlaceTile(m.form, m.row, m.column),),
    "place_marmot": lambda m: (engine.PlaceMarmot(m.row, m.column),),
    "choose_rock": lambda m: (engine.ChooseRock(m.start_rock, m.size),),
    "place_rock": lambda m: (engine.PlaceRock(m.shape, m.form, m.row, m.column),),
    "choose_board": lambda m: (engine.ChooseBoard(m.face),),
    "take_and_place_tile": lambda m: (engine.TakeTile(m.space), engine.PlaceTile(m.form, m.row, m.column)),
}


def actions_from_message(message: pb.SpringMeadowAction, field: str) -> tuple[Any, ...]:
    """The typed actions of a message: one, or the parts of a composite.

    Raises:
        ApiError: nothing is set; `field` is the message's path.
    """
    kind = message.WhichOneof("action")
    if kind is None:
        raise bad_field(field, "one of its actions must be set")
    return _READERS[kind](getattr(message, kind))


def options_from_message(message: pb.SpringMeadowOptions) -> dict[str, object]:
    """The options that a message gives, for the engine to check."""
    options: dict[str, object] = {}
    if message.expert:
        options["expert"] = True
    if message.faces:
        options["faces"] = list(message.faces)
    if message.HasField("first_seat"):
        options["first_seat"] = message.first_seat
    return options


def options_to_message(options: Mapping[str, Any], out: game_pb2.GameOptions) -> None:
    """Write options, as they hold, into a message."""
    spring = out.spring_meadow
    spring.SetInParent()
    spring.expert = bool(options.get("expert", False))
    spring.faces.extend(options.get("faces", ()))
    if (first_seat := options.get("first_seat", -1)) >= 0:
        spring.first_seat = first_seat


def illegal_to_message(error: api.IllegalAction, out: game_pb2.IllegalActionDetail) -> None:
    """Write the rule that forbids an action, with its arguments, into a detail."""
    illegal = out.spring_meadow
    illegal.rule = _RULES.get(error.rule, pb.SPRING_MEADOW_RULE_UNSPECIFIED)
    arguments = {name: int(value) for name, value in error.details.items() if value.isdecimal()}
    if "row" in arguments:
        illegal.row, illegal.column = arguments["row"], arguments["column"]
    if "space" in arguments:
        illegal.space = arguments["space"]
    illegal.burrows_covered = arguments.get("needed", 0)
    illegal.burrows_cleared = arguments.get("cleared", 0)


class Matcher:
    """Tells which actions of a position meet a filter, `composite` apart."""

    def __init__(self, game: api.Game, wanted: pb.SpringMeadowActionFilter) -> None:
        pending = game.view().pending
        self._catalogue = game.catalogue
        self._tile = game.catalogue.tiles[pending.tile] if pending is not None and pending.tile >= 0 else None
        self._wanted = wanted

    def matches(self, action: Any) -> bool:
        """Whether an action meets every condition."""
        wanted = self._wanted
        if wanted.HasField("space") and not (isinstance(action, engine.TakeTile) and action.space == wanted.space):
            return False
        if wanted.HasField("rock_shape") and not (
            isinstance(action, engine.PlaceRock) and action.shape == wanted.rock_shape
        ):
            return False
        if wanted.HasField("form") and not self._has_form(action, wanted.form):
            return False
        return not wanted.HasField("cell") or self._covers(action, wanted.cell)

    def _piece(self, action: Any) -> Any:
        """The tile or rock that an action places; None for other actions."""
        if isinstance(action, engine.PlaceTile):
            return self._tile
        return self._catalogue.rocks[action.shape] if isinstance(action, engine.PlaceRock) else None

    def _covers(self, action: Any, cell: int) -> bool:
        """Whether a placement covers a cell, or a marmot goes on it."""
        if isinstance(action, engine.PlaceMarmot):
            return cell == action.row * COLUMNS + action.column
        piece = self._piece(action)
        if piece is None or cell >= CELLS:
            return False
        form = piece.forms[piece.form_of[action.form]]
        return bool(form.covered_mask << action.row * COLUMNS + action.column >> cell & 1)

    def _has_form(self, action: Any, symmetry: int) -> bool:
        piece = self._piece(action)
        if piece is None or symmetry >= len(piece.form_of):
            return False
        return bool(piece.forms[piece.form_of[symmetry]].index == action.form)
