"""Meadow: Downstream through the command line: the river on the table, its questions, its story, its drawing."""

from __future__ import annotations

import io
import random
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from meadow_api.v1 import common_pb2, downstream_pb2, game_pb2, meadow_pb2
from meadow_client import MEADOW, Client, Seat
from meadow_client.cli.common import counted
from meadow_client.cli.engine import event_message
from meadow_client.cli.meadow.narrate import MeadowNarrator
from meadow_client.cli.meadow.questions import Questions
from meadow_client.cli.meadow.river import stretches
from meadow_client.cli.meadow.table import meadow_table
from meadow_client.cli.table.prompts import Prompt
from meadow_client.cli.table.session import Session
from meadow_client.drawing.meadow.page import draw_meadow
from meadow_client.drawing.meadow.river_signs import EXTRAS, PIERS, TENTS
from meadow_client.turn import Turn
from meadow_engine import api
from meadow_server.wire.catalogue import catalogue_to_message
from meadow_server.wire.families import FAMILIES
from rich.console import Console

from tests.client.running import meadow
from tests.client.test_play import lines_from

SIDES = ("downstream_lazy_river", "downstream_wild_rapids")
VARIANTS = [(side, seats) for side in SIDES for seats in (2, 3, 4)] + [(f"{side}_solo", 1) for side in SIDES]
CATALOGUE = catalogue_to_message(api.builtin_pack(), "meadow").meadow
TWO_CARDS = api.meadow_actions.TakeToken(api.downstream_catalogue.Pier.TWO_CARDS)
ASKED = {
    "choose_watery_ground": "Your watery ground lies beside",
    "take_card": "Which card do you take?",
    "choose_way": "The river forks.",
    "extra_action": " offers ",
    "trade": "discarded for the top 2",
    "choose_deck": "top 2 cards of one deck",
}
UNTOLD = {"board_refilled", "card_put_under", "passed", "rover_dealt"}
"""What the table shows well enough."""


def paddled(variant: str, seats: int, seed: int) -> Iterator[tuple[api.Game, list[meadow_pb2.MeadowEvent]]]:
    """A game before each decision, with what happened since the one before; it goes down the river."""
    game, chance = api.new_game(variant, seats=seats, seed=seed), random.Random(seed)
    happened = [event_message(game, event).meadow for event in game.opening_events]
    while not game.is_over:
        yield game, happened
        result = game.apply(downstream_first(game, chance))
        happened = [event_message(game, event).meadow for event in result.events]
    yield game, happened


def downstream_first(game: api.Game, chance: random.Random) -> int:
    """A choice that moves a kayak or uses what the river offers, where there is one."""
    ids = game.legal_ids()
    some = [action_id for action_id in ids if not isinstance(game.action(action_id), api.meadow_actions.Pass)] or ids
    oars = [action_id for action_id in some if _oar(game, action_id)]
    rare = [action_id for action_id in some if game.action(action_id) == TWO_CARDS]
    return chance.choice(rare or oars or some)


def _oar(game: api.Game, action_id: int) -> int:
    action = game.action(action_id)
    played = isinstance(action, api.meadow_actions.PlayCard)
    return int(game.catalogue.cards[action.card].oar) if played else 0


def view_of(game: api.Game, viewer: int | None) -> game_pb2.GameView:
    """A view as it is sent."""
    view = game_pb2.GameView()
    FAMILIES["meadow"].view_to(game.view(viewer), view)
    return view


def actions_of(game: api.Game) -> list[game_pb2.LegalAction]:
    """The legal list as it is sent."""
    listed = []
    for action_id in game.legal_ids():
        entry = game_pb2.LegalAction(action_id=action_id, label=game.label(action_id))
        FAMILIES["meadow"].action_to(game.action(action_id), entry.action)
        listed.append(entry)
    return listed


def asked(game: api.Game, *lines: str) -> tuple[object, str]:
    """What a person who types these lines chooses, and what was shown."""
    assert game.decision is not None
    out = io.StringIO()
    prompt = Prompt(lines_from(*lines), Console(file=out, width=120))
    answer = Questions(prompt, CATALOGUE).ask(view_of(game, game.decision.seat), actions_of(game))
    return answer, out.getvalue()


def test_every_choice_on_the_river_is_asked_in_plain_words() -> None:
    """Each kind of choice has a line that says what it is about, and a list with as many options as there are."""
    found: set[str] = set()
    for game in at_every_choice():
        kind = game.decision.kind if game.decision else ""
        if kind in ASKED and kind not in found:
            found.add(kind)
            answer, shown = asked(game, str(len(game.legal_ids())))
            assert answer == actions_of(game)[-1]
            assert ASKED[kind] in shown
            assert f"  {len(game.legal_ids()):2}  " in shown
        if found == set(ASKED):
            return
    raise AssertionError(f"never asked: {set(ASKED) - found}")


