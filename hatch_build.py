"""Generates the Python bindings of the .proto files, beside them: as hatchling's build hook and as a command.

`python hatch_build.py` brings the bindings up to date and does nothing when they are; hatchling runs the same function
for editable installs, sdists and wheels. Bindings are never committed. They are four files for each .proto file:
messages, service stubs, and the types of both. Since the proto package `meadow_api.v1` is also the Python import path,
generated imports work as they come.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
import sysconfig
import tempfile
from importlib import metadata
from pathlib import Path
from typing import Any

from grpc_tools import protoc
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PROTO_ROOT = Path(__file__).resolve().parent / "proto"
SUFFIXES = ("_pb2.py", "_pb2.pyi", "_pb2_grpc.py", "_pb2_grpc.pyi")
# Says which sources and tools the bindings on disk were made of. File times cannot: a checkout or a copy changes them.
STAMP = ".bindings-stamp"


class CustomBuildHook(BuildHookInterface):  # type: ignore[type-arg]
    """hatchling's hook: an artifact is never built with bindings that are missing or out of date."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Generate the bindings before hatchling collects the files."""
        generate(Path(self.root) / "proto")


def generate(proto_root: Path) -> bool:
    """Bring the bindings under `proto_root` up to date; says whether there was anything to do.

    Files appear one by one by an atomic rename, so that a process that imports them meanwhile never reads half a file.
    """
    protos = sorted(proto_root.rglob("*.proto"))
    expected = {proto.with_name(proto.stem + suffix) for proto in protos for suffix in SUFFIXES}
    stamp = proto_root / STAMP
    fingerprint = _fingerprint(proto_root, protos)
    stale = _bindings(proto_root) - expected
    if not stale and all(path.is_file() for path in expected) and _read(stamp) == fingerprint:
        return False
    for path in stale:
        path.unlink(missing_ok=True)
    if protos:
        with tempfile.TemporaryDirectory(dir=proto_root, prefix=".bindings-") as folder:
            _run_protoc(proto_root, protos, Path(folder))
            for path in sorted(expected):
                made = Path(folder) / path.relative_to(proto_root)
                # A file without a service has no service types to declare; an empty file keeps the set regular.
                made.touch()
                made.replace(path)
    stamp.write_text(fingerprint, encoding="utf-8")
    return True


def _bindings(proto_root: Path) -> set[Path]:
    """Return the generated files that are there, whether or not their source still is."""
    return {path for suffix in SUFFIXES for path in proto_root.rglob("*" + suffix)}


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def _fingerprint(proto_root: Path, protos: list[Path]) -> str:
    digest = hashlib.sha256()
    for tool in ("grpcio-tools", "mypy-protobuf"):
        digest.update(f"{tool} {metadata.version(tool)}\n".encode())
    for proto in protos:
        content = proto.read_bytes()
        digest.update(f"{proto.relative_to(proto_root).as_posix()} {len(content)}\n".encode() + content)
    return digest.hexdigest() + "\n"


def _run_protoc(proto_root: Path, protos: list[Path], target: Path) -> None:
    """Run the compiler that grpcio-tools carries; it raises nothing, it prints what is wrong and answers a status."""
    status = protoc.main(
        [
            "protoc",
            f"-I{proto_root}",
            f"-I{Path(protoc.__file__).parent / '_proto'}",
            f"--plugin=protoc-gen-mypy={_plugin('protoc-gen-mypy')}",
            f"--plugin=protoc-gen-mypy_grpc={_plugin('protoc-gen-mypy_grpc')}",
            f"--python_out={target}",
            f"--grpc_python_out={target}",
            f"--mypy_out=quiet:{target}",
            f"--mypy_grpc_out=quiet:{target}",
            *(str(proto) for proto in protos),
        ]
    )
    if status:
        raise SystemExit("hatch_build.py: the .proto files do not compile; the compiler's messages are above")


def _plugin(name: str) -> str:
    """Find a protoc plugin next to this interpreter (a virtual environment need not be activated) or on PATH."""
    folders = os.pathsep.join([sysconfig.get_path("scripts"), os.environ.get("PATH", "")])
    found = shutil.which(name, path=folders)
    if found is None:
        raise SystemExit(f"hatch_build.py: {name} is not installed; it comes with the package mypy-protobuf")
    return found


if __name__ == "__main__":
    if generate(PROTO_ROOT):
        sys.stdout.write("bindings generated from the .proto files\n")
