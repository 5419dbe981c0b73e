"""Downstream: the kayaks on the river track, moved by oars, past spaces with extra actions."""

from __future__ import annotations

import pytest
from meadow_engine.meadow.downstream.catalogue import SIDES, WILD_RAPIDS
from meadow_engine.meadow.downstream.events import KayakMoved
from meadow_engine.meadow.events import CardPlayed, RoadsTaken

from tests.meadow.river import OARS, components, paddle, river_of, river_scene

BARE = "none none none none none"
TWO_WAYS = {1: (2, 3), 2: (4,), 3: (4,)}


# ---- River Deck


@pytest.mark.parametrize("oar", [1, 2, 3, 4])
def test_an_oar_moves_the_kayak_by_its_arrows(oar: int) -> None:
    """One to four spaces forward, right after the card was played."""
    game = paddle(BARE, oar)

    assert river_of(game).kayaks == [oar, 0]
    kinds = [type(event) for event in game.events]
    assert kinds[kinds.index(CardPlayed) + 1 :][:oar] == [KayakMoved] * oar


def test_a_river_card_without_oar_moves_nothing() -> None:
    """A card of the river deck whose oar is missing, or one of another deck, leaves the kayak where it is."""
    game = river_scene("hand frog(sands)1\ncolumn sands", "").do("token 1 S1", "play frog(sands)1 0")

    assert river_of(game).kayaks == [0, 0]


def test_two_arrows_move_two_spaces() -> None:
    """The book's first example: a card without points whose oar has two arrows."""
    game = paddle(BARE, 2)

    assert game.points() == {}
    assert river_of(game).kayaks[0] == 2


def test_at_a_fork_the_way_is_chosen() -> None:
    """The book's second example: the fork lies on the way, so the seat has to choose, then the move goes on."""
    game = paddle(BARE, 3, ways=TWO_WAYS)

    assert game.asks == "0 choose_way"
    assert game.legal() == {"way 0", "way 1"}
    assert game.refuses("way 2") == "NO_SUCH_WAY"
    assert game.refuses("pass") == "WRONG_DECISION"
    assert game.view().pending.ways == (2, 3)  # type: ignore[union-attr]
    assert river_of(game.do("way 1")).kayaks[0] == 4
    assert [event.space for event in game.happened(KayakMoved)] == [3, 4]


def test_a_fork_is_asked_for_on_leaving_it_only() -> None:
    """A move that ends at the fork asks nothing; the next one begins with the choice (D10)."""
    game = paddle(BARE, 1, ways=TWO_WAYS)

    assert game.asks == "1 place_token"
    assert river_of(game).kayaks[0] == 1


def test_a_kayak_never_goes_back() -> None:
    """On both boards every way leads to a later space."""
    for side in SIDES:
        for space in components().sides[side].spaces:
            assert all(way.space > space.number for way in space.ways)


def test_a_space_holds_any_number_of_kayaks() -> None:
    """A kayak stops where another one is."""
    game = river_scene(f"hand {OARS}\ncolumn sands", "", spaces="none none none", lines="kayak 1 at 1 points 0")
    game.do("token 1 S1", "play R.frog(sands)^1 0")

    assert river_of(game).kayaks == [1, 1]


def test_surplus_spaces_at_the_end_are_lost() -> None:
    """At the last space the move ends, whatever is left of it (D8)."""
    game = paddle("none none=20", 4)

    assert river_of(game).kayaks[0] == 2
    assert game.asks == "1 place_token"


def test_a_landscape_s_oar_moves_after_its_road_was_used() -> None:
    """The kayak moves when the card lies in the surroundings, its road used: a road on the way comes too late (D8)."""
    game = river_scene("roads 1\nhand R.landscape()^1", "", spaces="none road")
    game.do("token 1 S1", "play R.landscape()^1 0")

    assert game.player().roads == 0
    assert game.do("use").player().roads == 1


def test_an_oar_on_a_discovery_moves_too() -> None:
    """Discoveries of the river deck have oars as well."""
    game = river_scene("roads 1\nhand R.discovery()^2\nlandscape landscape()2", "")
    game.do("token 1 S1", "play R.discovery()^2 0")

    assert river_of(game).kayaks[0] == 2


def test_an_oar_on_a_ground_moves_too() -> None:
    """So do grounds; the starting grounds have none (D7)."""
    game = river_scene("hand R.watery+frog^1", "").do("token 1 S1", "play R.watery+frog^1 0")

    assert river_of(game).kayaks[0] == 1


# ---- Rules of the variants: extra actions on the way


def test_a_space_acts_when_the_kayak_stops_on_it() -> None:
    """Its action may be performed."""
    assert paddle("road", 1).legal() == {"use", "pass"}


def test_a_space_acts_when_the_kayak_passes_it() -> None:
    """So it may when the move goes on beyond it."""
    game = paddle("road none none", 3)

    assert game.legal() == {"use", "pass"}
    assert river_of(game.do("use")).kayaks[0] == 3
    assert game.player().roads == 1


def test_an_extra_action_may_be_declined() -> None:
    """Passing does nothing, and the move goes on (D2)."""
    game = paddle("road road none", 3).do("pass")

    assert game.player().roads == 0
    assert (
        game.do(
            "use",
        )
        .player()
        .roads
        == 1
    )
    assert river_of(game).kayaks[0] == 3


def test_extra_actions_come_in_the_order_of_the_spaces() -> None:
    """The first space is done with before the kayak reaches the second."""
    game = paddle("sunset road", 2, lines="sunset T.landscape()1 T.landscape()2")
    assert river_of(game).kayaks[0] == 1

    assert game.do("use").hand() == ["T.landscape()2"]
    assert river_of(game).kayaks[0] == 2
    assert game.do("use").happened(RoadsTaken) == [RoadsTaken(0, 1)]


