"""Small helpers around the API's messages: seats to create, choices to submit, packed sets to read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from meadow_api.v1 import common_pb2, game_pb2, game_service_pb2, spring_meadow_pb2

SEED_BYTES = 32

SpringMeadowChoice = (
    spring_meadow_pb2.SpringMeadowTakeTile
    | spring_meadow_pb2.SpringMeadowPlaceTile
    | spring_meadow_pb2.SpringMeadowTakeAndPlaceTile
    | spring_meadow_pb2.SpringMeadowPlaceMarmot
    | spring_meadow_pb2.SpringMeadowChooseRock
    | spring_meadow_pb2.SpringMeadowPlaceRock
    | spring_meadow_pb2.SpringMeadowChooseBoard
)
"""The typed choices of Spring Meadow."""

_SPRING_FIELDS: dict[type, str] = {
    spring_meadow_pb2.SpringMeadowTakeTile: "take_tile",
    spring_meadow_pb2.SpringMeadowPlaceTile: "place_tile",
    spring_meadow_pb2.SpringMeadowTakeAndPlaceTile: "take_and_place_tile",
    spring_meadow_pb2.SpringMeadowPlaceMarmot: "place_marmot",
    spring_meadow_pb2.SpringMeadowChooseRock: "choose_rock",
    spring_meadow_pb2.SpringMeadowPlaceRock: "place_rock",
    spring_meadow_pb2.SpringMeadowChooseBoard: "choose_board",
}

Choice = int | game_pb2.LegalAction | game_pb2.Action | SpringMeadowChoice
"""Everything a single choice can be given as: its id, an entry of a legal list, or a typed action."""


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
    """A seed as the service takes it: 32 bytes; a number becomes its big-endian bytes, as in the engine."""
    return seed if isinstance(seed, bytes) else seed.to_bytes(SEED_BYTES, "big")


def options_message(
    options: game_pb2.GameOptions | spring_meadow_pb2.SpringMeadowOptions | None,
) -> game_pb2.GameOptions | None:
    """Options in the neutral frame."""
    if isinstance(options, spring_meadow_pb2.SpringMeadowOptions):
        return game_pb2.GameOptions(spring_meadow=options)
    return options


def action_message(choice: game_pb2.Action | SpringMeadowChoice) -> game_pb2.Action:
    """A typed choice in the neutral frame."""
    if isinstance(choice, game_pb2.Action):
        return choice
    field = _SPRING_FIELDS[type(choice)]
    return game_pb2.Action(spring_meadow=spring_meadow_pb2.SpringMeadowAction(**{field: choice}))  # type: ignore[arg-type]


def choices_of(choice: Choice) -> list[game_pb2.ActionChoice]:
    """A choice as the API submits it; a composite entry of a legal list makes several."""
    if isinstance(choice, game_pb2.LegalAction):
        return [game_pb2.ActionChoice(action_id=number) for number in (choice.action_id, *choice.then_action_ids)]
    if isinstance(choice, int):
        return [game_pb2.ActionChoice(action_id=choice)]
    return [game_pb2.ActionChoice(action=action_message(choice))]


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
