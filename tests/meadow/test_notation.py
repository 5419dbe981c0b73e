"""Text forms of Meadow's actions and views."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from meadow_engine import api
from meadow_engine.meadow.notation import view_text

from tests.meadow.scene import Scene, scene

GAME = api.new_game("meadow", seats=2, seed=0)
ACTIONS = api.meadow_actions
WORDS = [
    "token",
    "take",
    "look",
    "special",
    "keep",
    "under",
    "goal",
    "row",
    "ground",
    "pass",
    "roads",
    "play",
    "discard",
]
WORDS += [
    "W-001",
    "S-003",
    "G1A",
    "L1",
    "B4",
    "C5",
    "S4",
    "?",
    "0",
    "7",
    "-1",
    "9999",
    "W",
    "Q",
    "",
    "é",
    "٣",
    "1_0",
    "+1",
]


def lines(game: Scene, beginning: str) -> list[str]:
    """The lines of the view's text that begin so."""
    text = text_of(game)
    return [line.strip() for line in text.splitlines() if line.strip().startswith(beginning)]


def text_of(game: Scene, viewer: int | None = 0) -> str:
    """A seat's view as text."""
    return view_text(game.view(viewer), game.catalogue)


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("row 2", ACTIONS.ChooseRow(2)),
        ("ground 1", ACTIONS.ChooseGround(1)),
        ("token ? L3", ACTIONS.PlaceToken(4, 1)),
        ("token 1 R1", ACTIONS.PlaceToken(0, 4)),
        ("token 4 B1", ACTIONS.PlaceToken(3, 11)),
        ("token 2 C1", ACTIONS.PlaceToken(1, 12)),
        ("token 3 S4", ACTIONS.PlaceToken(2, 20)),
        ("take 5", ACTIONS.TakeCard(5)),
        ("roads", ACTIONS.TakeRoads()),
        ("look N", ACTIONS.LookAtDeck(3)),
        ("special 4", ACTIONS.ChooseSpecial(4)),
        ("keep 0", ACTIONS.KeepCard(0)),
        ("under 1", ACTIONS.PutUnder(1)),
        ("goal 3", ACTIONS.ClaimGoal(3)),
        ("pass", ACTIONS.Pass()),
        ("discard W-001", ACTIONS.Discard(0)),
        ("play W-001 2", ACTIONS.PlayCard(0, 2)),
    ],
)
def test_each_action_has_the_documented_form(text: str, action: object) -> None:
    """The forms are those the module describes."""
    action_id = GAME.action_id(action)
    assert GAME.parse_action(text) == action_id
    assert GAME.action_text(action_id) == text


def test_every_action_s_form_leads_back_to_it() -> None:
    """No two actions of the whole space share a form."""
    texts = [GAME.action_text(action_id) for action_id in range(GAME.action_space.size)]

    assert len(set(texts)) == len(texts)
    assert [GAME.parse_action(text) for text in texts] == list(range(len(texts)))


@given(st.lists(st.sampled_from(WORDS), max_size=5).map(" ".join) | st.text(max_size=20))
def test_any_text_is_an_action_or_is_refused(text: str) -> None:
    """Typing errors are BadNotation, or an action that does not exist; nothing else ever comes of them."""
    try:
        action_id = GAME.parse_action(text)
    except (api.BadNotation, api.IllegalAction):
        return
    assert 0 <= action_id < GAME.action_space.size


def test_a_view_s_text_shows_the_table() -> None:
    """Board, tokens, goals, hands, columns from left to right, visible symbols and surroundings."""
    player = (
        "roads 1\nhand grass paw(grass)1!\ncolumn sands bird(sands)1\ncolumn rocks\nlandscape landscape()2 discovery()1"
    )
    game = scene(player, "hand W91!").do("token 4 C1", "play grass 0")

    assert lines(game, "board")[1] == "board W2 S3 S4 E2"
    assert lines(game, "tokens") == ["tokens C1=0:4"]
    assert lines(game, "goals") == ["goals tree () bird () paw () house () fence ()"]
    assert lines(game, "seat 0: 4")[0].startswith("seat 0: 4 points, roads 1, tokens 123")
    assert lines(game, "hand") == ["hand paw(grass)1", "hand 1 W"]
    assert lines(game, "column") == [
        "column 2: grass",
        "column 0: sands < bird(sands)1",
        "column 1: rocks",
        "column 0: sands~1",
    ]
    assert lines(game, "visible")[0] == "visible grass 1, sands 1, rocks 1, bird 1"
    assert lines(game, "landscape") == ["landscape landscape()2 with discovery()1"]
    assert lines(game, "seat 0: campfire") == ["seat 0: campfire, special 4, plays 1, goals []"]
    assert "hand 1 S" in text_of(game, 1)