def at_every_choice() -> Iterator[api.Game]:
    """Games on both sides of the board."""
    for seed in range(50):
        yield from (game for game, _ in paddled(SIDES[seed % 2], 4, seed))


def first_asked(variant: str, kind: str) -> api.Game:
    """A game at its first choice of a kind."""
    return next(game for game, _ in paddled(variant, 2, 1) if game.decision and game.decision.kind == kind)


def test_a_way_tells_what_its_first_space_offers() -> None:
    """At a fork both ways can be told apart, and the track ahead is shown."""
    game = first_asked("downstream_lazy_river", "choose_way")
    _, shown = asked(game, "1")
    ways = view_of(game, None).pending.meadow.way_spaces
    assert all(f"paddle to space {space}: " in shown for space in ways)
    assert "track  " in shown
    assert "the end" in shown


def test_a_river_trail_token_is_placed_by_its_name() -> None:
    """R and a notch from V1 to V6; the list of tokens has it."""
    game = first_asked("downstream_wild_rapids", "place_token")
    answer, shown = asked(game, "r v3")
    assert isinstance(answer, game_pb2.LegalAction)
    placed = answer.action.meadow.place_token
    assert (placed.token, placed.place) == (5, 23)
    assert "token R: any card of a row or column of the river" in shown


def test_a_word_that_is_no_place_is_answered_with_examples_of_all_boards() -> None:
    """On the river they name a notch of the river board, in Meadow alone they do not."""
    for variant, there in (("downstream_wild_rapids", True), ("meadow", False)):
        game = first_asked(variant, "place_token")
        _, shown = asked(game, "R", "quit")
        assert ("a free place, such as 3 L2, ? C1, 1 S1 or R V1" in shown) == there
        assert ("a free place, such as 3 L2, ? C1 or 1 S1" in shown) != there


def test_a_choice_on_the_way_tells_how_far_the_kayak_still_goes() -> None:
    """Also where it is about something else, such as a play that a space allows."""
    found: set[str] = set()
    for game in at_every_choice():
        pending = view_of(game, None).pending.meadow
        if pending.spaces_left and game.decision and game.decision.kind not in found:
            found.add(game.decision.kind)
            _, shown = asked(game, "1")
            assert f"Your kayak still moves {counted(pending.spaces_left, 'space')}." in shown
        if {"extra_action", "choose_way", "play_card"} <= found:
            return
    raise AssertionError(f"only on the way: {found}")


@pytest.mark.parametrize(("variant", "seats"), VARIANTS)
def test_the_story_tells_all_that_happens_on_the_river(variant: str, seats: int) -> None:
    """Every event has a line with names, and a kayak that moves on at once is told once."""
    narrator = MeadowNarrator([common_pb2.Seat(seat=seat) for seat in range(seats)], CATALOGUE, 0)
    told: list[str] = []
    for _, happened in paddled(variant, seats, 3):
        record = game_pb2.GameRecord(events=[game_pb2.GameEvent(meadow=event) for event in happened])
        lines = list(narrator.record(record))
        moves = [line for line in lines if "paddle" in line]
        assert not any(one == other for one, other in pairwise(moves))
        told += lines
    story = "\n".join(told)
    assert "a waterfall: " in story
    assert "you paddle to space " in story
    assert ("Rover places a river trail token at V" in story) == (seats == 1)


def test_no_event_is_left_untold() -> None:
    """The narrator knows each event of the API, but those that the table shows."""
    fields = {field.name for field in meadow_pb2.MeadowEvent.DESCRIPTOR.fields}
    assert set(MeadowNarrator([], CATALOGUE)._tellers) == fields - UNTOLD


@pytest.mark.parametrize(("variant", "seats"), VARIANTS)
@pytest.mark.parametrize("width", [80, 120])
def test_the_river_is_on_the_table(variant: str, seats: int, width: int) -> None:
    """Cards on offer, piles, track and every kayak are seen, within the window."""
    for ply, (game, _) in enumerate(paddled(variant, seats, 5)):
        if ply % 40:
            continue
        out = io.StringIO()
        console = Console(file=out, width=width)
        console.print(meadow_table(view_of(game, 0), CATALOGUE, width, 0))
        table = out.getvalue()
        assert max(map(len, table.splitlines())) <= width
        for words in ("Downstream, ", "river (", "sunset  ", "track  ", "the end"):
            assert words in table
        assert table.count("river  at space ") == seats
        tops = view_of(game, None).meadow.river
        assert ("beaver dams  " in table) == (tops.side == downstream_pb2.DOWNSTREAM_SIDE_LAZY_RIVER)


