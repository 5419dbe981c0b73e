"""Downstream: the solo game, Rover on the river, and its table."""

from __future__ import annotations

import pytest
from meadow_engine import api
from meadow_engine.meadow.downstream.catalogue import LAZY_RIVER, SIDES, WILD_RAPIDS, Pier, Tent
from meadow_engine.meadow.downstream.events import PierTaken, RoverOnRiver, TentTaken, WaterfallPassed
from meadow_engine.meadow.events import GameEnded, RoundStarted, RoverDealt, RoverMoved, TokenPlaced

from tests.meadow.river import RIVER, components, river_of, river_scene
from tests.meadow.scene import BOARD, EMPTY, Scene, new_game

SOLO = [f"downstream_{side}_solo" for side in SIDES]
V = {name: number for number, name in enumerate(("V1", "V2", "V3", "V4", "V5", "V6"))}


def card_for(notch: str) -> int:
    """The solo card that names a notch."""
    return components().solo_notches.index(V[notch])


def alone(
    pile: str = "1:?",
    solo: str = "0 1 2 3 4 5",
    *,
    player: str = "tokens 4\ncolumn sands",
    side: str = LAZY_RIVER,
    river: str = RIVER,
    lines: str = "",
    river_deck: str = "R14 R13 R12 R11 R10 R9",
    round_number: int = 1,
) -> Scene:
    """A solo position: Rover has flipped the last token of his pile, the player's turn is on."""
    text = f"rover markers 0 1 2\npile {pile}\nsolo {solo}\n{lines}"
    return river_scene(player, side=side, river=river, lines=text, decks={"R": river_deck}, round_number=round_number)


def rover_s(game: Scene) -> RoverOnRiver:
    """Rover's latest move on the river."""
    return game.happened(RoverOnRiver)[-1]


# ---- Changes to the Setup


@pytest.mark.parametrize("variant", SOLO)
def test_the_solo_game_is_one_for_two_with_the_river(variant: str) -> None:
    """Six rounds, three goals of all tokens with the fish, two waterfalls, the player with six tokens."""
    game = new_game(1, 0, variant)
    drawn = {symbol for seed in range(60) for symbol in new_game(1, seed, variant).state.goals}

    assert (len(game.state.goals), len(drawn), game.state.rounds) == (3, 13, 6)
    assert components().waterfalls[1] == components().waterfalls[2]
    game.play_on()
    order = [type(event).__name__ for event in game.events if isinstance(event, RoverMoved | TokenPlaced)]
    assert order == ["RoverMoved", "TokenPlaced"] * 36


def test_the_player_begins_with_two_grounds() -> None:
    """One of the base game and a watery one."""
    game = new_game(1, 0, SOLO[0]).do("row 0", "ground 0", "watery 1 1")

    assert len(game.meadow()) == 2
    assert game.visible()["watery"] == 1


def test_two_notches_of_the_campfire_are_blocked_on_the_river_too() -> None:
    """Three are left, and all six of the river board."""
    game = alone("1:1 1:2", player="tokens 4R\ncolumn sands")

    assert {text.split()[2] for text in game.legal("token 4 C")} == {"C1", "C2", "C3"}
    assert len(game.legal("token R ")) == 6


def test_two_pier_and_two_tent_tokens_lie_out_one_of_each_face_up() -> None:
    """Wild Rapids alone: which lies face down nobody knows (D21)."""
    shown = set()
    for seed in range(20):
        view = new_game(1, seed, SOLO[1]).view().river
        assert view is not None
        for area in (view.piers, view.tents):
            assert (len(area.open), area.down) == (1, 1)
        shown.add((view.piers.open, view.tents.open))
    assert len(shown) > 5
    assert new_game(1, 0, SOLO[0]).view().river.piers.down == 0  # type: ignore[union-attr]


def test_the_token_face_up_or_the_unknown_one() -> None:
    """Either may be chosen; the unknown one comes to light and is done."""
    hand = "tokens 4\nhand R.frog(sands)^1\ncolumn sands"
    lines = f"tents {Tent.TWO_PLAYS:d} under 3 4 {Tent.FOUR_POINTS:d}"
    text = f"{lines}\nrover markers 0 1 2\npile 1:1\nsolo 0"
    game = river_scene(hand, side=WILD_RAPIDS, spaces="none tent", lines=text)
    game.do("token 4 C1", "play R.frog(sands)^1 0")
    assert game.legal() == {"pick 5", "pick 6", "pass"}
    game.do("pick 6")

    assert game.happened(TentTaken) == [TentTaken(0, Tent.FOUR_POINTS, face_down=True)]
    assert game.points() == {"tents": 4}
    assert (river_of(game).tents.open, river_of(game).tents.down) == ([Tent.TWO_PLAYS], 0)


