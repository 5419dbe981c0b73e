"""Randomness, set-up, canonical encoding and hashes, written from docs/determinism.md alone.

Nothing here comes from the engine: the tests compare the two. Run as a program it renews `vectors.json`:

    python -m tests.kernel.spec
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any

VECTORS = Path(__file__).with_name("vectors.json")
WORDS = 2**64

Json = None | bool | int | str | Sequence["Json"] | Mapping[str, "Json"]


def words(seed: bytes, name: str) -> Iterator[int]:
    """All 64-bit words of a stream (Streams)."""
    person = name.encode("ascii") + bytes(16 - len(name))
    k = 0
    while True:
        block = blake2b(k.to_bytes(8, "big"), digest_size=64, key=seed, person=person).digest()
        for start in range(0, 64, 8):
            yield int.from_bytes(block[start : start + 8], "big")
        k += 1


class Stream:
    """A stream, and how many words it has given."""

    def __init__(self, seed: bytes, name: str) -> None:
        self.used = 0
        self._words = words(seed, name)

    def below(self, bound: int) -> int:
        """A number below a bound."""
        limit = WORDS - WORDS % bound
        while True:
            self.used += 1
            word = next(self._words)
            if word < limit:
                return word % bound

    def shuffle(self, items: list[int]) -> list[int]:
        """The list itself, shuffled."""
        last = len(items) - 1
        while last >= 1:
            other = self.below(last + 1)
            items[last], items[other] = items[other], items[last]
            last -= 1
        return items


ESCAPES = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r"}


def quoted(text: str) -> str:
    """A string in its canonical form."""
    written = ""
    for character in text:
        code = ord(character)
        if character in ESCAPES:
            written += ESCAPES[character]
        elif 0x20 <= code <= 0x7E:
            written += character
        elif code <= 0xFFFF:
            written += f"\\u{code:04x}"
        else:
            high, low = divmod(code - 0x10000, 0x400)
            written += f"\\u{0xD800 + high:04x}\\u{0xDC00 + low:04x}"
    return f'"{written}"'


def canonical(value: Json) -> str:
    """The canonical encoding of plain data."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, Mapping):
        return "{" + ",".join(f"{quoted(key)}:{canonical(value[key])}" for key in sorted(value)) + "}"
    return "[" + ",".join(map(canonical, value)) + "]"


def digest(value: Json) -> str:
    """The hash of plain data, in hexadecimal."""
    return blake2b(canonical(value).encode("ascii"), digest_size=32).hexdigest()


def commitment(configuration: Json, seed: bytes, nonce: bytes) -> str:
    """What binds a server to a configuration, in hexadecimal."""
    hashed = blake2b(digest_size=32)
    for part in (b"meadow commitment 1", canonical(configuration).encode(), seed, nonce):
        hashed.update(len(part).to_bytes(8, "big") + part)
    return hashed.hexdigest()


def set_up(content: Any, seats: int, options: Any, seed: bytes) -> dict[str, Any]:
    """The state of a game of Spring Meadow for several seats at its first decision.

    Args:
        content: `copies` of each kind of tile; `faces`, each with its `board` and its `burrows`; the first `path`.
        seats: 2 to 4.
        options: `expert`, `faces` (numbers), `first_seat`.
        seed: 32 bytes.
    """
    used: dict[str, int] = {}

    def drawn(name: str, draw: Callable[[Stream], Any]) -> Any:
        stream = Stream(seed, name)
        result = draw(stream)
        used[name] = stream.used
        return result

    tiles = [kind for kind, copies in enumerate(content["copies"]) for _ in range(copies)]
    box = drawn("tiles", lambda stream: stream.shuffle(tiles))
    faces = options["faces"] or drawn("boards", lambda stream: deal(content["faces"], seats, stream))
    first = options["first_seat"]
    if first == -1:
        first = drawn("first seat", lambda stream: stream.below(seats))
    start_rocks = {2: (0, 2), 3: (0, 1, 3), 4: (0, 1, 2, 3)}[seats]
    mountains = [new_mountain(face, int(content["faces"][face]["burrows"])) for face in faces]
    for order, size in enumerate(start_rocks):
        mountains[(first + order) % seats]["start_rock"] = size
    return {
        "$": "SpringState",
        "seats": seats,
        "faces": options["faces"],
        "streams": {"$": "Streams", "seed": seed.hex(), "used": used},
        "meadow_map": [box.pop() for _ in range(25)],
        "queue": [box.pop() for _ in range(20)] if options["expert"] else [],
        "box": {"$": "HiddenPile", "items": box, "seen": []},
        "stack": [{"$": "MoveOn", "seat": first}, {"$": "ChoosingTile", "seat": first, "spaces": content["path"]}],
        "signpost": 0,
        "active": first,
        "turn": 1,
        "idle_turns": 0,
        "expert": options["expert"],
        "mountains": mountains,
        "scorings": [],
        "solo": None,
        "campaign": None,
    }


