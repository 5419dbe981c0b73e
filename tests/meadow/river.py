"""Scenes on the river, for the tests of Downstream: a track written down, the rest as in `tests.meadow.scene`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from meadow_engine.content.library import builtin_pack
from meadow_engine.meadow import content
from meadow_engine.meadow.catalogue import Catalogue
from meadow_engine.meadow.downstream.catalogue import LAZY_RIVER, Downstream, Extra, RiverSide, Space, Way
from meadow_engine.meadow.downstream.state import River

from tests.meadow.cards import box_of, names_in
from tests.meadow.scene import BOARD, DECKS, FAMILY, GOALS, Scene, player_lines

RIVER = "R1 R2 R3 R4\nR5 R6 R7 R8"
"""Spots 16 to 23."""
RIVER_DECK = "R14 R13 R12 R11 R10 R9"
"""The next card last."""
OARS = " ".join(f"R.frog(sands)^{oar}" for oar in (1, 2, 3, 4))
"""A hand whose cards move the kayak by 1, 2, 3 and 4; each covers the ground or another of them."""
SHORTCUT = "!"


def components() -> Downstream:
    """Downstream's components of the built-in pack."""
    found = content.catalogue(builtin_pack()).downstream
    assert found is not None
    return found


def track(words: str, ways: Mapping[int, Iterable[int | str]] | None = None) -> tuple[Space, ...]:
    """A track.

    Args:
        words: the spaces from the start, by what they offer: `none road=5 play`, a number where points stand beside it.
        ways: where to go from a space that does not simply lead to the next one; `3!` is a shortcut.
    """
    spaces = []
    names = words.split()
    for number, word in enumerate(names):
        offered, _, points = word.partition("=")
        onward = (ways or {}).get(number, [number + 1] if number + 1 < len(names) else [])
        leading = [str(way) for way in onward]
        spaces.append(
            Space(
                number,
                f"s{number}",
                Extra[offered.upper()],
                int(points or 0),
                tuple(Way(int(way.rstrip(SHORTCUT)), way.endswith(SHORTCUT)) for way in leading),
                (0, 0),
            )
        )
    return tuple(spaces)


def river_scene(
    *players: str,
    spaces: str = "none none none none none none",
    ways: Mapping[int, Iterable[int | str]] | None = None,
    side: str = LAZY_RIVER,
    river: str = RIVER,
    board: str = BOARD,
    goals: str = "",
    lines: str = "",
    turn: int = 0,
    first: int = 0,
    round_number: int = 1,
    halfway: bool = False,
    decks: Mapping[str, str] | None = None,
) -> Scene:
    """A scene on the river; see `scene` for what both have.

    Args:
        players: as in `scene`; the kayaks are at the start.
        spaces, ways: the track.
        side: of the river board.
        river: cards of the river card area, two lines.
        board, goals, lines, turn, first, round_number, halfway: as in `scene`.
        decks: as in `scene`, and R for the river deck.
    """
    seats = len(players)
    text = [f"meadow seats {seats} first {first} turn {turn} round {round_number}" + (" halfway" if halfway else "")]
    text += [f"side {side}"]
    text += [f"board {line}" for line in board.strip().splitlines()]
    text += [f"river {line}" for line in river.strip().splitlines()]
    piles = DECKS | {"R": RIVER_DECK} | dict(decks or {})
    text += [f"deck {'RIVER' if letter == 'R' else letter} {cards}" for letter, cards in piles.items()]
    text += [f"goals {goals or GOALS[seats]}"]
    text += lines.strip().splitlines()
    for seat, player in enumerate(players):
        text += player_lines(seat, player)
    text = [line.strip() for line in text]
    catalogue = with_track(box_of(names_in(text)), side, track(spaces, ways))
    return Scene(FAMILY.parse_position(catalogue, "\n".join(text))[-1])


def with_track(catalogue: Catalogue, side: str, spaces: tuple[Space, ...]) -> Catalogue:
    """A catalogue whose river has this track on a side."""
    downstream = components()
    board: RiverSide = replace(downstream.sides[side], spaces=spaces)
    return replace(catalogue, downstream=replace(downstream, sides={**downstream.sides, side: board}))


def river_of(game: Scene) -> River:
    """The river board of a scene."""
    assert game.state.river is not None
    return game.state.river


def paddle(
    spaces: str,
    move: int,
    *,
    hand: str = "",
    columns: Iterable[str] = ("sands",),
    ways: Mapping[int, Iterable[int | str]] | None = None,
    side: str = LAZY_RIVER,
    roads: int = 0,
    lines: str = "",
    river: str = RIVER,
    board: str = BOARD,
    decks: Mapping[str, str] | None = None,
) -> Scene:
    """Seat 0 has just played a card on a bench whose oar moves its kayak by so many spaces.

    The card covers the lone ground `sands` with a frog; further columns and hand cards are as given.
    """
    oar = f"R.frog(sands)^{move}"
    player = [f"roads {roads}", f"hand {oar} {hand}", *(f"column {column}" for column in columns)]
    other = "tokens 4\ncolumn rocks"
    game = river_scene(
        "\n".join(player),
        other,
        spaces=f"none {spaces}",
        ways=ways,
        side=side,
        lines=lines,
        river=river,
        board=board,
        decks=decks,
    )
    place = next(number for number, column in enumerate(columns) if column.startswith("sands"))
    return game.do("token 1 S1", f"play {oar} {place}")
