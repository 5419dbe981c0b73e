"""Two servers, one game, what is hidden from a viewer lying otherwise: no call tells the viewer which is which.

Both servers start from copies of one journal, so tokens, ids and commitment are the same. In the second one the
position is replaced, before each choice, by a *twin* (`tests/engine/secrecy.py`) with hidden zones rearranged and
another seed, and of its past records only what the viewer saw is left. The choice is then made on both, with the same
outcomes drawn. So the two differ, for as long as the game lasts, in everything that the viewer must not know.
"""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any

import grpc
import pytest
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp
from meadow_api.v1 import game_pb2
from meadow_api.v1 import game_service_pb2 as pb
from meadow_engine import api
from meadow_server.live import LiveGame

from tests.engine import secrecy
from tests.engine.families import Case, main_cases
from tests.server.every_call import CHANGING, METHODS, REQUESTS, Aim, Method
from tests.server.harness import RESERVED, Host, Metadata, Table, hosted, new_table, refusal_of

EXEMPT = {
    "CreateGame": "makes a game of its own",
    "AbortGame": "publishes the seed: the game ends by it",
    "DeleteGame": "only of games that have ended and were published",
    "ResignSeat": "hands the seat to a bot like SetSeatBot, or ends the game like AbortGame",
    "StartGame": "only of games that have not begun: nothing is dealt yet",
}
"""Calls that are compared only in being refused, and why."""


class Told(api.Game):
    """A twin that draws what the original drew."""

    __slots__ = ("chance",)

    @classmethod
    def of(cls, game: api.Game, chance: tuple[int, ...] | None) -> Told:
        """The game, with outcomes to draw; None to draw its own."""
        told = cls(game.config, game._family, game.catalogue, game.state)
        told.chance = chance
        return told

    chance: tuple[int, ...] | None

    def clone(self) -> Told:
        """As the game's."""
        return Told.of(super().clone(), self.chance)

    def apply(self, action_id: int) -> api.Result:
        """As the game's, with the outcomes given."""
        return super().apply(action_id) if self.chance is None else super().apply_with(action_id, self.chance)


@dataclass(frozen=True, slots=True)
class Seen(api.Event):
    """What is left of an event: the form in which the viewer saw it, and a spectator, who sees less."""

    own: api.Event
    public: api.Event

    def seen_by(self, viewer: int | None) -> api.Event:
        """The form of the viewer, or the public one."""
        return self.public if viewer is None else self.own


@dataclass
class Pair:
    """A game on two servers, as one viewer sees it.

    Attributes:
        caller: the viewer's metadata.
        granted: the calls that were answered, not refused.
        compared: how many answers were.
    """

    case: Case
    hosts: tuple[Host, Host]
    tables: tuple[Table, Table]
    viewer: int | None
    caller: Metadata | None
    granted: set[str] = field(default_factory=set)
    compared: int = 0

    @property
    def live(self) -> tuple[LiveGame, LiveGame]:
        """The game in the memory of both."""
        (one,), (other,) = (host.server.app.games.all() for host in self.hosts)
        return one, other

    @property
    def game(self) -> api.Game:
        """The position on the first server."""
        history = self.live[0].playable()
        assert history.game is not None
        return history.game

    def put(self, twin: api.Game, chance: tuple[int, ...] | None) -> None:
        """Let a twin lie on the second server's table, and leave it no more of the past than the viewer saw."""
        live = self.live[1]
        live.playable().game = Told.of(twin, chance)
        live.steps[:] = [step._replace(applied=self._as_seen(step.applied)) for step in live.steps]
        live.kept_records.clear()

    def _as_seen(self, applied: api.Applied) -> api.Applied:
        """A record with nothing in it that the viewer may not know."""
        record = applied.record
        if isinstance(record, api.ActionTaken) and not applied.action_known_to(self.viewer):
            record = replace(record, action_id=0)
        events = [Seen(event.seen_by(self.viewer), event.seen_by(None)) for event in applied.events]
        return replace(applied, record=record, events=tuple(events), chance=())

    async def alike(self, method: Method, request: Message, caller: Metadata | None) -> None:
        """Make a call on both servers; the answers must be the same bytes, but for the clock."""
        body = request.SerializeToString()
        said = [await answer(host, method, body, caller) for host in self.hosts]
        assert said[0] == said[1], f"{method.name} {request}"
        self.compared += 1
        if said[0][0] == "OK":
            self.granted.add(method.name)

    def aim(self) -> Aim:
        """What the viewer may ask about now."""
        live, game = self.live[0], self.game
        own = game.decision is not None and game.decision.seat == self.viewer
        variant = game.variant
        legal = game.legal_ids() if own else [0]
        return Aim(live.name, live.version, self.viewer, legal, "AAAA", variant.id, variant.family)


