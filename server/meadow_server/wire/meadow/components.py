"""The components of a content pack for Meadow."""

from __future__ import annotations

from typing import Any

from meadow_api.v1 import catalogue_pb2
from meadow_api.v1 import meadow_cards_pb2 as card_pb
from meadow_api.v1 import meadow_pb2 as pb
from meadow_engine.api import meadow_catalogue

from meadow_server.wire.meadow import downstream
from meadow_server.wire.meadow.numbers import DECK_OFFSET, KIND_OFFSET, decks, point, points, symbols


def catalogue_to_message(catalogue: Any, out: catalogue_pb2.Catalogue) -> None:
    """Write everything Meadow is played with."""
    meadow = out.meadow
    meadow.cards.extend(_card(card) for card in catalogue.cards)
    meadow.start_cards.extend(card_pb.MeadowStartCard(sides=sides) for sides in catalogue.start_cards)
    meadow.card_sets.extend(catalogue.sets)
    meadow.board_columns.extend(decks(catalogue.main_board.columns))
    meadow.notches.extend(_notch(notch) for notch in catalogue.main_board.notches)
    meadow.campfire_boards.extend(_campfire(catalogue.campfires[players]) for players in sorted(catalogue.campfires))
    meadow.solo_places.extend(pb.MeadowSoloPlace(notches=notches) for notches in catalogue.solo_token.places)
    meadow.bonus_values.extend(catalogue.bonus_values)
    meadow.road_tokens = catalogue.road_tokens
    if catalogue.downstream is not None:
        downstream.components_to_message(catalogue.downstream, meadow.downstream)


def _card(card: meadow_catalogue.Card) -> card_pb.MeadowCard:
    return card_pb.MeadowCard(
        card=card.number,
        id=card.id,
        display_name=card.name,
        scientific_name=card.scientific_name,
        deck=card.deck + DECK_OFFSET,  # type: ignore[arg-type]
        kind=card.kind + KIND_OFFSET,  # type: ignore[arg-type]
        grounds=symbols(card.grounds),
        symbols=symbols(card.symbols),
        requirements=[
            card_pb.MeadowRequirement(symbols=symbols(requirement.symbols), adjacent=requirement.adjacent)
            for requirement in card.requirements
        ],
        points=card.points,
        card_set=card.card_set,
        uncoverable=card.uncoverable,
        oar=card.oar,
    )


def _notch(notch: meadow_catalogue.Notch) -> pb.MeadowNotch:
    return pb.MeadowNotch(place=notch.number, display_name=notch.id, spots=notch.spots, point=point(notch.point))


def _campfire(board: meadow_catalogue.CampfireBoard) -> pb.MeadowCampfireBoard:
    return pb.MeadowCampfireBoard(
        players=board.players,
        open_notches=board.open_notches,
        rounds=board.rounds,
        hourglass=board.hourglass,
        notches=points(board.notches),
        goals=points(board.goals),
        bonuses=points(board.bonuses),
        benches=points(board.benches),
        rocks=points(board.rocks),
        hourglass_point=point(board.hourglass_point),
    )
