"""The synchronous client: one method per RPC, named like it."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence

from google.protobuf.message import Message
from meadow_api.v1 import (
    catalogue_pb2,
    common_pb2,
    game_pb2,
    game_service_pb2,
)

from meadow_client import requests
from meadow_client.calling import Caller
from meadow_client.errors import MeadowError, StreamBroken
from meadow_client.messages import Choice, number
from meadow_client.playing import PlayStream
from meadow_client.requests import FULL, Extras, Format, SeatLike
from meadow_client.retry import RETRIED, new_request_id
from meadow_client.watching import Cursor


class Client(Caller):
    """Calls a Meadow server; safe to share between threads.

        with Client("127.0.0.1:50051") as client:
            for variant in client.list_variants():
                print(variant.variant, variant.min_seats, variant.max_seats)

    Every method answers the response message of its RPC, or, where the service answers in pages, all of it. Every unary
    call has a deadline and is retried while the server does not answer; mutations carry a request_id made here, so
    that a repeated one is done once. Whatever the service refuses is raised as the exception of its reason.

    An argument that no request can carry, such as a negative count, raises `BadArgument`.

    Args:
        address: HOST:PORT of the server.
        token: sent with every call that names no other: a seat's or the host's.
        credentials: for TLS, from `tls_credentials`; None is plain text.
        timeout: seconds that one attempt of a unary call may take.
        retry: how long to bear with a server that does not answer.
        channel: a ready channel instead of an address.
    """

    # ---- the server and its games ------------------------------------------------------------------------------

    def get_server_info(self) -> game_service_pb2.GetServerInfoResponse:
        """What the server is: build, rules revisions, packs, limits."""
        return self._call(self._stub.GetServerInfo, game_service_pb2.GetServerInfoRequest())

    def list_variants(self) -> list[catalogue_pb2.Variant]:
        """The variants that can be played, all pages of them."""
        found: list[catalogue_pb2.Variant] = []
        request = game_service_pb2.ListVariantsRequest()
        while True:
            answer = self._call(self._stub.ListVariants, request)
            found += answer.variants
            if not answer.next_page_token:
                return found
            request.page_token = answer.next_page_token

    def get_variant(self, variant: str) -> catalogue_pb2.Variant:
        """One variant: seats, options with their limits, bots, size of the action space."""
        request = game_service_pb2.GetVariantRequest(variant=variant)
        return self._call(self._stub.GetVariant, request).variant

    def get_catalogue(
        self, family: catalogue_pb2.GameFamily.ValueType, pack: str = "", *, pack_hash: bytes = b""
    ) -> catalogue_pb2.Catalogue:
        """Every component of a content pack for a family of games: by its hash, by its id, or of the default pack."""
        request = game_service_pb2.GetCatalogueRequest(family=family)
        if pack_hash:
            request.pack_hash = pack_hash
        elif pack:
            request.pack = pack
        return self._call(self._stub.GetCatalogue, request).catalogue

    # ---- the life of a game ------------------------------------------------------------------------------------

    def create_game(  # noqa: PLR0913 (by name, one for each field of the request)
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

        Args:
            variant: such as "spring_meadow".
            seats: in order; each a `SeatSpec`, or "me" (reserved), "open", or the name of a bot.
            options: the variant's options; all defaults if None.
            pack: id of the content pack; empty for the default one.
            private: hide the game from everybody without a token of it.
            seed: a number or 32 bytes; the game is then marked as seeded. None lets the server draw one.
            wait_for_start: begin only with `start_game`, even when no seat is open.
            display_name: title to show in a lobby.
            resign_rules: what happens when a seat resigns, from `on_resignation`; the greedy bot plays on if None.
            clock_rules: how long seats may take, from `clocks`; as long as they like if None.
            token: a key of the operator, where the server takes one.
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
        return self._call(self._stub.CreateGame, request, token)

    def start_game(
        self, name: str, *, fill_bot: str = "", expected_version: int | None = None, token: str | None = None
    ) -> game_pb2.Game:
        """Start an open game; seats still open go to `fill_bot` if it is given. Host."""
        request = game_service_pb2.StartGameRequest(
            name=name,
            request_id=new_request_id(),
            expected_version=number("expected_version", expected_version, 63),
            fill_bot=fill_bot,
        )
        return self._call(self._stub.StartGame, request, token).game

    def abort_game(
        self, name: str, explanation: str = "", *, expected_version: int | None = None, token: str | None = None
    ) -> game_pb2.Game:
        """End a game without outcome, and open its commitment. Host."""
        request = game_service_pb2.AbortGameRequest(
            name=name,
            request_id=new_request_id(),
            expected_version=number("expected_version", expected_version, 63),
            explanation=explanation,
        )
        return self._call(self._stub.AbortGame, request, token).game

    def get_game(self, name: str, *, token: str | None = None) -> game_service_pb2.GetGameResponse:
        """A game: its life, seats, options; to the host, its join code."""
        return self._call(self._stub.GetGame, game_service_pb2.GetGameRequest(name=name), token)

    def list_games(
        self,
        *,
        state: common_pb2.GameState.ValueType = common_pb2.GAME_STATE_UNSPECIFIED,
        variant: str = "",
        page_size: int = 0,
    ) -> Iterator[game_pb2.Game]:
        """Public games, newest first; further pages are fetched as they are asked for."""
        request = game_service_pb2.ListGamesRequest(
            page_size=number("page_size", page_size, 31), state=state, variant=variant
        )
        while True:
            answer = self._call(self._stub.ListGames, request)
            yield from answer.games
            if not answer.next_page_token:
                return
            request.page_token = answer.next_page_token

    def replace_host_token(
        self, name: str, *, expected_version: int | None = None, token: str | None = None
    ) -> game_service_pb2.ReplaceHostTokenResponse:
        """Make a new host token, which voids earlier ones. Host, or the operator."""
        request = game_service_pb2.ReplaceHostTokenRequest(
            name=name, request_id=new_request_id(), expected_version=number("expected_version", expected_version, 63)
        )
        return self._call(self._stub.ReplaceHostToken, request, token)

    def delete_game(self, name: str, *, expected_version: int | None = None, token: str | None = None) -> int:
        """Delete a finished or aborted game for good, and answer its last version. Host."""
        request = game_service_pb2.DeleteGameRequest(
            name=name, request_id=new_request_id(), expected_version=number("expected_version", expected_version, 63)
        )
        return self._call(self._stub.DeleteGame, request, token).version

    # ---- seats -------------------------------------------------------------------------------------------------

    def claim_seat(
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
        return self._call(self._stub.ClaimSeat, request)

    def release_seat(
        self, name: str, seat: int | None = None, *, expected_version: int | None = None, token: str | None = None
    ) -> game_pb2.Game:
        """Give a seat up: the caller's own if None. The seat itself, or the host."""
        request = game_service_pb2.ReleaseSeatRequest(
            name=name,
            request_id=new_request_id(),
            expected_version=number("expected_version", expected_version, 63),
            seat=number("seat", seat),
        )
        return self._call(self._stub.ReleaseSeat, request, token).game

    def set_seat_bot(
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
        return self._call(self._stub.SetSeatBot, request, token).game

    def resign_seat(self, name: str, *, expected_version: int | None = None, token: str | None = None) -> game_pb2.Game:
        """Give a running game up; a bot plays on or the game ends, as its `resign_rules` say. The seat itself."""
        request = game_service_pb2.ResignSeatRequest(
            name=name, request_id=new_request_id(), expected_version=number("expected_version", expected_version, 63)
        )
        return self._call(self._stub.ResignSeat, request, token).game

    # ---- playing -----------------------------------------------------------------------------------------------

    def get_game_view(
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

        Args:
            name: the game.
            min_version: smallest version to answer.
            wait_for_turn: seconds to wait until the caller's seat has to choose or the game ends.
            include_legal_actions: answer them too, if the caller's seat has to choose.
            legal_format: `FULL`, `IDS` or `MASK`.
            token: of a seat or the host; the client's own if None.
        """
        extras = Extras(legal_actions=include_legal_actions, legal_format=legal_format)
        request = requests.get_game_view(name, min_version, wait_for_turn, extras)
        return self._call(self._stub.GetGameView, request, token, self.timeout + wait_for_turn)

    def list_legal_actions(
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
        found = self._call(self._stub.ListLegalActions, request, token).legal_actions
        while found.next_page_token:
            request.page_token = found.next_page_token
            found.next_page_token = ""
            found.MergeFrom(self._call(self._stub.ListLegalActions, request, token).legal_actions)
        return found

    def submit_action(
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

        Args:
            name: the game.
            choice: an id, an entry of a legal list, a typed action, or a list of these.
            expected_version: the version that the choice was made at.
            validate_only: record nothing; answer where the choice would lead.
            include_view: answer the new view too.
            include_legal_actions: answer the next legal actions too, if the same seat has to choose again.
            legal_format: `FULL`, `IDS` or `MASK`.
            token: the seat's; the client's own if None.
        """
        extras = Extras(include_view, include_legal_actions, legal_format)
        request = requests.submit(name, choice, expected_version, extras, validate_only=validate_only)
        return self._call(self._stub.SubmitAction, request, token)

    def undo_action(
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
        return self._call(self._stub.UndoAction, requests.undo(name, count, expected_version, extras), token)

    def play(self, name: str, *, token: str | None = None) -> PlayStream:
        """Play a seat over one stream; see `PlayStream`.

        Args:
            name: the game.
            token: the seat's; the client's own if None.
        """
        return PlayStream(self._stub, name, self._token(token), self.retry, lambda: self._closed)

    # ---- watching ----------------------------------------------------------------------------------------------

    def watch_game(
        self,
        name: str,
        *,
        after_version: int | None = None,
        include_view: bool = False,
        include_legal_actions: bool = False,
        legal_format: Format = FULL,
        give_up_after: float | None = None,
        token: str | None = None,
    ) -> Iterator[game_service_pb2.WatchGameResponse]:
        """Follow a game to its end, over dropped connections and restarts of the server.

        Yields snapshots, updates without gap or repeat, and at last the terminal message. Heartbeats are kept to
        itself. So a loop that runs out has seen the end of the game; if the watch cannot be resumed within the
        client's patience, `StreamBroken` is raised instead.

        Args:
            name: the game.
            after_version: last version that the caller has; None begins with a snapshot.
            include_view: updates carry the view.
            include_legal_actions: updates carry the legal actions, when the caller's seat has to choose.
            legal_format: `FULL`, `IDS` or `MASK`.
            give_up_after: seconds after which to raise DeadlineExceeded, if the game has not ended; never if None.
            token: of a seat or the host; the client's own if None.
        """
        extras = Extras(include_view, include_legal_actions, legal_format)
        cursor = Cursor(requests.watch_game(name, after_version, extras), give_up_after)
        delays = self.retry.delays()
        while not cursor.ended:
            broken: MeadowError | None = None
            try:
                yield from self._stream(cursor, token)
            except RETRIED as error:
                broken = error
                if self._closed or cursor.seconds_left == 0:
                    raise
            if not cursor.ended:
                try:
                    pause, delays = cursor.pause_before_next(self.retry, delays)
                except StreamBroken as given_up:
                    raise given_up from broken
                time.sleep(pause)

    # ---- scores and replays ------------------------------------------------------------------------------------

    def list_events(
        self, name: str, *, after_version: int = 0, page_size: int = 0, token: str | None = None
    ) -> Iterator[game_pb2.GameRecord]:
        """What has happened, record by record, as the caller may see it; further pages are fetched as asked for.

        Args:
            name: the game.
            after_version: last version that the caller has.
            page_size: most records to fetch at a time; as many as the server gives if 0.
            token: of a seat or the host; the client's own if None.
        """
        request = requests.list_events(name, after_version, page_size)
        while True:
            answer = self._call(self._stub.ListEvents, request, token)
            yield from answer.records
            if not answer.next_page_token:
                return
            request.page_token = answer.next_page_token

    def get_score_sheet(self, name: str, *, token: str | None = None) -> game_pb2.ScoreSheet:
        """Points by source, running or final, and the outcome."""
        request = game_service_pb2.GetScoreSheetRequest(name=name)
        return self._call(self._stub.GetScoreSheet, request, token).score_sheet

    def get_replay(self, name: str, *, token: str | None = None) -> game_pb2.Replay:
        """The course of the game, all pages of it; complete once the game has ended."""
        request = game_service_pb2.GetReplayRequest(name=name)
        answer = self._call(self._stub.GetReplay, request, token)
        replay = answer.replay
        while answer.next_page_token:
            request.page_token = answer.next_page_token
            answer = self._call(self._stub.GetReplay, request, token)
            replay.records.extend(answer.replay.records)
        return replay
