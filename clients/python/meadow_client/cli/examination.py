"""What `meadow conformance` checks in one game on a server."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from google.protobuf.message import Message
from meadow_api.v1 import common_pb2, game_pb2, game_service_pb2, meadow_pb2, spring_meadow_pb2

from meadow_client.cli.engine import pack_in
from meadow_client.cli.examined_seats import compare_events, play_over_streams, resign
from meadow_client.cli.failure import Failure
from meadow_client.cli.promises import Broken, expect, refused
from meadow_client.cli.verify import verify
from meadow_client.client import Client
from meadow_client.errors import (
    GameNotFound,
    GameOver,
    IllegalAction,
    MeadowError,
    NotYourTurn,
    RoleNotAllowed,
    StaleVersion,
    TokenMissing,
    TokenUnknown,
    UndoBarrier,
)
from meadow_client.messages import members
from meadow_client.requests import IDS, MASK
from meadow_client.seat import ENDED

CHECKS = (
    "create",
    "tokens",
    "legal",
    "refusals",
    "undo",
    "stream",
    "play",
    "watch",
    "events",
    "scores",
    "replay",
    "resign",
    "delete",
)
"""What is checked, in this order."""
UNDO_EVERY = 7
MOST_CHOICES = 2000
WATCH_SECONDS = 60.0
"""In which the watch of a game that has ended must end."""


Options = spring_meadow_pb2.SpringMeadowOptions | meadow_pb2.MeadowOptions
_SWITCHES: dict[str, tuple[str, Options]] = {
    "expert": ("expert", spring_meadow_pb2.SpringMeadowOptions(expert=True)),
    "envelopes TU": ("envelopes", meadow_pb2.MeadowOptions(envelopes=["T", "U"])),
    "beginners' deal": ("beginners_deal", meadow_pb2.MeadowOptions(beginners_deal=True)),
}
"""Options to try where a variant has them: what to call them, the option's name, the message."""


@dataclass(frozen=True, slots=True)
class Case:
    """One way to play: variant, number of seats, options."""

    variant: str
    seats: int
    options: Options | None = None
    option_words: str = "-"


@dataclass(frozen=True, slots=True)
class Finding:
    """A promise that was not kept."""

    case: Case
    check: str
    words: str


def cases_of(client: Client) -> Iterator[Case]:
    """Every variant of a server with every number of seats, plain and with each switch on."""
    for variant in client.list_variants():
        for seats in range(variant.min_seats, variant.max_seats + 1):
            yield Case(variant.variant, seats)
            names = {option.name for option in variant.options}
            for words, (name, options) in _SWITCHES.items():
                if name in names:
                    yield Case(variant.variant, seats, options, words)


def examine(client: Client, case: Case, seed: int, pack: Path | None = None) -> list[Finding]:
    """Play one game and answer what was not as promised."""
    return Examination(client, case, seed, pack).run()


