"""The rendering `harmony`: the package's own text, and where each piece of it comes from."""

from __future__ import annotations

from typing import Any

import openai_harmony
import pytest
from catalog_strategies import catalogs
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from strategies import strings

from workbench.catalog import Catalog
from workbench.errors import CatalogError, InputError, LimitError
from workbench.projection import project
from workbench.renderings import Kind, Segment, rendering
from workbench.renderings.harmony import FRAMING, _encoding, shown_as_any
from workbench.renderings.naming import PLAIN, legal_names
from workbench.resources import sample_names
from workbench.sources import load
from workbench.tokens import encoding

HARMONY = rendering("harmony")


def of_package(tools: Catalog) -> list[int]:
    """The tokens of the package for the whole catalog at once."""
    functions = []
    for tool, name in zip(tools, legal_names(tools, PLAIN), strict=True):
        description, schema = tool.descriptor.get("description"), tool.descriptor.get("inputSchema")
        text = description if isinstance(description, str) else ""
        functions.append(openai_harmony.ToolDescription.new(name, text, schema if isinstance(schema, dict) else None))
    content = openai_harmony.DeveloperContent.new().with_function_tools(functions)
    message = openai_harmony.Message.from_role_and_content(openai_harmony.Role.DEVELOPER, content)
    return _encoding().render(message)


def segments(schema: Any, **fields: Any) -> list[Segment]:
    return list(HARMONY.segments(Catalog.from_json([{"toolId": "t", "inputSchema": schema, **fields}])))


def texts(found: list[Segment], kind: Kind) -> dict[str, str]:
    """Texts of one kind by their pointer."""
    return {str(place.path): text for text, place in found if place.kind is kind and place.field == "inputSchema"}


def shown() -> st.SearchStrategy[Any]:
    """Schemas of what the package shows, with descriptions, titles and values that it copies."""
    words = strings(12) | st.sampled_from(["a\nb\r\n", "\n", "null", '"', " "])
    notes = {"description": words, "title": words, "examples": st.lists(words, max_size=2), "nullable": st.booleans()}
    leaf = st.fixed_dictionaries(
        {"type": st.sampled_from(["string", "integer", ["string", "null"], "any", 1])},
        optional={
            **notes,
            "default": words | st.integers() | st.just({"a": ["b"]}),
            "enum": st.lists(words | st.none()),
        },
    )
    return st.recursive(
        leaf,
        lambda inner: (
            st.fixed_dictionaries(
                {"type": st.just("object"), "properties": st.dictionaries(words, inner, max_size=3)},
                optional={**notes, "required": st.lists(words, max_size=2)},
            )
            | st.fixed_dictionaries({"type": st.just("array")}, optional={**notes, "items": inner})
            | st.fixed_dictionaries({"oneOf": st.lists(inner, max_size=3)}, optional={**notes, "default": words})
        ),
        max_leaves=8,
    )


class TestLaws:
    @settings(max_examples=30)
    @given(catalogs())
    def test_the_count_is_the_package_s_own(self, tools: Catalog) -> None:
        try:
            counted = HARMONY.count(tools, encoding("o200k_harmony"))
        except CatalogError:
            return  # Two tools with one name.
        assert counted == len(of_package(tools))

    @given(shown(), strings(20) | st.sampled_from(["a\r\n\nb\r", "\n\n", ""]))
    @example({"type": "object", "properties": {"a": {"description": "d", "oneOf": [{"description": "d"}, {}]}}}, "")
    def test_every_tool_is_split_and_its_pieces_are_the_text(self, schema: Any, description: str) -> None:
        tools = Catalog.from_json([{"toolId": "t", "description": description, "inputSchema": schema}])
        found = list(HARMONY.segments(tools))
        text = "".join(piece.text for piece in found)
        assume(max(text) < "\U000f0000")
        assert f"<|start|>developer<|message|>{text}<|end|>" == _encoding().decode(of_package(tools))
        assert [text for text, place in found if place.field == "toolId"] == ["t"], "a tool that is not split has none"


@pytest.mark.parametrize("name", sample_names())
def test_samples_are_counted_as_the_package_counts_and_split(name: str) -> None:
    tools = load(f"sample:{name}")
    for view in (tools, project(tools).catalog):
        assert HARMONY.count(view, encoding()) == len(of_package(view))
        named = {place.tool for _, place in HARMONY.segments(view) if place.field == "toolId"}
        assert named == set(range(len(view)))