def deal(faces: Sequence[Any], seats: int, stream: Stream) -> list[int]:
    """A face of a different board for each seat."""
    boards = stream.shuffle(sorted({face["board"] for face in faces}))
    dealt = []
    for seat in range(seats):
        sides = [number for number, face in enumerate(faces) if face["board"] == boards[seat]]
        dealt.append(sides[stream.below(len(sides))])
    return dealt


def new_mountain(face: int, burrows: int) -> dict[str, Any]:
    """An empty board with a face up."""
    zeros = dict.fromkeys(("covered", "holes", "marmots", "start_rock", "pins"), 0)
    return {"$": "Mountain", "face": face, "burrows": burrows, "pieces": [], **zeros}


def seed_of(text: str) -> bytes:
    """The seed a vector names: 32 bytes in hexadecimal, leading zeros left out."""
    return bytes.fromhex(text.zfill(64))


SEEDS = ("00", "07", "ff" * 32, "0123456789abcdef" * 4)
STREAMS = ("tiles", "boards", "first seat", "sixteen letters!")
BOUNDS = (1, 2, 3, 10, 100, 2**63, 2**63 + 1, 2**64 - 1, 2**64)
PLAIN: tuple[Json, ...] = (
    None,
    [True, False, 0, -1, 2**90 - 1],
    {"b": [], "a": {}, "B": "", "$": "Name", "aa": [[1], {"x": None}]},
    'quote " back \\ slash / tab \t line \n feed \f return \r bell \x07 back \b nought \x00 delete \x7f',
    "é € \u2028 \U0001f33c",
)
NO_OPTIONS: dict[str, Json] = {"expert": False, "faces": [], "first_seat": -1}
SET_UPS: tuple[tuple[int, str, dict[str, Json]], ...] = (
    (2, "07", NO_OPTIONS),
    (3, "01", NO_OPTIONS),
    (4, "0123456789abcdef" * 4, NO_OPTIONS | {"expert": True}),
    (2, "ff" * 32, {"expert": True, "faces": [7, 0], "first_seat": 1}),
)


def vectors(content: Any) -> dict[str, Any]:
    """All test vectors, made by this module from the content of a pack."""
    return {
        "about": "Test vectors of docs/determinism.md. Numbers that may not fit into 53 bits are strings.",
        "words": [_words(seed, name) for seed in SEEDS for name in STREAMS],
        "below": [_below(seed, bound) for seed in SEEDS[1:3] for bound in BOUNDS],
        "shuffles": [_shuffled(seed, length) for seed in SEEDS for length in (0, 1, 2, 10, 100)],
        "encodings": [{"json": canonical(plain), "blake2b": digest(plain)} for plain in PLAIN],
        "commitments": [_committed(seed) for seed in SEEDS[1:]],
        "content": content,
        "setups": [
            {"seats": seats, "seed": seed, "options": options, "state": canonical(state), "hash": digest(state)}
            for seats, seed, options in SET_UPS
            for state in [set_up(content, seats, options, seed_of(seed))]
        ],
    }


def _words(seed: str, name: str) -> dict[str, Any]:
    stream = words(seed_of(seed), name)
    return {"seed": seed, "stream": name, "words": [f"{next(stream):016x}" for _ in range(10)]}


def _below(seed: str, bound: int) -> dict[str, Any]:
    stream = Stream(seed_of(seed), "tiles")
    numbers = [str(stream.below(bound)) for _ in range(12)]
    return {"seed": seed, "stream": "tiles", "bound": str(bound), "numbers": numbers, "used": stream.used}


def _shuffled(seed: str, length: int) -> dict[str, Any]:
    stream = Stream(seed_of(seed), "tiles")
    shuffled = stream.shuffle(list(range(length)))
    return {"seed": seed, "stream": "tiles", "length": length, "shuffled": shuffled, "used": stream.used}


def _committed(seed: str) -> dict[str, Any]:
    options: dict[str, Json] = {"expert": True, "faces": ["1A", "2B"], "first_seat": -1}
    public: dict[str, Json] = {"variant": "spring_meadow", "seats": 2, "options": options}
    public |= {"pack": "5a" * 32, "rules_revision": 1}
    nonce = bytes(range(32))
    made = commitment(public, seed_of(seed), nonce)
    return {"configuration": canonical(public), "seed": seed, "nonce": nonce.hex(), "commitment": made}


def main() -> None:
    """Write `vectors.json` anew, with the content it has; a line for each vector."""
    content = json.loads(VECTORS.read_text(encoding="ascii"))["content"]
    parts = []
    for name, value in vectors(content).items():
        items = value if isinstance(value, list) else [value]
        text = ",\n  ".join(map(json.dumps, items))
        parts.append(f'"{name}": [\n  {text}\n ]' if items is value else f'"{name}": {text}')
    VECTORS.write_text("{\n " + ",\n ".join(parts) + "\n}\n", encoding="ascii")


if __name__ == "__main__":
    main()
