"""A view as numbers, for learners."""

from __future__ import annotations

from meadow_engine.kernel.stack import pending
from meadow_engine.meadow.actions import DECKS, MOST_GOALS, SPOTS
from meadow_engine.meadow.downstream.observation import RIVER_PLAYER_NUMBERS, river_numbers, river_player_numbers
from meadow_engine.meadow.places import PLACES, TOKENS
from meadow_engine.meadow.state import MAX_GROUNDS, MeadowState
from meadow_engine.meadow.symbols import SYMBOL_COUNT
from meadow_engine.meadow.view import MeadowView, PlayerView, meadow_view

KINDS = (
    "choose_row",
    "choose_ground",
    "place_token",
    "choose_spot",
    "play_card",
    "discard",
    "campfire",
    "keep_card",
    "put_under",
    "choose_watery_ground",
    "take_card",
    "choose_way",
    "extra_action",
    "trade",
    "choose_deck",
)
MAX_SEATS = 4
HAND_SHOWN = 24
"""Hand cards that an observation has room for; the oldest ones are left out of a larger hand."""
PLAYER_NUMBERS = SYMBOL_COUNT + MAX_GROUNDS + DECKS + 8 + RIVER_PLAYER_NUMBERS


def observation(state: MeadowState, viewer: int | None) -> list[int]:
    """The view as a list of fixed length, seats starting with the viewer (a spectator: seat 0).

    Layout: one flag per kind of decision; seat to choose relative to the viewer (-1 at the end), special action, plays
    left, card to be paid for (-1 none), discards left, extra action, spaces the kayak has to move; round, rounds, first
    seat (relative), halfway, roads left; the card on each of 24 spots (-1 none); cards in five decks; a flag for each
    free place; for each of 12 goal squares its symbol (-1 none) and for each pair who claimed it (relative seat, -1
    nobody); the river board (see `meadow_engine.meadow.downstream.observation`); the viewer's hand (-1 where there is
    no card); then for four seats (zeros where there is none): visible symbols, top card of each column from left to
    right (-1 none), unknown hand cards by back, known hand cards, roads, unused tokens as bits, bonuses, landscapes,
    landscapes without discovery, discoveries, points, and what the seat has on the river board.
    """
    view = meadow_view(state, viewer)
    first = viewer or 0
    waiting = pending(state)
    pending_view = view.pending
    numbers = [int(waiting is not None and waiting.kind == kind) for kind in KINDS]
    if pending_view is None:
        numbers += [-1, 0, 0, -1, 0, 0, 0]
    else:
        seat = (pending_view.seat - first) % view.seats
        numbers += [seat, pending_view.special, pending_view.plays, pending_view.card, pending_view.discards]
        numbers += [pending_view.extra, pending_view.spaces_left]
    numbers += [view.round, view.rounds, (view.first_seat - first) % view.seats, int(view.halfway), view.road_supply]
    numbers += [*_padded(view.board, SPOTS), *_counts(view.deck_counts)]
    numbers += [view.free >> place & 1 for place in range(PLACES)]
    numbers += _padded(view.goals, MOST_GOALS)
    numbers += _padded([c if c < 0 else (c - first) % view.seats for c in view.claims], MOST_GOALS)
    numbers += river_numbers(view.river)
    numbers += _padded(view.players[first].hand[-HAND_SHOWN:] if viewer is not None else (), HAND_SHOWN)
    for place in range(MAX_SEATS):
        numbers += _player(view, (first + place) % view.seats) if place < view.seats else [0] * PLAYER_NUMBERS
    return numbers


def _padded(numbers: list[int] | tuple[int, ...], length: int) -> list[int]:
    return [*numbers, *[-1] * (length - len(numbers))]


def _counts(counts: tuple[int, ...]) -> list[int]:
    return [*counts, *[0] * (DECKS - len(counts))]


def _player(view: MeadowView, seat: int) -> list[int]:
    player: PlayerView = view.players[seat]
    tops = [player.columns[column][-1] for column in player.row]
    bare = sum(card < 0 for card in player.discoveries)
    return [
        *player.visible,
        *_padded(tops, MAX_GROUNDS),
        *_counts(player.unknown),
        len(player.hand),
        player.roads,
        player.tokens & (1 << TOKENS) - 1,
        player.bonuses,
        len(player.landscapes),
        bare,
        len(player.landscapes) - bare,
        player.score.total,
        *river_player_numbers(view.river, seat),
    ]
