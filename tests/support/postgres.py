"""A real PostgreSQL for the tests: a cluster of its own in a temporary folder, on a free port of this machine."""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn, Self
from urllib.parse import urlsplit

import psycopg
import pytest
from meadow_server.store.address import PostgresUrl

HOW_TO_GET_ONE = "no PostgreSQL on this machine (on Debian: apt-get install postgresql, as root)"
USER = "postgres"
START_SECONDS = 60
# neither server runs as root
AS_USER: dict[str, Any] = {"user": USER, "group": USER, "extra_groups": []} if os.getuid() == 0 else {}


def go_without(why: str) -> NoReturn:
    """Skip a test and say what it needs; with MEADOW_TEST_POSTGRES=required it fails instead."""
    end = pytest.fail if os.environ.get("MEADOW_TEST_POSTGRES") == "required" else pytest.skip
    end(why)


def needed_programs() -> Path:
    """The folder of a PostgreSQL server's programs; without one, the test that asks ends here."""
    return programs() or go_without(HOW_TO_GET_ONE)


def programs() -> Path | None:
    """The folder of a PostgreSQL server's programs: what pg_config says, or the newest where Debian puts them."""
    found = [path.parent for path in Path("/usr/lib/postgresql").glob("*/bin/initdb")]
    found.sort(key=lambda path: float(path.parent.name))
    if shutil.which("pg_config"):
        said = subprocess.run(["pg_config", "--bindir"], capture_output=True, text=True, check=False).stdout.strip()
        found.append(Path(said))
    return next((path for path in reversed(found) if (path / "initdb").exists()), None)


def free_port() -> int:
    """A port of this machine that nobody has at the moment."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


class Cluster:
    """A PostgreSQL server with a data folder that is removed in the end.

    Args:
        bin_folder: where its programs are.
        settings: that differ from the default, as name=value.
    """

    def __init__(self, bin_folder: Path, *settings: str) -> None:
        self._bin = bin_folder
        self._settings = [part for setting in settings for part in ("-c", setting)]
        self._folder = Path(tempfile.mkdtemp(prefix="meadow-postgres-"))
        self._password = secrets.token_hex(16)
        if AS_USER:
            shutil.chown(self._folder, USER, USER)
        self._port = free_port()
        self._process: subprocess.Popen[bytes] | None = None
        self._made = 0

    def __enter__(self) -> Self:
        options = ("--auth=scram-sha-256", "--encoding=UTF8", "--locale=C", "--no-sync")
        password = self._folder / "password"
        password.write_text(self._password)
        self._run("initdb", *options, f"--username={USER}", f"--pwfile={password}")
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
        shutil.rmtree(self._folder)

    def start(self) -> None:
        """Start the server and wait until it can be connected to."""
        log = (self._folder / "log").open("ab")
        with log:
            process = subprocess.Popen(
                [
                    *(str(self._bin / "postgres"), "-D", str(self._folder / "data"), "-p", str(self._port)),
                    *("-k", str(self._folder), "-c", "listen_addresses=127.0.0.1", *self._settings),
                ],
                cwd=self._folder,
                stdout=log,
                stderr=log,
                **AS_USER,
            )
        self._process = process
        _await(process, self._url(USER))

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """Stop the server: SIGINT cuts connections off and ends in order; SIGQUIT ends as a crash does."""
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait()
            self._process = None

    def database(self, name: str = "meadow") -> PostgresUrl:
        """A database with nothing of ours in it. Emptying one is much faster than making one."""
        with psycopg.connect(self._url(USER), autocommit=True) as connection:
            if connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", (name,)).fetchone() is None:
                connection.execute(f"CREATE DATABASE {name}".encode())
        url = PostgresUrl(self._url(name))
        with psycopg.connect(url.secret, autocommit=True) as connection:
            connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
            connection.execute("DROP SCHEMA IF EXISTS meadow CASCADE")
        return url

    def _url(self, database: str) -> str:
        return f"postgresql://{USER}:{self._password}@127.0.0.1:{self._port}/{database}"

    def _run(self, program: str, *arguments: str) -> None:
        done = subprocess.run(
            [self._bin / program, "-D", self._folder / "data", *arguments],
            capture_output=True,
            check=False,
            cwd=self._folder,
            **AS_USER,
        )
        assert done.returncode == 0, done.stderr.decode()


@contextlib.contextmanager
def pooled(url: PostgresUrl) -> Iterator[PostgresUrl]:
    """A database through PgBouncer, which hands its few connections on after each transaction."""
    program = shutil.which("pgbouncer", path=os.environ.get("PATH", "") + ":/usr/sbin")
    if program is None:
        go_without("no PgBouncer on this machine (on Debian: apt-get install pgbouncer, as root)")
    found = urlsplit(url.secret)
    port = free_port()
    with tempfile.TemporaryDirectory(prefix="meadow-pooler-") as place:
        folder = Path(place)
        (folder / "users").write_text(f'"{found.username}" "{found.password}"\n')
        (folder / "config").write_text(
            f"[databases]\n{url.database} = host={found.hostname} port={found.port}\n"
            f"[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {port}\nunix_socket_dir =\n"
            f"auth_type = scram-sha-256\nauth_file = {folder / 'users'}\n"
            "pool_mode = transaction\ndefault_pool_size = 3\n"
        )
        for path in (folder, *folder.iterdir()):
            if AS_USER:
                shutil.chown(path, USER, USER)
        process = subprocess.Popen(
            [program, "-q", str(folder / "config")], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **AS_USER
        )
        through = PostgresUrl(url.secret.replace(f":{found.port}/", f":{port}/"))
        try:
            _await(process, through.secret)
            yield through
        finally:
            process.terminate()
            process.wait()


def _await(process: subprocess.Popen[Any], url: str) -> None:
    """Wait until a server that was started lets somebody in."""
    ends = time.monotonic() + START_SECONDS
    while True:
        try:
            psycopg.connect(url).close()
        except psycopg.OperationalError:
            if time.monotonic() > ends or process.poll() is not None:
                raise
            time.sleep(0.05)
        else:
            return
