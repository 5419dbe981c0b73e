"""How Downstream fares: python -m bench.downstream VARIANT SEATS GAMES [SEED] [BOT]; one seat for a solo variant.

Prints points, how far the kayaks came, what the spaces of the track offered, the tokens, and the cards. A card was seen
if it ever lay face up or in a hand; it was played if it lies in an area at the end.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from math import sqrt
from statistics import mean, stdev

from meadow_engine import api
from meadow_engine.api import downstream_events as events
from meadow_engine.content.stats import Z_95, share

SHOWN = 12
"""Cards listed at either end."""
BANDS = (50, 66, 80)
"""Where the bands of the solo table begin, after the lowest (rulebook: Solo scoring table)."""
SETS = ("downstream", "Z")
"""The sets whose cards are listed."""
Extra = api.downstream_catalogue.Extra


@dataclass
class Tally:
    """What happened in a number of games. A win that several share counts in parts; `points` have one entry a seat."""

    points: list[int] = field(default_factory=list)
    best: list[int] = field(default_factory=list)
    wins: dict[int, float] = field(default_factory=dict)
    sources: Counter[str] = field(default_factory=Counter)
    numbers: Counter[int] = field(default_factory=Counter)
    visits: Counter[int] = field(default_factory=Counter)
    offered: Counter[str] = field(default_factory=Counter)
    used: Counter[str] = field(default_factory=Counter)
    tokens: Counter[str] = field(default_factory=Counter)
    seen: Counter[int] = field(default_factory=Counter)
    played: Counter[int] = field(default_factory=Counter)

    def play(self, variant: str, seats: int, seed: int, bot: api.Bot) -> api.Game:
        """Play a game of equal bots and count it."""
        game = api.new_game(variant, seats=seats, seed=seed)
        first = game.view(None).first_seat
        dice = api.Streams(seed.to_bytes(32, "big"))
        seen: set[int] = set()
        while (decision := game.decision) is not None:
            seen.update(game.state.board, *(player.hand for player in game.state.players))
            view = game.view(decision.seat)
            action = bot.choose(view, game.legal_ids(), game.catalogue, dice)
            if decision.kind == "extra_action":
                name = Extra(view.pending.extra).name
                self.offered[name] += 1
                self.used[name] += game.action_text(action) != "pass"
            self._hear(game.apply(action).events)
        self._close(game, seen, first)
        return game

    def _hear(self, heard: Iterable[api.Event]) -> None:
        for event in heard:
            if isinstance(event, events.KayakMoved):
                self.visits[event.space] += 1
            elif isinstance(event, events.PierTaken):
                self.tokens[f"pier {api.downstream_catalogue.Pier(event.token).name}"] += 1
            elif isinstance(event, events.TentTaken):
                self.tokens[f"tent {api.downstream_catalogue.Tent(event.token).name}"] += 1

    def _close(self, game: api.Game, seen: set[int], first: int) -> None:
        returns, played = game.returns(), set[int]()
        self.points += returns
        self.best.append(max(returns))
        winners = [seat for seat, points in enumerate(returns) if points == max(returns)]
        for seat in winners:
            place = (seat - first) % game.seats
            self.wins[place] = self.wins.get(place, 0) + 1 / len(winners)
        self.numbers.update(game.state.river.points)
        for player in game.state.players:
            played.update(*player.columns, player.landscapes, player.discoveries)
        self.seen.update((seen | played) - {-1})
        self.played.update(played - {-1})
        for seat in game.score_sheet().seats:
            self.sources.update(dict(seat.sources))


def interval(values: list[int]) -> str:
    """A mean with its 95 % confidence interval."""
    middle, half = mean(values), Z_95 * stdev(values) / sqrt(len(values))
    return f"{middle:.1f} ({middle - half:.1f} to {middle + half:.1f})"


def portion(part: float, whole: int) -> str:
    """A share in per cent with its 95 % confidence interval."""
    return "{:.1f} ({:.1f} to {:.1f}) %".format(*(100 * value for value in share(part, whole)))


def report(tally: Tally, game: api.Game) -> None:
    """Print everything."""
    seats = len(tally.points)
    print(f"{len(tally.best)} games of {game.seats}: points {interval(tally.points)}, the best {interval(tally.best)}")
    print("from", {name: round(points / seats, 1) for name, points in tally.sources.items()})
    if game.seats > 1:
        shares = {place + 1: portion(wins, len(tally.best)) for place, wins in sorted(tally.wins.items())}
        print("wins by place in the first round", shares)
    else:
        places = [sum(points >= start for start in BANDS) for points in tally.points]
        print("bands", [portion(places.count(band), seats) for band in range(len(BANDS) + 1)])
    print("last number", {number: portion(count, seats) for number, count in sorted(tally.numbers.items())})
    spaces = game.catalogue.downstream.sides[game.state.river.side].spaces
    print("spaces", {space.id: f"{tally.visits[space.number] / seats:.0%}" for space in spaces[1:]})
    print("offered", {name: round(count / seats, 2) for name, count in tally.offered.items()})
    print("taken up", {name: f"{tally.used[name] / count:.0%}" for name, count in tally.offered.items()})
    print("tokens", {name: round(count / len(tally.best), 2) for name, count in sorted(tally.tokens.items())})
    cards = [card for card in game.catalogue.cards if card.card_set in SETS and tally.seen[card.number]]
    cards = [card for card in cards if card.deck.name != "START"]
    cards.sort(key=lambda card: tally.played[card.number] / tally.seen[card.number])
    for card in (*cards[:SHOWN], *cards[-SHOWN:]):
        print(f"{card.id} {card.name:28} played in {portion(tally.played[card.number], tally.seen[card.number])}")
    print("never played:", ", ".join(card.name for card in cards if not tally.played[card.number]) or "none")


def main(variant: str, seats: int, games: int, seed: int, bot: str) -> None:
    """Play and print."""
    tally, player = Tally(), api.bot(bot, "meadow")
    for number in range(games):
        game = tally.play(variant, seats, seed + number, player)
    report(tally, game)


if __name__ == "__main__":
    given = [*sys.argv[1:], *("1", "greedy")[len(sys.argv) - 4 :]]
    main(given[0], int(given[1]), int(given[2]), int(given[3]), given[4])
