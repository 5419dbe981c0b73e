from __future__ import annotations

import hashlib
import json
from importlib.resources import files
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from meadow_engine.content.faults import ContentError
from meadow_engine.content.library import builtin_pack, check_folder, load_pack, new_folder, pack_from_bytes
from meadow_engine.kernel.errors import BadEncoding, EngineError

from tests.content.pack_files import ORIGINAL, Edit, cell, content, every, original, swap, write

TILES = "spring_tiles.csv"


def _columns_reversed(raw: bytes) -> bytes:
    return "\n".join(",".join(reversed(line.split(","))) for line in raw.decode().splitlines()).encode()


def _semicolons(raw: bytes) -> bytes:
    return raw.replace(b",", b";")


def test_a_pack_is_loaded_from_a_folder() -> None:
    """The pack says what it is, and which games it is for."""
    pack = load_pack(ORIGINAL)
    assert (pack.id, pack.licence, pack.games) == ("original", "MIT", ("spring_meadow", "meadow", "downstream"))
    assert "original work" in pack.note
    assert pack == builtin_pack()


def test_the_built_in_pack_is_package_data() -> None:
    """It is read through the import system, so it works from a wheel as well."""
    assert files("meadow_engine.content").joinpath("original", "pack.toml").is_file()
    assert builtin_pack() is builtin_pack()


@pytest.mark.hash_seed
def test_the_hash_is_blake2b_over_the_canonical_bytes() -> None:
    """Anybody can compute the hash again from the bytes the server keeps."""
    pack = builtin_pack()
    assert pack.hash == hashlib.blake2b(pack.to_bytes(), digest_size=32).digest()
    assert pack.to_bytes() == json.dumps(json.loads(pack.to_bytes()), sort_keys=True, separators=(",", ":")).encode()


@pytest.mark.parametrize(
    "edit",
    [
        pytest.param(lambda files: files.update({f: t.replace(b"\n", b"\r\n") for f, t in files.items()}), id="crlf"),
        pytest.param(lambda files: files.update({TILES: b"\xef\xbb\xbf" + files[TILES]}), id="byte order mark"),
        pytest.param(lambda files: files.update({TILES: _columns_reversed(files[TILES])}), id="columns"),
        pytest.param(lambda files: files.update({TILES: _semicolons(files[TILES])}), id="semicolons"),
        pytest.param(lambda files: files.update({TILES: files[TILES].replace(b",", b" , ")}), id="spacing"),
        pytest.param(
            lambda files: files.update({TILES: b"# a, comment\n\n" + files[TILES] + b"\n,,,,\n"}), id="comment"
        ),
        pytest.param(
            lambda files: files.update({"pack.toml": b"# a comment\n" + files["pack.toml"]}), id="toml comment"
        ),
        pytest.param(lambda files: files.update({"README.md": b"about this pack"}), id="other files"),
    ],
)
def test_the_hash_does_not_depend_on_how_a_file_is_written(tmp_path: Path, edit: Edit) -> None:
    """Line ends, comments, spacing, separators and the order of columns are not contents."""
    pack_files = original()
    edit(pack_files)
    assert load_pack(write(tmp_path / "pack", pack_files)).hash == builtin_pack().hash


@pytest.mark.parametrize(
    "edit",
    [
        pytest.param(swap("pack.toml", 'version = "', 'version = "9.'), id="version"),
        pytest.param(swap(TILES, "Spring Crocus", "Autumn Crocus"), id="name"),
        pytest.param(swap("spring_maps.toml", "[24, ", "[25, "), id="solo value"),
    ],
)
def test_the_hash_depends_on_all_contents(tmp_path: Path, edit: Edit) -> None:
    """A changed word or number is another pack."""
    pack_files = original()
    edit(pack_files)
    assert load_pack(write(tmp_path / "pack", pack_files)).hash != builtin_pack().hash


def test_the_canonical_bytes_make_the_pack_again() -> None:
    """A server keeps a pack by hash, and needs nothing else to go on with its games."""
    pack = builtin_pack()
    again = pack_from_bytes(pack.to_bytes())
    assert again == pack
    assert again.to_bytes() == pack.to_bytes()
    assert again.tables[TILES].rows[0].values == pack.tables[TILES].rows[0].values


def _form() -> dict[str, object]:
    return dict(json.loads(builtin_pack().to_bytes()))


def _bytes(form: object) -> bytes:
    return json.dumps(form, sort_keys=True, separators=(",", ":")).encode()


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(b"\xff\xfe", id="not text"),
        pytest.param(b"[" * 100_000, id="too deep"),
        pytest.param(b"[]", id="another shape"),
        pytest.param(_bytes({**_form(), "format": 99}), id="another format"),
        pytest.param(_bytes({**_form(), "tables": {"t.csv": {"columns": ["a"], "rows": [["1", "2"]]}}}), id="ragged"),
        pytest.param(_bytes({**_form(), "more": 1}), id="more"),
        pytest.param(json.dumps(_form(), indent=1).encode(), id="not canonical"),
    ],
)
def test_other_bytes_are_refused(data: bytes) -> None:
    """Only canonical bytes make a pack, so that equal packs have equal bytes."""
    with pytest.raises(BadEncoding):
        pack_from_bytes(data)


def test_faulty_contents_are_refused_from_bytes_too() -> None:
    """Bytes are checked like a folder; rows count as if there were no comments."""
    form = json.loads(builtin_pack().to_bytes())
    form["tables"][TILES]["rows"][0][form["tables"][TILES]["columns"].index("shape")] = "#x"
    with pytest.raises(ContentError) as caught:
        pack_from_bytes(_bytes(form))
    assert [(fault.file, fault.row, fault.column) for fault in caught.value.faults] == [(TILES, 2, "shape")]
    form["pack"]["id"] = "No Id"
    with pytest.raises(ContentError, match=r"pack\.toml: id"):
        pack_from_bytes(_bytes(form))


@given(st.binary(max_size=60))
def test_no_bytes_break_the_reader(data: bytes) -> None:
    """Whatever comes, the answer is a pack or an error with a code."""
    with pytest.raises(EngineError):
        pack_from_bytes(data)


def test_loading_names_all_faults_at_once(tmp_path: Path) -> None:
    """Whoever transcribes a box sees every mistake in one run, in the order of files and rows."""
    pack_files = original()
    every(cell(TILES, 2, "name", ""), content("spring_rocks.csv", b"id\n"), swap("spring_maps.toml", "[24, ", "["))(
        pack_files
    )
    with pytest.raises(ContentError) as caught:
        load_pack(write(tmp_path / "pack", pack_files))
    error = caught.value
    assert [fault.file for fault in error.faults] == ["spring_maps.toml", *["spring_rocks.csv"] * 3, TILES]
    assert error.code == "BAD_CONTENT"
    assert error.details == {"faults": "5"}
    assert f"{TILES}:2: name: a text is missing" in str(error).splitlines()


def test_a_folder_in_the_place_of_a_table_is_a_fault(tmp_path: Path) -> None:
    """A name that a game reads as a table must be a file's."""
    folder = tmp_path / "pack"
    new_folder(folder)
    (folder / "spring_tiles.csv").unlink()
    (folder / "spring_tiles.csv").mkdir()
    assert any(fault.file == "spring_tiles.csv" and "no file" in fault.message for fault in check_folder(folder))
