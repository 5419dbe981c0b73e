"""Small helpers around the API's messages: seats to create, choices to submit, packed sets to read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from operator import index
from typing import Any, SupportsIndex, TypeVar

from google.protobuf.message import Message
from meadow_api.v1 import common_pb2, game_pb2, game_service_pb2

from meadow_client.errors import BadArgument

SEED_BYTES = 32
M = TypeVar("M", bound=Message)

Choice = SupportsIndex | game_pb2.LegalAction | Message
"""A single choice: its id (NumPy's integers too), an entry of a legal list, or a typed action such as
`SpringMeadowTakeTile` or `Action`."""


def value_name(enum: Any, number: int) -> str:
    """A value's name without the enum's in front, such as RED; its number where this client does not know it."""
    known = enum.DESCRIPTOR.values_by_number.get(number)
    if known is None:
        return str(number)
    prefix = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", enum.DESCRIPTOR.name).upper()
    return str(known.name).removeprefix(f"{prefix}_")


def reserved(
    display_name: str = "", colour: common_pb2.SeatColour.ValueType = common_pb2.SEAT_COLOUR_UNSPECIFIED
) -> game_service_pb2.SeatSpec:
    """A seat whose token comes back with the game."""
    kind = common_pb2.SEAT_KIND_RESERVED
    return game_service_pb2.SeatSpec(kind=kind, display_name=display_name, colour=colour)


def open_seat() -> game_service_pb2.SeatSpec:
    """A seat for whoever has the join code."""
    return game_service_pb2.SeatSpec(kind=common_pb2.SEAT_KIND_OPEN)


def bot_seat(bot: str, display_name: str = "") -> game_service_pb2.SeatSpec:
    """A seat that a bot of the server plays."""
    return game_service_pb2.SeatSpec(kind=common_pb2.SEAT_KIND_BOT, bot=bot, display_name=display_name)


def seed_bytes(seed: int | bytes) -> bytes:
    """A seed as the service takes it: 32 bytes; a number becomes its big-endian bytes, as in the engine.

    Raises:
        BadArgument: the number is negative or too large.
    """
    if isinstance(seed, bytes):
        return seed
    if not 0 <= seed < 1 << 8 * SEED_BYTES:
        raise BadArgument("seed", "a number from 0 to 2**256 - 1")
    return seed.to_bytes(SEED_BYTES, "big")


N = TypeVar("N", int, int | None)


def number(argument: str, given: N, bits: int = 32) -> N:
    """A number, or none, that a field of so many bits without sign can carry.

    Raises:
        BadArgument: it is none of these.
    """
    value: object = given  # whatever it is declared to be
    if value is not None and not (isinstance(value, int) and 0 <= value < 1 << bits):
        raise BadArgument(argument, f"a number from 0 to 2**{bits} - 1, not {given!r}")
    return given


def _members(frame: Message, oneof: str) -> Iterator[tuple[str, Message]]:
    """The alternatives of a oneof, each with its field's name."""
    for field in frame.DESCRIPTOR.oneofs_by_name[oneof].fields:
        yield field.name, getattr(frame, field.name)


def _fill(frame: Message, oneof: str, message: Message) -> bool:
    """Put a message where it belongs in a oneof; False if it does not belong there."""
    for name, alternative in _members(frame, oneof):
        if alternative.DESCRIPTOR.full_name == message.DESCRIPTOR.full_name:
            getattr(frame, name).CopyFrom(message)
            return True
    return False


def framed(frame: type[M], message: Message) -> M:
    """A family's message in its neutral frame; a message that is one already stays as it is.

    Raises:
        TypeError: the message does not belong into this frame.
    """
    if isinstance(message, frame):
        return message
    found = frame()
    if not _fill(found, "family", message):
        raise TypeError(f"{message.DESCRIPTOR.full_name} is no {frame.DESCRIPTOR.name}")
    return found


def options_message(options: Message | None) -> game_pb2.GameOptions | None:
    """A family's options, such as `SpringMeadowOptions`, in the neutral frame."""
    return None if options is None else framed(game_pb2.GameOptions, options)


def action_message(action: Message) -> game_pb2.Action:
    """A typed action in the neutral frame: a whole one, a family's, or one of its kinds of choices."""
    found = game_pb2.Action()
    for _, family in _members(found, "family"):
        if _fill(family, "action", action):
            return framed(game_pb2.Action, family)
    return framed(game_pb2.Action, action)


def choices_of(choice: Choice) -> list[game_pb2.ActionChoice]:
    """A choice as the API submits it; a composite entry of a legal list makes several.

    Raises:
        BadArgument: it is no choice.
    """
    if isinstance(choice, game_pb2.LegalAction):
        return [game_pb2.ActionChoice(action_id=one) for one in (choice.action_id, *choice.then_action_ids)]
    if isinstance(choice, Message):
        return [game_pb2.ActionChoice(action=action_message(choice))]
    if isinstance(choice, SupportsIndex):
        return [game_pb2.ActionChoice(action_id=number("choice", index(choice)))]
    raise BadArgument("choice", f"an id, an entry of a legal list or a typed action, not {choice!r}")


def set_choice(request: game_service_pb2.SubmitActionRequest, choice: Choice | Sequence[Choice]) -> None:
    """Put a choice, or several as a batch, into a request."""
    several = choice if isinstance(choice, Sequence) else (choice,)
    choices = [message for one in several for message in choices_of(one)]
    if isinstance(choice, Sequence) or len(choices) != 1:
        request.batch.SetInParent()
        request.batch.choices.extend(choices)
    elif choices[0].WhichOneof("choice") == "action":
        request.action.CopyFrom(choices[0].action)
    else:
        request.action_id = choices[0].action_id


def members(packed: bytes) -> Iterator[int]:
    """The members of a packed set, ascending: of cells, rows or action ids."""
    number = int.from_bytes(packed, "little")
    while number:
        lowest = number & -number
        yield lowest.bit_length() - 1
        number ^= lowest


def packed(numbers: Iterable[int]) -> bytes:
    """The packed set of some numbers."""
    mask = 0
    for number in numbers:
        mask |= 1 << number
    return mask.to_bytes((mask.bit_length() + 7) // 8, "little")


def game_name(text: str) -> str:
    """The resource name of a game given as `games/{id}` or as its id alone."""
    return text if text.startswith("games/") else f"games/{text}"
