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
from workbench.resources import schema

#: What decides what is computed; it is changed alone, since much else then comes out otherwise.
INPUTS = ("/options/", "/sources/*/embedded", "/sources/*/server")
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
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int | float):
        yield from (value + 1, value / 2, 0.25)
    elif isinstance(value, str):
        yield from (word for words in enumerated() if value in words for word in words)
        yield from (f"{value[:-1]}{'0' if value[-1:] != '0' else '1'}", f"{value}x", "2001-01-01T00:00:00Z")
    elif value is None:
        yield from (1, 0.5, "x", {"x": 1}, [3], bundle().sources[0]["tuning"]["cap"])
    else:
        first = bundle().sources[0]
        yield from (["x"], {"x": 1}, first["checks"]["standard"]["findings"][:1], first["tuning"]["front"][:1])


def tampered(document: dict[str, Any], pointer: str) -> dict[str, Any]:
    """A copy with another value at a pointer, one that the schema allows."""
    changed = copy.deepcopy(document)
    inside, last = place(changed, pointer)
    before = inside[last]
    for candidate in candidates(before):
        inside[last] = candidate
        if candidate != before and validator().is_valid(changed):
            return changed
    raise AssertionError(f"no other value fits at {pointer}")


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
    missing = shapes_of_the_schema() - set(shapes())
    assert missing == {"/sources/*/tuning/recommended/confusedTools/*"}  # A recommended limit seldom confuses anything.


def test_every_computed_value_that_is_changed_is_found_and_nothing_else() -> None:
    computed = {
        pointer for general, pointer in shapes().items() if not general.startswith((*INPUTS, *SEALED, *OTHERWISE))
    }
    assert len(computed) > 150
    document = bundle().document
    for pointer in computed:
        document = tampered(document, pointer)
    found = pointers(verify(Evidence(document)))
    assert found[-1] == "/seal"
    # Of a value that became an object or a list, or was one, what is in it is named.
    assert {next(p for p in computed if f"{each}/".startswith(f"{p}/")) for each in found[:-1]} == computed


@pytest.mark.parametrize("general", sorted(s for s in shapes_of_the_schema() if s.startswith(SEALED)))
def test_what_cannot_be_computed_is_under_the_seal(general: str) -> None:
    result = verify(Evidence(tampered(bundle().document, shapes()[general])))
    depends = {f"/sources/{i}/claims/{j}/catalog" for i in range(2) for j in range(4)}
    assert not result.ok
    assert set(pointers(result)) - depends == {"/seal"}
    assert "edited" in result.differences[-1].what


@pytest.mark.parametrize("general", sorted(s for s in shapes_of_the_schema() if s.startswith(INPUTS)))
def test_a_changed_option_or_catalog_is_found(general: str) -> None:
    document = tampered(bundle().document, shapes()[general])
    document["seal"] = seal(document)
    try:
        assert not verify(Evidence(document)).ok
    except InputError as error:  # An encoding or rendering that does not exist.
        assert error.pointer == "/options"


def test_the_time_is_not_looked_at() -> None:
    document = bundle().document
    for pointer in ("/generated/at", "/generated/seconds", "/generated/sources/0"):
        document = tampered(document, pointer)
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
    assert found.pointer == "/sources/1/embedded/catalog"
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
    for number, part in enumerate(evidence.sources):
        paths.append(str(folder / f"{number}.json"))
        Path(paths[-1]).write_bytes(part["embedded"]["catalog"].encode())
    return paths


def test_sources_stand_for_what_was_made_of_the_same_text_in_any_order(tmp_path: Path) -> None:
    paths = _written(tmp_path, bundle())
    assert verify(bundle(embed=False), paths).ok
    result = verify(bundle(embed=False), paths[::-1])
    assert result.ok and [each.taken_from for each in result.sources] == paths


def test_what_is_not_given_is_taken_from_the_bundle(tmp_path: Path) -> None:
    result = verify(bundle(), _written(tmp_path, bundle())[1:])
    assert result.ok
    assert [each.taken_from for each in result.sources] == ["embedded", str(tmp_path / "1.json")]


def test_another_source_is_said_to_be_another_one(tmp_path: Path) -> None:
    paths = _written(tmp_path, bundle())
    Path(paths[1]).write_text(Path(paths[1]).read_text().replace("tomorrow", "today"))
    result = verify(bundle(), paths)
    assert not result.ok
    assert [note for note in result.notes if "1.json is another catalog" in note]
    assert "/seal" not in pointers(result)


@pytest.mark.parametrize(
    ("embed", "given", "kind", "message"),
    [
        (False, 0, InputError, "source 1, a value in memory, is not in the bundle"),
        (False, 1, InputError, "source 2, a value in memory, is not in the bundle"),
        (True, 3, UsageError, "is none of the 2 sources of the bundle"),
    ],
)
def test_what_cannot_be_verified_says_why(
    tmp_path: Path, embed: bool, given: int, kind: type[WorkbenchError], message: str
) -> None:
    paths = _written(tmp_path, bundle())
    (tmp_path / "other.json").write_text("[]")
    with pytest.raises(kind, match=message):
        verify(bundle(embed), [*paths, str(tmp_path / "other.json")][:given])


def test_the_result_shows_itself_and_turns_into_a_frame() -> None:
    document = copied(bundle())
    document["sources"][0]["budgets"][0]["total"]["standard"] += 7
    result = verify(Evidence(document))
    assert "/sources/0/budgets/0/total/standard" in result._repr_html_()
    assert len(result.frame()) == 2
    value = json.loads(json.dumps(result.to_json()))
    assert (value["ok"], len(value["differences"]), value["compared"]) == (False, 2, result.compared)
    assert repr(result).startswith("<Verification of 2 sources: ")
