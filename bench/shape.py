"""The shape of a game's decisions, without which decisions per second say little."""

from __future__ import annotations

from dataclasses import dataclass, field

from bench.timing import percentile


@dataclass
class Shape:
    """What random games looked like.

    Attributes:
        games: how many there were.
        turns: turns of all of them; 0 where a game does not tell.
        listed: the length of every legal list.
    """

    games: int = 0
    turns: int = 0
    listed: list[int] = field(default_factory=list)

    def __str__(self) -> str:
        decisions = len(self.listed)
        text = f"{decisions / self.games:.0f} decisions a game, legal list mean {sum(self.listed) / decisions:.1f}"
        text += f", median {percentile(self.listed, 0.5)}, most {max(self.listed)}"
        alone = self.listed.count(1) / decisions
        text += f", {alone:.0%} without choice"
        return text + (f", {decisions / self.turns:.2f} decisions a turn" if self.turns else "")
