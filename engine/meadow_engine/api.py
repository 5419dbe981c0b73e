"""The door to the engine.

    from meadow_engine import api

    game = api.new_game("spring_meadow", seats=2, seed=7)
    while not game.is_over:
        game.apply(game.legal_ids()[0])
    print(game.outcome())

A `Game` lists what may be chosen (`legal_ids`, `legal_mask`), turns ids into typed actions and back, applies them, and
shows each seat what it may see (`view`, `observation`, `text`). A `History` adds what a server or a verifier needs:
records, versions, undo and replay. Everything is deterministic: the same rules revision, content, options, seed and
actions give the same state, bit for bit.
"""

from __future__ import annotations

from collections.abc import Mapping

from meadow_engine.bots.bot import RANDOM, Bot
from meadow_engine.bots.greedy_meadow import GREEDY_MEADOW
from meadow_engine.bots.greedy_spring import GREEDY_SPRING
from meadow_engine.content.faults import ContentError, ContentFault
from meadow_engine.content.library import (
    builtin_pack,
    check_folder,
    load_pack,
    new_folder,
    pack_from_bytes,
    stats_table,
)
from meadow_engine.content.pack import Pack
from meadow_engine.content.stats import Section, TilePlay
from meadow_engine.families import FAMILIES, VARIANTS, find_variant
from meadow_engine.game import NONCE_BYTES, SEED_BYTES, Game, GameConfig, Result, decode_game
from meadow_engine.game import parse_position as parse_position_of
from meadow_engine.history import Applied, Change, Departure, History, RevealBarrier, Status, outcome_of
from meadow_engine.kernel.actions import ActionSpace, packed_mask
from meadow_engine.kernel.errors import (
    BadChance,
    BadEncoding,
    BadNotation,
    BadOption,
    EngineError,
    GameNotRunning,
    GameOver,
    IllegalAction,
    NotYourTurn,
    RulesRevisionUnsupported,
    UndoBarrier,
    UnknownVariant,
)
from meadow_engine.kernel.events import Event
from meadow_engine.kernel.records import (
    Aborted,
    ActionsUndone,
    ActionTaken,
    ClockExpired,
    GameEnded,
    HostTokenReplaced,
    Record,
    SeatBot,
    SeatClaimed,
    SeatReleased,
    SeatResigned,
    Started,
    decode_record,
    encode_record,
)
from meadow_engine.kernel.rng import Streams
from meadow_engine.kernel.variant import BoolOption, IntOption, ListOption, Option, OptionValue, Outcome, Variant
from meadow_engine.meadow import actions as meadow_actions
from meadow_engine.meadow import catalogue as meadow_catalogue
from meadow_engine.meadow import events as meadow_events
from meadow_engine.meadow import pending_view as meadow_pending_views
from meadow_engine.meadow import places as meadow_places
from meadow_engine.meadow import view as meadow_views
from meadow_engine.meadow.downstream import catalogue as downstream_catalogue
from meadow_engine.meadow.downstream import events as downstream_events
from meadow_engine.meadow.downstream import view as downstream_views
from meadow_engine.meadow.scoring import MeadowScoreSheet, SeatScore
from meadow_engine.meadow.symbols import SYMBOLS as MEADOW_SYMBOLS
from meadow_engine.spring_meadow import actions as spring_actions
from meadow_engine.spring_meadow import catalogue as spring_catalogue
from meadow_engine.spring_meadow import events as spring_events
from meadow_engine.spring_meadow import view as spring_views
from meadow_engine.spring_meadow.notation import parse_space, space_name
from meadow_engine.spring_meadow.scoresheet import SpringScoreSheet

API_VERSION = 1
"""Raised when this door changes in a way that breaks its users."""

_BOTS: dict[str, tuple[Bot, ...]] = {
    "spring_meadow": (RANDOM, GREEDY_SPRING),
    "meadow": (RANDOM, GREEDY_MEADOW),
}


def variants() -> tuple[Variant, ...]:
    """All variants that can be played."""
    return tuple(VARIANTS.values())


def variant(variant_id: str) -> Variant:
    """The variant of an id; UnknownVariant if there is none."""
    return find_variant(variant_id)


