from __future__ import annotations

from meadow_engine.content.library import builtin_pack, stats_table
from meadow_engine.content.stats import Section, TilePlay
from meadow_engine.meadow.content import catalogue
from meadow_engine.meadow.content_stats import card_text


def _section(title: str, play: dict[str, TilePlay] | None = None) -> Section:
    return next(section for section in stats_table(builtin_pack(), play) if section.title == title)


def test_every_row_fits_its_columns() -> None:
    """A table can be printed without looking at what it is about."""
    for section in stats_table(builtin_pack(), {"S-001": TilePlay(10, 5)}):
        assert section.note
        assert section.rows
        assert {len(row) for row in section.rows} == {len(section.columns)}


def test_decks_count_all_cards() -> None:
    """Kinds add up to the cards of a deck, and so do points."""
    decks = {row[0]: row for row in _section("Meadow: decks").rows}
    points = {row[0]: row for row in _section("Meadow: points").rows}
    for name, size in {"W": 45, "S": 45, "E": 45, "N": 45, "START": 8, "envelope U": 6}.items():
        assert decks[name][1] == size
        assert sum(map(int, decks[name][2:6])) == size
        assert sum(map(int, points[name][1:])) == size


def test_symbols_count_what_base_cards_grant() -> None:
    """Nine ground cards of each ground; a goal token is told by its set."""
    rows = {row[0]: row for row in _section("Meadow: symbols").rows}
    assert rows["grass"][1:5] == (0, 0, 9, 0)
    assert (rows["paw"][-1], rows["larva"][-1]) == ("base", "")
    assert len(rows) == 19


def test_a_card_is_told_in_the_words_of_a_pack() -> None:
    """Slashes, arrows, road and landscape as one would write them; order within a card is that of the symbols."""
    texts = {card.name: card_text(card) for card in catalogue(builtin_pack()).cards}
    assert texts["Red Fox"] == ("predator", "paw + <bird / paw>")
    assert texts["Hay Meadow"] == ("grass + flower", "")
    assert texts["Jay's Feather"] == ("", "landscape + bird")
    assert texts["Sunken Lane"] == ("", "road")


def test_figures_of_play_join_the_cards() -> None:
    """The caller's games add columns on how often a card that was seen was also played."""
    section = _section("Meadow: cards", {"W-002": TilePlay(seen=200, played=50)})
    assert section.columns[-4:] == ("seen", "played %", "low %", "high %")
    assert section.rows[1][-4:] == (200, 25.0, 19.5, 31.4)
    assert section.rows[0][-4:] == (0, 0.0, 0.0, 0.0)
