"""One broken pack for each kind of fault in Downstream's components: the frozen pack with one thing spoilt."""

from __future__ import annotations

from pathlib import Path

import pytest
from meadow_engine.content.library import check_folder, load_pack
from meadow_engine.meadow.content import catalogue

from tests.content.pack_files import (
    Edit,
    Files,
    appended,
    cell,
    content,
    every,
    line,
    section,
    swap,
    write,
)
from tests.support.frozen import FOLDER

PACK = "pack.toml"
RIVER, BASE, START = "downstream_river.csv", "downstream_base.csv", "downstream_start.csv"
SUNSET, DAM, Z = "downstream_sunset.csv", "downstream_dam.csv", "downstream_z.csv"
GOALS, BOARDS = "downstream_goals.csv", "downstream_boards.toml"
ENVELOPES, MEADOW_GOALS = "meadow_envelopes.csv", "meadow_goals.csv"
LAZY, WILD = "lazy_river", "wild_rapids"

Place = tuple[str, int, str]


def _frozen() -> Files:
    return {path.name: path.read_bytes() for path in sorted(FOLDER.iterdir())}


def _without(file: str, start: str) -> Edit:
    """Take out the rows that begin with a text."""

    def edit(files: Files) -> None:
        lines = files[file].decode().splitlines()
        files[file] = "\n".join(line for line in lines if not line.startswith(start)).encode()

    return edit


def _everywhere(file: str, old: str, new: str) -> Edit:
    def edit(files: Files) -> None:
        assert old.encode() in files[file]
        files[file] = files[file].replace(old.encode(), new.encode())

    return edit


def _space(side: str, number: int, old: str, new: str) -> Edit:
    return section(BOARDS, side, number, old, new)


NO_MONUMENTS = every(
    *(_everywhere(file, " + nature monument,", ",") for file in (RIVER, BASE)),
    *(_everywhere(file, "observation,nature monument,", "observation,flower,") for file in (RIVER, BASE)),
    *(cell(BASE, row, "oar", "") for row in (6, 7, 12, 13)),
    cell(RIVER, 56, "requires", "landscape + nature monument"),
)
"""No card of the two tables grants one, and a discovery still asks for it."""

