"""Variants with their options and bots, packs with their components."""

from __future__ import annotations

from meadow_api.v1 import catalogue_pb2 as pb
from meadow_engine import api

from meadow_server.wire.families import FAMILIES


def variant_to_message(variant: api.Variant) -> pb.Variant:
    """A variant with everything a lobby needs to offer it."""
    family = FAMILIES[variant.family]
    return pb.Variant(
        variant=variant.id,
        display_name=variant.title,
        description=variant.about,
        min_seats=variant.min_seats,
        max_seats=variant.max_seats,
        rules_revision=variant.rules_revision,
        family=family.number,
        options=[option_to_message(option) for option in variant.options],
        bots=[bot_to_message(bot) for bot in api.bots(variant.family)],
        action_space_size=api.action_space(variant.family).size,
        hidden_zones=variant.hidden_zones,
    )


def option_to_message(option: api.Option) -> pb.OptionSpec:
    """An option with its limits."""
    message = pb.OptionSpec(name=option.name, description=option.about)
    match option:
        case api.BoolOption():
            message.kind = pb.OPTION_KIND_BOOL
        case api.IntOption():
            message.kind = pb.OPTION_KIND_INT
            # the least value stands for "left out" and is not sent as a number
            message.min_value, message.max_value = max(0, option.minimum), option.maximum
        case api.ListOption():
            message.kind = pb.OPTION_KIND_STRING_LIST
            message.lengths.extend(length for length in option.lengths if length)
            message.choices = option.choices
    return message


def bot_to_message(bot: api.Bot) -> pb.Bot:
    """A bot that can take a seat."""
    return pb.Bot(bot=bot.name, bot_version=bot.version, description=bot.about)


def pack_to_message(pack: api.Pack) -> pb.Pack:
    """What a pack is."""
    return pb.Pack(
        pack=pack.id,
        hash=pack.hash,
        display_name=pack.title,
        version=pack.version,
        licence=pack.licence,
        families=[FAMILIES[game].number for game in pack.games if game in FAMILIES],
    )


def catalogue_to_message(pack: api.Pack, family: str) -> pb.Catalogue:
    """The components of a pack for a family."""
    message = pb.Catalogue(pack=pack_to_message(pack))
    FAMILIES[family].catalogue_to(api.catalogue(family, pack), message)
    return message
