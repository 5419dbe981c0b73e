"""How the cards of Meadow fare: python -m bench.meadow_cards SEATS GAMES [SEED]; one seat is the solo game.

Greedy bots play. A card was seen if it ever lay face up or in a hand; it was played if it lies in an area at the end.
"""

from __future__ import annotations

import sys
from collections import Counter
from statistics import mean, stdev
from typing import NamedTuple

from meadow_engine import api

GREEDY = api.bot("greedy", "meadow")
DICE = api.Streams(bytes(32))
SHOWN = 12
"""Cards listed at either end."""


class CardUse(NamedTuple):
    """A finished game, and the numbers of the cards that were seen and played in it."""

    game: api.Game
    seen: set[int]
    played: set[int]


def play(seats: int, seed: int) -> CardUse:
    """Play one game of greedy bots."""
    game = api.new_game("meadow" if seats > 1 else "meadow_solo", seats=seats, seed=seed)
    seen: set[int] = set()
    while (decision := game.decision) is not None:
        state = game.state
        seen.update(state.board, *(player.hand for player in state.players))
        game.apply(GREEDY.choose(game.view(decision.seat), game.legal_ids(), game.catalogue, DICE))
    played: set[int] = set()
    for player in game.state.players:
        played.update(*player.columns, player.landscapes, player.discoveries)
    return CardUse(game, (seen | played) - {-1}, played - {-1})


def main(seats: int, games: int, seed: int) -> None:
    """Play, and print points and the cards played least and most often."""
    uses = [play(seats, seed + number) for number in range(games)]
    best = [max(use.game.returns()) for use in uses]
    print(f"{games} games, winner's points {mean(best):.1f}, standard deviation {stdev(best):.1f}")
    if seats == 1:
        rover = [use.game.score_sheet().rover for use in uses]
        beaten = sum(mine >= his for mine, his in zip(best, rover, strict=True))
        print(f"Rover's points {mean(rover):.1f}, beaten in {beaten}")
    seen = Counter(card for use in uses for card in use.seen)
    played = Counter(card for use in uses for card in use.played)
    cards = [card for card in uses[0].game.catalogue.cards if seen[card.number] and card.deck.name != "START"]
    cards.sort(key=lambda card: played[card.number] / seen[card.number])
    for card in (*cards[:SHOWN], *cards[-SHOWN:]):
        share = played[card.number] / seen[card.number]
        print(f"{card.id} {card.name:30} played in {share:6.1%} of {seen[card.number]} games")


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 1)
