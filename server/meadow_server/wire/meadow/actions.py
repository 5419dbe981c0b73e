"""Actions, options and refusals of Meadow."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from meadow_api.v1 import game_pb2
from meadow_api.v1 import meadow_cards_pb2 as card_pb
from meadow_api.v1 import meadow_pb2 as pb
from meadow_engine import api
from meadow_engine.api import meadow_actions as engine

from meadow_server.errors import bad_field
from meadow_server.wire.meadow import downstream
from meadow_server.wire.meadow.numbers import DECK_OFFSET

_DECKS = {
    card_pb.MEADOW_DECK_W,
    card_pb.MEADOW_DECK_S,
    card_pb.MEADOW_DECK_E,
    card_pb.MEADOW_DECK_N,
    card_pb.MEADOW_DECK_RIVER,
}
"""The decks that one can look at and draw from."""
_NAMING_A_DECK = {"look_at_deck", "draw_from"}


def action_to_message(action: Any, out: game_pb2.Action) -> None:
    """Write a typed action into a message."""
    out.meadow.CopyFrom(_WRITERS[type(action)](action))


_WRITERS: Mapping[type, Callable[[Any], pb.MeadowAction]] = {
    engine.ChooseRow: lambda a: pb.MeadowAction(choose_row=pb.MeadowChooseRow(row=a.row)),
    engine.ChooseGround: lambda a: pb.MeadowAction(choose_ground=pb.MeadowChooseGround(side=a.side)),
    engine.PlaceToken: lambda a: pb.MeadowAction(place_token=pb.MeadowPlaceToken(token=a.token, place=a.place)),
    engine.TakeCard: lambda a: pb.MeadowAction(take_card=pb.MeadowTakeCard(spot=a.spot)),
    engine.TakeRoads: lambda _: pb.MeadowAction(take_roads=pb.MeadowTakeRoads()),
    engine.LookAtDeck: lambda a: pb.MeadowAction(look_at_deck=pb.MeadowLookAtDeck(deck=a.deck + DECK_OFFSET)),
    engine.ChooseSpecial: lambda a: pb.MeadowAction(choose_special=pb.MeadowChooseSpecial(special=a.number)),
    engine.KeepCard: lambda a: pb.MeadowAction(keep_card=pb.MeadowKeepCard(index=a.index)),
    engine.PutUnder: lambda a: pb.MeadowAction(put_under=pb.MeadowPutUnder(index=a.index)),
    engine.ClaimGoal: lambda a: pb.MeadowAction(claim_goal=pb.MeadowClaimGoal(pair=a.pair)),
    engine.Pass: lambda _: pb.MeadowAction(pass_turn=pb.MeadowPass()),
    engine.PlayCard: lambda a: pb.MeadowAction(play_card=pb.MeadowPlayCard(card=a.card, place=a.place)),
    engine.Discard: lambda a: pb.MeadowAction(discard=pb.MeadowDiscard(card=a.card)),
    **downstream.ACTION_WRITERS,
}
_READERS: Mapping[str, Callable[[Any], Any]] = {
    "choose_row": lambda m: engine.ChooseRow(m.row),
    "choose_ground": lambda m: engine.ChooseGround(m.side),
    "place_token": lambda m: engine.PlaceToken(m.token, m.place),
    "take_card": lambda m: engine.TakeCard(m.spot),
    "take_roads": lambda _: engine.TakeRoads(),
    "look_at_deck": lambda m: engine.LookAtDeck(m.deck - DECK_OFFSET),
    "choose_special": lambda m: engine.ChooseSpecial(m.special),
    "keep_card": lambda m: engine.KeepCard(m.index),
    "put_under": lambda m: engine.PutUnder(m.index),
    "claim_goal": lambda m: engine.ClaimGoal(m.pair),
    "pass_turn": lambda _: engine.Pass(),
    "play_card": lambda m: engine.PlayCard(m.card, m.place),
    "discard": lambda m: engine.Discard(m.card),
    **downstream.ACTION_READERS,
}


def actions_from_message(message: pb.MeadowAction, field: str) -> tuple[Any, ...]:
    """The typed action of a message, as a tuple of one.

    Raises:
        ApiError: nothing is set, or a deck or token is none; `field` is the message's path.
    """
    kind = message.WhichOneof("action")
    if kind is None:
        raise bad_field(field, "one of its actions must be set")
    given = getattr(message, kind)
    if kind in _NAMING_A_DECK and given.deck not in _DECKS:
        raise bad_field(f"{field}.{kind}.deck", "is not one of W, S, E, N and RIVER")
    if kind == "take_token" and given.token not in downstream.TOKENS:
        raise bad_field(f"{field}.{kind}.token", f"is not a number from 0 to {max(downstream.TOKENS)}")
    return (_READERS[kind](given),)


def options_from_message(message: pb.MeadowOptions) -> dict[str, object]:
    """The options that a message gives, for the engine to check."""
    options: dict[str, object] = {}
    if message.envelopes:
        options["envelopes"] = list(message.envelopes)
    if message.beginners_deal:
        options["beginners_deal"] = True
    if message.HasField("first_seat"):
        options["first_seat"] = message.first_seat
    return options


def options_to_message(options: Mapping[str, Any], out: game_pb2.GameOptions) -> None:
    """Write options, as they hold, into a message."""
    meadow = out.meadow
    meadow.SetInParent()
    meadow.envelopes.extend(options.get("envelopes", ()))
    meadow.beginners_deal = bool(options.get("beginners_deal", False))
    if (first_seat := options.get("first_seat", -1)) >= 0:
        meadow.first_seat = first_seat


def illegal_to_message(error: api.IllegalAction, out: game_pb2.IllegalActionDetail) -> None:
    """Write the rule that forbids an action, with its arguments, into a detail."""
    out.meadow.rule = pb.MeadowRule.Value("MEADOW_RULE_" + error.rule)
    if error.rule == "SYMBOLS_MISSING":
        out.meadow.discards_needed = int(error.details["discards_needed"])