def new_game(
    variant_id: str,
    *,
    seats: int,
    seed: int | bytes,
    options: Mapping[str, object] | None = None,
    pack: Pack | None = None,
) -> Game:
    """A new game at its first decision.

    Args:
        variant_id: such as ``spring_meadow``.
        seats: number of seats.
        seed: a number below 2**256, or 32 bytes.
        options: the variant's options by name; what is left out has its default.
        pack: the content; the built-in pack if None.

    Raises:
        UnknownVariant: no variant has this id.
        BadOption: the seat count, the seed or an option is not possible.
    """
    return game_config(variant_id, seats=seats, seed=seed, options=options, pack=pack).new_game()


def game_config(
    variant_id: str,
    *,
    seats: int,
    seed: int | bytes,
    options: Mapping[str, object] | None = None,
    pack: Pack | None = None,
) -> GameConfig:
    """A checked configuration, as `new_game` takes it."""
    return GameConfig.create(variant_id, seats=seats, seed=seed, options=options, pack=pack or builtin_pack())


def decode(data: bytes, pack: Pack | None = None) -> Game:
    """The game that `Game.encode` wrote; BadEncoding if the bytes are none."""
    return decode_game(data, pack or builtin_pack())


def parse_position(text: str, pack: Pack | None = None) -> Game:
    """The game of a position written as text, at its first decision; BadNotation if it is none.

    `meadow_engine.spring_meadow.position` describes the form for Spring Meadow.
    """
    return parse_position_of(text, pack or builtin_pack())


def catalogue(family: str, pack: Pack | None = None) -> object:
    """The tables of a family out of a pack, such as `spring_catalogue.Catalogue`."""
    return FAMILIES[family].catalogue(pack or builtin_pack())


def action_space(family: str, pack: Pack | None = None) -> ActionSpace:
    """All actions of a family with a pack's content."""
    return FAMILIES[family].action_space(catalogue(family, pack))


def bots(family: str) -> tuple[Bot, ...]:
    """The bots that play a family of games."""
    return _BOTS[family]


def bot(name: str, family: str) -> Bot:
    """The bot of a name; BadOption if there is none."""
    for known in _BOTS[family]:
        if known.name == name:
            return known
    names = ", ".join(known.name for known in _BOTS[family])
    raise BadOption(f"no bot {name!r} plays {family}; there are {names}", option="bot")


__all__ = [
    "API_VERSION",
    "MEADOW_SYMBOLS",
    "NONCE_BYTES",
    "SEED_BYTES",
    "Aborted",
    "ActionSpace",
    "ActionTaken",
    "ActionsUndone",
    "Applied",
    "BadChance",
    "BadEncoding",
    "BadNotation",
    "BadOption",
    "BoolOption",
    "Bot",
    "Change",
    "ClockExpired",
    "ContentError",
    "ContentFault",
    "Departure",
    "EngineError",
    "Event",
    "Game",
    "GameConfig",
    "GameEnded",
    "GameNotRunning",
    "GameOver",
    "History",
    "HostTokenReplaced",
    "IllegalAction",
    "IntOption",
    "ListOption",
    "MeadowScoreSheet",
    "NotYourTurn",
    "Option",
    "OptionValue",
    "Outcome",
    "Pack",
    "Record",
    "Result",
    "RevealBarrier",
    "RulesRevisionUnsupported",
    "SeatBot",
    "SeatClaimed",
    "SeatReleased",
    "SeatResigned",
    "SeatScore",
    "Section",
    "SpringScoreSheet",
    "Started",
    "Status",
    "Streams",
    "TilePlay",
    "UndoBarrier",
    "UnknownVariant",
    "Variant",
    "action_space",
    "bot",
    "bots",
    "builtin_pack",
    "catalogue",
    "check_folder",
    "decode",
    "decode_record",
    "downstream_catalogue",
    "downstream_events",
    "downstream_views",
    "encode_record",
    "game_config",
    "load_pack",
    "meadow_actions",
    "meadow_catalogue",
    "meadow_events",
    "meadow_pending_views",
    "meadow_places",
    "meadow_views",
    "new_folder",
    "new_game",
    "outcome_of",
    "pack_from_bytes",
    "packed_mask",
    "parse_position",
    "parse_space",
    "space_name",
    "spring_actions",
    "spring_catalogue",
    "spring_events",
    "spring_views",
    "stats_table",
    "variant",
    "variants",
]
