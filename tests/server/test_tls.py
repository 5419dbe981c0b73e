"""TLS and mutual TLS, with certificates made for the test; files that are replaced while the server serves."""

from __future__ import annotations

import asyncio
import socket
import ssl
from pathlib import Path
from typing import Any

import grpc
import pytest
import trustme
from meadow_api.v1 import game_service_pb2 as pb
from meadow_client import AsyncClient, Client, tls_credentials
from meadow_client.errors import BadArgument, ConnectionLost
from meadow_client.retry import RetryPolicy
from meadow_server.config import Config, TlsFiles, parse_config
from meadow_server.main import start
from meadow_server.watched import BadFile

from tests.client.running import meadow
from tests.server.harness import Host, hosted, stub_of
from tests.server.processes import refused_start, spawn

CA = trustme.CA()
OTHER_CA = trustme.CA()
ONCE = RetryPolicy(attempts=1)


def write(leaf: trustme.LeafCert, folder: Path, name: str) -> tuple[Path, Path]:
    """Write a certificate and its key into a folder."""
    certificate, key = folder / f"{name}.pem", folder / f"{name}.key"
    key.write_bytes(leaf.private_key_pem.bytes())
    certificate.write_bytes(b"".join(blob.bytes() for blob in leaf.cert_chain_pems))
    return certificate, key


def issue(folder: Path, name: str, ca: trustme.CA = CA, host: str = "127.0.0.1") -> tuple[Path, Path]:
    """Write a new certificate for a host into a folder."""
    return write(ca.issue_cert(host, organization_name=name), folder, name)


@pytest.fixture(name="ca_file")
def _ca_file(tmp_path: Path) -> Path:
    file = tmp_path / "ca.pem"
    CA.cert_pem.write_to_path(file)
    return file


def certificate_of(address: str) -> bytes:
    """The certificate that a server shows to a new connection."""
    host, _, port = address.rpartition(":")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    context.set_alpn_protocols(["h2"])
    with (
        socket.create_connection((host, int(port)), timeout=10) as plain,
        context.wrap_socket(plain) as secure,
    ):
        shown = secure.getpeercert(binary_form=True)
    assert shown
    return ssl.DER_cert_to_PEM_cert(shown).encode()


async def ask(address: str, credentials: grpc.ChannelCredentials | None) -> str:
    """A call over a connection of its own; the server's build."""
    async with AsyncClient(address, credentials=credentials, retry=ONCE, timeout=10) as client:
        return (await client.get_server_info()).build


async def test_a_server_speaks_tls_out_of_files(tmp_path: Path, ca_file: Path) -> None:
    """With a certificate the port is TLS: clients that trust its authority get in; others, and plain text, do not."""
    settings = Config(tls=TlsFiles(*issue(tmp_path, "server")))
    async with hosted(tmp_path, settings) as host:
        assert await ask(host.server.address, tls_credentials(ca_file))
        for credentials in (None, tls_credentials()):
            with pytest.raises(ConnectionLost):
                await ask(host.server.address, credentials)


async def test_all_addresses_of_a_name_speak_tls(tmp_path: Path) -> None:
    """A name that stands for several addresses serves TLS on each, and each meets a renewed certificate."""
    certificate, key = issue(tmp_path, "server", host="localhost")
    server = await start(Config(listen="localhost:0", journal=tmp_path / "journal.db", tls=TlsFiles(certificate, key)))
    port = server.address.rpartition(":")[2]
    found = socket.getaddrinfo("localhost", int(port), type=socket.SOCK_STREAM)
    for renewal in ("first", "second"):
        for address in {f"{info[4][0]}:{port}" for info in found}:
            shown = await asyncio.to_thread(certificate_of, address)
            assert shown == certificate.read_bytes(), (renewal, address)
        issue(tmp_path, "server", host="localhost")
    await server.drain()


