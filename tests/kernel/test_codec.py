from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from meadow_engine.kernel import codec, stack
from meadow_engine.kernel.errors import BadEncoding
from meadow_engine.kernel.zones import HiddenPile

from tests.kernel.games import KNOWN, Choice, Heap, Take, Turn, heap


@dataclass(frozen=True, slots=True)
class Leaf:
    """A value at the end."""

    number: int = 0
    word: str = ""


@dataclass(frozen=True, slots=True)
class Other:
    """Another class, for unions."""

    flag: bool = False


@dataclass(slots=True)
class Tree:
    """One field of each shape that a state may have."""

    whole: int
    yes: bool
    text: str
    raw: bytes
    numbers: list[int]
    pair: tuple[int, str]
    row: tuple[Leaf, ...]
    by_name: dict[str, int]
    perhaps: Leaf | None
    either: Leaf | Other
    nested: list[list[bool]] = field(default_factory=list)
    shared: Any = field(default=None, metadata=codec.UNSAVED, compare=False)


CLASSES = codec.classes(Tree, Leaf, Other)

whole = st.integers(-(2**100), 2**100)
leaves = st.builds(Leaf, whole, st.text())
trees = st.builds(
    Tree,
    whole=whole,
    yes=st.booleans(),
    text=st.text(),
    raw=st.binary(max_size=40),
    numbers=st.lists(whole),
    pair=st.tuples(whole, st.text()),
    row=st.lists(leaves, max_size=4).map(tuple),
    by_name=st.dictionaries(st.text(), whole, max_size=4),
    perhaps=st.none() | leaves,
    either=leaves | st.builds(Other, st.booleans()),
    nested=st.lists(st.lists(st.booleans(), max_size=3), max_size=3),
    shared=st.none(),
)
keys = st.sampled_from(["$", "number", "word", "Leaf"])
junk = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["$", "number", "word", "Leaf"]), inner, max_size=4)
    ),
    max_leaves=12,
)
A_TREE = Tree(1, True, "t", b"\1", [1], (1, "a"), (Leaf(1, "x"),), {"k": 1}, None, Other(True), [[True]])


def plain_tree() -> dict[str, Any]:
    """The plain data of a tree."""
    plain: dict[str, Any] = json.loads(codec.encode(A_TREE))
    return plain


@given(trees)
def test_what_was_encoded_is_decoded_again(tree: Tree) -> None:
    """Any value comes back equal, and encodes to the same bytes again."""
    data = codec.encode(tree)
    again = codec.decode(data, CLASSES)
    assert again == tree
    assert codec.encode(again) == data


@given(trees)
def test_the_form_is_canonical(tree: Tree) -> None:
    """ASCII without spaces between tokens, keys ascending; so equal values have equal bytes."""
    data = codec.encode(tree)
    assert data.isascii()
    assert data == json.dumps(json.loads(data), sort_keys=True, separators=(",", ":")).encode()


def test_the_class_is_named_and_bytes_are_hexadecimal() -> None:
    """An object carries the name of its class under `$`."""
    assert codec.encode(Leaf(7, "é")) == b'{"$":"Leaf","number":7,"word":"\\u00e9"}'
    assert codec.encode([b"\x00\xff", (1, 2), None, True]) == b'["00ff",[1,2],null,true]'


class Colour(Enum):
    """Something without a canonical form."""

    RED = 1


@pytest.mark.parametrize("value", [1.5, {1, 2}, Colour.RED, Leaf, object()])
def test_what_has_no_canonical_form_is_a_mistake_of_the_program(value: object) -> None:
    """Floats, sets, classes and the like never enter a state; whoever tries gets a TypeError at once."""
    with pytest.raises(TypeError, match="no canonical form"):
        codec.encode([value])


def test_the_hash_is_that_of_the_bytes() -> None:
    """Equal values have equal hashes of 32 bytes; any difference changes them."""
    assert codec.digest(Leaf(1)) == codec.digest(Leaf(1))
    assert codec.digest(Leaf(1)) != codec.digest(Leaf(2))
    assert codec.digest(Leaf(0)) != codec.digest(Other())
    assert len(codec.digest(A_TREE)) == codec.HASH_BYTES


def test_fields_not_saved_are_handed_back() -> None:
    """Shared tables stay out of the bytes; the caller supplies them when decoding."""
    tree = codec.decode(codec.encode(A_TREE), CLASSES)
    assert tree.shared is None
    shared = object()
    assert codec.decode(codec.encode(A_TREE), CLASSES, shared=shared).shared is shared
    assert b"shared" not in codec.encode(A_TREE)


def test_the_tables_left_out_are_found_in_another_value() -> None:
    """What has to be handed to `decode` can be taken from a value that has it; what begins anew is not among it."""
    assert codec.unsaved_of(heap()) == {"label": ""}


