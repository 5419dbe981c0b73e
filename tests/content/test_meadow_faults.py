"""One broken pack for each kind of fault in Meadow's components: the built-in pack with one thing spoilt."""

from __future__ import annotations

from pathlib import Path

import pytest
from meadow_engine.content.library import builtin_pack, check_folder, load_pack
from meadow_engine.meadow.content import catalogue

from tests.content.pack_files import (
    Edit,
    appended,
    cell,
    content,
    every,
    line,
    original,
    swap,
    without_downstream,
    write,
)

PACK = "pack.toml"
W, S, E, N = "meadow_w.csv", "meadow_s.csv", "meadow_e.csv", "meadow_n.csv"
START = "meadow_start.csv"
ENVELOPES = "meadow_envelopes.csv"
GOALS = "meadow_goals.csv"
BOARDS = "meadow_boards.toml"

Place = tuple[str, int, str]


def _section(number: int, old: str, new: str) -> Edit:
    """Replace a text in one section of the boards, counted from 1."""

    def edit(files: dict[str, bytes]) -> None:
        parts = files[BOARDS].decode().split("[[")
        assert parts[number].count(old) == 1
        parts[number] = parts[number].replace(old, new)
        files[BOARDS] = "[[".join(parts).encode()

    return edit


def _without(file: str, start: str) -> Edit:
    """Take out the rows that begin with a text."""

    def edit(files: dict[str, bytes]) -> None:
        lines = files[file].decode().splitlines()
        files[file] = "\n".join(line for line in lines if not line.startswith(start)).encode()

    return edit


