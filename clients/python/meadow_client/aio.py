"""The asyncio client: the same methods as `Client`, awaited."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing

from google.protobuf.message import Message
from meadow_api.v1 import (
    catalogue_pb2,
    common_pb2,
    game_pb2,
    game_service_pb2,
)

from meadow_client import requests
from meadow_client.aio_calling import AsyncCaller
from meadow_client.aio_playing import AsyncPlayStream
from meadow_client.errors import MeadowError, StreamBroken
from meadow_client.messages import Choice, number
from meadow_client.requests import FULL, Extras, Format, SeatLike
from meadow_client.retry import RETRIED, new_request_id
from meadow_client.watching import Cursor


class AsyncClient(AsyncCaller):
    """Calls a Meadow server from asyncio: `Client`, method for method.

        async with AsyncClient("127.0.0.1:50051") as client:
            async for message in client.watch_game("games/...", include_view=True):
                ...

    Arguments, answers, retries and errors are those of `Client`. A cancelled call loses only its answer: a mutation
    that had reached the server is done.
    """

    # ---- the server and its games ------------------------------------------------------------------------------

    async def get_server_info(self) -> game_service_pb2.GetServerInfoResponse:
        """What the server is: build, rules revisions, packs, limits."""
        return await self._call(self._stub.GetServerInfo, game_service_pb2.GetServerInfoRequest())

    async def list_variants(self) -> list[catalogue_pb2.Variant]:
        """The variants that can be played, all pages of them."""
        found: list[catalogue_pb2.Variant] = []
        request = game_service_pb2.ListVariantsRequest()
        while True:
            answer = await self._call(self._stub.ListVariants, request)
            found += answer.variants
            if not answer.next_page_token:
                return found
            request.page_token = answer.next_page_token

    async def get_variant(self, variant: str) -> catalogue_pb2.Variant:
        """One variant: seats, options with their limits, bots, size of the action space."""
        request = game_service_pb2.GetVariantRequest(variant=variant)
        return (await self._call(self._stub.GetVariant, request)).variant

    async def get_catalogue(
        self, family: catalogue_pb2.GameFamily.ValueType, pack: str = "", *, pack_hash: bytes = b""
    ) -> catalogue_pb2.Catalogue:
        """Every component of a content pack for a family of games: by its hash, by its id, or of the default pack."""
        request = game_service_pb2.GetCatalogueRequest(family=family)
        if pack_hash:
            request.pack_hash = pack_hash
        elif pack:
            request.pack = pack
        return (await self._call(self._stub.GetCatalogue, request)).catalogue

    # ---- the life of a game ------------------------------------------------------------------------------------

    async def create_game(  # noqa: PLR0913 (by name, one for each field of the request)
        self,
        variant: str,
        seats: Sequence[SeatLike],
        *,
        options: Message | None = None,
        pack: str = "",
        private: bool = False,
        seed: int | bytes | None = None,
        wait_for_start: bool = False,
        display_name: str = "",
        resign_rules: common_pb2.ResignRules | None = None,
        clock_rules: common_pb2.ClockRules | None = None,
        token: str | None = None,
    ) -> game_service_pb2.CreateGameResponse:
        """Create a game and get the host's token and those of its reserved seats.

        Arguments as in `Client`.
        """
        request = requests.create_game(
            variant,
            seats,
            options=options,
            pack=pack,
            private=private,
            seed=seed,
            wait_for_start=wait_for_start,
            display_name=display_name,
            resign_rules=resign_rules,
            clock_rules=clock_rules,
        )
        return await self._call(self._stub.CreateGame, request, token)

    async def start_game(
        self, name: str, *, fill_bot: str = "", expected_version: int | None = None, token: str | None = None
    ) -> game_pb2.Game:
        """Start an open game; seats still open go to `fill_bot` if it is given. Host."""
        request = game_service_pb2.StartGameRequest(
            name=name,
            request_id=new_request_id(),
            expected_version=number("expected_version", expected_version, 63),
            fill_bot=fill_bot,
        )
        return (await self._call(self._stub.StartGame, request, token)).game

    async def abort_game(
        self, name: str, explanation: str = "", *, expected_version: int | None = None, token: str | None = None
    ) -> game_pb2.Game:
        """End a game without outcome, and open its commitment. Host."""
        request = game_service_pb2.AbortGameRequest(
            name=name,
            request_id=new_request_id(),
            expected_version=number("expected_version", expected_version, 63),
            explanation=explanation,
        )
        return (await self._call(self._stub.AbortGame, request, token)).game

    async def get_game(self, name: str, *, token: str | None = None) -> game_service_pb2.GetGameResponse:
        """A game: its life, seats, options; to the host, its join code."""
        return await self._call(self._stub.GetGame, game_service_pb2.GetGameRequest(name=name), token)

    async def list_games(
        self,
        *,
        state: common_pb2.GameState.ValueType = common_pb2.GAME_STATE_UNSPECIFIED,
        variant: str = "",
        page_size: int = 0,
    ) -> AsyncIterator[game_pb2.Game]:
        """Public games, newest first; further pages are fetched as they are asked for."""
        request = game_service_pb2.ListGamesRequest(
            page_size=number("page_size", page_size, 31), state=state, variant=variant
        )
        while True:
            answer = await self._call(self._stub.ListGames, request)
            for game in answer.games:
                yield game
            if not answer.next_page_token:
                return
            request.page_token = answer.next_page_token

    async def replace_host_token(
        self, name: str, *, expected_version: int | None = None, token: str | None = None
    ) -> game_service_pb2.ReplaceHostTokenResponse:
        """Make a new host token, which voids earlier ones. Host, or the operator."""
        request = game_service_pb2.ReplaceHostTokenRequest(
            name=name, request_id=new_request_id(), expected_version=number("expected_version", expected_version, 63)
        )
        return await self._call(self._stub.ReplaceHostToken, request, token)

    async def delete_game(self, name: str, *, expected_version: int | None = None, token: str | None = None) -> int:
        """Delete a finished or aborted game for good, and answer its last version. Host."""
        request = game_service_pb2.DeleteGameRequest(
            name=name, request_id=new_request_id(), expected_version=number("expected_version", expected_version, 63)
        )
        return (await self._call(self._stub.DeleteGame, request, token)).version

    # ---- seats -------------------------------------------------------------------------------------------------

    async def claim_seat(
        self,
        join_code: str,
        *,
        name: str = "",
        seat: int | None = None,
        display_name: str = "",
        colour: common_pb2.SeatColour.ValueType = common_pb2.SEAT_COLOUR_UNSPECIFIED,
    ) -> game_service_pb2.ClaimSeatResponse:
        """Claim an open seat by the join code, and get its token."""
        request = requests.claim_seat(join_code, name=name, seat=seat, display_name=display_name, colour=colour)
        return await self._call(self._stub.ClaimSeat, request)

    async def release_seat(
        self, name: str, seat: int | None = None, *, expected_version: int | None = None, token: str | None = None
    ) -> game_pb2.Game:
        """Give a seat up: the caller's own if None. The seat itself, or the host."""
        request = game_service_pb2.ReleaseSeatRequest(
            name=name,
            request_id=new_request_id(),
            expected_version=number("expected_version", expected_version, 63),
            seat=number("seat", seat),
        )
        return (await self._call(self._stub.ReleaseSeat, request, token)).game

    async def set_seat_bot(
        self, name: str, seat: int, bot: str, *, expected_version: int | None = None, token: str | None = None
    ) -> game_pb2.Game:
        """Hand a seat to a bot. Host."""
        request = game_service_pb2.SetSeatBotRequest(
            name=name,
            request_id=new_request_id(),
            expected_version=number("expected_version", expected_version, 63),
            seat=number("seat", seat),
            bot=bot,
        )
        return (await self._call(self._stub.SetSeatBot, request, token)).game

    async def resign_seat(
        self, name: str, *, expected_version: int | None = None, token: str | None = None
    ) -> game_pb2.Game:
        """Give a running game up; a bot plays on or the game ends, as its `resign_rules` say. The seat itself."""
        request = game_service_pb2.ResignSeatRequest(
            name=name, request_id=new_request_id(), expected_version=number("expected_version", expected_version, 63)
        )
        return (await self._call(self._stub.ResignSeat, request, token)).game

    # ---- playing -----------------------------------------------------------------------------------------------

    async def get_game_view(
        self,
        name: str,
        *,
        min_version: int = 0,
        wait_for_turn: float = 0,
        include_legal_actions: bool = False,
        legal_format: Format = FULL,
        token: str | None = None,
    ) -> game_service_pb2.GetGameViewResponse:
        """The view, and on demand the legal actions.

        Arguments as in `Client`.
        """
        extras = Extras(legal_actions=include_legal_actions, legal_format=legal_format)
        request = requests.get_game_view(name, min_version, wait_for_turn, extras)
        return await self._call(self._stub.GetGameView, request, token, self.timeout + wait_for_turn)

    async def list_legal_actions(
        self,
        name: str,
        *,
        action_filter: Message | None = None,
        legal_format: Format = FULL,
        token: str | None = None,
    ) -> game_pb2.LegalActionList:
        """The legal actions of the seat to move, all pages of them; for other seats an empty list."""
        request = game_service_pb2.ListLegalActionsRequest(
            name=name, filter=requests.action_filter(action_filter), format=legal_format
        )
        found = (await self._call(self._stub.ListLegalActions, request, token)).legal_actions
        while found.next_page_token:
            request.page_token = found.next_page_token
            found.next_page_token = ""
            found.MergeFrom((await self._call(self._stub.ListLegalActions, request, token)).legal_actions)
        return found

    async def submit_action(
        self,
        name: str,
        choice: Choice | Sequence[Choice],
        *,
        expected_version: int,
        validate_only: bool = False,
        include_view: bool = False,
        include_legal_actions: bool = False,
        legal_format: Format = FULL,
        token: str | None = None,
    ) -> game_service_pb2.SubmitActionResponse:
        """Make a choice, or several of one's own turn, all or none; or try them out.

        Arguments as in `Client`.
        """
        extras = Extras(include_view, include_legal_actions, legal_format)
        request = requests.submit(name, choice, expected_version, extras, validate_only=validate_only)
        return await self._call(self._stub.SubmitAction, request, token)

    async def undo_action(
        self,
        name: str,
        count: int = 1,
        *,
        expected_version: int,
        include_view: bool = False,
        include_legal_actions: bool = False,
        legal_format: Format = FULL,
        token: str | None = None,
    ) -> game_service_pb2.UndoActionResponse:
        """Take back choices of one's own turn. Arguments as in `submit_action`."""
        extras = Extras(include_view, include_legal_actions, legal_format)
        return await self._call(self._stub.UndoAction, requests.undo(name, count, expected_version, extras), token)

    def play(self, name: str, *, token: str | None = None) -> AsyncPlayStream:
        """Play a seat over one stream; see `AsyncPlayStream`.

        Args:
            name: the game.
            token: the seat's; the client's own if None.
        """
        return AsyncPlayStream(self._stub, name, self._token(token), self.retry, lambda: self._closed)

    # ---- watching ----------------------------------------------------------------------------------------------

    async def watch_game(
        self,
        name: str,
        *,
        after_version: int | None = None,
        include_view: bool = False,
        include_legal_actions: bool = False,
        legal_format: Format = FULL,
        give_up_after: float | None = None,
        token: str | None = None,
    ) -> AsyncIterator[game_service_pb2.WatchGameResponse]:
        """Follow a game to its end, over dropped connections and restarts of the server.

        Yields snapshots, updates without gap or repeat, and at last the terminal message. Heartbeats are kept to
        itself. So a loop that runs out has seen the end of the game; if the watch cannot be resumed within the
        client's patience, `StreamBroken` is raised instead.

        Arguments as in `Client`.
        """
        extras = Extras(include_view, include_legal_actions, legal_format)
        cursor = Cursor(requests.watch_game(name, after_version, extras), give_up_after)
        delays = self.retry.delays()
        while not cursor.ended:
            broken: MeadowError | None = None
            try:
                async with aclosing(self._stream(cursor, token)) as stream:
                    async for message in stream:
                        yield message
            except RETRIED as error:
                broken = error
                if self._closed or cursor.seconds_left == 0:
                    raise
            if not cursor.ended:
                try:
                    pause, delays = cursor.pause_before_next(self.retry, delays)
                except StreamBroken as given_up:
                    raise given_up from broken
                await asyncio.sleep(pause)

    # ---- scores and replays ------------------------------------------------------------------------------------

    async def list_events(
        self, name: str, *, after_version: int = 0, page_size: int = 0, token: str | None = None
    ) -> AsyncIterator[game_pb2.GameRecord]:
        """What has happened, record by record, as the caller may see it; further pages are fetched as asked for.

        Arguments as in `Client`.
        """
        request = requests.list_events(name, after_version, page_size)
        while True:
            answer = await self._call(self._stub.ListEvents, request, token)
            for record in answer.records:
                yield record
            if not answer.next_page_token:
                return
            request.page_token = answer.next_page_token

    async def get_score_sheet(self, name: str, *, token: str | None = None) -> game_pb2.ScoreSheet:
        """Points by source, running or final, and the outcome."""
        request = game_service_pb2.GetScoreSheetRequest(name=name)
        return (await self._call(self._stub.GetScoreSheet, request, token)).score_sheet

    async def get_replay(self, name: str, *, token: str | None = None) -> game_pb2.Replay:
        """The course of the game, all pages of it; complete once the game has ended."""
        request = game_service_pb2.GetReplayRequest(name=name)
        answer = await self._call(self._stub.GetReplay, request, token)
        replay = answer.replay
        while answer.next_page_token:
            request.page_token = answer.next_page_token
            answer = await self._call(self._stub.GetReplay, request, token)
            replay.records.extend(answer.replay.records)
        return replay
