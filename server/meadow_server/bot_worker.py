"""The process that bots think in: reads questions, writes choices.

A question holds a seat's view and its legal ids and nothing else of the game, so a bot cannot know what its seat does
not. Frames are a length of four bytes and a pickle; both ends are this program.
"""

from __future__ import annotations

import pickle
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, BinaryIO

from meadow_engine import api

LENGTH_BYTES = 4


@dataclass(frozen=True, slots=True)
class Question:
    """What a bot is asked.

    Attributes:
        bot, family: who is asked.
        pack: canonical bytes of the content pack; None for the one of the question before.
        view: what the seat sees.
        legal_ids: what it may choose.
        seed: 32 bytes for this decision alone.
    """

    bot: str
    family: str
    pack: bytes | None
    view: Any
    legal_ids: Sequence[int]
    seed: bytes = field(repr=False)


def answer(question: Question, pack: api.Pack) -> int:
    """The bot's choice."""
    catalogue = api.catalogue(question.family, pack)
    choose = api.bot(question.bot, question.family).choose
    return choose(question.view, question.legal_ids, catalogue, api.Streams(question.seed))


def frame(value: object) -> bytes:
    """A value with its length before it."""
    body = pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
    return len(body).to_bytes(LENGTH_BYTES, "big") + body


def main() -> None:
    """Answer until the other end closes."""
    source, sink = sys.stdin.buffer, sys.stdout.buffer
    pack = api.builtin_pack()
    while (question := _read(source)) is not None:
        if question.pack is not None:
            pack = api.builtin_pack() if question.pack == b"" else api.pack_from_bytes(question.pack)
        sink.write(frame(answer(question, pack)))
        sink.flush()


def _read(source: BinaryIO) -> Question | None:
    head = source.read(LENGTH_BYTES)
    if len(head) < LENGTH_BYTES:
        return None
    question: Question = pickle.loads(source.read(int.from_bytes(head, "big")))  # nosec B301 # noqa: S301 (from our own parent)
    return question


if __name__ == "__main__":
    main()
