"""Views, scores and results of Spring Meadow."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

from meadow_api.v1 import game_pb2
from meadow_api.v1 import spring_meadow_pb2 as pb
from meadow_engine import api
from meadow_engine.api import spring_catalogue, spring_views

CELL_BYTES = (spring_catalogue.CELLS + 7) // 8
CAMPAIGN = "spring_meadow_campaign"

_KINDS = {
    name.removeprefix("SPRING_MEADOW_DECISION_KIND_").lower(): number
    for name, number in pb.SpringMeadowDecisionKind.items()
}
_OBJECTIVES = {
    False: (
        pb.SPRING_MEADOW_OBJECTIVE_MISSED,
        pb.SPRING_MEADOW_OBJECTIVE_GOOD,
        pb.SPRING_MEADOW_OBJECTIVE_EXTRAORDINARY,
    ),
    True: (pb.SPRING_MEADOW_OBJECTIVE_MISSED, pb.SPRING_MEADOW_OBJECTIVE_CAMPAIGN_MET),
}
"""By whether it is a campaign, the objectives by rising band."""


def packed(cells: int) -> bytes:
    """A bit set of cells as a packed set."""
    return cells.to_bytes(CELL_BYTES, "little")


def view_to_message(view: spring_views.SpringView, out: game_pb2.GameView) -> None:
    """Write a view into the frame of a neutral one: table, decision and points."""
    spring = out.spring_meadow
    spring.map_tiles.extend(view.meadow_map)
    spring.path = view.path
    spring.hiking_map = hiking_map_index(view.seats)
    spring.active_seat = view.active
    spring.turn = view.turn
    spring.boards.extend([board_to_message(seat, board) for seat, board in enumerate(view.mountains)])
    spring.box_count = view.box_count
    spring.queue.extend(view.queue)
    spring.scorings.extend(scorings_to_messages(view.scorings))
    if view.solo is not None:
        solo_to_message(view.solo, spring.solo)
    if view.campaign is not None:
        current = view.solo.points if view.solo is not None else 0
        ended = view.pending is None
        campaign_to_message(view.campaign, 0 if ended else current, spring.campaign)
    if view.pending is not None:
        decision_to_message(view.pending, spring.decision)
        out.pending.seat = view.pending.seat
        out.pending.spring_meadow.CopyFrom(spring.decision)
    out.points.extend(points_of_view(view, spring))


def points_of_view(view: spring_views.SpringView, spring: pb.SpringMeadowView) -> Sequence[int]:
    """Running points of each seat."""
    if view.campaign is not None:
        return (spring.campaign.points,)
    if view.solo is not None:
        return (view.solo.points,)
    return [board.score.total for board in view.mountains]


def running_points(game: api.Game) -> tuple[int, ...]:
    """Running points of each seat, as `points_of_view` has them, without making a view."""
    sheet = game.score_sheet()
    return (sheet.points,) if game.seats == 1 else tuple(line.total for line in sheet.running)


def hiking_map_index(seats: int) -> int:
    """Place of a hiking map in the catalogue message: the map of two and four players comes first."""
    return 1 if seats in {1, 3} else 0


# Messages that come up again and again are made once, and not to be changed; putting one into a list copies it.


@lru_cache(maxsize=1024)  # an action changes one board at most
def board_to_message(seat: int, board: spring_views.MountainView) -> pb.SpringMeadowBoard:
    """A seat's board."""
    return pb.SpringMeadowBoard(
        seat=seat,
        face=board.face if board.face >= 0 else None,
        pieces=[piece_to_message(piece) for piece in board.pieces],
        covered_cells=packed(board.covered),
        hole_cells=packed(board.holes),
        cleared_cells=packed(board.cleared),
        marmot_cells=packed(board.marmots),
        full_rows=board.full_rows,
        start_rock_size=board.start_rock,
        pins=board.pins,
        running=line_to_message(seat, board.score),
    )


