"""`meadow replay show` and `step`: a finished game's table at any version, and walking through it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from meadow_api.v1 import game_pb2
from rich.console import Console

from meadow_client.cli.engine import family_of, pack_catalogue
from meadow_client.cli.faces import face_of
from meadow_client.cli.failure import Failure
from meadow_client.cli.verify import games_of

if TYPE_CHECKING:
    from meadow_engine import api

HELP = "Enter: next   b: back   a number: go there   s and a number: as that seat sees it   s: as a spectator   q: quit"


class Steps:
    """A finished game, version by version.

    Args:
        replay: complete, as a file or a server has it.
        pack: the content it was played with.

    Raises:
        Failure: it cannot be played again.
    """

    def __init__(self, replay: game_pb2.Replay, pack: api.Pack) -> None:
        if not replay.complete:
            raise Failure("the game has not ended: only its seed lets it be played again")
        self._replay = replay
        self._games: Sequence[api.Game | None] = list(games_of(replay, pack))
        story = face_of(pack_catalogue(pack, family_of(replay.game.variant))).story(replay.game.seats)
        self._told = [list(story.record(record)) for record in replay.records]

    @property
    def last(self) -> int:
        """The last version."""
        return len(self._games)

    def check_seat(self, seat: int | None) -> None:
        """Refuse a seat, counted from 1, that the game has not."""
        seats = len(self._replay.game.seats)
        if seat is not None and not 1 <= seat <= seats:
            raise Failure(f"the game has seats 1 to {seats}", exit_code=2)

    def show(self, out: Console, version: int, seat: int | None) -> None:
        """Print what happened at a version and the table after it, as a seat (from 1) or a spectator sees it.

        Raises:
            Failure: there is no such version or seat.
        """
        if not 1 <= version <= self.last:
            raise Failure(f"the game has versions 1 to {self.last}", exit_code=2)
        self.check_seat(seat)
        record, game = self._replay.records[version - 1], self._games[version - 1]
        viewer = "a spectator" if seat is None else f"seat {seat}"
        kind = (record.WhichOneof("record") or "").replace("_", " ")
        out.print(f"version {version} of {self.last}: {kind}, seen by {viewer}", style="bold")
        for line in self._told[version - 1]:
            out.print(f"  {line}")
        if game is not None:
            text = game.text(None if seat is None else seat - 1)
            out.print(text.rstrip("\n"), soft_wrap=True)

    def walk(self, out: Console, version: int, seat: int | None) -> None:
        """Show versions as somebody asks for them, until they have enough."""
        self.show(out, version, seat)
        while True:
            out.print(HELP, style="dim")
            try:
                word = input("> ").strip().lower()
            except EOFError:
                return
            if word == "q":
                return
            try:
                version, seat = self._next(word, version, seat)
                self.show(out, version, seat)
            except Failure as wrong:
                out.print(str(wrong))

    def _next(self, word: str, version: int, seat: int | None) -> tuple[int, int | None]:
        if word == "":
            return min(version + 1, self.last), seat
        if word == "b":
            return max(version - 1, 1), seat
        if word.isascii() and word.isdigit() and 1 <= int(word) <= self.last:
            return int(word), seat
        if word[0] == "s" and (word[1:].strip().isdigit() or word == "s"):
            seen_by = int(word[1:]) if word[1:] else None
            self.check_seat(seen_by)
            return version, seen_by
        raise Failure(f"{word!r} is none of these; versions are 1 to {self.last}")
