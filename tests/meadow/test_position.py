"""Positions written as text."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from meadow_engine import api

GAME = """
meadow seats 2 first 1 turn 1 round 3
envelopes U T
board W-001 S-001 S-002 E-001
board W-002 S-003 ----- E-002
board W-003 S-005 S-006 E-003
board W-004 S-007 S-008 E-004
deck W W-010 W-011
deck S
deck E E-010 E-011
deck N N-010 N-011 N-012 N-013 N-014 N-015 N-016 N-017 N-018 N-019 N-020 N-021
goals tree, bird of prey, fence, paw, big encounter
claim 2 by 0
supply 20
token ? at L3 by 0
token 2 at C1 by 1
seat 0 tokens 1234 roads 2 bonuses 1
hand W-005 S-009 N-004!
column E-012 S-011 S-012
column G1A
seat 1 tokens 13 roads 0
hand S-010!
column G2B
"""
SOLO = """
meadow seats 1 round 2
board W-001 S-001 S-002 E-001
board W-002 S-003 S-004 E-002
board W-003 S-005 S-006 E-003
board W-004 S-007 S-008 E-004
deck S S-020 S-021
goals tree, bird, paw
rover markers 2 0 1
pile 1:3 2:? 3:1
dealt W-008 N-004
seat 0 tokens 12
column G1A
"""


def parsed(text: str) -> api.Game:
    """The game of a position."""
    return api.parse_position(text)


def names(game: api.Game, cards: tuple[int, ...]) -> list[str]:
    """The ids of cards."""
    return [game.catalogue.cards[card].id if card >= 0 else "-----" for card in cards]


def test_a_position_is_read_as_it_is_written() -> None:
    """Everything on the table is where the text says."""
    game = parsed(GAME)
    view = game.view(0)

    assert (game.variant.id, game.seats, game.config.options["envelopes"]) == ("meadow", 2, ("T", "U"))
    assert (view.round, view.first_seat, view.halfway, view.road_supply) == (3, 1, False, 20)
    assert names(game, view.board)[4:8] == ["W-002", "S-003", "-----", "E-002"]
    assert view.deck_counts == (2, 0, 2, 12)
    assert view.claims == (-1, -1, 0, -1, -1)
    assert [place for place, piece in enumerate(view.places) if piece >= 0] == [1, 12]
    own = view.players[0]
    assert names(game, own.hand) == ["W-005", "S-009", "N-004"]
    assert [names(game, column) for column in own.columns] == [["E-012", "S-011", "S-012"], ["G1A"]]
    assert (own.roads, own.bonuses, own.tokens) == (2, 1, 0b1111)


def test_marked_cards_are_known_to_their_owner_only() -> None:
    """Others see them by their backs; unmarked cards were taken face up."""
    game = parsed(GAME)
    others = game.view(1).players[0]

    assert sorted(names(game, others.hand)) == ["S-009", "W-005"]
    assert others.unknown == (0, 0, 0, 1)


def test_the_seat_named_places_a_token_next() -> None:
    """With its own tokens, on free places."""
    game = parsed(GAME)

    assert game.decision
    assert (game.decision.seat, game.decision.kind) == (1, "place_token")
    assert {game.action_text(action).split()[1] for action in game.legal_ids()} == {"1", "3"}


def test_a_solo_position_has_rover_s_things() -> None:
    """His markers, his pile with the top last, and his cards; he has moved before the player is asked."""
    game = parsed(SOLO)
    rover = game.view(0).rover

    assert game.variant.id == "meadow_solo"
    assert rover.markers == (2, 0, 1)
    assert rover.tokens_left == 2
    assert names(game, rover.cards)[:2] == ["W-008", "N-004"]


def test_a_position_can_be_saved_and_played_to_the_end() -> None:
    """It is a game like any other, with the rules of its envelopes."""
    for text in (GAME, SOLO):
        game = parsed(text)
        assert api.decode(game.encode()).state == game.state
        random = Random(1)
        while not game.is_over:
            game.apply(random.choice(game.legal_ids()))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("meadow seats 2", "meadow seats 3"),
        ("meadow seats 2", "meadow seats 5"),
        ("meadow seats 2", "meadow seats 0"),
        ("turn 1", "turn 2"),
        ("turn 1", "trun 1"),
        ("first 1", "first -1"),
        ("round 3", "round 7"),
        ("round 3", "round x"),
        ("envelopes U T", "envelopes U Q"),
        ("board W-004", "bored W-004"),
        ("board W-004 S-007", "board S-007"),
        ("board W-004", "board W-004 W-012"),
        ("W-002 S-003", "W-002 S-001"),
        ("W-002 S-003", "W-002 S-999"),
        ("deck E E-010", "deck Q E-010"),
        ("deck E E-010", "deck E W-013"),
        ("goals tree", "goals treee"),
        ("goals tree, bird of prey, fence, paw, big encounter", ""),
        ("claim 2 by 0", "claim 5 by 0"),
        ("claim 2 by 0", "claim -1 by 0"),
        ("claim 2 by 0", "claim 2 by 2"),
        ("supply 20", "supply -1"),
        ("supply 20", "supply many"),
        ("token ? at L3 by 0", "token 5 at L3 by 0"),
        ("token ? at L3 by 0", "token ? at L5 by 0"),
        ("token ? at L3 by 0", "token ? at C4 by 0"),
        ("token ? at L3 by 0", "token ? at C1 by 0"),
        ("token ? at L3 by 0", "token ? at L3 by 2"),
        ("seat 1 tokens", "seat 0 tokens"),
        ("seat 0 tokens 1234", "seat 0 tokens 12345"),
        ("roads 2", "roads -2"),
        ("bonuses 1", "bonuses 4"),
        ("hand W-005", "hand W-001"),
        ("column E-012 S-011", "column S-011"),
        ("column E-012 S-011", "column E-012 E-014"),
        ("column G1A", "landscape S-013"),
        ("column G1A", "rover markers 0 1 2"),
    ],
)
def test_a_faulty_position_is_refused(old: str, new: str) -> None:
    """What does not exist, is in two places or out of range is BadNotation, whatever it is."""
    assert old in GAME
    with pytest.raises(api.BadNotation):
        parsed(GAME.replace(old, new, 1))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("rover markers 2 0 1", ""),
        ("rover markers 2 0 1", "rover markers 2 0 0"),
        ("rover markers 2 0 1", "rover markers 2 0"),
        ("pile 1:3 2:? 3:1", ""),
        ("pile 1:3 2:? 3:1", "pile 3:1"),
        ("pile 1:3 2:? 3:1", "pile 1:3 2:5 3:1"),
        ("pile 1:3 2:? 3:1", "pile 1:3 0:? 3:1"),
        ("pile 1:3 2:? 3:1", "pile 3:1 3:1 3:1"),
        ("dealt W-008", "dealt W-001"),
    ],
)
def test_a_faulty_solo_position_is_refused(old: str, new: str) -> None:
    """Rover needs three markers, tokens of three colours each once, and one for each turn that is left."""
    assert old in SOLO
    with pytest.raises(api.BadNotation):
        parsed(SOLO.replace(old, new, 1))


def test_a_position_needs_room_for_all_tokens() -> None:
    """More tokens than places is refused: a token must be placed each turn."""
    full = "\n".join(f"token {n} at {side}{n} by 0" for side in "LRB" for n in (1, 2, 3, 4))
    with pytest.raises(api.BadNotation):
        parsed(GAME.replace("token ? at L3 by 0", full).replace("tokens 13", "tokens 1234?"))


@given(st.sampled_from([GAME, SOLO]), st.integers(0, len(GAME) - 1), st.integers(0, 12), st.text(max_size=6))
def test_a_damaged_position_is_read_or_refused(good: str, start: int, length: int, between: str) -> None:
    """Whatever is cut out of a position or typed into it: it is a game then, or BadNotation."""
    try:
        game = parsed(good[:start] + between + good[start + length :])
    except api.BadNotation:
        return
    random = Random(0)
    for _ in range(12):
        if game.is_over:
            break
        game.view(0)
        game.apply(random.choice(game.legal_ids()))


@pytest.mark.parametrize("text", ["", " \n ", "\n\n", "meadow", "meadow seats 2"])
def test_an_empty_position_is_refused(text: str) -> None:
    """There is no position without a board, goals and seats."""
    with pytest.raises(api.BadNotation):
        parsed(text)
