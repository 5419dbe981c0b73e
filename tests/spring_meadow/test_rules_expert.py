"""Expert Variant."""

from __future__ import annotations

from collections.abc import Collection
from itertools import product

from meadow_engine.spring_meadow.events import MapRefilled, QueueExtended
from meadow_engine.spring_meadow.view import spring_view

from tests.spring_meadow.scene import EMPTY, Scene, new_game, scene

DRAWINGS = ["/".join(lines) for lines in product(("#", "##", "###", "####"), repeat=3)][:60]
"""Sixty tiles that can be told apart."""


SECOND_PATH = (1, 6, 11, 16, 21)


def refilled(gaps: Collection[int], queue: int, box: int) -> Scene:
    """A scene whose scoring refills these gaps; queue and box continue one list of tiles."""
    spaces = [EMPTY if space in gaps else "##" for space in range(25)]
    rest = DRAWINGS[queue : queue + box]
    return scene(
        "", "", signpost=1, hiking_map=" ".join(spaces), queue=" ".join(DRAWINGS[:queue]), box=" ".join(rest[::-1])
    )


def queue_of(game: Scene) -> list[str]:
    """The tiles of the queue, next first."""
    return [game.catalogue.tiles[tile].id for tile in game.state.queue]


def test_refilling_follows_the_open_queue() -> None:
    """What comes onto the map is known before: the next tiles of the queue, whatever the box holds."""
    game = refilled(SECOND_PATH, queue=20, box=10)

    assert [game.map()[space] for space in SECOND_PATH] == DRAWINGS[:5]


def test_the_queue_is_open_to_all() -> None:
    """Everybody sees the queue; the games without the variant have none."""
    game = new_game(3, expert=True)
    view = spring_view(game.state)

    assert (view.expert, len(view.queue)) == (True, 20)
    assert list(view.queue) == game.state.queue
    assert (spring_view(new_game(3).state).expert, spring_view(new_game(3).state).queue) == (False, ())


def test_tiles_leave_the_queue_at_its_head() -> None:
    """The tile nearest the start space goes first; the last one stays until all before it are gone."""
    game = refilled(SECOND_PATH, queue=20, box=0)

    assert queue_of(game) == DRAWINGS[5:20]


def test_gaps_are_filled_row_by_row_from_the_top_left() -> None:
    """The head of the queue goes to the gap nearest the top left, counting along the rows."""
    gaps = (1, 3, 6, 8, 11, 16, 20, 21, 24)
    game = refilled(gaps, queue=20, box=0)

    assert game.happened(MapRefilled)[0].spaces == gaps
    assert [game.map()[space] for space in gaps] == DRAWINGS[:9]


def test_the_queue_moves_up_and_is_topped_up() -> None:
    """The remaining tiles keep their order, and tiles from the box join behind them."""
    game = refilled(SECOND_PATH, queue=20, box=30)

    assert queue_of(game) == DRAWINGS[5:25]
    assert len(game.state.box) == 25
    assert [game.catalogue.tiles[tile].id for tile in game.happened(QueueExtended)[0].tiles] == DRAWINGS[20:25]


def test_the_queue_holds_twenty_tiles() -> None:
    """From the set-up on, as long as the box has tiles; 55 remain in the box."""
    game = new_game(4, 3, expert=True)
    assert (len(game.state.queue), len(game.state.box)) == (20, 55)
    game.play_on()

    assert len(game.state.queue) == 20 or not game.state.box
    assert len(game.happened(QueueExtended)) == len(game.happened(MapRefilled)) > 0


def test_more_than_twenty_gaps_keep_topping_up_the_queue() -> None:
    """Twenty-four gaps take the queue, then four tiles more; afterwards twenty lie open again."""
    game = refilled(range(24), queue=20, box=30)

    assert game.map()[:24] == DRAWINGS[:24]
    assert queue_of(game) == DRAWINGS[24:44]
    assert len(game.state.box) == 6


def test_near_the_end_of_the_box_the_queue_shrinks() -> None:
    """First the queue is no longer full, then spaces stay empty."""
    shorter, empty = refilled(SECOND_PATH, queue=20, box=2), refilled(SECOND_PATH, queue=3, box=0)

    assert queue_of(shorter) == DRAWINGS[5:22]
    assert [empty.map()[space] for space in SECOND_PATH] == [*DRAWINGS[:3], EMPTY, EMPTY]
    assert empty.state.queue == []
