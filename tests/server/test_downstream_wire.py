"""The messages of Downstream against the engine's views, at every decision of whole games."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from meadow_api.v1 import catalogue_pb2, downstream_pb2, game_pb2, meadow_pb2
from meadow_api.v1 import game_service_pb2 as pb
from meadow_api.v1 import meadow_cards_pb2 as card_pb
from meadow_engine import api
from meadow_server.errors import ApiError
from meadow_server.wire.catalogue import catalogue_to_message
from meadow_server.wire.families import FAMILIES
from meadow_server.wire.meadow.actions import action_to_message, actions_from_message

from tests.content.pack_files import swap, without_downstream, write
from tests.server.harness import AsyncStub, hosted, new_table, refused

WIRE = FAMILIES["meadow"]
VARIANTS = [variant for variant in api.variants() if variant.id.startswith("downstream")]
CATALOGUE = catalogue_to_message(api.builtin_pack(), "meadow").meadow
CARDS = CATALOGUE.cards
TABLES: Any = api.catalogue("meadow")
MAIN_SPOTS = 16


def played(variant: api.Variant, seed: int) -> Iterator[api.Game]:
    """A game at each decision, and at its end."""
    game, chance = api.new_game(variant.id, seats=variant.max_seats, seed=seed), random.Random(seed)
    while not game.is_over:
        yield game
        game.apply(chance.choice(game.legal_ids()))
    yield game


def message_of(game: api.Game) -> meadow_pb2.MeadowView:
    """A spectator's view as it is sent."""
    view = game_pb2.GameView()
    WIRE.view_to(game.view(None), view)
    return view.meadow


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.id)
def test_the_river_is_the_engines(variant: api.Variant) -> None:
    """Kayaks, piles, tokens, goals and points are those of the engine's view; enums are one more than its numbers."""
    for game in played(variant, 3):
        view, sent = game.view(None), message_of(game)
        river, told = view.river, sent.river
        assert list(sent.board_cards) == list(view.board)
        assert [p.space for p in told.players] == list(river.kayaks)
        assert [p.points for p in told.players] == list(river.points)
        assert [p.start_card for p in told.players] == list(river.starts)
        assert [p.bonus_placed for p in told.players] == [bool(river.bonuses >> n & 1) for n in range(game.seats)]
        kept = river.kept or ((),) * game.seats
        assert [[tent - 1 for tent in p.tents] for p in told.players] == [list(tents) for tents in kept]
        assert (list(told.sunset_cards), list(told.beaver_dam_cards)) == (list(river.sunset), list(river.beaver_dams))
        assert [goal - 1 for goal in told.goals] == list(river.goals)
        for area, tokens, down in (
            (river.piers, told.piers, told.piers_face_down),
            (river.tents, told.tents, told.tents_face_down),
        ):
            assert ([token - 1 for token in tokens], down) == (list(area.open), area.down)
        assert told.solo_cards_left == river.solo_cards
        assert list(told.solo_cards_spent) == list(river.solo_spent)
        assert sent.HasField("rover") == (game.seats == 1)
        assert not sent.rover.HasField("points")
        for player, score in zip(sent.players, game.score_sheet().seats, strict=True):
            points = player.score
            sources = (points.river_points, points.river_goal_points, points.tent_points)
            base = points.meadow_points + points.landscape_points + points.discovery_points + points.goal_points
            assert points.total == base + sum(sources) == score.total


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.id)
def test_a_choice_says_what_it_is_about(variant: api.Variant) -> None:
    """Extra action, ways, decks and spots are those that the legal list offers."""
    for seed in range(3):
        for game in played(variant, seed):
            if game.decision is None:
                continue
            decision = message_of(game).decision
            actions = [game.action(action_id) for action_id in game.legal_ids()]
            kind = game.decision.kind
            assert bool(decision.extra_action) == (kind == "extra_action")
            assert decision.spaces_left == game.view(None).pending.spaces_left
            if kind == "extra_action":
                takes, draws = api.meadow_actions.TakeCard, api.meadow_actions.DrawFrom
                assert [action.spot for action in actions if isinstance(action, takes)] == list(decision.spots)
                assert [action.deck + 1 for action in actions if isinstance(action, draws)] == list(decision.decks)
            if kind == "choose_way":
                space = board_of(game).spaces[message_of(game).river.players[game.decision.seat].space]
                assert [space.ways[action.way].space for action in actions] == list(decision.way_spaces)
            elif kind == "choose_deck":
                assert [action.deck + 1 for action in actions] == list(decision.decks)
            elif kind == "take_card":
                assert [action.spot for action in actions] == sorted(decision.spots)


