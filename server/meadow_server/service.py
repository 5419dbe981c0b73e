"""The table of contents: which handler answers which call."""

from __future__ import annotations

from typing import Any

import grpc
from meadow_api.v1 import game_service_pb2 as pb

from meadow_server.app import App
from meadow_server.conversation import Conversations
from meadow_server.create import Creation
from meadow_server.info import Info
from meadow_server.lobby import Lobby
from meadow_server.play import Play
from meadow_server.replays import Replays
from meadow_server.rpc import Stream, Transport, Unary
from meadow_server.watch import Watching

SERVICE = pb.DESCRIPTOR.services_by_name["GameService"].full_name


def handlers(app: App, transport: Transport) -> grpc.GenericRpcHandler:
    """The game service."""
    info, lobby, creation, play, replays = Info(app), Lobby(app), Creation(app), Play(app), Replays(app)
    unary: list[tuple[Unary, type[Any]]] = [
        (info.GetServerInfo, pb.GetServerInfoRequest),
        (info.ListVariants, pb.ListVariantsRequest),
        (info.GetVariant, pb.GetVariantRequest),
        (info.GetCatalogue, pb.GetCatalogueRequest),
        (creation.CreateGame, pb.CreateGameRequest),
        (lobby.StartGame, pb.StartGameRequest),
        (lobby.AbortGame, pb.AbortGameRequest),
        (lobby.GetGame, pb.GetGameRequest),
        (lobby.ListGames, pb.ListGamesRequest),
        (creation.DeleteGame, pb.DeleteGameRequest),
        (lobby.ClaimSeat, pb.ClaimSeatRequest),
        (lobby.ReleaseSeat, pb.ReleaseSeatRequest),
        (lobby.SetSeatBot, pb.SetSeatBotRequest),
        (lobby.ReplaceHostToken, pb.ReplaceHostTokenRequest),
        (lobby.ResignSeat, pb.ResignSeatRequest),
        (play.GetGameView, pb.GetGameViewRequest),
        (play.ListLegalActions, pb.ListLegalActionsRequest),
        (play.SubmitAction, pb.SubmitActionRequest),
        (play.UndoAction, pb.UndoActionRequest),
        (play.GetScoreSheet, pb.GetScoreSheetRequest),
        (replays.GetReplay, pb.GetReplayRequest),
        (replays.ListEvents, pb.ListEventsRequest),
    ]
    streams: list[tuple[Stream, type[Any]]] = [(Watching(app).WatchGame, pb.WatchGameRequest)]
    table = {_name(handler): transport.unary(_name(handler), request, handler) for handler, request in unary}
    table["Play"] = transport.duplex("Play", Conversations(app, play).Play)
    table |= {_name(handler): transport.stream(_name(handler), request, handler) for handler, request in streams}
    return grpc.method_handlers_generic_handler(SERVICE, table)


def _name(handler: Any) -> str:
    name: str = handler.__name__
    return name
