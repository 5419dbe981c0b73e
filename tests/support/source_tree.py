"""The source tree as tests read it: its files and what its modules import."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]

# Where each import package lives.
PACKAGES = {
    "meadow_engine": ROOT / "engine" / "meadow_engine",
    "meadow_server": ROOT / "server" / "meadow_server",
    "meadow_client": ROOT / "clients" / "python" / "meadow_client",
    "meadow_api": ROOT / "proto" / "meadow_api",
}

FOLDERS = (".ci", "bench", "clients", "deploy", "docs", "engine", "proto", "server", "tests")
GENERATED = ("_pb2.py", "_pb2.pyi", "_pb2_grpc.py", "_pb2_grpc.pyi")
NOT_SOURCE = {"__pycache__", "node_modules", "dist", ".venv", ".venvs"}


class Import(NamedTuple):
    """One module that a file imports, and where."""

    file: str
    line: int
    module: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line} imports {self.module}"


def source_files() -> Iterator[Path]:
    """Yield the project's own files: those at the top and in its folders, without generated ones."""
    # in a linked worktree .git is a file, but no source
    yield from (path for path in sorted(ROOT.iterdir()) if path.is_file() and path.name != ".git")
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*")):
            made = path.name.endswith(GENERATED) or path.name.startswith(".bindings")
            if path.is_file() and not made and not NOT_SOURCE & set(path.relative_to(ROOT).parts):
                yield path


def modules(package: str) -> list[Path]:
    """Return the Python files of one of the four packages, without generated ones."""
    return [path for path in sorted(PACKAGES[package].rglob("*.py")) if not path.name.endswith(GENERATED)]


def imports(path: Path, package: str) -> Iterator[Import]:
    """Yield all that a file imports, also within functions; relative imports and submodules are spelled out."""
    folder = path.relative_to(PACKAGES[package]).parent.parts
    name = path.relative_to(ROOT).as_posix()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"), filename=name)):
        if isinstance(node, ast.Import):
            yield from (Import(name, node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            module = node.module or ""
            if node.level:
                above = (package, *folder)[: len(folder) + 2 - node.level]
                module = ".".join([*above, module]).rstrip(".")
            # `from a import b` may import the module a.b; as text it cannot be told from a name of a.
            yield from (Import(name, node.lineno, f"{module}.{alias.name}") for alias in node.names)
