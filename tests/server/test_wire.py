"""The fast ways of the wire against the plain ones."""

from __future__ import annotations

import random
import re
from pathlib import Path
from types import ModuleType

import meadow_engine.meadow
import meadow_engine.spring_meadow
import pytest
from meadow_api.v1 import downstream_pb2, game_pb2, meadow_pb2, spring_meadow_pb2
from meadow_api.v1 import game_service_pb2 as pb
from meadow_engine import api
from meadow_engine.kernel.actions import UNKNOWN_ACTION
from meadow_server.errors import ApiError
from meadow_server.header import GameHeader, SeatPlan
from meadow_server.live import LiveGame, Moment
from meadow_server.wire.families import FAMILIES, variants
from meadow_server.wire.game import record_to_message
from meadow_server.wire.legal import legal_list
from meadow_server.wire.packed import field_bytes, joined, legal_list_bytes
from meadow_server.wire.records import record_bytes

GAMES = [(variant.id, seats) for variant in variants() for seats in range(variant.min_seats, variant.max_seats + 1)]


@pytest.mark.parametrize(("variant", "seats"), GAMES)
def test_joined_lists_are_the_plain_ones(variant: str, seats: int) -> None:
    """At every decision of whole games the joined bytes read as exactly the list that is built message by message."""
    chance = random.Random(seats)
    for seed in (1, 2):
        game = api.new_game(variant, seats=seats, seed=seed)
        decisions = 0
        while not game.is_over and decisions < 150:
            for form in pb.LegalActionFormat.values():
                moment = Moment(decisions, api.Status.RUNNING, game.clone(), ())
                plain = legal_list(moment, form)
                joined_bytes = legal_list_bytes(moment, form)
                assert game_pb2.LegalActionList.FromString(joined_bytes) == plain
            game.apply(chance.choice(game.legal_ids()))
            decisions += 1
    over = Moment(9, api.Status.FINISHED, game, ())
    assert game_pb2.LegalActionList.FromString(legal_list_bytes(over, pb.LEGAL_ACTION_FORMAT_FULL)) == legal_list(
        over, pb.LEGAL_ACTION_FORMAT_FULL
    )


@pytest.mark.parametrize(("variant", "seats"), GAMES)
def test_joined_records_are_the_plain_ones(variant: str, seats: int) -> None:
    """Each record of a whole game, undone choices included, reads the same for every viewer in both ways."""
    config = api.game_config(variant, seats=seats, seed=seats)
    header = GameHeader(
        variant=variant,
        options=dict(config.options),
        seats=(SeatPlan("RESERVED", "", "RED"),) * seats,
        pack_hash=config.pack.hash,
        rules_revision=config.rules_revision,
        seed=config.seed,
        nonce=bytes(32),
        bot_seed=bytes(32),
        commitment=bytes(32),
        seeded=True,
        public=True,
        wait_for_start=False,
        display_name="",
        time=0,
    )
    history, chance = api.History(config), random.Random(seats)
    live = LiveGame(bytes(16), header, history, None)
    live.commit(history.prepare([api.SeatBot(0, "random", 1), api.Started()]), 1_700_000_000_000_000)
    while (seat := live.moment().pending_seat) is not None and live.version < 200:
        assert history.game is not None
        action_id = chance.choice(history.game.legal_ids())
        live.commit(history.prepare([api.ActionTaken(seat, action_id)]), 1_700_000_000_000_000 + live.version)
        if live.version % 9 == 0 and history.undoable(seat):
            live.commit(history.prepare([api.ActionsUndone(seat, 1)]), 1)
    viewers = [None, *range(seats)]
    for version in range(1, live.version + 1):
        for viewer in [*viewers, *reversed(viewers)]:
            plain = record_to_message(live, version, viewer)
            assert game_pb2.GameRecord.FromString(record_bytes(live, version, viewer)) == plain


def named_in(package: ModuleType, pattern: str) -> set[str]:
    """What a pattern finds in the source of a package."""
    files = Path(package.__path__[0]).rglob("*.py")
    return {found for file in files for found in re.findall(pattern, file.read_text(encoding="utf-8"))}


def test_every_rule_of_the_engine_is_published() -> None:
    """Each rule that a game can name in a refusal is a value of the published enum, and no other value is there.

    Some of Meadow's are answers of functions that an error is made of; nothing else in it is written in capitals.
    """
    spring = named_in(meadow_engine.spring_meadow, r'IllegalAction\(\s*"([A-Z_]+)"')
    published = {name.removeprefix("SPRING_MEADOW_RULE_") for name, _ in spring_meadow_pb2.SpringMeadowRule.items()}
    assert spring | {UNKNOWN_ACTION} == published - {"UNSPECIFIED"}
    meadow = named_in(meadow_engine.meadow, r'"([A-Z][A-Z_]{2,})"')
    published = {name.removeprefix("MEADOW_RULE_") for name, _ in meadow_pb2.MeadowRule.items()}
    assert meadow | {UNKNOWN_ACTION} == published - {"UNSPECIFIED"}
    obstacles = {name.removeprefix("MEADOW_OBSTACLE_") for name, _ in meadow_pb2.MeadowObstacle.items()}
    assert obstacles - {"UNSPECIFIED"} < meadow


@pytest.mark.parametrize("family", FAMILIES)
def test_every_action_reads_as_it_was_written(family: str) -> None:
    """Each action of a family's whole space comes back from its message as the same action."""
    wire, space = FAMILIES[family], api.action_space(family)
    for action_id in range(space.size):
        message = game_pb2.Action()
        wire.action_to(space.action(action_id), message)
        message = game_pb2.Action.FromString(message.SerializeToString())
        (again,) = wire.actions_from(getattr(message, wire.field), "action")
        assert again == space.action(action_id)


@pytest.mark.parametrize("length", [0, 1, 127, 128, 300, 70_000])
def test_joined_fields_are_read_as_fields(length: int) -> None:
    """A message with a serialised field joined to it reads like one that was built with it, whatever the length."""
    inner = game_pb2.LegalActionList(version=3, action_mask=b"x" * length)
    built = pb.SubmitActionResponse(version=7, legal_actions=inner)
    whole = joined(pb.SubmitActionResponse(version=7), legal_actions=inner.SerializeToString(), view=None)
    assert pb.SubmitActionResponse.FromString(whole) == built
    assert field_bytes(1, b"")[:1] == b"\x0a"


@pytest.mark.parametrize("deck", [0, 6, 77])
def test_only_a_deck_to_draw_from_is_looked_at_and_drawn_from(deck: int) -> None:
    """A deck that is not given, is not one to draw from, or does not exist is a bad field that names its place."""
    look = meadow_pb2.MeadowAction(look_at_deck=meadow_pb2.MeadowLookAtDeck(deck=deck))  # type: ignore[arg-type]
    draw = meadow_pb2.MeadowAction(draw_from=downstream_pb2.DownstreamDrawFrom(deck=deck))  # type: ignore[arg-type]
    for action in (look, draw):
        with pytest.raises(ApiError) as refused:
            FAMILIES["meadow"].actions_from(action, "choice.action.meadow")
        path = f"choice.action.meadow.{action.WhichOneof('action')}.deck"
        assert path in str(refused.value.metadata) + refused.value.message
