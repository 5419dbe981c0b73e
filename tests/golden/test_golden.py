"""Whole games written down once are played again and compared line by line."""

from __future__ import annotations

from difflib import unified_diff
from itertools import islice

import pytest
from meadow_engine import api

from tests.golden import playthrough as golden

NAMES = sorted(golden.golden_cases())
SPRING_KINDS = ("choose_board", "choose_tile", "place_tile", "place_marmot", "choose_rock", "place_rock")
MEADOW_KINDS = (
    "choose_row",
    "choose_ground",
    "place_token",
    "choose_spot",
    "play_card",
    "discard",
    "campfire",
    "keep_card",
    "put_under",
    "choose_watery_ground",
    "take_card",
    "choose_way",
    "extra_action",
    "trade",
    "choose_deck",
)


def written(name: str) -> tuple[str, str]:
    """A playthrough's first line, which is about its review, and the rest."""
    note, _, text = golden.path_of(name).read_text(encoding="utf-8").partition("\n")
    return note, text


@pytest.mark.parametrize("name", NAMES)
def test_every_variant_and_seat_count_has_a_playthrough(name: str) -> None:
    """No variant, number of seats or switch is without a golden game; missing ones are made by the module's command."""
    assert golden.path_of(name).is_file(), f"python -m tests.golden.playthrough {name}"


def test_no_playthrough_is_left_over() -> None:
    """Every file belongs to a game there is."""
    assert sorted(path.stem for path in golden.FOLDER.glob("*.txt")) == NAMES


@pytest.mark.hash_seed
@pytest.mark.parametrize("name", NAMES)
def test_the_game_goes_as_it_was_written_down(name: str) -> None:
    """The same moves give the same states, views, legal actions, labels, events and outcome."""
    _, text = written(name)
    again = golden.playthrough(name, golden.moves_of(text))
    lines = unified_diff(text.splitlines(), again.splitlines(), "written", "now", lineterm="", n=2)
    difference = "\n".join(islice(lines, 60))
    assert not difference, f"{difference}\nif this is meant: python -m tests.golden.playthrough {name}"
    assert again == text


def test_together_they_show_everything_that_can_happen() -> None:
    """Every kind of event and of decision of a family occurs in some playthrough, but for the rarest ones."""
    texts = "".join(written(name)[1] for name in NAMES)
    rare_or_abstract = {"Event", "HiddenCardEvent", "RockDropped"}
    for module in (api.spring_events, api.meadow_events, api.downstream_events):
        classes = {cls for cls in vars(module).values() if isinstance(cls, type) and issubclass(cls, api.Event)}
        for name in {cls.__name__ for cls in classes} - rare_or_abstract:
            assert f"{name}(" in texts, name
    for kind in (*SPRING_KINDS, *MEADOW_KINDS):
        assert f": {kind}, state" in texts, kind


def test_notes_of_reviews_belong_to_the_text() -> None:
    """A playthrough says whether somebody read it with the book in hand; the note names the very text it is about."""
    notes = {name: written(name) for name in NAMES}
    for name, (note, text) in notes.items():
        assert note == golden.NOT_REVIEWED or note.startswith(f"{golden.REVIEWED}{golden.digest(text)}: "), name
    assert any(note != golden.NOT_REVIEWED for note, _ in notes.values()), "nobody has read any playthrough"
