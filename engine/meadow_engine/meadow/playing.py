"""Playing a card from the hand (rulebook: Rules for Playing Cards)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from meadow_engine.kernel.errors import IllegalAction
from meadow_engine.kernel.stack import Decision
from meadow_engine.kernel.zones import EVERYBODY
from meadow_engine.meadow.actions import DISCARD, PASS, play_starts, played
from meadow_engine.meadow.catalogue import Card, Kind
from meadow_engine.meadow.decks import put_away
from meadow_engine.meadow.events import CardDiscarded, CardPlayed, Passed
from meadow_engine.meadow.playability import LEFT, playability
from meadow_engine.meadow.state import NO_CARD, MeadowState, Player


def play_ids(state: MeadowState, seat: int) -> list[int]:
    """Ids of all cards that a seat can play, with all their places; ascending."""
    catalogue = state.catalogue
    starts = play_starts(catalogue)
    ids = []
    for number in sorted(state.players[seat].hand):
        start = starts[number]
        ids += [start + place for place in playability(state, seat, catalogue.cards[number]).places]
    return ids


def check_play(state: MeadowState, seat: int, action_id: int) -> int:
    """The id of a legal play; IllegalAction says what stands in its way."""
    number, place = played(state.catalogue, action_id)
    card = state.catalogue.cards[number]
    if number not in state.players[seat].hand:
        raise IllegalAction("NOT_IN_HAND", "the card is not in the hand")
    found = playability(state, seat, card)
    if not found.places:
        raise IllegalAction(
            found.obstacle, f"{card.name} cannot be played now", card=card.id, discards_needed=found.discards
        )
    if place not in found.places:
        raise IllegalAction("WRONG_PLACE", f"{card.name} cannot be placed there", card=card.id, place=place)
    return action_id


def start_play(state: MeadowState, seat: int, action_id: int) -> None:
    """Play a card, after the discards it may need."""
    number, place = played(state.catalogue, action_id)
    discards = playability(state, seat, state.catalogue.cards[number]).discards
    if discards:
        # from here on everybody knows what is being paid for
        state.out.shown |= state.players[seat].show(number)
        state.push(Discarding(seat, number, place, discards))
    else:
        play(state, seat, state.catalogue.cards[number], place)


def play(state: MeadowState, seat: int, card: Card, place: int) -> None:
    """Place a card whose price is paid."""
    player = state.players[seat]
    state.out.shown |= player.show(card.number)
    player.lose(card.number)
    if card.kind is Kind.GROUND:
        place = lay_ground(player, card, place)
    elif card.kind is Kind.OBSERVATION:
        cover_top(state, player, card, place)
    elif card.kind is Kind.LANDSCAPE:
        player.roads -= 1
        place = len(player.landscapes)
        player.landscapes.append(card.number)
        player.discoveries.append(NO_CARD)
    else:
        player.discoveries[place] = card.number
    state.out.emit(CardPlayed(seat, card.number, place))
    for card_played in state.parts.card_played:
        card_played(state, seat, card.number)


def lay_ground(player: Player, card: Card, end: int) -> int:
    """Add a column at an end of the row; answers its number."""
    column = len(player.columns)
    player.columns.append((card.number,))
    player.tops.append(())
    player.shows.append(0)
    player.row.insert(0 if end == LEFT else len(player.row), column)
    _show(player, column, card.symbols + card.grounds)
    return column


def cover_top(state: MeadowState, player: Player, card: Card, column: int) -> None:
    """Put an observation on a column: the symbols of the card it covers are lost, those of the ground stay."""
    ground = state.catalogue.cards[player.columns[column][0]]
    player.columns[column] += (card.number,)
    _show(player, column, card.symbols + ground.grounds)


def _show(player: Player, column: int, symbols: tuple[int, ...]) -> None:
    for symbol in player.tops[column]:
        player.visible[symbol] -= 1
    shown = 0
    for symbol in symbols:
        player.visible[symbol] += 1
        shown |= 1 << symbol
    player.tops[column] = symbols
    player.shows[column] = shown


@dataclass(frozen=True, slots=True)
class PlayingCard(Decision[MeadowState]):
    """Play one card, or none; then perhaps another.

    Attributes:
        plays: cards that may be played, this one included.
    """

    kind: ClassVar[str] = "play_card"
    seat: int
    plays: int = 1

    def legal_ids(self, state: MeadowState) -> list[int]:
        return [PASS, *play_ids(state, self.seat)]

    def check(self, state: MeadowState, action_id: int) -> int:
        if action_id == PASS:
            return action_id
        if action_id < play_starts(state.catalogue)[0]:
            raise IllegalAction("WRONG_DECISION", "a card may be played, or none", expected=self.kind)
        return check_play(state, self.seat, action_id)

    def take(self, state: MeadowState, action_id: int) -> None:
        if action_id == PASS:
            state.out.emit(Passed(self.seat))
            return
        if self.plays > 1:
            state.push(PlayingCard(self.seat, self.plays - 1))
        start_play(state, self.seat, action_id)


@dataclass(frozen=True, slots=True)
class Discarding(Decision[MeadowState]):
    """Discard hand cards, one at a time, for the missing symbols of a card about to be played.

    Attributes:
        card, place: what will be played where.
        count: cards still to be discarded, this one included.
    """

    kind: ClassVar[str] = "discard"
    seat: int
    card: int
    place: int
    count: int

    def legal_ids(self, state: MeadowState) -> list[int]:
        return sorted(DISCARD + card for card in state.players[self.seat].hand if card != self.card)

    def check(self, state: MeadowState, action_id: int) -> int:
        if not DISCARD <= action_id < play_starts(state.catalogue)[0]:
            raise IllegalAction("WRONG_DECISION", "a card has to be discarded", expected=self.kind)
        card = action_id - DISCARD
        if card == self.card:
            raise IllegalAction("CARD_BEING_PLAYED", "the card to be played cannot pay for itself")
        if card not in state.players[self.seat].hand:
            raise IllegalAction("NOT_IN_HAND", "the card is not in the hand")
        return action_id

    def take(self, state: MeadowState, action_id: int) -> None:
        card = action_id - DISCARD
        discard(state, self.seat, card)
        if self.count > 1:
            state.push(Discarding(self.seat, self.card, self.place, self.count - 1))
        else:
            play(state, self.seat, state.catalogue.cards[self.card], self.place)


def discard(state: MeadowState, seat: int, number: int) -> None:
    """Put a hand card under its deck; whoever knew it knows where it lies."""
    deck = state.catalogue.cards[number].deck
    seen = state.players[seat].lose(number)
    put_away(state, number, seen)
    # the action names the card
    state.out.knowers = None if seen == EVERYBODY else seen
    state.out.emit(CardDiscarded(seat, deck, number, seen))
