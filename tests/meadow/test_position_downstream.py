"""Positions on the river written as text."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from meadow_engine import api

from tests.meadow.test_position import GAME, SOLO, names, parsed

AREA = """
river R-001 R-002 R-003 R-004
river R-010 ----- R-012 R-013
deck RIVER R-020 R-021
sunset SUN-3 SUN-2
"""
LAZY = GAME.replace("envelopes", "side lazy_river\nenvelopes").replace(
    "goals tree",
    f"{AREA}dams DAM-4 DAM-2\nextra goals mushroom, fish\nextra bonus 1\nkayak 1 at 4 points 3\ngoals tree",
)
WILD = (
    GAME.replace("envelopes U T", "side wild_rapids\nenvelopes Z")
    .replace("goals tree", f"{AREA}piers 0 3\ntents 1\nkept 0 4\nkayak 0 at 5 points 5\ngoals tree")
    .replace("tokens 13", "tokens 13R")
    .replace("supply 20", "supply 36")
)
ALONE = SOLO.replace("board W-001", "side wild_rapids\nboard W-001").replace(
    "goals tree", f"{AREA}piers 0 under 3 1 2\ntents 1 under 2\nsolo 0 3 5\ngoals tree"
)


def test_a_position_on_the_river_is_read_as_it_is_written() -> None:
    """Kayaks, piles, goals and tokens are where the text says."""
    lazy, wild = parsed(LAZY).view(None).river, parsed(WILD).view(None).river

    assert (lazy.side, lazy.kayaks, lazy.points) == ("lazy_river", (0, 4), (0, 3))
    assert names(parsed(LAZY), lazy.sunset) == ["SUN-3", "SUN-2"]
    assert names(parsed(LAZY), lazy.beaver_dams) == ["DAM-4", "DAM-2"]
    assert lazy.bonuses == 0b10
    assert (wild.piers.open, wild.tents.open, wild.kept) == ((0, 3), (1,), ((4,), ()))
    assert parsed(WILD).view(None).deck_counts[-1] == 2
    assert names(parsed(WILD), parsed(WILD).view(None).board)[20:22] == ["R-010", "-----"]
    assert parsed(WILD).config.options["envelopes"] == ("Z", "U")


def test_a_solo_position_hides_a_pier_and_a_tent() -> None:
    """The last one behind `under` is the one on the board; which it is nobody sees."""
    game = parsed(ALONE)
    river = game.view(0).river

    assert (river.piers.open, river.piers.down) == ((0,), 1)
    assert (river.tents.open, river.tents.down) == ((1,), 1)
    assert game.state.river is not None
    assert game.state.river.piers.hidden.items[-1] == 2


def test_a_position_on_the_river_has_the_road_tokens_of_downstream() -> None:
    """36, where the position does not say otherwise."""
    assert parsed(LAZY.replace("supply 20", "")).view(None).road_supply == 36
    with pytest.raises(api.BadNotation):
        parsed(GAME.replace("supply 20", "supply 29"))


def test_river_positions_can_be_saved_and_played_to_the_end() -> None:
    """They are games like any other."""
    for text in (LAZY, WILD, ALONE):
        game = parsed(text)
        assert api.decode(game.encode()).state == game.state
        random = Random(1)
        while not game.is_over:
            game.apply(random.choice(game.legal_ids()))


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        (LAZY, "side lazy_river", ""),
        (LAZY, "side lazy_river", "side quiet_river"),
        (LAZY, "side lazy_river", "side lazy_river\nside lazy_river"),
        (LAZY, "side lazy_river", "side wild_rapids"),
        (WILD, "side wild_rapids", "side lazy_river"),
        (LAZY, "river R-001 R-002 R-003 R-004", ""),
        (LAZY, "river R-001", "river R-010"),
        (LAZY, "deck RIVER R-020", "deck RIVER S-020"),
        (LAZY, "deck RIVER", "deck SUNSET"),
        (LAZY, "sunset SUN-3", "sunset DAM-3"),
        (LAZY, "sunset SUN-3", "sunset SUN-2"),
        (LAZY, "dams DAM-4", "dams R-030"),
        (LAZY, "extra goals mushroom, fish", "extra goals mushroom"),
        (LAZY, "extra goals mushroom, fish", "extra goals mushroom, mushroom"),
        (LAZY, "extra goals mushroom, fish", "extra goals mushroom, fish, bird"),
        (LAZY, "extra bonus 1", "extra bonus 2"),
        (LAZY, "extra bonus 1", "extra"),
        (LAZY, "kayak 1 at 4", "kayak 2 at 4"),
        (LAZY, "kayak 1 at 4", "kayak 1 at 99"),
        (LAZY, "kayak 1 at 4", "kayak 1 on 4"),
        (LAZY, "points 3", "points -3"),
        (LAZY, "points 3", "points 1000"),
        (LAZY, "kayak 1 at 4 points 3", "kept 0 1"),
        (LAZY, "kayak 1 at 4 points 3", "solo 0 1"),
        (LAZY, "supply 20", "supply 37"),
        (LAZY, "hand W-005", "hand G5A"),
        (LAZY, "----- E-002", "G5A E-002"),
        (WILD, "piers 0 3", "piers 0 6"),
        (WILD, "piers 0 3", "piers 0 0"),
        (WILD, "piers 0 3", "piers 0 under 3"),
        (WILD, "kept 0 4", "kept 0 1"),
        (WILD, "kept 0 4", "kept 2 4"),
        (WILD, "kept 0 4", "kept 0 4\nkept 1 4"),
        (WILD, "kept 0 4", "dams DAM-1"),
        (ALONE, "solo 0 3 5", "solo 0 3 3"),
        (ALONE, "solo 0 3 5", "solo 0 3 6"),
        (ALONE, "piers 0 under 3", "piers 0 under 0"),
        (GAME, "envelopes U T", "envelopes Z"),
        (GAME, "supply 20", "piers 0 3"),
        (GAME, "supply 20", "kayak 0 at 1 points 0"),
        (GAME, "supply 20", "river R-001 R-002 R-003 R-004"),
        (GAME, "supply 20", "sunset SUN-1"),
        (GAME, "supply 20", "deck RIVER"),
        (GAME, "hand W-005", "hand R-001!"),
        (GAME, "hand W-005", "hand SUN-1"),
        (GAME, "hand W-005", "hand G3A"),
        (GAME, "column G1A", "column R-001"),
        (GAME, "----- E-002", "R-001 E-002"),
    ],
)
def test_a_faulty_river_position_is_refused(text: str, old: str, new: str) -> None:
    """What belongs to the other side or to no river, does not exist, is in two places or out of range."""
    assert old in text
    with pytest.raises(api.BadNotation):
        parsed(text.replace(old, new, 1))


@given(st.sampled_from([LAZY, WILD, ALONE]), st.data())
def test_a_damaged_river_position_is_read_or_refused(good: str, data: st.DataObject) -> None:
    """Whatever lines are lost, doubled or put elsewhere, also from other positions: it is a game, or BadNotation."""
    lines = [line for text in (good, GAME, WILD, LAZY) for line in text.strip().splitlines() if line]
    damaged = good.strip().splitlines()
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(1, len(damaged) - 1))
        damaged[at : at + data.draw(st.integers(0, 1))] = data.draw(st.lists(st.sampled_from(lines), max_size=1))
    try:
        game = parsed("\n".join(damaged))
    except api.BadNotation:
        return
    random = Random(0)
    for _ in range(12):
        if game.is_over:
            break
        game.view(0)
        game.observation(None)
        game.apply(random.choice(game.legal_ids()))
