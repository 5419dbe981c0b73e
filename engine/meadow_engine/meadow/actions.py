"""What a seat can choose in a game of Meadow, and the fixed numbers of those choices.

A card that needs discards is played in steps: first the card and its place, then one discard after the other, so that
a legal list stays short.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from functools import lru_cache

from meadow_engine.kernel.actions import ActionSpace, Block
from meadow_engine.meadow.catalogue import BOARD_SIDE, BOARD_SPOTS, Catalogue, Deck, Kind
from meadow_engine.meadow.downstream.catalogue import MAX_WAYS, RIVER_SPOTS, Pier
from meadow_engine.meadow.places import NUMBERED_TOKENS, PLACES, TOKENS
from meadow_engine.meadow.state import MAX_GROUNDS


@dataclass(frozen=True, slots=True)
class ChooseRow:
    """Set-up: take the four cards of a row (0 the top one) of the main board."""

    row: int


@dataclass(frozen=True, slots=True)
class ChooseGround:
    """Set-up: put the starting ground card down with this side (0 or 1) up."""

    side: int


@dataclass(frozen=True, slots=True)
class PlaceToken:
    """Place a token (0 to 3 are 1 to 4, 4 is ?, 5 the river trail token) on a place (notch or bench)."""

    token: int
    place: int


@dataclass(frozen=True, slots=True)
class TakeCard:
    """Take the card on a spot (0 to 15 on the main board, from 16 on in the river card area).

    With a ? token on an empty spot of the main board: take none.
    """

    spot: int


@dataclass(frozen=True, slots=True)
class TakeRoads:
    """Take road tokens: two by special action 2, one where a space of the river offers it."""


@dataclass(frozen=True, slots=True)
class LookAtDeck:
    """Special action 3: look at the top cards of a deck."""

    deck: int


@dataclass(frozen=True, slots=True)
class ChooseSpecial:
    """With a ? token at the campfire: take special action 1 to 4."""

    number: int


@dataclass(frozen=True, slots=True)
class KeepCard:
    """Keep a looked-at card: 0 the topmost."""

    index: int


@dataclass(frozen=True, slots=True)
class PutUnder:
    """Put this looked-at card (0 the upper one) under the deck first, so that the other one comes to lie below it."""

    index: int


@dataclass(frozen=True, slots=True)
class ClaimGoal:
    """Place a bonus token on the space between two goal tokens."""

    pair: int


@dataclass(frozen=True, slots=True)
class Pass:
    """Do without what is optional: a play, the rest of a turn."""


@dataclass(frozen=True, slots=True)
class PlayCard:
    """Play a card from the hand to a place, which `playability` describes for each kind of card."""

    card: int
    place: int


@dataclass(frozen=True, slots=True)
class Discard:
    """Put a card from the hand under its deck: to ignore a missing symbol, or for the top two cards of a deck."""

    card: int


@dataclass(frozen=True, slots=True)
class ChooseWateryGround:
    """Downstream, set-up: put the watery starting ground card down, this side (0 or 1) up, at an end of the row."""

    side: int
    end: int


@dataclass(frozen=True, slots=True)
class ChooseWay:
    """At a fork of the river track: go this way (0 the first one of the space)."""

    way: int


@dataclass(frozen=True, slots=True)
class UseSpace:
    """Do what a space of the river track offers, where nothing else is to be chosen."""


@dataclass(frozen=True, slots=True)
class DrawFrom:
    """Take the top card of a deck, or its top two."""

    deck: int


@dataclass(frozen=True, slots=True)
class TakeToken:
    """Take a pier or tent token (0 to 5, as they are numbered), or the one that lies face down (6)."""

    token: int


MeadowAction = (
    ChooseRow
    | ChooseGround
    | PlaceToken
    | TakeCard
    | TakeRoads
    | LookAtDeck
    | ChooseSpecial
    | KeepCard
    | PutUnder
    | ClaimGoal
    | Pass
    | PlayCard
    | Discard
    | ChooseWateryGround
    | ChooseWay
    | UseSpace
    | DrawFrom
    | TakeToken
)

LOOKED_AT = 3
"""Cards that special action 3 shows."""
MOST_GOALS = 12
SIDES = 2
SPECIALS = 4
DECKS = 5
"""Decks that can be drawn from."""
SPOTS = BOARD_SPOTS + RIVER_SPOTS
ENDS = 2
FACE_DOWN = len(Pier)
"""Number of the token that lies face down."""
TOKEN_CHOICES = FACE_DOWN + 1

CHOOSE_ROW = 0
CHOOSE_GROUND = CHOOSE_ROW + BOARD_SIDE
PLACE_TOKEN = CHOOSE_GROUND + SIDES
TAKE_CARD = PLACE_TOKEN + TOKENS * PLACES
TAKE_ROADS = TAKE_CARD + SPOTS
LOOK_AT_DECK = TAKE_ROADS + 1
CHOOSE_SPECIAL = LOOK_AT_DECK + DECKS
KEEP_CARD = CHOOSE_SPECIAL + SPECIALS
PUT_UNDER = KEEP_CARD + LOOKED_AT
CLAIM_GOAL = PUT_UNDER + LOOKED_AT - 1
PASS = CLAIM_GOAL + MOST_GOALS
CHOOSE_WATERY_GROUND = PASS + 1
CHOOSE_WAY = CHOOSE_WATERY_GROUND + SIDES * ENDS
USE_SPACE = CHOOSE_WAY + MAX_WAYS
DRAW_FROM = USE_SPACE + 1
TAKE_TOKEN = DRAW_FROM + DECKS
DISCARD = TAKE_TOKEN + TOKEN_CHOICES

PLACES_BY_KIND = {Kind.GROUND: 2, Kind.OBSERVATION: MAX_GROUNDS, Kind.LANDSCAPE: 1, Kind.DISCOVERY: 40}
"""How many places a card of a kind can have. No seat can hold more than the 36 road tokens that landscapes need."""


@lru_cache(maxsize=64)
def play_starts(catalogue: Catalogue) -> tuple[int, ...]:
    """For each card the first id of playing it; at the end the id behind the last one."""
    starts = [DISCARD + len(catalogue.cards)]
    for card in catalogue.cards:
        starts.append(starts[-1] + _places(card.deck, card.kind))
    return tuple(starts)


def play_id(catalogue: Catalogue, card: int, place: int) -> int:
    """The id of playing a card to a place."""
    return play_starts(catalogue)[card] + place


def played(catalogue: Catalogue, action_id: int) -> tuple[int, int]:
    """The card and place of an id at or behind the first one of `PlayCard`."""
    starts = play_starts(catalogue)
    card = bisect_right(starts, action_id) - 1
    return card, action_id - starts[card]


def _places(deck: Deck, kind: Kind) -> int:
    # starting ground cards are never in a hand
    return 0 if deck is Deck.START else PLACES_BY_KIND[kind]


def _number(value: int, count: int, what: str) -> int:
    if not 0 <= value < count:
        raise ValueError(f"{what} {value} does not exist: they run from 0 to {count - 1}")
    return value


def _token_number(action: PlaceToken) -> int:
    return _number(action.token, TOKENS, "token") * PLACES + _number(action.place, PLACES, "place")


@lru_cache(maxsize=64)
def action_space(catalogue: Catalogue) -> ActionSpace:
    """The action space of the family with this content."""
    cards = len(catalogue.cards)
    return ActionSpace(
        [
            Block(ChooseRow, BOARD_SIDE, lambda a: _number(a.row, BOARD_SIDE, "row"), ChooseRow),
            Block(ChooseGround, SIDES, lambda a: _number(a.side, SIDES, "side"), ChooseGround),
            Block(PlaceToken, TOKENS * PLACES, _token_number, lambda n: PlaceToken(*divmod(n, PLACES))),
            Block(TakeCard, SPOTS, lambda a: _number(a.spot, SPOTS, "spot"), TakeCard),
            Block(TakeRoads, 1, lambda _: 0, lambda _: TakeRoads()),
            Block(LookAtDeck, DECKS, lambda a: _number(a.deck, DECKS, "deck"), LookAtDeck),
            Block(ChooseSpecial, SPECIALS, _special_number, lambda n: ChooseSpecial(n + 1)),
            Block(KeepCard, LOOKED_AT, lambda a: _number(a.index, LOOKED_AT, "card"), KeepCard),
            Block(PutUnder, LOOKED_AT - 1, lambda a: _number(a.index, LOOKED_AT - 1, "card"), PutUnder),
            Block(ClaimGoal, MOST_GOALS, lambda a: _number(a.pair, MOST_GOALS, "pair"), ClaimGoal),
            Block(Pass, 1, lambda _: 0, lambda _: Pass()),
            Block(ChooseWateryGround, SIDES * ENDS, _watery_number, lambda n: ChooseWateryGround(*divmod(n, ENDS))),
            Block(ChooseWay, MAX_WAYS, lambda a: _number(a.way, MAX_WAYS, "way"), ChooseWay),
            Block(UseSpace, 1, lambda _: 0, lambda _: UseSpace()),
            Block(DrawFrom, DECKS, lambda a: _number(a.deck, DECKS, "deck"), DrawFrom),
            Block(TakeToken, TOKEN_CHOICES, lambda a: _number(a.token, TOKEN_CHOICES, "token"), TakeToken),
            Block(Discard, cards, lambda a: _number(a.card, cards, "card"), Discard),
            _play_block(catalogue),
        ]
    )


def _watery_number(action: ChooseWateryGround) -> int:
    return _number(action.side, SIDES, "side") * ENDS + _number(action.end, ENDS, "end")


def _special_number(action: ChooseSpecial) -> int:
    if not 1 <= action.number <= NUMBERED_TOKENS:
        raise ValueError(f"special action {action.number} does not exist: they run from 1 to {SPECIALS}")
    return action.number - 1


def _play_block(catalogue: Catalogue) -> Block[PlayCard]:
    starts = play_starts(catalogue)

    def number(action: PlayCard) -> int:
        card = catalogue.cards[_number(action.card, len(catalogue.cards), "card")]
        places = starts[card.number + 1] - starts[card.number]
        if not places:
            raise ValueError(f"{card.id} is never played from the hand")
        return starts[card.number] - starts[0] + _number(action.place, places, "place")

    return Block(PlayCard, starts[-1] - starts[0], number, lambda n: PlayCard(*played(catalogue, starts[0] + n)))
