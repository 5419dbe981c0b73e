"""Views, decisions and scores of Meadow."""

from __future__ import annotations

from functools import lru_cache

from meadow_api.v1 import downstream_pb2, game_pb2
from meadow_api.v1 import meadow_pb2 as pb
from meadow_engine import api
from meadow_engine.api import SeatScore, meadow_pending_views, meadow_places, meadow_views

from meadow_server.wire.meadow import downstream
from meadow_server.wire.meadow.numbers import DECK_OFFSET, NONE, SYMBOL_OFFSET, decks, symbols

_KINDS = {name.removeprefix("MEADOW_DECISION_KIND_").lower(): number for name, number in pb.MeadowDecisionKind.items()}
_SOLO_RESULTS = (
    pb.MEADOW_SOLO_RESULT_LOST,
    pb.MEADOW_SOLO_RESULT_DISTRACTED,
    pb.MEADOW_SOLO_RESULT_FRUITFUL,
    pb.MEADOW_SOLO_RESULT_AMAZING,
    pb.MEADOW_SOLO_RESULT_WORTH_DISPLAYING,
)
_RIVER_RESULTS = (
    downstream_pb2.DOWNSTREAM_SOLO_RESULT_COMMON_SPECIES,
    downstream_pb2.DOWNSTREAM_SOLO_RESULT_NEW_FINDINGS,
    downstream_pb2.DOWNSTREAM_SOLO_RESULT_RARE_SPECIES,
    downstream_pb2.DOWNSTREAM_SOLO_RESULT_AMAZING_JOURNEY,
)
"""Both by band."""


def view_to_message(view: meadow_views.MeadowView, out: game_pb2.GameView) -> None:
    """Write a view into the frame of a neutral one: table, decision and points."""
    meadow = out.meadow
    meadow.round, meadow.rounds, meadow.first_seat = view.round, view.rounds, view.first_seat
    meadow.halfway = view.halfway
    meadow.board_cards.extend(view.board)
    meadow.deck_counts.extend([_count(deck, count) for deck, count in enumerate(view.deck_counts)])
    alone = view.rover is not None
    placed = [_token(place, piece, alone=alone) for place, piece in enumerate(view.places) if piece != NONE]
    meadow.placed_tokens.extend(placed)
    meadow.free_places.extend(place for place in range(view.free.bit_length()) if view.free >> place & 1)
    meadow.goals.extend(symbols(view.goals))
    meadow.claims.extend(pb.MeadowClaim(pair=pair, seat=seat) for pair, seat in enumerate(view.claims) if seat != NONE)
    meadow.road_supply = view.road_supply
    meadow.players.extend([player_to_message(seat, player) for seat, player in enumerate(view.players)])
    if view.rover is not None:
        rover_to_message(view.rover, meadow.rover)
    if view.river is not None:
        downstream.river_to_message(view.river, meadow.river)
    if view.pending is not None:
        decision_to_message(view.pending, meadow.decision)
        out.pending.seat = view.pending.seat
        out.pending.meadow.CopyFrom(meadow.decision)
    out.points.extend(player.score.total for player in view.players)


# Small messages that come up again and again are made once; putting one into a list copies it.


@lru_cache(maxsize=4096)
def _count(deck: int, count: int) -> pb.MeadowCardCount:
    return pb.MeadowCardCount(deck=deck + DECK_OFFSET, count=count)  # type: ignore[arg-type]


@lru_cache(maxsize=4096)
def _symbol(symbol: int, count: int) -> pb.MeadowSymbolCount:
    return pb.MeadowSymbolCount(symbol=symbol + SYMBOL_OFFSET, count=count)  # type: ignore[arg-type]


@lru_cache(maxsize=16384)
def _column(number: int, cards: tuple[int, ...]) -> pb.MeadowColumn:
    return pb.MeadowColumn(column=number, cards=cards)


@lru_cache(maxsize=4096)
def _landscape(card: int, found: int) -> pb.MeadowLandscape:
    return pb.MeadowLandscape(card=card, discovery=found if found != NONE else None)


@lru_cache(maxsize=4096)
def _token(place: int, piece: int, *, alone: bool) -> pb.MeadowPlacedToken:
    owner, token = meadow_places.piece_parts(piece)
    if alone and owner:
        return pb.MeadowPlacedToken(place=place, token=token, rover_colour=owner)
    return pb.MeadowPlacedToken(place=place, token=token, seat=owner)


