"""The image, checked without a container engine: what the Dockerfile says, and its steps run as plain commands."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import NamedTuple

import pytest

from tests.support.source_tree import ROOT

pytestmark = pytest.mark.source

# The folders of the image; the steps run with these below a temporary folder instead of below the root.
FOLDERS = re.compile(r"(?<![\w/.])/(src|opt/build|opt/meadow|var/lib/meadow)\b")


class Instruction(NamedTuple):
    """One instruction of the Dockerfile: RUN and what to run."""

    name: str
    text: str


def _instructions() -> list[Instruction]:
    text = re.sub(r"^\s*#.*\n", "", (ROOT / "Dockerfile").read_text("utf-8"), flags=re.MULTILINE)
    lines = text.replace("\\\n", " ").splitlines()
    return [
        Instruction(name, rest.strip()) for name, _, rest in (line.partition(" ") for line in lines if line.strip())
    ]


def _stages() -> list[list[Instruction]]:
    """Return the instructions stage by stage, each beginning with its FROM; the last stage is the image."""
    stages: list[list[Instruction]] = []
    for instruction in _instructions():
        if instruction.name == "FROM":
            stages.append([])
        if stages:
            stages[-1].append(instruction)
    return stages


def _of(stage: list[Instruction], name: str) -> list[str]:
    return [instruction.text for instruction in stage if instruction.name == name]


def _ignored(path: Path) -> bool:
    """Say whether .dockerignore keeps a file out: the last pattern that matches it or a folder above it decides."""
    relative = PurePosixPath(path.relative_to(ROOT).as_posix())
    ignored = False
    for pattern in (ROOT / ".dockerignore").read_text("utf-8").splitlines():
        if pattern and not pattern.startswith("#"):
            wanted = pattern.removeprefix("!")
            anywhere = wanted.startswith("**/")
            for candidate in (relative, *relative.parents):
                if candidate.match(wanted.removeprefix("**/")) and (
                    anywhere or len(candidate.parts) == len(wanted.split("/"))
                ):
                    ignored = not pattern.startswith("!")
    return ignored


def test_the_image_is_built_in_stages_and_runs_as_nobody() -> None:
    """Build tools stay in the first stage, both are slim, and the service is not root."""
    build, image = _stages()
    assert all("-slim" in _of(stage, "FROM")[0] for stage in (build, image))
    assert not _of(image, "RUN"), "nothing is built in the image itself"
    (user,) = _of(image, "USER")
    assert re.fullmatch(r"[1-9]\d+:[1-9]\d+", user), "a number: an orchestrator can then see that it is not root"
    assert all("--from=build" in copy for copy in _of(image, "COPY"))


def test_the_journal_lies_on_the_volume() -> None:
    """What the environment names as the journal is on the declared volume, which belongs to the user of the service."""
    image = _stages()[-1]
    (volume,) = _of(image, "VOLUME")
    journal = re.search(r"MEADOW_JOURNAL=(\S+)", " ".join(_of(image, "ENV")))
    assert journal
    assert journal[1].startswith(volume + "/")
    assert any(f"--chown={_of(image, 'USER')[0]}" in copy and copy.endswith(volume) for copy in _of(image, "COPY"))


def test_the_image_is_asked_for_its_health_and_told_to_stop() -> None:
    """A health check goes through the service itself, and stopping is SIGTERM, which drains."""
    image = _stages()[-1]
    assert "meadow_server.healthcheck" in _of(image, "HEALTHCHECK")[0]
    assert _of(image, "STOPSIGNAL") == ["SIGTERM"]
    assert json.loads(_of(image, "ENTRYPOINT")[0])[0] == "python", "a list, so that signals reach the server, no shell"


def test_every_copied_file_reaches_the_build() -> None:
    """Each source of a COPY exists and is not kept out by .dockerignore, which lets nothing else in."""
    sources = [word for copy in _of(_stages()[0], "COPY") for word in copy.split()[:-1]]
    for source in sources:
        assert (ROOT / source).exists()
        assert not _ignored(ROOT / source), source
    assert not _ignored(ROOT / "server" / "meadow_server" / "__init__.py")
    for stray in (
        "tests/conftest.py",
        ".git/config",
        ".venv/bin/python",
        "proto/meadow_api/v1/common_pb2.py",
        ".ci/run",
    ):
        assert _ignored(ROOT / stray), stray


# ---- the steps as plain commands -------------------------------------------------------------------------------------


class Image(NamedTuple):
    """The image's file system, below a folder, and its environment."""

    root: Path
    environment: dict[str, str]

    def here(self, text: str) -> str:
        """Return a command or path of the image as one of this machine."""
        return FOLDERS.sub(lambda found: f"{self.root}/{found[1]}", text)

    def command(self, instruction: str) -> list[str]:
        """Return the command of an instruction in its list form, found on the image's PATH."""
        program, *arguments = json.loads(instruction[instruction.index("[") :])
        found = shutil.which(program, path=self.environment["PATH"])
        assert found, f"{program} is not in the image"
        return [found, *arguments]


