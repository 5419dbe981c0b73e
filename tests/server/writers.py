"""Players who remember what was acknowledged to them, for the tests that kill, drain or starve a server."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

import grpc
from meadow_api.v1 import common_pb2
from meadow_api.v1 import game_service_pb2 as pb

from tests.server.harness import AsyncStub, Table


@dataclass
class Writer:
    """A player of both seats of a game, who remembers what was acknowledged.

    Attributes:
        acknowledged: for each version, the id of the action whose acknowledgement arrived.
        pending: the submission whose answer has not arrived.
        over: whether the game is.
    """

    table: Table
    chance: random.Random
    acknowledged: dict[int, int] = field(default_factory=dict)
    pending: tuple[int, pb.SubmitActionRequest] | None = None
    over: bool = False

    async def play(self, stub: AsyncStub) -> None:
        """Submit until the server is gone or the game is over."""
        self.table.stub = stub
        try:
            while True:
                if self.pending is None:
                    self.pending = await self._next()
                if self.pending is None:
                    return
                seat, request = self.pending
                answer = await stub.SubmitAction(request, metadata=self.table.seat(seat))
                self.acknowledged[answer.version] = request.action_id
                self.pending = None
        except grpc.RpcError as error:
            # nothing but the server's end may stop a writer
            if error.code() not in {grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.CANCELLED}:
                raise

    async def _next(self) -> tuple[int, pb.SubmitActionRequest] | None:
        view = await self.table.view()
        if view.state != common_pb2.GAME_STATE_RUNNING:
            self.over = True
            return None
        seat = view.pending.seat
        ids = (await self.table.legal(seat, format=pb.LEGAL_ACTION_FORMAT_IDS)).action_ids
        return seat, self.table.submission(view.version, action_id=self.chance.choice(ids))

    async def check(self, stub: AsyncStub) -> None:
        """Every acknowledged action is in the journal once, and at most the one under way beside them."""
        replay = (await stub.GetReplay(pb.GetReplayRequest(name=self.table.name), metadata=self.table.host)).replay
        actions = {record.version: record.action.action_id for record in replay.records if record.HasField("action")}
        assert list(actions) == list(range(2, len(actions) + 2))
        assert {version: actions.get(version) for version in self.acknowledged} == self.acknowledged
        unknown = set(actions) - set(self.acknowledged)
        assert len(unknown) <= 1
        if unknown:
            assert self.pending is not None
            (version,) = unknown
            assert actions[version] == self.pending[1].action_id
            assert self.pending[1].expected_version == version - 1