@lru_cache(maxsize=1024)  # an action changes what lies before one seat, hardly ever before the others
def player_to_message(seat: int, player: meadow_views.PlayerView) -> pb.MeadowPlayer:
    """What lies before a seat, as one viewer sees it. Not to be changed: it is kept."""
    return pb.MeadowPlayer(
        seat=seat,
        hand_cards=player.hand,
        unknown_hand_cards=[_count(deck, count) for deck, count in enumerate(player.unknown) if count],
        columns=[_column(number, cards) for number, cards in enumerate(player.columns)],
        row=player.row,
        visible_symbols=[_symbol(symbol, count) for symbol, count in enumerate(player.visible) if count],
        landscapes=[_landscape(*pair) for pair in zip(player.landscapes, player.discoveries, strict=True)],
        roads=player.roads,
        tokens=list(meadow_places.bits(player.tokens)),
        bonuses_placed=player.bonuses,
        start_card=player.start,
        score=score_to_message(seat, player.score),
    )


@lru_cache(maxsize=4096)
def score_to_message(seat: int, score: SeatScore) -> pb.MeadowSeatScore:
    """A seat's points by source."""
    points = dict(score.sources)
    return pb.MeadowSeatScore(
        seat=seat,
        meadow_points=points["meadow"],
        landscape_points=points["landscapes"],
        discovery_points=points["discoveries"],
        goal_points=points["goals"],
        total=score.total,
        discoveries=score.discoveries,
        river_points=points.get("river", 0),
        river_goal_points=points.get("river_goal", 0),
        tent_points=points.get("tents", 0),
    )


def rover_to_message(rover: meadow_views.RoverView, out: pb.MeadowRover) -> None:
    """Rover."""
    out.tokens_left = rover.tokens_left
    if rover.points != NONE:
        out.points = rover.points
    out.marker_places.extend(rover.markers)
    out.cards.extend(rover.cards)


def decision_to_message(pending: meadow_pending_views.PendingView, out: pb.MeadowDecision) -> None:
    """What has to be chosen."""
    out.kind = _KINDS[pending.kind]
    out.spots.extend(pending.spots)
    out.special, out.plays = pending.special, pending.plays
    out.claimable_pairs.extend(pending.claimable)
    if pending.card != NONE:
        out.card, out.place, out.discards = pending.card, pending.place, pending.discards
    if pending.deck != NONE:
        out.deck = pending.deck + DECK_OFFSET  # type: ignore[assignment]
    out.looked_at_cards.extend(pending.looked_at)
    out.hand.extend(report_to_message(report) for report in pending.hand)
    out.extra_action = pending.extra  # type: ignore[assignment]
    out.way_spaces.extend(pending.ways)
    out.decks.extend(decks(pending.decks))
    out.spaces_left = pending.spaces_left


def report_to_message(report: meadow_pending_views.CardReport) -> pb.MeadowCardReport:
    """Whether a hand card can be played now."""
    obstacle = "MEADOW_OBSTACLE_" + (report.obstacle or "UNSPECIFIED")
    return pb.MeadowCardReport(
        card=report.card,
        places=report.places,
        discards=report.discards,
        missing_requirements=report.missing,
        obstacle=pb.MeadowObstacle.Value(obstacle),
    )


def running_points(game: api.Game) -> tuple[int, ...]:
    """Running points of each seat."""
    return game.returns()


def score_sheet_to_message(game: api.Game, out: game_pb2.ScoreSheet) -> None:
    """Write the points by source into a neutral sheet."""
    sheet = game.score_sheet()
    out.meadow.seats.extend([score_to_message(seat, score) for seat, score in enumerate(sheet.seats)])
    if sheet.rover != NONE:
        out.meadow.rover_points = sheet.rover
    if game.seats == 1 and game.is_over:
        if on_river(game):
            out.meadow.river_solo_result = _RIVER_RESULTS[game.outcome().band]
        else:
            out.meadow.solo_result = _SOLO_RESULTS[game.outcome().band]
    out.points.extend(running_points(game))


def outcome_to_message(game: api.Game, out: game_pb2.Outcome) -> None:
    """Write the family's part of an outcome: alone, the line of the solo table that was reached."""
    if game.seats > 1:
        return
    if on_river(game):
        out.downstream = _RIVER_RESULTS[game.outcome().band]
    else:
        out.meadow = _SOLO_RESULTS[game.outcome().band]


def on_river(game: api.Game) -> bool:
    """Whether a game is one of Downstream, which has a solo table of its own."""
    return game.view(None).river is not None
