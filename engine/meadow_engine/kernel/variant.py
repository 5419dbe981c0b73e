"""What a variant is, which options it has, and what a game package must provide."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from meadow_engine.kernel.actions import ActionSpace
from meadow_engine.kernel.codec import Classes
from meadow_engine.kernel.errors import BadOption
from meadow_engine.kernel.rng import Streams

OptionValue = bool | int | tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BoolOption:
    """A switch."""

    name: str
    about: str
    default: bool = False

    def read(self, given: object) -> OptionValue:
        """The value given; BadOption if it is none."""
        if not isinstance(given, bool):
            raise BadOption(f"{self.name} is true or false", option=self.name)
        return given


@dataclass(frozen=True, slots=True)
class IntOption:
    """A whole number within bounds, both included."""

    name: str
    about: str
    default: int
    minimum: int
    maximum: int

    def read(self, given: object) -> OptionValue:
        """The value given; BadOption if it is none."""
        if not isinstance(given, int) or isinstance(given, bool) or not self.minimum <= given <= self.maximum:
            unset = f", or {self.default} for none" if self.default == self.minimum < 0 else ""
            least = self.minimum + 1 if unset else self.minimum
            raise BadOption(f"{self.name} lies between {least} and {self.maximum}{unset}", option=self.name)
        return given


@dataclass(frozen=True, slots=True)
class ListOption:
    """A list of names out of the content pack, such as board faces; empty by default.

    Attributes:
        lengths: the lengths the list may have.
        choices: where the names come from, for people.
    """

    name: str
    about: str
    choices: str
    lengths: tuple[int, ...]
    default: tuple[str, ...] = ()

    def read(self, given: object) -> OptionValue:
        """The value given; BadOption if it is none."""
        if isinstance(given, str) or not isinstance(given, list | tuple) or not all(isinstance(x, str) for x in given):
            raise BadOption(f"{self.name} is a list of {self.choices}", option=self.name)
        if len(given) not in self.lengths:
            run = self.lengths == tuple(range(self.lengths[0], self.lengths[-1] + 1)) and len(self.lengths) > 2
            lengths = f"{self.lengths[0]} to {self.lengths[-1]}" if run else " or ".join(map(str, self.lengths))
            raise BadOption(f"{self.name} has {lengths} entries, not {len(given)}", option=self.name)
        return tuple(given)


Option = BoolOption | IntOption | ListOption


@dataclass(frozen=True, slots=True)
class Variant:
    """A set of rules that can be played.

    Attributes:
        id: stable name, such as ``spring_meadow_solo``.
        title: for people.
        family: the family of games; views, actions and the action space are per family.
        min_seats, max_seats: how many may play.
        options: what can be chosen at creation.
        rules_revision: raised whenever the same seed and actions would give another state.
        hidden_zones: names of the places whose contents some viewer does not know.
    """

    id: str
    title: str
    about: str
    family: str
    min_seats: int
    max_seats: int
    options: tuple[Option, ...]
    rules_revision: int
    hidden_zones: tuple[str, ...]

    def read_options(self, given: Mapping[str, object] | None) -> dict[str, OptionValue]:
        """All options with their values: those given, else the defaults.

        Raises:
            BadOption: an unknown name or an impossible value.
        """
        given = given or {}
        known = {option.name: option for option in self.options}
        for name in given:
            if name not in known:
                raise BadOption(f"{self.id} has no option {name!r}; it has {', '.join(known) or 'none'}", option=name)
        return {name: option.read(given.get(name, option.default)) for name, option in known.items()}

    def check_seats(self, seats: object) -> None:
        """BadOption unless so many may play."""
        if isinstance(seats, bool) or not isinstance(seats, int) or not self.min_seats <= seats <= self.max_seats:
            allowed = f"{self.min_seats} to {self.max_seats} seats" if self.max_seats > 1 else "one seat"
            raise BadOption(f"{self.id} is for {allowed}, not {seats}", option="seats")


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended.

    Attributes:
        ranks: for each seat its rank, 1 the best; equal ranks share the place.
        band: in games against a table of results, the number of the band reached, 0 the lowest; else -1.
    """

    ranks: tuple[int, ...]
    band: int = -1


class Family(Protocol):
    """What a game package provides; `meadow_engine.api` turns it into the public face."""

    name: str

    @property
    def variants(self) -> tuple[Variant, ...]:
        """All variants of the family."""

    state_classes: Classes

    def catalogue(self, pack: Any) -> Any:
        """The family's tables out of a content pack."""

    def action_space(self, catalogue: Any) -> ActionSpace:
        """The actions of every variant of the family with this content."""

    def new_state(
        self, variant: Variant, catalogue: Any, seats: int, options: dict[str, OptionValue], seed: bytes
    ) -> Any:
        """A game set up and run to its first decision; `state.out` holds the events of the set-up."""

    def clone(self, state: Any) -> Any:
        """An independent copy."""

    def view(self, state: Any, viewer: int | None) -> Any:
        """What a seat (None: a spectator) sees."""

    def observation(self, state: Any, viewer: int | None) -> list[int]:
        """The view as a flat list of numbers of fixed length, for learners."""

    def score_sheet(self, state: Any) -> Any:
        """Points by source, running or final."""

    def returns(self, state: Any) -> tuple[int, ...]:
        """Points of each seat."""

    def outcome(self, state: Any) -> Outcome:
        """The result of a game that has ended."""

    def label(self, state: Any, action_id: int) -> str:
        """A short English description of an action in this position."""

    def action_text(self, catalogue: Any, action: Any) -> str:
        """The one-line text form of an action."""

    def parse_action(self, catalogue: Any, text: str) -> Any:
        """The action of a text form; BadNotation if it is none."""

    def text(self, view: Any, catalogue: Any) -> str:
        """A view as text."""

    def parse_position(self, catalogue: Any, text: str) -> tuple[Variant, dict[str, object], Any]:
        """The variant, options and state of a position's text, run to its first decision; BadNotation if it is none."""

    def resample(self, state: Any, viewer: int | None, streams: Streams) -> None:
        """Shuffle, in place, what the viewer does not know among itself."""
