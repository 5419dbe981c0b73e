"""How much the greedy bot for Meadow loses by not looking further: python -m bench.meadow_search GAMES [SEED].

Solo games, each deal played greedily and with a small search: at each path token the search takes the greedy bot's
three best actions, plays the same six determinized games to their end with the greedy bot after each of them, and takes
the action with the best mean; elsewhere it is greedy.
"""

from __future__ import annotations

import sys
from statistics import mean, stdev

from meadow_engine import api
from meadow_engine.bots.greedy_meadow import Greedy

CANDIDATES, SAMPLES = 3, 6
GREEDY = api.bot("greedy", "meadow")
DICE = api.Streams(bytes(32))


def greedily(game: api.Game) -> int:
    """What the greedy bot chooses for the seat to move."""
    assert game.decision is not None
    return GREEDY.choose(game.view(game.decision.seat), game.legal_ids(), game.catalogue, DICE)


def finished(game: api.Game) -> int:
    """Points after the greedy bot has played the game to its end."""
    while game.decision is not None:
        game.apply(greedily(game))
    return game.returns()[0]


def search(game: api.Game, turn: int) -> int:
    """The candidate of the most points; all candidates meet the same determinized games."""
    judge = Greedy(game.view(0), game.catalogue)
    best = sorted(game.legal_ids(), key=lambda action_id: (-judge.worth(action_id), action_id))[:CANDIDATES]
    points = dict.fromkeys(best, 0)
    for sample in range(SAMPLES):
        for action_id in best:
            copy = game.determinize(0, turn * SAMPLES + sample)
            copy.apply(action_id)
            points[action_id] += finished(copy)
    return max(best, key=points.__getitem__)


def searching(seed: int) -> int:
    """Points of a solo game with the search."""
    game, turn = api.new_game("meadow_solo", seats=1, seed=seed), 0
    while game.decision is not None:
        turn += 1
        game.apply(search(game, turn) if game.decision.kind == "place_token" else greedily(game))
    return game.returns()[0]


def main(games: int, seed: int) -> None:
    """Play, and print after each deal how far the search is ahead."""
    ahead = []
    for deal in range(seed, seed + games):
        ahead.append(searching(deal) - finished(api.new_game("meadow_solo", seats=1, seed=deal)))
        half = 1.96 * stdev(ahead) / len(ahead) ** 0.5 if len(ahead) > 1 else 0.0
        print(f"{len(ahead)} deals: the search is ahead by {mean(ahead):.1f} +- {half:.1f} points", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1)