def test_the_track_is_told_whole() -> None:
    """The stretches hold each space once, in its order; only the end leads nowhere."""
    for board in CATALOGUE.downstream.boards:
        parts = stretches(board)
        assert [space.space for part in parts for space in part] == list(range(len(board.spaces)))
        assert [part[-1].space for part in parts if not part[-1].ways] == [len(board.spaces) - 1]
        assert len(parts) > 3


def test_everything_that_is_offered_has_a_sign() -> None:
    """Extra actions, piers and tents: each value of the enums has words and a drawing of its own."""
    for signs, enum in (
        (EXTRAS, downstream_pb2.DownstreamExtraAction),
        (PIERS, downstream_pb2.DownstreamPier),
        (TENTS, downstream_pb2.DownstreamTent),
    ):
        assert set(signs) == set(enum.values()) - {0}
        assert (
            len({sign.words for sign in signs.values()}) == len({sign.drawing for sign in signs.values()}) == len(signs)
        )


@pytest.mark.parametrize(("variant", "seats"), VARIANTS)
def test_the_river_board_is_drawn(variant: str, seats: int) -> None:
    """A well-formed picture with every space, every kayak, and the cards on offer, from the first choice to the end."""
    for ply, (game, _) in enumerate(paddled(variant, seats, 7)):
        if ply % 60 and not game.is_over:
            continue
        view = view_of(game, None)
        root = ET.fromstring(draw_meadow(view, CATALOGUE))
        titles = [element.text or "" for element in root.iter() if element.tag.endswith("title")]
        board = next(b for b in CATALOGUE.downstream.boards if b.side == view.meadow.river.side)
        assert sum(title.startswith("space ") for title in titles) == len(board.spaces)
        assert [title for title in titles if title.startswith("seat ")] == [f"seat {n + 1}" for n in range(seats)]
        for number in view.meadow.board_cards[16:]:
            assert number < 0 or any(title.startswith(CATALOGUE.cards[number].id) for title in titles)


def test_the_river_is_drawn_by_the_command(tmp_path: Path) -> None:
    """`meadow draw` knows the variants of the river."""
    file = tmp_path / "river.svg"
    drawn = meadow("draw", "--variant", SIDES[1], "--turns", "9", "--bot", "random", "-o", file)
    assert drawn.exit_code == 0, drawn.stderr
    assert "Downstream, Wild Rapids, round " in file.read_text(encoding="utf-8")


@pytest.mark.parametrize("variant", SIDES)
def test_a_game_on_the_river_is_played_in_the_terminal(client: Client, variant: str) -> None:
    """Set-up by hand, then chance to the end, with points by source that add up."""
    made = client.create_game(variant, ["me", "random"], options=meadow_pb2.MeadowOptions(first_seat=0), seed=5)
    seat = Seat(client, made.game.name, 0, made.seat_tokens[0].token)
    out = io.StringIO()
    lines = lines_from("1", "1", "1", "r v1", "1", "scores", "any 900", "any 900")
    assert Session(seat, Console(file=out, width=150), lines, random.Random(1)).run()

    seen = out.getvalue()
    assert "you place token R at V1" in seen
    assert "you take " in seen
    assert " + river " in seen
    sheet = client.get_score_sheet(seat.name)
    for score in sheet.meadow.seats:
        parts = score.meadow_points + score.landscape_points + score.discovery_points + score.goal_points
        assert parts + score.river_points + score.river_goal_points + score.tent_points == score.total


def test_a_bot_s_turn_knows_the_river(client: Client) -> None:
    """Kayaks, piles and tokens are at hand; a game without a river says so."""
    for variant, river in ((SIDES[1], True), ("meadow", False)):
        made = client.create_game(variant, ["me", "random"], seed=5)
        found = client.get_game_view(made.game.name)
        turn = Turn(0, found.view, found.legal_actions.actions, client.get_catalogue(MEADOW))
        if river:
            assert [player.space for player in turn.river.players] == [0, 0]
        else:
            with pytest.raises(LookupError, match="no river"):
                _ = turn.river


@pytest.mark.parametrize("side", SIDES)
def test_a_solo_game_on_the_river_is_watched(address: str, client: Client, side: str) -> None:
    """The story to its end, and which line of the river's table was reached."""
    made = client.create_game(f"{side}_solo", ["random"], seed=6)
    watched = meadow("watch", f"{address}/{made.game.name}", "--from-start")

    assert watched.exit_code == 0
    for words in ("Rover places a river trail token", "a waterfall: ", "the game is over"):
        assert words in watched.stdout
    outcome = client.get_game(made.game.name).game.outcome
    assert outcome.WhichOneof("objective") == "downstream"
    reached = downstream_pb2.DownstreamSoloResult.Name(outcome.downstream)
    assert reached.removeprefix("DOWNSTREAM_SOLO_RESULT_").replace("_", " ").lower() in watched.stdout
