"""Verifying: what is true comes out equal; whatever is changed is found, wherever it is, and named."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from evidence.bundles import SMALL, bundle, copied, leaves, place, shape, shapes_of_the_schema
from workbench.errors import InputError, UsageError, WorkbenchError
from workbench.evidence import Evidence, Verification, collect, verify
from workbench.evidence.bundle import seal
from workbench.evidence.material import sha256
from workbench.resources import schema
from workbench.values import join

#: What decides what is computed; it is changed alone, since much else then comes out otherwise.
INPUTS = ("/options/", "/sources/*/embedded/catalog", "/sources/*/server")
#: The same of a host; much of an answer has no part in any verdict, and then only the seal tells.
RECORDED = ("/sources/*/embedded/exchanges", "/sources/*/embedded/bodies", "/sources/*/host/asked")
#: What no computation gives: it is under the seal.
SEALED = ("/environment/", "/sources/*/name", "/sources/*/kind", "/sources/*/notes")
#: What verifying does not look at, or refuses to.
OTHERWISE = ("/format", "/version", "/seal", "/generated")


def shapes() -> dict[str, str]:
    """The first pointer of each shape of value in the bundle."""
    found: dict[str, str] = {}
    for pointer, _ in leaves(bundle().document):
        found.setdefault(shape(pointer), pointer)
    return found


@cache
def enumerated() -> list[list[str]]:
    """The lists of words that the schema has."""
    return [json.loads(each) for each in re.findall(r'"enum": (\[.*?\])', json.dumps(schema("evidence")))]


@cache
def validator() -> Draft202012Validator:
    return Draft202012Validator(schema("evidence"))


def candidates(value: Any) -> Iterator[Any]:
    """Other values, of which one fits wherever this one does."""
    yield from (word for words in enumerated() if value in words for word in words)
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int | float):
        yield from (value + 1, value / 2, 0.25)
    elif isinstance(value, str):
        yield from (f"{value[:-1]}{'0' if value[-1:] != '0' else '1'}", f"{value}x", "2001-01-01T00:00:00Z")
    else:
        first, host = bundle().sources[0], bundle().sources[2]
        yield from (1, 0.5, "x", {"x": 1}, ["x"], [3], first["tuning"]["cap"], host["host"], host["probe"])
        findings, losses = first["checks"]["standard"]["findings"], first["projection"]["losses"]
        failed = next(each for each in host["probe"]["requirements"] if each["evidence"])
        yield from ([each] for each in (findings[0], losses[0], first["tuning"]["front"][0], failed["evidence"][0]))


def tampered(document: dict[str, Any], *changed: str) -> dict[str, Any]:
    """A copy with other values at some pointers, which the schema allows: of what it refuses there, the next is tried."""
    copied = copy.deepcopy(document)
    left = {}
    for pointer in changed:
        inside, last = place(copied, pointer)
        before = inside[last]
        left[pointer] = iter([other for other in candidates(before) if other != before])
        inside[last] = next(left[pointer])
    while refused := {pointer for error in validator().iter_errors(copied) for pointer in places(error)} & left.keys():
        for pointer in refused:
            inside, last = place(copied, pointer)
            inside[last] = next(left[pointer])
    assert validator().is_valid(copied)
    return copied


def places(error: Any) -> Iterator[str]:
    """The places that an error is about, with those of the alternatives that do not fit, and all that they are in."""
    path = list(error.absolute_path)
    yield from (join("", *path[:length]) for length in range(len(path) + 1))
    for inner in error.context:
        yield from places(inner)


def pointers(result: Verification) -> list[str]:
    return [difference.pointer for difference in result.differences]


# Laws


def test_a_bundle_holds() -> None:
    result = verify(bundle())
    assert result.ok and result.differences == () and result.notes == ()
    assert result.compared > 1_500
    assert "all equal" in result.headline()


def test_the_bundle_has_a_value_of_every_kind_that_the_schema_knows() -> None:
    """Else the tests below would not tamper with each kind."""
    exchange = "/sources/*/embedded/exchanges/*"
    assert shapes_of_the_schema() - set(shapes()) == {
        "/sources/*/tuning/recommended/confusedTools/*",  # A recommended limit seldom confuses anything.
        *("/sources/*/host/offered/refused", f"{exchange}/failure", f"{exchange}/echoed", f"{exchange}/hops/*"),
        f"{exchange}/attempts",
    }


def test_every_computed_value_that_is_changed_is_found_and_nothing_else() -> None:
    computed = {
        pointer
        for general, pointer in shapes().items()
        if not general.startswith((*INPUTS, *RECORDED, *SEALED, *OTHERWISE))
    }
    assert len(computed) > 200
    found = pointers(verify(Evidence(tampered(bundle().document, *sorted(computed)))))
    assert found[-1] == "/seal"
    # Of a value that became an object or a list, or was one, what is in it is named.
    assert {next(p for p in computed if f"{each}/".startswith(f"{p}/")) for each in found[:-1]} == computed


@pytest.mark.parametrize("general", sorted(s for s in shapes_of_the_schema() if s.startswith(SEALED)))
def test_what_cannot_be_computed_is_under_the_seal(general: str) -> None:
    document = tampered(bundle().document, shapes()[general])
    assert document["seal"] != seal(document)


def test_a_broken_seal_is_a_difference() -> None:
    result = verify(Evidence(tampered(bundle().document, "/sources/0/kind")))
    assert pointers(result) == ["/seal"]
    assert "edited" in result.differences[0].what


@pytest.mark.parametrize("general", sorted(s for s in shapes_of_the_schema() if s.startswith(INPUTS)))
def test_a_changed_option_or_catalog_is_found(general: str) -> None:
    document = tampered(bundle().document, shapes()[general])
    document["seal"] = seal(document)
    try:
        assert not verify(Evidence(document)).ok
    except InputError as error:  # An encoding or rendering that does not exist.
        assert error.pointer == "/options"


@pytest.mark.parametrize("general", sorted(s for s in shapes_of_the_schema() if s.startswith(RECORDED)))
def test_a_changed_recording_is_under_the_seal(general: str) -> None:
    if general in shapes():
        document = tampered(bundle().document, shapes()[general])
        assert document["seal"] != seal(document)


def test_a_changed_answer_whose_hashes_were_changed_too_is_found_by_what_comes_out() -> None:
    document = copied(bundle())
    recording = document["sources"][2]["embedded"]
    # An error: were it a tool, a probe would read the list again, which the recording has not.
    name, body = next(
        (name, each) for name, each in recording["bodies"].items() if '"not_found"' in each.get("body", "")
    )
    changed = body["body"].replace('"not_found"', '""')
    recording["bodies"][sha256(changed)] = {"body": changed}
    for exchange in recording["exchanges"]:
        exchange["sha256"] = sha256(changed) if exchange["sha256"] == name else exchange["sha256"]
    document["seal"] = seal(document)
    found = pointers(verify(Evidence(document)))
    assert found and "/seal" not in found
    assert any(each.startswith("/sources/2/probe/requirements/") for each in found)


def test_the_time_is_not_looked_at() -> None:
    document = tampered(bundle().document, "/generated/at", "/generated/seconds", "/generated/sources/0/seconds")
    assert verify(Evidence(document)).ok


def test_another_environment_is_told_and_explains() -> None:
    document = tampered(bundle().document, "/environment/packages/tiktoken")
    document["seal"] = seal(document)
    result = verify(Evidence(document))
    assert result.ok
    (note,) = result.notes
    assert note.startswith("environment/packages/tiktoken was ") and note.endswith(" here")


# Lists


def _finding(document: dict[str, Any]) -> list[Any]:
    found: list[Any] = document["sources"][0]["checks"]["standard"]["findings"]
    return found


def test_a_finding_that_was_taken_out_is_named_alone() -> None:
    document = copied(bundle())
    gone = _finding(document).pop(3)
    result = verify(Evidence(document))
    found = {d.pointer: d for d in result.differences}
    assert set(found) == {"/sources/0/checks/standard/findings/3", "/seal"}
    missing = found["/sources/0/checks/standard/findings/3"]
    assert (missing.what, missing.new) == ("missing in the bundle", gone)
    assert "old" not in missing.to_json()


def test_a_finding_that_was_put_in_is_named_alone() -> None:
    document = copied(bundle())
    _finding(document).insert(2, {**_finding(document)[0], "pointer": "/made/up"})
    extra = verify(Evidence(document)).differences[0]
    assert (extra.pointer, extra.what) == ("/sources/0/checks/standard/findings/2", "only in the bundle")
    assert "new" not in extra.to_json()


def test_a_tool_that_was_put_in_is_found_wherever_it_is_counted() -> None:
    document = copied(bundle())
    document["sources"][1]["budgets"][0]["tools"].append(
        {"toolId": "mcp:office.spare", "standard": 1, "compact": 1, "saved": 0}
    )
    assert pointers(verify(Evidence(document))) == ["/sources/1/budgets/0/tools/3", "/seal"]


def test_rows_in_another_order_are_found() -> None:
    document = copied(bundle())
    document["sources"][1]["budgets"][0]["tools"].reverse()
    found = pointers(verify(Evidence(document)))
    assert "/sources/1/budgets/0/tools/0/toolId" in found
    assert all(each.startswith(("/sources/1/budgets/0/tools/", "/seal")) for each in found)


# Catalogs


def _other_catalog(document: dict[str, Any]) -> dict[str, Any]:
    part = document["sources"][1]
    part["embedded"]["catalog"] = part["embedded"]["catalog"].replace("tomorrow", "today")
    return document


def test_a_changed_catalog_is_found() -> None:
    document = _other_catalog(copied(bundle()))
    found = pointers(verify(Evidence(document)))
    assert {"/sources/1/received/sha256", "/sources/1/views/standard/sha256", "/seal"} <= set(found)


def test_a_changed_catalog_whose_hash_was_changed_too_is_found_by_what_comes_out() -> None:
    document = _other_catalog(copied(bundle()))
    text = document["sources"][1]["embedded"]["catalog"]
    again = collect([json.loads(text)], options=SMALL).sources[0]
    document["sources"][1]["received"] = again["received"]
    document["seal"] = seal(document)
    found = pointers(verify(Evidence(document)))
    assert "/sources/1/views/standard/sha256" in found
    assert not any("/received" in each for each in found)


def test_a_catalog_that_cannot_be_read_any_more_is_a_difference() -> None:
    document = copied(bundle())
    document["sources"][1]["embedded"]["catalog"] = '{"tools": 7}'
    found = verify(Evidence(document)).differences[0]
    assert found.pointer == "/sources/1/embedded"
    assert '"tools" is not a list' in found.what


def test_all_of_it_computed_anew_is_a_true_bundle_of_another_catalog_and_says_of_which() -> None:
    document = _other_catalog(copied(bundle()))
    text = document["sources"][1]["embedded"]["catalog"]
    result = verify(collect([json.loads(text)], options=SMALL, embed=True))
    assert result.ok
    assert result.sources[0].sha256 != bundle().sources[1]["received"]["sha256"]


# Sources


def _written(folder: Path, evidence: Evidence) -> list[str]:
    """The embedded catalogs as files."""
    paths = []
    for number, part in enumerate(evidence.sources[:2]):
        paths.append(str(folder / f"{number}.json"))
        Path(paths[-1]).write_bytes(part["embedded"]["catalog"].encode())
    return paths


def _files_alone(*, embed: bool) -> Evidence:
    document = copied(bundle(embed))
    del document["sources"][2], document["generated"]["sources"][2]
    document["seal"] = seal(document)
    return Evidence(document)


def test_a_file_stands_for_a_host_in_all_but_the_probe(tmp_path: Path) -> None:
    path = tmp_path / "list.json"
    path.write_text(bundle().examined[2].catalog.received)
    result = verify(bundle(), [str(path)])
    assert result.ok
    assert result.skipped == ("/sources/2/host", "/sources/2/probe")
    assert "not /sources/2/host" in result.headline()


def test_a_probe_that_nobody_made_is_found() -> None:
    document = copied(bundle())
    for name in ("host", "probe"):
        document["sources"][0][name] = document["sources"][2][name]
    found = pointers(verify(Evidence(document)))
    assert found == ["/sources/0/host", "/sources/0/probe", "/seal"]


def test_sources_stand_for_what_was_made_of_the_same_text_in_any_order(tmp_path: Path) -> None:
    paths = _written(tmp_path, bundle())
    unembedded = _files_alone(embed=False)
    assert verify(unembedded, paths).ok
    result = verify(unembedded, paths[::-1])
    assert result.ok and [each.taken_from for each in result.sources] == paths


def test_what_is_not_given_is_taken_from_the_bundle(tmp_path: Path) -> None:
    result = verify(bundle(), _written(tmp_path, bundle())[1:])
    assert result.ok
    assert [each.taken_from for each in result.sources] == ["embedded", str(tmp_path / "1.json"), "embedded"]


def test_another_source_is_said_to_be_another_one(tmp_path: Path) -> None:
    paths = _written(tmp_path, bundle())
    Path(paths[1]).write_text(Path(paths[1]).read_text().replace("tomorrow", "today"))
    result = verify(_files_alone(embed=True), paths)
    assert not result.ok
    assert [note for note in result.notes if "1.json is another catalog" in note]
    assert "/seal" not in pointers(result)


@pytest.mark.parametrize(
    ("embed", "given", "kind", "message"),
    [
        (False, 0, InputError, "/sources/0/embedded"),
        (False, 1, InputError, "/sources/1/embedded"),
        (True, 3, UsageError, "is none of the 2 sources of the bundle"),
    ],
)
def test_what_cannot_be_verified_says_why(
    tmp_path: Path, embed: bool, given: int, kind: type[WorkbenchError], message: str
) -> None:
    paths = _written(tmp_path, bundle())
    (tmp_path / "other.json").write_text("[]")
    with pytest.raises(kind, match=message):
        verify(_files_alone(embed=embed), [*paths, str(tmp_path / "other.json")][:given])


def test_the_result_shows_itself_and_turns_into_a_frame() -> None:
    document = copied(bundle())
    document["sources"][0]["budgets"][0]["total"]["standard"] += 7
    result = verify(Evidence(document))
    assert "/sources/0/budgets/0/total/standard" in result._repr_html_()
    assert len(result.frame()) == 2
    value = json.loads(json.dumps(result.to_json()))
    assert (value["ok"], len(value["differences"]), value["compared"]) == (False, 2, result.compared)
    assert repr(result).startswith("<Verification of 3 sources: ")
