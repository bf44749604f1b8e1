"""Every text of a descriptor, and the characters in it that do not show."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from workbench.catalog import Tool
from workbench.findings import Finding
from workbench.visible import hidden_characters
from workbench.walk import Path

__all__ = ["Text", "hidden_text", "texts"]

_NAMED = 3


class Text(NamedTuple):
    """A string of a document: where it stands, and whether it is the name of a member there and not the value."""

    path: Path
    text: str
    is_name: bool


def texts(value: Any) -> Iterator[Text]:
    """Every string of a JSON value, names of members too, in document order, at any depth."""
    stack: list[tuple[Path, Any, bool]] = [(Path(), value, False)]
    while stack:
        path, here, is_name = stack.pop()
        if isinstance(here, str):
            yield Text(path, here, is_name)
        elif isinstance(here, dict):
            for name, child in reversed(here.items()):
                below = path / name
                stack += ((below, child, False), (below, name, True))
        elif isinstance(here, list):
            stack += reversed([(path / index, child, False) for index, child in enumerate(here)])


def hidden_text(tool: Tool) -> Iterator[Finding]:
    """
    `hidden-text`: names, titles, descriptions, values and everything else that a model reads and a person does not see.

    The whole descriptor is text to a model, since that is what is sent. What counts as hidden is said in `workbench.visible`.
    """
    for path, text, is_name in texts(tool.descriptor):
        if text.isascii() and text.isprintable():
            continue
        hidden = hidden_characters(text)
        if hidden:
            listed = ", ".join(f"U+{ord(char):04X} {name} at {offset}" for offset, char, name in hidden[:_NAMED])
            more = f" and {len(hidden) - _NAMED} more" if len(hidden) > _NAMED else ""
            what = "the name holds" if is_name else "the text holds"
            message = f"{what} what does not show: {listed}{more}"
            yield Finding("hidden-text", "advice", tool.tool_id, str(path), None, False, message)
