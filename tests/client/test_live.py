from __future__ import annotations

import os
import signal
import threading
import uuid
from pathlib import Path

import grpc
import pytest
from meadow_api.v1 import common_pb2, game_pb2, spring_meadow_pb2
from meadow_client import (
    IDS,
    MASK,
    PATIENT,
    SPRING_MEADOW,
    AsyncClient,
    AsyncSeat,
    Client,
    RetryPolicy,
    Seat,
    Turn,
    errors,
    members,
    play,
    reserved,
)
from meadow_client.cli.local_server import LocalServer
from meadow_client.fairness import is_opened
from meadow_client.messages import Choice


def first(turn: Turn) -> Choice:
    """The plainest bot."""
    return turn.actions[0]


def test_a_bot_plays_a_game_to_its_end(address: str) -> None:
    """`play` creates a game, makes every choice of its seat and answers the game with its outcome."""
    seen: list[Turn] = []

    def choose(turn: Turn) -> Choice:
        seen.append(turn)
        return turn.actions[-1].action_id

    game = play(address, choose, opponents=["random", "random"], display_name="Ada")
    assert game.state == common_pb2.GAME_STATE_FINISHED
    assert min(result.rank for result in game.outcome.results) == 1
    assert game.seats[0].display_name == "Ada"
    assert all(turn.seat == 0 and turn.board.seat == 0 for turn in seen)
    kinds = {turn.decision.kind for turn in seen}
    assert spring_meadow_pb2.SPRING_MEADOW_DECISION_KIND_PLACE_TILE in kinds
    take = next(turn for turn in seen if turn.actions[0].action.spring_meadow.HasField("take_tile"))
    space = take.actions[0].action.spring_meadow.take_tile.space
    assert take.tile_on(space).display_name in take.actions[0].label
    empty = next(turn for turn in seen if -1 in turn.spring_meadow.map_tiles)
    with pytest.raises(LookupError):
        empty.tile_on(list(empty.spring_meadow.map_tiles).index(-1))


def test_two_bots_of_two_clients_meet_by_the_join_code(address: str) -> None:
    """One client opens a game with an open seat, another joins it by code; both learn the same outcome."""
    with Client(address) as client:
        made = client.create_game("spring_meadow", ["me", "open"])
        host = Seat(client, made.game.name, 0, made.seat_tokens[0].token)
        results: list[game_pb2.Game] = []
        guest = threading.Thread(
            target=lambda: results.append(play(address, first, join_code=made.join_code, display_name="Guest"))
        )
        guest.start()
        results.append(host.play(first))
        guest.join()
    assert results[0].outcome == results[1].outcome
    assert results[0].seats[1].display_name == "Guest"


async def test_the_asyncio_seat_plays_too(address: str) -> None:
    """AsyncSeat creates, plays and finishes a game like Seat."""
    async with AsyncClient(address) as client:
        seat = await AsyncSeat.create(client, "spring_meadow_solo", ["me"])
        game = await seat.play(first)
        assert game.outcome.results[0].rank == 1
        kinds = [message.WhichOneof("message") async for message in client.watch_game(seat.name, after_version=0)]
        assert kinds == ["update"] * game.version + ["terminal"]
        names = [found.name async for found in client.list_games(page_size=1)]
        assert seat.name in names


def test_a_seat_plays_step_by_step(client: Client) -> None:
    """View, validation, submission, undo, scores and replay through a seat, each carrying the version on."""
    seat = Seat.create(client, "spring_meadow_solo", ["me"])
    found = seat.view()
    before = found.view
    board = found.legal_actions.actions[0]
    tried = seat.validate(board)
    assert tried.view.spring_meadow != before.spring_meadow
    assert seat.view().view.version == before.version
    done = seat.submit(board)
    assert seat.version == done.version == before.version + 1
    undone = seat.undo()
    assert undone.view.spring_meadow == before.spring_meadow
    assert seat.version == before.version + 2
    assert seat.score_sheet().version == seat.version
    assert [record.WhichOneof("record") for record in seat.replay().records][-2:] == ["action", "undo"]


def test_legal_actions_come_in_each_form_and_filtered(client: Client) -> None:
    """The three formats name the same actions; a filter leaves those that meet it, composites included."""
    seat = Seat.create(client, "spring_meadow", ["me", "random"], options=_first_seat_begins())
    whole = seat.view(wait_for_turn=5).legal_actions
    ids = [action.action_id for action in whole.actions]
    listed = client.list_legal_actions(seat.name, legal_format=IDS, token=seat.token)
    mask = client.list_legal_actions(seat.name, legal_format=MASK, token=seat.token)
    assert list(listed.action_ids) == ids == list(members(mask.action_mask))
    space = whole.actions[0].action.spring_meadow.take_tile.space
    narrowed = spring_meadow_pb2.SpringMeadowActionFilter(space=space, composite=True)
    composites = seat.legal_actions(narrowed).actions
    assert composites
    assert {action.action_id for action in composites} == {whole.actions[0].action_id}
    done = seat.submit(composites[0])
    assert len(done.records) == 1 + len(composites[0].then_action_ids)


def _first_seat_begins() -> spring_meadow_pb2.SpringMeadowOptions:
    return spring_meadow_pb2.SpringMeadowOptions(first_seat=0)


