"""docs/determinism.md against the engine, and against the two programs written from that page alone."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from typing import Any

import pytest
from meadow_engine import api
from meadow_engine.kernel import codec
from meadow_engine.kernel.rng import Streams, seed_bytes
from meadow_engine.spring_meadow.assembly import SPRING_MEADOW, SpringFamily
from meadow_engine.spring_meadow.catalogue import Catalogue

from tests.kernel import spec
from tests.support.frozen import frozen_pack
from tests.support.source_tree import ROOT

pytestmark = pytest.mark.hash_seed

VECTORS: dict[str, Any] = json.loads(spec.VECTORS.read_text(encoding="ascii"))


def frozen_catalogue() -> Catalogue:
    """The catalogue of the content that the vectors were made with, which later changes of the pack do not touch."""
    catalogue = api.catalogue("spring_meadow", frozen_pack())
    assert isinstance(catalogue, Catalogue)
    assert [kind.copies for kind in catalogue.tiles] == VECTORS["content"]["copies"]
    faces = [{"id": face.id, "board": face.board, "burrows": str(face.burrows)} for face in catalogue.faces]
    assert faces == VECTORS["content"]["faces"]
    return catalogue


@pytest.mark.parametrize("vector", VECTORS["words"], ids=lambda v: f"{v['stream']} {v['seed'][:4]}")
def test_the_engine_gives_the_published_words(vector: dict[str, Any]) -> None:
    """A stream of the engine gives the words of the vectors."""
    streams = Streams(spec.seed_of(vector["seed"]))
    assert [f"{streams.word(vector['stream']):016x}" for _ in vector["words"]] == vector["words"]


def test_the_engine_gives_the_published_numbers() -> None:
    """Numbers below a bound, and how many words they took, are those of the vectors."""
    for vector in VECTORS["below"]:
        streams = Streams(spec.seed_of(vector["seed"]))
        numbers = [str(streams.below(vector["stream"], int(vector["bound"]))) for _ in vector["numbers"]]
        assert (numbers, streams.used[vector["stream"]]) == (vector["numbers"], vector["used"])


def test_the_engine_shuffles_as_published() -> None:
    """Shuffles, and how many words they took, are those of the vectors."""
    for vector in VECTORS["shuffles"]:
        streams, items = Streams(spec.seed_of(vector["seed"])), list(range(vector["length"]))
        streams.shuffle(vector["stream"], items)
        assert (items, streams.used.get(vector["stream"], 0)) == (vector["shuffled"], vector["used"])


def test_the_engine_encodes_as_published() -> None:
    """Canonical encodings and their hashes are those of the vectors."""
    for plain, vector in zip(spec.PLAIN, VECTORS["encodings"], strict=True):
        assert codec.encode(plain).decode() == vector["json"]
        assert codec.digest(plain).hex() == vector["blake2b"]


def test_the_engine_commits_as_published() -> None:
    """The commitment to a configuration is that of the vectors."""
    options = {"expert": True, "faces": ["1A", "2B"]}
    for vector in VECTORS["commitments"]:
        config = api.game_config("spring_meadow", seats=2, seed=spec.seed_of(vector["seed"]), options=options)
        # the vector's pack and revision instead of today's, in the cached property
        config.__dict__["public"] = config.public | {"pack": "5a" * 32, "rules_revision": 1}
        assert codec.encode(config.public).decode() == vector["configuration"]
        assert config.commitment(bytes.fromhex(vector["nonce"])).hex() == vector["commitment"]


@pytest.mark.parametrize("vector", VECTORS["setups"], ids=lambda v: f"{v['seats']} seats, seed {v['seed'][:4]}")
def test_the_engine_sets_up_as_published(vector: dict[str, Any]) -> None:
    """Seats, options and seed give the published state, byte for byte, and its hash."""
    catalogue = frozen_catalogue()
    options = vector["options"] | {"faces": tuple(catalogue.faces[face].id for face in vector["options"]["faces"])}
    seed = spec.seed_of(vector["seed"])
    state = SpringFamily().new_state(SPRING_MEADOW, catalogue, vector["seats"], options, seed)
    assert codec.encode(state).decode() == vector["state"]
    assert codec.digest(state).hex() == vector["hash"]


def test_the_vectors_are_those_of_the_page() -> None:
    """`vectors.json` is what the program written from the page makes: nobody edited either alone."""
    assert json.loads(json.dumps(spec.vectors(VECTORS["content"]))) == VECTORS


def test_another_language_reproduces_the_vectors() -> None:
    """A JavaScript program with its own BLAKE2b, written from the page alone, comes to the same numbers."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("there is no node on this machine")
    program = spec.VECTORS.with_name("determinism.mjs")
    answer = subprocess.run([node, program], capture_output=True, text=True, check=False)
    assert answer.returncode == 0, answer.stderr
    assert answer.stdout.endswith(" 0 failures\n")


def test_the_engine_agrees_with_the_page_on_other_seeds() -> None:
    """Beyond the vectors: whole set-ups by the engine and by the page's program are the same for many seeds."""
    catalogue = frozen_catalogue()
    for number in range(40):
        seed, seats = seed_bytes(number * 2**200 + number), 2 + number % 3
        options = SPRING_MEADOW.read_options({"expert": number % 2 == 0})
        state = SpringFamily().new_state(SPRING_MEADOW, catalogue, seats, options, seed)
        plain = spec.set_up(VECTORS["content"], seats, options | {"faces": []}, seed)
        assert codec.encode(state).decode() == spec.canonical(plain)


@pytest.mark.source
def test_the_page_quotes_the_vectors() -> None:
    """Every number in the page's last section stands in `vectors.json`, under the seed and stream it names."""
    page = (ROOT / "docs" / "determinism.md").read_text(encoding="utf-8")
    section = page.partition("## 11.")[2]
    quoted = re.findall(r"^\| `(\w+)` \| `([\w ]+)` \| `([0-9a-f ]+)` \|$", section, re.MULTILINE)
    assert len(quoted) >= 3
    for seed, stream, words in quoted:
        vector = next(v for v in VECTORS["words"] if (v["seed"], v["stream"]) == (seed, stream))
        assert vector["words"][: len(words.split())] == words.split()
    shuffled = re.search(r"^\| `(\w+)` \| `tiles`, shuffle of 10 \| `([0-9 ]+)` \|$", section, re.MULTILINE)
    assert shuffled is not None
    vector = next(v for v in VECTORS["shuffles"] if (v["seed"], v["length"]) == (shuffled[1], 10))
    assert " ".join(map(str, vector["shuffled"])) == shuffled[2]
