"""A seat of a game: the client, the game and the token in one hand, and a loop for bots."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from google.protobuf.message import Message
from meadow_api.v1 import catalogue_pb2, common_pb2, game_pb2, game_service_pb2

from meadow_client.client import Client
from meadow_client.errors import StaleVersion
from meadow_client.messages import Choice, reserved
from meadow_client.requests import SeatLike
from meadow_client.retry import RetryPolicy
from meadow_client.turn import Choose, Turn

PATIENT = RetryPolicy(attempts=60, longest_delay=5.0)
"""The patience of a bot: some minutes, enough for an operator to restart a server."""
ENDED = (common_pb2.GAME_STATE_FINISHED, common_pb2.GAME_STATE_ABORTED)


class Seat:
    """Acts and sees for one seat of a game.

    Args:
        client: how to reach the server.
        name: the game, `games/{id}`.
        seat: number of the seat.
        token: the seat's token.

    Attributes:
        version: newest version of the game that an answer to this seat carried.
    """

    def __init__(self, client: Client, name: str, seat: int, token: str) -> None:
        self.client = client
        self.name = name
        self.seat = seat
        self.token = token
        self.version = 0

    @classmethod
    def create(cls, client: Client, variant: str, seats: Sequence[SeatLike], *, options: Message | None = None) -> Seat:
        """Create a game and take its first reserved seat ("me"). For more, see `Client.create_game`."""
        made = client.create_game(variant, seats, options=options)
        return cls(client, made.game.name, made.seat_tokens[0].seat, made.seat_tokens[0].token)

    @classmethod
    def join(cls, client: Client, join_code: str, *, display_name: str = "") -> Seat:
        """Claim the first open seat of the game with this join code."""
        claimed = client.claim_seat(join_code, display_name=display_name)
        return cls(client, claimed.game.name, claimed.seat_token.seat, claimed.seat_token.token)

    def game(self) -> game_pb2.Game:
        """The game: its life, seats, options, outcome."""
        return self.client.get_game(self.name, token=self.token).game

    def catalogue(self) -> catalogue_pb2.Catalogue:
        """The components that this game is played with."""
        game = self.game()
        variant = self.client.get_variant(game.variant)
        return self.client.get_catalogue(variant.family, pack_hash=game.pack_hash)

    def view(self, *, wait_for_turn: float = 0, legal_actions: bool = True) -> game_service_pb2.GetGameViewResponse:
        """What the seat sees, and its legal actions if it has to choose.

        Args:
            wait_for_turn: seconds to wait until it has to choose or the game ends.
            legal_actions: whether to ask for them.
        """
        answer = self.client.get_game_view(
            self.name, wait_for_turn=wait_for_turn, include_legal_actions=legal_actions, token=self.token
        )
        self.version = answer.view.version
        return answer

    def legal_actions(self, action_filter: Message | None = None) -> game_pb2.LegalActionList:
        """The legal actions, narrowed by a filter; an empty list when another seat has to choose."""
        return self.client.list_legal_actions(self.name, action_filter=action_filter, token=self.token)

    def submit(
        self, choice: Choice | Sequence[Choice], *, expected_version: int | None = None
    ) -> game_service_pb2.SubmitActionResponse:
        """Make a choice; the answer carries the new view and, if the seat goes on choosing, its legal actions.

        Args:
            choice: an id, an entry of a legal list, a typed action, or a list of these.
            expected_version: the version that the choice was made at; the newest known if None.
        """
        answer = self.client.submit_action(
            self.name,
            choice,
            expected_version=self.version if expected_version is None else expected_version,
            include_view=True,
            include_legal_actions=True,
            token=self.token,
        )
        self.version = answer.version
        return answer

    def validate(self, choice: Choice | Sequence[Choice]) -> game_service_pb2.SubmitActionResponse:
        """Try a choice out: the view and points it would lead to; nothing is recorded."""
        return self.client.submit_action(
            self.name,
            choice,
            expected_version=self.version,
            validate_only=True,
            include_view=True,
            include_legal_actions=True,
            token=self.token,
        )

    def undo(self, count: int = 1) -> game_service_pb2.UndoActionResponse:
        """Take back one's latest choices; the answer is like that of `submit`."""
        answer = self.client.undo_action(
            self.name,
            count,
            expected_version=self.version,
            include_view=True,
            include_legal_actions=True,
            token=self.token,
        )
        self.version = answer.version
        return answer

    def watch(self, *, after_version: int | None = None) -> Iterator[game_service_pb2.WatchGameResponse]:
        """Follow the game to its end, with views and legal actions; see `Client.watch_game`."""
        return self.client.watch_game(
            self.name,
            after_version=after_version,
            include_view=True,
            include_legal_actions=True,
            token=self.token,
        )

    def score_sheet(self) -> game_pb2.ScoreSheet:
        """Points by source, running or final."""
        return self.client.get_score_sheet(self.name, token=self.token)

    def replay(self) -> game_pb2.Replay:
        """The course of the game; complete once it has ended."""
        return self.client.get_replay(self.name, token=self.token)

    def release(self) -> game_pb2.Game:
        """Give the seat up; its token is void afterwards."""
        return self.client.release_seat(self.name, token=self.token)

    def resign(self) -> game_pb2.Game:
        """Give the game up; a bot plays on or the game ends, as its `resign_rules` say."""
        return self.client.resign_seat(self.name, token=self.token)

    def play(self, choose: Choose) -> game_pb2.Game:
        """Play the seat to the end of the game over one stream, and answer the game with its outcome.

        Args:
            choose: called for every choice; when the game has moved on meanwhile, called again.
        """
        catalogue = self.catalogue()
        with self.client.play(self.name, token=self.token) as stream:
            while True:
                turn = stream.wait()
                self.version, view, legal = turn.version, turn.view, turn.legal_actions
                while legal.actions:
                    choice = choose(Turn(self.seat, view, legal.actions, catalogue))
                    try:
                        answer = stream.submit(
                            choice, expected_version=view.version, include_view=True, include_legal_actions=True
                        )
                    except StaleVersion:
                        break
                    self.version, view, legal = answer.version, answer.view, answer.legal_actions
                if view.state in ENDED:
                    return self.game()


def play(
    address: str,
    choose: Choose,
    *,
    variant: str = "spring_meadow",
    opponents: Sequence[str] = ("greedy",),
    join_code: str = "",
    display_name: str = "",
) -> game_pb2.Game:
    """Play one game on a server and answer it with its outcome.

    Args:
        address: HOST:PORT of the server.
        choose: the bot; see `Turn` for what it gets.
        variant: what to play.
        opponents: bots of the server for the other seats, or "open" for seats that others may claim.
        join_code: join this game instead of creating one.
        display_name: name to show to others.
    """
    with Client(address, retry=PATIENT) as client:
        if join_code:
            seat = Seat.join(client, join_code, display_name=display_name)
        else:
            seat = Seat.create(client, variant, [reserved(display_name), *opponents])
        return seat.play(choose)
