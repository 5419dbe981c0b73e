"""Components and Set-up."""

from __future__ import annotations

from collections import Counter

import pytest
from meadow_engine.content.library import builtin_pack
from meadow_engine.kernel.errors import BadOption
from meadow_engine.spring_meadow import content
from meadow_engine.spring_meadow.events import RockPlaced
from meadow_engine.spring_meadow.view import spring_view

from tests.spring_meadow.packs import document_faults_after, faults_after
from tests.spring_meadow.scene import COLUMN_1, Scene, new_game


def start_rocks(game: Scene) -> list[int]:
    """Start rocks of the seats in order of play."""
    seats = game.state.seats
    return [game.state.mountains[(game.state.active + order) % seats].start_rock for order in range(seats)]


def test_the_hiking_map_has_a_face_of_20_and_a_face_of_24_paths() -> None:
    """A pack describes both faces of the map; one alone is refused."""
    box = content.catalogue(builtin_pack())

    assert (len(box.map_2_4.paths), len(box.map_1_3.paths)) == (20, 24)
    assert document_faults_after("spring_maps.toml", lambda data: data["map"].pop(0))
    assert document_faults_after("spring_maps.toml", lambda data: data["map"].pop(1))


def test_a_pack_must_have_four_boards_of_two_faces() -> None:
    """Eight faces, two for each of four boards; a pack with another number is refused."""
    boards = [face.board for face in content.catalogue(builtin_pack()).faces]

    assert sorted(boards) == [0, 0, 1, 1, 2, 2, 3, 3]
    assert document_faults_after("spring_boards.toml", lambda data: data["face"].pop())
    assert document_faults_after("spring_boards.toml", lambda data: data["face"][0].update(board=2))


def test_a_pack_must_have_72_rocks_in_five_shapes() -> None:
    """Sizes 1, 2, 3, 3 and 4 with 72 pieces in all; a pack with other numbers is refused."""
    rocks = content.catalogue(builtin_pack()).rocks

    assert [rock.size for rock in rocks] == [1, 2, 3, 3, 4]
    assert sum(rock.count for rock in rocks) == 72
    assert faults_after("spring_rocks.csv", lambda rows: rows[0].update(count="1"))
    assert faults_after("spring_rocks.csv", lambda rows: rows.pop())


def test_a_pack_must_have_100_meadow_tiles() -> None:
    """The copies of all kinds add up to 100; a pack with one tile more is refused."""
    box = content.catalogue(builtin_pack())

    assert len(box.box) == sum(kind.copies for kind in box.tiles) == 100
    assert faults_after("spring_tiles.csv", lambda rows: rows[0].update(copies=str(int(rows[0]["copies"]) + 1)))


def test_the_face_of_the_map_depends_on_the_number_of_players() -> None:
    """Two and four players use the face of 20 paths, one and three the face of 24."""
    solo = new_game(1, variant="spring_meadow_solo")

    assert [len(new_game(seats).state.hiking_map.paths) for seats in (2, 3, 4)] == [20, 24, 20]
    assert len(solo.state.hiking_map.paths) == 24


def test_25_tiles_at_random_fill_the_map() -> None:
    """Every space gets a tile; another seed gives another map, the same seed the same."""
    maps = [new_game(2, seed).map() for seed in (1, 2, 1)]

    assert all("---" not in tiles and len(tiles) == 25 for tiles in maps)
    assert maps[0] == maps[2] != maps[1]


def test_the_other_75_tiles_stay_in_the_box() -> None:
    """Map and box together are the 100 tiles of the pack."""
    state = new_game(3, 5).state

    assert len(state.box) == 75
    assert Counter(state.meadow_map + state.box.items) == Counter(state.catalogue.box)


def test_the_signpost_starts_at_the_first_column() -> None:
    """All players' first path is the left column of the map, from above; a map whose paths go astray is refused."""
    for seats in (2, 3, 4):
        game = new_game(seats)
        assert game.state.signpost == 0
        assert game.state.hiking_map.paths[0] == COLUMN_1
        assert game.legal() == {f"take {space}" for space in COLUMN_1}
    assert document_faults_after("spring_maps.toml", lambda data: data["map"][0]["ring"].reverse())


def test_boards_are_dealt_at_random_one_to_each_player() -> None:
    """Over many seeds a seat gets every face, and two seats never the same board."""
    games = [new_game(4, seed) for seed in range(60)]
    faces = games[0].catalogue.faces

    assert {game.state.mountains[2].face for game in games} == set(range(8))
    for game in games:
        assert len({faces[mountain.face].board for mountain in game.state.mountains}) == 4


def test_faces_can_be_chosen() -> None:
    """Named faces go to the seats in order."""
    game = new_game(3, faces=["2B", "1A", "4A"])

    assert [game.catalogue.faces[mountain.face].id for mountain in game.state.mountains] == ["2B", "1A", "4A"]


def test_two_players_cannot_choose_one_board() -> None:
    """Two sides of one board are refused, like the same side twice."""
    for faces in (["1A", "1B"], ["2A", "2A"]):
        with pytest.raises(BadOption):
            new_game(2, faces=faces)


def test_faces_are_chosen_for_all_seats_or_for_none() -> None:
    """Two faces do not do for three players."""
    with pytest.raises(BadOption):
        new_game(3, faces=["1A", "2A"])


def test_the_start_player_is_chosen_or_drawn() -> None:
    """The option names who starts; without it the seed gives everyone the start now and then."""
    assert [new_game(3, first_seat=seat).asks for seat in range(3)] == [f"{seat} choose_tile" for seat in range(3)]
    assert {new_game(3, seed).state.active for seed in range(40)} == {0, 1, 2}


def test_the_start_player_must_be_in_the_game() -> None:
    """A seat that only a larger game has cannot start."""
    for seats in (2, 3):
        with pytest.raises(BadOption):
            new_game(seats, first_seat=seats)


def test_start_rocks_follow_the_order_of_play() -> None:
    """Whoever starts, the rocks go to the seats after that one."""
    game = new_game(4, first_seat=2)

    assert [mountain.start_rock for mountain in game.state.mountains] == [2, 3, 0, 1]
    assert [board.start_rock for board in spring_view(game.state).mountains] == [2, 3, 0, 1]


def test_two_players_start_rocks() -> None:
    """With two players the second one gets a rock of 2."""
    assert start_rocks(new_game(2, first_seat=1)) == [0, 2]


def test_three_players_start_rocks() -> None:
    """With three players the second one gets a rock of 1 and the third one of 3."""
    assert start_rocks(new_game(3, first_seat=1)) == [0, 1, 3]


def test_four_players_start_rocks() -> None:
    """With four players the later ones get rocks of 1, 2 and 3."""
    assert start_rocks(new_game(4, first_seat=1)) == [0, 1, 2, 3]


def test_every_start_rock_is_placed_once() -> None:
    """Over a whole game each seat but the first places one start rock."""
    game = new_game(4, first_seat=0).play_on()

    assert sorted(rock.seat for rock in game.happened(RockPlaced) if rock.start) == [1, 2, 3]
