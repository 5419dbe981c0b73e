"""TLS for the clients, from files."""

from __future__ import annotations

import ssl
from pathlib import Path

import grpc

from meadow_client.errors import BadArgument


def tls_credentials(
    ca_file: str | Path | None = None,
    *,
    certificate_file: str | Path | None = None,
    key_file: str | Path | None = None,
) -> grpc.ChannelCredentials:
    """What `Client` and `AsyncClient` take as `credentials`; all files are PEM.

    Args:
        ca_file: who signs the server's certificate; None believes the authorities that gRPC brings.
        certificate_file: the certificate to show, with its chain, where the server asks for one.
        key_file: its private key, not encrypted.

    Raises:
        BadArgument: a file cannot be read or does not hold what it should, or certificate and key are not both given.
    """
    if (certificate_file is None) != (key_file is None):
        raise BadArgument("key_file", "a certificate and its key go together")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    try:
        if ca_file is not None:
            context.load_verify_locations(ca_file)
    except OSError as error:
        raise BadArgument("ca_file", f"{ca_file} holds no certificates: {_words(error)}") from None
    try:
        if certificate_file is not None:
            # an empty password, as OpenSSL would ask the terminal for one
            context.load_cert_chain(certificate_file, key_file, password="")
    except OSError as error:
        files = f"{certificate_file} and {key_file}"
        message = f"{files} are no certificate with its unencrypted private key: {_words(error)}"
        raise BadArgument("certificate_file", message) from None
    read = [None if file is None else Path(file).read_bytes() for file in (ca_file, key_file, certificate_file)]
    return grpc.ssl_channel_credentials(*read)


def _words(error: OSError) -> str:
    """What is wrong, in a few words."""
    if isinstance(error, ssl.SSLError):
        return (error.reason or "not PEM").replace("_", " ").lower()
    return error.strerror or "unreadable"
