"""Hosts that do what they should not: every case ends soon, with one line that says what and where, and exit code 2."""

from __future__ import annotations

import gzip
import json
import socket
import ssl
import struct
import zlib
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hosts.raw_host import TOOL, RawHost, catalog_rules, drip, raw_host, reply
from workbench.cli import main
from workbench.sources.exchanges import Exchange
from workbench.sources.hosts import HostClient
from workbench.sources.wire import BodyRefused, body_of
from workbench.values import dumps

ENVELOPE = {"error": "some_code", "message": "Words of the host.\nMore \x1b[31mwords."}
HTML = b"<!doctype html><title>Welcome</title>"


def endless(connection: socket.socket) -> None:
    connection.sendall(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n[")
    try:
        while True:
            connection.sendall(b" " * 65536)
    except OSError:
        pass


def dripping(head: bytes, piece: bytes = b" ") -> Callable[[socket.socket], None]:
    def rule(connection: socket.socket) -> None:
        connection.sendall(head)
        drip(connection, piece)

    return rule


def reset(connection: socket.socket) -> None:
    connection.sendall(b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n[")
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()


def bomb(size: int) -> bytes:
    return gzip.compress(b"[" + b" " * size + b"]")


CHUNKED = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n"
SLOW = "no complete answer came within 0.2 seconds"

#: By case: what the list answers, and what the one line says after the address of the list.
CASES: dict[str, tuple[Any, str]] = {
    "400": (reply(400, ENVELOPE), 'status 400: not what was asked for; it says "some_code: Words of the host. More '),
    "401": (reply(401, ENVELOPE), "status 401: the host wants a credential (--token-env NAME); it says"),
    "403": (reply(403, ENVELOPE), "status 403: the credential is known, and not allowed to read this; it says"),
    "404": (reply(404, ENVELOPE), "status 404: nothing is served here; is this the base URL"),
    "405": (reply(405), "status 405: the host has no tool catalog"),
    "501": (reply(501), "status 501: the host has no tool catalog"),
    "406": (
        reply(406, {"error": "e", "message": "m", "details": {"protocolVersions": ["3.0", "4.0"]}}),
        'status 406: the host does not speak this version of the protocol (--major); it says "e: m"; it speaks 3.0, 4.0',
    ),
    "429": (reply(429, ENVELOPE, Retry_After="3600"), "status 429: too many requests; asks to wait 3600; it says"),
    "500": (reply(500, ENVELOPE), "status 500: the host fails; it says"),
    "503, for good": (reply(503, Retry_After="0"), "status 503: the host fails; asks to wait 0"),
    "204": (b"HTTP/1.1 204 X\r\n\r\n", "status 204: not what was asked for"),
    "HTML": (reply(200, body=HTML, content_type="text/html"), "the answer is HTML, not JSON"),
    "HTML that says it is JSON": (reply(200, body=HTML), "the answer is HTML, not JSON"),
    "nothing": (reply(200, body=b""), "the answer is empty, and JSON was asked for"),
    "UTF-16": (reply(200, body="[]".encode("utf-16")), "the text is UTF-16: JSON is exchanged as UTF-8"),
    "UTF-32": (reply(200, body="[]".encode("utf-32")), "the text is UTF-32: JSON is exchanged as UTF-8"),
    "Latin-1": (reply(200, body='["é"]'.encode("latin-1")), "byte 2 (0xe9) is not UTF-8: convert the text to UTF-8"),
    "not JSON": (reply(200, body=b"[1, 2"), "not JSON: "),
    "one key twice": (reply(200, body=b'{"tools": [], "tools": []}'), "occurs twice in one object"),
    "deep": (reply(200, body=b"[" * 10_000), "levels"),
    "no catalog": (reply(200, {"hello": "world"}), "no tools: a catalog is a list of tools"),
    "cut off": (reply(200, [TOOL])[:-10], "the answer was cut off before its end"),
    "cut off in chunks": (CHUNKED + b"5\r\n[1,2,\r\n", "the answer was cut off before its end"),
    "cut off in gzip": (reply(200, body=bomb(50)[:-9], content_encoding="gzip"), "its gzip has no end"),
    "reset": (reset, "the answer was cut off before its end"),
    "closed at once": (b"", "the connection was closed before an answer came"),
    "cut off in the head": (b"HTTP/1.1 200 OK\r\nconte", "the connection was closed before an answer came"),
    "not HTTP": (b"SSH-2.0-OpenSSH_9.2\r\n\r\n", "the answer is not HTTP/1.1"),
    "too long a head": (b"HTTP/1.1 200 OK\r\nx: " + b"x" * 300_000, "the answer is not HTTP/1.1"),
    "huge": (
        reply(200, body=b" " * 2_000_000),
        "the answer has over 1,000,000 bytes, which is the limit (--max-bytes)",
    ),
    "endless": (endless, "the answer has over 1,000,000 bytes, which is the limit (--max-bytes)"),
    "a gzip bomb": (reply(200, body=bomb(50_000_000), content_encoding="gzip"), "the answer has over 1,000,000 bytes"),
    "a bomb in a bomb": (
        reply(200, body=gzip.compress(bomb(10_000)), content_encoding="gzip, gzip"),
        "the answer is encoded as 'gzip, gzip', and only gzip was asked for",
    ),
    "brotli": (
        reply(200, body=b"x", content_encoding="br"),
        "the answer is encoded as 'br', and only gzip was asked for",
    ),
    "no gzip": (reply(200, body=b"[]", content_encoding="gzip"), "the answer is not the gzip that it says it is"),
    "silent": (lambda connection: connection.recv(1), SLOW),
    "a slow head": (dripping(b"HTTP/1.1 200 OK\r\nx: "), SLOW),
    "a slow body": (dripping(b"HTTP/1.1 200 OK\r\n\r\n"), SLOW),
    "a slow chunk": (dripping(CHUNKED + b"5;", b"x"), SLOW),
    "hints without end": (dripping(b"", b"HTTP/1.1 103 Early\r\n\r\n"), SLOW),
    "a slow end of gzip": (
        dripping(b"HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\n\r\n" + bomb(10)[:10], b""),
        SLOW,
    ),
    "elsewhere": (
        reply(302, location="https://elsewhere.example/v1/tools"),
        "the host redirects to another origin, https://elsewhere.example, to which nothing was sent",
    ),
    "in a circle": (reply(302, location="/v1/tools"), "the host redirects in a circle"),
    "to nowhere": (reply(302, location="mailto:a@b"), "the host redirects to what is no address"),
}


@pytest.fixture(autouse=True)
def _impatient(waits: list[float]) -> None:
    """No test here waits before a second attempt."""


def patience(words: str = "") -> float:
    """Seconds that nothing but a slow host could need."""
    return 0.2 if words == SLOW else 30


def run(capsys: pytest.CaptureFixture[str], url: str, timeout: float = 30) -> tuple[int, str]:
    status = main(["budget", url, "--max-bytes", "1000000", "--timeout", str(timeout)])
    told = capsys.readouterr()
    assert told.out == ""
    return status, told.err


@pytest.mark.parametrize("case", CASES)
def test_each_case_has_one_clear_line(case: str, capsys: pytest.CaptureFixture[str]) -> None:
    answer, words = CASES[case]
    with raw_host(catalog_rules(**{"/v1/tools": answer})) as host:
        status, told = run(capsys, host.url, patience(words))
        assert status == 2
        assert told.count("\n") == 1
        assert told.startswith(f"workbench: {host.url}/v1/tools: ")
        assert words in told
        assert "\x1b" not in told


@pytest.mark.parametrize("case", CASES)
def test_no_case_makes_an_exchange_raise(case: str) -> None:
    answer, words = CASES[case]
    with raw_host({"/a": answer}) as host:
        with HostClient(host.url, timeout=patience(words), max_bytes=1_000_000) as client:
            exchange = client.exchange("/a")
        assert (exchange.status is None) == bool(exchange.failure)
        assert client.exchanges == (exchange,)


OK = b"HTTP/1.1 200 OK\r\n"
HEADS = st.sampled_from([b"", b"HTTP/1.1 ", OK, OK + b"\r\n", b"HTTP/1.1 302 X\r\nlocation: ", CHUNKED])
ENCODED = st.sampled_from([b"", b"content-encoding: gzip\r\n\r\n\x1f\x8b", b"content-length: 3\r\n\r\n", b"\r\n\r\n"])


@pytest.fixture(scope="module")
def bare() -> Iterator[RawHost]:
    with raw_host({}) as running:
        yield running


@given(st.tuples(HEADS, st.binary(), ENCODED, st.binary()).map(b"".join))
def test_no_bytes_make_an_exchange_raise(bare: RawHost, answer: bytes) -> None:
    bare.rules["/a"] = answer
    with HostClient(bare.url, credential="abcdefgh", timeout=10, retries=0) as client:
        exchange = client.exchange("/a")
    assert (exchange.status is None) == bool(exchange.failure)
    assert Exchange.from_json(json.loads(dumps(exchange.to_json()))) == exchange


class TestDiscovery:
    @pytest.mark.parametrize(
        ("answer", "words"),
        [
            (reply(404), "there is no OpenWOP discovery document (status 404); is this the base URL of a host?"),
            (reply(500), "status 500: the host fails"),
            (
                reply(401),
                "this document is public, and the host wants a credential for it; with --major it is not needed",
            ),
            (reply(304), "status 304"),
            (reply(200, []), "the discovery document is no JSON object"),
            (reply(200, body=HTML), "the answer is HTML, not JSON"),
            (reply(200, {"preferredVersion": "7.1"}), "the host speaks major 7; 1 and 2 are read here"),
        ],
    )
    def test_names_its_address(self, answer: bytes, words: str, capsys: pytest.CaptureFixture[str]) -> None:
        with raw_host({"/.well-known/openwop": answer}) as host:
            status, told = run(capsys, host.url)
        assert (status, told.count("\n")) == (2, 1)
        assert told.startswith(f"workbench: {host.url}/.well-known/openwop: ")
        assert words in told


class TestConnections:
    def test_nobody_listens(self, capsys: pytest.CaptureFixture[str]) -> None:
        with socket.create_server(("127.0.0.1", 0)) as once:
            port = once.getsockname()[1]
        status, told = run(capsys, f"http://127.0.0.1:{port}")
        assert (status, told.count("\n")) == (2, 1)
        assert "/.well-known/openwop: no connection: " in told

    def test_no_such_host(self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
        def unknown(*_: Any, **__: Any) -> Any:
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

        monkeypatch.setattr(socket, "getaddrinfo", unknown)
        status, told = run(capsys, "https://nowhere.example")
        assert status == 2
        assert "nowhere.example/.well-known/openwop: there is no such host: Name or service not known" in told

    def test_a_name_that_cannot_be_one(
        self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def encode(host: str, *_: Any, **__: Any) -> Any:
            host.encode("idna")  # What the real one does first.
            raise AssertionError

        monkeypatch.setattr(socket, "getaddrinfo", encode)
        status, told = run(capsys, f"https://{'x' * 70}.example")
        assert (status, told.count("\n")) == (2, 1)
        assert "there is no such host" in told


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return self_signed(tmp_path_factory.mktemp("tls") / "host.pem")


class TestTls:
    @pytest.fixture
    def host(self, certificate: Path) -> Iterator[RawHost]:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        with raw_host(catalog_rules(), context=context) as running:
            yield running

    def test_a_certificate_of_nobody(self, host: RawHost, capsys: pytest.CaptureFixture[str]) -> None:
        status, told = run(capsys, host.url)
        assert (status, told.count("\n"), host.requests) == (2, 1, [])
        assert "no secure connection: the certificate is not accepted, self-signed certificate" in told

    def test_an_authority_of_ones_own(self, host: RawHost, certificate: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
        with HostClient(host.url) as client:
            assert len(client.catalog()) == 1

    def test_no_tls_there(self, capsys: pytest.CaptureFixture[str]) -> None:
        with socket.create_server(("127.0.0.1", 0)) as plain:
            Thread(target=refuse_once, args=(plain,), daemon=True).start()
            status, told = run(capsys, f"https://127.0.0.1:{plain.getsockname()[1]}")
        assert (status, told.count("\n")) == (2, 1)
        assert "no secure connection: the host does not speak TLS here; is it plain http?" in told


def refuse_once(plain: socket.socket) -> None:
    one, _ = plain.accept()
    with one:
        one.recv(65536)
        one.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")


def self_signed(path: Path) -> Path:
    """A key and a certificate for 127.0.0.1 that no authority has signed."""
    import ipaddress

    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), 1, now - timedelta(days=1), now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), critical=False)
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    private = key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    path.write_bytes(private + certificate.public_bytes(pem))
    return path


class TestBodies:
    def test_the_limit_is_exact(self) -> None:
        with raw_host({"*": reply(200, body=b"x" * 1000)}) as host:
            assert HostClient(host.url, max_bytes=1000).exchange("/").status == 200
            assert HostClient(host.url, max_bytes=999).exchange("/").status is None

    def test_gzip_is_read_whatever_the_pieces(self) -> None:
        import httpx

        text = b'["' + bytes(range(35, 91)) * 5000 + b'"]'
        packed = gzip.compress(text)
        for size in (1, 7, 1000, len(packed)):
            pieces = [packed[start : start + size] for start in range(0, len(packed), size)]
            response = httpx.Response(200, headers={"content-encoding": "GZIP"}, content=iter(pieces))
            assert body_of(response, 10_000_000) == text

    def test_a_bomb_is_opened_in_small_steps(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """What has been unpacked when the limit is reached is little more than the limit."""
        import httpx

        longest = 0

        class Watched:
            def __init__(self, bits: int) -> None:
                self.inner = real(bits)

            def decompress(self, data: bytes, most: int) -> bytes:
                nonlocal longest
                step = self.inner.decompress(data, most)
                longest = max(longest, len(step))
                return step

            def __getattr__(self, name: str) -> Any:
                return getattr(self.inner, name)

        real = zlib.decompressobj
        monkeypatch.setattr(zlib, "decompressobj", Watched)
        response = httpx.Response(200, headers={"content-encoding": "gzip"}, content=iter([bomb(20_000_000)]))
        with pytest.raises(BodyRefused, match="over 1,000 bytes"):
            body_of(response, 1_000)
        assert longest <= 65536
