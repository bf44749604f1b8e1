from __future__ import annotations

import dataclasses

import pytest

from workbench.findings import LEVELS, Finding, counts

FINDING = Finding("compact-keyword", "must", "mcp:a.b", "/inputSchema/oneOf", "oneOf", True, "oneOf is banned")


def test_the_keys_are_those_of_the_contract() -> None:
    assert FINDING.to_json() == {
        "rule": "compact-keyword",
        "level": "must",
        "toolId": "mcp:a.b",
        "pointer": "/inputSchema/oneOf",
        "keyword": "oneOf",
        "suite": True,
        "message": "oneOf is banned",
    }
    assert list(FINDING.to_json()) == ["rule", "level", "toolId", "pointer", "keyword", "suite", "message"]


def test_counts_name_every_level() -> None:
    advice = dataclasses.replace(FINDING, level="advice")
    assert counts([FINDING, advice, advice]) == {"must": 1, "should": 0, "advice": 2}
    assert list(counts([])) == list(LEVELS) == ["must", "should", "advice"]


def test_a_finding_does_not_change() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        FINDING.rule = "other"  # type: ignore[misc]
