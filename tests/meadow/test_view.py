"""What a seat sees of a game of Meadow: the decision, its hand cards with reasons, and the observation."""

from __future__ import annotations

from random import Random

import pytest
from meadow_engine import api
from meadow_engine.meadow.downstream.catalogue import LAZY_RIVER, WILD_RAPIDS, Extra
from meadow_engine.meadow.pending_view import CardReport, PendingView

from tests.meadow.river import paddle
from tests.meadow.scene import Scene, at_play, scene

FULL = [f"grass~{number}" for number in range(10)]


def pending(game: Scene, viewer: int | None = 0) -> PendingView:
    """What a viewer is told about the decision."""
    found = game.view(viewer).pending
    assert found
    return found


def report(game: Scene, card: str) -> CardReport:
    """What a seat that may play is told about a hand card."""
    number = game.catalogue.card_ids[card]
    return next(told for told in pending(game).hand if told.card == number)


def told(game: Scene, card: str) -> tuple[tuple[int, ...], int, tuple[int, ...], str]:
    """Places, price, missing requirements and obstacle of a hand card."""
    found = report(game, card)
    return found.places, found.discards, found.missing, found.obstacle


def test_a_playable_card_is_told_with_its_places_and_price() -> None:
    """Places as actions number them; what is missing is named by the requirement's number on the card."""
    assert told(at_play("bird(larva)1", "grass+larva", "sands"), "bird(larva)1") == ((0,), 0, (), "")
    game = at_play("bird(tree+larva)2 S91 S92", "grass+larva", "sands+frog")
    assert told(game, "bird(tree+larva)2") == ((0,), 2, (0,), "")
    assert told(at_play("grass", "sands"), "grass") == ((0, 1), 0, (), "")


def test_a_card_that_cannot_be_played_is_told_why() -> None:
    """Each obstacle has its name, with the discards that would be needed."""
    game = at_play("bird(tree+larva)2 S91", "grass+larva")
    assert told(game, "bird(tree+larva)2") == ((), 2, (0,), "SYMBOLS_MISSING")
    assert told(at_play("bird(tree)2 S91 S92", "grass"), "bird(tree)2") == ((), 2, (0,), "NOTHING_MET")
    assert told(at_play("bird(<tree>)2", "grass+tree", "sands", "rocks~2"), "bird(<tree>)2")[0] == (1,)
    assert told(at_play("bird(<tree>)2", "grass+tree"), "bird(<tree>)2") == ((), 0, (), "NO_COLUMN")
    assert told(at_play("landscape()2", "grass"), "landscape()2") == ((), 0, (), "NO_ROAD")
    assert told(at_play("discovery()2", "grass"), "discovery()2") == ((), 0, (), "NO_LANDSCAPE")
    assert told(at_play("sands", *FULL), "sands") == ((), 0, (), "TEN_GROUNDS")


def test_a_refused_play_gives_the_same_reason_as_the_report() -> None:
    """Whoever tries anyway is told the same."""
    for card, columns in (("bird(tree)2", ["grass"]), ("landscape()2", ["grass"]), ("sands", FULL)):
        game = at_play(card, *columns)
        assert game.refuses(f"play {card} 0") == report(game, card).obstacle


def test_hand_reports_are_for_the_seat_only() -> None:
    """Nobody else is told anything about the hand."""
    game = at_play("bird(larva)1", "grass+larva")

    assert pending(game, 0).hand
    assert pending(game, 1).hand == pending(game, None).hand == ()


