"""The bundled schemas of the two views, and the rules of the specification that name a part of them more exactly."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from workbench.catalog import Tool, View
from workbench.checks.credentials import SECRET_FIELDS
from workbench.findings import Finding, Level
from workbench.keywords import BANNED, LOOPHOLES
from workbench.resources import registry, schema
from workbench.values import join
from workbench.wording import kind, quoted

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import ValidationError

__all__ = ["Major", "breaches"]

Major: TypeAlias = Literal[1, 2]
"""The protocol versions that have schemas of their own: OpenWOP 1.x and 2.x."""

_NAMES: dict[View, str] = {"standard": "tool-descriptor", "compact": "compact-tool-descriptor"}
_DISAGREEMENT = (
    "the stored 2.x schema admits only type and properties here, while RFC 0112 allows {key} and no 2.x text forbids it: "
    "a client that validates strictly refuses this"
)


def breaches(tool: Tool, view: View, major: Major) -> Iterator[Finding]:
    """`descriptor-schema`, `compact-field` and `exec-source` for one descriptor, each place once."""
    said: set[str] = set()
    # A wrong type says more than a wrong value; the schemas ask for both where 2.x derives its hints.
    errors = sorted(_validator(view, major).iter_errors(tool.descriptor), key=lambda error: error.validator == "const")
    for error in errors:
        for finding in _found(error, tool, view):
            if finding.pointer not in said:
                said.add(finding.pointer)
                yield finding


@cache
def _validator(view: View, major: Major) -> Draft202012Validator:
    from jsonschema import Draft202012Validator

    return Draft202012Validator(schema(f"v{major}/{_NAMES[view]}"), registry=registry())


def _found(error: ValidationError, tool: Tool, view: View) -> Iterator[Finding]:
    path = list(error.absolute_path)
    pointer, keyword = join("", *path), str(error.validator)
    if view == "compact" and path[:1] == ["inputSchema"]:
        # All of this is for the rules of the subset, but for what the 2.x schema alone refuses.
        if keyword == "additionalProperties":
            yield from _only_in_2x(error, tool, pointer)
    elif keyword == "additionalProperties":
        yield from _extra(error, tool, view, pointer)
    elif path == ["source"] and keyword == "const":
        message = 'safetyTier "exec" is for the host itself: source has to be "host-extension" (RFC 0069)'
        yield Finding("exec-source", "must", tool.tool_id, pointer, None, True, message)
    else:
        yield _finding(tool, pointer, keyword, _message(error, keyword))


def _only_in_2x(error: ValidationError, tool: Tool, pointer: str) -> Iterator[Finding]:
    for key in _unlisted(error):
        if key not in BANNED and key not in LOOPHOLES:
            yield _finding(tool, join(pointer, key), key, _DISAGREEMENT.format(key=quoted(key)), "advice")


def _extra(error: ValidationError, tool: Tool, view: View, pointer: str) -> Iterator[Finding]:
    for key in _unlisted(error):
        place = join(pointer, key)
        if not pointer and key in SECRET_FIELDS:
            continue
        if not pointer and view == "compact":
            message = f"the compact view has no field {quoted(key)}"
            yield Finding("compact-field", "must", tool.tool_id, place, None, True, message)
        else:
            where = f"{pointer[1:]} has" if pointer else "a descriptor has"
            yield _finding(tool, place, "additionalProperties", f"{where} no field {quoted(key)}")


def _unlisted(error: ValidationError) -> list[str]:
    instance: Any = error.instance
    closed: Any = error.schema
    return [key for key in instance if key not in closed["properties"]]


def _finding(tool: Tool, pointer: str, keyword: str, message: str, level: Level = "must") -> Finding:
    return Finding("descriptor-schema", level, tool.tool_id, pointer, keyword, True, message)


def _message(error: ValidationError, keyword: str) -> str:
    """In our words, and without the value: it may be huge, or secret."""
    wanted: Any = error.validator_value
    value: Any = error.instance
    if keyword == "required":
        # The validator gives each missing name an error of its own; one finding names them all.
        return f"missing: {', '.join(name for name in wanted if name not in value)}"
    if keyword == "type":
        article = "an" if wanted[0] in "aeio" else "a"
        return f"this is {kind(value)}, not {article} {wanted}"
    if keyword == "enum":
        return f"this is none of {', '.join(map(str, wanted))}"
    if keyword == "const":
        return f"this contradicts the rest of the descriptor; it has to be {kind(wanted)} (RFC 0204)"
    return {"minLength": "this is empty", "uniqueItems": "something is listed twice"}.get(
        keyword, f"this breaks {keyword}"
    )
