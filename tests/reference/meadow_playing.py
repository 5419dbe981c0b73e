"""Taking, playing and looking at cards in a game of Meadow, for the brute-force reference."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass

from tests.reference.meadow_table import Table


@dataclass(frozen=True)
class Ask:
    """A question to a seat, with all its answers in the engine's notation."""

    seat: int
    kind: str
    answers: frozenset[str]


Play = Generator[Ask, str, None]


def ask(seat: int, kind: str, answers: set[str]) -> Generator[Ask, str, list[str]]:
    """Ask; the answer comes in words."""
    answer = yield Ask(seat, kind, frozenset(answers))
    return answer.split()


def may_play(table: Table, seat: int, most: int = 1) -> Play:
    """So many cards, or fewer, or none."""
    for _ in range(most):
        words = yield from ask(seat, "play_card", table.all_plays(seat) | {"pass"})
        if words[0] == "pass":
            return
        yield from play_card(table, seat, words[1], int(words[2]))


def play_card(table: Table, seat: int, card: str, place: int) -> Play:
    """Pay for what is missing, two cards for each, then lay the card; its oar moves the kayak (D8)."""
    hand = table.hands[seat]
    for _ in range(2 * table.ignored(seat, card)):
        others = {f"discard {other}" for other in hand.cards if other != card}
        _, paid = yield from ask(seat, "discard", others)
        hand.cards.remove(paid)
        table.put_under(paid)
    table.lay(seat, card, place)
    if table.after_play:
        yield from table.after_play(seat, table.paper(card))


def look(table: Table, seat: int, deck: list[str], count: int) -> Play:
    """Keep one of the top cards, the others go under the deck in the order their owner likes (M4)."""
    seen = deck[: -count - 1 : -1]
    _, kept = yield from ask(seat, "keep_card", {f"keep {index}" for index in range(len(seen))})
    table.hands[seat].cards.append(seen.pop(int(kept)))
    deck.remove(table.hands[seat].cards[-1])
    if seen:
        _, index = yield from ask(seat, "put_under", {f"under {index}" for index in range(len(seen))})
        first = seen.pop(int(index))
        for card in (first, *seen):
            deck.remove(card)
            deck.insert(0, card)
    table.watch_river()