@pytest.mark.parametrize(
    ("name", "value", "where"),
    [
        ("whole", True, "value.whole: not int"),
        ("whole", 1.0, "value.whole: not int"),
        ("whole", None, "value.whole: not int"),
        ("yes", 1, "value.yes: not bool"),
        ("text", 1, "value.text: not str"),
        ("raw", "0", "value.raw: not hexadecimal"),
        ("raw", "AB", "value.raw: not hexadecimal"),
        ("raw", "ab cd", "value.raw: not hexadecimal"),
        ("raw", 7, "value.raw: not hexadecimal"),
        ("numbers", {}, "value.numbers: not an array"),
        ("numbers", [1, "2"], "value.numbers[1]: not int"),
        ("pair", [1], "value.pair: wrong length"),
        ("pair", [1, 2], "value.pair[1]: not str"),
        ("row", [{"$": "Leaf", "number": 1}], "value.row[0]: Leaf with wrong fields"),
        ("row", [{"$": "Leaf", "number": 1, "word": "", "more": 1}], "value.row[0]: Leaf with wrong fields"),
        ("row", [{"$": "Other", "flag": True}], "value.row[0]: no object of a class"),
        ("row", [{"$": "Leaf", "number": "1", "word": ""}], "value.row[0].number: not int"),
        ("by_name", [], "value.by_name: not an object"),
        ("by_name", {"k": "v"}, "value.by_name.k: not int"),
        ("perhaps", 7, "value.perhaps: no object of a class"),
        ("either", None, "value.either: missing"),
        ("either", {"$": "Tree"}, "value.either: no object of a class"),
        ("either", {"$": []}, "value.either: no object of a class"),
        ("either", {"$": {}}, "value.either: no object of a class"),
        ("either", {}, "value.either: no object of a class"),
        ("nested", [[True], [0]], "value.nested[1][0]: not bool"),
    ],
)
def test_an_error_names_the_place(name: str, value: object, where: str) -> None:
    """What does not fit its field is refused with the path to it."""
    with pytest.raises(BadEncoding) as refusal:
        codec.decode(json.dumps(plain_tree() | {name: value}).encode(), CLASSES)
    assert str(refusal.value).startswith(where)


@pytest.mark.parametrize("data", [b"", b"{", b"\xff\xfe", b"[" * 100_000, b'{"a":1}x', b"9" * 5000, b"nul"])
def test_what_is_not_json_is_refused(data: bytes) -> None:
    """Neither cut nor foreign bytes, nor a tower of brackets, come out as anything but BadEncoding."""
    for decode in (codec.decode_plain, lambda given: codec.decode(given, CLASSES)):
        with pytest.raises(BadEncoding):
            decode(data)


@given(st.binary(max_size=60))
def test_no_bytes_raise_anything_else(data: bytes) -> None:
    """Arbitrary bytes decode or are refused as BadEncoding."""
    with suppress(BadEncoding):
        codec.decode(data, CLASSES)


@given(junk)
def test_no_json_raises_anything_else(plain: object) -> None:
    """Arbitrary JSON decodes into a known class or is refused as BadEncoding."""
    try:
        decoded = codec.decode(json.dumps(plain).encode(), CLASSES)
    except BadEncoding:
        return
    assert type(decoded) in CLASSES.values()


@given(st.sampled_from(sorted(plain_tree())), junk)
def test_no_field_takes_junk(name: str, value: object) -> None:
    """With arbitrary JSON in one field the whole decodes to what encodes the same, or is refused."""
    data = json.dumps(plain_tree() | {name: value}, sort_keys=True, separators=(",", ":")).encode()
    try:
        decoded = codec.decode(data, CLASSES)
    except BadEncoding:
        return
    assert codec.encode(decoded) == data


def test_a_whole_state_with_its_stack_comes_back() -> None:
    """Frames are written by name, so pending work is saved with the state."""
    state = heap(7, 1, 0, 2)
    stack.run(state)
    stack.apply(state, 1)
    again = codec.decode(codec.encode(state), KNOWN, label="given")
    assert isinstance(again, Heap)
    assert again == state
    assert again.label == "given"
    assert again.stack == [Turn(0), Choice(1)]
    assert (again.last, again.cards) == (Take(2), HiddenPile([1, 0, 2]))


def test_only_frames_may_stand_in_a_stack() -> None:
    """An object of another known class cannot slip into the pending work."""
    plain = json.loads(codec.encode(heap()))
    plain["stack"] = [{"$": "Take", "count": 1}]
    with pytest.raises(BadEncoding, match=r"value\.stack\[0\]"):
        codec.decode(json.dumps(plain).encode(), KNOWN)
