"""The cards that lie on the table for all seats, for the brute-force reference. Cards are known by their ids.

Spots of the main board count from 0, row by row from the top left, those of the river card area go on from there.
Decks are lists with the top card last.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from tests.reference.downstream_pack import OUT_OF_PLAY, RIVER
from tests.reference.downstream_table import FIRST_RIVER_SPOT, River
from tests.reference.meadow_pack import DECKS, Box, Paper

SPOTS = 16
COLUMN_DECKS = "WSSE"

Shuffle = Callable[[list[str]], list[str]]
"""What a shuffle gives, answered by the caller."""


class Piles:
    """Decks and boards, and how cards move between them.

    Attributes:
        box: what is printed on the cards.
        board: what lies on the spots of the main board.
        halfway: whether the N deck has replaced the S deck there.
        river: the river board of Downstream.
    """

    def __init__(self, box: Box, decks: dict[str, list[str]], shuffle: Shuffle) -> None:
        """Decks as shuffled, and an empty board."""
        self.box = box
        self.decks = decks
        self.shuffle = shuffle
        self.board: list[str | None] = [None] * SPOTS
        self.halfway = False
        self.river: River | None = None

    def paper(self, card: str) -> Paper:
        """What is printed on a card."""
        return self.box.papers[card]

    # ---- decks

    def draw(self, deck: str) -> str | None:
        """The top card of a deck; the S deck replaces the river deck when that has run out (D14)."""
        if deck == RIVER and self.river and self.river.dry:
            deck = "S"
        card = self.decks[deck].pop() if self.decks[deck] else None
        self.watch_river()
        return card

    def watch_river(self) -> None:
        """Once its last card has left, the river deck stays out of the game (D14)."""
        if self.river and not self.decks[RIVER]:
            self.river.dry = True

    def leaves(self, card: str) -> bool:
        """Whether a card leaves the game when it is discarded (D11, D14)."""
        deck = self.paper(card).deck
        return deck == OUT_OF_PLAY or (deck == RIVER and self.river is not None and self.river.dry)

    def put_under(self, *cards: str) -> None:
        """Discard cards one after the other under the decks of their backs (M26)."""
        for card in cards:
            if not self.leaves(card):
                self.decks[self.paper(card).deck].insert(0, card)

    def decks_in_use(self) -> list[str]:
        """The decks on the boards that have cards: not the unused one (M31)."""
        names = ["W", "N" if self.halfway else "S", "E"]
        if self.river:
            names.append("S" if self.river.dry else RIVER)
        return [name for name in dict.fromkeys(names) if self.decks[name]]

    # ---- face-up cards

    def deck_for(self, spot: int) -> str:
        """The deck that fills a spot."""
        if spot >= FIRST_RIVER_SPOT:
            return RIVER
        deck = COLUMN_DECKS[spot % 4]
        return "N" if deck == "S" and self.halfway else deck

    def card_at(self, spot: int) -> str | None:
        """What lies face up on a spot of the main board or the river card area."""
        if spot < FIRST_RIVER_SPOT:
            return self.board[spot]
        assert self.river is not None
        return self.river.area[spot - FIRST_RIVER_SPOT]

    def put_at(self, spot: int, card: str | None) -> None:
        """Lay a card on a spot, or leave it empty."""
        if spot < FIRST_RIVER_SPOT:
            self.board[spot] = card
        else:
            assert self.river is not None
            self.river.area[spot - FIRST_RIVER_SPOT] = card

    def spots(self) -> range:
        """All spots."""
        return range(FIRST_RIVER_SPOT + (len(self.river.area) if self.river else 0))

    def face_up(self) -> list[int]:
        """The spots with a card."""
        return [spot for spot in self.spots() if self.card_at(spot) is not None]

    def fill(self, spots: Iterable[int]) -> None:
        """Lay the next card on each of these spots, as long as its deck has one."""
        for spot in spots:
            self.put_at(spot, self.draw(self.deck_for(spot)))

    def take(self, spot: int) -> str | None:
        """The card of a spot, which is refilled at once; none from an empty spot."""
        card = self.card_at(spot)
        if card is not None:
            self.fill([spot])
        return card

    def clear(self, spots: Iterable[int]) -> list[str]:
        """All cards of these spots, which stay empty."""
        cards = []
        for spot in spots:
            if (card := self.card_at(spot)) is not None:
                cards.append(card)
            self.put_at(spot, None)
        return cards

    def take_row(self, row: int) -> list[str]:
        """All cards of a row of the main board, which is refilled afterwards."""
        return self.clear(range(4 * row, 4 * row + 4))

    def sweep(self) -> None:
        """The halfway point: everything on the board goes under its deck, N replaces S (M9)."""
        swept = self.clear(range(SPOTS))
        for deck in DECKS:
            order = self.shuffle([card for card in swept if self.paper(card).deck == deck])
            self.decks[deck] = order + self.decks[deck]
        self.halfway = True
        self.fill(range(SPOTS))