def test_what_has_to_be_chosen_is_told() -> None:
    """Seat, kind and what the decision is about, at each kind of decision."""
    game = scene("tokens 1234?\nhand bird(larva+tree)2 S91 S92\ncolumn grass+larva", "")
    assert pending(game) == PendingView(0, "place_token")
    assert pending(scene("tokens ?", "").do("token ? L2")) == PendingView(0, "choose_spot", spots=(4, 5, 6, 7))
    assert pending(scene("", "").do("token 2 C1"), 1) == PendingView(0, "campfire", special=2)
    assert pending(scene("tokens ?", "").do("token ? C1"), 1) == PendingView(0, "campfire", special=5)
    goal = scene("column sands tree+bird(sands)", "").do("token 4 C1")
    assert pending(goal, 1) == PendingView(0, "campfire", special=4, plays=2, claimable=(0,))
    game.do("token 1 S1", "play bird(larva+tree)2 0")
    card = game.catalogue.card_ids["bird(larva+tree)2"]
    assert pending(game, 1) == PendingView(0, "discard", card=card, place=0, discards=2)
    looking = scene("", "").do("token 3 C1", "look S")
    assert pending(looking, 1) == PendingView(0, "keep_card", deck=1)
    assert len(pending(looking, 0).looked_at) == 3
    looking.do("keep 0")
    assert (pending(looking).kind, looking.names(pending(looking).looked_at)) == ("put_under", ["S10", "S11"])


def on_space(extra: str, side: str, *, hand: str = "") -> PendingView:
    """What a spectator is told of the choice at a space, two spaces before the end of a move."""
    lines = "supply 5" + ("" if side == LAZY_RIVER else "\npiers 0 3\ntents 1 4")
    game = paddle(f"{extra} none none", 3, side=side, hand=hand, lines=lines)
    return pending(game, None)


def test_what_a_space_offers_is_told() -> None:
    """The face-up cards and decks among which it lets one choose are with it; a hand that could pay is not."""
    everywhere = tuple(range(24))
    told = {
        LAZY_RIVER: {"river_or_e": ((), (2, 4)), "face_up": (everywhere, ()), "road_or_two_cards": ((), ())},
        WILD_RAPIDS: {"s_or_w": ((), (0, 1)), "road_and_face_up": (everywhere, ()), "pier": ((), ()), "tent": ((), ())},
    }
    for side, offers in told.items():
        for name, (spots, decks) in offers.items():
            number = int(Extra[name.upper()])
            expected = PendingView(0, "extra_action", extra=number, spots=spots, decks=decks, spaces_left=2)
            assert on_space(name, side, hand="S91") == expected


def test_how_far_the_kayak_still_goes_is_told() -> None:
    """At a fork, at an extra action, at a play on the way and whatever comes of it, moves within moves included."""
    game = paddle("road play none none none none none", 3, hand="R.frog(sands)^2 S91", lines="supply 5")
    assert (pending(game).kind, pending(game).spaces_left) == ("extra_action", 2)
    game.do("pass")
    assert (pending(game).kind, pending(game).spaces_left) == ("play_card", 1)
    game.do("pass")
    assert pending(game, 1).spaces_left == 0

    fork = paddle("none none none", 3, ways={1: [2, 3]})
    assert pending(fork, None) == PendingView(0, "choose_way", ways=(2, 3), spaces_left=2)

    nested = paddle("play road none none none", 2, hand="R.frog(sands)^3", lines="supply 5")
    nested.do("play R.frog(sands)^3 0")
    assert (pending(nested).kind, pending(nested).spaces_left) == ("extra_action", 3)


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_views_agree_with_the_score_sheet_and_observations_have_one_length(seats: int) -> None:
    """At every decision, for every seat and for spectators."""
    game = api.new_game("meadow" if seats > 1 else "meadow_solo", seats=seats, seed=seats)
    random = Random(seats)
    length = len(game.observation(None))
    while not game.is_over:
        viewer = random.choice([None, *range(seats)])
        view = game.view(viewer)
        assert tuple(player.score for player in view.players) == game.score_sheet().seats
        assert game.returns() == tuple(player.score.total for player in view.players)
        assert len(game.observation(viewer)) == length
        game.apply(random.choice(game.legal_ids()))
    assert game.view(None).pending is None