CARDS: dict[str, tuple[Edit, Place, str]] = {
    "a table is missing": (content(DAM, None), (DAM, 0, ""), "downstream needs it"),
    "the boards are missing": (content(BOARDS, None), (BOARDS, 0, ""), "downstream needs it"),
    "Meadow is missing": (swap(PACK, '"meadow", ', ""), (PACK, 5, "games"), "downstream needs meadow"),
    "a setting": (appended(PACK, "\n[downstream]\noars = 4\n"), (PACK, 11, "oars"), "this game has no settings"),
    "envelope U is missing": (
        every(_without(ENVELOPES, "U,"), _without(MEADOW_GOALS, "encounter,")),
        (ENVELOPES, 0, "set"),
        "Downstream is played with it",
    ),
    "a missing column": (cell(RIVER, 1, "oar", "x"), (RIVER, 1, "oar"), "the column is missing"),
    "a missing column of the base cards": (cell(BASE, 1, "deck", "x"), (BASE, 1, "deck"), "is missing"),
    "a missing column of the starting cards": (cell(START, 1, "card", "x"), (START, 1, "card"), "is missing"),
    "a missing column of the sunset cards": (cell(SUNSET, 2, "points", "x"), (SUNSET, 1, "points"), "is missing"),
    "a missing column of the beaver dams": (cell(DAM, 2, "points", "x"), (DAM, 1, "points"), "is missing"),
    "a missing column of envelope Z": (cell(Z, 1, "oar", "x"), (Z, 1, "oar"), "is missing"),
    "a missing column of the goal": (cell(GOALS, 1, "symbol", "x"), (GOALS, 1, "symbol"), "is missing"),
    # counts
    "too few river cards": (line(RIVER, 2, None), (RIVER, 0, ""), "there must be 55 cards, not 54"),
    "too many cards for a deck": (cell(BASE, 5, "deck", "W"), (BASE, 0, "deck"), "deck W must get 3 cards, not 4"),
    "too few cards for a deck": (cell(BASE, 5, "deck", "W"), (BASE, 0, "deck"), "deck S must get 3 cards, not 2"),
    "an unknown deck": (cell(BASE, 2, "deck", "RIVER"), (BASE, 2, "deck"), "one of W, S, E, N"),
    "a starting card of one side": (line(START, 9, None), (START, 0, "card"), "card 4 must have 2 sides, not 1"),
    "too few sunset cards": (line(SUNSET, 6, None), (SUNSET, 0, ""), "there must be 4 cards, not 3"),
    "too few beaver dams": (line(DAM, 6, None), (DAM, 0, ""), "there must be 4 cards, not 3"),
    "an envelope of five": (line(Z, 2, None), (Z, 0, ""), "envelope Z must have 6 cards, or be left out, not 5"),
    "no goal token": (line(GOALS, 2, None), (GOALS, 0, ""), "there must be one goal token, not 0"),
    "two goal tokens": (line(GOALS, 2, "fish,fish\nfrog,frog"), (GOALS, 0, ""), "one goal token, not 2"),
    # names
    "an id of Meadow": (cell(RIVER, 2, "id", "W-001"), (RIVER, 2, "id"), "'W-001' stands already in meadow_w.csv"),
    "an id of another table": (cell(Z, 2, "id", "R-001"), (Z, 2, "id"), "stands already in downstream_river.csv"),
    "a name of Meadow": (cell(BASE, 5, "name", "Great Tit"), (BASE, 5, "name"), "stands already in meadow_s.csv"),
    "a goal id of Meadow": (cell(GOALS, 2, "id", "paw"), (GOALS, 2, "id"), "'paw' is Meadow's already"),
    # points and oars
    "a river card with points": (cell(RIVER, 2, "points", "1"), (RIVER, 2, "points"), "worth no points"),
    "a card of envelope Z with points": (cell(Z, 2, "points", "1"), (Z, 2, "points"), "worth no points"),
    "a river card without oar": (cell(RIVER, 2, "oar", ""), (RIVER, 2, "oar"), "a whole number from 1 to 4"),
    "an oar of five arrows": (cell(RIVER, 2, "oar", "5"), (RIVER, 2, "oar"), "a whole number from 1 to 4"),
    "a monument without oar": (cell(BASE, 6, "oar", ""), (BASE, 6, "oar"), "a whole number from 1 to 4"),
    "an oar without monument": (cell(BASE, 5, "oar", "1"), (BASE, 5, "oar"), "only river cards have an oar"),
    "an oar in the E deck": (cell(BASE, 8, "oar", "1"), (BASE, 8, "oar"), "only river cards have an oar"),
    "a better sunset below": (cell(SUNSET, 4, "points", "9"), (SUNSET, 4, "points"), "the best lies on top"),
    "a better beaver dam below": (cell(DAM, 6, "points", "9"), (DAM, 6, "points"), "the best lies on top"),
    # kinds and symbols
    "a ground card in W": (
        every(cell(BASE, 2, "kind", "ground"), cell(BASE, 2, "grants", "watery"), cell(BASE, 2, "requires", "")),
        (BASE, 2, "kind"),
        "the E deck consists of ground cards",
    ),
    "another card in E": (cell(BASE, 8, "kind", "landscape"), (BASE, 8, "kind"), "the E deck consists of ground cards"),
    "a sunset in the meadow": (cell(SUNSET, 3, "kind", "observation"), (SUNSET, 3, "kind"), "is a landscape"),
    "a beaver dam outside the meadow": (cell(DAM, 3, "kind", "landscape"), (DAM, 3, "kind"), "is an observation"),
    "a beaver dam that is no fence": (cell(DAM, 3, "grants", "house"), (DAM, 3, "grants"), "shows a fence"),
    "a dry starting card": (cell(START, 2, "grants", "grass + larva"), (START, 2, "grants"), "cards are watery"),
    "a starting card without ground": (cell(START, 2, "grants", "larva"), (START, 2, "grants"), "shows a ground"),
    "a fish on a starting card": (
        cell(START, 2, "grants", "watery + fish"),
        (START, 2, "grants"),
        "only an observation",
    ),
    "a fish on a ground card": (cell(RIVER, 2, "grants", "watery + fish"), (RIVER, 2, "grants"), "only an observation"),
    "a big encounter in the river deck": (
        cell(RIVER, 11, "grants", "fish + big encounter"),
        (RIVER, 11, "grants"),
        "only a card of envelope U or Z",
    ),
    "an observation without requirement": (
        cell(RIVER, 11, "requires", ""),
        (RIVER, 11, "requires"),
        "can be placed on",
    ),
    "an unknown symbol": (cell(RIVER, 11, "requires", "algae"), (RIVER, 11, "requires"), "'algae' is no symbol"),
    "water in the base game": (
        cell("meadow_s.csv", 2, "requires", "watery"),
        ("meadow_s.csv", 2, "requires"),
        "'watery' belongs to the Downstream expansion",
    ),
    "a goal of ground": (cell(GOALS, 2, "symbol", "watery"), (GOALS, 2, "symbol"), "a goal is a card symbol"),
    "a goal of Meadow": (cell(GOALS, 2, "symbol", "bird"), (GOALS, 2, "symbol"), "on one of Meadow's goal tokens"),
    "a goal of no symbol": (cell(GOALS, 2, "symbol", "road"), (GOALS, 2, "symbol"), "'road' is no symbol"),
    "a requirement nobody grants": (
        NO_MONUMENTS,
        (RIVER, 56, "requires"),
        "no card grants 'nature monument', so nobody could fulfil this",
    ),
    "a river card that needs envelope Z": (
        every(
            cell(Z, 2, "kind", "observation"),
            cell(Z, 2, "requires", "watery"),
            cell(Z, 2, "grants", "nature monument"),
            NO_MONUMENTS,
        ),
        (RIVER, 56, "requires"),
        "no card grants 'nature monument'",
    ),
    "a goal nobody grants": (
        every(
            *(_everywhere(file, ",fish,", ",frog,") for file in (RIVER, BASE)),
            _everywhere(RIVER, "fish + predator,", "predator,"),
        ),
        (GOALS, 0, "symbol"),
        "no card grants 'fish', so nobody could fulfil this goal",
    ),
}
TRACK: dict[str, tuple[Edit, Place, str]] = {
    "no boards": (content(BOARDS, b""), (BOARDS, 0, WILD), "sections headed [[wild_rapids]] are missing"),
    "an unknown heading": (appended(BOARDS, "\n[[rapids]]\nid = 1\n"), (BOARDS, 570, "rapids"), "unknown entry"),
    "an unknown entry": (_space(LAZY, 1, "extra", "action"), (BOARDS, 115, "action"), "there are id, extra, points"),
    "a space without id": (_space(LAZY, 1, 'id = "a1"\n', ""), (BOARDS, 113, "id"), "a text is missing"),
    "a bad id": (_space(LAZY, 1, '"a1"', '"a 1"'), (BOARDS, 114, "id"), "letters, digits and hyphens"),
    "an id twice": (_space(LAZY, 2, 'id = "a2"', 'id = "a1"'), (BOARDS, 120, "id"), "another space 'a1'"),
    "an unknown extra action": (_space(LAZY, 1, '"road"', '"roads"'), (BOARDS, 115, "extra"), "no extra action"),
    "an extra action of the other side": (_space(LAZY, 1, '"road"', '"tent"'), (BOARDS, 115, "extra"), "of this side"),
    "points of the other side": (_space(LAZY, 3, "= 3", "= 11"), (BOARDS, 127, "points"), "points of this side: 3, 5"),
    "points in words": (_space(LAZY, 3, "= 3", '= "3"'), (BOARDS, 127, "points"), "a whole number from 1 to 20"),
    "no point to draw": (_space(LAZY, 0, "point = [8, 14]", ""), (BOARDS, 108, "point"), "whole numbers is missing"),
    "a point outside": (_space(LAZY, 0, "[8, 14]", "[8, 91]"), (BOARDS, 111, "point"), "160 to the right and 90 down"),
    "a point of three": (_space(LAZY, 0, "[8, 14]", "[8, 8, 8]"), (BOARDS, 111, "point"), "a point is two numbers"),
    "a way to nowhere": (_space(LAZY, 1, '["a2"]', '["a2", "z1"]'), (BOARDS, 116, "next"), "there is no space 'z1'"),
    "a way back": (
        _space(LAZY, 2, '["a3"]', '["a3", "a1"]'),
        (BOARDS, 121, "next"),
        "'a1' does not stand further down",
    ),
    "a way in place": (_space(LAZY, 2, '["a3"]', '["a3", "a2"]'), (BOARDS, 121, "next"), "kayaks only move forward"),
    "a way twice": (_space(LAZY, 2, '["a3"]', '["a3", "a3"]'), (BOARDS, 121, "next"), "'a3' is named twice"),
    "five ways": (
        _space(LAZY, 0, '["a1"]', '["a1", "a2", "a3", "a4", "a5"]'),
        (BOARDS, 110, "next"),
        "5 ways are too many",
    ),
    "ways in words": (_space(LAZY, 0, '["a1"]', '"a1"'), (BOARDS, 110, "next"), "a list of texts is missing"),
    "a second start": (_space(LAZY, 1, '["a2"]', '["a3"]'), (BOARDS, 120, "id"), "no way leads to 'a2'"),
    "a start with an extra action": (
        _space(LAZY, 0, 'id = "start"', 'id = "start"\nextra = "road"'),
        (BOARDS, 110, "extra"),
        "the start has no extra action",
    ),
    "a start with points": (
        _space(LAZY, 0, 'id = "start"', 'id = "start"\npoints = 3'),
        (BOARDS, 110, "points"),
        "the start is worth no points",
    ),
    "an extra action is missing": (_everywhere(BOARDS, '"goal"', '"play"'), (BOARDS, 0, LAZY), "extra action 'goal'"),
    "a number is missing": (_everywhere(BOARDS, "= 10\n", "= 13\n"), (BOARDS, 0, LAZY), "no space is worth 10 points"),
    "no fork": (
        every(*(_everywhere(BOARDS, f'["{a}1", "{b}1"]', f'["{a}1"]') for a, b in ("bc", "ef", "hi"))),
        (BOARDS, 0, LAZY),
        "there is no fork",
    ),
    "no shortcut": (_everywhere(BOARDS, "shortcut = ", "# "), (BOARDS, 0, WILD), "there is no shortcut"),
    "a lazy shortcut": (_space(LAZY, 4, "next", "shortcut"), (BOARDS, 0, LAZY), "only the wild rapids have shortcuts"),
    "nothing but a shortcut": (
        _space(WILD, 1, "next", "shortcut"),
        (BOARDS, 360, "next"),
        "without the shortcut there is no way on",
    ),
    "too many spaces": (
        appended(BOARDS, "".join(f'\n[[lazy_river]]\nid = "z{n}"\npoint = [0, {n}]\n' for n in range(30))),
        (BOARDS, 0, LAZY),
        "spaces are too many: at most 60",
    ),
}
BOARD: dict[str, tuple[Edit, Place, str]] = {
    "two card areas": (
        appended(BOARDS, "\n[[card_area]]\ncolumns = [1, 2, 3, 4]\nrows = [1, 2]\n"),
        (BOARDS, 0, "card_area"),
        "1 sections headed [[card_area]], not 2",
    ),
    "three columns": (section(BOARDS, "card_area", 0, ", 106]", "]"), (BOARDS, 8, "columns"), "4 rising numbers"),
    "rows upside down": (section(BOARDS, "card_area", 0, "[32, 50]", "[50, 32]"), (BOARDS, 9, "rows"), "2 rising"),
    "a notch too many": (
        appended(BOARDS, '\n[[notch]]\nid = "R1"\nspots = [4, 3, 2, 1]\npoint = [117, 36]\n'),
        (BOARDS, 0, "notch"),
        "6 sections headed [[notch]], not 7",
    ),
    "a notch twice": (section(BOARDS, "notch", 1, '"L1"', '"L2"'), (BOARDS, 19, "id"), "another notch 'L2'"),
    "a crooked notch": (section(BOARDS, "notch", 0, "5, 6", "6, 5"), (BOARDS, 15, "spots"), "a whole row or column"),
    "half a row": (section(BOARDS, "notch", 0, "5, 6, 7, 8", "5, 6"), (BOARDS, 15, "spots"), "a whole row or column"),
    "a spot out of reach": (
        every(
            section(BOARDS, "notch", 0, "5, 6, 7, 8", "1, 2, 3, 4"),
            section(BOARDS, "notch", 5, "5, 1", "6, 2"),
        ),
        (BOARDS, 0, "notch"),
        "no notch points at spot 5",
    ),
    "an unknown pile": (section(BOARDS, "pile", 1, '"sunset"', '"sun"'), (BOARDS, 48, "name"), "'sun' is no pile"),
    "a pile twice": (section(BOARDS, "pile", 1, '"sunset"', '"goals"'), (BOARDS, 56, "name"), "another pile 'goals'"),
    "a pile is missing": (
        section(BOARDS, "pile", 1, '"sunset"', '"goals"'),
        (BOARDS, 0, "pile"),
        "place of the pile 'sunset' is missing",
    ),
    "five solo cards": (
        swap(BOARDS, '[[solo_card]]\nnotch = "B1"\n', ""),
        (BOARDS, 0, "solo_card"),
        "6 sections headed [[solo_card]], not 5",
    ),
    "a solo card without notch": (
        section(BOARDS, "solo_card", 0, '"L2"', '"L9"'),
        (BOARDS, 88, "notch"),
        "'L9' is no notch; there are L2",
    ),
    "waterfalls for five": (section(BOARDS, "waterfalls", 0, "= 1", "= 5"), (BOARDS, 70, "players"), "from 1 to 4"),
    "waterfalls twice": (section(BOARDS, "waterfalls", 0, "= 1", "= 2"), (BOARDS, 74, "players"), "other waterfalls"),
    "waterfalls missing": (section(BOARDS, "waterfalls", 0, "= 1", "= 2"), (BOARDS, 0, "waterfalls"), "for 1 are"),
    "one waterfall": (section(BOARDS, "waterfalls", 0, "2, 4", "2"), (BOARDS, 71, "rounds"), "two rising numbers"),
    "waterfalls together": (section(BOARDS, "waterfalls", 0, "2, 4", "4, 4"), (BOARDS, 71, "rounds"), "rising"),
    "a waterfall at the end": (section(BOARDS, "waterfalls", 3, "3, 6", "3, 8"), (BOARDS, 83, "rounds"), "1 to 7"),
}
FAULTS = {**CARDS, **TRACK, **BOARD}