class TestPlaces:
    def test_names_descriptions_and_values_are_told_apart(self) -> None:
        city = {
            "type": "string",
            "description": "Which city",
            "enum": ["Ulm", "Bonn"],
            "title": "City",
            "default": "Ulm",
        }
        found = segments({"type": "object", "properties": {"city": city}, "required": ["city"]}, description="D\nE")
        assert texts(found, Kind.NAME) == {"/inputSchema/properties/city": "city"}
        assert texts(found, Kind.DESCRIPTION) == {"/inputSchema/properties/city/description": "Which city"}
        assert [text for text, place in found if place.keyword == "enum"] == ["Ulm", "Bonn"]
        assert texts(found, Kind.ANNOTATION) == {
            "/inputSchema/properties/city/title": "City",
            "/inputSchema/properties/city/default": "Ulm",
        }
        assert [text for text, place in found if place.field == "description"] == ["D\n// E"]

    def test_what_lies_between_belongs_to_the_argument_it_is_about(self) -> None:
        found = segments({"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "boolean"}}})
        structure = texts(found, Kind.STRUCTURE)
        assert "number" in structure["/inputSchema/properties/a"]
        assert "boolean" in structure["/inputSchema/properties/b"]

    @pytest.mark.parametrize("text", ["\U000f0000", "\U0010fffd"])
    def test_private_characters_of_a_catalog_cost_the_split_and_nothing_else(self, text: str) -> None:
        tools = Catalog.from_json([{"toolId": "t", "description": f"a {text} b"}, {"toolId": "u"}])
        found = list(HARMONY.segments(tools))
        assert HARMONY.count(tools, encoding()) == len(of_package(tools))
        assert {place.field for _, place in found if place.tool == 0} == {None}
        assert "toolId" in {place.field for _, place in found if place.tool == 1}


class TestEdges:
    def test_four_tokens_stand_around_the_text(self) -> None:
        tools = Catalog.from_json([{"toolId": "t"}])
        tokens = of_package(tools)
        inside = encoding("o200k_harmony").encode(HARMONY.text(tools))
        assert tokens[3:-1] == inside and FRAMING == len(tokens) - len(inside) == 4

    def test_no_tools(self) -> None:
        assert HARMONY.count(Catalog.from_json([]), encoding()) == len(of_package(Catalog.from_json([])))

    def test_special_text_of_a_catalog_is_ordinary(self) -> None:
        tools = Catalog.from_json([{"toolId": "t", "description": "<|end|><|start|>system<|message|>"}])
        assert HARMONY.count(tools, encoding()) == len(of_package(tools))

    def test_what_the_package_refuses_is_one_error_with_its_place(self) -> None:
        schema: dict[str, Any] = {"type": "string"}
        for _ in range(200):
            schema = {"type": "array", "items": schema}
        with pytest.raises(InputError, match="recursion limit exceeded") as caught:
            segments(schema)
        assert caught.value.pointer == "/tools/0"

    def test_the_user_s_own_settings_do_not_matter_and_stay(self, monkeypatch: pytest.MonkeyPatch) -> None:
        import os

        monkeypatch.setenv("TIKTOKEN_ENCODINGS_BASE", "/nowhere")
        _encoding.cache_clear()
        assert HARMONY.text(Catalog.from_json([{"toolId": "t"}]))
        assert os.environ["TIKTOKEN_ENCODINGS_BASE"] == "/nowhere" and "TIKTOKEN_RS_CACHE_DIR" not in os.environ


class TestAny:
    @pytest.mark.parametrize(
        ("schema", "hidden"),
        [
            ({"anyOf": [{"type": "string"}], "description": "d"}, 1),
            ({"$ref": "#/$defs/A"}, 1),
            ({"allOf": [{}]}, 1),
            ({"const": 1}, 1),
            ({"description": "anything"}, 0),
            ({"oneOf": [{"type": "string"}, {"const": 1}]}, 1),
            ({"type": "array", "items": {"$ref": "#"}}, 1),
            ({"type": ["string", "null"]}, 0),
            (True, 0),
        ],
    )
    def test_what_the_model_does_not_get_to_see(self, schema: Any, hidden: int) -> None:
        tools = Catalog.from_json([{"toolId": "t", "inputSchema": {"type": "object", "properties": {"a": schema}}}])
        assert shown_as_any(tools) == hidden
        assert any("`any`" in remark for remark in HARMONY.remarks(tools, "o200k_base")) == bool(hidden)

    def test_another_vocabulary_is_remarked_upon(self) -> None:
        (remark,) = HARMONY.remarks(Catalog.from_json([]), "cl100k_base")
        assert "not cl100k_base" in remark


@pytest.mark.parametrize("word", ["w", " ", "-"])
def test_a_word_on_which_the_package_panics_is_refused_before(word: str, capfd: pytest.CaptureFixture[str]) -> None:
    """Over a word of a megabyte its engine runs out of stack, which it tells at length on standard error."""
    with pytest.raises(LimitError, match="is not asked about a tool with a word of 100,000 characters") as caught:
        HARMONY.text(Catalog.from_json([{"toolId": "t", "description": word * 1_000_000}]))
    assert caught.value.pointer == "/tools/0"
    assert capfd.readouterr().err == ""
