from __future__ import annotations

from pathlib import Path

from meadow_engine.content.library import builtin_pack, load_pack, stats_table
from meadow_engine.content.stats import Section, TilePlay

from tests.content.pack_files import without_downstream, write


def _section(title: str, play: dict[str, TilePlay] | None = None) -> Section:
    return next(section for section in stats_table(builtin_pack(), play) if section.title == title)


def test_every_row_fits_its_columns() -> None:
    """A table can be printed without looking at what it is about."""
    for section in stats_table(builtin_pack(), {"R-001": TilePlay(10, 5)}):
        assert section.note
        assert section.rows
        assert {len(row) for row in section.rows} == {len(section.columns)}


def test_decks_points_and_oars_count_all_cards() -> None:
    """Kinds and points add up to the cards of a deck; oars to those that have one."""
    decks = {row[0]: row for row in _section("Downstream: decks").rows}
    points = {row[0]: row for row in _section("Downstream: points").rows}
    oars = {row[0]: row for row in _section("Downstream: oars").rows}
    sizes = {"W": 3, "S": 3, "E": 3, "N": 3, "RIVER": 55, "START": 8, "SUNSET": 4, "BEAVER_DAM": 4, "envelope Z": 6}
    with_oar = {"S": 2, "N": 2, "RIVER": 55, "envelope Z": 6}
    for name, size in sizes.items():
        assert decks[name][1] == size
        assert sum(map(int, decks[name][2:6])) == sum(map(int, points[name][1:])) == size
        assert sum(map(int, oars[name][1:5])) == with_oar.get(name, 0)


def test_meadows_tables_do_not_know_of_downstream(tmp_path: Path) -> None:
    """They are the same whether a pack has Downstream or not."""
    alone = stats_table(load_pack(write(tmp_path / "pack", without_downstream())))
    together = stats_table(builtin_pack())
    assert together[: len(alone)] == alone
    assert {section.title.split(":")[0] for section in together[len(alone) :]} == {"Downstream"}


def test_symbols_stand_beside_those_of_the_base_cards() -> None:
    """Only Downstream has watery ground; larvae are granted by both."""
    rows = {row[0]: row[1:] for row in _section("Downstream: symbols").rows}
    assert [(rows[symbol][1], rows[symbol][3]) for symbol in ("watery", "fish", "nature monument")] == [(0, 0)] * 3
    assert all(rows["larva"])


def test_a_track_tells_how_far_it_is_to_each_number() -> None:
    """From few arrows to many, and never fewer arrows at most than at least."""
    for title in ("Downstream: lazy river", "Downstream: wild rapids"):
        rows = _section(title).rows
        far = [row[2:] for row in rows if str(row[0]).endswith("points")]
        assert far == sorted(far)
        assert all(int(row[1]) >= 1 and int(row[2]) <= int(row[3]) for row in rows)


def test_cards_tell_their_oars_and_how_they_fared() -> None:
    """The oar stands behind the points; the caller's games add their columns."""
    section = _section("Downstream: cards", {"R-002": TilePlay(seen=200, played=50)})
    assert section.columns[5:] == ("points", "oar", "seen", "played %", "low %", "high %")
    row = next(row for row in section.rows if row[0] == "R-002")
    assert row[6:] == (1, 200, 25.0, 19.5, 31.4)
    assert len(section.rows) == 55 + 12 + 8 + 4 + 4 + 6
