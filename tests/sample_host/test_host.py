"""What the sample host answers: all of it over a socket, byte for byte."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any
from urllib.parse import quote

import jsonschema
import pytest

import workbench as wb
from sample_host.asking import PREFIXES, Caller
from workbench.errors import UsageError
from workbench.resources import schema
from workbench.sample_host import RunningHost, create_app, serve

#: Ids that a path has to carry as one segment, and that code units sort otherwise than code points.
IDS = [
    "mcp:a.b",
    "a/b",
    "a%2Fb",
    "..",
    ".",
    "?view=compact#x",
    "with space",
    "ümlaut",
    "\uff5e",
    "\U0001f600",
    "a\nb",
    "+",
    "\\",
]
TWENTY = wb.load("sample:twenty")


def odd() -> wb.Catalog:
    tools = [{"toolId": tool_id, "source": "mcp", "safetyTier": "read"} for tool_id in IDS]
    return wb.load({"tools": [{"toolId": "first", "source": "workflow", "safetyTier": "pure"}, *tools]})


@pytest.fixture(scope="module")
def host() -> Iterator[RunningHost]:
    with serve(TWENTY) as running:
        yield running


@pytest.fixture(scope="module")
def odd_host() -> Iterator[RunningHost]:
    catalogs = {"alice": odd(), "bob": wb.load({"tools": []}), "carol": TWENTY}
    with serve(catalogs, scopes={"carol": {"manifest:read"}}, keys={"bob": "bobs-own-key"}) as running:
        yield running


@pytest.fixture(params=[1, 2])
def major(request: pytest.FixtureRequest) -> int:
    return int(request.param)


class TestDiscovery:
    def test_is_public_and_follows_the_version_header(self, host: RunningHost, major: int) -> None:
        reply = Caller(host, None, major).ask("/.well-known/openwop")
        assert (reply.status, reply.headers["content-type"]) == (200, "application/json")
        assert reply.headers["openwop-version"] == reply.json["protocolVersions"][major - 1]
        record = reply.json["toolCatalog"]
        jsonschema.validate(record, schema(f"v{major}/tool-catalog-capability"))
        assert record["compactView"] is True
        assert ("supported" in record) == ("limits" in reply.json) == (major == 1)

    def test_a_1_x_is_preferred_while_there_are_two(self, host: RunningHost) -> None:
        without = Caller(host, None).ask("/.well-known/openwop")
        assert without.json["preferredVersion"] == "1.4"
        assert without.body == Caller(host, None).ask("/.well-known/openwop", OpenWOP_Version="1.0").body

    def test_may_be_cached(self, host: RunningHost, major: int) -> None:
        caller = Caller(host, None, major)
        first = caller.ask("/.well-known/openwop")
        assert first.headers["cache-control"] == "public, max-age=300"
        assert first.headers["vary"] == "OpenWOP-Version"
        again = caller.ask("/.well-known/openwop", If_None_Match=f'"other", W/{first.headers["etag"]}')
        assert (again.status, again.body, again.headers["etag"]) == (304, b"", first.headers["etag"])
        other = Caller(host, None, 3 - major).ask("/.well-known/openwop", If_None_Match=first.headers["etag"])
        assert other.status == 200


class TestCatalog:
    def test_each_principal_sees_its_own(self, host: RunningHost, major: int) -> None:
        assert Caller(host, "alice", major).tools() == sorted(
            TWENTY.to_json()["tools"], key=lambda tool: tool["toolId"]
        )
        own = {tool["toolId"] for tool in Caller(host, "bob", major).tools()}
        assert own == set(TWENTY.ids[1:])

    @pytest.mark.parametrize("view", ["standard", "compact"])
    @pytest.mark.parametrize("principal", ["alice", "bob"])
    def test_nothing_in_it_breaks_the_specification(
        self, host: RunningHost, principal: str, major: Any, view: Any
    ) -> None:
        found = Caller(host, principal, major).list(f"?view={view}").json
        assert isinstance(found, dict) == (view == "compact")
        assert wb.check(wb.load(found, view=view), view, major).counts["must"] == 0

    def test_the_compact_view_is_the_projection(self, host: RunningHost, major: int) -> None:
        caller = Caller(host, "alice", major)
        projected = wb.project(
            wb.load(caller.tools()), max_description=256, strategy="sentence", profile="v2" if major == 2 else "v1"
        )
        assert caller.list("?view=compact").json == projected.catalog.to_json()

    @pytest.mark.parametrize("view", ["standard", "compact"])
    def test_every_tool_is_there_by_its_id(self, odd_host: RunningHost, major: int, view: str) -> None:
        caller = Caller(odd_host, "alice", major)
        tools = caller.tools(f"?view={view}")
        assert {tool["toolId"] for tool in tools} == {"first", *IDS}
        for tool in tools:
            assert caller.one(tool["toolId"], f"?view={view}").json == tool

    def test_order_is_that_of_code_units(self, odd_host: RunningHost) -> None:
        ids = [tool["toolId"] for tool in Caller(odd_host).tools()]
        assert ids == sorted(ids, key=lambda each: each.encode("utf-16-be"))
        assert ids.index("\U0001f600") < ids.index("\uff5e")

    def test_a_slash_that_is_not_encoded_ends_a_segment(self, odd_host: RunningHost, major: int) -> None:
        for path in ("/a/b", "/", "//first", "/first/"):
            assert Caller(odd_host, "alice", major).ask(PREFIXES[major] + path).status == 404

    def test_v1_knows_no_annotations(self) -> None:
        hints = {"readOnlyHint": True, "destructiveHint": False, "idempotentHint": False, "openWorldHint": True}
        tool = {"toolId": "a", "source": "mcp", "safetyTier": "read", "annotations": hints}
        with serve(wb.load([tool])) as running:
            assert Caller(running, "alice", 2).tools() == [tool]
            assert Caller(running, "alice", 1).tools() == [{key: tool[key] for key in tool if key != "annotations"}]


class TestQueries:
    @pytest.mark.parametrize("query", ["?view=standard", "?view=", "?view=Compact", "?view=full", "?other=compact"])
    def test_any_other_view_is_the_standard_view(self, host: RunningHost, major: int, query: str) -> None:
        caller = Caller(host, "alice", major)
        assert caller.list(query) == caller.list()
        assert caller.one(TWENTY.ids[0], query) == caller.one(TWENTY.ids[0])

    @pytest.mark.parametrize("view", ["standard", "compact"])
    def test_source_filters_either_view(self, host: RunningHost, major: int, view: str) -> None:
        caller = Caller(host, "alice", major)
        everything = caller.tools(f"?view={view}")
        for source in ("mcp", "node-pack", "workflow", "connector", "host-extension", "no-such", ""):
            expected = [tool for tool in everything if tool["source"] == source]
            assert caller.tools(f"?view={view}&source={source}") == expected


class TestBytes:
    def test_are_the_same_in_every_host(self, host: RunningHost, major: int) -> None:
        shuffled = replace(TWENTY, tools=TWENTY.tools[::-1])
        with serve({"alice": shuffled}) as other:
            for target in ("", "?view=compact", "?view=compact&source=mcp"):
                assert Caller(host, "alice", major).list(target) == Caller(other, "alice", major).list(target)

    def test_a_reader_may_ask_whether_they_changed(self, host: RunningHost, major: int) -> None:
        caller = Caller(host, "alice", major)
        tags = set()
        for query in ("", "?view=compact"):
            first = caller.list(query)
            assert first.headers["cache-control"] == "private, no-cache"
            assert "Authorization" in first.headers["vary"]
            tags.add(first.headers["etag"])
            again = caller.list(query, If_None_Match=first.headers["etag"])
            assert (again.status, again.body) == (304, b"")
            assert again.headers["openwop-version"] == first.headers["openwop-version"]
        assert len(tags) == 2


def is_error(reply: Any, status: int, code: str) -> bool:
    fields = set(reply.json)
    return (
        (reply.status, reply.json["error"], reply.headers["content-type"]) == (status, code, "application/json")
        and reply.headers["cache-control"] == "no-store"
        and bool(reply.json["message"])
        and {"error", "message"} <= fields <= {"error", "message", "details"}
    )


class TestRefusals:
    def test_nobody_gets_nothing(self, host: RunningHost, major: int) -> None:
        key = host.keys["alice"]
        nobody = Caller(host, None, major)
        wrong = [
            "",
            "Bearer",
            "Bearer ",
            "Bearer x",
            f"Basic {key}",
            key,
            f"Bearer {key}x",
            f"Bearer {key[:-1]}",
            "Bearer é",
        ]
        replies = [nobody.list(query) for query in ("", "?view=compact")] + [nobody.one("x"), nobody.one(TWENTY.ids[0])]
        replies += [nobody.list(Authorization=each) for each in wrong]
        assert is_error(replies[0], 401, "unauthenticated")
        assert replies[0].headers["www-authenticate"] == "Bearer"
        assert all(reply == replies[0] for reply in replies)

    def test_the_scheme_is_written_in_any_case(self, host: RunningHost) -> None:
        assert Caller(host, None).list(Authorization=f"bEARER {host.keys['bob']}").status == 200

    def test_a_key_without_the_scope(self, odd_host: RunningHost, major: int) -> None:
        reply = Caller(odd_host, "carol", major).list()
        assert is_error(reply, 403, "forbidden")
        assert reply.headers["www-authenticate"] == 'Bearer error="insufficient_scope", scope="runs:read"'

    def test_what_is_not_yours_does_not_exist(self, host: RunningHost, major: int) -> None:
        """RFC 0074: neither status, nor header, nor body tells an id of somebody else from one of nobody."""
        bob = Caller(host, "bob", major)
        ids = [TWENTY.ids[0], "x", "__conformance_nonexistent_tool__", "a/b", "..", "ö", "x" * 2000]
        replies = [bob.one(tool_id, query) for tool_id in ids for query in ("", "?view=compact")]
        replies.append(bob.ask(f"{PREFIXES[major]}/%FF%zz"))
        assert is_error(replies[0], 404, "not_found")
        assert all(reply == replies[0] for reply in replies)
        assert "www-authenticate" not in replies[0].headers
        assert Caller(host, "alice", major).one(TWENTY.ids[0]).status == 200

    @pytest.mark.parametrize("target", ["/", "/v2/tools", "/v1", "/TOOLS", "/v1/tools/a/b", "/.well-known/wop"])
    def test_other_paths(self, host: RunningHost, target: str) -> None:
        assert is_error(Caller(host).ask(target), 404, "not_found")

    @pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"])
    @pytest.mark.parametrize("target", ["/v1/tools", "/v1/tools/a", "/tools", "/tools/a", "/.well-known/openwop"])
    def test_other_methods(self, host: RunningHost, method: str, target: str) -> None:
        reply = Caller(host).ask(target, method)
        assert is_error(reply, 405, "sample-host.method_not_allowed")
        assert reply.headers["allow"] == "GET, HEAD"

    @pytest.mark.parametrize("target", ["/v1/tools", "/v1/tools/mcp%3Afiles.list", "/.well-known/openwop"])
    def test_head_is_get_without_a_body(self, host: RunningHost, target: str) -> None:
        caller = Caller(host)
        assert caller.ask(target, "HEAD") == replace(caller.ask(target), body=b"")


class TestVersions:
    def test_answers_say_theirs(self, host: RunningHost, major: int) -> None:
        for caller in (Caller(host, "alice", major), Caller(host, None, major)):
            for reply in (caller.list(), caller.one("x")):
                assert reply.headers["openwop-version"] == {1: "1.4", 2: "2.0"}[major]

    @pytest.mark.parametrize("version", ["2.0", "2", "0", "99.0", "x", "1.0.0", "01", ""])
    def test_a_path_of_v1_with_another_header(self, host: RunningHost, version: str) -> None:
        assert is_error(Caller(host).list(OpenWOP_Version=version), 400, "protocol_version_mismatch")

    @pytest.mark.parametrize("version", ["1", "1.0", "1.4", "1.9"])
    def test_only_the_major_counts(self, host: RunningHost, version: str) -> None:
        assert Caller(host).list(OpenWOP_Version=version).status == 200
        assert is_error(Caller(host, "alice", 2).list(OpenWOP_Version=version), 400, "protocol_version_mismatch")

    @pytest.mark.parametrize("version", ["3.0", "99.0", "x", "0"])
    def test_a_version_that_is_not_served(self, host: RunningHost, version: str) -> None:
        for target in ("/tools", "/tools/x", "/.well-known/openwop"):
            reply = Caller(host, "alice", 2).ask(target, OpenWOP_Version=version)
            assert is_error(reply, 406, "protocol_version_unsupported")
            assert reply.json["details"] == {"protocolVersions": ["1.4", "2.0"]}

    def test_paths_without_a_version_are_v2(self, host: RunningHost) -> None:
        assert Caller(host).ask("/tools?view=compact") == Caller(host, "alice", 2).ask("/tools?view=compact")


class TestKeys:
    def test_are_new_each_time_unless_given(self, odd_host: RunningHost) -> None:
        assert odd_host.keys["bob"] == "bobs-own-key"
        assert len({*odd_host.keys.values(), *create_app(TWENTY).state.keys.values()}) == 5
        assert min(map(len, create_app(TWENTY).state.keys.values())) >= 32

    def test_do_not_show(self, host: RunningHost) -> None:
        assert repr(host) == f"<RunningHost at {host.url} for alice, bob>"

    @pytest.mark.parametrize(
        "arguments",
        [
            {"keys": {"mallory": "k"}},
            {"scopes": {"mallory": ()}},
            {"keys": {"alice": ""}},
            {"keys": {"alice": " k"}},
            {"keys": {"alice": "ключ"}},
            {"keys": {"alice": "same", "bob": "same"}},
            {"faults": ["no-such-fault"]},
        ],
        ids=str,
    )
    def test_what_does_not_fit_is_refused(self, arguments: dict[str, Any]) -> None:
        with pytest.raises(UsageError):
            create_app(TWENTY, **arguments)


def test_ids_are_hard_enough() -> None:
    assert any(quote(each, safe="") != each for each in IDS)
