"""Replays as files: to be kept, shown and verified without a server. The form is the API's message `ReplayFile`."""

from __future__ import annotations

from collections.abc import Iterator

from google.protobuf import json_format
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import DecodeError, Message
from meadow_api.v1 import game_pb2

FORMAT = "meadow replay"
FORMAT_VERSION = 1


class BadReplayFile(ValueError):
    """The bytes are no replay file, or one of a version that is not known; the message says which."""


def replay_to_bytes(replay: game_pb2.Replay, *, as_json: bool = False) -> bytes:
    """A replay as the bytes of a file: binary, or JSON that people can read."""
    file = game_pb2.ReplayFile(format=FORMAT, format_version=FORMAT_VERSION, replay=replay)
    if as_json:
        return (json_format.MessageToJson(file, preserving_proto_field_name=True) + "\n").encode()
    return file.SerializeToString()


def replay_from_bytes(data: bytes) -> game_pb2.Replay:
    """The replay in the bytes of a file of either form.

    Raises:
        BadReplayFile: there is none.
    """
    file = game_pb2.ReplayFile()
    try:
        if data.lstrip()[:1] == b"{":
            json_format.Parse(data, file)
        else:
            file.ParseFromString(data)
    except (DecodeError, json_format.ParseError, UnicodeDecodeError, RecursionError):
        raise BadReplayFile("no replay file") from None
    if file.format != FORMAT or not file.replay.game.name:
        raise BadReplayFile("no replay file")
    if file.format_version != FORMAT_VERSION:
        raise BadReplayFile(f"a replay file of format {file.format_version}; this version reads {FORMAT_VERSION}")
    if not all(text.isprintable() for text in _texts(file)):
        raise BadReplayFile("no replay file: it has characters that cannot be printed, and might command a terminal")
    return file.replay


def _texts(message: Message) -> Iterator[str]:
    """Every text in a message."""
    for field, value in message.ListFields():
        several = value if field.is_repeated else [value]
        if field.type == FieldDescriptor.TYPE_MESSAGE:
            for inner in several:
                yield from _texts(inner)
        elif field.type == FieldDescriptor.TYPE_STRING:
            yield from several
