"""Laws of the host, whatever catalog it is given: asked without HTTP."""

from __future__ import annotations

from typing import Any

import pytest
from catalog_strategies import catalogs
from hypothesis import given
from hypothesis import strategies as st

from workbench.catalog import Catalog
from workbench.sample_host import FAULTS, Host
from workbench.sample_host.faults import faulty
from workbench.sample_host.host import RUNS_READ, Answer, Read, Refusal
from workbench.values import dumps


def host_of(catalog: Catalog, kind: type[Host] = Host) -> Host:
    return kind({"alice": catalog}, {"alice": "key"}, {"alice": (RUNS_READ,)})


reads = st.builds(
    Read,
    st.just("alice"),
    st.sampled_from([1, 2]),
    st.sampled_from(["standard", "compact"]),
    st.sampled_from([None, "mcp"]),
)


@given(catalogs(), reads)
def test_any_catalog_is_served_whole_and_unchanged(catalog: Catalog, read: Read) -> None:
    before = dumps(catalog.to_json())
    host = host_of(catalog)
    tools = host.listed(read)
    wanted = [tool.tool_id for tool in catalog if read.source in (None, tool.descriptor.get("source"))]
    assert [tool["toolId"] for tool in tools] == sorted(wanted, key=lambda each: each.encode("utf-16-be"))
    assert host.list_tools(read) == host_of(catalog).list_tools(read)
    everything = host.tools(read.principal, read.major, read.view)
    for tool in tools:
        # An id may occur twice in a catalog; by id, the first that has it comes.
        assert host.found(read, tool["toolId"]) == next(each for each in everything if each["toolId"] == tool["toolId"])
    assert dumps(catalog.to_json()) == before


@given(catalogs(), reads, st.lists(st.sampled_from(sorted(FAULTS)), unique=True, max_size=6), st.text(max_size=3))
def test_faults_go_together(catalog: Catalog, read: Read, names: list[str], tool_id: str) -> None:
    """Any faults, in any order, on any catalog: an answer that can be sent, or a refusal."""
    host = host_of(catalog, faulty(names, seconds=0.0, size=10, elsewhere="http://127.0.0.2:9"))
    assert isinstance(host.discover("2.0" if read.major == 2 else None), Answer)
    for _ in range(2):
        answer = host.list_tools(read)
        assert isinstance(answer, Answer)
    for each in [tool_id, *catalog.ids]:
        try:
            assert isinstance(host.get_tool(read, each), Answer)
        except Refusal as refusal:
            assert refusal.status in (403, 404)


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_leaves_the_catalog_alone(name: str) -> None:
    tools: list[dict[str, Any]] = [
        {
            "toolId": f"mcp:{letter}",
            "source": "mcp",
            "safetyTier": "read",
            "inputSchema": {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]},
        }
        for letter in "cba"
    ]
    catalog = Catalog.from_json(tools)
    before = dumps(tools)
    host = host_of(catalog, faulty([name], seconds=0.0, size=10, elsewhere=""))
    for view in ("standard", "compact"):
        host.list_tools(Read("alice", 1, view))
    assert dumps(tools) == before