async def test_a_renewed_certificate_is_shown_without_a_restart(tmp_path: Path, ca_file: Path) -> None:
    """New connections meet the new certificate, open ones go on; files that do not fit together change nothing."""
    certificate, key = issue(tmp_path, "server")
    async with hosted(tmp_path, Config(tls=TlsFiles(certificate, key))) as host:
        address = host.server.address
        channel = grpc.aio.secure_channel(address, tls_credentials(ca_file))
        await stub_of(channel).GetServerInfo(pb.GetServerInfoRequest())
        first = await asyncio.to_thread(certificate_of, address)

        renewed = CA.issue_cert("127.0.0.1")
        certificate.write_bytes(renewed.cert_chain_pems[0].bytes())
        assert await asyncio.to_thread(certificate_of, address) == first, "the key is still the old one"
        certificate.unlink()
        assert await asyncio.to_thread(certificate_of, address) == first
        certificate.write_bytes(renewed.cert_chain_pems[0].bytes())
        key.write_bytes(renewed.private_key_pem.bytes())
        for _ in range(2):
            assert await asyncio.to_thread(certificate_of, address) == renewed.cert_chain_pems[0].bytes()
        await stub_of(channel).GetServerInfo(pb.GetServerInfoRequest())
        await channel.close()


async def test_mutual_tls_asks_clients_for_a_certificate(tmp_path: Path, ca_file: Path) -> None:
    """With an authority for clients only those get in whose certificate it has signed; it can be changed, too."""
    client_ca = tmp_path / "clients.pem"
    OTHER_CA.cert_pem.write_to_path(client_ca)
    settings = Config(tls=TlsFiles(*issue(tmp_path, "server"), client_ca))
    ours = [dict(zip(("certificate_file", "key_file"), issue(tmp_path, "ours", OTHER_CA), strict=True))]
    theirs = [dict(zip(("certificate_file", "key_file"), issue(tmp_path, "theirs"), strict=True)), {}]
    async with hosted(tmp_path, settings) as host:
        await _let_in(host, ca_file, ours, theirs)
        CA.cert_pem.write_to_path(client_ca)
        await _let_in(host, ca_file, theirs[:1], [*ours, {}])


async def _let_in(host: Host, ca_file: Path, those: list[Any], others: list[Any]) -> None:
    for shown in those:
        assert await ask(host.server.address, tls_credentials(ca_file, **shown))
    for shown in others:
        with pytest.raises(ConnectionLost):
            await ask(host.server.address, tls_credentials(ca_file, **shown))


