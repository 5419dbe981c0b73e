"""What happened in a game of Meadow, told in lines for people."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from meadow_api.v1 import common_pb2, game_pb2
from meadow_api.v1 import meadow_pb2 as pb

from meadow_client.cli.common import counted, seat_title
from meadow_client.cli.meadow.narrate_river import last_strokes, river_tellers
from meadow_client.cli.meadow.words import deck_letter, place_name, token_name
from meadow_client.cli.narrate import around_the_table
from meadow_client.drawing.meadow.icons import name


class MeadowNarrator:
    """Tells the events of one game of Meadow.

    Args:
        seats: for their names.
        catalogue: for the names of cards.
        me: seat that is addressed as "you"; None for a spectator.
    """

    def __init__(self, seats: Sequence[common_pb2.Seat], catalogue: pb.MeadowCatalogue, me: int | None = None) -> None:
        self._names = ["you" if seat.seat == me else seat_title(seat) for seat in seats]
        self._catalogue = catalogue
        self._me = me
        self._goals: Sequence[int] = ()
        self._tellers: Mapping[str, Callable[[pb.MeadowEvent], str]] = {
            "row_taken": lambda e: f"{self._does(e.row_taken.seat, 'take')} {self._cards(e.row_taken.cards)}",
            "card_drawn": lambda e: self._hidden(e.card_drawn, "draw"),
            "ground_chosen": self._ground_chosen,
            "round_started": lambda e: f"round {e.round_started.round} begins",
            "halfway_reached": lambda _: "halfway: the N deck replaces the S deck, and the board is laid out anew",
            "token_placed": self._token_placed,
            "card_taken": self._card_taken,
            "roads_taken": lambda e: (
                f"{self._does(e.roads_taken.seat, 'take')} {counted(e.roads_taken.count, 'road token')}"
            ),
            "cards_looked_at": self._looked,
            "card_kept": lambda e: self._hidden(e.card_kept, "keep"),
            "card_discarded": lambda e: self._hidden(e.card_discarded, "discard"),
            "card_played": self._card_played,
            "goal_claimed": self._goal_claimed,
            "rover_moved": self._rover_moved,
            "game_ended": lambda _: "the game is over",
            **river_tellers(self._does, self._cards, catalogue),
        }

    def record(self, record: game_pb2.GameRecord) -> Iterator[str]:
        """Lines about one record."""
        yield from around_the_table(record, self._does)
        for event in last_strokes([event.meadow for event in record.events]):
            teller = self._tellers.get(event.WhichOneof("event") or "")
            if teller:
                yield teller(event)

    def _does(self, seat: int, verb: str) -> str:
        return f"{self._names[seat]} {verb if seat == self._me else verb + 's'}"

    def _card(self, number: int) -> str:
        return self._catalogue.cards[number].display_name

    def _cards(self, numbers: Sequence[int]) -> str:
        return ", ".join(self._card(number) for number in numbers)

    def _hidden(self, event: pb.MeadowCardDrawn | pb.MeadowCardKept | pb.MeadowCardDiscarded, verb: str) -> str:
        known = self._card(event.card) if event.HasField("card") else f"a card of deck {deck_letter(event.deck)}"
        return f"{self._does(event.seat, verb)} {known}"

    def _ground_chosen(self, event: pb.MeadowEvent) -> str:
        chosen = event.ground_chosen
        return f"{self._does(chosen.seat, 'start')} with {self._card(chosen.card)}"

    def _token_placed(self, event: pb.MeadowEvent) -> str:
        placed = event.token_placed
        where = place_name(placed.place, self._catalogue)
        return f"{self._does(placed.seat, 'place')} token {token_name(placed.token)} at {where}"

    def _card_taken(self, event: pb.MeadowEvent) -> str:
        taken = event.card_taken
        card = self._card(taken.card) if taken.HasField("card") else "nothing: the spot is empty"
        return f"{self._does(taken.seat, 'take')} {card}"

    def _looked(self, event: pb.MeadowEvent) -> str:
        looked = event.cards_looked_at
        seen = f": {self._cards(looked.cards)}" if looked.cards else ""
        cards = f"{counted(looked.count, 'card')} of deck {deck_letter(looked.deck)}"
        return f"{self._does(looked.seat, 'look')} at {cards}{seen}"

    def _card_played(self, event: pb.MeadowEvent) -> str:
        played = event.card_played
        card = self._catalogue.cards[played.card]
        points = f" for {counted(card.points, 'point')}" if card.points else ""
        return f"{self._does(played.seat, 'play')} {card.display_name}{points}"

    def _goal_claimed(self, event: pb.MeadowEvent) -> str:
        claimed = event.goal_claimed
        return f"{self._does(claimed.seat, 'claim')} a goal for {counted(claimed.value, 'point')}"

    def _rover_moved(self, event: pb.MeadowEvent) -> str:
        moved = event.rover_moved
        where = place_name(moved.place, self._catalogue) if moved.HasField("place") else "nowhere: no notch is free"
        taken = f" and takes {self._card(moved.card)}" if moved.HasField("card") else ""
        return f"Rover places token {token_name(moved.token)} at {where}{taken}"


def goal_names(view: pb.MeadowView, pair: int) -> str:
    """The two symbols of a pair."""
    return f"{name(view.goals[pair])} and {name(view.goals[(pair + 1) % len(view.goals)])}"
