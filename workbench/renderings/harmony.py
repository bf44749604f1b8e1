"""
The rendering `harmony`: the message in which OpenAI's open-weight models are told of their tools.

The text is written by OpenAI's own package, `openai-harmony`. It turns schemas into types as TypeScript has them, and shows what
it does not know (`$ref`, `anyOf`, `allOf`, `const`, a schema without a type) as `any`.

Where the tokens of that text come from is found without knowing how the package writes. Every text of a descriptor that it may
copy is put between two characters of the last private planes of Unicode, which say which text it is; the package carries them
along, and what stands between them afterwards is that text. With the marks taken out again, the result must be what the
package writes without them; where it is not, or where a catalog uses such characters itself, the tool is not split.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any, Final

from workbench.borders import LONG, parts
from workbench.catalog import Catalog, Tool
from workbench.errors import InputError, LimitError
from workbench.renderings.naming import PLAIN, legal_names
from workbench.renderings.segments import OUTSIDE, Kind, Place, Segment
from workbench.renderings.writing import keyword_kind
from workbench.tokens import environment, vocabulary_folder
from workbench.values import dumps, join
from workbench.walk import Path

__all__ = ["FRAMING", "harmony_segments", "shown_as_any"]

#: Tokens around the text of the message: `<|start|>`, the role, `<|message|>`, `<|end|>`.
FRAMING: Final = 4
_BEFORE: Final = "<|start|>developer<|message|>"
_AFTER: Final = "<|end|>"
_END: Final = "} // namespace functions"
_ENCODING: Final = "HarmonyGptOss"

#: Marks: the code point of the first says which text begins, the second ends it.
_FIRST, _LAST, _CLOSE = 0xF0000, 0x10FFFC, "\U0010fffd"
_MARK: Final = re.compile(f"([{chr(_FIRST)}-{chr(_LAST)}])|{_CLOSE}")
_ROOT: Final = Path()


def harmony_segments(catalog: Catalog) -> Iterator[Segment]:
    """
    The text of the developer message that offers the tools as functions, without the four tokens around it.

    Raises:
        InputError: a tool that the package refuses: its schema is nested too deep, or a text holds half a surrogate pair.
        LimitError: a tool with a word so long that the package would take minutes for it, or panic.
        CatalogError: two tools would have one name.
        EncodingUnavailable: the bundled vocabulary is damaged.
    """
    names = legal_names(catalog, PLAIN)
    head, tail = _around() if names else (_written(()), "")
    yield Segment(head, OUTSIDE)
    for place, (tool, name) in enumerate(zip(catalog, names, strict=True)):
        try:
            yield from _tool(tool, place, name)
        except ValueError as error:
            what = str(error).removeprefix("invalid message JSON: ").partition(" at line ")[0]
            raise InputError(
                f"openai-harmony refuses this tool: {what}", source=catalog.source, pointer=join("", "tools", place)
            ) from None
        except LimitError as error:
            error.source, error.pointer = catalog.source, join("", "tools", place)
            raise
    yield Segment(tail, OUTSIDE)


def shown_as_any(catalog: Catalog) -> int:
    """How many schemas that the model gets to see it sees as `any`, although they say something."""
    return sum(
        _is_any(schema) and bool(schema.keys() - {"description", "title"})
        for tool in catalog
        for schema in _seen(tool.descriptor.get("inputSchema"))
    )


def _seen(root: Any) -> Iterator[dict[str, Any]]:
    """The schemas that the package goes into."""
    stack = [root]
    while stack:
        schema = stack.pop()
        if not isinstance(schema, dict):
            continue
        yield schema
        variants, properties = schema.get("oneOf"), schema.get("properties")
        if isinstance(variants, list):
            stack.extend(variants)
        elif schema.get("type") == "object" and isinstance(properties, dict):
            stack.extend(properties.values())
        elif schema.get("type") == "array":
            stack.append(schema.get("items"))


def _is_any(schema: dict[str, Any]) -> bool:
    return not isinstance(schema.get("oneOf"), list) and not isinstance(schema.get("type"), str | list)


def _tool(tool: Tool, place: int, name: str) -> Iterator[Segment]:
    """What the package writes for one tool, piece by piece."""
    head, tail = _around()

    def text(*function: Any) -> str:
        return _written((function,)).removeprefix(head).removesuffix(tail)

    description, schema = tool.descriptor.get("description"), tool.descriptor.get("inputSchema")
    plain = (name, description if isinstance(description, str) else "", schema if isinstance(schema, dict) else None)
    if any(len(part) >= LONG for part in parts(dumps(plain))):
        raise LimitError(f"openai-harmony is not asked about a tool with a word of {LONG:,} characters")
    whole = text(*plain)
    marks = _Marks(place)
    if max(whole) < chr(_FIRST):
        pieces = list(marks.pieces(text(*marks.function(*plain))))
        if "".join(piece.text for piece in pieces) == whole:
            yield from pieces
            return
    yield Segment(whole, marks.outside)


class _Marks:
    """The marks of one tool: puts them around texts, and finds the texts again."""

    __slots__ = ("outside", "places", "schema")

    def __init__(self, tool: int) -> None:
        self.outside = Place(tool, None, Kind.SYNTAX, "", _ROOT)
        #: By the number of a mark; where the text comes from.
        self.places: list[Place] = []
        self.schema = False

    def function(self, name: str, description: str, schema: dict[str, Any] | None) -> tuple[Any, ...]:
        """A function with marks around all its texts. Recursive, since the package has refused what is nested deeply."""
        tool = self.outside.tool
        self.schema = schema is not None
        # What ends the last line is not copied, so it stays outside.
        lines = description.rstrip("\r\n")
        return (
            self._marked(name, Place(tool, "toolId", Kind.FIELD, "", _ROOT / "toolId")),
            self._marked(lines, Place(tool, "description", Kind.FIELD, "", _ROOT / "description"))
            + description[len(lines) :],
            None if schema is None else self._schema(schema, _ROOT / "inputSchema", 1),
        )

    def pieces(self, marked: str) -> Iterator[Segment]:
        """The text without its marks; what lies between marked texts belongs to the schema that the last one is about."""
        here = between = self.outside
        end = 0
        for mark in _MARK.finditer(marked):
            yield Segment(marked[end : mark.start()], here)
            here = between
            if mark[1]:
                here = self.places[ord(mark[1]) - _FIRST]
                between = self._after(here)
            end = mark.end()
        yield Segment(marked[end:], here)

    def _after(self, place: Place) -> Place:
        """Where what follows a text belongs: the types and brackets of a schema, or the syntax around it."""
        if place.field == "inputSchema":
            path = place.path if place.kind is Kind.NAME else place.path.parent or _ROOT
            return Place(place.tool, "inputSchema", Kind.STRUCTURE, "type", path, place.depth)
        if place.field == "toolId" and self.schema:
            return Place(place.tool, "inputSchema", Kind.STRUCTURE, "", _ROOT / "inputSchema")
        return self.outside

    def _marked(self, text: str, place: Place) -> str:
        number = _FIRST + len(self.places)
        if not text or number > _LAST:
            return text
        self.places.append(place)
        return f"{chr(number)}{text}{_CLOSE}"

    def _schema(self, schema: Any, path: Path, depth: int) -> Any:
        if not isinstance(schema, dict):
            return schema
        names: dict[str, str] = {}
        copy = dict(schema)
        properties, required, variants = (schema.get(key) for key in ("properties", "required", "oneOf"))
        for keyword in ("title", "description", "default", "examples", "enum"):
            if keyword in schema:
                place = Place(self.outside.tool, "inputSchema", keyword_kind(keyword), keyword, path / keyword, depth)
                copy[keyword] = self._data(schema[keyword], place)
        if isinstance(properties, dict):
            copy["properties"] = {}
            for name, child in properties.items():
                below = path / "properties" / name
                names[name] = self._marked(
                    name, Place(self.outside.tool, "inputSchema", Kind.NAME, "properties", below, depth)
                )
                copy["properties"][names[name]] = self._schema(child, below, depth + 1)
        if isinstance(required, list):
            copy["required"] = [names.get(name, name) if isinstance(name, str) else name for name in required]
        if "items" in schema:
            copy["items"] = self._schema(schema["items"], path / "items", depth + 1)
        if isinstance(variants, list):
            copy["oneOf"] = [
                self._schema(item, path / "oneOf" / index, depth + 1) for index, item in enumerate(variants)
            ]
            self._alike(schema, copy, variants)
        return copy

    @staticmethod
    def _alike(schema: dict[str, Any], copy: dict[str, Any], variants: list[Any]) -> None:
        """The package leaves out a variant's description that says what the property's does; marks must not hide that."""
        for item, marked in zip(variants, copy["oneOf"], strict=True):
            if isinstance(item, dict) and "description" in item and item["description"] == schema.get("description"):
                marked["description"] = copy["description"]

    def _data(self, value: Any, place: Place) -> Any:
        """A value with marks around its strings."""
        if isinstance(value, str):
            return self._marked(value, place)
        if isinstance(value, list):
            return [self._data(item, place) for item in value]
        if isinstance(value, dict):
            return {key: self._data(item, place) for key, item in value.items()}
        return value


@cache
def _around() -> tuple[str, str]:
    """What the package writes before the first tool and after the last one."""
    text = _written((("f", "", None),))
    before, _, _ = text.partition("type f = ")
    return before, text[text.rindex(_END) :]


def _written(functions: tuple[Any, ...]) -> str:
    """The text of the developer message for functions: their name, description and schema."""
    import openai_harmony as harmony

    tools = [harmony.ToolDescription.new(*function) for function in functions]
    content = harmony.DeveloperContent.new().with_function_tools(tools)
    encoding = _encoding()
    message = harmony.Message.from_role_and_content(harmony.Role.DEVELOPER, content)
    text: str = encoding.decode(encoding.render(message))
    return text.removeprefix(_BEFORE).removesuffix(_AFTER)


@cache
def _encoding() -> Any:
    """The package's `HarmonyEncoding`, from the bundled vocabulary: its cache names files as tiktoken's does."""
    import openai_harmony as harmony

    folder = vocabulary_folder("o200k_harmony")
    with environment({"TIKTOKEN_RS_CACHE_DIR": str(folder), "TIKTOKEN_ENCODINGS_BASE": None}):
        return harmony.load_harmony_encoding(_ENCODING)