async def answer(host: Host, method: Method, body: bytes, caller: Metadata | None) -> tuple[str, bytes]:
    """What a call says, to the byte, but for what is always of the present."""
    try:
        raw = await method.first(host.channel, body, caller)
    except grpc.RpcError as error:
        refusal = refusal_of(error)
        return refusal.reason, refusal.status.SerializeToString(deterministic=True)
    return "OK", timeless(method.response.FromString(raw))


def timeless(message: Message) -> bytes:
    """A message without times and without who is connected."""
    _forget_the_present(message)
    return message.SerializeToString(deterministic=True)


def _forget_the_present(message: Message) -> None:
    for known, value in message.ListFields():
        if known.type != FieldDescriptor.TYPE_MESSAGE:
            if known.name == "connection":
                message.ClearField(known.name)
        elif known.message_type is Timestamp.DESCRIPTOR:
            message.ClearField(known.name)
        elif known.message_type is not None and not known.message_type.GetOptions().map_entry:
            for inner in value if known.is_repeated else [value]:
                _forget_the_present(inner)


@contextlib.asynccontextmanager
async def pair_of(case: Case, who: int | str, folder: Path) -> AsyncIterator[Pair]:
    """Two servers on copies of one journal with one running game, as a seat, a spectator or the host sees it."""
    (folder / "one").mkdir()
    options = game_pb2.GameOptions()
    for name, value in case.options.items():
        setattr(getattr(options, case.variant.family), name, value)
    async with hosted(folder / "one") as host:
        table = await new_table(
            host.stub, *[RESERVED] * case.seats, variant=case.variant.id, options=options if case.options else None
        )
    shutil.copytree(folder / "one", folder / "two")
    async with hosted(folder / "one") as one, hosted(folder / "two") as two:
        tables = (Table(one.stub, table.created, table.tokens), Table(two.stub, table.created, table.tokens))
        for each in tables:
            await each.game()
        caller = table.seat(who) if isinstance(who, int) else table.host if who == "host" else None
        yield Pair(case, (one, two), tables, who if isinstance(who, int) else None, caller)


async def play_alike(pair: Pair, random: Random, most: int) -> set[str]:
    """Play a game on both servers and compare all that the viewer hears; answers the hidden zones that were swapped."""
    zones: set[str] = set()
    with watching(pair) as watchers:
        for stream in watchers:
            await next_alike(stream)
        for _ in range(most):
            if pair.game.is_over:
                break
            zones |= await ask_everything(pair, random)
            await choose_alike(pair, random, watchers)
    return zones


async def ask_everything(pair: Pair, random: Random) -> set[str]:
    """Make every call that changes nothing, as the viewer."""
    twin, zones = secrecy.twin_of(pair.case, pair.game, (pair.viewer,), random)
    pair.put(twin, None)
    aim = pair.aim()
    for name in METHODS.keys() - CHANGING:
        for request in REQUESTS[name](aim):
            await pair.alike(METHODS[name], request, pair.caller)
    return zones


async def choose_alike(pair: Pair, random: Random, watchers: list[Streams]) -> None:
    """Make the same choice on both servers; the viewer hears the same of it, from the answer or from its streams."""
    game = pair.game
    assert game.decision is not None
    seat, action_id = game.decision.seat, random.choice(game.legal_ids())
    chance = game.clone().apply(action_id).chance
    pair.put(secrecy.acting_twin(pair.case, game, action_id, pair.viewer, random), chance)
    request = pair.tables[0].submission(pair.live[0].version, action_id=action_id)
    request.include_view = request.include_legal_actions = True
    if seat == pair.viewer:
        await pair.alike(METHODS["SubmitAction"], request, pair.caller)
    else:
        for table in pair.tables:
            await table.stub.SubmitAction(request, metadata=table.seat(seat))
    for stream in watchers:
        await next_alike(stream)
    if seat == pair.viewer and pair.live[0].playable().undoable(seat):
        undo = pb.UndoActionRequest(name=request.name, expected_version=pair.live[0].version, include_view=True)
        await pair.alike(METHODS["UndoAction"], undo, pair.caller)
        for stream in watchers:
            await next_alike(stream)


Streams = tuple[Method, list[Any]]