def test_the_unknown_pier_token_is_done_and_leaves() -> None:
    """Likewise at the piers; the open one stays for the next visit."""
    lines = f"piers {Pier.E_W_N:d} under 4 {Pier.TWO_ROADS:d}\nrover markers 0 1 2\npile 1:1\nsolo 0"
    player = "tokens 4\nhand R.frog(sands)^2\ncolumn sands"
    game = river_scene(player, side=WILD_RAPIDS, spaces="none pier pier", lines=lines)
    game.do("token 4 C1", "play R.frog(sands)^2 0", "pick 6")

    assert game.happened(PierTaken) == [PierTaken(0, Pier.TWO_ROADS, face_down=True)]
    assert game.player().roads == 2
    assert game.legal() == {f"pick {Pier.E_W_N:d}", "pass"}


def test_the_unknown_token_can_be_any_that_is_not_shown() -> None:
    """Determinized samples differ in it, and never name the one that lies open."""
    game = api.new_game(SOLO[1], seats=1, seed=11)
    shown = game.view(0).river.tents.open[0]
    tops = {game.determinize(0, seed).state.river.tents.hidden.items[-1] for seed in range(60)}

    assert tops == set(range(6)) - {shown}


def test_the_six_cards_are_shuffled() -> None:
    """Face down, in an order that depends on the seed."""
    piles = [tuple(river_of(new_game(1, seed, SOLO[0])).solo.items) for seed in range(6)]

    assert all(sorted(pile) == [0, 1, 2, 3, 4, 5] for pile in piles)
    assert len(set(piles)) > 3


def test_rover_takes_the_top_row_and_an_n_card_first() -> None:
    """As in the base game; the river is left alone."""
    game = new_game(1, 3, SOLO[0])
    river = game.board()[16:]
    game.do("row 1")

    assert len(game.hand()) == 5
    assert [len(event.cards) for event in game.happened(RoverDealt)] == [5]
    assert game.board()[16:] == river


# ---- Changes to Gameplay


def test_a_numbered_token_moves_rover_as_in_the_base_game() -> None:
    """He takes a card from the main board and does nothing on the river."""
    game = alone("1:2")

    assert game.happened(RoverOnRiver) == []
    assert game.board()[16:] == RIVER.split()
    assert len(game.happened(RoverMoved)) == 1


def test_with_a_question_mark_rover_places_two_tokens() -> None:
    """The ? token in a notch of the campfire, a river trail token where the solo card says."""
    game = alone("1:?", f"0 {card_for('V3')}")

    assert game.tokens() == {"C1": "1:?", "V3": "1:R"}
    assert rover_s(game).place == 23
    assert river_of(game).solo.items == [0]
    view = game.view().river
    assert view is not None
    assert (view.solo_cards, view.solo_spent) == (1, (1, 2, 3, 4, 5))


def test_he_discards_the_row_or_column_and_the_river_is_refilled() -> None:
    """All cards there; new ones come first, then the discarded ones go under the deck in random order (D20)."""
    game = alone("1:?", f"{card_for('V3')}")
    assert game.names(rover_s(game).swept) == ["R8", "R4"]

    assert game.board()[16:] == ["R1", "R2", "R3", "R10", "R5", "R6", "R7", "R9"]
    assert sorted(game.deck("R")[:2]) == ["R4", "R8"]
    assert game.deck("R")[2:] == ["R14", "R13", "R12", "R11"]


def test_his_discards_go_nowhere_once_the_river_deck_is_spent() -> None:
    """River cards leave play then, and S fills the spots (D14)."""
    game = alone("1:?", f"{card_for('V1')}", river_deck="R9")

    assert game.board()[20:] == ["R9", "S9", "S10", "S11"]
    assert (game.deck("R"), game.deck("S")) == ([], ["S14", "S13", "S12"])


def test_a_taken_notch_passes_his_token_on_clockwise() -> None:
    """Left side upwards, then the bottom from right to left, then the left side again (D20)."""
    assert rover_s(alone("1:?", f"{card_for('V1')}", lines="token R at V1 by 0")).place == 22
    assert rover_s(alone("1:?", f"{card_for('V2')}", lines="token R at V2 by 0")).place == 23
    assert rover_s(alone("1:?", f"{card_for('V6')}", lines="token R at V6 by 0")).place == 21


