"""Finding the bundled files: from a wheel, from a checkout, and never from anywhere else."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from referencing.exceptions import NoSuchResource

from workbench import resources
from workbench.errors import InputError
from workbench.values import pretty, read_json

ROOT = Path(__file__).resolve().parent.parent
SCHEMA_NAMES = [
    f"{major}/{name}"
    for major in ("v1", "v2")
    for name in ("compact-tool-descriptor", "tool-catalog-capability", "tool-descriptor")
]
SAMPLE_NAMES = ["large", "mcp", "multilingual", "small", "twenty"]

# Laws


@given(
    name=st.text()
    | st.sampled_from(["", ".", "..", "small.json", "Small", "broken", "broken/", "./small", "small/", "schemas"])
)
def test_a_name_that_is_not_listed_is_refused_in_one_line(name: str) -> None:
    if name in resources.sample_names(broken=True):
        return
    with pytest.raises(InputError) as caught:
        resources.sample(name)
    assert "twenty" in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1


@pytest.mark.parametrize("name", resources.sample_names(broken=True))
def test_a_sample_is_the_bytes_of_its_file(name: str) -> None:
    assert resources.sample(name) == (ROOT / "sample_catalogs" / f"{name}.json").read_bytes()


@pytest.mark.parametrize("name", SCHEMA_NAMES)
def test_changing_a_schema_changes_it_for_nobody_else(name: str) -> None:
    before = pretty(resources.schema(name))
    resources.schema(name)["properties"].clear()
    resources.schemas()[name].clear()
    assert pretty(resources.schema(name)) == before


# Tables


def test_the_names_are_listed_in_order() -> None:
    assert [name for name in resources.schemas() if name.startswith(("v1/", "v2/"))] == SCHEMA_NAMES
    assert resources.sample_names() == SAMPLE_NAMES
    everything = resources.sample_names(broken=True)
    assert everything == sorted(everything)
    assert set(SAMPLE_NAMES) < set(everything)


def test_the_table_of_expectations_is_no_sample() -> None:
    assert "broken/expected" not in resources.sample_names(broken=True)


@pytest.mark.parametrize(
    "name", ["../schemas/v1/tool-descriptor", "../../etc/passwd", "/etc/passwd", "broken/../small", "broken\\not-json"]
)
def test_no_name_leads_out_of_the_folder(name: str) -> None:
    with pytest.raises(InputError):
        resources.sample(name)
    with pytest.raises(InputError):
        resources.schema(name)


def test_an_unknown_schema_names_those_that_exist() -> None:
    with pytest.raises(InputError, match="v2/tool-catalog-capability"):
        resources.schema("v3/tool-descriptor")


def test_the_registry_knows_every_schema_by_its_id_and_nothing_else() -> None:
    registry = resources.registry()
    for document in resources.schemas().values():
        assert registry.contents(document["$id"]) == document
    with pytest.raises(NoSuchResource):
        registry.get_or_retrieve("https://example.org/schema.json")


def test_the_vocabularies_are_package_data() -> None:
    assert resources.vocabularies_dir() == ROOT / "workbench" / "_vocabularies"
    assert resources.vocabularies_dir().is_dir()


# Where the folders are


def _lay(folder: Path, landmark: str) -> Path:
    (folder / landmark).parent.mkdir(parents=True)
    (folder / landmark).write_text("{}")
    return folder


@pytest.mark.parametrize(("name", "landmark"), sorted(resources._LANDMARKS.items()))
def test_a_wheel_comes_before_a_checkout(tmp_path: Path, name: str, landmark: str) -> None:
    package = tmp_path / "workbench"
    beside = _lay(tmp_path / name, landmark)
    assert resources._folder(name, package) == beside
    inside = _lay(package / "_data" / name, landmark)
    assert resources._folder(name, package) == inside


def test_a_folder_of_another_distribution_is_not_taken_for_ours(tmp_path: Path) -> None:
    _lay(tmp_path / "schemas", "somebody-elses.schema.json")
    with pytest.raises(InputError, match="reinstall"):
        resources._folder("schemas", tmp_path / "workbench")


def test_the_landmarks_are_where_they_are_looked_for() -> None:
    for folder, landmark in resources._LANDMARKS.items():
        assert (ROOT / folder / landmark).is_file()


def test_importing_it_does_not_import_referencing() -> None:
    code = "import sys, workbench.resources; sys.exit('referencing' in sys.modules or 'jsonschema' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0


def test_a_small_sample_reads_as_a_catalog() -> None:
    value = read_json(resources.sample("small"), source="sample:small")
    assert isinstance(value, dict)
    assert len(value["tools"]) == 5
