"""What a viewer sees of a game of Meadow: built up from what that viewer may know (ruling M15).

Other seats' hands are the cards that everybody saw them take, and how many others they hold by card back. Nothing here
can hold a deck's order, another seat's private cards, or the seed.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from meadow_engine.kernel.stack import Decision, pending
from meadow_engine.kernel.zones import knows
from meadow_engine.meadow.campfire import AtCampfire
from meadow_engine.meadow.downstream.pending_view import river_pending_view, spaces_left
from meadow_engine.meadow.downstream.view import RiverView, river_view
from meadow_engine.meadow.goals import claimable
from meadow_engine.meadow.looking import KeepingCard, PuttingUnder
from meadow_engine.meadow.main_board import ChoosingSpot
from meadow_engine.meadow.pending_view import CardReport, PendingView
from meadow_engine.meadow.playability import playability
from meadow_engine.meadow.playing import Discarding, PlayingCard
from meadow_engine.meadow.requirements import missing_requirements, needs_table
from meadow_engine.meadow.scoring import SeatScore, score_sheet
from meadow_engine.meadow.state import MeadowState, Player


@dataclass(frozen=True, slots=True)
class PlayerView:
    """What lies before a seat, as a viewer sees it.

    Attributes:
        hand: the hand cards that the viewer knows; one's own hand in the order it came, others' by number.
        unknown: for each deck, how many further cards with its back the hand holds.
        columns: the meadow's columns by number, each from its ground card up.
        row: column numbers from left to right.
        visible: how often each symbol is visible.
        landscapes, discoveries: parallel; -1 where a landscape has no discovery.
        roads: unused road tokens.
        tokens: the set of unused tokens (bit = token).
        bonuses: how many bonus tokens were placed.
        start: number of the starting ground card.
        score: running points.
    """

    hand: tuple[int, ...]
    unknown: tuple[int, ...]
    columns: tuple[tuple[int, ...], ...]
    row: tuple[int, ...]
    visible: tuple[int, ...]
    landscapes: tuple[int, ...]
    discoveries: tuple[int, ...]
    roads: int
    tokens: int
    bonuses: int
    start: int
    score: SeatScore


@dataclass(frozen=True, slots=True)
class RoverView:
    """Rover, all in the open but the order of his pile.

    Attributes:
        tokens_left: tokens in his face-down pile.
        markers: for colours 1 to 3 the place of the marker at the solo token.
        cards: the cards he took.
        points: what they are worth, which the player has to reach; -1 where nobody counts them.
    """

    tokens_left: int
    markers: tuple[int, ...]
    cards: tuple[int, ...]
    points: int


@dataclass(frozen=True, slots=True)
class MeadowView:
    """A whole game as a seat or a spectator sees it.

    Attributes:
        seats: number of seats.
        round, rounds: 1 to `rounds`; 0 during the set-up.
        first_seat: the seat with the first player token.
        halfway: whether the N deck has replaced the S deck.
        board: the card on each spot of the main board and, behind them, of the river card area; -1 for none.
        deck_counts: cards left in the decks W, S, E, N and, in Downstream, in the river deck.
        places: for each place the token on it (seat or colour * 6 + token), -1 for none.
        free: the set of places that can take a token.
        goals: symbols of the goal tokens, in ring order.
        claims: for each pair of neighbours the seat that claimed it, -1 for none.
        road_supply: road tokens left.
        players: by seat.
        rover: the dummy player, or None.
        river: the river board of Downstream, or None.
        pending: what has to be chosen; None when the game is over.
    """

    seats: int
    round: int
    rounds: int
    first_seat: int
    halfway: bool
    board: tuple[int, ...]
    deck_counts: tuple[int, ...]
    places: tuple[int, ...]
    free: int
    goals: tuple[int, ...]
    claims: tuple[int, ...]
    road_supply: int
    players: tuple[PlayerView, ...]
    rover: RoverView | None
    river: RiverView | None
    pending: PendingView | None


def meadow_view(state: MeadowState, viewer: int | None) -> MeadowView:
    """The view of a seat, or of a spectator."""
    decision = pending(state)
    sheet = score_sheet(state)
    return MeadowView(
        seats=state.seats,
        round=state.round,
        rounds=state.rounds,
        first_seat=state.first_seat,
        halfway=state.halfway,
        board=tuple(state.board),
        deck_counts=tuple(len(deck) for deck in state.decks),
        places=tuple(state.places),
        free=state.free,
        goals=tuple(state.goals),
        claims=tuple(state.claims),
        road_supply=state.road_supply,
        players=tuple(
            _player_view(state, seat, viewer, score)
            for seat, score in zip(range(state.seats), sheet.seats, strict=True)
        ),
        rover=_rover_view(state, sheet.rover),
        river=None if state.river is None else river_view(state.river, alone=state.rover is not None),
        pending=None if decision is None else _pending_view(state, decision, viewer),
    )


def _player_view(state: MeadowState, seat: int, viewer: int | None, score: SeatScore) -> PlayerView:
    player = state.players[seat]
    known, unknown = _hand_view(state, player, viewer)
    return PlayerView(
        hand=tuple(known if seat == viewer else sorted(known)),
        unknown=unknown,
        columns=tuple(player.columns),
        row=tuple(player.row),
        visible=tuple(player.visible),
        landscapes=tuple(player.landscapes),
        discoveries=tuple(player.discoveries),
        roads=player.roads,
        tokens=player.tokens,
        bonuses=player.bonuses,
        start=state.starts[seat],
        score=score,
    )


def _hand_view(state: MeadowState, player: Player, viewer: int | None) -> tuple[list[int], tuple[int, ...]]:
    known, unknown = [], [0] * len(state.decks)
    for card, seen in zip(player.hand, player.seen, strict=True):
        if knows(seen, viewer):
            known.append(card)
        else:
            unknown[state.catalogue.cards[card].deck] += 1
    return known, tuple(unknown)


def _rover_view(state: MeadowState, points: int) -> RoverView | None:
    if state.rover is None:
        return None
    return RoverView(len(state.rover.pile), state.rover.markers, tuple(state.rover.cards), points)


def _pending_view(state: MeadowState, decision: Decision[MeadowState], viewer: int | None) -> PendingView:
    waiting, left = _decision_view(state, decision, viewer), spaces_left(state)
    return replace(waiting, spaces_left=left) if left else waiting


def _decision_view(state: MeadowState, decision: Decision[MeadowState], viewer: int | None) -> PendingView:
    seat, kind, own = decision.seat, decision.kind, decision.seat == viewer
    match decision:
        case ChoosingSpot():
            return PendingView(seat, kind, spots=decision.spots)
        case AtCampfire():
            pairs = tuple(claimable(state, seat)) if decision.may_claim else ()
            reports = hand_report(state, seat) if own and decision.plays else ()
            return PendingView(
                seat, kind, special=decision.special, plays=decision.plays, claimable=pairs, hand=reports
            )
        case PlayingCard():
            return PendingView(seat, kind, plays=decision.plays, hand=hand_report(state, seat) if own else ())
        case Discarding():
            # the play was announced: everybody knows which card is being paid for
            return PendingView(seat, kind, card=decision.card, place=decision.place, discards=decision.count)
        case KeepingCard() | PuttingUnder():
            pile = state.decks[decision.deck]
            cards = tuple(reversed(pile.items[len(pile) - decision.count :])) if own else ()
            return PendingView(seat, kind, deck=decision.deck, looked_at=cards)
        case _:
            return river_pending_view(state, decision)


def hand_report(state: MeadowState, seat: int) -> tuple[CardReport, ...]:
    """For each hand card whether it can be played now, and why not."""
    return tuple(_card_report(state, seat, card) for card in state.players[seat].hand)


def _card_report(state: MeadowState, seat: int, number: int) -> CardReport:
    card = state.catalogue.cards[number]
    found = playability(state, seat, card)
    missing = missing_requirements(card, needs_table(state.catalogue)[number], state.players[seat].visible)
    return CardReport(number, found.places, found.discards, missing, found.obstacle)