async def test_the_command_line_speaks_tls(tmp_path: Path, ca_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Options before the command, or variables, say whom to trust and what to show."""
    client_ca = ca_file
    settings = Config(tls=TlsFiles(*issue(tmp_path, "server"), client_ca))
    certificate, key = issue(tmp_path, "client")
    async with hosted(tmp_path, settings) as host:
        games = ["games", "--address", host.server.address]
        secure: list[str | Path] = ["--ca-file", ca_file, "--client-cert", certificate, "--client-key", key]
        done = await asyncio.to_thread(meadow, *secure, *games)
        assert (done.exit_code, "No games" in done.stdout) == (0, True), done.stderr
        for options in ([], ["--tls"], secure[:2]):
            refused = await asyncio.to_thread(meadow, *options, *games)
            assert refused.exit_code == 1, options
        refused = await asyncio.to_thread(meadow, *secure[:4], *games)
        assert (refused.exit_code, "go together" in refused.stderr) == (1, True)
        for name, file in (("CA_FILE", ca_file), ("CLIENT_CERT", certificate), ("CLIENT_KEY", key)):
            monkeypatch.setenv(f"MEADOW_{name}", str(file))
        done = await asyncio.to_thread(meadow, *games)
        assert done.exit_code == 0, done.stderr


async def test_the_synchronous_client_speaks_tls(tmp_path: Path, ca_file: Path) -> None:
    """Both clients take the same credentials."""
    async with hosted(tmp_path, Config(tls=TlsFiles(*issue(tmp_path, "server")))) as host:
        with Client(host.server.address, credentials=tls_credentials(ca_file), retry=ONCE) as client:
            assert (await asyncio.to_thread(client.get_server_info)).build


def test_credentials_name_the_file_that_is_wrong(tmp_path: Path, ca_file: Path) -> None:
    """A file that is missing, is no PEM or belongs to another is refused by name, before anything is sent."""
    certificate, key = issue(tmp_path, "client")
    other_key = issue(tmp_path, "other")[1]
    text = tmp_path / "text.pem"
    text.write_text("no certificate")
    wrong: list[tuple[str, Any, dict[str, Any]]] = [
        ("missing.pem", tmp_path / "missing.pem", {}),
        ("text.pem", text, {}),
        ("go together", ca_file, {"certificate_file": certificate}),
        ("go together", ca_file, {"key_file": key}),
        ("text.pem", ca_file, {"certificate_file": text, "key_file": key}),
        ("other.key", ca_file, {"certificate_file": certificate, "key_file": other_key}),
    ]
    for words, ca, files in wrong:
        with pytest.raises(BadArgument, match=words):
            tls_credentials(ca, **files)


@pytest.mark.parametrize("fault", ["missing", "no PEM", "another's key", "encrypted", "client CA"])
async def test_bad_certificates_are_refused_by_name(tmp_path: Path, fault: str) -> None:
    """A server does not start on them, says which files are wrong, and asks for no password."""
    certificate, key = issue(tmp_path, "server")
    client_ca = None
    match fault:
        case "missing":
            key.unlink()
        case "no PEM":
            certificate.write_text("no certificate")
        case "another's key":
            key.write_bytes(CA.issue_cert("127.0.0.1").private_key_pem.bytes())
        case "encrypted":
            text = key.read_text().splitlines()
            key.write_text("\n".join([text[0], "Proc-Type: 4,ENCRYPTED", "DEK-Info: AES-256-CBC,00", "", *text[1:]]))
        case _:
            client_ca = key
    config = Config(listen="127.0.0.1:0", journal=tmp_path / "journal.db", tls=TlsFiles(certificate, key, client_ca))
    with pytest.raises(BadFile, match=key.name):
        await start(config)


async def test_a_server_with_bad_certificates_does_not_start(tmp_path: Path) -> None:
    """What is wrong is said in a line, and the server exits with 1."""
    files = ["--tls-cert", str(tmp_path / "missing.pem"), "--tls-key", str(tmp_path / "missing.key")]
    code, said = await refused_start("--listen", "127.0.0.1:0", "--journal", str(tmp_path / "journal.db"), *files)
    assert (code, said.count("\n"), "missing.pem" in said) == (1, 1, True), said


@pytest.mark.parametrize("option", ["--tls-cert", "--tls-key", "--tls-client-ca"])
def test_half_a_pair_is_a_usage_error(option: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A certificate without its key, or an authority for clients without either, is refused with usage."""
    with pytest.raises(SystemExit) as ended:
        parse_config([option, "file.pem"], {})
    assert ended.value.code == 2
    assert "--tls-cert and --tls-key" in capsys.readouterr().err


async def test_broken_handshakes_leave_the_log_alone(tmp_path: Path) -> None:
    """Whoever speaks no TLS is turned away without a line in the log that is no JSON."""
    certificate, key = issue(tmp_path, "server")
    server = await spawn(tmp_path / "journal.db", "--tls-cert", str(certificate), "--tls-key", str(key))
    host, _, port = server.address.rpartition(":")
    for hello in (b"GET / HTTP/1.1\r\n\r\n", b"\x16\x03\x01\x00\x05hello"):
        reader, writer = await asyncio.open_connection(host, int(port))
        writer.write(hello)
        await reader.read()
        writer.close()
    assert await server.terminate() == 0
    assert all(line.startswith("{") for line in server.log), server.log
