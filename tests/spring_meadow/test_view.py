"""What everybody sees of a game, and the observation made of it."""

from __future__ import annotations

from random import Random

import pytest
from meadow_engine import api
from meadow_engine.spring_meadow.view import MAX_SEATS, OBSERVATION_SIZE, PendingView, spring_view

from tests.spring_meadow.scene import scene


def games() -> list[api.Game]:
    """A game of each variant with each number of seats."""
    return [
        api.new_game(variant.id, seats=seats, seed=seats)
        for variant in api.variants()
        if variant.family == "spring_meadow"
        for seats in range(variant.min_seats, variant.max_seats + 1)
    ]


@pytest.mark.parametrize("game", games(), ids=lambda game: f"{game.variant.id}-{game.seats}")
def test_all_viewers_see_the_same(game: api.Game) -> None:
    """Everything on the table lies open: seats and spectators get the same view at every decision."""
    random = Random(1)
    while not game.is_over:
        view = game.view(None)
        assert all(game.view(seat) == view for seat in range(game.seats))
        game.apply(random.choice(game.legal_ids()))


def test_the_view_agrees_with_the_score_sheet() -> None:
    """Running scores, pins and scorings are told alike in both, at every decision."""
    for game in games():
        random = Random(2)
        while not game.is_over:
            view, sheet = game.view(), game.score_sheet()
            assert tuple(board.score for board in view.mountains) == sheet.running
            assert tuple(board.pins for board in view.mountains) == sheet.pins
            assert view.scorings == sheet.scorings
            if view.solo:
                assert view.solo.rows == sheet.rows
                finished = sum(played.points for played in view.campaign or ())
                assert sheet.points == finished + view.solo.points == game.returns()[0]
            game.apply(random.choice(game.legal_ids()))


def test_what_has_to_be_chosen_is_told() -> None:
    """The pending part names seat, kind, and what the choice is about."""
    table = scene("1 ..........", "1 ..........", path="##o #o## --- ## ##", start=(2, 0))
    assert spring_view(table.state).pending == PendingView(0, "choose_tile")
    table.do("take 0")
    tile = table.catalogue.tile_ids["##o"]
    assert spring_view(table.state).pending == PendingView(0, "place_tile", space=0, tile=tile)
    table.do("tile 0 a5")
    assert spring_view(table.state).pending == PendingView(0, "place_rock", rock_size=2, rock_is_start=True)


def test_an_observation_has_the_documented_layout() -> None:
    """Flags and numbers come first, then map, queue and the boards, the viewer's first."""
    game = api.new_game("spring_meadow", seats=3, seed=4, options={"expert": True, "first_seat": 1})
    view = game.view()
    for viewer in (None, 0, 1, 2):
        numbers, first = game.observation(viewer), viewer or 0
        assert len(numbers) == OBSERVATION_SIZE
        assert numbers[:6] == [1, 0, 0, 0, 0, 0]
        assert numbers[6:15] == [(1 - first) % 3, -1, 0, 0, 1, (1 - first) % 3, 1, view.box_count, 0]
        assert tuple(numbers[15:40]) == view.meadow_map
        assert tuple(numbers[40:60]) == view.queue
        boards = [numbers[60 + 454 * place :][:454] for place in range(MAX_SEATS)]
        for place in range(3):
            board = view.mountains[(first + place) % 3]
            assert boards[place][:90] == [board.burrows >> cell & 1 for cell in range(90)]
            assert boards[place][450:] == [board.full_rows, board.start_rock, board.pins, board.score.total]
        assert not any(boards[3])


def test_an_observation_says_when_nothing_is_left_to_choose() -> None:
    """At the end no decision is flagged and no seat has to choose."""
    game = api.new_game("spring_meadow", seats=2, seed=4)
    while not game.is_over:
        game.apply(game.legal_ids()[0])
    numbers = game.observation(0)
    assert numbers[:7] == [0, 0, 0, 0, 0, 0, -1]


def test_different_positions_have_different_observations() -> None:
    """Along a game no two observations of one viewer are the same: nothing that counts is left out."""
    game, random, seen = api.new_game("spring_meadow", seats=2, seed=5), Random(5), set()
    plies = 0
    while not game.is_over:
        seen.add(tuple(game.observation(0)))
        plies += 1
        game.apply(random.choice(game.legal_ids()))
    assert len(seen) == plies