def _build(root: Path) -> Image:
    """Run the steps of all stages, with the same folders throughout: a COPY between stages has nothing to do."""
    # `python` of the base image
    (root / "usr").mkdir()
    (root / "usr" / "python").symlink_to(Path(sys.base_prefix) / "bin" / "python3")
    keep = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV", "MAKE"))}
    image = Image(root, keep | {"PATH": f"{root / 'usr'}:/usr/local/bin:/usr/bin:/bin"})
    for stage in _stages():
        folder = root
        for name, text in stage:
            if name == "ENV":
                for variable, value in re.findall(r"(\w+)=(\S+)", text):
                    image.environment[variable] = image.here(value).replace("$PATH", image.environment["PATH"])
            elif name == "WORKDIR":
                folder = Path(image.here(text))
                folder.mkdir(parents=True, exist_ok=True)
            elif name == "COPY" and "--from" not in text:
                _copy(text, folder)
            elif name == "RUN":
                step = subprocess.run(
                    ["sh", "-ec", image.here(text)],
                    cwd=folder,
                    env=image.environment,
                    capture_output=True,
                    text=True,
                    check=False,
                )
                assert step.returncode == 0, f"RUN {text}\n{step.stdout}{step.stderr}"
    return image


def _copy(text: str, folder: Path) -> None:
    *sources, target = text.split()
    for source in sources:
        found = ROOT / source
        if found.is_dir():
            shutil.copytree(
                found, folder / target, ignore=lambda above, names: [n for n in names if _ignored(Path(above) / n)]
            )
        else:
            shutil.copy(found, folder / target)


@pytest.fixture
def image(tmp_path: Path) -> Image:
    """Return the built image."""
    return _build(tmp_path)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@pytest.fixture
def service(image: Image) -> Iterator[subprocess.Popen[str]]:
    """Start the image's entry point on a free port; it is gone at the end."""
    image.environment["MEADOW_LISTEN"] = f"127.0.0.1:{_free_port()}"
    entry = image.command(_of(_stages()[-1], "ENTRYPOINT")[0])
    process = subprocess.Popen(
        entry, cwd=image.root, env=image.environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    yield process
    process.kill()
    process.communicate()


def _health(image: Image) -> int:
    command = image.command(_of(_stages()[-1], "HEALTHCHECK")[0])
    return subprocess.run(command, cwd=image.root, env=image.environment, capture_output=True, check=False).returncode


@pytest.mark.long
def test_the_steps_build_an_image_that_serves(image: Image, service: subprocess.Popen[str]) -> None:
    """The Dockerfile's steps as plain commands give a service that becomes healthy, keeps a journal and drains."""
    until = time.monotonic() + 30
    while (healthy := _health(image)) != 0 and service.poll() is None and time.monotonic() < until:
        time.sleep(0.2)
    assert healthy == 0, service.communicate()[0] if service.poll() is not None else "alive, but not healthy"
    assert Path(image.environment["MEADOW_JOURNAL"]).is_file()
    service.send_signal(signal.SIGTERM)
    assert service.wait(timeout=30) == 0
    assert _health(image) != 0, "a server that has gone is not healthy"
    packages = {path.name for path in (image.root / "opt" / "meadow").glob("lib/python3*/site-packages/*")}
    assert "grpc" in packages
    assert not packages & {"mypy", "pytest", "grpc_tools", "pip", "rich"}, "no build tool in the image"
