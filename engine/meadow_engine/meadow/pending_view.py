"""What a viewer sees of the choice that has to be made."""

from __future__ import annotations

from dataclasses import dataclass

from meadow_engine.meadow.state import NO_CARD


@dataclass(frozen=True, slots=True)
class CardReport:
    """Whether a hand card can be played now, and why not.

    Attributes:
        card: the card.
        places: where it can be placed; empty if it cannot be played.
        discards: other hand cards that its missing symbols cost.
        missing: numbers of its requirements that are not met.
        obstacle: why it cannot be played: SYMBOLS_MISSING (too few cards to discard), NOTHING_MET, NO_ROAD,
            NO_LANDSCAPE, NO_COLUMN (nothing it may cover shows a met symbol, or the arrows' neighbours are wrong),
            TEN_GROUNDS; else empty.
    """

    card: int
    places: tuple[int, ...]
    discards: int
    missing: tuple[int, ...]
    obstacle: str


@dataclass(frozen=True, slots=True)
class PendingView:
    """What has to be chosen, and what it is about; what does not apply is empty, 0 or -1.

    Attributes:
        seat: who chooses.
        kind: choose_row, choose_ground, place_token, choose_spot, play_card, discard, campfire, keep_card or put_under;
            on the river choose_watery_ground, take_card, choose_way, extra_action, trade or choose_deck.
        spots: spots to choose from; with an extra action, if it takes a face-up card.
        special: at the campfire, the special action still to be taken: 1 to 4, 5 for any of them, 0 for none.
        plays: plays left of special action 4.
        claimable: pairs that can be claimed now.
        card, place, discards: the card about to be played, where, and how many discards it still costs.
        deck: the deck looked at.
        looked_at: the cards looked at, topmost first; empty for everybody but the seat.
        hand: which hand cards can be played and why not; empty for everybody but the seat.
        extra: the extra action of the river track, by number.
        ways: at a fork, the spaces that the kayak can go to.
        decks: decks to choose from; with an extra action, if it draws from one.
        spaces_left: how many spaces the kayak of this seat still has to move.
    """

    seat: int
    kind: str
    spots: tuple[int, ...] = ()
    special: int = 0
    plays: int = 0
    claimable: tuple[int, ...] = ()
    card: int = NO_CARD
    place: int = -1
    discards: int = 0
    deck: int = -1
    looked_at: tuple[int, ...] = ()
    hand: tuple[CardReport, ...] = ()
    extra: int = 0
    ways: tuple[int, ...] = ()
    decks: tuple[int, ...] = ()
    spaces_left: int = 0
