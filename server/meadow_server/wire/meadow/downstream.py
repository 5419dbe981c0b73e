"""What Meadow: Downstream adds to Meadow's messages: actions, events, the river board, its components."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from meadow_api.v1 import downstream_pb2 as pb
from meadow_api.v1 import meadow_cards_pb2 as card_pb
from meadow_api.v1.meadow_pb2 import MeadowAction, MeadowEvent
from meadow_engine.api import (
    downstream_catalogue,
    downstream_events,
    downstream_views,
    meadow_actions,
    meadow_catalogue,
    meadow_places,
)

from meadow_server.wire.meadow.numbers import DECK_OFFSET, point, points, symbols

TOKEN_OFFSET = 1
"""Pier and tent tokens are numbered from 1; zero means the one that lies face down."""
TOKENS = range(meadow_actions.TOKEN_CHOICES)
"""The numbers by which tokens are taken."""
SIDES = {
    downstream_catalogue.LAZY_RIVER: pb.DOWNSTREAM_SIDE_LAZY_RIVER,
    downstream_catalogue.WILD_RAPIDS: pb.DOWNSTREAM_SIDE_WILD_RAPIDS,
}

ACTION_WRITERS: Mapping[type, Callable[[Any], MeadowAction]] = {
    meadow_actions.ChooseWateryGround: lambda a: MeadowAction(
        choose_watery_ground=pb.DownstreamChooseWateryGround(side=a.side, end=a.end)
    ),
    meadow_actions.ChooseWay: lambda a: MeadowAction(choose_way=pb.DownstreamChooseWay(way=a.way)),
    meadow_actions.UseSpace: lambda _: MeadowAction(use_space=pb.DownstreamUseSpace()),
    meadow_actions.DrawFrom: lambda a: MeadowAction(draw_from=pb.DownstreamDrawFrom(deck=a.deck + DECK_OFFSET)),
    meadow_actions.TakeToken: lambda a: MeadowAction(
        take_token=pb.DownstreamTakeToken(token=(a.token + TOKEN_OFFSET) % meadow_actions.TOKEN_CHOICES)
    ),
}
ACTION_READERS: Mapping[str, Callable[[Any], Any]] = {
    "choose_watery_ground": lambda m: meadow_actions.ChooseWateryGround(m.side, m.end),
    "choose_way": lambda m: meadow_actions.ChooseWay(m.way),
    "use_space": lambda _: meadow_actions.UseSpace(),
    "draw_from": lambda m: meadow_actions.DrawFrom(m.deck - DECK_OFFSET),
    "take_token": lambda m: meadow_actions.TakeToken(m.token - TOKEN_OFFSET if m.token else meadow_actions.FACE_DOWN),
}


def _pier(e: downstream_events.PierTaken) -> MeadowEvent:
    pier = e.token + TOKEN_OFFSET
    return MeadowEvent(pier_taken=pb.DownstreamPierTaken(seat=e.seat, pier=pier, face_down=e.face_down))  # type: ignore[arg-type]


def _tent(e: downstream_events.TentTaken) -> MeadowEvent:
    tent = e.token + TOKEN_OFFSET
    return MeadowEvent(tent_taken=pb.DownstreamTentTaken(seat=e.seat, tent=tent, face_down=e.face_down))  # type: ignore[arg-type]


def _rover(e: downstream_events.RoverOnRiver) -> MeadowEvent:
    moved = pb.DownstreamRoverOnRiver(colour=e.colour, solo_card=e.card, place=e.place, swept_cards=e.swept)
    return MeadowEvent(rover_on_river=moved)


EVENT_WRITERS: Mapping[type, Callable[[Any], MeadowEvent]] = {
    downstream_events.WateryGroundChosen: lambda e: MeadowEvent(
        watery_ground_chosen=pb.DownstreamWateryGroundChosen(seat=e.seat, card=e.card, end=e.end)
    ),
    downstream_events.KayakMoved: lambda e: MeadowEvent(
        kayak_moved=pb.DownstreamKayakMoved(seat=e.seat, space=e.space, points=e.points)
    ),
    downstream_events.PileCardTaken: lambda e: MeadowEvent(
        pile_card_taken=pb.DownstreamPileCardTaken(seat=e.seat, card=e.card)
    ),
    downstream_events.ExtraBonusPlaced: lambda e: MeadowEvent(
        extra_bonus_placed=pb.DownstreamExtraBonusPlaced(seat=e.seat)
    ),
    downstream_events.PierTaken: _pier,
    downstream_events.TentTaken: _tent,
    downstream_events.WaterfallPassed: lambda e: MeadowEvent(
        waterfall_passed=pb.DownstreamWaterfallPassed(swept_cards=e.swept)
    ),
    downstream_events.RoverOnRiver: _rover,
}


def river_to_message(river: downstream_views.RiverView, out: pb.DownstreamRiver) -> None:
    """Write the river board, as everybody sees it."""
    out.side = SIDES[river.side]
    out.players.extend(_player(river, seat) for seat in range(len(river.kayaks)))
    out.sunset_cards.extend(river.sunset)
    out.beaver_dam_cards.extend(river.beaver_dams)
    out.goals.extend(symbols(river.goals))
    out.piers.extend(_tokens(river.piers.open))
    out.piers_face_down = river.piers.down
    out.tents.extend(_tokens(river.tents.open))
    out.tents_face_down = river.tents.down
    out.solo_cards_left = river.solo_cards
    out.solo_cards_spent.extend(river.solo_spent)


def _player(river: downstream_views.RiverView, seat: int) -> pb.DownstreamPlayer:
    return pb.DownstreamPlayer(
        seat=seat,
        start_card=river.starts[seat],
        space=river.kayaks[seat],
        points=river.points[seat],
        bonus_placed=bool(river.bonuses >> seat & 1),
        tents=_tokens(river.kept[seat]) if river.kept else (),
    )


def _tokens(numbers: tuple[int, ...]) -> list[Any]:
    return [number + TOKEN_OFFSET for number in numbers]


def components_to_message(components: downstream_catalogue.Downstream, out: pb.DownstreamCatalogue) -> None:
    """Write everything Downstream is played with, beside its cards."""
    out.boards.extend(_board(components.sides[side]) for side in SIDES)
    out.waterfalls.extend(
        pb.DownstreamWaterfalls(players=players, rounds=components.waterfalls[players])
        for players in sorted(components.waterfalls)
    )
    out.solo_card_places.extend(meadow_places.RIVER + notch for notch in components.solo_notches)
    out.start_cards.extend(card_pb.MeadowStartCard(sides=sides) for sides in components.start_cards)
    out.sunset_cards.extend(components.sunset)
    out.beaver_dam_cards.extend(components.beaver_dams)
    worth = downstream_catalogue.TENT_POINTS
    out.tent_tokens.extend(pb.DownstreamTentToken(tent=tent + TOKEN_OFFSET, points=worth[tent]) for tent in worth)  # type: ignore[arg-type]
    out.extra_bonus_value = downstream_catalogue.EXTRA_BONUS
    out.road_tokens = downstream_catalogue.EXTRA_ROADS


def _board(side: downstream_catalogue.RiverSide) -> pb.DownstreamRiverBoard:
    return pb.DownstreamRiverBoard(
        side=SIDES[side.name],
        spaces=[_space(space) for space in side.spaces],
        notches=[_notch(notch) for notch in side.notches],
        spots=points(side.spots),
        piles=[
            pb.DownstreamPlacedPile(pile=pb.DownstreamPile.Value(_pile_name(pile)), point=point(at))
            for pile, at in side.piles.items()
        ],
    )


def _pile_name(pile: str) -> str:
    return "DOWNSTREAM_PILE_" + pile.replace(" ", "_").upper()


def _space(space: downstream_catalogue.Space) -> pb.DownstreamSpace:
    return pb.DownstreamSpace(
        space=space.number,
        id=space.id,
        extra_action=space.extra.value,  # type: ignore[arg-type]
        points=space.points,
        ways=[pb.DownstreamWay(space=way.space, shortcut=way.shortcut) for way in space.ways],
        point=point(space.point),
    )


def _notch(notch: downstream_catalogue.RiverNotch) -> pb.DownstreamNotch:
    return pb.DownstreamNotch(
        place=meadow_places.RIVER + notch.number,
        display_name=downstream_catalogue.notch_name(notch.number),
        spots=_table_spots(notch),
        point=point(notch.point),
    )


def spots_at(components: downstream_catalogue.Downstream, place: int) -> tuple[int, ...]:
    """The spots that the notch at a place of the river board points at: the same on both sides of the board."""
    side = components.sides[downstream_catalogue.LAZY_RIVER]
    return _table_spots(side.notches[place - meadow_places.RIVER])


def _table_spots(notch: downstream_catalogue.RiverNotch) -> tuple[int, ...]:
    return tuple(meadow_catalogue.BOARD_SPOTS + spot for spot in notch.spots)
