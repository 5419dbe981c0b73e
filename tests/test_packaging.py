"""What is built from the tree: the bindings, the wheel, the source distribution, and the environment of `make`."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from email.message import Message
from email.parser import Parser
from pathlib import Path

import pytest

import hatch_build
from tests.support.source_tree import GENERATED, PACKAGES, ROOT, source_files

pytestmark = pytest.mark.source

PROTO = """
syntax = "proto3";
package toy.v1;
import "google/protobuf/timestamp.proto";
service ToyService { rpc GetToy(GetToyRequest) returns (GetToyResponse); }
message GetToyRequest { google.protobuf.Timestamp since = 1; }
message GetToyResponse { string toy = 1; }
"""


# ---- the bindings ----------------------------------------------------------------------------------------------------


@pytest.fixture
def proto_root(tmp_path: Path) -> Path:
    """Return a folder with one .proto file of a package of its own."""
    folder = tmp_path / "proto" / "toy" / "v1"
    folder.mkdir(parents=True)
    (folder / "toy.proto").write_text(PROTO, "utf-8")
    return tmp_path / "proto"


def _generated(proto_root: Path) -> set[str]:
    return {path.name for path in proto_root.rglob("*_pb2*")}


def test_bindings_are_made_beside_the_proto_files_once(proto_root: Path) -> None:
    """A .proto file gets its four bindings; with nothing changed there is nothing to do."""
    assert hatch_build.generate(proto_root)
    assert _generated(proto_root) == {"toy" + suffix for suffix in GENERATED}
    assert not hatch_build.generate(proto_root)


def test_bindings_follow_a_change_and_a_loss(proto_root: Path) -> None:
    """A changed .proto file and a missing binding are both noticed; file times play no part."""
    hatch_build.generate(proto_root)
    proto = proto_root / "toy" / "v1" / "toy.proto"
    proto.write_text(PROTO.replace("string toy", "string plaything"), "utf-8")
    os.utime(proto, (0, 0))
    assert hatch_build.generate(proto_root)
    assert "plaything" in proto.with_name("toy_pb2.pyi").read_text("utf-8")
    proto.with_name("toy_pb2_grpc.pyi").unlink()
    assert hatch_build.generate(proto_root)
    assert proto.with_name("toy_pb2_grpc.pyi").is_file()


def test_bindings_go_with_their_proto_file(proto_root: Path) -> None:
    """Bindings of a deleted .proto file would still be imported, so they are deleted; no .proto file at all is fine."""
    hatch_build.generate(proto_root)
    (proto_root / "toy" / "v1" / "toy.proto").unlink()
    assert hatch_build.generate(proto_root)
    assert _generated(proto_root) == set()
    assert not hatch_build.generate(proto_root)


def test_a_broken_proto_file_leaves_the_bindings_alone(proto_root: Path) -> None:
    """If the .proto files do not compile, the command fails and the last good bindings stay."""
    hatch_build.generate(proto_root)
    (proto_root / "toy" / "v1" / "toy.proto").write_text(PROTO + "message {", "utf-8")
    with pytest.raises(SystemExit, match="do not compile"):
        hatch_build.generate(proto_root)
    assert _generated(proto_root) == {"toy" + suffix for suffix in GENERATED}
    assert [path.name for path in proto_root.iterdir() if path.is_dir()] == ["toy"], "no temporary folder stays"


def test_each_proto_file_of_the_api_has_its_bindings() -> None:
    """`make` has generated four files for each .proto file, and none without one."""
    api = PACKAGES["meadow_api"] / "v1"
    stems = {path.stem for path in api.glob("*.proto")}
    assert {path.name for path in api.glob("*_pb2*")} == {stem + suffix for stem in stems for suffix in GENERATED}


# ---- wheel and source distribution -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def artifacts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with `dist`, built of `tree`, a copy of the source tree without bindings."""
    work = tmp_path_factory.mktemp("build")
    for path in source_files():
        copy = work / "tree" / path.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, copy)
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(work / "dist"), str(work / "tree")]
    answer = subprocess.run(command, capture_output=True, text=True, check=False)
    assert answer.returncode == 0, answer.stdout + answer.stderr
    return work


@pytest.fixture(scope="module")
def wheel_names(artifacts: Path) -> set[str]:
    """Return the names of the files in the wheel."""
    (wheel,) = artifacts.glob("dist/*.whl")
    return set(zipfile.ZipFile(wheel).namelist())


def _metadata(artifacts: Path) -> Message:
    (wheel,) = artifacts.glob("dist/*.whl")
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        return Parser().parsestr(archive.read(name).decode())


def test_the_wheel_holds_the_four_packages_and_nothing_else(wheel_names: set[str]) -> None:
    """No wheel installs a top-level `engine`, `server` or `tests`: only the four uniquely named packages."""
    tops = {name.partition("/")[0] for name in wheel_names}
    assert {top for top in tops if not top.endswith(".dist-info")} == set(PACKAGES)


def test_the_wheel_holds_every_file_of_the_packages(artifacts: Path, wheel_names: set[str]) -> None:
    """Code, type markers, .proto files and content data of the packages are all in the wheel, with the bindings."""
    expected = {
        path.relative_to(above).as_posix()
        for folder in PACKAGES.values()
        for above in [artifacts / "tree" / folder.parent.relative_to(ROOT)]
        for path in (above / folder.name).rglob("*")
        if path.is_file()
    }
    assert not expected - wheel_names
    bindings = {name[: -len(".proto")] + suffix for name in expected if name.endswith(".proto") for suffix in GENERATED}
    assert not bindings - wheel_names
    assert not [name for name in wheel_names if "__pycache__" in name or name.endswith(".pyc")]


