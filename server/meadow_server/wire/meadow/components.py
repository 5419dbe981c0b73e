"""The components of a content pack for Meadow."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from meadow_api.v1 import catalogue_pb2, common_pb2
from meadow_api.v1 import meadow_pb2 as pb
from meadow_engine.api import meadow_catalogue

from meadow_server.wire.meadow.actions import DECK_OFFSET
from meadow_server.wire.meadow.views import symbols

KIND_OFFSET = 1


def catalogue_to_message(catalogue: Any, out: catalogue_pb2.Catalogue) -> None:
    """Write everything Meadow is played with."""
    meadow = out.meadow
    meadow.cards.extend(_card(card) for card in catalogue.cards)
    meadow.start_cards.extend(pb.MeadowStartCard(sides=sides) for sides in catalogue.start_cards)
    meadow.card_sets.extend(catalogue.sets)
    meadow.board_columns.extend(deck + DECK_OFFSET for deck in catalogue.main_board.columns)
    meadow.notches.extend(_notch(notch) for notch in catalogue.main_board.notches)
    meadow.campfire_boards.extend(_campfire(catalogue.campfires[players]) for players in sorted(catalogue.campfires))
    meadow.solo_places.extend(pb.MeadowSoloPlace(notches=notches) for notches in catalogue.solo_token.places)
    meadow.bonus_values.extend(catalogue.bonus_values)
    meadow.road_tokens = catalogue.road_tokens


def _card(card: meadow_catalogue.Card) -> pb.MeadowCard:
    return pb.MeadowCard(
        card=card.number,
        id=card.id,
        display_name=card.name,
        scientific_name=card.scientific_name,
        deck=card.deck + DECK_OFFSET,  # type: ignore[arg-type]
        kind=card.kind + KIND_OFFSET,  # type: ignore[arg-type]
        grounds=symbols(card.grounds),
        symbols=symbols(card.symbols),
        requirements=[
            pb.MeadowRequirement(symbols=symbols(requirement.symbols), adjacent=requirement.adjacent)
            for requirement in card.requirements
        ],
        points=card.points,
        card_set=card.card_set,
        uncoverable=card.uncoverable,
    )


def _point(point: tuple[float, float]) -> common_pb2.Point:
    return common_pb2.Point(x=point[0], y=point[1])


def _points(points: Iterable[tuple[float, float]]) -> list[common_pb2.Point]:
    return [_point(point) for point in points]


def _notch(notch: meadow_catalogue.Notch) -> pb.MeadowNotch:
    return pb.MeadowNotch(place=notch.number, display_name=notch.id, spots=notch.spots, point=_point(notch.point))


def _campfire(board: meadow_catalogue.CampfireBoard) -> pb.MeadowCampfireBoard:
    return pb.MeadowCampfireBoard(
        players=board.players,
        open_notches=board.open_notches,
        rounds=board.rounds,
        hourglass=board.hourglass,
        notches=_points(board.notches),
        goals=_points(board.goals),
        bonuses=_points(board.bonuses),
        benches=_points(board.benches),
        rocks=_points(board.rocks),
        hourglass_point=_point(board.hourglass_point),
    )
