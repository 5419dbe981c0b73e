"""Replays as files are of anybody's making: whatever is in them, the commands say so in a line."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message
from meadow_api.v1 import game_pb2
from meadow_client import Client, play, replay_from_bytes, replay_to_bytes

from tests.client.running import meadow

COMMANDS = (("replay", "tell"), ("replay", "show"), ("replay", "verify"), ("draw",))
SHORT, LONG = 5, 400
Number = tuple[Message, FieldDescriptor, int | None]
"""A number in a message: what holds it, its field, and its place if there are several."""


@pytest.fixture(scope="module", name="replays")
def _replays(address: str) -> list[game_pb2.Replay]:
    """A replay of each family."""
    games = [
        play(address, lambda turn: turn.actions[0], variant=variant, opponents=["random"])
        for variant in ("spring_meadow", "meadow")
    ]
    with Client(address) as client:
        return [client.get_replay(game.name) for game in games]


def numbers(message: Message) -> Iterator[Number]:
    """Every number and enum value in a message."""
    for field, value in message.ListFields():
        if field.type == FieldDescriptor.TYPE_MESSAGE:
            for inner in value if field.is_repeated else [value]:
                yield from numbers(inner)
        elif field.cpp_type not in {FieldDescriptor.CPPTYPE_STRING, FieldDescriptor.CPPTYPE_BOOL}:
            yield from ((message, field, place) for place in (range(len(value)) if field.is_repeated else [None]))


def damage(replay: game_pb2.Replay, random: Random) -> str:
    """Change one number; answers which."""
    message, field, place = random.choice(list(numbers(replay)))
    other: Any = random.choice([0, 1, 2, 5, 9, 77, 1_000, 2**31 - 1])
    if place is None:
        setattr(message, field.name, other)
    else:
        getattr(message, field.name)[place] = other
    return f"{message.DESCRIPTOR.name}.{field.name} = {other}"


def tell_damaged(replays: list[game_pb2.Replay], folder: Path, seed: int, count: int) -> None:
    """Give damaged replays to every command that reads one."""
    random, file = Random(seed), folder / "damaged.replay"
    for _ in range(count):
        replay = replay_from_bytes(replay_to_bytes(random.choice(replays)))
        changed = damage(replay, random)
        file.write_bytes(replay_to_bytes(replay))
        for command in COMMANDS:
            more = ("-o", folder / "drawn.svg") if command == ("draw",) else ()
            try:
                done = meadow(*command, file, *more)
            except Exception as error:
                error.add_note(f"{' '.join(command)} with {changed}")
                raise
            assert done.exit_code in {0, 1, 2}


def test_damaged_replays_are_told_as_damaged(replays: list[game_pb2.Replay], tmp_path: Path) -> None:
    """A replay with any number changed is shown, or refused in a line; no command fails over it."""
    tell_damaged(replays, tmp_path, 1, SHORT)


@pytest.mark.long
def test_many_damaged_replays(replays: list[game_pb2.Replay], tmp_path: Path) -> None:
    """The same for many changes."""
    tell_damaged(replays, tmp_path, 2, LONG)
