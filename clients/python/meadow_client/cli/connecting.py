"""How the commands reach a server: in plain text, or by the TLS options given before the command."""

from __future__ import annotations

from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from meadow_client.cli.failure import Failure

if TYPE_CHECKING:
    import grpc

Tls = Annotated[
    bool,
    typer.Option("--tls", envvar="MEADOW_TLS", help="Speak TLS with the server, which a known authority vouches for."),
]
CaFile = Annotated[
    Path | None,
    typer.Option(envvar="MEADOW_CA_FILE", metavar="FILE", help="Speak TLS; who signs the server's certificate, PEM."),
]
ClientCert = Annotated[
    Path | None,
    typer.Option(envvar="MEADOW_CLIENT_CERT", metavar="FILE", help="Speak TLS; the certificate to show, PEM."),
]
ClientKey = Annotated[
    Path | None,
    typer.Option(envvar="MEADOW_CLIENT_KEY", metavar="FILE", help="Its private key, PEM, not encrypted."),
]
OperatorKeyFile = Annotated[
    Path | None,
    typer.Option(
        envvar="MEADOW_OPERATOR_KEY_FILE", metavar="FILE", help="A key of the server's operator, for what takes one."
    ),
]


@dataclass(frozen=True, slots=True)
class Connecting:
    """The options given before the command."""

    tls: bool = False
    ca_file: Path | None = None
    client_cert: Path | None = None
    client_key: Path | None = None
    operator_key_file: Path | None = None

    def credentials(self) -> grpc.ChannelCredentials | None:
        """For a channel; None for plain text.

        Raises:
            BadArgument: see `tls_credentials`.
        """
        if not (self.tls or self.ca_file or self.client_cert or self.client_key):
            return None
        from meadow_client.credentials import tls_credentials

        return tls_credentials(self.ca_file, certificate_file=self.client_cert, key_file=self.client_key)

    def operator_key(self) -> str:
        """The first key in the operator's file; empty without one.

        Raises:
            Failure: the file cannot be read or holds none.
        """
        if self.operator_key_file is None:
            return ""
        try:
            keys = self.operator_key_file.read_text(encoding="ascii").split()
        except (OSError, UnicodeDecodeError) as error:
            why = error.strerror if isinstance(error, OSError) else "it is no ASCII text"
            raise Failure(f"{self.operator_key_file} cannot be read: {why}", exit_code=2) from None
        if not keys:
            raise Failure(f"{self.operator_key_file} holds no key", exit_code=2)
        return keys[0]


GIVEN: ContextVar[Connecting] = ContextVar("connecting", default=Connecting())  # noqa: B039 (it is frozen)
"""What the command that runs was given."""
