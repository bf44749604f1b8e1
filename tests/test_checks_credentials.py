"""Credential material: what is a secret, what only speaks of one, and that no message repeats one."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.catalog import Catalog
from workbench.checks import check
from workbench.checks.credentials import SECRET_FIELDS

TOOL: dict[str, Any] = {"toolId": "connector:a", "source": "connector", "safetyTier": "read"}

# Made up here, in the published formats; cut in two so that no scanner takes this file for a leak.
KEYS = {
    "aws": "AKIA" + "IOSFODNN7EXAMPLE",
    "github": "ghp_" + "a1B2c3D4e5" * 3 + "f6G7h8",
    "github fine-grained": "github_pat_" + "11ABCDEFG0" * 5,
    "slack": "xoxb-" + "123456789012-123456789012-" + "abcdefABCDEF123456789012",
    "stripe": "sk_live_" + "a1B2c3D4e5F6g7H8i9J0k1L2",
    "google": "AIza" + "SyA1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6q",
    "openai": "sk-proj-" + "a1B2c3D4e5F6g7H8i9J0k1L2",
    "anthropic": "sk-ant-" + "api03-a1B2c3D4e5F6g7H8i9J0k1L2",
    "hugging face": "hf_" + "abcdefghijklmnopqrstuvwxyzABCDEFGH",
    "private key": "-----BEGIN RSA " + "PRIVATE KEY-----\nMIIEpAIBAAKCAQEA1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6",
    "web token": "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P",
    "bearer": "Bearer " + "a1B2c3D4e5F6g7H8i9J0k1L2",
    "address": "postgres://rooms:" + "f3b9c1@db.example/rooms",
}


def secrets(**change: Any) -> list[str]:
    findings = check(Catalog.from_json([TOOL | change])).findings
    return [finding.pointer for finding in findings if finding.rule == "secret"]


@pytest.mark.parametrize("key", KEYS.values(), ids=KEYS.keys())
def test_a_known_format_is_found_anywhere_and_never_repeated(key: str) -> None:
    tool = TOOL | {
        "description": f"Use {key} to call it.",
        "inputSchema": {"type": "object", "properties": {"a": {"enum": ["x", key]}, key: {"type": "string"}}},
        "x": {"deep": [{"er": key}]},
    }
    result = check(Catalog.from_json([tool]))
    found = [finding for finding in result.findings if finding.rule == "secret"]
    assert [finding.pointer for finding in found] == [
        "/description",
        # A name that is a credential is reported where it stands, since its own pointer would repeat it.
        "/inputSchema/properties",
        "/inputSchema/properties/a/enum/1",
        "/x/deep/0/er",
    ]
    assert all(finding.level == "must" for finding in found)
    assert all(key not in finding.message and key not in finding.pointer for finding in found)


@pytest.mark.parametrize("key", KEYS.values(), ids=KEYS.keys())
def test_a_key_in_a_long_text_is_found_wherever_it_stands(key: str) -> None:
    for before in (0, 700, 1_000, 1_020, 5_000):
        assert secrets(description="word " * (before // 5) + key + " word" * 300) == ["/description"]


@pytest.mark.parametrize("field", sorted(SECRET_FIELDS))
@pytest.mark.parametrize("view", ["standard", "compact"])
def test_a_field_that_the_suite_rejects_is_found_once(field: str, view: Any) -> None:
    (finding,) = check(Catalog.from_json([TOOL | {field: None}]), view).findings
    assert (finding.rule, finding.level, finding.pointer, finding.suite) == ("secret", "must", f"/{field}", True)


@pytest.mark.parametrize(
    "name", ["password", "apiKey", "api_key", "client-secret", "accessToken", "db_password", "PRIVATE_KEY"]
)
@pytest.mark.parametrize("keyword", ["default", "const", "example", "examples"])
def test_a_value_for_a_secret_parameter(name: str, keyword: str) -> None:
    value: Any = "correct-horse-7"
    schema = {
        "properties": {"a": {"items": {"properties": {name: {keyword: [value] if keyword == "examples" else value}}}}}
    }
    pointer = f"/inputSchema/properties/a/items/properties/{name}/{keyword}"
    assert secrets(inputSchema=schema) == [pointer + "/0" * (keyword == "examples")]


def test_a_value_for_a_secret_name_in_data() -> None:
    schema = {"properties": {"login": {"default": {"user": "rooms", "password": "correct-horse-7"}}}}
    assert secrets(inputSchema=schema) == ["/inputSchema/properties/login/default/password"]


@pytest.mark.parametrize(
    "change",
    [
        {"inputSchema": {"properties": {name: {"description": "The secret."} for name in SECRET_FIELDS}}},
        {"inputSchema": {"properties": {"nextToken": {"default": "abcdef123456"}, "page_token": {"const": "abcdef1"}}}},
        {"inputSchema": {"properties": {"maxTokens": {"default": 100}, "token_type": {"default": "bearer-token"}}}},
        {"inputSchema": {"properties": {"bypassPassword": {"default": False}, "password": True}}},
        {"inputSchema": {"properties": {"token": "string"}, "required": ["token", "password"]}},
        {"description": "Connects to postgres://user:password@host/db or https://user:<password>@host."},
        {"description": "Sends Authorization: Bearer <token>, or Bearer authentication_with_a_token."},
        {"description": "Takes a key that starts with sk-ant- or AKIA, or a PEM with -----BEGIN PRIVATE KEY-----."},
        {"description": "Commit 3f786850e387550fdab836ed7e6dc881de23001b, id 123e4567-e89b-12d3-a456-426614174000"},
        {"description": "Reads https://host:8080/path@v1 and git@github.com:a/b.git"},
        {"auth": {"scopes": ["token:read"], "credentialRef": True}},
    ],
)
def test_what_only_speaks_of_a_secret(change: dict[str, Any]) -> None:
    assert secrets(**change) == []


PLACEHOLDERS = [
    "", "short", "<password>", "${PASSWORD}", "$PASSWORD", "{password}", "{{ secret }}", "********", "xxxxxxxx", "password",
    "Password1", "your-api-key", "YOUR_API_KEY", "my secret", "changeme", "two words", "[hidden]", "%PASSWORD%", "...", None,
    12345678, True,
]  # fmt: skip


@pytest.mark.parametrize("value", PLACEHOLDERS)
def test_a_placeholder_is_no_secret(value: Any) -> None:
    assert secrets(inputSchema={"properties": {"password": {"default": value}}}) == []


PIECES = ["a", "=", "://", "@", ":", '"', "eyJ", ".", "-", "sk-ant-", "Bearer ", "\n", "AKIA"]


@given(st.lists(st.sampled_from(PIECES), max_size=40))
def test_any_text_has_an_answer(pieces: list[str]) -> None:
    secrets(description="".join(pieces) * 50)
