"""Golden playthroughs: whole games written down, what each observer sees, may choose and learns, to be compared.

    python -m tests.golden.playthrough            renews all of them
    python -m tests.golden.playthrough NAME...    renews some, and makes those that are new

A playthrough keeps its moves when it is renewed, as far as they are still legal; from there on the family's bots play.
Games use the frozen pack, so only a change of the rules, the texts or the kernel can change a playthrough. Such a
change also takes away the note that somebody has read the game with the book in hand.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from hashlib import blake2b
from itertools import groupby
from pathlib import Path
from random import Random

from meadow_engine import api
from meadow_engine.api import Event, Game

from tests.engine.conformance import by_bots, viewers
from tests.engine.families import Case, cases, main_cases
from tests.engine.meadow import envelopes_of
from tests.support.frozen import frozen_pack

FOLDER = Path(__file__).parent
SEEDS = {
    "spring_meadow-2": 1,
    "spring_meadow-2-expert": 2,
    "spring_meadow-3": 3,
    "spring_meadow-3-expert": 4,
    "spring_meadow-4": 5,
    "spring_meadow-4-expert": 6,
    "spring_meadow_solo-1": 7,
    "spring_meadow_campaign-1": 8,
    "meadow-2": 9,
    "meadow-2-beginners_deal": 10,
    "meadow-3": 11,
    "meadow-3-beginners_deal": 12,
    "meadow-4": 13,
    "meadow-4-beginners_deal": 14,
    "meadow_solo-1": 15,
    "meadow_solo-1-beginners_deal": 16,
    "meadow-2-envelopes": 17,
    "meadow-3-envelopes": 18,
    "meadow-4-envelopes": 19,
    "meadow_solo-1-envelopes": 20,
    "downstream_lazy_river-2": 21,
    "downstream_lazy_river-2-envelopes": 22,
    "downstream_lazy_river-3": 23,
    "downstream_lazy_river-3-envelopes": 24,
    "downstream_lazy_river-4": 25,
    "downstream_lazy_river-4-envelopes": 26,
    "downstream_lazy_river_solo-1": 27,
    "downstream_lazy_river_solo-1-envelopes": 28,
    "downstream_wild_rapids-2": 41,
    "downstream_wild_rapids-2-envelopes": 30,
    "downstream_wild_rapids-3": 31,
    "downstream_wild_rapids-3-envelopes": 32,
    "downstream_wild_rapids-4": 33,
    "downstream_wild_rapids-4-envelopes": 34,
    "downstream_wild_rapids_solo-1": 35,
    "downstream_wild_rapids_solo-1-envelopes": 36,
}
WHOLE_VIEWS = 6
"""A whole view is shown at one decision of so many; between them the lines that changed."""
MOVE = "> "
REVIEWED = "reviewed "
NOT_REVIEWED = "not reviewed by hand"


def golden_cases() -> dict[str, Case]:
    """The games that must have a playthrough, by name: every variant and seat count, with each switch on and off.

    Where there are envelopes, another one is played with all of them.
    """
    all_envelopes = [case for case in cases() if case.options == {"envelopes": envelopes_of(case.variant)[::-1]}]
    return {name_of(case): case for case in (*main_cases(), *all_envelopes)}


def name_of(case: Case) -> str:
    """Such as `spring_meadow-2-expert`."""
    return "-".join([case.variant.id, str(case.seats), *(name for name, value in case.options.items() if value)])


def path_of(name: str) -> Path:
    """Where a playthrough lies."""
    return FOLDER / f"{name}.txt"


def moves_of(text: str) -> list[str]:
    """The moves of a playthrough."""
    return [line.removeprefix(MOVE).split("   ")[0] for line in text.splitlines() if line.startswith(MOVE)]


def playthrough(name: str, moves: list[str]) -> str:
    """A playthrough's text without its first line.

    Args:
        name: of the playthrough.
        moves: to be made as long as they are legal; bots choose the others.
    """
    case, seed = golden_cases()[name], SEEDS[name]
    game = api.new_game(case.variant.id, seats=case.seats, seed=seed, options=case.options, pack=frozen_pack())
    lines = [f"{name}, seed {seed}", "", *_event_lines(game, game.opening_events)]
    random, rest, screen = Random(seed), list(moves), Screen()
    number = 0
    while not game.is_over:
        number += 1
        action_id = _next_move(game, rest, random)
        decision = game.decision
        assert decision is not None
        lines += ["", f"== {number}. seat {decision.seat}: {decision.kind}, state {game.state_hash().hex()[:16]}"]
        lines += screen.lines(game, whole=number % WHOLE_VIEWS == 1)
        lines += [f"legal {len(game.legal_ids())}: {compact(game)}"]
        lines += [f"{MOVE}{game.action_text(action_id)}   {game.label(action_id)}"]
        lines += _event_lines(game, game.apply(action_id).events)
    lines += ["", f"== end, state {game.state_hash().hex()[:16]}", *screen.lines(game, whole=True)]
    return "\n".join([*lines, f"{game.outcome()}, returns {game.returns()}", ""])


def _next_move(game: Game, rest: list[str], random: Random) -> int:
    if rest:
        action_id = game.parse_action(rest.pop(0))
        if action_id in game.legal_ids():
            return action_id
        rest.clear()
    return by_bots(game, random)


def _event_lines(game: Game, events: tuple[Event, ...]) -> Iterator[str]:
    """Each event once if all see it alike, else in the form each viewer gets."""
    for event in events:
        forms = {viewer: repr(event.seen_by(viewer)) for viewer in viewers(game)}
        for form, those in _alike(forms):
            yield f"   {those}{form}"


def _alike(forms: dict[int | None, str]) -> Iterator[tuple[str, str]]:
    """Each form with the viewers that get it, which go without saying when they are all."""
    for form in dict.fromkeys(forms.values()):
        those = ["spectator" if viewer is None else str(viewer) for viewer in forms if forms[viewer] == form]
        yield form, "" if len(those) == len(forms) else f"[{', '.join(those)}] "


class Screen:
    """What was shown last, so that only the lines that changed need to be shown."""

    def __init__(self) -> None:
        self._shown: dict[str, list[str]] = {}

    def lines(self, game: Game, *, whole: bool) -> Iterator[str]:
        """The spectator's view, and of each seat's the lines in which it differs."""
        base = game.text(None).splitlines()
        yield from self._news(base, whole=whole)
        for viewer in range(game.seats):
            own = game.text(viewer).splitlines()
            assert len(own) == len(base)
            differing = [line for line, common in zip(own, base, strict=True) if line != common]
            if whole or differing != self._shown.get(f"[{viewer}] "):
                yield from (f"[{viewer}] {line}" for line in differing)
            self._shown[f"[{viewer}] "] = differing

    def _news(self, new: list[str], *, whole: bool) -> Iterator[str]:
        old = self._shown.get("", [])
        yield from new if whole or len(new) != len(old) else _changed(old, new)
        self._shown[""] = new


def _changed(old: list[str], new: list[str]) -> Iterator[str]:
    """The lines that changed, each below the title of its board."""
    title = shown = ""
    for before, line in zip(old, new, strict=True):
        title = line if line.startswith("seat ") else title
        if line != before:
            if title not in (shown, line):
                yield title
            shown = title
            yield line


def compact(game: Game) -> str:
    """The legal actions as text, with what they begin with said once and neighbouring columns as a range."""
    words = [game.action_text(action_id).rpartition(" ") for action_id in game.legal_ids()]
    groups = groupby(words, key=lambda parts: parts[0])
    return "; ".join(f"{start} {' '.join(_ranges([last for *_, last in those]))}" for start, those in groups)


def _ranges(words: list[str]) -> Iterator[str]:
    """Spaces such as `c4 d4 e4` as `c-e4`; other words as they are."""
    place = 0
    while place < len(words):
        end = place + 1
        while end < len(words) and _beside(words[end - 1], words[end]):
            end += 1
        yield words[place] if end == place + 1 else f"{words[place][0]}-{words[end - 1]}"
        place = end


def _beside(one: str, other: str) -> bool:
    spaces = re.fullmatch(r"[a-z]\d", one) and re.fullmatch(r"[a-z]\d", other)
    return bool(spaces) and one[1] == other[1] and ord(one[0]) + 1 == ord(other[0])


def digest(text: str) -> str:
    """What a review's note names, so that it holds for this very text only."""
    return blake2b(text.encode(), digest_size=8).hexdigest()


def renew(name: str) -> None:
    """Write a playthrough anew; its note of a review stays if nothing changed."""
    path = path_of(name)
    note, _, old = path.read_text(encoding="utf-8").partition("\n") if path.exists() else (NOT_REVIEWED, "", "")
    text = playthrough(name, moves_of(old))
    path.write_text(f"{note if text == old else NOT_REVIEWED}\n{text}", encoding="utf-8")


def main() -> None:
    """Renew the playthroughs named on the command line, or all."""
    for name in sys.argv[1:] or golden_cases():
        renew(name)


if __name__ == "__main__":
    main()