def test_the_wheel_tells_what_it_is(artifacts: Path, wheel_names: set[str]) -> None:
    """Name, version, licence, Python, extras and the command `meadow` are in the wheel's metadata."""
    metadata = _metadata(artifacts)
    assert metadata["Name"] == "meadow-engine"
    assert metadata["License-Expression"] == "MIT"
    assert metadata["Requires-Python"] == ">=3.11"
    assert set(metadata.get_all("Provides-Extra", [])) == {"client", "server", "postgres", "rl", "bench", "dev"}
    assert all("extra ==" in requirement for requirement in metadata.get_all("Requires-Dist", []))
    assert any(name.endswith("/licenses/LICENSE") for name in wheel_names)
    assert any(name.endswith("/entry_points.txt") for name in wheel_names)


def test_the_source_distribution_builds_the_wheel(artifacts: Path) -> None:
    """The wheel of the fixture was built from the source distribution, in which `make` works as in a clone."""
    (sdist,) = artifacts.glob("dist/*.tar.gz")
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    tree = artifacts / "tree"
    files = {path.relative_to(tree).as_posix() for path in tree.rglob("*") if path.is_file()}
    assert files - names <= {"proto/.bindings-stamp"}
    assert not [name for name in names if name.startswith((".venv", "dist", "proto/.bindings"))]


def test_the_changelog_knows_the_version() -> None:
    """The version in pyproject.toml has a heading in the changelog."""
    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    assert f"## {version}" in (ROOT / "CHANGELOG.md").read_text("utf-8")


# ---- make ------------------------------------------------------------------------------------------------------------


# What a make that runs the tests hands down to its children, and what would choose another Python.
HANDED_DOWN = ("MAKE", "MFLAGS", "PYENV", "PYTHON", "VENV", "ARGS")


def _make(*arguments: str, path: str | None = None, home: Path | None = None) -> subprocess.CompletedProcess[str]:
    environment = {key: value for key, value in os.environ.items() if not key.startswith(HANDED_DOWN)}
    environment |= {"PATH": path or os.environ["PATH"], "HOME": str(home or Path.home())}
    return subprocess.run(
        ["make", "-C", str(ROOT), *arguments], env=environment, capture_output=True, text=True, check=False
    )


def test_make_lists_every_target() -> None:
    """`make` alone prints each target with what it does."""
    text = (ROOT / "Makefile").read_text("utf-8")
    phony = re.search(r"^\.PHONY: (.*)$", text, re.MULTILINE)
    assert phony
    shown = re.findall(r"^  make ([a-z-]+) ", _make().stdout, re.MULTILINE)
    assert sorted(shown) == sorted(phony[1].split())


def _tools_only(folder: Path, **scripts: str) -> str:
    """Fill a folder with the few commands make needs and the given scripts, to be the whole PATH; return it."""
    folder.mkdir()
    for tool in ("sh", "awk", "ls", "grep", "make", "dirname", "env"):
        (folder / tool).symlink_to(shutil.which(tool) or tool)
    for name, script in scripts.items():
        (folder / name).write_text(script, "utf-8")
        (folder / name).chmod(0o755)
    return str(folder)


SHIM = "#!/bin/sh\necho 'pyenv: python3: command not found' >&2\nexit 127\n"
OLD = "#!/bin/sh\nexit 1\n"


def test_make_says_that_there_is_no_python(tmp_path: Path) -> None:
    """Where no name on PATH is a Python that runs and is new enough, make says what to install or to name."""
    path = _tools_only(tmp_path / "bin", python3=SHIM, python=OLD)
    answer = _make("venv", f"VENV={tmp_path / 'venv'}", path=path, home=tmp_path)
    assert answer.returncode != 0
    assert "No Python 3.11 to 3.14" in answer.stdout
    assert "make PYTHON=" in answer.stdout


def test_make_refuses_a_python_that_does_not_run(tmp_path: Path) -> None:
    """A Python given by hand is checked too."""
    path = _tools_only(tmp_path / "bin", bad=SHIM)
    answer = _make("venv", f"VENV={tmp_path / 'venv'}", f"PYTHON={path}/bad", path=path, home=tmp_path)
    assert answer.returncode != 0
    assert "older than Python 3.11, or does not run" in answer.stdout


def test_a_shim_that_does_not_run_is_passed_over(tmp_path: Path) -> None:
    """Where `python3` is a dead shim, a good Python of another name or in pyenv's folders is taken."""
    pyenv = tmp_path / ".pyenv" / "versions" / f"3.{sys.version_info.minor}.0" / "bin"
    pyenv.mkdir(parents=True)
    (pyenv / "python3").symlink_to(Path(sys.base_prefix) / "bin" / "python3")
    path = _tools_only(tmp_path / "bin", python3=SHIM)
    environment = {"PATH": path, "HOME": str(tmp_path)}
    answer = subprocess.run(
        ["sh", ".ci/pythons"], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    version, _, found = answer.stdout.partition(" ")
    assert version == f"3.{sys.version_info.minor}"
    assert Path(found.strip()).is_file()
