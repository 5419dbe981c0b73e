"""The .proto files keep buf's rules, and buf would notice a change that breaks clients. All of it works offline."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.source_tree import ROOT

pytestmark = pytest.mark.source

BASELINE = ROOT / "proto" / "baseline.binpb"
# Nothing listens there: a rule that wanted the network would fail.
NOWHERE = "http://127.0.0.1:9"


def _buf(folder: Path, cache: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"BUF_CACHE_DIR": str(cache), "HTTPS_PROXY": NOWHERE, "HTTP_PROXY": NOWHERE}
    buf = Path(sys.executable).parent / "buf"
    return subprocess.run([buf, *arguments], cwd=folder, env=environment, capture_output=True, text=True, check=False)


@pytest.fixture
def schema(tmp_path: Path) -> Path:
    """Return a copy of the .proto files and buf's configuration, to change at will."""
    copy = tmp_path / "schema"
    shutil.copytree(ROOT / "proto", copy / "proto", ignore=shutil.ignore_patterns("*.py*", "__pycache__", ".bindings*"))
    shutil.copy(ROOT / "buf.yaml", copy)
    return copy


def _some_field(schema: Path) -> tuple[Path, str]:
    """Return a file with a message field, and that field's line."""
    for proto in sorted(schema.rglob("*.proto")):
        if found := re.search(r"^  (?:string|int32|uint32|int64) \w+ = \d+;\n", proto.read_text("utf-8"), re.MULTILINE):
            return proto, found[0]
    raise AssertionError("no .proto file has a plain field")


def test_the_schema_keeps_the_lint_rules(tmp_path: Path) -> None:
    """Names, folders and comments of every .proto file follow buf's STANDARD and COMMENTS rules."""
    answer = _buf(ROOT, tmp_path, "lint")
    assert answer.returncode == 0, answer.stdout + answer.stderr


def test_a_field_without_a_comment_is_noticed(schema: Path, tmp_path: Path) -> None:
    """The comment rules are in force: a field that nobody explained fails the lint."""
    proto, field = _some_field(schema)
    bare = field + field.replace(" = ", "_unexplained = ").replace(field.split("= ")[1], "18999;\n")
    proto.write_text(proto.read_text("utf-8").replace(field, bare, 1), "utf-8")
    answer = _buf(schema, tmp_path, "lint")
    assert "_unexplained" in answer.stdout
    assert "comment" in answer.stdout


def test_the_schema_is_compatible_with_the_frozen_one(tmp_path: Path) -> None:
    """Since the first freeze, version 1 of the API only grows."""
    if not BASELINE.is_file():
        pytest.skip("version 1 of the API is not frozen yet (make api-freeze)")
    answer = _buf(ROOT, tmp_path, "breaking", "--against", str(BASELINE))
    assert answer.returncode == 0, answer.stdout + answer.stderr


def test_a_breaking_change_is_noticed(schema: Path, tmp_path: Path) -> None:
    """A schema is compatible with itself, and no longer once a field has gone."""
    image = tmp_path / "baseline.binpb"
    assert _buf(schema, tmp_path, "build", "--exclude-source-info", "-o", str(image)).returncode == 0
    assert _buf(schema, tmp_path, "breaking", "--against", str(image)).returncode == 0
    proto, field = _some_field(schema)
    proto.write_text(proto.read_text("utf-8").replace(field, "", 1), "utf-8")
    answer = _buf(schema, tmp_path, "breaking", "--against", str(image))
    assert answer.returncode != 0
    assert "was deleted" in answer.stdout, answer.stdout + answer.stderr