def test_a_space_acts_once_a_visit() -> None:
    """The next move begins beyond it (D8)."""
    game = paddle("road none none", 1, hand="R.frog(frog)^1").do("use")
    assert game.asks == "1 place_token"
    game = river_scene(
        "tokens 1\nhand R.frog(sands)^1\ncolumn sands", "", spaces="none road none", lines="kayak 0 at 1 points 0"
    )

    assert game.do("token 1 S1", "play R.frog(sands)^1 0").asks == "1 place_token"


def test_a_play_on_the_way_moves_the_kayak_further() -> None:
    """The card played from a space, and its oar, are done with before the first move goes on (D1)."""
    game = paddle("play road none sunset none none", 2, hand="R.frog(frog)^3", lines="sunset T.landscape()1")
    assert river_of(game).kayaks[0] == 1
    game.do("play R.frog(frog)^3 0")

    # three spaces of the second oar: road, nothing, sunset; then the one that was left of the first
    assert (game.asks, river_of(game).kayaks[0]) == ("0 extra_action", 2)
    game.do("use")
    assert (game.legal(), river_of(game).kayaks[0]) == ({"use", "pass"}, 4)
    game.do("use")
    assert (game.asks, river_of(game).kayaks[0]) == ("1 place_token", 5)


def test_a_space_with_nothing_to_do_asks_nothing() -> None:
    """No road left, no card left: the kayak goes on."""
    game = paddle("road sunset none", 3, lines="supply 0")

    assert river_of(game).kayaks[0] == 3
    assert game.asks == "1 place_token"


def test_the_special_action_of_two_plays_goes_on_after_the_river() -> None:
    """Token 4: the second play comes when the first one's kayak has stopped."""
    hand = "hand R.frog(sands)^1 R.frog(frog)^1"
    game = river_scene(f"{hand}\ncolumn sands", "", spaces="none road road").do("token 4 C1")
    game.do("play R.frog(sands)^1 0")
    assert game.legal() == {"use", "pass"}

    assert game.do("use").plays() == 1
    assert game.do("play R.frog(frog)^1 0", "use").asks == "1 place_token"
    assert river_of(game).kayaks[0] == 2


# ---- Points of the track


def test_the_highest_number_reached_or_passed_counts() -> None:
    """Numbers do not add up, and a space beyond the last number keeps it."""
    game = paddle("none=3 none=5 none", 3)

    assert game.points() == {"river": 5}
    assert paddle("none=3 none=5 none", 1).points() == {"river": 3}
    assert paddle("none none", 2).points() == {}


def test_only_numbers_on_the_route_travelled_count() -> None:
    """A fork may skip a number (D9)."""
    over, under = (paddle("none none=5 none=3 none", 3, ways=TWO_WAYS).do(way) for way in ("way 0", "way 1"))

    assert (over.points(), under.points()) == ({"river": 5}, {"river": 3})


@pytest.mark.parametrize(
    ("side", "numbers"),
    [("lazy_river", [3, 5, 8, 10, 13, 17, 20]), (WILD_RAPIDS, [3, 5, 8, 11, 13, 15, 17, 20])],
)
def test_the_boards_have_the_numbers_of_the_book(side: str, numbers: list[int]) -> None:
    """Each of them stands beside at least one space, and no other does."""
    assert sorted({space.points for space in components().sides[side].spaces} - {0}) == numbers


# ---- Shortcut


SHORTCUT = {1: (2, "3!"), 2: (4,), 3: (4,)}


def test_without_a_triangle_the_shortcut_is_closed() -> None:
    """The kayak takes the other way without being asked."""
    game = paddle(BARE, 2, ways=SHORTCUT, side=WILD_RAPIDS)

    assert [event.space for event in game.happened(KayakMoved)] == [1, 2]


def test_with_a_triangle_the_shortcut_may_be_used() -> None:
    """The book's ninth example: the symbol is visible in the meadow; either way can be chosen."""
    columns = ("sands", "watery nature-monument(watery)")
    game = paddle(BARE, 2, columns=columns, ways=SHORTCUT, side=WILD_RAPIDS)

    assert game.legal() == {"way 0", "way 1"}
    assert river_of(game.do("way 1")).kayaks[0] == 3


def test_the_triangle_must_be_visible_when_the_shortcut_is_entered() -> None:
    """One that a play on the way covers is gone, and one that it brings is there (D10)."""
    monument = "R.nature-monument(frog)"
    game = paddle("play none none none", 2, hand=monument, ways=SHORTCUT, side=WILD_RAPIDS)
    assert game.do(f"play {monument} 0").legal() == {"way 0", "way 1"}

    columns = ("sands", "watery nature-monument(watery)")
    game = paddle(
        "play none none none", 2, hand="bird(nature-monument)", columns=columns, ways=SHORTCUT, side=WILD_RAPIDS
    )
    assert game.do("play bird(nature-monument) 1").asks == "1 place_token"
    assert river_of(game).kayaks[0] == 2


def test_a_closed_shortcut_is_refused_by_name() -> None:
    """Where other ways are left to choose from, the refusal says what is missing."""
    game = paddle(BARE, 2, ways={1: (2, 3, "4!"), 2: (5,), 3: (5,), 4: (5,)}, side=WILD_RAPIDS)

    assert game.legal() == {"way 0", "way 1"}
    assert game.refuses("way 2") == "NO_TRIANGLE"


def test_a_triangle_in_the_hand_opens_nothing() -> None:
    """It has to be visible in the meadow."""
    game = paddle(BARE, 2, hand="R.nature-monument(tree)", ways=SHORTCUT, side=WILD_RAPIDS)

    assert river_of(game).kayaks[0] == 2
