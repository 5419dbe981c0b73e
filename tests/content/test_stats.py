from __future__ import annotations

import pytest
from meadow_engine.content.library import builtin_pack, stats_table
from meadow_engine.content.stats import Section, TilePlay, share


def _section(title: str, play: dict[str, TilePlay] | None = None) -> Section:
    return next(section for section in stats_table(builtin_pack(), play) if section.title == title)


def test_every_row_fits_its_columns() -> None:
    """A table can be printed without looking at what it is about."""
    for section in stats_table(builtin_pack(), {"T01": TilePlay(10, 5)}):
        assert section.note
        assert section.rows
        assert {len(row) for row in section.rows} == {len(section.columns)}


@pytest.mark.parametrize("title", ["Tiles by covered spaces", "Tiles by holes", "Tiles by orientations"])
def test_spreads_count_all_tiles(title: str) -> None:
    """Kinds add up to 46, tiles to 100."""
    rows = _section(title).rows
    assert sum(int(row[1]) for row in rows) == 46
    assert sum(int(row[2]) for row in rows) == 100


def test_boards_count_all_burrows() -> None:
    """The three thirds of a face add up to its 11 burrows."""
    for row in _section("Mountain boards").rows:
        assert sum(map(int, row[2:5])) == 11


def test_figures_of_play_join_the_tiles() -> None:
    """The caller's games add a column on how often a kind that was there was also placed."""
    section = _section("Tiles", {"T02": TilePlay(seen=200, played=50)})
    assert section.columns[-4:] == ("seen", "played %", "low %", "high %")
    assert section.rows[1][-4:] == (200, 25.0, 19.5, 31.4)
    assert section.rows[0][-4:] == (0, 0.0, 0.0, 0.0)


def test_a_share_comes_with_its_confidence_interval() -> None:
    """Wilson's interval: it stays between 0 and 1 and is not empty at the ends."""
    observed, low, high = share(0, 100)
    assert (observed, low) == (0.0, 0.0)
    assert 0.03 < high < 0.04
    assert share(100, 100)[1] == pytest.approx(1 - high)
    assert share(50, 100) == pytest.approx((0.5, 0.404, 0.596), abs=0.001)
    assert share(0, 0) == (0.0, 0.0, 0.0)
