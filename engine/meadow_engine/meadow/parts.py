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
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from meadow_engine.kernel.stack import Frame
from meadow_engine.meadow.catalogue import Card, Deck
from meadow_engine.meadow.places import PLACES

if TYPE_CHECKING:
    from meadow_engine.meadow.state import MeadowState

P = ParamSpec("P")
A = TypeVar("A")
Hooks = tuple[Callable[P, A], ...]
ALL_PLACES = (1 << PLACES) - 1


class Part:
    """A component or rule of the game, with the hooks it may fill."""

    # ---- notify

    def set_up(self, state: MeadowState) -> None:
        """Lay out this part's components before the seats take their cards."""

    def cards_taken(self, state: MeadowState) -> None:
        """Every seat has its starting cards."""

    def round_begins(self, state: MeadowState) -> None:
        """A round is about to begin; its number is set."""

    def turn_begins(self, state: MeadowState, seat: int) -> None:
        """A seat is about to place a token."""

    def rover_moved(self, state: MeadowState, token: int) -> None:
        """Rover has placed this token and taken what it showed him."""

    def round_ends(self, state: MeadowState) -> None:
        """All path tokens have been placed."""

    def marker_passes(self, state: MeadowState) -> None:
        """The round marker moves on from `state.round` to the next round."""

    def card_played(self, state: MeadowState, seat: int, card: int) -> None:
        """A card has been placed, its symbols counted, its road token used."""

    # ---- collect

    def starting_choices(self, state: MeadowState, seat: int) -> tuple[Frame[Any], ...]:
        """What a seat chooses, in this order, once all have their starting cards."""
        return ()

    def tokens(self, state: MeadowState) -> int:
        """The set of tokens that each seat has in a round."""
        return 0

    def places(self, state: MeadowState) -> int:
        """The set of places for tokens that this part has with this number of players."""
        return 0

    def decks_on_board(self, state: MeadowState) -> tuple[Deck, ...]:
        """The decks in use: an effect that names no deck lets one choose among them."""
        return ()

    def bound_to(self, card: Card) -> int:
        """The set of symbols of which a column must show one, for the card to be placed on it at all."""
        return 0

    def points(self, state: MeadowState, seat: int) -> dict[str, int]:
        """Points by source."""
        return {}

    # ---- veto

    def places_for(self, token: int) -> int:
        """The set of places where a token may lie at all."""
        return ALL_PLACES

    def may_cover(self, state: MeadowState, seat: int, column: int) -> bool:
        """Whether a card may be placed on top of a column at all."""
        return True

    # ---- first answer

    def spot_deck(self, state: MeadowState, spot: int) -> Deck | None:
        """The deck that fills a spot; None if the spot is not this part's."""
        return None

    def stand_in(self, deck: Deck) -> Deck | None:
        """The deck that replaces one which has run out; None if this part knows of none."""
        return None

    def put_away(self, state: MeadowState, card: int) -> bool | None:
        """True if a discarded card leaves play; None to let it lie under the deck of its back."""
        return None

    def use_place(self, state: MeadowState, seat: int, token: int, place: int) -> bool | None:
        """A token was placed: push what its action asks for and answer True; None if the place is not this part's."""
        return None

    def rover_points(self, state: MeadowState) -> int | None:
        """The points of Rover, which the player has to reach."""
        return None

    def solo_band(self, state: MeadowState, points: int) -> int | None:
        """The line of the solo table reached with these points, 0 the lowest."""
        return None


class Parts:
    """The parts of a variant, with their hooks found once."""

    def __init__(self, *parts: Part) -> None:
        # notify
        self.set_up: Hooks[[MeadowState], None] = _filled(parts, "set_up")
        self.cards_taken: Hooks[[MeadowState], None] = _filled(parts, "cards_taken")
        self.round_begins: Hooks[[MeadowState], None] = _filled(parts, "round_begins")
        self.turn_begins: Hooks[[MeadowState, int], None] = _filled(parts, "turn_begins")
        self.rover_moved: Hooks[[MeadowState, int], None] = _filled(parts, "rover_moved")
        self.round_ends: Hooks[[MeadowState], None] = _filled(parts, "round_ends")
        self.marker_passes: Hooks[[MeadowState], None] = _filled(parts, "marker_passes")
        self.card_played: Hooks[[MeadowState, int, int], None] = _filled(parts, "card_played")
        # collect
        self.starting_choices: Hooks[[MeadowState, int], tuple[Frame[Any], ...]] = _filled(parts, "starting_choices")
        self.tokens: Hooks[[MeadowState], int] = _filled(parts, "tokens")
        self.places: Hooks[[MeadowState], int] = _filled(parts, "places")
        self.decks_on_board: Hooks[[MeadowState], tuple[Deck, ...]] = _filled(parts, "decks_on_board")
        self.bound_to: Hooks[[Card], int] = _filled(parts, "bound_to")
        self.points: Hooks[[MeadowState, int], dict[str, int]] = _filled(parts, "points")
        # veto
        self.places_for: Hooks[[int], int] = _filled(parts, "places_for")
        self.may_cover: Hooks[[MeadowState, int, int], bool] = _filled(parts, "may_cover")
        # first answer
        self.spot_deck: Hooks[[MeadowState, int], Deck | None] = _filled(parts, "spot_deck")
        self.stand_in: Hooks[[Deck], Deck | None] = _filled(parts, "stand_in")
        self.put_away: Hooks[[MeadowState, int], bool | None] = _filled(parts, "put_away")
        self.use_place: Hooks[[MeadowState, int, int, int], bool | None] = _filled(parts, "use_place")
        self.rover_points: Hooks[[MeadowState], int | None] = _filled(parts, "rover_points")
        self.solo_band: Hooks[[MeadowState, int], int | None] = _filled(parts, "solo_band")


def first_answer(hooks: Hooks[P, A | None], *args: P.args, **kwargs: P.kwargs) -> A | None:
    """The answer of the first part that has one."""
    for hook in hooks:
        answer = hook(*args, **kwargs)
        if answer is not None:
            return answer
    return None


def _filled(parts: Iterable[Part], hook: str) -> tuple[Any, ...]:
    """The bound methods of the parts that fill a hook."""
    return tuple(getattr(part, hook) for part in parts if getattr(type(part), hook) is not getattr(Part, hook))