FAULTS: dict[str, tuple[Edit, Place, str]] = {
    "a table is missing": (content(N, None), (N, 0, ""), "meadow needs it"),
    "the boards are missing": (content(BOARDS, None), (BOARDS, 0, ""), "meadow needs it"),
    "a setting": (appended(PACK, "\n[meadow]\ncards = 45\n"), (PACK, 11, "cards"), "this game has no settings"),
    "a missing column": (cell(W, 1, "kind", "sort"), (W, 1, "kind"), "the column is missing"),
    "a missing column of the starting cards": (cell(START, 1, "card", "x"), (START, 1, "card"), "is missing"),
    "a missing column of the envelopes": (cell(ENVELOPES, 1, "set", "x"), (ENVELOPES, 1, "set"), "is missing"),
    "a missing column of the goals": (cell(GOALS, 1, "symbol", "x"), (GOALS, 1, "symbol"), "is missing"),
    # any card
    "too few cards": (line(S, 2, None), (S, 0, ""), "there must be 45 cards, not 44"),
    "a bad id": (cell(W, 2, "id", "W 1"), (W, 2, "id"), "letters, digits and hyphens"),
    "an id twice": (cell(W, 3, "id", "W-001"), (W, 3, "id"), "'W-001' stands already in row 2"),
    "an id in two decks": (cell(S, 2, "id", "W-001"), (S, 2, "id"), "'W-001' stands already in meadow_w.csv"),
    "no name": (cell(E, 2, "name", ""), (E, 2, "name"), "a text is missing"),
    "a name in two decks": (cell(N, 2, "name", "Great Tit"), (N, 2, "name"), "stands already in meadow_s.csv"),
    "an unprintable scientific name": (
        cell(S, 2, "scientific_name", "Parus\x07"),
        (S, 2, "scientific_name"),
        "cannot be printed",
    ),
    "an unknown kind": (cell(S, 2, "kind", "animal"), (S, 2, "kind"), "one of ground, observation, landscape"),
    "points in words": (cell(S, 2, "points", "one"), (S, 2, "points"), "a whole number from 0 to 9"),
    "too many points": (cell(S, 2, "points", "10"), (S, 2, "points"), "a whole number from 0 to 9"),
    # the grammar of symbols
    "an unknown symbol": (
        cell(S, 2, "grants", "birds"),
        (S, 2, "grants"),
        "'birds' is no symbol; there are litterfall",
    ),
    "an unknown requirement": (cell(S, 2, "requires", "worm"), (S, 2, "requires"), "'worm' is no symbol"),
    "an empty requirement": (cell(S, 2, "requires", "larva +"), (S, 2, "requires"), "'' is no symbol"),
    "a symbol of another game": (cell(S, 2, "grants", "fish"), (S, 2, "grants"), "Downstream expansion"),
    "three symbols": (cell(S, 2, "grants", "bird + paw + tree"), (S, 2, "grants"), "3 card symbols are too many"),
    "three grounds": (cell(E, 2, "grants", "grass + sands + rocks"), (E, 2, "grants"), "3 grounds are too many"),
    "seven requirements": (cell(N, 2, "requires", " + ".join(["paw"] * 7)), (N, 2, "requires"), "7 requirements"),
    "three halves": (cell(S, 2, "requires", "larva / tree / paw"), (S, 2, "requires"), "exactly two different"),
    "equal halves": (cell(S, 2, "requires", "larva / larva"), (S, 2, "requires"), "exactly two different"),
    "an open arrow": (cell(S, 2, "requires", "<larva"), (S, 2, "requires"), "'<larva' is no symbol"),
    "a slash with road": (cell(W, 28, "requires", "road / house"), (W, 28, "requires"), "'road' is no symbol"),
    # the kinds
    "a ground card without ground": (cell(E, 2, "grants", "beetle"), (E, 2, "grants"), "shows a ground"),
    "a ground card with requirements": (cell(E, 2, "requires", "tree"), (E, 2, "requires"), "asks for nothing"),
    "an observation with a ground": (cell(S, 2, "grants", "bird + grass"), (S, 2, "grants"), "no other card does"),
    "an observation without symbol": (cell(S, 2, "grants", ""), (S, 2, "grants"), "shows a card symbol"),
    "an observation without requirement": (cell(S, 2, "requires", ""), (S, 2, "requires"), "can be placed on"),
    "an observation to put on a big encounter": (
        cell(ENVELOPES, 8, "requires", "big encounter"),
        (ENVELOPES, 8, "requires"),
        "can be placed on",
    ),
    "an observation with road": (
        cell(S, 2, "requires", "larva + road"),
        (S, 2, "requires"),
        "a landscape asks for one",
    ),
    "a landscape without road": (cell(W, 28, "requires", "house"), (W, 28, "requires"), "asks for one road"),
    "a landscape with two roads": (cell(W, 28, "requires", "road + road"), (W, 28, "requires"), "asks for one road"),
    "a landscape with a symbol": (cell(W, 28, "grants", "house"), (W, 28, "grants"), "shows no symbol"),
    "a discovery without landscape": (cell(W, 38, "requires", "tree"), (W, 38, "requires"), "asks for one landscape"),
    # decks, envelopes, starting cards
    "a ground card outside E": (cell(W, 2, "kind", "ground"), (W, 2, "kind"), "the E deck consists of ground cards"),
    "another card in E": (cell(E, 2, "kind", "observation"), (E, 2, "kind"), "the E deck consists of ground cards"),
    "an unknown deck": (cell(ENVELOPES, 2, "deck", "START"), (ENVELOPES, 2, "deck"), "one of W, S, E, N"),
    "an unknown envelope": (cell(ENVELOPES, 2, "set", "V"), (ENVELOPES, 2, "set"), "one of T, U, W, X, Y"),
    "an envelope of five": (line(ENVELOPES, 2, None), (ENVELOPES, 0, "set"), "envelope T must have 6 cards"),
    "one ground in envelope T": (cell(ENVELOPES, 2, "grants", "grass"), (ENVELOPES, 2, "grants"), "two grounds and"),
    "no big encounter in envelope U": (
        cell(ENVELOPES, 8, "grants", "paw"),
        (ENVELOPES, 8, "grants"),
        "one big encounter",
    ),
    "a big encounter elsewhere": (cell(S, 2, "grants", "big encounter"), (S, 2, "grants"), "no other card does"),
    "a starting card of one side": (line(START, 9, None), (START, 0, "card"), "card 4 must have 2 sides, not 1"),
    "a fifth starting card": (cell(START, 9, "card", "5"), (START, 9, "card"), "a whole number from 1 to 4"),
    "a starting card without ground": (cell(START, 2, "grants", "flower"), (START, 2, "grants"), "shows a ground"),
    # goal tokens
    "a goal twice": (cell(GOALS, 3, "symbol", "paw"), (GOALS, 3, "symbol"), "'paw' stands already in row 2"),
    "a goal id twice": (cell(GOALS, 3, "id", "paw"), (GOALS, 3, "id"), "'paw' stands already in row 2"),
    "a goal of ground": (cell(GOALS, 2, "symbol", "grass"), (GOALS, 2, "symbol"), "a goal is a card symbol"),
    "a goal of no symbol": (cell(GOALS, 2, "symbol", "road"), (GOALS, 2, "symbol"), "'road' is no symbol"),
    "too few goals": (line(GOALS, 2, None), (GOALS, 0, "set"), "set base: the goal tokens must number 11, not 10"),
    "no goal for envelope U": (line(GOALS, 13, None), (GOALS, 0, "set"), "set U: the goal tokens must number 1, not 0"),
    "a goal of another envelope": (cell(GOALS, 2, "set", "T"), (GOALS, 2, "set"), "an empty cell"),
    "a basic goal in envelope U": (cell(GOALS, 2, "set", "U"), (GOALS, 2, "symbol"), "shows a big encounter"),
    # symbols that nobody has
    "a requirement nobody grants": (
        every(
            *(cell(file, row, "grants", "flower") for file, row in [(S, 34), (S, 35), (S, 36), (S, 37)]),
            *(cell(N, row, "grants", "flower") for row in (26, 27, 28)),
            cell(E, 7, "grants", "litterfall + frog"),
            cell(E, 46, "grants", "wetlands + frog"),
        ),
        (N, 35, "requires"),
        "no card grants 'mushroom'",
    ),
    "a goal nobody grants": (
        every(
            *(cell(S, row, "grants", "flower") for row in range(19, 24)),
            *(cell(N, row, "grants", "flower") for row in range(22, 26)),
        ),
        (GOALS, 0, "symbol"),
        "no card grants 'butterfly', so nobody could fulfil this goal",
    ),
    "a base card that needs an envelope": (
        cell(N, 2, "requires", "paw + big encounter"),
        (N, 2, "requires"),
        "no card grants 'big encounter'",
    ),
    # boards
    "no campfire": (content(BOARDS, b""), (BOARDS, 0, "campfire"), "sections headed [[campfire]] are missing"),
    "an unknown entry": (
        _section(1, "benches", "bences"),
        (BOARDS, 9, "bences"),
        "players, notches, benches, hourglass",
    ),
    "benches in words": (_section(1, "benches = 2", 'benches = "2"'), (BOARDS, 9, "benches"), "a whole number from 0"),
    "a campfire for five": (_section(4, "players = 4", "players = 5"), (BOARDS, 25, "players"), "from 1 to 4"),
    "a campfire twice": (_section(4, "players = 4", "players = 3"), (BOARDS, 25, "players"), "another campfire for 3"),
    "a campfire is missing": (_section(4, "players = 4", "players = 3"), (BOARDS, 0, "players"), "for 4 is missing"),
    "the hourglass after the end": (_section(4, "hourglass = 4", "hourglass = 8"), (BOARDS, 28, "hourglass"), "1 to 7"),
    "no room for all path tokens": (
        every(_section(4, "notches = 5", "notches = 2"), _section(4, "benches = 4", "benches = 1")),
        (BOARDS, 26, "notches"),
        "16 path tokens a round need as many places, but there are only 15",
    ),
    "four places for three markers": (
        appended(BOARDS, '\n[[solo_place]]\nnotches = ["L1", "L1", "L1", "L1"]\n'),
        (BOARDS, 0, "solo_place"),
        "3 places for Rover's markers, not 4",
    ),
    "a place of three notches": (_section(5, '["L4", ', "["), (BOARDS, 34, "notches"), "4 notches, for path tokens"),
    "no such notch": (_section(5, '["L4", ', '["T1", '), (BOARDS, 34, "notches"), "'T1' is no notch; there are L4"),
}


