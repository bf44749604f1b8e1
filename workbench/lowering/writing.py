"""
Writing a node: the items of a schema position that had to be worked out, because it was not in the subset as it stood.

Every field's alternatives become one (`join.py`); then each type says what it asks, in a fixed order of keywords. What has
no keyword left for it (a second pattern, a second `contains`, values excluded from an open domain) is recorded.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from workbench.lowering.assertions import typed
from workbench.lowering.join import JOINS, as_range
from workbench.lowering.losses import Loss
from workbench.lowering.members import named, unlisted
from workbench.lowering.parts import FACTORS, OPTIONAL_FACTOR, REQUIRED_FACTOR, Item, Part, origin, worth
from workbench.lowering.shapes import (
    BOTH,
    MATCH_ALL,
    SHAPED,
    ArrayShape,
    Finite,
    Group,
    Node,
    NumberShape,
    ObjectShape,
    StringShape,
)
from workbench.lowering.terms import FALSE, TRUE
from workbench.regexes import alternation, literal_set, matches
from workbench.values import join

if TYPE_CHECKING:
    from workbench.lowering.plan import Opener

__all__ = ["node_items"]

_NAMES: Final = (
    ("string", "strings"),
    ("number", "numbers"),
    ("boolean", "booleans"),
    ("object", "objects"),
    ("array", "arrays"),
    ("null", "null"),
)


class Writer:
    """Writes the node of one part."""

    def __init__(self, opener: Opener, part: Part) -> None:
        self.opener, self.part = opener, part
        self.terms = opener.space.terms
        self.place = origin(part.term)
        self.pointer = "" if self.place is None else self.place.pointer
        self.items: list[Item] = []
        self.exact = True

    def write(self) -> list[Item]:
        """The items of the part."""
        node = self.opener.space.look(self.part.term)
        if self.part.objects_only:
            node = typed(node, "object")
        self.part.losses += node.losses
        if node.empty:
            self.part.term = FALSE
            self.part.losses += node.unions
            return []
        node = self.one_each(node)
        if not self.exact and not node.unions:
            # Its alternatives come from further up, where properties or items of branches were joined.
            self.lost("", "branches joined", "alternatives that meet here")
        if node.descriptions:
            text = " | ".join(text for text, _ in node.descriptions)
            self.items.append(self.opener.description(text, node.descriptions[0][1]))
        self.type_of(node)
        values = _all_values(node)
        if values is not None:
            keyword = "const" if len(values) == 1 else "enum"
            self.say(keyword, values[0] if len(values) == 1 else list(values))
        else:
            node = self.without_values(node)
        for name in SHAPED:
            for shape in getattr(node, name):
                _WRITERS[name](self, shape)
        self.part.losses += [replace(union, exact=self.exact) for union in node.unions]
        return self.items

    def one_each(self, node: Node) -> Node:
        """The node with at most one alternative a field."""
        fields: dict[str, Any] = {}
        for name in SHAPED:
            shapes = getattr(node, name)
            if shapes:
                shape, exact = JOINS[name](shapes, self.terms)
                fields[name] = (shape,)
                self.exact = self.exact and exact
        return replace(node, **fields)

    def type_of(self, node: Node) -> None:
        """`type`, where some type is rejected."""
        names = [name for name, field in _NAMES if getattr(node, field)]
        if node.numbers and _is_whole(node.numbers[0]):
            names[names.index("number")] = "integer"
        if len(names) < len(_NAMES) or "integer" in names:
            self.say("type", names[0] if len(names) == 1 else names)

    def without_values(self, node: Node) -> Node:
        """
        The node with its finite sets as ranges and patterns: beside a type that has no finite set, `enum` would reject
        every other value of that type.
        """
        fields: dict[str, Any] = {}
        joined = self.exact
        for shape in node.numbers:
            fields["numbers"] = (as_range(shape),)
            self.exact = self.exact and shape.values is None
        for text in node.strings:
            fields["strings"] = (_pattern(text),)
            self.exact = self.exact and text.values is None
        for name in ("arrays", "objects"):
            for other in getattr(node, name):
                fields[name] = (replace(other, values=None),)
                self.exact = self.exact and other.values is None
        if node.booleans and node.booleans != BOTH:
            self.exact = False
        if joined and not self.exact and not node.unions:
            self.lost("enum", "relaxed", "beside types without a finite set")
        return replace(node, **fields)

    def say(self, keyword: str, value: Any, *, after: tuple[Item, ...] = ()) -> Item:
        """Adds an item."""
        loss = Loss(self.where(keyword), keyword, "freed to fit", False)
        item = Item(keyword, value, worth(keyword), after, loss)
        self.items.append(item)
        return item

    def lost(self, keyword: str, action: str, detail: str) -> None:
        """Records a loss at this part."""
        self.part.losses.append(Loss(self.where(keyword), keyword, action, False, detail))

    def where(self, keyword: str) -> str:
        """The pointer of a keyword of the place that is written; of the place itself, where others brought the keyword in."""
        if self.place is None or (written := self.opener.space.normal(self.place)).keywords.get(keyword) is None:
            return self.pointer
        return join(self.pointer, *written.moved.get(keyword, (keyword,)))


def _numbers(writer: Writer, shape: NumberShape) -> None:
    if shape.low is not None:
        writer.say("exclusiveMinimum" if shape.low_open else "minimum", shape.low)
    if shape.high is not None:
        writer.say("exclusiveMaximum" if shape.high_open else "maximum", shape.high)
    if shape.multiples and not (shape.multiples[0] == 1 and _is_whole(shape)):
        writer.say("multipleOf", shape.multiples[0])
    if len(shape.multiples) > 1:
        writer.lost("multipleOf", "relaxed", "no one number says both")
    if shape.excluded:
        writer.lost("not", "freed", "excludes numbers from an open range")


def _strings(writer: Writer, shape: StringShape) -> None:
    low = shape.low
    if "" in shape.excluded and not low:
        low = 1
    if any(value for value in shape.excluded):
        writer.lost("not", "freed", "excludes strings from an open domain")
    if low:
        writer.say("minLength", low)
    if shape.high is not None:
        writer.say("maxLength", shape.high)
    if shape.patterns:
        # The longest says most, as a rule; two cannot be written, since `allOf` is what the subset bans.
        writer.say("pattern", max(shape.patterns, key=len))
    if len(shape.patterns) > 1:
        writer.lost("pattern", "relaxed", "one of several patterns is kept")
    if shape.formats:
        writer.say("format", shape.formats[0])
    if len(shape.formats) > 1:
        writer.lost("format", "relaxed", "one of several formats is kept")


def _arrays(writer: Writer, shape: ArrayShape) -> None:
    part = writer.part
    after: tuple[Item, ...] = ()
    if shape.values is not None and shape == ArrayShape(values=shape.values):
        return
    if shape.prefix:
        held = [part.below(term, FACTORS["prefixItems"]) for term in shape.prefix]
        after = (writer.say("prefixItems", held),)
    high = shape.high
    if shape.rest is FALSE and high is not None and high <= len(shape.prefix):
        # `maxItems` says the same as `items: false`; without a prefix it says it alone.
        if shape.prefix and high == len(shape.prefix):
            writer.say("items", False, after=after)
            high = None
    elif shape.rest is not TRUE:
        writer.say("items", part.below(shape.rest, FACTORS["items"]), after=after)
    if shape.low:
        writer.say("minItems", shape.low)
    if high is not None:
        writer.say("maxItems", high)
    if shape.unique:
        writer.say("uniqueItems", True)
    _contains(writer, shape)


def _contains(writer: Writer, shape: ArrayShape) -> None:
    if len(shape.contains) > 1:
        writer.lost("contains", "relaxed", "one of several is kept")
    for each in shape.contains[:1]:
        schema, exact = writer.opener.exactly(each.term) if each.high is not None else (None, False)
        if each.high is not None and not exact:
            writer.lost("maxContains", "freed", "what it counts is not written exactly")
        if not exact and not each.low:
            continue
        # Without its `minContains: 0`, a `contains` would ask for one item; any larger number asks for more.
        least = (writer.say("minContains", 0),) if not each.low else ()
        below = schema if exact else writer.part.below(each.term, FACTORS["contains"])
        item = writer.say("contains", below, after=least)
        for weakening in least:
            weakening.prepares = item
        if each.low > 1:
            writer.say("minContains", each.low, after=(item,))
        if exact:
            writer.say("maxContains", each.high, after=(item,))


def _objects(writer: Writer, shape: ObjectShape) -> None:
    if shape.values is not None and shape == ObjectShape(values=shape.values):
        return
    part, terms = writer.part, writer.terms
    after: tuple[Item, ...] = ()
    rest = unlisted(shape, terms)
    asked = {name: named(shape, name, terms) for name in shape.known}
    if rest is FALSE:  # which forbids what is not listed
        asked = {name: term for name, term in asked.items() if term is not FALSE}
    if asked:
        held = {
            name: part.below(term, REQUIRED_FACTOR if name in shape.required else OPTIONAL_FACTOR)
            for name, term in asked.items()
        }
        after = (writer.say("properties", held),)
    if shape.required:
        writer.say("required", list(shape.required))
    if rest is FALSE:
        writer.say("additionalProperties", False, after=after)
    elif rest is not TRUE:
        writer.say("additionalProperties", part.below(rest, FACTORS["additionalProperties"]), after=after)
    _names(writer, shape)
    if shape.low > len(shape.required):
        writer.say("minProperties", shape.low)
    if shape.high is not None and not (rest is FALSE and shape.high >= len(shape.known)):
        writer.say("maxProperties", shape.high)
    calls = {name: list(called) for name, called in shape.dependents}
    if calls:
        writer.say("dependentRequired", calls)


def _names(writer: Writer, shape: ObjectShape) -> None:
    """`propertyNames`, which also says what `patternProperties` beside a closed rest says of names."""
    patterned = [group for group in shape.groups if group.patterns]
    closed = [pattern for group in patterned if (pattern := _closing(group)) is not None]
    if shape.names is not TRUE:
        writer.say("propertyNames", writer.part.below(shape.names, FACTORS["propertyNames"]))
    elif closed:
        writer.say("propertyNames", {"pattern": closed[0]})
    if patterned and not (len(shape.groups) == 1 and _says_all(shape, bool(closed) and shape.names is TRUE)):
        writer.lost("patternProperties", "relaxed", "names that match and names that do not share one schema")


def _says_all(shape: ObjectShape, names_said: bool) -> bool:
    """Whether one schema for every name without an entry, and `propertyNames` where it was said, are all that is asked."""
    group = shape.groups[0]
    if not shape.asks_patterns or any(
        matches(pattern, name) is None for pattern, _ in group.patterns for name in group.props
    ):
        return False
    if group.closed:
        return names_said and len({term for _, term in group.patterns}) == 1
    return len({group.rest, *(term for _, term in group.patterns)}) == 1 or (
        len(group.patterns) == 1 and group.patterns[0][0] in MATCH_ALL
    )


def _closing(group: Group) -> str | None:
    """The pattern of the names that a group admits, when it admits no others."""
    if not group.closed:
        return None
    known = literal_set(tuple(group.props)) if group.props else ""
    if known is None:
        return None
    return alternation([*([known] if known else []), *(pattern for pattern, _ in group.patterns)])


_WRITERS: Final[dict[str, Any]] = {"numbers": _numbers, "strings": _strings, "arrays": _arrays, "objects": _objects}


def node_items(opener: Opener, part: Part) -> list[Item]:
    """The items of a part that is written from its node."""
    return Writer(opener, part).write()


def _all_values(node: Node) -> Finite | None:
    """Every value of a node, where there are finitely many and no `type` says it shorter."""
    shapes = [shape for name in SHAPED for shape in getattr(node, name)]
    if any(shape.values is None for shape in shapes):
        return None
    if not shapes and node.booleans in (BOTH, frozenset()):
        return None
    values = [value for shape in shapes for value in shape.values]
    return Finite(
        [*values, *(value for value in (False, True) if value in node.booleans), *([None] if node.null else [])]
    )


def _is_whole(shape: NumberShape) -> bool:
    if shape.values is not None:
        return all(isinstance(value, int) for value in shape.values)
    return shape.integer


def _pattern(shape: StringShape) -> StringShape:
    if shape.values is None:
        return shape
    pattern = literal_set(shape.values)
    if pattern is not None:
        return StringShape(patterns=(pattern,))
    lengths = [len(value) for value in shape.values]
    return StringShape(min(lengths), max(lengths))
