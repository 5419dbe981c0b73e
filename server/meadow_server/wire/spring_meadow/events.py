"""Events of Spring Meadow."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from meadow_api.v1 import game_pb2
from meadow_api.v1 import spring_meadow_pb2 as pb
from meadow_engine.api import spring_events as engine

from meadow_server.wire.spring_meadow.views import lines_to_messages


def cells_of(cells: int) -> list[int]:
    """The members of a bit set, ascending."""
    members = []
    while cells:
        bit = cells & -cells
        members.append(bit.bit_length() - 1)
        cells ^= bit
    return members


def _tile_placed(e: engine.TilePlaced) -> pb.SpringMeadowEvent:
    return pb.SpringMeadowEvent(
        tile_placed=pb.SpringMeadowTilePlaced(
            seat=e.seat,
            space=e.space,
            tile=e.tile,
            form=e.form,
            row=e.row,
            column=e.column,
            hole_cells=cells_of(e.holes),
            covered_burrows=e.covered_burrows,
        )
    )


def _rock_placed(e: engine.RockPlaced) -> pb.SpringMeadowEvent:
    return pb.SpringMeadowEvent(
        rock_placed=pb.SpringMeadowRockPlaced(
            seat=e.seat,
            shape=e.shape,
            form=e.form,
            row=e.row,
            column=e.column,
            start_rock=e.start,
            covered_burrows=e.covered_burrows,
        )
    )


def _scored(e: engine.Scored) -> pb.SpringMeadowEvent:
    return pb.SpringMeadowEvent(
        scored=pb.SpringMeadowScored(
            active_seat=e.active, lines=lines_to_messages(e.lines), winner=e.winner, pins=e.pins
        )
    )


_WRITERS: Mapping[type, Callable[[Any], pb.SpringMeadowEvent]] = {
    engine.BoardChosen: lambda e: pb.SpringMeadowEvent(
        board_chosen=pb.SpringMeadowBoardChosen(seat=e.seat, face=e.face)
    ),
    engine.TurnStarted: lambda e: pb.SpringMeadowEvent(
        turn_started=pb.SpringMeadowTurnStarted(seat=e.seat, path=e.path)
    ),
    engine.TileTaken: lambda e: pb.SpringMeadowEvent(
        tile_taken=pb.SpringMeadowTileTaken(seat=e.seat, space=e.space, tile=e.tile)
    ),
    engine.TilePlaced: _tile_placed,
    engine.MarmotPlaced: lambda e: pb.SpringMeadowEvent(
        marmot_placed=pb.SpringMeadowMarmotPlaced(seat=e.seat, row=e.row, column=e.column)
    ),
    engine.RockEarned: lambda e: pb.SpringMeadowEvent(
        rock_earned=pb.SpringMeadowRockEarned(seat=e.seat, size=e.size, group_cells=cells_of(e.group))
    ),
    engine.RockPlaced: _rock_placed,
    engine.RockDropped: lambda e: pb.SpringMeadowEvent(
        rock_dropped=pb.SpringMeadowRockDropped(seat=e.seat, size=e.size, start_rock=e.start)
    ),
    engine.TileSkipped: lambda e: pb.SpringMeadowEvent(
        tile_skipped=pb.SpringMeadowTileSkipped(
            seat=e.seat, reason=pb.SpringMeadowSkipReason.Value("SPRING_MEADOW_SKIP_REASON_" + e.reason.value)
        )
    ),
    engine.SignpostMoved: lambda e: pb.SpringMeadowEvent(signpost_moved=pb.SpringMeadowSignpostMoved(path=e.path)),
    engine.ScoringTriggered: lambda e: pb.SpringMeadowEvent(
        scoring_triggered=pb.SpringMeadowScoringTriggered(seat=e.seat, stalemate=e.stalemate)
    ),
    engine.Scored: _scored,
    engine.MarmotsCovered: lambda e: pb.SpringMeadowEvent(
        marmots_covered=pb.SpringMeadowMarmotsCovered(seat=e.seat, cells=cells_of(e.burrows))
    ),
    engine.MapRefilled: lambda e: pb.SpringMeadowEvent(
        map_refilled=pb.SpringMeadowMapRefilled(spaces=e.spaces, tiles=e.tiles)
    ),
    engine.QueueExtended: lambda e: pb.SpringMeadowEvent(queue_extended=pb.SpringMeadowQueueExtended(tiles=e.tiles)),
    engine.RowsCompleted: lambda e: pb.SpringMeadowEvent(
        rows_completed=pb.SpringMeadowRowsCompleted(rows=e.rows, value=e.value, points=e.points)
    ),
    engine.SoloGameEnded: lambda e: pb.SpringMeadowEvent(
        solo_game_ended=pb.SpringMeadowSoloGameEnded(game=e.game, burrow_points=e.burrow_points, points=e.points)
    ),
    engine.CampaignGameStarted: lambda e: pb.SpringMeadowEvent(
        campaign_game_started=pb.SpringMeadowCampaignGameStarted(game=e.game)
    ),
    engine.GameEnded: lambda _: pb.SpringMeadowEvent(game_ended=pb.SpringMeadowGameEnded()),
}
"""How each event is written; the tests hold it against the engine's list."""


def event_to_message(event: Any) -> game_pb2.GameEvent:
    """An event, in the form that its viewer may see."""
    return game_pb2.GameEvent(spring_meadow=_WRITERS[type(event)](event))