@contextlib.contextmanager
def watching(pair: Pair) -> Iterator[list[Streams]]:
    """Streams of the game that stay open on both servers while it is played."""
    request = pb.WatchGameRequest(name=pair.tables[0].name, include_view=True, include_legal_actions=True)
    methods = [METHODS["WatchGame"]]
    streams = [
        (method, [method.open(host.channel, [request.SerializeToString()], pair.caller) for host in pair.hosts])
        for method in methods
    ]
    try:
        yield streams
    finally:
        for _, both in streams:
            for stream in both:
                stream.cancel()


async def next_alike(streams: Streams) -> None:
    """The next message of a stream is the same on both servers."""
    method, both = streams
    said = [timeless(method.response.FromString(await stream.read())) for stream in both]
    assert said[0] == said[1]


async def leave_alike(pair: Pair) -> None:
    """Make the calls that change who plays, as the viewer and as the host: their answers tell nothing either."""
    aim, host = pair.aim(), pair.tables[0].host
    apart = {"CreateGame", "AbortGame", "ResignSeat", "SetSeatBot", "ReleaseSeat", "ReplaceHostToken"}
    for name in sorted(CHANGING - apart):
        for caller in (host, pair.caller):
            await pair.alike(METHODS[name], REQUESTS[name](aim)[0], caller)
    await pair.alike(METHODS["ResignSeat"], REQUESTS["ResignSeat"](aim)[0], host)
    seat = 0 if pair.viewer is None else pair.viewer
    release = pb.ReleaseSeatRequest(name=aim.name, seat=seat)
    await pair.alike(METHODS["ReleaseSeat"], release, host if pair.caller is None else pair.caller)
    code = (await pair.tables[0].stub.GetGame(pb.GetGameRequest(name=aim.name), metadata=host)).join_code
    await pair.alike(METHODS["ClaimSeat"], pb.ClaimSeatRequest(name=aim.name, join_code=code), None)
    await pair.alike(METHODS["SetSeatBot"], pb.SetSeatBotRequest(name=aim.name, seat=seat, bot="random"), host)
    await pair.alike(METHODS["ReplaceHostToken"], REQUESTS["ReplaceHostToken"](aim)[0], host)


SEAT_CALLS = {"ListLegalActions", "SubmitAction", "UndoAction", "Play"}
SHORT = [case for case in main_cases() if case.seats == case.variant.max_seats and not any(case.options.values())]


@pytest.mark.parametrize("who", [0, "spectator", "host"])
@pytest.mark.parametrize("case", SHORT, ids=str)
async def test_no_call_tells_what_is_hidden(case: Case, who: int | str, tmp_path: Path) -> None:
    """Every call of the service answers a viewer the same bytes, whatever lies hidden from it."""
    random = Random(str(case))
    async with pair_of(case, who, tmp_path) as pair:
        await play_alike(pair, random, 4)
        await leave_alike(pair)
    wanted = set(METHODS) - EXEMPT.keys() - ({"UndoAction"} if who == 0 else SEAT_CALLS)
    assert wanted <= pair.granted


async def test_what_is_swapped_is_seen_by_those_who_know_it(tmp_path: Path) -> None:
    """The two servers do differ: the seat whose hand was rearranged behind the viewer's back gets other bytes."""
    (case,) = (case for case in SHORT if case.variant.id == "meadow")
    random = Random(7)
    async with pair_of(case, "spectator", tmp_path) as pair:
        await play_alike(pair, random, 12)
        seat = next(seat for seat in range(case.seats) if pair.game.view(None) != pair.game.view(seat))
        pair.put(secrecy.twin_of(case, pair.game, (None,), random)[0], None)
        method, request = METHODS["GetGameView"], pb.GetGameViewRequest(name=pair.tables[0].name)
        body, owner = request.SerializeToString(), pair.tables[0].seat(seat)
        assert len({await answer(host, method, body, owner) for host in pair.hosts}) == 2
        replay = pb.GetReplayRequest(name=pair.tables[0].name).SerializeToString()
        assert len({await answer(host, METHODS["GetReplay"], replay, owner) for host in pair.hosts}) == 2


@pytest.mark.long
@pytest.mark.parametrize("case", main_cases(), ids=str)
async def test_no_call_tells_what_is_hidden_in_a_long_game(case: Case, tmp_path: Path) -> None:
    """The same over many choices, in every variant with every number of seats, with whatever comes to be hidden."""
    random = Random(f"long {case}")
    who = random.choice(["spectator", "host", *range(case.seats)])
    async with pair_of(case, who, tmp_path) as pair:
        zones = await play_alike(pair, random, 60)
    assert zones
    told = f"{pair.compared} answers alike over {len(pair.live[0].steps)} records"
    print(f"\n{case} for {who}: {told}; differing in {', '.join(sorted(zones))}")
