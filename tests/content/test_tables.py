from __future__ import annotations

from meadow_engine.content.faults import ContentFault
from meadow_engine.content.tables import Document, Row, read_document, read_table, read_text, whole_number


def _rows(text: str) -> list[Row]:
    faults: list[ContentFault] = []
    table = read_table("t.csv", text, faults)
    assert table is not None
    assert not faults
    return list(table.rows)


def test_rows_know_their_lines() -> None:
    """Comments and empty lines count, as they do in an editor."""
    assert _rows("# about\n\nid,name\n1,one\n\n# more\n2,two\n") == [
        Row(4, {"id": "1", "name": "one"}),
        Row(7, {"id": "2", "name": "two"}),
    ]


def test_comments_survive_a_spreadsheet() -> None:
    """A spreadsheet quotes a comment or pads it with separators; a drawing that begins with # is no comment."""
    rows = _rows('"# a, b",,\n#,,\nshape,id,name\n#,1,one\n"# c",,\n')
    assert [row.values["shape"] for row in rows] == ["#"]


def test_semicolons_and_tabs_separate_as_well() -> None:
    """Spreadsheets write what their country uses."""
    assert _rows("id;name\n1;a, b\n")[0].values == {"id": "1", "name": "a, b"}
    assert _rows("id\tname\n1\ta;b\n")[0].values == {"id": "1", "name": "a;b"}


def test_a_short_row_ends_in_empty_cells() -> None:
    """Editors drop trailing separators."""
    assert _rows("id,name\n1\n")[0].values == {"id": "1", "name": ""}


def test_a_quoted_cell_may_hold_separators_and_breaks() -> None:
    """The line of such a row is its last one."""
    assert _rows('id,name\n1,"a,\nb"\n')[0] == Row(3, {"id": "1", "name": "a,\nb"})


def test_whole_numbers_are_plain_digits() -> None:
    """Signs, fractions, other scripts' digits and absurd lengths are refused."""
    assert whole_number("07") == 7
    assert [whole_number(text) for text in ("", "-1", "+1", "1.0", "1e3", "\u0663", "1" * 7)] == [None] * 7


def test_a_document_finds_its_lines() -> None:
    """A fault in the second section names the line in the second section."""
    faults: list[ContentFault] = []
    text = 'top = 1\n\n[[part]]\na = 1\nb = [\n  ["x"],\n]\n[[part]]  # second\n a = 2\n[other]\na = 3\n'
    document = read_document("d.toml", text, faults)
    assert isinstance(document, Document)
    assert document.line("", 0, "top") == 1
    assert [document.line("part", index, "a") for index in range(3)] == [4, 9, 0]
    assert document.line("part", 0, "b") == 5
    assert document.line("part", 1, "b") == 8
    assert document.line("other", 0, "a") == 11
    assert document.line("", 0, "a") == 0


def test_a_byte_order_mark_is_no_text() -> None:
    """Some editors begin UTF-8 files with it."""
    faults: list[ContentFault] = []
    assert read_text("t.csv", b"\xef\xbb\xbfid", faults) == "id"
    assert read_text("t.csv", b"a\nb\n\xff", faults) is None
    assert [(fault.row, fault.column) for fault in faults] == [(3, "")]


def test_a_fault_is_one_line_with_its_place_first() -> None:
    """As compilers write them, so that editors can jump there."""
    assert str(ContentFault("t.csv", 12, "copies", "too many")) == "t.csv:12: copies: too many"
    assert str(ContentFault("t.csv", 0, "", "missing")) == "t.csv: missing"
