"""Ways to lay tiles and rocks: all legal, and the boards they lead to are the engine's."""

from __future__ import annotations

from collections.abc import Iterator

from meadow_engine import api
from meadow_engine.bots.spring_moves import guess, lay_tile, places_of, rock_lays, tile_lays, weigh
from meadow_engine.bots.spring_worth import Board, Outlook
from meadow_engine.spring_meadow.actions import PLACE_ROCK, PLACE_TILE
from meadow_engine.spring_meadow.rocks import Rock

from tests.support.frozen import frozen_pack


def walk(kind: str, seeds: int) -> Iterator[tuple[api.Game, Board, Outlook]]:
    """Decisions of a kind in random games, with board and outlook of the seat to move."""
    random = api.bot("random", "spring_meadow")
    for seed in range(seeds):
        game = api.new_game("spring_meadow", seats=3, seed=seed, pack=frozen_pack())
        streams = api.Streams(seed.to_bytes(32, "big"))
        while (decision := game.decision) is not None:
            view = game.view(decision.seat)
            if decision.kind == kind:
                yield game, Board.of(view.mountains[decision.seat]), Outlook.of(view, decision.seat)
            game.apply(random.choose(view, game.legal_ids(), game.catalogue, streams))


def test_tiles_are_laid_legally() -> None:
    """Each way to lay a tile is on the legal list, none twice; there is one whenever there is a legal one."""
    for game, board, outlook in walk("place_tile", 5):
        tile = game.view().pending.tile
        places = [PLACE_TILE + lay.place for lay in tile_lays([tile], board, outlook, game.catalogue)]
        assert places
        assert len(set(places)) == len(places)
        assert set(places) <= set(game.legal_ids())


def test_a_tile_leaves_the_board_the_engine_makes() -> None:
    """Without rocks and marmots to choose, the board planned is the board that comes."""
    compared = 0
    for game, board, outlook in walk("place_tile", 5):
        seat, tile = game.view().pending.seat, game.view().pending.tile
        for lay in tile_lays([tile], board, outlook, game.catalogue)[::9]:
            twin = game.clone()
            twin.apply(PLACE_TILE + lay.place)
            asked = twin.decision
            if asked is None or asked.kind in ("place_marmot", "place_rock", "choose_rock") or asked.seat == seat:
                continue
            mountain = twin.state.mountains[seat]
            if mountain.pins == game.state.mountains[seat].pins:  # a scoring phase would put marmots
                assert lay_tile(board, lay, 0, outlook, game.catalogue) == Board.of(twin.view().mountains[seat])
                compared += 1
    assert compared > 100


def test_rocks_are_laid_legally() -> None:
    """Each way to lay a rock is on the legal list and leaves the board the engine makes."""
    compared = 0
    for game, board, outlook in walk("place_rock", 5):
        waiting = game.view().pending
        rock = Rock(waiting.rock_size, waiting.rock_is_start)
        lays = rock_lays(board, rock, outlook, game.catalogue)
        assert {PLACE_ROCK + lay.place for lay in lays} <= set(game.legal_ids())
        for lay in lays[::5]:
            twin = game.clone()
            twin.apply(PLACE_ROCK + lay.place)
            after = twin.view().mountains[waiting.seat]
            if after.pins == game.view().mountains[waiting.seat].pins:
                assert lay.board == Board.of(after)
                compared += 1
    assert compared > 100


def test_guesses_rank_like_worths() -> None:
    """Where a lay earns no rock and covers no burrow, its guess is the worth of the board it leads to."""
    compared = 0
    for game, board, outlook in walk("place_tile", 2):
        lays = tile_lays([game.view().pending.tile], board, outlook, game.catalogue)
        for lay, guessed in zip(lays, guess(lays, board, outlook), strict=True):
            after = lay_tile(board, lay, 0, outlook, game.catalogue)
            covers = int.from_bytes(lay.covers, "little")
            if after.covered == board.covered | covers and not covers & outlook.burrows:
                assert guessed == weigh([after], outlook)[0]
                compared += 1
    assert compared > 100


def test_the_best_places_come_first_and_ties_keep_their_order() -> None:
    """Equal worths are told apart by their order, so that a choice never hangs on chance."""
    assert places_of([3, 7, 7, 1, 7], 4) == [1, 2, 4, 0]
