"""One game in progress, as `meadow_engine.api` offers it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import blake2b
from typing import Any

from meadow_engine.content.pack import Pack
from meadow_engine.families import FAMILIES, find_variant
from meadow_engine.kernel import codec, stack
from meadow_engine.kernel.actions import ActionSpace, packed_mask
from meadow_engine.kernel.errors import (
    BadEncoding,
    BadNotation,
    BadOption,
    GameOver,
    RulesRevisionUnsupported,
    UnknownVariant,
)
from meadow_engine.kernel.events import Event
from meadow_engine.kernel.rng import SEED_BYTES, Streams, seed_bytes
from meadow_engine.kernel.variant import Family, OptionValue, Outcome, Variant

NONCE_BYTES = 32
_COMMITMENT = b"meadow commitment 1"


@dataclass(frozen=True)
class GameConfig:
    """Everything that, with the actions, determines a game.

    Attributes:
        variant: what is played.
        seats: number of seats.
        options: all options of the variant with their values.
        pack: the content.
        seed: 32 bytes. Secret while the game runs.
        rules_revision: of the variant when the game was made.
    """

    variant: Variant
    seats: int
    options: dict[str, OptionValue]
    pack: Pack
    seed: bytes = field(repr=False)
    rules_revision: int

    @classmethod
    def create(
        cls, variant_id: str, *, seats: int, seed: int | bytes, pack: Pack, options: Mapping[str, object] | None = None
    ) -> GameConfig:
        """A checked configuration.

        Raises:
            UnknownVariant: no variant has this id.
            BadOption: the seat count, the seed or an option is not possible.
        """
        variant = find_variant(variant_id)
        variant.check_seats(seats)
        config = cls(variant, seats, variant.read_options(options), pack, seed_bytes(seed), variant.rules_revision)
        config.new_game()  # the family checks what only it understands, such as names of board faces
        return config

    @cached_property
    def public(self) -> dict[str, object]:
        """What everybody may know, as plain data."""
        return {
            "variant": self.variant.id,
            "seats": self.seats,
            "options": {name: list(v) if isinstance(v, tuple) else v for name, v in self.options.items()},
            "pack": self.pack.hash.hex(),
            "rules_revision": self.rules_revision,
        }

    def new_game(self) -> Game:
        """The game at its first decision.

        Raises:
            RulesRevisionUnsupported: the configuration is of a revision this engine does not have.
        """
        if self.rules_revision != self.variant.rules_revision:
            raise RulesRevisionUnsupported(
                f"{self.variant.id} is at rules revision {self.variant.rules_revision}, not {self.rules_revision}",
                supported=self.variant.rules_revision,
                recorded=self.rules_revision,
            )
        family = FAMILIES[self.variant.family]
        catalogue = family.catalogue(self.pack)
        state = family.new_state(self.variant, catalogue, self.seats, self.options, self.seed)
        return Game(self, family, catalogue, state)

    def commitment(self, nonce: bytes) -> bytes:
        """32 bytes that bind the server to this configuration, seed included, without giving the seed away.

        BLAKE2b-256 over the text ``meadow commitment 1``, the canonical JSON of `public`, the seed and a secret nonce
        of 32 bytes, each preceded by its length as 8 bytes, big-endian.
        """
        parts = (_COMMITMENT, codec.encode(self.public), self.seed, nonce)
        return blake2b(b"".join(len(part).to_bytes(8, "big") + part for part in parts), digest_size=32).digest()


@dataclass(frozen=True, slots=True)
class Result:
    """What an action did.

    Attributes:
        action_id: the id as listed; equivalent forms of an action share one.
        events: what happened, in order; each viewer sees `event.seen_by(viewer)`.
        chance: outcomes drawn, in order: hand them to `Game.apply_with` to have the same again.
        reveals: whether something hidden from the acting seat came to light.
        shows: whether the acting seat showed the others something that only it knew.
        knowers: the mask of seats that may know which action it was; None for everybody.
    """

    action_id: int
    events: tuple[Event, ...]
    chance: tuple[int, ...]
    reveals: bool
    shows: bool
    knowers: int | None


class Game:
    """One game: whose decision it is, what may be chosen, and what follows.

    Attributes:
        config: how it was made.
        catalogue: the tables of its content.
        state: the game's own state; change it only through `apply`.
    """

    __slots__ = ("_family", "catalogue", "config", "state")

    def __init__(self, config: GameConfig, family: Family, catalogue: Any, state: Any) -> None:
        self.config = config
        self._family = family
        self.catalogue = catalogue
        self.state = state

    @property
    def variant(self) -> Variant:
        """What is played."""
        return self.config.variant

    @property
    def seats(self) -> int:
        """Number of seats."""
        return self.config.seats

    @property
    def opening_events(self) -> tuple[Event, ...]:
        """The events of the set-up; only right after the game was made."""
        return tuple(self.state.out.events)

    @property
    def is_over(self) -> bool:
        """Whether nothing is left to choose."""
        return not self.state.stack

    @property
    def decision(self) -> stack.Decision[Any] | None:
        """The decision to be made: its `seat` and `kind`; None when the game is over."""
        return stack.pending(self.state)

    @property
    def action_space(self) -> ActionSpace:
        """All actions of the family with this content: ids, typed actions and back."""
        return self._family.action_space(self.catalogue)

    def legal_ids(self) -> list[int]:
        """Ids of all legal actions of the seat to choose, ascending, each once; empty when the game is over."""
        decision = self.decision
        return [] if decision is None else decision.legal_ids(self.state)

    def legal_mask(self) -> bytes:
        """The legal actions as a bit per id, lowest bit first; ``(size + 7) // 8`` bytes."""
        return packed_mask(self.legal_ids(), self.action_space.size)

    def action(self, action_id: int) -> Any:
        """The typed action of an id; IllegalAction outside the space."""
        return self.action_space.action(action_id)

    def action_id(self, action: object) -> int:
        """The id of a typed action; IllegalAction if it names something that does not exist."""
        return self.action_space.action_id(action)

    def check(self, action_id: int) -> int:
        """The id under which an action is listed now.

        Raises:
            GameOver: nothing is left to choose.
            IllegalAction: it may not be taken; the error names the rule.
        """
        self.action_space.check_id(action_id)
        decision = self.decision
        if decision is None:
            raise GameOver("the game has ended")
        return decision.check(self.state, action_id)

    def apply(self, action_id: int) -> Result:
        """Take an action for the seat that has to choose; a refused action changes nothing.

        Raises:
            GameOver, IllegalAction: as `check`.
        """
        self.action_space.check_id(action_id)
        return _result(stack.apply(self.state, action_id))

    def apply_with(self, action_id: int, chance: Sequence[int]) -> Result:
        """Take an action with given chance outcomes, such as those of an earlier `apply`.

        Raises:
            GameOver, IllegalAction: as `check`.
            BadChance: these outcomes are impossible here. In every case nothing has changed.
        """
        self.action_space.check_id(action_id)
        draft = self._family.clone(self.state)
        output = stack.apply(draft, action_id, list(chance))
        self.state = draft
        return _result(output)

    def clone(self) -> Game:
        """An independent copy."""
        return Game(self.config, self._family, self.catalogue, self._family.clone(self.state))

    def view(self, viewer: int | None = None) -> Any:
        """What a seat sees; None is a spectator."""
        return self._family.view(self.state, viewer)

    def observation(self, viewer: int | None = None) -> list[int]:
        """The view as a flat list of numbers of fixed length, for learners; the family documents the layout."""
        return self._family.observation(self.state, viewer)

    def returns(self) -> tuple[int, ...]:
        """Points of each seat, running or final."""
        return self._family.returns(self.state)

    def outcome(self) -> Outcome:
        """The result.

        Raises:
            ValueError: the game is not over.
        """
        if not self.is_over:
            raise ValueError("the game is not over")
        return self._family.outcome(self.state)

    def score_sheet(self) -> Any:
        """Points by source, running or final."""
        return self._family.score_sheet(self.state)

    def label(self, action_id: int) -> str:
        """A short English description of an action in this position."""
        return self._family.label(self.state, action_id)

    def action_text(self, action_id: int) -> str:
        """The one-line text form of an action."""
        return self._family.action_text(self.catalogue, self.action(action_id))

    def parse_action(self, text: str) -> int:
        """The id of an action's text form; BadNotation if it is none."""
        return self.action_id(self._family.parse_action(self.catalogue, text))

    def text(self, viewer: int | None = None) -> str:
        """A view as text."""
        return self._family.text(self.view(viewer), self.catalogue)

    def determinize(self, viewer: int | None, seed: int | bytes) -> Game:
        """A game that looks the same to the viewer, with everything it does not know shuffled by another seed.

        The copy has that other seed throughout, so that nothing of the true one can be learnt from its future.
        """
        sample = self.clone()
        sample.config = GameConfig(
            self.config.variant,
            self.config.seats,
            self.config.options,
            self.config.pack,
            seed_bytes(seed),
            self.config.rules_revision,
        )
        sample.state.streams = Streams(sample.config.seed)
        self._family.resample(sample.state, viewer, sample.state.streams)
        return sample

    def encode(self) -> bytes:
        """The whole game as canonical bytes, hidden things and the seed included: never show them to a player."""
        head = self.config.public | {"seed": self.config.seed.hex()}
        return codec.encode({"config": head}) + b"\n" + codec.encode(self.state)

    def state_hash(self) -> bytes:
        """BLAKE2b-256 over the state's canonical bytes: equal on every Python and platform."""
        return codec.digest(self.state)