class Examination:
    """One game on a server, and what is found on the way."""

    def __init__(self, client: Client, case: Case, seed: int, pack: Path | None) -> None:
        self._client = client
        self._case = case
        self._dice = random.Random(f"{seed} {case.variant} {case.seats}")  # noqa: S311 (chooses moves)
        self._pack = pack
        self._findings: list[Finding] = []
        self._game = game_pb2.Game()
        self._host = ""
        self._tokens: list[str] = []

    def run(self) -> list[Finding]:
        """Make every check; a check that fails does not keep the next ones from being made."""
        with self._check("create"):
            self._create()
        if self._findings:
            return self._findings
        checks: dict[str, Callable[[], None]] = {
            "tokens": self._wrong_tokens,
            "legal": self._legal_lists,
            "refusals": self._refusals,
            "undo": self._undo,
            "stream": lambda: play_over_streams(self._client, self._name, self._tokens, self._dice),
            "play": self._play_on,
            "watch": self._watch,
            "events": self._events,
            "scores": self._scores,
            "replay": self._replay,
            "resign": lambda: resign(self._client, self._case.variant, self._case.seats, self._case.options),
            "delete": self._delete,
        }
        for name, check in checks.items():
            with self._check(name):
                check()
        return self._findings

    @contextmanager
    def _check(self, name: str) -> Iterator[None]:
        try:
            yield
        except (Broken, MeadowError, Failure) as found:
            self._findings.append(Finding(self._case, name, str(found)))

    # ---- helpers -----------------------------------------------------------------------------------------------

    @property
    def _name(self) -> str:
        return self._game.name

    def _view(self, seat: int | None = None) -> game_service_pb2.GetGameViewResponse:
        token = "" if seat is None else self._tokens[seat]
        return self._client.get_game_view(self._name, include_legal_actions=seat is not None, token=token)

    def _pending(self) -> tuple[int, game_service_pb2.GetGameViewResponse]:
        """The seat to choose, and what it sees."""
        view = self._view().view
        expect(view.HasField("pending"), "a running game awaits nobody's choice")
        return view.pending.seat, self._view(view.pending.seat)

    def _submit(self, seat: int, choice: object, version: int) -> game_service_pb2.SubmitActionResponse:
        return self._client.submit_action(
            self._name,
            choice,  # type: ignore[arg-type]
            expected_version=version,
            include_view=True,
            include_legal_actions=True,
            token=self._tokens[seat],
        )

    # ---- checks ------------------------------------------------------------------------------------------------

    def _create(self) -> None:
        made = self._client.create_game(self._case.variant, ["me"] * self._case.seats, options=self._case.options)
        self._game, self._host = made.game, made.host_token
        self._tokens = [token.token for token in made.seat_tokens]
        expect(len(set(self._tokens)) == self._case.seats, "each reserved seat should have its own token")
        expect(made.game.state == common_pb2.GAME_STATE_RUNNING, "a game without open seats should run at once")
        expect(len(made.game.commitment) == 32, "the commitment should have 32 bytes")
        expect(not made.game.seeded, "the server drew the seed, yet the game is marked seeded")

    def _wrong_tokens(self) -> None:
        version = self._view().view.version

        def submit_with(token: str) -> Callable[[], object]:
            return lambda: self._client.submit_action(self._name, 0, expected_version=version, token=token)

        refused(TokenMissing, submit_with(""))
        refused(TokenUnknown, submit_with("A" * len(self._tokens[0])))
        other = self._client.create_game(self._case.variant, ["me"] * self._case.seats, options=self._case.options)
        refused(GameNotFound, submit_with(other.seat_tokens[0].token))
        self._client.abort_game(other.game.name, token=other.host_token)
        self._client.delete_game(other.game.name, token=other.host_token)
        refused(RoleNotAllowed, lambda: self._client.abort_game(self._name, token=self._tokens[0]))

    def _legal_lists(self) -> None:
        seat, found = self._pending()
        ids = [action.action_id for action in found.legal_actions.actions]
        expect(bool(ids) and ids == sorted(set(ids)), "legal ids should rise, and there should be some")
        listed = {
            form: self._client.list_legal_actions(self._name, legal_format=form, token=self._tokens[seat])
            for form in (IDS, MASK)
        }
        expect(list(listed[IDS].action_ids) == ids, "the formats IDS and FULL differ")
        expect(list(members(listed[MASK].action_mask)) == ids, "the formats MASK and FULL differ")
        for other in range(self._case.seats):
            if other != seat:
                empty = self._client.list_legal_actions(self._name, token=self._tokens[other])
                expect(not empty.actions and empty.pending_seat == seat, "a seat not to move got a legal list")

    def _refusals(self) -> None:
        seat, found = self._pending()
        version = found.view.version
        first = found.legal_actions.actions[0]
        refused(StaleVersion, lambda: self._submit(seat, first, version + 1))
        illegal = set(range(max(a.action_id for a in found.legal_actions.actions) + 2))
        illegal -= {action.action_id for action in found.legal_actions.actions}
        refused(IllegalAction, lambda: self._submit(seat, min(illegal), version))
        if self._case.seats > 1:
            refused(NotYourTurn, lambda: self._submit((seat + 1) % self._case.seats, first, version))
            refused(UndoBarrier, lambda: self._take_back((seat + 1) % self._case.seats, version))
        expect(self._view().view.version == version, "a refused call changed the version")

    def _take_back(self, seat: int, version: int) -> game_service_pb2.UndoActionResponse:
        token = self._tokens[seat]
        return self._client.undo_action(self._name, expected_version=version, include_view=True, token=token)

    def _undo(self) -> None:
        seat, before = self._pending()
        done = self._submit(seat, before.legal_actions.actions[0], before.view.version)
        try:
            undone = self._take_back(seat, done.version)
        except UndoBarrier:
            return  # it revealed something
        expect(undone.version > done.version, "an undo should raise the version")
        expect(_table(undone.view) == _table(before.view), "an undo should bring back the position")

    def _play_on(self) -> None:
        seat, found = self._pending()
        view, legal = found.view, found.legal_actions
        for number in range(MOST_CHOICES):
            action = self._dice.choice(legal.actions)
            choice = action.action if number % 2 else action.action_id
            done = self._submit(seat, choice, view.version)
            if number % UNDO_EVERY == 0 and done.state not in ENDED:
                done = self._back_and_again(seat, choice, done)
            if done.state in ENDED:
                refused(GameOver, lambda: self._submit(seat, 0, done.version))  # noqa: B023 (called at once)
                return
            view, legal = done.view, done.legal_actions
            if done.pending_seat != seat:
                seat, found = self._pending()
                view, legal = found.view, found.legal_actions
        raise Broken(f"the game did not end within {MOST_CHOICES} choices")

    def _back_and_again(
        self, seat: int, choice: object, done: game_service_pb2.SubmitActionResponse
    ) -> game_service_pb2.SubmitActionResponse:
        try:
            undone = self._take_back(seat, done.version)
        except UndoBarrier:
            return done
        again = self._submit(seat, choice, undone.version)
        expect(_table(again.view) == _table(done.view), "the same choice again led elsewhere")
        return again

    def _watch(self) -> None:
        whole = list(self._watched(0))
        versions = [message.update.record.version for message in whole[:-1]]
        last = whole[-1].terminal.game.version
        expect(whole[-1].WhichOneof("message") == "terminal", "a watch should end with the terminal message")
        expect(versions == list(range(1, last + 1)), "a watch from the start should have every version once")
        cut = self._dice.randrange(last)
        resumed = list(self._watched(cut))
        expect(resumed[:-1] == whole[cut:-1], f"a watch resumed after version {cut} went on differently")
        first = next(islice(self._watched(None), 1))
        expect(first.WhichOneof("message") in {"snapshot", "terminal"}, "a watch should begin with a snapshot")

    def _watched(self, after_version: int | None) -> Iterator[game_service_pb2.WatchGameResponse]:
        return self._client.watch_game(self._name, after_version=after_version, give_up_after=WATCH_SECONDS)

    def _events(self) -> None:
        watched = [message.update.record for message in self._watched(0) if message.HasField("update")]
        compare_events(self._client, self._name, watched)

    def _scores(self) -> None:
        game = self._client.get_game(self._name).game
        sheet = self._client.get_score_sheet(self._name)
        expect(game.state == common_pb2.GAME_STATE_FINISHED, "a game played to its end should be finished")
        expect(sheet.outcome == game.outcome == self._view().view.outcome, "the outcome differs between calls")
        expect(len(game.outcome.results) == self._case.seats, "each seat should have a result")

    def _replay(self) -> None:
        for check in verify(self._client.get_replay(self._name), pack_in(self._pack)):
            expect(check.passed, f"{check.name}: {check.found}")

    def _delete(self) -> None:
        self._client.delete_game(self._name, token=self._host)
        refused(GameNotFound, lambda: self._client.get_game(self._name))


def _table(view: game_pb2.GameView) -> Message:
    """The part of a view that is the family's own: the position."""
    family = view.WhichOneof("family")
    expect(family is not None, "a running game's view should hold its table")
    table: Message = getattr(view, family or "")
    return table