def test_the_river_step_comes_even_without_a_notch_at_the_campfire() -> None:
    """The ? token is discarded then, the river trail token is placed (D20)."""
    lines = "token 1 at C1 by 0\ntoken 2 at C2 by 0\ntoken 3 at C3 by 0"
    game = alone("1:?", f"{card_for('V4')}", lines=lines)

    assert game.happened(RoverMoved)[-1].place == -1
    assert game.tokens()["V4"] == "1:R"


def test_the_cards_are_shuffled_anew_when_all_are_spent() -> None:
    """All six, when the next one is needed (D20)."""
    game = alone("1:1 2:? 1:?", "3", player="tokens 23\ncolumn sands")
    assert river_of(game).solo.items == []
    game.do("token 2 S1", "pass")

    assert len(river_of(game).solo) == 5
    assert game.view().river.solo_spent == (rover_s(game).card,)  # type: ignore[union-attr]
    assert game.tokens()[f"V{rover_s(game).place - 20}"] == "2:R"


def test_rover_places_each_of_his_river_trail_tokens_once_a_round() -> None:
    """One of each colour; at the end of the round they lie beside the board again."""
    game = alone("1:1 3:? 2:? 1:?", player="tokens 123\ncolumn sands").do("token 1 S1", "pass", "token 2 S2", "pass")
    lying = [token for token in game.tokens().values() if token.endswith("R")]
    assert sorted(lying) == ["1:R", "2:R", "3:R"]
    game.finish_round()

    assert game.happened(RoundStarted)
    assert len([token for token in game.tokens().values() if token.endswith("R")]) <= 1


def test_a_round_ends_with_the_last_token_of_the_player() -> None:
    """Six tokens are six turns."""
    game = new_game(1, 2, SOLO[0]).play_on()
    starts = [n for n, event in enumerate(game.events) if isinstance(event, RoundStarted)]

    for start, end in zip(starts, [*starts[1:], len(game.events)], strict=True):
        assert sum(isinstance(event, TokenPlaced) for event in game.events[start:end]) == 6
        assert sum(isinstance(event, RoverMoved) for event in game.events[start:end]) == 6


def test_waterfalls_and_hourglass_come_in_the_solo_game_too() -> None:
    """After rounds 2 and 4, and after round 3."""
    game = new_game(1, 2, SOLO[1]).play_on()
    kinds = [type(event).__name__ for event in game.events]
    marks = [kind for kind in kinds if kind in ("RoundStarted", "WaterfallPassed", "HalfwayReached")]

    assert marks == [
        "RoundStarted",
        "RoundStarted",
        "WaterfallPassed",
        "RoundStarted",
        "HalfwayReached",
        "RoundStarted",
        "WaterfallPassed",
        "RoundStarted",
        "RoundStarted",
    ]
    assert len(game.happened(WaterfallPassed)) == 2


def test_all_spaces_of_his_row_or_column_are_refilled() -> None:
    """One that was empty before too, from the notch inwards (D20)."""
    river = f"R1 R2 R3 R4\n{EMPTY} R6 R7 R8"
    game = alone("1:?", f"{card_for('V6')}", river=river)

    assert game.names(rover_s(game).swept) == ["R1"]
    assert game.board()[16:] == ["R10", "R2", "R3", "R4", "R9", "R6", "R7", "R8"]


# ---- End of Game and Scoring (Solo)


@pytest.mark.parametrize(
    ("points", "band"), [(0, 0), (48, 0), (49, 0), (50, 1), (65, 1), (66, 2), (79, 2), (80, 3), (120, 3)]
)
def test_the_solo_table(points: int, band: int) -> None:
    """Up to 48 (and the gap at 49, M10), from 50, from 66, from 80."""
    lines = f"kayak 0 at 0 points {points}"
    game = alone("1:1", lines=lines, round_number=6).finish_round()

    assert game.happened(GameEnded)
    assert game.outcome().band == band


def test_rover_s_points_do_not_count() -> None:
    """Nothing has to be reached but the table (D21)."""
    game = alone("1:1", lines="dealt W20 N20\nkayak 0 at 0 points 66", round_number=6).finish_round()

    assert game.outcome().band == 2
    assert game.sheet().rover == -1
    rover = game.view().rover
    assert rover is not None
    assert rover.points == -1
    assert BOARD.split()[0] in game.board()