@pytest.mark.parametrize("kind", FAULTS)
def test_each_fault_is_named_with_file_row_and_column(tmp_path: Path, kind: str) -> None:
    """A spoilt pack is reported at the spoilt place, in words that say what is wrong."""
    edit, place, words = FAULTS[kind]
    files = original()
    edit(files)
    faults = check_folder(write(tmp_path / "pack", files))
    found = [fault.message for fault in faults if (fault.file, fault.row, fault.column) == place]
    assert any(words in message for message in found), "\n".join(map(str, faults))


@pytest.mark.parametrize("envelopes", ["T", "U", "WXY", "TUWXY"])
def test_envelopes_may_be_left_out(tmp_path: Path, envelopes: str) -> None:
    """Whoever has not opened an envelope plays without it; U takes its goal token along."""
    files = without_downstream()
    for envelope in envelopes:
        _without(ENVELOPES, f"{envelope},")(files)
    if "U" in envelopes:
        _without(GOALS, "encounter,")(files)
    folder = write(tmp_path / "pack", files)
    assert check_folder(folder) == []
    components = catalogue(load_pack(folder))
    assert components.sets == ("base", *(envelope for envelope in "TUWXY" if envelope not in envelopes))
    assert len(components.cards) == 4 * 45 + 8 + 6 * (5 - len(envelopes))


def test_columns_without_use_may_be_left_out(tmp_path: Path) -> None:
    """Scientific names everywhere, and the set of the goals where there is no envelope U."""
    files = without_downstream()
    _without(ENVELOPES, "U,")(files)
    files[GOALS] = b"id,symbol\n" + b"\n".join(
        row.rstrip(b",") for row in files[GOALS].splitlines()[1:] if not row.startswith(b"encounter")
    )
    assert check_folder(write(tmp_path / "pack", files)) == []


def test_without_downstream_the_cards_keep_their_numbers(tmp_path: Path) -> None:
    """Downstream's cards and its goal token join behind the others, so that no game of Meadow knows of them."""
    alone = catalogue(load_pack(write(tmp_path / "pack", without_downstream())))
    together = catalogue(builtin_pack())
    assert alone.downstream is None
    assert alone.cards == together.cards[: len(alone.cards)]
    assert alone.goal_tokens == together.goal_tokens[: len(alone.goal_tokens)]
    assert alone.start_cards == together.start_cards
    assert alone.sets == together.sets[:6] == ("base", "T", "U", "W", "X", "Y")
    assert {name: together.decks[name] for name in alone.sets} == dict(alone.decks)


def test_a_pack_may_be_for_one_of_the_games(tmp_path: Path) -> None:
    """A pack of Meadow alone needs no tiles."""
    files = {name: raw for name, raw in without_downstream().items() if not name.startswith("spring_")}
    swap(PACK, '"spring_meadow", ', "")(files)
    assert check_folder(write(tmp_path / "pack", files)) == []
