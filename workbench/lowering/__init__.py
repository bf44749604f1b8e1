"""
Lowering: any JSON Schema, of any draft, into the compact structural subset of RFC 0112, as a sound relaxation.

**Sound**: every object that the original accepts, the lowered schema accepts. The subset has no `$ref`, `allOf`, `anyOf`,
`oneOf`, `not`, `patternProperties` or `dependentSchemas`, so it cannot say all that JSON Schema can; where it cannot, the
lowered schema accepts more, never less, and a `Loss` says where and why.

How it works, in reading order:

    cleaning     any JSON value -> schema objects that hold schemas where they should
    dialects     a schema object of any draft -> the keywords of 2020-12
    document     the schema's places, and where references lead
    terms        formulas over places: and, or, not; the states that recursion runs through
    shapes       the lattice: per JSON type, the alternatives of which an instance must meet one
    assertions   a schema object's own keywords -> shapes
    expand       `$ref`, `allOf`, `anyOf`, `not`, `if`, ... -> meets, joins and complements of shapes
    meet  join  sides  complement  evaluated  members       the operations
    parts  plan  writing       a term -> the keywords its schema may say, each sound by itself
    fit          which of them are said, when the bound does not pay for all

The order is that of JSON Schema as a set of accepted instances: the meet of two shapes accepts what both accept, exactly;
the join is the least that the subset can write that accepts what either does. (Specification: JSON Schema core and
validation, 2020-12; for the older drafts, theirs.)

To teach it a keyword: a row in `workbench.keywords`, and one function in `assertions` (it constrains a type) or in
`expand` (it applies a schema to the same instance).
"""

from __future__ import annotations

import json
from typing import Any, Final, Literal

from workbench.errors import InputError
from workbench.keywords import KEYWORDS
from workbench.lowering.dialects import is_well_formed, unrepeated
from workbench.lowering.document import Document
from workbench.lowering.expand import Space
from workbench.lowering.fit import DEEPEST, FREE_SIZE, Selection, fit, whole
from workbench.lowering.losses import Bound, Loss, Lowered
from workbench.lowering.parts import Item, Part
from workbench.lowering.plan import Opener
from workbench.values import dumps
from workbench.walk import walk

__all__ = ["Bound", "Loss", "Lowered", "is_lowered", "lower"]

#: A tool whose arguments can be no object at all, said inside the subset.
_NOTHING: Final[dict[str, Any]] = {"type": "object", "properties": {}, "minProperties": 1, "maxProperties": 0}
#: How long a schema under `contains` may get that has to be written exactly.
_WHOLE_SIZE: Final = 2_000


def lower(schema: Any, *, bound: Bound | None = None, profile: Literal["v1", "v2"] = "v1") -> Lowered:
    """
    Lower a schema into the compact structural subset.

    `schema` may be any JSON value; what is no schema lowers to the one that accepts every object. `bound` limits the size
    of the result (`Bound`); without one, recursion and repetition are written out up to `FREE_SIZE` characters. Profile
    `v2` keeps only `type` and `properties` at the root, all that the stored v2 schema admits there.

    The result is deterministic and never shares structure with the input, and lowering it again changes nothing.
    """
    if is_lowered(schema, profile):
        within = bound is None or bound.count(bound.wrap(dumps(schema))) <= bound.limit
        if within:
            return Lowered(_copy(schema), ())
    document = Document(schema)
    space = Space(document)
    opener = Opener(space, lambda opener, term: whole(opener, term, _WHOLE_SIZE))
    root = Part(space.at(document.root), objects_only=True)
    if not space.look(root.term).objects:
        root.losses = [Loss("", "type", "accepts no object", True, "no arguments can be valid")]
        freed = Loss("", "type", "freed to fit", False, "no arguments can be valid")
        root.items = [Item(name, value, 1.0, loss=freed) for name, value in _NOTHING.items()]
    _floor(opener, root, profile)
    selection = Selection(root, opener)
    if bound is None:
        bound = Bound(len, max(FREE_SIZE, 4 * _written_size(schema)))
    fits = fit(selection, bound, lambda rendered: dumps(_rooted(rendered)))
    losses = tuple(dict.fromkeys(selection.losses()))
    return Lowered(_copy(_rooted(selection.render())), losses, fits)


def is_lowered(schema: Any, profile: Literal["v1", "v2"] = "v1") -> bool:
    """
    Whether a schema is in the form that `lower` gives: the root floor, and at every position nothing but well-formed
    keywords that a lowered schema may have.
    """
    if not isinstance(schema, dict) or schema.get("type") != "object" or not isinstance(schema.get("properties"), dict):
        return False
    if profile == "v2" and set(schema) - {"type", "properties"}:
        return False
    return all(
        visit.depth <= DEEPEST and (isinstance(visit.schema, bool) or _is_output(visit.schema))
        for visit in walk(schema)
    )


def _is_output(schema: dict[str, Any]) -> bool:
    for name, value in schema.items():
        row = KEYWORDS.get(name)
        if row is None or not row.kept or not is_well_formed(name, value) or unrepeated(name, value) != value:
            return False
        if name in ("properties", "prefixItems") and not all(isinstance(v, dict | bool) for v in _entries(value)):
            return False
        if name == "description" and not isinstance(value, str):
            return False
        if (name == "items" and isinstance(value, list)) or (name == "enum" and not value):
            return False
    return "contains" in schema or not {"minContains", "maxContains"} & set(schema)


def _entries(value: Any) -> Any:
    return value.values() if isinstance(value, dict) else value


def _floor(opener: Opener, root: Part, profile: str) -> None:
    """Readies the root: what it says of anything but objects goes, and under `v2` whatever the v2 schema has no room for."""
    kept = []
    for item in opener.open(root):
        row = KEYWORDS[item.keyword]
        if item.keyword == "type":
            item.value = "object"
        if row.constrains not in ("any", "object"):
            continue
        if profile == "v2" and item.keyword not in ("type", "properties"):
            annotates = item.keyword == "description"
            pointer = item.loss.pointer if item.loss is not None else ""
            root.losses.append(Loss(pointer, item.keyword, "not in profile v2", annotates, "its root admits no more"))
            continue
        kept.append(item)
    root.items = kept


def _rooted(rendered: Any) -> dict[str, Any]:
    """A rendered root with the floor that RFC 0112 asks for: `type: "object"` and `properties`."""
    schema: dict[str, Any] = {} if "type" in rendered else {"type": "object"}
    for name, value in rendered.items():
        schema[name] = value
        if name == "type" and "properties" not in rendered:
            schema["properties"] = {}
    if "properties" not in schema:
        schema = {"type": "object", "properties": {}, **schema}
    return schema


def _copy(schema: dict[str, Any]) -> dict[str, Any]:
    """A copy that shares nothing, by way of its text, which costs less stack than walking down in Python."""
    copied: dict[str, Any] = json.loads(json.dumps(schema))
    return copied


def _written_size(schema: Any) -> int:
    try:
        return len(dumps(schema))
    except InputError:  # too deep, or nothing that JSON has
        return 0
