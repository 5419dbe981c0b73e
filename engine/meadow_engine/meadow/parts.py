"""What a game of Meadow is made of: an ordered tuple of Parts.

The base game is made of Parts too, so that an expansion joins them or replaces one without editing the others. Hooks
are of four kinds:

* *notify*: all parts hear of it, in order;
* *collect*: the answers are joined;
* *veto*: all parts must agree;
* *first answer*: the first part that has something to say.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from meadow_engine.meadow.state import MeadowState


class Part:
    """A component or rule of the game, with the hooks it may fill."""

    def set_up(self, state: MeadowState) -> None:
        """Notify: lay out this part's components before the seats take their cards."""

    def cards_taken(self, state: MeadowState) -> None:
        """Notify: every seat has its starting cards."""

    def round_begins(self, state: MeadowState) -> None:
        """Notify: a round is about to begin; its number is set."""

    def turn_begins(self, state: MeadowState, seat: int) -> None:
        """Notify: a seat is about to place a token."""

    def round_ends(self, state: MeadowState) -> None:
        """Notify: all path tokens have been placed."""

    def marker_passes(self, state: MeadowState) -> None:
        """Notify: the round marker moves on from `state.round` to the next round."""

    def card_played(self, state: MeadowState, seat: int, card: int) -> None:
        """Notify: a card has been placed, its symbols counted, its road token used."""

    def open_places(self, state: MeadowState, seat: int, token: int) -> int:
        """Collect: the set of places where this part lets the seat place the token."""
        return 0

    def points(self, state: MeadowState, seat: int) -> dict[str, int]:
        """Collect: points by source."""
        return {}

    def may_cover(self, state: MeadowState, seat: int, column: int) -> bool:
        """Veto: whether a card may be placed on top of a column at all."""
        return True

    def use_place(self, state: MeadowState, seat: int, token: int, place: int) -> bool:
        """First answer: a token was placed, push what its action asks for; False if the place is not this part's."""
        return False


class Parts:
    """The parts of a variant, with their hooks found once."""

    def __init__(self, *parts: Part) -> None:
        self.set_up: tuple[Callable[[MeadowState], None], ...] = _filled(parts, "set_up")
        self.round_begins: tuple[Callable[[MeadowState], None], ...] = _filled(parts, "round_begins")
        self.cards_taken: tuple[Callable[[MeadowState], None], ...] = _filled(parts, "cards_taken")
        self.turn_begins: tuple[Callable[[MeadowState, int], None], ...] = _filled(parts, "turn_begins")
        self.round_ends: tuple[Callable[[MeadowState], None], ...] = _filled(parts, "round_ends")
        self.marker_passes: tuple[Callable[[MeadowState], None], ...] = _filled(parts, "marker_passes")
        self.card_played: tuple[Callable[[MeadowState, int, int], None], ...] = _filled(parts, "card_played")
        self.open_places: tuple[Callable[[MeadowState, int, int], int], ...] = _filled(parts, "open_places")
        self.points: tuple[Callable[[MeadowState, int], dict[str, int]], ...] = _filled(parts, "points")
        self.may_cover: tuple[Callable[[MeadowState, int, int], bool], ...] = _filled(parts, "may_cover")
        self.use_place: tuple[Callable[[MeadowState, int, int, int], bool], ...] = _filled(parts, "use_place")


def _filled(parts: Iterable[Part], hook: str) -> tuple[Any, ...]:
    """The bound methods of the parts that fill a hook."""
    return tuple(getattr(part, hook) for part in parts if getattr(type(part), hook) is not getattr(Part, hook))
