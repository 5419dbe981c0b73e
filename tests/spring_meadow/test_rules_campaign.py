"""Campaign."""

from __future__ import annotations

from collections import Counter

import pytest
from meadow_engine.kernel.errors import BadOption
from meadow_engine.spring_meadow.events import (
    BoardChosen,
    CampaignGameStarted,
    GameEnded,
    MapRefilled,
    SoloGameEnded,
    TurnStarted,
)
from meadow_engine.spring_meadow.state import CampaignGame

from tests.spring_meadow.scene import FAMILY, Scene, new_game


def campaign(seed: int = 0, **options: object) -> Scene:
    """A campaign with the built-in pack."""
    return new_game(1, seed, "spring_meadow_campaign", **options)


def next_game(game: Scene) -> Scene:
    """Play the current game to its end: the next board is asked for then."""
    while not game.asks.endswith("choose_board"):
        game.do(min(game.legal()))
    return game


def test_all_tiles_are_dealt_into_four_piles_of_25() -> None:
    """Each game fills the map once, and the four maps together are all 100 tiles."""
    game = campaign(4)
    piles = game.happened(MapRefilled)
    piles += game.play_on().happened(MapRefilled)

    assert [len(pile.tiles) for pile in piles] == [25] * 4
    assert Counter(tile for pile in piles for tile in pile.tiles) == Counter(game.catalogue.box)
    assert len(game.state.box) == 0


def test_four_games_use_four_different_boards() -> None:
    """Neither side of a board that was played on can be chosen again; after four games it is over."""
    game = campaign().do("board 2A")
    assert next_game(game).refuses("board 2B") == "BOARD_USED"
    assert game.refuses("board 2A") == "BOARD_USED"
    assert len(game.legal()) == 6
    game.play_on()

    faces = [chosen.face for chosen in game.happened(BoardChosen)]
    boards = {game.catalogue.faces[face].board for face in faces} | {1}
    assert (len(faces), boards) == (3, {0, 1, 2, 3})
    assert len(game.happened(GameEnded)) == 1


def test_named_boards_must_be_four_different_ones() -> None:
    """Four named faces are used in order; two sides of one board are refused."""
    game = campaign(faces=["4A", "1B", "3A", "2A"])
    chosen = game.happened(BoardChosen)
    chosen += game.play_on().happened(BoardChosen)

    assert [game.catalogue.faces[board.face].id for board in chosen] == ["4A", "1B", "3A", "2A"]
    with pytest.raises(BadOption):
        campaign(faces=["4A", "4B", "3A", "2A"])


def test_a_board_is_chosen_with_the_next_pile_in_sight() -> None:
    """When the next board is asked for, the map is full again and the signpost back at its first path."""
    game = campaign(2).do("board 1A")
    first = game.map()
    next_game(game)

    assert "---" not in game.map()
    assert game.map() != first
    assert game.state.signpost == 0
    assert game.happened(CampaignGameStarted) == [CampaignGameStarted(1)]


def test_each_game_begins_anew() -> None:
    """An empty board, the first path and its full value; points of the games before are kept."""
    game = campaign(2).do("board 1A")
    next_game(game).do("board 3B")

    assert set(game.board()) <= set("123456789 .b\n")
    assert game.happened(TurnStarted)[-1].path == 0
    assert game.state.campaign is not None
    assert len(game.state.campaign) == 1


def test_points_of_the_four_games_are_added() -> None:
    """The campaign's points are the sum of its games'."""
    game = campaign(6).play_on()
    results = [ended.points for ended in game.happened(SoloGameEnded)]

    assert len(results) == 4
    assert FAMILY.returns(game.state) == (sum(results),)


def band(points: int) -> int:
    """How many objectives a finished campaign with these points reaches."""
    game = campaign(1).play_on()
    parts = (100, 150, 150, points - 400)
    game.state.campaign = [CampaignGame(2 * number, (), 0, part) for number, part in enumerate(parts)]
    return FAMILY.outcome(game.state).band


def test_the_objective_is_600_points() -> None:
    """From 600 on the campaign is won, 599 are not enough."""
    assert [band(points) for points in (599, 600, 660)] == [0, 1, 1]