@pytest.mark.parametrize("kind", FAULTS)
def test_each_fault_is_named_with_file_row_and_column(tmp_path: Path, kind: str) -> None:
    """A spoilt pack is reported at the spoilt place, in words that say what is wrong."""
    edit, place, words = FAULTS[kind]
    files = _frozen()
    edit(files)
    faults = check_folder(write(tmp_path / "pack", files))
    found = [fault.message for fault in faults if (fault.file, fault.row, fault.column) == place]
    assert any(words in message for message in found), "\n".join(map(str, faults))


def test_all_faults_are_named_at_once(tmp_path: Path) -> None:
    """Those of Meadow and of Downstream, of cards and of boards."""
    files = _frozen()
    spoilt = ["no name", "no oar", "a way to nowhere", "a pile"]
    every(
        cell("meadow_w.csv", 2, "name", ""),
        cell(RIVER, 2, "oar", ""),
        _space(WILD, 0, '["a1"]', '["a1", "z1"]'),
        section(BOARDS, "pile", 1, '"sunset"', '"sun"'),
    )(files)
    assert len(check_folder(write(tmp_path / "pack", files))) == len(spoilt) + 1  # the sunset is missing as well


def test_envelope_z_may_be_left_out(tmp_path: Path) -> None:
    """Whoever has not opened it leaves its table empty."""
    files = _frozen()
    _without(Z, "Z-")(files)
    folder = write(tmp_path / "pack", files)
    assert check_folder(folder) == []
    assert catalogue(load_pack(folder)).sets == ("base", "T", "U", "W", "X", "Y", "downstream")


def test_of_the_envelopes_only_u_is_needed(tmp_path: Path) -> None:
    """Downstream's cards ask for nothing that the other envelopes bring."""
    files = _frozen()
    for envelope in "TWXY":
        _without(ENVELOPES, f"{envelope},")(files)
    assert check_folder(write(tmp_path / "pack", files)) == []
