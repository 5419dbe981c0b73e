"""Seats that a person left, to go on with later.

They lie in one file with their tokens, readable by their owner only, in `$MEADOW_HOME`, or else in the user's state
folder. A game on a server of its own has its journal beside the file.
"""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from meadow_client.cli.failure import Failure


@dataclass(frozen=True, slots=True)
class SavedSeat:
    """A seat to go on with.

    Attributes:
        name: the game, `games/{id}`.
        variant: what is played.
        seat: its number.
        token: of the seat.
        address: of the server; empty for a server of its own.
        journal: file of the server of its own; empty for another's.
    """

    name: str
    variant: str
    seat: int
    token: str
    address: str = ""
    journal: str = ""


def home() -> Path:
    """The folder for what is kept."""
    if given := os.environ.get("MEADOW_HOME"):
        return Path(given)
    state = os.environ.get("XDG_STATE_HOME")
    return (Path(state) if state else Path.home() / ".local" / "state") / "meadow"


@contextmanager
def new_journal() -> Iterator[Path]:
    """A place for the journal of a server of one's own; left again unless a seat of it is saved meanwhile."""
    folder = home() / "tables"
    folder.mkdir(parents=True, exist_ok=True)
    journal = folder / f"{secrets.token_hex(6)}.db"
    try:
        yield journal
    finally:
        if all(seat.journal != str(journal) for seat in saved_seats()):
            _remove(journal)


def saved_seats() -> list[SavedSeat]:
    """The seats left, the latest last.

    Raises:
        Failure: the file is damaged.
    """
    try:
        text = _file().read_text(encoding="utf-8")
    except FileNotFoundError:
        return []
    except (OSError, UnicodeDecodeError):
        raise Failure(f"{_file()} cannot be read; remove it to go on without the seats saved there") from None
    try:
        return [SavedSeat(**entry) for entry in json.loads(text)]
    except (ValueError, TypeError):
        raise Failure(f"{_file()} is damaged; remove it to go on without the seats saved there") from None


def save(seat: SavedSeat) -> None:
    """Keep a seat, as the latest."""
    _write([*(kept for kept in saved_seats() if kept.name != seat.name), seat])


def forget(name: str) -> None:
    """Drop the seat of a game, with the journal of its own server."""
    seats = saved_seats()
    for seat in seats:
        if seat.name == name and seat.journal:
            _remove(Path(seat.journal))
    _write([seat for seat in seats if seat.name != name])


def _remove(journal: Path) -> None:
    """Remove a journal with what lies beside it."""
    for file in journal.parent.glob(journal.name + "*"):
        file.unlink(missing_ok=True)


def keep_replay(name: str, replay: bytes) -> Path:
    """Write the replay of a finished game beside the saved seats, and answer the file."""
    folder = home() / "replays"
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{name.rpartition('/')[2]}.replay"
    file.write_bytes(replay)
    return file


def _file() -> Path:
    return home() / "seats.json"


def _write(seats: list[SavedSeat]) -> None:
    home().mkdir(parents=True, exist_ok=True)
    draft = _file().with_suffix(".new")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as out:
        json.dump([asdict(seat) for seat in seats], out, indent=1)
    draft.replace(_file())
