"""Credentials: they reach the origin they were given for, and nothing else, whatever a host does with them."""

from __future__ import annotations

import copy
import dataclasses
import json
import logging
import pickle
import traceback
from collections.abc import Callable
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

import workbench as wb
from hosts.raw_host import TOOL, V1, Request, by_request, catalog_rules, raw_host, reply
from workbench.cli import main
from workbench.errors import UsageError, WorkbenchError
from workbench.sources import refuse_two_origins
from workbench.sources.credentials import Credential, Mask
from workbench.sources.hosts import HostClient

KEY = "sk-live/Zm9v+YmFy==~0123456789"
OTHER = "other-key-of-the-second-principal"
CUSTOM = "custom-header-secret"


def forms(secret: str) -> list[str]:
    """How a host may write a secret that it sends back."""
    return [
        secret,
        quote(secret, safe=""),
        quote(secret, safe="").lower(),
        json.dumps(secret)[1:-1].replace("/", "\\/"),
        "".join(f"\\u{ord(c):04x}" for c in secret),
        "".join(f"\\u{ord(c):04X}" for c in secret),
        "".join(f"&#{ord(c)};" for c in secret),
        "".join(f"&#x{ord(c):X};" if c in "/+=" else c for c in secret),
    ]


class TestTheValue:
    def test_shows_itself_nowhere(self) -> None:
        credential = Credential(KEY)

        @dataclasses.dataclass
        class Holder:
            credential: Credential

        holder = Holder(credential)
        shown = [repr(credential), str(credential), f"{credential}", f"{credential!s:>80}", repr(holder)]
        shown += [str(dataclasses.asdict(holder)), repr(vars(holder)), repr(copy.deepcopy(holder)), repr([credential])]
        assert not [text for text in shown if KEY in text]
        assert not hasattr(credential, "__dict__")
        for form in (pickle.dumps, json.dumps):
            with pytest.raises(TypeError):
                form(credential)
        assert credential.value == KEY
        assert credential == Credential(KEY) != Credential(OTHER)

    def test_a_client_shows_it_nowhere(self) -> None:
        client = HostClient("https://example.org", credential=KEY, other=OTHER, extra_headers=[("X-Key", CUSTOM)])
        assert KEY not in repr(client) + repr(client._sender._mask)
        assert KEY not in repr(vars(client)).replace(CUSTOM, "")
        for value in (client, client._sender._mask):
            with pytest.raises(TypeError):
                pickle.dumps(value)

    def test_comes_from_the_environment(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("HOST_KEY", KEY)
        assert Credential.from_environment("HOST_KEY").value == KEY

    @pytest.mark.parametrize(
        ("value", "words"),
        [(None, "not set"), ("", "empty"), (f"{KEY}\n", "line end"), (f"Bearer {KEY}", "Bearer"), (f"é{KEY}", "ASCII")],
    )
    def test_what_cannot_be_one_is_refused_unrepeated(
        self, value: str | None, words: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        monkeypatch.delenv("HOST_KEY", raising=False)
        if value is not None:
            monkeypatch.setenv("HOST_KEY", value)
        assert main(["budget", "https://example.org", "--token-env", "HOST_KEY"]) == 2
        told = capsys.readouterr().err
        assert "HOST_KEY" in told
        assert words in told
        assert KEY not in told
        assert told.count("\n") == 1


class TestWhereItGoes:
    def test_to_the_host_for_the_principal_that_is_meant(self) -> None:
        with raw_host({"*": reply(200, {})}) as host, HostClient(host.url, credential=KEY, other=OTHER) as client:
            for principal in ("none", "first", "second"):
                client.exchange("/a", principal=principal)
            sent = [request.headers.get("authorization") for request in host.requests]
            assert sent == [None, f"Bearer {KEY}", f"Bearer {OTHER}"]

    def test_discovery_is_read_without_it(self) -> None:
        with raw_host(catalog_rules()) as host, HostClient(host.url, credential=KEY) as client:
            client.catalog()
            sent = {request.path: request.headers.get("authorization") for request in host.requests}
            assert sent == {"/.well-known/openwop": None, "/v1/tools": f"Bearer {KEY}"}

    def test_a_second_principal_needs_one(self) -> None:
        with pytest.raises(UsageError, match="second"):
            HostClient("https://example.org", credential=KEY).exchange("/", principal="second")

    @pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
    def test_nothing_at_all_is_sent_to_another_origin(self, status: int) -> None:
        """Another port is another origin; so it is between two real servers on one machine."""
        with raw_host({"*": reply(200, [TOOL])}) as other:
            rules = {
                "*": by_request(lambda request: reply(status, location=other.url + request.path)),
                "/.well-known/openwop": reply(200, V1),
            }
            with raw_host(rules) as host:
                client = HostClient(host.url, credential=KEY, extra_headers=[("X-Key", CUSTOM)])
                exchange = client.exchange("/v1/tools")
                assert other.url in exchange.failure
                with pytest.raises(WorkbenchError, match=other.url):
                    client.catalog()
                assert {found.status for found in client.tools(["a", "b"], "compact")} == {None}
                assert other.requests == []

    def test_localhost_is_another_origin_than_its_address(self) -> None:
        with raw_host({}) as host:
            host.rules["/a"] = reply(302, location=host.url.replace("127.0.0.1", "localhost") + "/b")
            assert "another origin, http://localhost:" in HostClient(host.url, credential=KEY).exchange("/a").failure
            assert host.targets() == ["/a"]

    def test_within_the_origin_a_redirect_keeps_it_and_drops_what_it_brings(self) -> None:
        def rule(request: Request) -> bytes:
            if request.path == "/b":
                return reply(200, {})
            return reply(302, location=f"http://evil:word@{request.headers['host']}/b")

        with raw_host({"*": by_request(rule)}) as host:
            assert HostClient(host.url, credential=KEY).exchange("/a").status == 200
            assert {request.headers["authorization"] for request in host.requests} == {f"Bearer {KEY}"}

    def test_neither_proxies_nor_netrc_are_used(self, tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        with raw_host({"*": reply(200, [TOOL])}) as proxy, raw_host(catalog_rules()) as host:
            netrc = tmp_path / "netrc"
            netrc.write_text("machine 127.0.0.1 login somebody password something\n")
            netrc.chmod(0o600)
            monkeypatch.setenv("NETRC", str(netrc))
            for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"):
                monkeypatch.setenv(name, proxy.url)
            for name in ("NO_PROXY", "no_proxy"):
                monkeypatch.delenv(name, raising=False)
            assert len(wb.load(host.url)) == 1
            assert proxy.requests == []
            assert not any("authorization" in request.headers for request in host.requests)

    def test_cookies_are_neither_kept_nor_shown(self) -> None:
        with raw_host({"*": reply(200, {}, Set_Cookie="session=abc123; Path=/")}) as host:
            client = HostClient(host.url)
            first, second = client.exchange("/a"), client.exchange("/b")
            assert "cookie" not in host.requests[1].headers
            assert first.header("set-cookie") == second.header("set-cookie") == "***"
            assert not first.echoed

    def test_one_credential_does_not_go_to_two_origins(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        monkeypatch.setenv("HOST_KEY", KEY)
        with raw_host(catalog_rules()) as one, raw_host(catalog_rules()) as two:
            assert main(["diff", one.url, two.url, "--token-env", "HOST_KEY"]) == 2
            assert "two origins" in capsys.readouterr().err
            assert one.requests == two.requests == []
            assert main(["diff", one.url, one.url, "--token-env", "HOST_KEY"]) == 0
            assert main(["diff", "sample:small", one.url, "--token-env", "HOST_KEY"]) == 0
            assert main(["diff", one.url, two.url]) == 0

    @pytest.mark.parametrize(
        ("sources", "fine"),
        [
            (["https://a", "https://A:443/b"], True),
            (["https://a", "http://a"], False),
            (["mcp:https://a/mcp", "https://b"], False),
            (["https://a", "-", "sample:x", "mcp:npx b"], True),
            (["https://a", "https://a:x"], False),
        ],
    )
    def test_what_is_one_origin(self, sources: list[str], fine: bool) -> None:
        refuse_two_origins(sources, None)
        if fine:
            refuse_two_origins(sources, "KEY")
        else:
            with pytest.raises(UsageError):
                refuse_two_origins(sources, "KEY")


class TestWhatAHostSendsBack:
    @pytest.mark.parametrize("form", range(8))
    @pytest.mark.parametrize("secret", [KEY, OTHER, CUSTOM])
    def test_is_masked_in_evidence(self, form: int, secret: str) -> None:
        written = forms(secret)[form]
        body = f'{{"toolId": "{written}"}}'.encode()
        rules = {
            "/a": reply(200, body=body, X_Echo=f"<{written}>"),
            "/b": reply(302, location=f"https://{written}.example/{written}"),
            "/c": reply(302, location=f"/d?{quote(secret, safe='')}"),
            "/d": reply(401, {"error": written, "message": f"Bearer {written} is bad"}),
        }
        with raw_host(rules) as host:
            client = HostClient(host.url, credential=KEY, other=OTHER, extra_headers=[("X-Key", CUSTOM)])
            for target in ("/a", "/b", "/c"):
                exchange = client.exchange(target)
                assert exchange.echoed or target != "/a"
                self.hold_no_secret(repr(exchange), json.dumps(exchange.to_json()), str(dataclasses.asdict(exchange)))
                self.hold_no_secret(pickle.dumps(exchange).decode("latin-1"))
                assert ("x-key", "***") in exchange.headers_sent

    def hold_no_secret(self, *texts: str) -> None:
        for text in texts:
            for secret in (KEY, OTHER, CUSTOM):
                assert not [form for form in forms(secret) if form.lower() in text.lower()]

    @pytest.mark.parametrize(
        "rule",
        [
            lambda key: reply(401, {"error": "bad", "message": f"{key} is unknown"}),
            lambda key: reply(429, {"error": key, "message": key}, Retry_After=f"9 {key}"),
            lambda key: reply(200, body=b"x", content_encoding=key),
            lambda key: f"HTTP/1.1 {key} OK\r\n\r\n".encode(),
            lambda key: f"HTTP/1.1 200 OK\r\n{key}\r\n\r\n".encode(),
            lambda key: reply(302, location=f"https://{quote(key, safe='')}.example"),
            lambda key: reply(200, body=f'{{"{key}": 1, "{key}": 2}}'.encode()),
            lambda key: reply(200, [{key: 1}, {"name": key}]),
            lambda key: reply(200, [{"toolId": key}, {"name": key}]),
        ],
    )
    def test_is_in_no_message_and_in_no_log(
        self,
        rule: Callable[[str], bytes],
        monkeypatch: pytest.MonkeyPatch,
        capsys: pytest.CaptureFixture[str],
        caplog: pytest.LogCaptureFixture,
        waits: list[float],
    ) -> None:
        monkeypatch.setenv("HOST_KEY", KEY)
        with raw_host(catalog_rules(**{"/v1/tools": rule(KEY)})) as host, caplog.at_level(logging.DEBUG):
            assert main(["budget", host.url, "--token-env", "HOST_KEY"]) == 2
            with pytest.raises(WorkbenchError) as caught:
                wb.load(host.url, token_env="HOST_KEY")
            told = capsys.readouterr()
            trace = "".join(traceback.format_exception(caught.value))
            self.hold_no_secret(told.out, told.err, caplog.text, trace, repr(caught.value), repr(vars(caught.value)))
            assert any(request.headers.get("authorization") == f"Bearer {KEY}" for request in host.requests)

    def test_is_in_no_result(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        monkeypatch.setenv("HOST_KEY", KEY)
        echo = by_request(lambda request: reply(200, [{**TOOL, "description": str(request.headers)}]))
        with raw_host(catalog_rules(**{"/v1/tools": echo})) as host:
            for command in ("project", "check", "budget"):
                assert main([command, host.url, "--token-env", "HOST_KEY"]) in (0, 1)
            catalog = wb.load(host.url, token_env="HOST_KEY")
        self.hold_no_secret(capsys.readouterr().out, catalog.received, repr(catalog.tools), catalog._repr_html_())
        assert "Bearer ***" in catalog.received

    def test_logs_of_others_are_not_silenced(self, caplog: pytest.LogCaptureFixture) -> None:
        import httpx

        with raw_host({"*": reply(200, {})}) as host, caplog.at_level(logging.DEBUG):
            HostClient(host.url).exchange("/a")
            assert not [record for record in caplog.records if record.name.startswith("httpcore")]
            httpx.get(host.url, trust_env=False)
            assert [record for record in caplog.records if record.name.startswith("httpcore")]


@given(st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=1), st.binary(), st.binary(), st.data())
def test_a_mask_hides_whatever_form_each_character_has(
    secret: str, before: bytes, after: bytes, data: st.DataObject
) -> None:
    written = ""
    for character in secret:
        code = ord(character)
        choices = [
            character,
            f"\\u{code:04x}",
            f"\\u{code:04X}",
            f"%{code:02X}",
            f"%{code:02x}",
            f"&#{code};",
            f"&#x{code:x};",
        ]
        written += data.draw(st.sampled_from(choices))
    masked = Mask([secret]).data(before + written.encode() + after)
    assert b"***" in masked
    assert secret == "*" * len(secret) or secret.encode() not in masked.replace(b"***", b" ")


@pytest.mark.parametrize("name", ["Authorization", "host", "X Y", "X:", ""])
def test_headers_that_are_not_for_others_are_refused(name: str) -> None:
    with pytest.raises(UsageError) as caught:
        HostClient("https://example.org", extra_headers=[(name, CUSTOM)])
    assert CUSTOM not in str(caught.value)


@pytest.mark.parametrize("value", ["a\r\nX: y", "a\nb", "é", "a\x00"])
def test_values_that_would_be_more_than_one_header_are_refused(value: str) -> None:
    with pytest.raises(UsageError):
        HostClient("https://example.org", extra_headers=[("X-Key", value)])