def decode_game(data: bytes, pack: Pack) -> Game:
    """The game that `Game.encode` wrote.

    Args:
        data: the bytes.
        pack: the content the game was played with.

    Raises:
        BadEncoding: the bytes are no game, or one with other content.
        RulesRevisionUnsupported: the game is of another rules revision.
    """
    head, _, body = data.partition(b"\n")
    config = _decode_config(codec.decode_plain(head), pack)
    family = FAMILIES[config.variant.family]
    catalogue = family.catalogue(pack)
    fresh = config.new_game()
    state = codec.decode(body, family.state_classes, **codec.unsaved_of(fresh.state))
    if type(state) is not type(fresh.state) or state.seats != config.seats:
        raise BadEncoding("the state is none of the configured game")
    return Game(config, family, catalogue, state)


def _decode_config(plain: object, pack: Pack) -> GameConfig:
    match plain:
        case {
            "config": {
                "variant": str(variant),
                "seats": int(seats),
                "options": dict(options),
                "seed": str(seed),
                "pack": str(pack_hash),
                "rules_revision": int(recorded),
            }
        }:
            pass
        case _:
            raise BadEncoding("the game's configuration is damaged")
    if pack_hash != pack.hash.hex():
        raise BadEncoding("the game was played with other content")
    try:
        revision = find_variant(variant).rules_revision
        if recorded != revision:
            raise RulesRevisionUnsupported("the game is of another rules revision", supported=revision)
        return GameConfig.create(variant, seats=seats, seed=bytes.fromhex(seed), options=options, pack=pack)
    except (UnknownVariant, BadOption, ValueError) as error:
        raise BadEncoding(f"the game's configuration is damaged: {error}") from None


def parse_position(text: str, pack: Pack) -> Game:
    """The game of a position's text, whose first word names the family; BadNotation if it is none."""
    name = text.split(maxsplit=1)[0] if text.strip() else ""
    if name not in FAMILIES:
        raise BadNotation(f"a position begins with the family of the game: {', '.join(FAMILIES)}")
    family = FAMILIES[name]
    catalogue = family.catalogue(pack)
    variant, options, state = family.parse_position(catalogue, text)
    config = GameConfig.create(variant.id, seats=state.seats, seed=state.streams.seed, pack=pack, options=options)
    return Game(config, family, catalogue, state)


def _result(output: stack.Output) -> Result:
    return Result(
        action_id=output.action_id,
        events=tuple(output.events),
        chance=tuple(output.chance),
        reveals=output.revealed,
        shows=output.shown,
        knowers=output.knowers,
    )


__all__ = ["NONCE_BYTES", "SEED_BYTES", "Game", "GameConfig", "Result", "decode_game", "parse_position"]