@lru_cache(maxsize=4096)
def piece_to_message(piece: spring_views.PieceView) -> pb.SpringMeadowPiece:
    """A placed tile or rock."""
    if piece.rock:
        return pb.SpringMeadowPiece(rock=piece.kind, form=piece.form, row=piece.row, column=piece.column)
    return pb.SpringMeadowPiece(tile=piece.kind, form=piece.form, row=piece.row, column=piece.column)


def decision_to_message(pending: spring_views.PendingView, out: pb.SpringMeadowDecision) -> None:
    """What has to be chosen."""
    out.kind = _KINDS[pending.kind]
    if pending.tile >= 0:
        out.space, out.tile = pending.space, pending.tile
    out.marmots = pending.marmots
    out.rock_size, out.rock_is_start = pending.rock_size, pending.rock_is_start
    out.start_rock_size = pending.start_rock
    out.earned_rock_sizes.extend(pending.earned_rocks)


@lru_cache(maxsize=4096)
def line_to_message(seat: int, line: Any) -> pb.SpringMeadowScoreLine:
    """A seat's points in a scoring."""
    return pb.SpringMeadowScoreLine(
        seat=seat,
        rows=line.rows,
        row_points=line.rows * spring_catalogue.COLUMNS,
        partial_points=line.partial,
        burrow_points=line.burrows,
        picnic_points=line.picnic,
        total=line.total,
    )


def lines_to_messages(lines: Iterable[Any]) -> list[pb.SpringMeadowScoreLine]:
    """Points of all seats."""
    return [line_to_message(seat, line) for seat, line in enumerate(lines)]


def scorings_to_messages(scorings: Iterable[Any]) -> list[pb.SpringMeadowScoring]:
    """Scorings that took place."""
    return [
        pb.SpringMeadowScoring(active_seat=phase.active, lines=lines_to_messages(phase.lines), winner=phase.winner)
        for phase in scorings
    ]


def rows_to_messages(rows: Iterable[Any]) -> list[pb.SpringMeadowRowScore]:
    """Rows completed in a solo game."""
    return [pb.SpringMeadowRowScore(row=row.row, turn=row.turn, points=row.value) for row in rows]


def solo_to_message(solo: spring_views.SoloView, out: pb.SpringMeadowSolo) -> None:
    """Progress of a solo game."""
    out.turn, out.path_value = solo.turn, solo.path_value
    out.row_scores.extend(rows_to_messages(solo.rows))
    out.burrow_points, out.points = solo.burrow_points, solo.points


def campaign_to_message(games: Sequence[Any], current_points: int, out: pb.SpringMeadowCampaign) -> None:
    """Progress of a campaign: its finished games, and the points of the one that runs."""
    out.game = min(len(games), 3)
    out.points = sum(game.points for game in games) + current_points
    out.results.extend(
        pb.SpringMeadowCampaignGame(
            face=game.face,
            row_scores=rows_to_messages(game.rows),
            burrow_points=game.burrow_points,
            points=game.points,
        )
        for game in games
    )


def score_sheet_to_message(game: api.Game, out: game_pb2.ScoreSheet) -> None:
    """Write the points by source into a neutral sheet."""
    sheet: api.SpringScoreSheet = game.score_sheet()
    view = game.view()
    spring = out.spring_meadow
    spring.SetInParent()
    if game.seats > 1:
        spring.scorings.extend(scorings_to_messages(sheet.scorings))
        spring.pins.extend(sheet.pins)
    spring.running.extend(lines_to_messages(sheet.running))
    if view.solo is not None:
        solo_to_message(view.solo, spring.solo)
    if view.campaign is not None:
        campaign_to_message(view.campaign, sheet.points - sum(g.points for g in view.campaign), spring.campaign)
    if game.is_over and game.seats == 1:
        spring.objective = objective(game)
    out.points.extend(running_points(game))


def objective(game: api.Game) -> pb.SpringMeadowObjective.ValueType:
    """The objective that a finished solo game or campaign reached."""
    return _OBJECTIVES[game.variant.id == CAMPAIGN][game.outcome().band]


def outcome_to_message(game: api.Game, out: game_pb2.Outcome) -> None:
    """Write the family's part of an outcome."""
    if game.seats == 1:
        out.spring_meadow = objective(game)
