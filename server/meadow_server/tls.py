"""TLS out of files. Certificates are renewed by replacing the files: each new connection meets the newest ones."""

from __future__ import annotations

import ssl
from pathlib import Path

import grpc

from meadow_server.config import TlsFiles
from meadow_server.watched import BadFile, Watched, unreadable


def credentials(files: TlsFiles) -> grpc.ServerCredentials:
    """Credentials for one port: gRPC asks them at each handshake whether the files have changed.

    Raises:
        BadFile: the files do not hold what they should.
    """
    watched = Watched(files.all(), lambda: _configuration(files))
    return grpc.dynamic_ssl_server_credentials(
        watched.value(),
        watched.changed,  # type: ignore[arg-type]  # may answer None: no change
        require_client_authentication=files.client_ca is not None,
    )


def _configuration(files: TlsFiles) -> grpc.ServerCertificateConfiguration:
    """What the files say, once OpenSSL has understood it: gRPC would only fail at each handshake."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    try:
        # an empty password, as OpenSSL would ask the terminal for one
        context.load_cert_chain(files.certificate, files.key, password="")
    except OSError as error:  # SSLError too
        fault = f"{files.certificate} and {files.key} are no certificate with its unencrypted private key"
        raise BadFile(f"{fault}: {_words(error)}") from None
    roots = None
    if files.client_ca:
        try:
            context.load_verify_locations(files.client_ca)
        except OSError as error:
            raise BadFile(f"{files.client_ca} holds no certificates: {_words(error)}") from None
        roots = _content(files.client_ca)
    return grpc.ssl_server_certificate_configuration([(_content(files.key), _content(files.certificate))], roots)


def _words(error: OSError) -> str:
    """What is wrong, in a few words."""
    if isinstance(error, ssl.SSLError):
        return (error.reason or "not PEM").replace("_", " ").lower()
    return error.strerror or "unreadable"


def _content(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise unreadable(file, error) from None
