"""Metrics and health over plain HTTP, on a port of their own: `/metrics`, `/healthz` and `/readyz`.

Served from a thread, so that a stuck event loop is reported and does not keep the report from getting out.
"""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterable
from socketserver import TCPServer, ThreadingMixIn
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

from prometheus_client import CollectorRegistry, make_wsgi_app

Check = Callable[[], bool]
REQUEST_SECONDS = 10
_TEXT = [("Content-Type", "text/plain; charset=utf-8")]


class Probes:
    """The port, from the moment it is made.

    Args:
        host, port: to listen on; port 0 takes a free one.
        registry: what `/metrics` tells.
        alive: whether the process is of any use; if not, it should be started again.
        ready: whether new calls should be sent here.

    Raises:
        OSError: the address cannot be had.
    """

    def __init__(self, host: str, port: int, registry: CollectorRegistry, alive: Check, ready: Check) -> None:
        self._checks = {"/healthz": alive, "/readyz": ready}
        self._metrics: Any = make_wsgi_app(registry)
        server = _ServerV6 if ":" in host else _Server
        self._server = make_server(host.strip("[]"), port, self._answer, server, _Handler)
        self.address = f"{host}:{self._server.server_port}"
        self._thread = threading.Thread(target=self._server.serve_forever, name="probes", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Give the port up."""
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def _answer(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        path = environ.get("PATH_INFO", "")
        if environ.get("REQUEST_METHOD") not in {"GET", "HEAD"}:
            start_response("405 Method Not Allowed", [*_TEXT, ("Allow", "GET, HEAD")])
            return [b"only GET is answered\n"]
        if path == "/metrics":
            answer: Iterable[bytes] = self._metrics(environ, start_response)
            return answer
        check = self._checks.get(path)
        if check is None:
            start_response("404 Not Found", _TEXT)
            return [b"/metrics, /healthz and /readyz are here\n"]
        good = check()
        start_response("200 OK" if good else "503 Service Unavailable", _TEXT)
        return [b"ok\n" if good else b"no\n"]


class _Handler(WSGIRequestHandler):
    timeout = REQUEST_SECONDS

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (its name there)
        """Not written: probes come every few seconds."""


class _Server(ThreadingMixIn, WSGIServer):
    daemon_threads = True
    block_on_close = False

    def server_bind(self) -> None:
        """Bind, without asking the network for the host's name, as `WSGIServer` does."""
        TCPServer.server_bind(self)
        self.server_name, self.server_port = str(self.server_address[0]), int(self.server_address[1])
        self.setup_environ()

    def handle_error(self, request: object, client_address: object) -> None:
        """Not written: somebody has gone before the answer."""


class _ServerV6(_Server):
    address_family = socket.AF_INET6
