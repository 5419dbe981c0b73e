"""The promises of the source tree: which way imports run, what each package carries, and what no file may say."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib

import pytest

from tests.support.source_tree import PACKAGES, ROOT, Import, imports, modules, source_files

pytestmark = pytest.mark.source

# Written so that they do not match themselves.
MACHINE_PATHS = re.compile(r"(?<![\w.}~-])/(?:work|root|home|opt/pypi)/")
REGISTRY_HOSTS = re.compile(r"pypi[.]org|pythonhosted[.]org|registry[.]npmjs|proxy[.]golang|crates[.]io|buf[.]build")


def _all_imports(package: str) -> list[Import]:
    return [found for path in modules(package) for found in imports(path, package)]


def _root(module: str) -> str:
    return module.partition(".")[0]


def _is_inside(module: str, package: str) -> bool:
    return module == package or module.startswith(package + ".")


def test_the_engine_imports_the_standard_library_only() -> None:
    """The engine needs nothing but Python: neither gRPC, nor protobuf, nor the server, nor the client."""
    allowed = sys.stdlib_module_names | {"meadow_engine"}
    strangers = [found for found in _all_imports("meadow_engine") if _root(found.module) not in allowed]
    assert not strangers, "\n".join(map(str, strangers))


def test_the_kernel_knows_no_game() -> None:
    """The kernel is below every game, so it imports nothing of the engine but itself."""
    upwards = [
        found
        for found in _all_imports("meadow_engine")
        if found.file.startswith("engine/meadow_engine/kernel/")
        and _is_inside(found.module, "meadow_engine")
        and not _is_inside(found.module, "meadow_engine.kernel")
    ]
    assert not upwards, "\n".join(map(str, upwards))


def test_the_engines_door_is_used_from_outside_only() -> None:
    """`meadow_engine.api` is the top of the engine: no module below it imports it."""
    upwards = [
        found
        for found in _all_imports("meadow_engine")
        if found.file != "engine/meadow_engine/api.py" and _is_inside(found.module, "meadow_engine.api")
    ]
    assert not upwards, "\n".join(map(str, upwards))


@pytest.mark.parametrize("package", ["meadow_server", "meadow_client"])
def test_the_engine_is_entered_through_its_door(package: str) -> None:
    """Server and client know `meadow_engine.api` and no other module of the engine."""
    inner = [
        found
        for found in _all_imports(package)
        if _is_inside(found.module, "meadow_engine") and not _is_inside(found.module, "meadow_engine.api")
    ]
    assert not inner, "\n".join(map(str, inner))


def test_the_server_does_not_import_the_client() -> None:
    """The server stands without the client library."""
    found = [found for found in _all_imports("meadow_server") if _is_inside(found.module, "meadow_client")]
    assert not found, "\n".join(map(str, found))


def test_the_client_library_imports_the_api_only() -> None:
    """Outside its command line the client needs gRPC and the generated messages, nothing else of the project."""
    allowed = sys.stdlib_module_names | {"meadow_api", "meadow_client", "grpc", "grpc_status", "google"}
    strangers = [
        found
        for found in _all_imports("meadow_client")
        if not found.file.startswith("clients/python/meadow_client/cli") and _root(found.module) not in allowed
    ]
    assert not strangers, "\n".join(map(str, strangers))


@pytest.mark.parametrize("module", ["meadow_client", "meadow_client.cli"])
def test_client_and_command_line_load_engine_and_server_lazily(module: str) -> None:
    """Importing the client or its command line loads neither the engine nor the server."""
    heavy = ("meadow_engine", "meadow_server")
    script = f"import sys, {module}; print([m for m in sys.modules if m.startswith({heavy})])"
    answer = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert answer.stdout.strip() == "[]"


@pytest.mark.parametrize("package", sorted(PACKAGES))
def test_each_package_is_typed(package: str) -> None:
    """Each import package tells type checkers that its annotations count, and says what it is."""
    assert (PACKAGES[package] / "py.typed").is_file()
    assert (PACKAGES[package] / "__init__.py").read_text(encoding="utf-8").startswith('"""')


def test_no_file_names_a_machine_or_a_package_index() -> None:
    """The project installs from whatever index a machine has, and says nothing about where it was written."""
    found = []
    for path in source_files():
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        for number, line in enumerate(text.splitlines(), start=1):
            if MACHINE_PATHS.search(line) or REGISTRY_HOSTS.search(line):
                found.append(f"{path.relative_to(ROOT)}:{number}: {line.strip()}")
    assert not found, "\n".join(found)


@pytest.mark.parametrize("name", ["requirements.lock", "requirements-runtime.lock"])
def test_locks_have_hashes_and_no_addresses(name: str) -> None:
    """Every locked requirement is one exact version with its hashes, and no line says where to download it."""
    text = (ROOT / name).read_text(encoding="utf-8")
    assert "://" not in text
    assert not re.search(r"^\s*--(?!hash)", text, re.MULTILINE), "an option for pip, such as an index"
    entries = re.split(r"\n(?=[A-Za-z0-9])", re.sub(r"^#.*\n", "", text, flags=re.MULTILINE).strip())
    assert len(entries) >= 5
    for entry in entries:
        assert re.match(r"[a-z0-9.-]+==[0-9][^ ]*( ; [^\\]+)? \\\n", entry), entry.splitlines()[0]
        assert re.search(r"--hash=sha256:[0-9a-f]{64}", entry), entry.splitlines()[0]


def _pins(name: str) -> dict[str, str]:
    text = (ROOT / name).read_text(encoding="utf-8")
    return dict(re.findall(r"^([a-z0-9.-]+)==([^ ]+)", text, re.MULTILINE))


def test_the_runtime_lock_is_a_part_of_the_lock() -> None:
    """What a server runs on is what the tests ran on: both locks name the same versions."""
    whole = _pins("requirements.lock")
    assert _pins("requirements-runtime.lock").items() <= whole.items()


def test_the_lock_covers_the_extras_it_is_made_for() -> None:
    """The lock holds what the extras it is made for ask for; the runtime's lock what a server needs."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    made_for = {
        "requirements.lock": ("client", "server", "postgres", "dev"),
        "requirements-runtime.lock": ("server", "postgres"),
    }
    for lock, names in made_for.items():
        wanted = {re.split(r"[><=;\[ ]", requirement)[0].lower() for name in names for requirement in extras[name]}
        assert not wanted - _pins(lock).keys()
    assert project["dependencies"] == [], "the bare install is the engine, which needs nothing"
