"""What never changes about a game, as the journal keeps it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field

from meadow_engine import api


@dataclass(frozen=True, slots=True)
class SeatPlan:
    """A seat at creation.

    Attributes:
        kind: RESERVED, OPEN or BOT.
        display_name: empty for none.
        colour: name of a colour.
        bot: name of the bot, empty for none.
    """

    kind: str
    display_name: str
    colour: str
    bot: str = ""


@dataclass(frozen=True, slots=True)
class ResignRules:
    """What happens when a seat resigns.

    Attributes:
        policy: BOT or END.
        bot: that plays on; empty where the policy needs none.
    """

    policy: str = "BOT"
    bot: str = "greedy"


@dataclass(frozen=True, slots=True)
class ClockRules:
    """How long seats may take, and what happens then.

    Attributes:
        decision: time of each decision, in microseconds.
        bank: time of each seat for the whole game beyond that, in microseconds.
        policy: BOT, END or ACT.
        bot: that plays on; empty where the policy needs none.
    """

    decision: int
    bank: int
    policy: str
    bot: str


@dataclass(frozen=True, slots=True)
class GameHeader:
    """A game's configuration.

    Attributes:
        options: all options with their values, in the engine's plain form.
        seed, nonce: 32 bytes each, secret until the game has ended.
        bot_seed: 32 bytes that the bots' choices are drawn from; apart from the game's own seed.
        commitment: what was published at creation.
        seeded: whether the creator chose the seed.
        public: whether anybody may watch.
        wait_for_start: whether only the host starts the game.
        time: of creation, microseconds since 1970.
        resign_rules: what happens when a seat resigns.
        clock_rules: None for no clocks.
    """

    variant: str
    options: dict[str, object]
    seats: tuple[SeatPlan, ...]
    pack_hash: bytes
    rules_revision: int
    seed: bytes = field(repr=False)
    nonce: bytes = field(repr=False)
    bot_seed: bytes = field(repr=False)
    commitment: bytes
    seeded: bool
    public: bool
    wait_for_start: bool
    display_name: str
    time: int
    resign_rules: ResignRules = ResignRules()
    clock_rules: ClockRules | None = None

    def to_bytes(self) -> bytes:
        """The form in the journal: JSON, bytes as hexadecimal."""
        plain = {name: value.hex() if isinstance(value, bytes) else value for name, value in asdict(self).items()}
        return json.dumps(plain, sort_keys=True).encode()

    @classmethod
    def from_bytes(cls, data: bytes) -> GameHeader:
        """What `to_bytes` wrote."""
        plain = json.loads(data)
        for name in ("pack_hash", "seed", "nonce", "bot_seed", "commitment"):
            plain[name] = bytes.fromhex(plain[name])
        plain["seats"] = tuple(SeatPlan(**seat) for seat in plain["seats"])
        # a journal from before there were such rules does not name them
        if rules := plain.get("resign_rules"):
            plain["resign_rules"] = ResignRules(**rules)
        if rules := plain.get("clock_rules"):
            plain["clock_rules"] = ClockRules(**rules)
        return cls(**plain)

    def config(self, pack: api.Pack) -> api.GameConfig:
        """The engine's configuration.

        Raises:
            RulesRevisionUnsupported, UnknownVariant, BadOption: this engine cannot play it any more.
        """
        config = api.game_config(self.variant, seats=len(self.seats), seed=self.seed, options=self.options, pack=pack)
        if config.rules_revision != self.rules_revision:
            raise api.RulesRevisionUnsupported(
                f"{self.variant} was played by rules revision {self.rules_revision}; "
                f"this server has {config.rules_revision}",
                recorded=self.rules_revision,
                supported=config.rules_revision,
            )
        return config


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat at some version of its game.

    Attributes:
        kind: RESERVED, OPEN or BOT.
        occupied: whether somebody holds it.
        generation: tokens of an earlier one are void.
    """

    kind: str
    occupied: bool
    display_name: str
    colour: str
    bot: str
    generation: int = 0


Seats = tuple[Seat, ...]


def first_seats(plans: Sequence[SeatPlan]) -> Seats:
    """The seats of a new game."""
    return tuple(Seat(plan.kind, plan.kind != "OPEN", plan.display_name, plan.colour, plan.bot) for plan in plans)


def seats_after(seats: Seats, record: api.Record) -> Seats:
    """The seats after a record; the same object when it is not about seats."""
    if isinstance(record, api.ActionTaken):
        return seats
    match record:
        case api.SeatClaimed(number, display_name, colour):
            old = seats[number]
            new = Seat("OPEN", True, display_name, colour or old.colour, "", old.generation)
        case api.SeatReleased(number, generation):
            new = Seat("OPEN", False, "", seats[number].colour, "", generation)
        case api.SeatBot(number, bot, generation):
            new = Seat("BOT", True, "", seats[number].colour, bot, generation)
        case _:
            return seats
    return (*seats[:number], new, *seats[number + 1 :])
