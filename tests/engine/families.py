"""Every family of games with what its conformance tests need, and the cases made of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from meadow_engine import api

from tests.engine.family import FamilyChecks, Options
from tests.engine.meadow import MEADOW_CHECKS
from tests.engine.spring import SPRING_CHECKS

FAMILIES: dict[str, FamilyChecks] = {"spring_meadow": SPRING_CHECKS, "meadow": MEADOW_CHECKS}


@dataclass(frozen=True)
class Case:
    """A variant with a number of seats and options."""

    variant: api.Variant
    seats: int
    options: Options

    def __str__(self) -> str:
        given = ",".join(f"{name}={value}".replace(" ", "") for name, value in self.options.items())
        return f"{self.variant.id}-{self.seats}" + (f"-{given}" if given else "")

    @property
    def checks(self) -> FamilyChecks:
        """What has to be known about the family."""
        return FAMILIES[self.variant.family]

    def new_game(self, seed: int | bytes) -> api.Game:
        """A game of this case."""
        return api.new_game(self.variant.id, seats=self.seats, seed=seed, options=self.options)


def tables() -> Iterator[tuple[api.Variant, int]]:
    """Every variant of these families with every number of seats."""
    for variant in (variant for variant in api.variants() if variant.family in FAMILIES):
        for seats in range(variant.min_seats, variant.max_seats + 1):
            yield variant, seats


def cases() -> list[Case]:
    """Every variant with every number of seats and every set of options worth trying."""
    return [
        Case(variant, seats, options)
        for variant, seats in tables()
        for options in FAMILIES[variant.family].options(variant, seats)
    ]


def main_cases() -> list[Case]:
    """Every variant and number of seats, with each switch on and off: the cases in which other things are hidden."""
    return [case for case in cases() if all(isinstance(value, bool) for value in case.options.values())]
