"""What it costs to turn a view and a legal list into bytes, in the server's own way."""

from __future__ import annotations

from random import Random

from meadow_api.v1 import game_pb2, game_service_pb2
from meadow_engine import api
from meadow_server.header import Seats
from meadow_server.live import Moment
from meadow_server.wire.families import FAMILIES
from meadow_server.wire.packed import legal_list_bytes

from bench.playouts import MIDDLES, middle_game
from bench.report import Report, Target
from bench.timing import microseconds

SECTION = "wire"
VIEW_MICROSECONDS = 100
LIST_MICROSECONDS = 50
LONG_LIST = 500
"""The length that a legal list's time is stated for."""
FULL = game_service_pb2.LEGAL_ACTION_FORMAT_FULL
_NOBODY: Seats = ()


def measure(report: Report, seconds: float) -> None:
    """Views of four seats, and the longest legal lists of some games, scaled to a length of 500."""
    for variant in MIDDLES:
        game = middle_game(report.seed, variant)
        spent = microseconds(lambda game=game: _view_bytes(game), seconds=seconds)  # type: ignore[misc]
        report.add(SECTION, f"{variant}: view of 4 seats to bytes", spent, "us", f"{len(_view_bytes(game))} bytes")
        moment = _longest_list(variant, report.seed)
        assert moment.game is not None
        length = len(moment.game.legal_ids())
        spent_on_list = microseconds(lambda moment=moment: legal_list_bytes(moment, FULL), seconds=seconds)  # type: ignore[misc]
        listing = microseconds(moment.game.legal_ids, seconds=seconds)
        report.add(
            SECTION,
            f"{variant}: legal list to bytes",
            spent_on_list,
            "us",
            f"{length} actions, found in {listing:.0f} us",
        )
        scaled = (spent_on_list - listing) * max(1.0, LONG_LIST / length)
        report.targets += [
            Target(f"view of {variant}, 4 seats, to bytes", spent, VIEW_MICROSECONDS, "us", at_most=True),
            Target(f"{LONG_LIST} legal actions of {variant} to bytes", scaled, LIST_MICROSECONDS, "us", at_most=True),
        ]


def _view_bytes(game: api.Game) -> bytes:
    message = game_pb2.GameView()
    FAMILIES[game.variant.family].view_to(game.view(0), message)
    return message.SerializeToString()


def _longest_list(variant: str, seed: int) -> Moment:
    """The moment of a random game with the most legal actions."""
    game, random = api.new_game(variant, seats=4, seed=seed), Random(seed)
    longest = game.clone()
    while not game.is_over:
        if len(game.legal_ids()) > len(longest.legal_ids()):
            longest = game.clone()
        game.apply(random.choice(game.legal_ids()))
    return Moment(0, api.Status.RUNNING, longest, _NOBODY)
