"""What happened in a game, told in lines for people."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from meadow_api.v1 import common_pb2, game_pb2
from meadow_api.v1 import spring_meadow_pb2 as pb

from meadow_client.cli.common import counted, seat_title

_LETTERS = "abcdefghij"


def space_name(row: int, column: int) -> str:
    """A space of a board as c4: column letter, row from the start edge."""
    return f"{_LETTERS[column]}{row + 1}"


def around_the_table(record: game_pb2.GameRecord, does: Callable[[int, str], str]) -> Iterator[str]:
    """Lines about what no rule of a game makes happen: seats that change hands, choices taken back, an early end.

    Args:
        record: what happened.
        does: puts a seat's name before a verb.
    """
    match record.WhichOneof("record"):
        case "undo":
            yield f"{does(record.undo.seat, 'take')} back {counted(record.undo.count, 'choice')}"
        case "seat_claimed":
            yield f"seat {record.seat_claimed.seat + 1} is now {record.seat_claimed.display_name or 'taken'}"
        case "seat_bot":
            yield f"seat {record.seat_bot.seat + 1} is now played by the {record.seat_bot.bot.bot} bot"
        case "seat_resigned":
            yield does(record.seat_resigned.seat, "resign")
        case "clock_expired":
            yield f"seat {record.clock_expired.seat + 1} ran out of time"
        case "ended":
            yield "the game ended by that"
        case "aborted":
            yield f"the host ended the game {record.aborted.explanation}".rstrip()


class Narrator:
    """Tells the events of one game.

    Args:
        seats: for their names.
        catalogue: for the names of tiles and rocks.
        me: seat that is addressed as "you"; None for a spectator.
    """

    def __init__(
        self, seats: Sequence[common_pb2.Seat], catalogue: pb.SpringMeadowCatalogue, me: int | None = None
    ) -> None:
        self._names = ["you" if seat.seat == me else seat_title(seat) for seat in seats]
        self._catalogue = catalogue
        self._me = me
        # Steps that the next line explains are not told.
        self._tellers: Mapping[str, Callable[[pb.SpringMeadowEvent], str]] = {
            "tile_placed": self._tile_placed,
            "marmot_placed": self._marmot_placed,
            "rock_earned": self._rock_earned,
            "rock_placed": self._rock_placed,
            "rock_dropped": self._rock_dropped,
            "tile_skipped": self._tile_skipped,
            "scored": self._scored,
            "marmots_covered": self._marmots_covered,
            "map_refilled": self._map_refilled,
            "rows_completed": self._rows_completed,
            "solo_game_ended": self._solo_game_ended,
            "campaign_game_started": self._campaign_game_started,
            "game_ended": lambda _: "the game is over",
        }

    def record(self, record: game_pb2.GameRecord) -> Iterator[str]:
        """Lines about one record; plain steps that the next line explains have none."""
        yield from around_the_table(record, self._does)
        for event in record.events:
            line = self._spring(event.spring_meadow)
            if line:
                yield line

    def _does(self, seat: int, verb: str) -> str:
        name = self._names[seat]
        return f"{name} {verb if seat == self._me else verb + 's'}"

    def _spring(self, event: pb.SpringMeadowEvent) -> str:
        tell = self._tellers.get(event.WhichOneof("event") or "")
        return tell(event) if tell else ""

    def _tile_placed(self, event: pb.SpringMeadowEvent) -> str:
        laid = event.tile_placed
        name = self._catalogue.tiles[laid.tile].display_name
        return f"{self._does(laid.seat, 'lay')} {name} at {space_name(laid.row, laid.column)}"

    def _marmot_placed(self, event: pb.SpringMeadowEvent) -> str:
        marmot = event.marmot_placed
        return f"{self._does(marmot.seat, 'put')} a marmot on {space_name(marmot.row, marmot.column)}"

    def _rock_earned(self, event: pb.SpringMeadowEvent) -> str:
        return f"{self._does(event.rock_earned.seat, 'earn')} a rock of size {event.rock_earned.size}"

    def _rock_placed(self, event: pb.SpringMeadowEvent) -> str:
        rock = event.rock_placed
        name = self._catalogue.rocks[rock.shape].display_name.lower()
        return f"{self._does(rock.seat, 'place')} a rock ({name}) at {space_name(rock.row, rock.column)}"

    def _rock_dropped(self, event: pb.SpringMeadowEvent) -> str:
        return f"{self._does(event.rock_dropped.seat, 'give')} up a rock that fits nowhere"

    def _tile_skipped(self, event: pb.SpringMeadowEvent) -> str:
        return f"{self._does(event.tile_skipped.seat, 'place')} no tile: none on the path fits"

    def _scored(self, event: pb.SpringMeadowEvent) -> str:
        scored = event.scored
        points = ", ".join(f"{self._names[line.seat]} {line.total}" for line in scored.lines)
        return f"scoring: {points}; {self._does(scored.winner, 'win')} pin {scored.pins}"

    def _marmots_covered(self, event: pb.SpringMeadowEvent) -> str:
        return f"{self._does(event.marmots_covered.seat, 'put')} marmots on all cleared burrows"

    def _map_refilled(self, event: pb.SpringMeadowEvent) -> str:
        laid = len(event.map_refilled.spaces)
        return f"{counted(laid, 'tile')} {'is' if laid == 1 else 'are'} laid on the hiking map"

    def _rows_completed(self, event: pb.SpringMeadowEvent) -> str:
        done = event.rows_completed
        return f"{counted(done.rows, 'row')} done for {done.value} each: {counted(done.points, 'point')} so far"

    def _solo_game_ended(self, event: pb.SpringMeadowEvent) -> str:
        return f"the game ends with {counted(event.solo_game_ended.points, 'point')}"

    def _campaign_game_started(self, event: pb.SpringMeadowEvent) -> str:
        return f"game {event.campaign_game_started.game + 1} of the campaign begins"