def test_refusals_are_raised_by_name(client: Client) -> None:
    """A stale version, an illegal action, another's turn and a wrong token each raise the exception of their reason."""
    made = client.create_game("spring_meadow", ["me", "me"], options=_first_seat_begins())
    seat, other = (Seat(client, made.game.name, token.seat, token.token) for token in made.seat_tokens)
    version = seat.view().view.version
    with pytest.raises(errors.StaleVersion) as stale:
        seat.submit(0, expected_version=version + 4)
    assert (stale.value.current_version, stale.value.expected_version) == (version, version + 4)
    with pytest.raises(errors.IllegalAction) as illegal:
        seat.submit(spring_meadow_pb2.SpringMeadowPlaceTile(form=0, row=0, column=0))
    assert illegal.value.rule == "WRONG_DECISION"
    with pytest.raises(errors.NotYourTurn) as turn:
        other.submit(0, expected_version=version)
    assert turn.value.pending_seat == 0
    with pytest.raises(errors.TokenMissing):
        client.submit_action(seat.name, 0, expected_version=version)
    with pytest.raises(errors.RoleNotAllowed):
        client.abort_game(seat.name, token=seat.token)
    with pytest.raises(errors.BadField) as field:
        client.create_game("spring_meadow", ["random"])
    assert "seats" in field.value.field


def test_the_hosts_calls(client: Client) -> None:
    """Start with a filling bot, hand a seat over, release it, abort, delete: each with the host's token."""
    made = client.create_game("spring_meadow", ["me", "open", "me"], display_name="Table", wait_for_start=True)
    name, host = made.game.name, made.host_token
    assert client.get_game(name, token=host).join_code == made.join_code
    claimed = client.claim_seat(made.join_code, seat=1)
    assert claimed.seat_token.seat == 1
    assert not client.release_seat(name, 1, token=host).seats[1].occupied
    game = client.start_game(name, fill_bot="random", token=host)
    assert game.state == common_pb2.GAME_STATE_RUNNING
    assert client.set_seat_bot(name, 2, "greedy", token=host).seats[2].bot.bot == "greedy"
    assert client.abort_game(name, "tea is ready", token=host).state == common_pb2.GAME_STATE_ABORTED
    assert is_opened(client.get_replay(name).fairness)
    assert client.delete_game(name, token=host) > 0
    with pytest.raises(errors.GameNotFound):
        client.get_game(name)


def test_what_the_server_offers(client: Client) -> None:
    """Info, variants, one variant, the catalogue by default, by id and by hash."""
    info = client.get_server_info()
    assert {limit.name for limit in info.limits} >= {"page_size", "watchers_per_game"}
    names = [variant.variant for variant in client.list_variants()]
    assert {"spring_meadow", "spring_meadow_solo", "spring_meadow_campaign"} <= set(names)
    assert client.get_variant("spring_meadow").max_seats == 4
    default = client.get_catalogue(SPRING_MEADOW)
    assert default == client.get_catalogue(SPRING_MEADOW, info.packs[0].pack)
    assert default == client.get_catalogue(SPRING_MEADOW, pack_hash=info.packs[0].hash)


class _LosesTheFirstAnswer(grpc.UnaryUnaryClientInterceptor):
    """Lets the first submission reach the server, and drops its answer."""

    def __init__(self) -> None:
        self.dropped = 0

    def intercept_unary_unary(self, continuation, details, request):  # type: ignore[no-untyped-def]
        answer = continuation(details, request)
        if details.method.endswith("SubmitAction") and not self.dropped:
            answer.result()
            self.dropped += 1
            raise _Gone
        return answer


class _Gone(grpc.RpcError):
    """A broken connection."""

    def code(self) -> grpc.StatusCode:
        return grpc.StatusCode.UNAVAILABLE

    def details(self) -> str:
        return "gone"

    def trailing_metadata(self) -> tuple[()]:
        return ()


def test_a_choice_whose_answer_was_lost_is_made_once(address: str) -> None:
    """The repeated submission gets the first one's answer: the choice is in the journal once."""
    thief = _LosesTheFirstAnswer()
    channel = grpc.intercept_channel(grpc.insecure_channel(address), thief)
    with Client(channel=channel, retry=RetryPolicy(attempts=3, first_delay=0.01)) as client:
        seat = Seat.create(client, "spring_meadow_solo", ["me"])
        found = seat.view()
        done = seat.submit(found.legal_actions.actions[0])
        assert thief.dropped == 1
        assert done.version == found.view.version + 1 == client.get_game(seat.name).game.version


def test_a_bot_and_a_watch_outlive_a_killed_server(tmp_path: Path) -> None:
    """After kill -9 and a new server on the same port and journal, watch and bot go on without gap or repeat."""
    with LocalServer(tmp_path / "journal.db") as server:
        client = Client(server.address, retry=PATIENT)
        made = client.create_game("spring_meadow", [reserved("Ada"), "random"], seed=uuid.uuid4().int >> 1)
        seat = Seat(client, made.game.name, 0, made.seat_tokens[0].token)
        versions: list[int] = []
        killed = threading.Event()
        go_on = threading.Event()

        def choose(turn: Turn) -> Choice:
            if turn.view.version > 12 and not killed.is_set():
                killed.set()
                go_on.wait()
            return turn.actions[0]

        def follow() -> None:
            with Client(server.address, retry=PATIENT) as other:
                messages = other.watch_game(made.game.name, after_version=0)
                versions.extend(message.update.record.version for message in messages if message.HasField("update"))

        watcher = threading.Thread(target=follow)
        bot = threading.Thread(target=lambda: seat.play(choose))
        watcher.start()
        bot.start()
        assert killed.wait(60)
        os.kill(server.process_id, signal.SIGKILL)
        with LocalServer(tmp_path / "journal.db", listen=server.address):
            go_on.set()
            bot.join(60)
            watcher.join(60)
            game = client.get_game(made.game.name).game
        assert game.state == common_pb2.GAME_STATE_FINISHED
        assert versions == list(range(1, game.version + 1))