def board_of(game: api.Game) -> downstream_pb2.DownstreamRiverBoard:
    """The side of the river board in play."""
    side = message_of(game).river.side
    return next(board for board in CATALOGUE.downstream.boards if board.side == side)


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.id)
def test_a_spot_of_the_river_filters_the_tokens_that_reach_it(variant: api.Variant) -> None:
    """For each spot of the river: its take, and the tokens in the notches that point at it, and no others."""
    game = next(game for game in played(variant, 5) if game.decision and game.decision.kind == "place_token")
    notches = {notch.place: notch.spots for notch in board_of(game).notches}
    for spot in range(MAIN_SPOTS, MAIN_SPOTS + 8):
        found = WIRE.select(game, meadow_pb2.MeadowActionFilter(spot=spot))
        expected = [i for i in game.legal_ids() if spot in notches.get(game.action(i).place, ())]
        assert found == expected
        named = {notch.place: notch.display_name for notch in board_of(game).notches}
        assert all(game.label(i).endswith(f"notch {named[game.action(i).place]}") for i in expected)
        assert found or game.seats == 1


def test_tokens_are_taken_by_the_numbers_of_their_enums_only() -> None:
    """0 to 6 are seven choices, which are sent as they were given; no other number stands for one of them."""
    given = [meadow_pb2.MeadowAction(take_token=downstream_pb2.DownstreamTakeToken(token=token)) for token in range(9)]
    for message in given[:7]:
        (action,) = actions_from_message(message, "action")
        sent = game_pb2.Action()
        action_to_message(action, sent)
        assert sent.meadow == message
    for message in given[7:]:
        with pytest.raises(ApiError, match="not a number from 0 to 6") as refusal:
            actions_from_message(message, "action")
        assert refusal.value.reason == "BAD_FIELD"


def test_the_catalogue_has_the_boards_of_the_pack() -> None:
    """Spaces, ways, notches and piles are those of the engine's tables, and every number refers to something."""
    tables = TABLES.downstream
    told = CATALOGUE.downstream
    for board, name in zip(told.boards, api.downstream_catalogue.SIDES, strict=True):
        side = tables.sides[name]
        assert [space.id for space in board.spaces] == [space.id for space in side.spaces]
        assert [[(w.space, w.shortcut) for w in space.ways] for space in board.spaces] == [
            [(w.space, w.shortcut) for w in space.ways] for space in side.spaces
        ]
        assert [space.extra_action for space in board.spaces] == [space.extra for space in side.spaces]
        assert [notch.place for notch in board.notches] == list(range(21, 27))
        assert [notch.display_name for notch in board.notches] == ["V1", "V2", "V3", "V4", "V5", "V6"]
        assert {spot for notch in board.notches for spot in notch.spots} == set(range(16, 24))
        assert len(board.piles) == len(side.piles) == 4
        assert len(board.spots) == 8
    assert {place - 21 for place in told.solo_card_places} == set(tables.solo_notches)
    piles = [CATALOGUE.cards[card].points for card in told.sunset_cards]
    assert piles == sorted(piles, reverse=True)
    assert [tent.points for tent in told.tent_tokens] == [4, 3, 1, 2, 0, 0]
    assert (told.extra_bonus_value, told.road_tokens, len(told.start_cards)) == (3, 8, 4)
    assert [card.oar for card in CATALOGUE.cards] == [card.oar for card in TABLES.cards]


async def test_a_pack_without_downstream_plays_meadow_only(tmp_path: Path) -> None:
    """Its catalogue has no river; a game of Downstream with it is refused by name, one of Meadow is not."""
    files = without_downstream()
    swap("pack.toml", '"original"', '"dry"')(files)
    folder = write(tmp_path / "dry", files)
    async with hosted(tmp_path) as host:
        host.config = replace(host.config, packs=(folder,))
        await host.restart()
        asked = pb.GetCatalogueRequest(pack="dry", family=catalogue_pb2.GAME_FAMILY_MEADOW)
        assert not (await host.stub.GetCatalogue(asked)).catalogue.meadow.HasField("downstream")
        with refused("PACK_NOT_FOUND"):
            await new_table(host.stub, variant="downstream_lazy_river", pack="dry")
        assert not (await (await new_table(host.stub, variant="meadow", pack="dry")).view()).meadow.HasField("river")


@pytest.mark.parametrize(("letters", "shuffled"), [((), ["U"]), (("Z", "T"), ["T", "U", "Z"]), (("U",), ["U"])])
async def test_envelopes_of_the_river(stub: AsyncStub, letters: tuple[str, ...], shuffled: list[str]) -> None:
    """Z joins the others, and U is always in; the game says which letters were given."""
    options = game_pb2.GameOptions(meadow=meadow_pb2.MeadowOptions(envelopes=letters))
    table = await new_table(stub, variant="downstream_wild_rapids", options=options)
    assert list(table.created.game.options.meadow.envelopes) == list(letters)
    view = (await table.view()).meadow
    river = sum(card.deck == card_pb.MEADOW_DECK_RIVER and card.card_set in {"downstream", *shuffled} for card in CARDS)
    left = next(count.count for count in view.deck_counts if count.deck == card_pb.MEADOW_DECK_RIVER)
    assert left + len(view.board_cards[MAIN_SPOTS:]) == river


async def test_envelope_z_belongs_to_the_river(stub: AsyncStub) -> None:
    """Meadow itself does not have it."""
    options = game_pb2.GameOptions(meadow=meadow_pb2.MeadowOptions(envelopes=["Z"]))
    with refused("BAD_OPTION") as refusal:
        await new_table(stub, variant="meadow", options=options)
    assert refusal.field == "options.envelopes"
