"""What `meadow conformance` checks of seats that play over a stream or resign, and of listed events."""

from __future__ import annotations

import random
from collections.abc import Sequence
from contextlib import ExitStack
from itertools import islice

from google.protobuf.message import Message
from meadow_api.v1 import common_pb2, game_pb2

from meadow_client.cli.promises import expect, refused
from meadow_client.client import Client
from meadow_client.errors import GameOver, RoleNotAllowed, StaleVersion, TokenMissing, TokenUnknown
from meadow_client.playing import PlayStream
from meadow_client.requests import on_resignation

STREAMED = 12
"""Choices made over streams; the rest of the game is played by single calls."""


def play_over_streams(client: Client, name: str, tokens: Sequence[str], dice: random.Random) -> None:
    """Make some choices of a game over one stream a seat."""
    refused(TokenMissing, lambda: _wait_once(client, name, ""))
    refused(TokenUnknown, lambda: _wait_once(client, name, "A" * len(tokens[0])))
    with ExitStack() as open_streams:
        streams = [open_streams.enter_context(client.play(name, token=token)) for token in tokens]
        for _ in range(STREAMED):
            view = client.get_game_view(name).view
            if not view.HasField("pending"):
                return
            _choose(client, name, streams[view.pending.seat], tokens[view.pending.seat], dice)


def _wait_once(client: Client, name: str, token: str) -> None:
    with client.play(name, token=token) as stream:
        stream.wait()


def _choose(client: Client, name: str, stream: PlayStream, token: str, dice: random.Random) -> None:
    """One choice: what a wait answers is what the unary calls answer, and a refusal does not end the stream."""
    turn = stream.wait()
    listed = client.list_legal_actions(name, token=token)
    expect(list(turn.legal_actions.actions) == list(listed.actions), "a wait and ListLegalActions list differently")
    expect(turn.view.version == turn.version == listed.version, "a wait answered a view of another version")
    refused(StaleVersion, lambda: stream.submit(0, expected_version=turn.version + 1))
    done = stream.submit(dice.choice(turn.legal_actions.actions), expected_version=turn.version)
    expect(done.version > turn.version, "a choice over a stream did not raise the version")
    expect(client.get_game(name).game.version >= done.version, "a choice over a stream was not recorded")


def compare_events(client: Client, name: str, watched: Sequence[game_pb2.GameRecord]) -> None:
    """The list of events is the log that a watch brought, as a whole, in pages and after any version."""
    listed = list(client.list_events(name))
    expect(listed == list(watched), "ListEvents and WatchGame have different records")
    expect(list(client.list_events(name, page_size=7)) == listed, "pages of ListEvents do not make the whole list")
    cut = len(listed) // 2
    rest = list(islice(client.list_events(name, after_version=cut), len(listed)))
    expect(rest == listed[cut:], f"ListEvents after version {cut} lists otherwise")


def resign(client: Client, variant: str, seats: int, options: Message | None) -> None:
    """Two more games of the kind, in which the first seat resigns: one ends by it, in the other a bot plays on."""
    made = client.create_game(variant, ["me"] * seats, options=options, resign_rules=on_resignation("end"))
    name, token = made.game.name, made.seat_tokens[0].token
    refused(RoleNotAllowed, lambda: client.resign_seat(name, token=made.host_token))
    outcome = client.resign_seat(name, token=token).outcome
    expect(outcome.ending == common_pb2.GAME_ENDING_RESIGNED, "the outcome does not say that a seat resigned")
    expect(outcome.ending_seat == 0 and outcome.results[0].rank == seats, "who ended the game is not ranked last")
    refused(GameOver, lambda: client.resign_seat(name, token=token))
    kinds = [record.WhichOneof("record") for record in client.list_events(name)]
    expect(kinds[-2:] == ["seat_resigned", "ended"], "the records do not tell the resignation and the end")
    client.delete_game(name, token=made.host_token)
    if seats > 1:
        _bot_plays_on(client, variant, seats, options)


def _bot_plays_on(client: Client, variant: str, seats: int, options: Message | None) -> None:
    made = client.create_game(variant, ["me"] * seats, options=options)
    name, token = made.game.name, made.seat_tokens[0].token
    seat = client.resign_seat(name, token=token).seats[0]
    expect(seat.kind == common_pb2.SEAT_KIND_BOT, "no bot plays on for a seat that resigned")
    refused(TokenUnknown, lambda: client.get_game_view(name, token=token))
    client.abort_game(name, token=made.host_token)
    client.delete_game(name, token=made.host_token)
