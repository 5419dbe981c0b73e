"""Set-up (rulebook: Set-up, Set-up (Solo Game), Campaign)."""

from __future__ import annotations

from meadow_engine.kernel.errors import BadOption
from meadow_engine.kernel.rng import Streams
from meadow_engine.kernel.stack import run
from meadow_engine.kernel.variant import OptionValue
from meadow_engine.kernel.zones import HiddenPile
from meadow_engine.spring_meadow.catalogue import MAP_SPACES, Catalogue
from meadow_engine.spring_meadow.refill import Refill
from meadow_engine.spring_meadow.solo import StartSoloGame, take_board
from meadow_engine.spring_meadow.state import NONE, Mountain, SpringState
from meadow_engine.spring_meadow.turn import StartTurn

TILE_STREAM = "tiles"
BOARD_STREAM = "boards"
FIRST_SEAT_STREAM = "first seat"


def set_up(catalogue: Catalogue, seats: int, options: dict[str, OptionValue], seed: bytes) -> SpringState:
    """A game for two to four players, run to the first decision."""
    state = _shuffled(catalogue, seats, options, seed)
    state.expert = bool(options["expert"])
    state.meadow_map = [NONE] * MAP_SPACES
    state.mountains = [Mountain() for _ in range(seats)]
    if state.faces and len(state.faces) != seats:
        raise BadOption(f"{seats} seats need {seats} board faces, not {len(state.faces)}", option="faces")
    for seat, face in enumerate(state.faces or _deal_boards(state)):
        take_board(state, seat, face)
    first = _first_seat(state, options["first_seat"])
    for order, size in enumerate(catalogue.start_rocks[seats]):
        state.mountains[(first + order) % seats].start_rock = size
    state.push(StartTurn(first))
    state.push(Refill())
    run(state)
    return state


def set_up_alone(catalogue: Catalogue, options: dict[str, OptionValue], seed: bytes, *, campaign: bool) -> SpringState:
    """A solo game or a campaign, run to the first decision."""
    state = _shuffled(catalogue, 1, options, seed)
    state.campaign = [] if campaign else None
    state.push(StartSoloGame(0))
    run(state)
    return state


def read_faces(catalogue: Catalogue, names: OptionValue) -> tuple[int, ...]:
    """Numbers of the board faces named at creation; BadOption for an unknown name or a board named twice."""
    assert isinstance(names, tuple)
    unknown = [name for name in names if name not in catalogue.face_ids]
    if unknown:
        known = ", ".join(catalogue.face_ids)
        raise BadOption(f"no board face {unknown[0]!r}; there are {known}", option="faces")
    faces = tuple(catalogue.face_ids[name] for name in names)
    if len({catalogue.faces[face].board for face in faces}) < len(faces):
        raise BadOption("each board has two faces and can be taken once only", option="faces")
    return faces


def _shuffled(catalogue: Catalogue, seats: int, options: dict[str, OptionValue], seed: bytes) -> SpringState:
    state = SpringState(catalogue, seats, Streams(seed), read_faces(catalogue, options["faces"]))
    tiles = list(catalogue.box)
    state.streams.shuffle(TILE_STREAM, tiles)
    state.box = HiddenPile(tiles)
    return state


def _deal_boards(state: SpringState) -> list[int]:
    faces = state.catalogue.faces
    boards = sorted({face.board for face in faces})
    state.streams.shuffle(BOARD_STREAM, boards)
    dealt = []
    for board in boards[: state.seats]:
        sides = [face.number for face in faces if face.board == board]
        dealt.append(sides[state.streams.below(BOARD_STREAM, len(sides))])
    return dealt


def _first_seat(state: SpringState, option: OptionValue) -> int:
    assert isinstance(option, int)
    if option >= state.seats:
        raise BadOption(f"seat {option} is not in this game", option="first_seat")
    return option if option >= 0 else state.streams.below(FIRST_SEAT_STREAM, state.seats)
